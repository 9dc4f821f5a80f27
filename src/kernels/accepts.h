/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether a kernel accepts the types of its tensors.  A rule has alternatives, separated by '|'.
 * Each has a word for each input and, after '>', for each output: the letters of the types
 * (element_types.h), '=' for that of input 0, or '*' for any.  After it follow
 *
 *   :2-4   the lowest and the highest rank
 *   !      a constant
 *   @      quantised as a whole, not by channels
 *   ?      it may be absent
 *   ~      it may be missing at the end
 *   +10    all that are left, if there are at most 10 in all; without a number, any number
 *
 * Further inputs and outputs are not looked at, so an empty rule accepts everything.
 */
#ifndef KERNELS_ACCEPTS_H
#define KERNELS_ACCEPTS_H

#include "kernels/call.h"

/* False if no alternative fits, with the reason: "input 1 is int8, not float32". */
#define ACCEPTS_REASON 160
bool accepts_call(const char *rule, const struct footprint_call *call,
                  char reason[ACCEPTS_REASON]);

#endif
