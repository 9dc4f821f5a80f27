/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/property/run.h"

#include "tests/unit/sample.h"

neap_options *run_options(const char *const *pairs) {
  neap_options *options = neap_options_new();
  neap_error error;
  assert_non_null(options);
  for (; *pairs; pairs += 2)
    assert_ok(neap_options_set(options, pairs[0], pairs[1], &error), &error);
  return options;
}

neap_plan *run_plan(const neap_problem *problem, const char *const *pairs) {
  neap_options *options = run_options(pairs);
  neap_plan *plan;
  neap_error error;
  assert_ok(neap_solve(problem, options, &plan, &error), &error);
  assert_ok(neap_plan_verify(plan, -1, &error), &error);
  neap_options_free(options);
  return plan;
}

neap_size run_peak(const struct instance *instance, const char *const *pairs) {
  neap_problem *problem = instance_problem(instance);
  neap_plan *plan = run_plan(problem, pairs);
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  neap_plan_free(plan);
  neap_problem_free(problem);
  return report.peak;
}

bool run_same(const neap_plan *a, const neap_plan *b) {
  const neap_problem *first = neap_plan_problem(a), *second = neap_plan_problem(b);
  if (neap_problem_count(first) != neap_problem_count(second)) return false;
  for (size_t i = 0; i < neap_problem_count(first); i++) {
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    size_t j;
    neap_problem_buffer_at(first, i, &buffer);
    if (!neap_problem_find(second, buffer.name, &j)) return false;
    if (neap_plan_offset(a, i) != neap_plan_offset(b, j)) return false;
  }
  return true;
}
