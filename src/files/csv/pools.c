/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/csv/problem.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"

#define SEPARATORS " ;"

/* Adds the pool if it is new. */
static neap_status find_pool(const char *name, size_t length, neap_problem *problem,
                             size_t *index, neap_error *error) {
  neap_pool pool = NEAP_POOL_INIT;
  char *text = memory_text(name, length);
  if (!text) return error_memory(error);
  pool.name = text;
  neap_status status = NEAP_OK;
  if (!neap_problem_find_pool(problem, text, index)) {
    *index = problem_pool_count(problem);
    status = neap_problem_add_pool(problem, &pool, error);
  }
  free(text);
  return status;
}

static neap_status append_pool(struct csv_pools *pools, size_t index, neap_error *error) {
  if (!memory_reserve(&pools->indices, &pools->capacity, pools->count + 1,
                      sizeof *pools->indices))
    return error_memory(error);
  pools->indices[pools->count++] = index;
  return NEAP_OK;
}

/* Appends all pools that the field names. */
static neap_status append_field(struct csv_pools *pools, const struct csv *csv, size_t field,
                                neap_problem *problem, neap_error *error) {
  const struct csv_field *names = &csv->fields[field];
  neap_status status = NEAP_OK;
  const char *at = names->text + strspn(names->text, SEPARATORS);
  while (*at && status == NEAP_OK) {
    size_t length = strcspn(at, SEPARATORS), index = 0;
    status = find_pool(at, length, problem, &index, error);
    if (status == NEAP_OK) status = append_pool(pools, index, error);
    at += length + strspn(at + length, SEPARATORS);
  }
  if (status != NEAP_ERROR_INPUT || !error) return status;
  error->line = csv->line;
  error->column = names->column;
  return status;
}

neap_status csv_pools_read(struct csv_pools *pools, const struct csv *csv, size_t field,
                           neap_problem *problem, neap_error *error) {
  pools->count = 0;
  neap_status status = append_field(pools, csv, field, problem, error);
  if (status != NEAP_OK || pools->count > 0) return status;
  return csv_blame(csv, field, error, "expected names of pools, found only separators");
}

neap_status csv_pools_read_placed(struct csv_pools *pools, const struct csv *csv, size_t field,
                                  neap_problem *problem, neap_error *error) {
  size_t before = pools->count;
  neap_status status = append_field(pools, csv, field, problem, error);
  size_t found = pools->count - before;
  if (status != NEAP_OK || (before == problem->count && found == 1)) return status;
  if (pools->count == 0) return NEAP_OK;
  if (found != 1)
    return csv_blame(csv, field, error, "expected one pool, in which the plan has the buffer");
  return csv_blame(csv, field, error, "the buffers before this one have no pool");
}

void csv_pools_append(const neap_problem *problem, const size_t *indices, size_t count,
                      struct row *row) {
  struct row names = {0};
  for (size_t i = 0; i < count; i++) {
    neap_pool pool = NEAP_POOL_INIT;
    neap_problem_pool_at(problem, indices[i], &pool);
    if (i > 0) row_char(&names, ' ');
    row_string(&names, pool.name);
  }
  row_char(&names, '\0');
  row->failed = row->failed || names.failed;
  if (!row->failed) row_csv(row, names.text);
  row_clear(&names);
}

static neap_status refuse(const neap_problem *problem, size_t index, const char *why,
                          neap_error *error) {
  neap_pool pool = NEAP_INIT(neap_pool);
  char excerpt[TEXT_EXCERPT];
  neap_problem_pool_at(problem, index, &pool);
  return error_set(error, NEAP_ERROR_FORMAT, "CSV cannot hold pool %s: %s; use .json",
                   text_excerpt(excerpt, pool.name, strlen(pool.name)), why);
}

/* Checks that the buffers' lists name all pools, and in the order of the problem. */
static neap_status check_order(const neap_problem *problem, neap_error *error) {
  const struct relations *relations = problem->relations;
  size_t known = 0, count = problem_pool_count(problem);
  for (size_t i = 0; i < relations->pool_list_count; i++) {
    size_t pool = relations->pool_lists[i];
    if (pool > known) return refuse(problem, known, "buffers name another pool first", error);
    known += pool == known;
  }
  return known < count ? refuse(problem, known, "no buffer names it", error) : NEAP_OK;
}

neap_status csv_pools_check(const neap_problem *problem, bool is_plan, neap_error *error) {
  neap_pool pool = NEAP_INIT(neap_pool);
  for (size_t i = 0; neap_problem_pool_at(problem, i, &pool); i++) {
    if (pool.name[strcspn(pool.name, SEPARATORS)])
      return refuse(problem, i, "its name has a separator in it", error);
    neap_status status = csv_check_text(pool.name, "name", pool.name, error);
    if (status != NEAP_OK) return status;
  }
  return is_plan || problem_pool_count(problem) == 0 ? NEAP_OK : check_order(problem, error);
}
