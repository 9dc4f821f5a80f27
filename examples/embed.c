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

/* Prints what went wrong, and returns the exit status for it. */
static int fail(const neap_error *error) {
  fprintf(stderr, "embed: %s: %s\n", neap_status_name(error->status), error->text);
  return 1;
}

static neap_status add(neap_problem *problem, const char *name, neap_size size, neap_time start,
                       neap_time end, neap_error *error) {
  neap_range range = {start, end};
  neap_buffer buffer = NEAP_BUFFER_INIT;
  buffer.name = name;
  buffer.size = size;
  buffer.alignment = 16;
  buffer.ranges = &range;
  buffer.range_count = 1;
  return neap_problem_add(problem, &buffer, error);
}

int main(void) {
  neap_error error = {NEAP_ERROR_MEMORY, 0, 0, "", "out of memory"};
  neap_problem *problem = neap_problem_new();
  neap_plan *plan = NULL;
  if (!problem) return fail(&error);
  neap_status status = add(problem, "image", 150528, 0, 2, &error);
  if (status == NEAP_OK) status = add(problem, "features", 401408, 1, 3, &error);
  if (status == NEAP_OK) status = add(problem, "scores", 1000, 2, 4, &error);
  if (status == NEAP_OK) status = neap_solve(problem, NULL, &plan, &error);
  for (size_t i = 0; status == NEAP_OK && i < neap_problem_count(problem); i++) {
    neap_buffer buffer;
    neap_problem_get(problem, i, &buffer);
    printf("%-10s %8" PRId64 "\n", buffer.name, neap_plan_offset(plan, i));
  }
  neap_plan_free(plan);
  neap_problem_free(problem);
  return status == NEAP_OK ? 0 : fail(&error);
}
