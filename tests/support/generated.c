/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/generated.h"

#include "neap-tool.h"

neap_problem *sample_generate(const char *kind, size_t count, uint64_t seed) {
  neap_problem *problem = NULL;
  neap_error error;
  assert_ok(neap_problem_generate(kind, count, seed, &problem, &error), &error);
  return problem;
}
