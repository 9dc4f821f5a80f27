/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explanations of problems that do not fit. */
#include "tests/fuzz/failing_alloc.h"
#include "tests/unit/sample.h"

/* Three buffers whose sizes suffice for 280 bytes, but whose alignments do not. */
static neap_status add_aligned(neap_problem *problem, neap_error *error) {
  static const neap_time starts[] = {3, 2, 4}, ends[] = {6, 5, 7};
  static const neap_size sizes[] = {120, 90, 64}, alignments[] = {64, 64, 1};
  const neap_arrays arrays = {
      sizeof(neap_arrays), SAMPLE_COUNT(sizes), starts, ends, sizes, alignments, NULL};
  return neap_problem_add_arrays(problem, &arrays, error);
}

static void note(const neap_explanation *explanation, uint64_t *fingerprint) {
  neap_explanation_report report = NEAP_INIT(neap_explanation_report);
  neap_fix fix = NEAP_INIT(neap_fix);
  size_t buffer;
  neap_explanation_get_report(explanation, &report);
  fingerprint_number(fingerprint, (uint64_t)report.verdict);
  fingerprint_number(fingerprint, (uint64_t)report.required);
  for (size_t i = 0; neap_explanation_core_at(explanation, i, &buffer); i++)
    fingerprint_number(fingerprint, buffer);
  for (size_t i = 0; neap_explanation_fix_at(explanation, i, &fix); i++)
    fingerprint_number(fingerprint, (uint64_t)fix.cost);
}

static neap_status explain(neap_problem *problem, const char *capacity,
                           const neap_explaining *explaining, uint64_t *fingerprint,
                           neap_error *error) {
  neap_options *options = neap_options_new();
  neap_explanation *explanation = NULL;
  if (!options) return no_memory(error);
  neap_status status = neap_options_set(options, "capacity", capacity, error);
  if (status == NEAP_OK) status = neap_options_set(options, "max-ticks", "1000000", error);
  if (status == NEAP_OK)
    status = neap_explain(problem, options, explaining, &explanation, error);
  if (status == NEAP_OK) note(explanation, fingerprint);
  neap_explanation_free(explanation);
  neap_options_free(options);
  return status;
}

neap_status explain_set(const struct fixture *fixture, uint64_t *fingerprint,
                        neap_error *error) {
  const neap_explaining explaining = {.struct_size = sizeof(neap_explaining), .no_fixes = true};
  neap_problem *problem = neap_problem_new();
  (void)fixture;
  if (!problem) return no_memory(error);
  neap_status status = add_aligned(problem, error);
  if (status == NEAP_OK) status = explain(problem, "280", &explaining, fingerprint, error);
  neap_problem_free(problem);
  return status;
}

neap_status explain_sum(const struct fixture *fixture, uint64_t *fingerprint,
                        neap_error *error) {
  const neap_explaining explaining = {.struct_size = sizeof(neap_explaining), .fixes = 1};
  neap_problem *problem = neap_problem_new();
  (void)fixture;
  if (!problem) return no_memory(error);
  neap_status status = neap_problem_add_simple(problem, "a", 10, 0, 2, error);
  if (status == NEAP_OK) status = neap_problem_add_simple(problem, "b", 20, 1, 3, error);
  if (status == NEAP_OK) status = explain(problem, "25", &explaining, fingerprint, error);
  neap_problem_free(problem);
  return status;
}
