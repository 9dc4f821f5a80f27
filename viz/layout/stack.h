/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The critical stack: the buffers that, one resting on the other, make the peak. */
#ifndef VIZ_LAYOUT_STACK_H
#define VIZ_LAYOUT_STACK_H

#include "plan/plan.h"

#define STACK_HOLE SIZE_MAX

struct stack_layer {
  size_t buffer;         /* or STACK_HOLE */
  neap_offset low, high; /* the bytes of the layer */
  neap_range when;       /* a buffer's hull; of a hole: both layers around it live */
  neap_range touch;      /* while the layer above also lives; at the top: the hull */
};

/* From the top, which ends at the peak, downwards: each layer ends where the one above begins. */
struct stack {
  struct stack_layer *layers;
  size_t count;
};

/*
 * Finds the stack of a pool, 0 without pools: below each layer is the buffer that ends highest
 * among those alive with it.  Buffers without bytes do not count.  O(n log n).
 */
neap_status stack_init(struct stack *stack, const struct neap_plan *plan, size_t pool,
                       neap_error *error);
void stack_clear(struct stack *stack);

#endif
