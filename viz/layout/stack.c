/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A walk down from the peak.
 *
 *      bytes |  +-----+ a         a ends at the peak.  Of all that live with a and end no
 *            |  |  a  |           higher than a begins, b ends highest: a rests on b.  Below b
 *            |  +--+--+--+ b      is c, with a hole between them.
 *            |     |  b  |
 *            |     +-----+        Buffers are visited once, by falling ends: one passed over for
 *            |  +----+ . hole     a ends above b's end, so it cannot be below b either.
 *            |  |  c |
 *            +--+----+-------
 *
 * O(n log n) for sorting; then each buffer is compared once with the buffer that it might
 * support, in a walk through the lifetimes of both.
 */
#include "viz/layout/stack.h"

#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"

struct top {
  neap_offset end;
  size_t buffer;
};

/* The highest first; the earlier of equals. */
static int by_end(const void *left, const void *right) {
  const struct top *a = left, *b = right;
  if (a->end != b->end) return a->end > b->end ? -1 : 1;
  return a->buffer < b->buffer ? -1 : a->buffer > b->buffer;
}

static struct top *tops_new(const struct neap_plan *plan, size_t pool, size_t *count) {
  struct top *tops = memory_array(plan->problem->count, sizeof *tops);
  *count = 0;
  if (!tops) return NULL;
  for (size_t i = 0; i < plan->problem->count; i++)
    if (plan->problem->buffers[i].size > 0 && neap_plan_pool(plan, i) == pool)
      tops[(*count)++] = (struct top){plan_end(plan, i), i};
  qsort(tops, *count, sizeof *tops, by_end);
  return tops;
}

/* Finds the first time in which both live. */
static bool find_meeting(const struct neap_problem *problem, size_t a, size_t b,
                         neap_range *when) {
  size_t i = problem_ranges_begin(problem, a), i_end = problem->buffers[a].ranges_end;
  size_t j = problem_ranges_begin(problem, b), j_end = problem->buffers[b].ranges_end;
  while (i < i_end && j < j_end) {
    neap_range p = problem->ranges[i], q = problem->ranges[j];
    *when = (neap_range){p.start > q.start ? p.start : q.start, p.end < q.end ? p.end : q.end};
    if (when->start < when->end) return true;
    if (p.end < q.end) i++;
    else j++;
  }
  return false;
}

static void add_layer(struct stack *stack, struct stack_layer layer) {
  assert(layer.low <= layer.high);
  assert(stack->count == 0 || stack->layers[stack->count - 1].low == layer.high);
  if (layer.low < layer.high) stack->layers[stack->count++] = layer;
}

static void add_buffer(struct stack *stack, const struct neap_plan *plan, size_t buffer,
                       neap_range touch) {
  add_layer(stack, (struct stack_layer){buffer, plan->offsets[buffer], plan_end(plan, buffer),
                                        problem_hull(plan->problem, buffer), touch});
}

static void add_hole(struct stack *stack, neap_offset low, neap_offset high, neap_range when) {
  add_layer(stack, (struct stack_layer){STACK_HOLE, low, high, when, when});
}

static void walk_down(struct stack *stack, const struct neap_plan *plan, const struct top *tops,
                      size_t count) {
  if (count == 0) return;
  size_t above = tops[0].buffer;
  neap_range touch = problem_hull(plan->problem, above);
  add_buffer(stack, plan, above, touch);
  for (size_t i = 1; i < count; i++) {
    size_t below = tops[i].buffer;
    if (tops[i].end > plan->offsets[above] ||
        !find_meeting(plan->problem, above, below, &touch))
      continue;
    add_hole(stack, tops[i].end, plan->offsets[above], touch);
    add_buffer(stack, plan, below, touch);
    above = below;
  }
  add_hole(stack, 0, plan->offsets[above], problem_hull(plan->problem, above));
  assert(stack->layers[stack->count - 1].low == 0);
}

neap_status stack_init(struct stack *stack, const struct neap_plan *plan, size_t pool,
                       neap_error *error) {
  size_t count;
  struct top *tops = tops_new(plan, pool, &count);
  /* There is at most one hole below every buffer. */
  *stack = (struct stack){memory_array(count, 2 * sizeof *stack->layers), 0};
  neap_status status = tops && stack->layers ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK) walk_down(stack, plan, tops, count);
  free(tops);
  return status;
}

void stack_clear(struct stack *stack) {
  free(stack->layers);
  *stack = (struct stack){0};
}
