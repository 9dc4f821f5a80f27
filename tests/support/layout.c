/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/layout.h"

#include <string.h>

#include "facts/columns.h"
#include "order/sorter.h"
#include "place/placer.h"
#include "tests/support/sample.h"

const struct place_rule *layout_rule(const char *name) {
  for (size_t i = 0; place_rule_at(i); i++)
    if (strcmp(place_rule_at(i)->name, name) == 0) return place_rule_at(i);
  fail_msg("there is no placement rule \"%s\"", name);
  return NULL;
}

static void place_all(struct layout *layout, const neap_problem *problem,
                      const gsl_permutation *order, const char *rule_name) {
  struct sections sections;
  struct placer *placer;
  struct budget budget;
  neap_error error;
  budget_init(&budget, 0, 0);
  assert_ok(columns_init(&sections, problem, SECTIONS_ALL, &error), &error);
  assert_ok(placer_new(&placer, problem, &sections, layout_rule(rule_name), &budget, &error),
            &error);
  assert_ok(placer_fill(placer, order, &error), &error);
  for (size_t i = 0; i < layout->count; i++) {
    neap_buffer buffer = sample_buffer(problem, i);
    layout->order[i] = order->data[i];
    layout->offsets[i] = placer_offsets(placer)[i];
    layout->ends[i] = layout->offsets[i] + buffer.size;
  }
  layout->peak = placer_peak(placer);
  placer_free(placer);
  sections_clear(&sections);
}

static void init_layout(struct layout *layout, const neap_problem *problem) {
  layout->count = neap_problem_count(problem);
  layout->order = test_calloc(layout->count + 1, sizeof *layout->order);
  layout->offsets = test_calloc(layout->count + 1, sizeof *layout->offsets);
  layout->ends = test_calloc(layout->count + 1, sizeof *layout->ends);
}

void layout_ordered(struct layout *layout, const neap_problem *problem, const size_t *order,
                    const char *rule) {
  gsl_permutation permutation;
  init_layout(layout, problem);
  assert_true(order_init(&permutation, layout->count));
  if (layout->count) memcpy(permutation.data, order, layout->count * sizeof *order);
  place_all(layout, problem, &permutation, rule);
  order_clear(&permutation);
}

void layout_sorted(struct layout *layout, const neap_problem *problem, const char *spec_text,
                   const char *rule) {
  struct order_spec spec;
  gsl_permutation permutation;
  neap_error error;
  init_layout(layout, problem);
  assert_ok(order_spec_parse(&spec, spec_text, &error), &error);
  assert_true(order_init(&permutation, layout->count));
  assert_ok(sorter_sort(problem, &spec, &permutation, &error), &error);
  place_all(layout, problem, &permutation, rule);
  order_clear(&permutation);
}

void layout_clear(struct layout *layout) {
  test_free(layout->order);
  test_free(layout->offsets);
  test_free(layout->ends);
}
