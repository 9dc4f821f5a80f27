/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/kind.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"

static const struct kind kinds[] = {
    {{"perfect", "a rectangle cut at random into pieces, a third of the cuts pinwheels; the "
                 "optimum equals the bound and leaves no gaps"},
     perfect_fill},
    {{"sheet", "as perfect, but cut from a sheet of only 1000 moments, at each of which many "
               "buffers begin and end"},
     sheet_fill},
    {{"random",
      "uniformly distributed sizes and lifetimes, about twenty buffers alive at a time"},
     uniform_fill},
    {{"chain", "a network of layers in sequence; a quarter of them are read again later"},
     chain_fill},
    {{"branch", "a network of blocks, each with several branches that join again"},
     branch_fill},
    {{"trace", "the trace of a heap, with heavy-tailed sizes and lifetimes"}, trace_fill},
    {{"related", "as random, with a separation per 100 buffers and a colocation per 500"},
     related_fill},
};

const struct kind *kind_at(size_t index) {
  return index < sizeof kinds / sizeof kinds[0] ? &kinds[index] : NULL;
}

bool neap_kind_at(size_t index, neap_kind_info *info) {
  const struct kind *kind = kind_at(index);
  if (kind) *info = kind->info;
  return kind != NULL;
}

/* ---------------------------------------------------------------- helpers of kinds */

neap_status kind_add(neap_problem *problem, neap_time start, neap_time end, neap_size size,
                     neap_error *error) {
  char name[32];
  snprintf(name, sizeof name, "b%zu", problem->count);
  neap_buffer buffer = NEAP_BUFFER_INIT;
  neap_range range = {start, end};
  buffer.name = name;
  buffer.size = size;
  buffer.ranges = &range;
  buffer.range_count = 1;
  return neap_problem_add(problem, &buffer, error);
}

int64_t kind_between(struct random *random, int64_t low, int64_t high) {
  return low + (int64_t)random_below(random, (uint32_t)(high - low + 1));
}

bool kind_chance(struct random *random, uint32_t times) {
  return random_below(random, times) == 0;
}

int64_t kind_heavy(struct random *random, int64_t least, int most) {
  int64_t value = least;
  for (int i = 0; i < most && kind_chance(random, 2); i++)
    value *= 2;
  /* Uniform over value .. 2 value - 1, in as many steps as a random number has. */
  return value + value * (int64_t)random_below(random, 1u << 20) / (1 << 20);
}

/* ---------------------------------------------------------------- making */

static const struct kind *find_kind(const char *name) {
  const struct kind *kind;
  for (size_t i = 0; (kind = kind_at(i)) != NULL; i++)
    if (strcmp(kind->info.name, name) == 0) return kind;
  return NULL;
}

static neap_status refuse_kind(const char *name, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  error_set(error, NEAP_ERROR_ARGUMENT, "unknown kind %s; use one of",
            text_excerpt(excerpt, name, strlen(name)));
  for (size_t i = 0; kind_at(i); i++)
    error_append(error, i > 0 ? ", " : " ", kind_at(i)->info.name);
  return NEAP_ERROR_ARGUMENT;
}

static neap_status fill_problem(const struct kind *kind, neap_problem *problem, size_t count,
                                uint64_t seed, neap_error *error) {
  struct random random;
  if (!random_init(&random, seed)) return error_memory(error);
  neap_status status = kind->fill(problem, count, &random, error);
  random_clear(&random);
  return status;
}

neap_status neap_problem_generate(const char *name, size_t count, uint64_t seed,
                                  neap_problem **problem, neap_error *error) {
  const struct kind *kind = find_kind(name);
  if (!kind) return refuse_kind(name, error);
  if (count < 1 || count > NEAP_GENERATED_MAX)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "expected 1 to %d buffers to generate, found %zu", NEAP_GENERATED_MAX,
                     count);
  neap_problem *made = neap_problem_new();
  if (!made) return error_memory(error);
  neap_status status = fill_problem(kind, made, count, seed, error);
  if (status == NEAP_OK) *problem = made;
  else neap_problem_free(made);
  return status;
}
