/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Planning from a program: three tensors of a small network, planned and verified through the
 * installed library.
 *
 *     cc embed.c $(pkg-config --cflags --libs neap) -o embed && ./embed
 */
#include <inttypes.h>
#include <neap/neap.h>
#include <stdio.h>

int main(void) {
  neap_error error = NEAP_ERROR_INIT;
  neap_problem *problem = neap_problem_new();
  neap_plan *plan = NULL;
  bool is_planned =
      problem && neap_problem_add_simple(problem, "image", 150528, 0, 2, &error) == NEAP_OK &&
      neap_problem_add_simple(problem, "features", 401408, 1, 3, &error) == NEAP_OK &&
      neap_problem_add_simple(problem, "scores", 1000, 2, 4, &error) == NEAP_OK &&
      neap_problem_align(problem, 16, 1, &error) == NEAP_OK &&
      neap_solve(problem, NULL, &plan, &error) == NEAP_OK;
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  for (size_t i = 0; is_planned && neap_problem_buffer_at(problem, i, &buffer); i++)
    printf("%-10s %8" PRId64 "\n", buffer.name, neap_plan_offset(plan, i));
  if (!is_planned)
    fprintf(stderr, "embed: %s: %s\n", neap_status_name(error.status), error.text);
  neap_plan_free(plan);
  neap_problem_free(problem);
  return is_planned ? 0 : 1;
}
