/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Certificates of layouts and of orders. */
#include <string.h>

#include "neap/relations.h"
#include "tests/fuzz/failing_alloc.h"
#include "tests/unit/sample.h"

/* Six buffers that fit no 43 bytes, which takes a search to show. */
static neap_status add_buffers(neap_problem *problem, neap_error *error) {
  static const neap_time starts[] = {2, 5, 4, 5, 4, 8}, ends[] = {8, 8, 7, 9, 5, 10};
  static const neap_size sizes[] = {2, 10, 12, 16, 10, 14},
                         alignments[] = {16, 2, 16, 16, 1, 4};
  const neap_arrays arrays = {
      sizeof(neap_arrays), SAMPLE_COUNT(sizes), starts, ends, sizes, alignments, NULL};
  return neap_problem_add_arrays(problem, &arrays, error);
}

static neap_status certify(const neap_problem *problem, const neap_plan *plan,
                           neap_size capacity, uint64_t *fingerprint, neap_error *error) {
  const neap_certifying how = {.struct_size = sizeof(neap_certifying), .capacity = capacity};
  neap_certificate *certificate = NULL;
  neap_status status = neap_certify(problem, plan, &how, &certificate, error);
  if (status == NEAP_OK)
    for (const char *at = neap_certificate_text(certificate); *at; at++)
      fingerprint_number(fingerprint, (unsigned char)*at);
  neap_certificate_free(certificate);
  return status;
}

neap_status certify_layout(const struct fixture *fixture, uint64_t *fingerprint,
                           neap_error *error) {
  neap_problem *problem = neap_problem_new();
  (void)fixture;
  if (!problem) return no_memory(error);
  neap_status status = add_buffers(problem, error);
  if (status == NEAP_OK) status = certify(problem, NULL, 43, fingerprint, error);
  neap_problem_free(problem);
  return status;
}

neap_status certify_plan(const struct fixture *fixture, uint64_t *fingerprint,
                         neap_error *error) {
  neap_plan *plan = NULL;
  neap_status status = neap_solve(fixture->problem, NULL, &plan, error);
  if (status == NEAP_OK) status = certify(fixture->problem, plan, 0, fingerprint, error);
  neap_plan_free(plan);
  return status;
}

/* Two buffers that must share bytes to fit a pool, and pay for it. */
neap_status certify_terms(const struct fixture *fixture, uint64_t *fingerprint,
                          neap_error *error) {
  static const neap_time starts[] = {0, 1}, ends[] = {1, 2};
  static const neap_size sizes[] = {4, 4};
  const neap_arrays arrays = {sizeof(neap_arrays), 2, starts, ends, sizes, NULL, NULL};
  const neap_relation penalty = {.struct_size = sizeof(neap_relation),
                                 .kind = NEAP_REUSE_PENALTY,
                                 .first = 0,
                                 .second = 1,
                                 .bytes = 3};
  const neap_pool pool = {.struct_size = sizeof(neap_pool),
                          .name = "sram",
                          .capacity = 7,
                          .alignment = 1,
                          .cost = -1};
  neap_problem *problem = neap_problem_new();
  neap_plan *plan = NULL;
  (void)fixture;
  if (!problem) return no_memory(error);
  neap_status status = neap_problem_add_pool(problem, &pool, error);
  if (status == NEAP_OK) status = neap_problem_add_arrays(problem, &arrays, error);
  if (status == NEAP_OK) status = neap_problem_relate(problem, &penalty, error);
  if (status == NEAP_OK) status = neap_solve(problem, NULL, &plan, error);
  if (status == NEAP_OK) status = certify(problem, plan, 0, fingerprint, error);
  neap_plan_free(plan);
  neap_problem_free(problem);
  return status;
}

neap_status certify_order(const struct fixture *fixture, uint64_t *fingerprint,
                          neap_error *error) {
  const neap_reading reading = {
      .struct_size = sizeof(neap_reading),
      .scheduling = {.schedule = NEAP_SCHEDULE_OPTIMAL, .max_ticks = 100000}};
  neap_problem *problem = NULL;
  neap_plan *plan = NULL;
  (void)fixture;
  neap_status status = neap_problem_read("branches.tflite", &reading, &problem, error);
  if (status == NEAP_OK) status = neap_solve(problem, NULL, &plan, error);
  if (status == NEAP_OK) status = certify(problem, plan, 0, fingerprint, error);
  neap_plan_free(plan);
  neap_problem_free(problem);
  return status;
}
