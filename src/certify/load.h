/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reason `load`: the buffers alive at one moment need that many bytes. */
#ifndef CERTIFY_LOAD_H
#define CERTIFY_LOAD_H

#include "model/problem.h"

/*
 * Finds the first moment at which the buffers alive need at least `target` (>= 1) bytes, and
 * that number.  *need is 0 if there is none.  O(n log n); with relations that let buffers share
 * bytes, each moment that reaches the target takes time linear in these relations and in the
 * buffers.
 */
neap_status load_find(const struct neap_problem *problem, neap_size target, neap_time *moment,
                      neap_size *need, neap_error *error);

/* Whether a buffer of at least one byte is alive at a moment. */
bool load_has(const struct neap_problem *problem, size_t buffer, neap_time moment);

#endif
