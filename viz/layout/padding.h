/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes that alignment leaves unused. */
#ifndef VIZ_LAYOUT_PADDING_H
#define VIZ_LAYOUT_PADDING_H

#include "plan/plan.h"

/*
 * Sets padding[i] to the free bytes right below buffer i, down to the highest buffer or reserved
 * bytes below it at any time of its life, if they are fewer than what its offset has to be a
 * multiple of (its own alignment and its pool's).  0 otherwise: what is free then is a hole, which
 * another layout might fill.  Also 0 for buffers without bytes.
 *
 * O(n log n) time, O(n) memory; for each pool another O(n).
 */
neap_status padding_find(const struct neap_plan *plan, neap_size *padding, neap_error *error);

#endif
