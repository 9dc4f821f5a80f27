/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stack of buffers that makes a plan's peak. */
#include <stdlib.h>

#include "tests/property/random_problem.h"
#include "tests/unit/layout.h"
#include "tests/unit/sample.h"
#include "viz/layout/stack.h"

static neap_plan *plan_of(const neap_problem *problem, const neap_offset *offsets) {
  neap_plan *plan;
  neap_error error;
  assert_ok(neap_plan_new(problem, offsets, &plan, &error), &error);
  return plan;
}

static void expect_layer(const struct stack_layer *layer, size_t buffer, neap_offset low,
                         neap_offset high, neap_range touch) {
  assert_int_equal(layer->buffer, buffer);
  assert_int_equal(layer->low, low);
  assert_int_equal(layer->high, high);
  assert_int_equal(layer->touch.start, touch.start);
  assert_int_equal(layer->touch.end, touch.end);
}

/*
 *      600 +--------+            1 ends at the peak, above a hole, since 3 does not live with it
 *      400 +---1----+ +--+       and 2 ends lower than 0.
 *      300 +--+       | 3|
 *          |0 |+-+    |  |
 *        0 +--++2+----+--+
 */
static void a_stack_reaches_the_bottom(void **state) {
  (void)state;
  static const struct sample samples[] = {
      {0, 5, 300, 1}, {2, 9, 200, 1}, {6, 8, 50, 1}, {9, 12, 400, 1}, {0, 12, 0, 1}};
  static const neap_offset offsets[] = {0, 400, 0, 0, 350};
  neap_problem *problem = sample_problem(samples, 5);
  neap_plan *plan = plan_of(problem, offsets);
  struct stack stack;
  neap_error error;
  assert_ok(stack_init(&stack, plan, 0, &error), &error);
  assert_int_equal(stack.count, 3);
  expect_layer(&stack.layers[0], 1, 400, 600, (neap_range){2, 9});
  expect_layer(&stack.layers[1], STACK_HOLE, 300, 400, (neap_range){2, 5});
  expect_layer(&stack.layers[2], 0, 0, 300, (neap_range){2, 5});
  stack_clear(&stack);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static void an_empty_plan_has_no_stack(void **state) {
  (void)state;
  static const struct sample samples[] = {{0, 5, 0, 1}};
  neap_problem *problem = sample_problem(samples, 1);
  neap_plan *plan = plan_of(problem, (const neap_offset[]){7});
  struct stack stack;
  neap_error error;
  assert_ok(stack_init(&stack, plan, 0, &error), &error);
  assert_int_equal(stack.count, 0);
  stack_clear(&stack);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static bool alive_within(const struct neap_problem *problem, size_t buffer, neap_range when) {
  for (size_t i = problem_ranges_begin(problem, buffer);
       i < problem->buffers[buffer].ranges_end; i++)
    if (problem->ranges[i].start <= when.start && when.end <= problem->ranges[i].end)
      return true;
  return false;
}

/* No buffer alive with `above` ends between the two; checked by brute force. */
static void expect_nothing_between(const struct neap_plan *plan, size_t above,
                                   const struct stack_layer *hole) {
  for (size_t i = 0; i < plan->problem->count; i++) {
    neap_offset end = plan_end(plan, i);
    if (plan->problem->buffers[i].size == 0 || end <= hole->low || end > hole->high) continue;
    for (size_t r = problem_ranges_begin(plan->problem, i);
         r < plan->problem->buffers[i].ranges_end; r++)
      for (size_t q = problem_ranges_begin(plan->problem, above);
           q < plan->problem->buffers[above].ranges_end; q++)
        assert_true(plan->problem->ranges[r].end <= plan->problem->ranges[q].start ||
                    plan->problem->ranges[q].end <= plan->problem->ranges[r].start);
  }
}

static void expect_stack(const struct neap_plan *plan, const struct stack *stack) {
  neap_offset high = plan->report.peak;
  size_t above = STACK_HOLE;
  for (size_t i = 0; i < stack->count; i++) {
    const struct stack_layer *layer = &stack->layers[i];
    assert_int_equal(layer->high, high);
    assert_true(layer->low < layer->high);
    high = layer->low;
    if (layer->buffer == STACK_HOLE) {
      expect_nothing_between(plan, above, layer);
      continue;
    }
    assert_int_equal(layer->low, plan->offsets[layer->buffer]);
    if (above != STACK_HOLE) {
      assert_true(alive_within(plan->problem, layer->buffer, layer->touch));
      assert_true(alive_within(plan->problem, above, layer->touch));
    }
    above = layer->buffer;
  }
  assert_int_equal(high, 0);
}

static void every_stack_is_connected(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    struct instance instance = instance_random(seed, 40, WITH_ALL & ~WITH_FIXED);
    neap_problem *problem = instance_problem(&instance);
    struct layout layout;
    layout_sorted(&layout, problem, "size", seed % 2 ? "lowest" : "tight");
    neap_plan *plan = plan_of(problem, layout.offsets);
    struct stack stack;
    neap_error error;
    assert_ok(stack_init(&stack, plan, 0, &error), &error);
    if (stack.count > 0) expect_stack(plan, &stack);
    stack_clear(&stack);
    neap_plan_free(plan);
    layout_clear(&layout);
    neap_problem_free(problem);
    instance_free(&instance);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_stack_reaches_the_bottom),
      cmocka_unit_test(an_empty_plan_has_no_stack),
      cmocka_unit_test(every_stack_is_connected),
  };
  return cmocka_run_group_tests_name("stack", tests, NULL, NULL);
}
