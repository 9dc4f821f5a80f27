/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads constraints and costs. */
#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "formats/dsa/names.h"
#include "formats/dsa/reader.h"
#include "formats/row.h"

/* ---------------------------------------------------------------- classes of colocated buffers */

size_t reader_class(struct reader *reader, size_t index) {
  struct draft *drafts = reader->drafts;
  while (drafts[index].class != index) {
    drafts[index].class = drafts[drafts[index].class].class;
    index = drafts[index].class;
  }
  return index;
}

static void join(struct reader *reader, size_t first, size_t second) {
  struct draft *drafts = reader->drafts;
  first = reader_class(reader, first);
  second = reader_class(reader, second);
  if (drafts[second].extent > drafts[first].extent)
    drafts[first].extent = drafts[second].extent;
  drafts[second].class = first;
}

/* ---------------------------------------------------------------- pairs */

/* Reads the two buffers of a relation. */
static neap_status read_pair(struct reader *reader, const struct json_at *at,
                             neap_relation *relation, neap_error *error) {
  struct json_at first = json_member(at, "first"), second = json_member(at, "second");
  neap_status status = reader_find(reader, &reader->buffers, &first, &relation->first, error);
  if (status == NEAP_OK)
    status = reader_find(reader, &reader->buffers, &second, &relation->second, error);
  return status;
}

static bool is_colocated(struct reader *reader, const neap_relation *relation) {
  return reader_class(reader, relation->first) == reader_class(reader, relation->second);
}

static neap_status add(struct reader *reader, const struct json_at *at,
                       const neap_relation *relation, neap_error *error) {
  neap_status status = neap_problem_relate(reader->problem, relation, error);
  return reader_within(at, status, error);
}

/* Reads one element of a list of relations, and adds it. */
typedef neap_status read_item(struct reader *reader, const struct json_at *at,
                              neap_error *error);

static neap_status read_list(struct reader *reader, const struct json_at *object,
                             const char *key, read_item *read, neap_error *error) {
  struct json_at list;
  size_t count;
  neap_status status = reader_array(object, key, &list, &count, error);
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    struct json_at item = json_element(&list, i);
    status = read(reader, &item, error);
  }
  return status;
}

/* ---------------------------------------------------------------- pins and colocations */

static neap_status read_pin(struct reader *reader, const struct json_at *at,
                            neap_error *error) {
  static const char *const keys[] = {"buffer", "pool", "offset", "exclusive_for_all_time",
                                     NULL};
  struct json_at buffer = json_member(at, "buffer"), pool = json_member(at, "pool");
  struct json_at exclusive = json_member(at, "exclusive_for_all_time");
  size_t index = 0;
  neap_status status = json_read_object(at, keys, error);
  if (status == NEAP_OK) status = reader_find(reader, &reader->buffers, &buffer, &index, error);
  if (status != NEAP_OK) return status;
  struct draft *draft = &reader->drafts[index];
  if (draft->pinned_offset != NEAP_UNPLACED)
    return json_blame(&buffer, error, "the buffer is pinned twice");
  status = reader_find(reader, &reader->pools, &pool, &draft->pinned_pool, error);
  if (status == NEAP_OK) status = reader_number(at, "offset", 0, &draft->pinned_offset, error);
  if (status != NEAP_OK) return status;
  return json_read_boolean(&exclusive, &draft->is_exclusive, error);
}

static neap_status read_class(struct reader *reader, const struct json_at *at,
                              neap_error *error) {
  static const char *const keys[] = {"first", "second", NULL};
  neap_relation pair = {.struct_size = sizeof(neap_relation), .first = 0};
  neap_status status = json_read_object(at, keys, error);
  if (status == NEAP_OK) status = read_pair(reader, at, &pair, error);
  if (status == NEAP_OK) join(reader, pair.first, pair.second);
  return status;
}

neap_status reader_limits(struct reader *reader, const struct json_at *constraints,
                          neap_error *error) {
  static const char *const keys[] = {"colocations", "separations", "temporal_exclusions",
                                     "pinned_allocations", NULL};
  neap_status status = json_read_object(constraints, keys, error);
  if (status == NEAP_OK)
    status = read_list(reader, constraints, "pinned_allocations", read_pin, error);
  if (status == NEAP_OK)
    status = read_list(reader, constraints, "colocations", read_class, error);
  return status;
}

/* ---------------------------------------------------------------- relations */

static neap_status read_colocation(struct reader *reader, const struct json_at *at,
                                   neap_error *error) {
  neap_relation relation = {.struct_size = sizeof(neap_relation), .kind = NEAP_COLOCATION};
  neap_status status = read_pair(reader, at, &relation, error);
  if (status != NEAP_OK || relation.first == relation.second) return status;
  return add(reader, at, &relation, error);
}

/* Joins the reasons, if there are any, into a NUL-terminated text. */
static neap_status join_reasons(const struct json_at *at, struct row *row, neap_error *error) {
  struct json_at reasons = json_member(at, "reasons");
  size_t count = 0;
  neap_status status = NEAP_OK;
  if (reasons.value) status = json_read_array(&reasons, &count, error);
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    struct json_at item = json_element(&reasons, i);
    size_t reason = 0;
    status = reader_choice(&item, separation_reasons, &reason, error);
    if (i > 0) row_string(row, ", ");
    row_string(row, separation_reasons[reason]);
  }
  if (count > 0) row_char(row, '\0');
  return status == NEAP_OK && row->failed ? error_memory(error) : status;
}

static neap_status read_separation(struct reader *reader, const struct json_at *at,
                                   neap_error *error) {
  static const char *const keys[] = {"first", "second", "reasons", NULL};
  neap_relation relation = {.struct_size = sizeof(neap_relation), .kind = NEAP_SEPARATION};
  struct row reason = {0};
  neap_status status = json_read_object(at, keys, error);
  if (status == NEAP_OK) status = read_pair(reader, at, &relation, error);
  if (status == NEAP_OK) status = join_reasons(at, &reason, error);
  relation.reason = reason.text;
  if (status == NEAP_OK) status = add(reader, at, &relation, error);
  row_clear(&reason);
  return status;
}

static uint64_t pair_of(const neap_relation *relation) {
  uint64_t first = relation->first, second = relation->second;
  return first < second ? first << 32 | second : second << 32 | first;
}

static int by_pair(const void *left, const void *right) {
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}

/* Lists the separated pairs, once all separations have been added. */
static neap_status sort_separated(struct reader *reader, neap_error *error) {
  size_t count = neap_problem_relation_count(reader->problem, NEAP_SEPARATION);
  reader->separated = memory_array(count, sizeof *reader->separated);
  if (!reader->separated) return error_memory(error);
  neap_relation relation = NEAP_INIT(neap_relation);
  for (size_t i = 0; neap_problem_relation_at(reader->problem, i, &relation); i++)
    if (relation.kind == NEAP_SEPARATION)
      reader->separated[reader->separated_count++] = pair_of(&relation);
  assert(reader->separated_count == count);
  qsort(reader->separated, count, sizeof *reader->separated, by_pair);
  return NEAP_OK;
}

static bool is_separated(const struct reader *reader, const neap_relation *relation) {
  uint64_t pair = pair_of(relation);
  return bsearch(&pair, reader->separated, reader->separated_count, sizeof pair, by_pair);
}

static neap_status read_exclusion(struct reader *reader, const struct json_at *at,
                                  neap_error *error) {
  static const char *const keys[] = {"first", "second", NULL};
  neap_relation relation = {.struct_size = sizeof(neap_relation), .kind = NEAP_EXCLUSION};
  neap_status status = json_read_object(at, keys, error);
  if (status == NEAP_OK) status = read_pair(reader, at, &relation, error);
  if (status != NEAP_OK) return status;
  bool is_needless = is_separated(reader, &relation) ||
                     reader->drafts[relation.first].is_exclusive ||
                     reader->drafts[relation.second].is_exclusive ||
                     (relation.first != relation.second && is_colocated(reader, &relation));
  return is_needless ? NEAP_OK : add(reader, at, &relation, error);
}

/* "generic" says nothing. */
static neap_status read_penalty(struct reader *reader, const struct json_at *at,
                                neap_error *error) {
  static const char *const keys[] = {"first", "second", "cost", "reason", NULL};
  neap_relation relation = {.struct_size = sizeof(neap_relation), .kind = NEAP_REUSE_PENALTY};
  struct json_at reason = json_member(at, "reason");
  size_t choice = 0;
  neap_status status = json_read_object(at, keys, error);
  if (status == NEAP_OK) status = read_pair(reader, at, &relation, error);
  if (status == NEAP_OK) status = reader_number(at, "cost", 0, &relation.bytes, error);
  if (status == NEAP_OK) status = reader_choice(&reason, penalty_reasons, &choice, error);
  if (status != NEAP_OK || is_colocated(reader, &relation)) return status;
  if (choice > 0) relation.reason = penalty_reasons[choice];
  return add(reader, at, &relation, error);
}

static neap_status read_costs(struct reader *reader, const struct json_at *problem,
                              neap_error *error) {
  static const char *const keys[] = {"reuse_penalties", NULL};
  struct json_at costs = json_member(problem, "cost_model");
  if (!costs.value) return NEAP_OK;
  neap_status status = json_read_object(&costs, keys, error);
  return status == NEAP_OK ? read_list(reader, &costs, keys[0], read_penalty, error) : status;
}

neap_status reader_relations(struct reader *reader, const struct json_at *problem,
                             neap_error *error) {
  struct json_at constraints = json_member(problem, "constraints");
  neap_status status = read_list(reader, &constraints, "colocations", read_colocation, error);
  if (status == NEAP_OK)
    status = read_list(reader, &constraints, "separations", read_separation, error);
  if (status == NEAP_OK) status = sort_separated(reader, error);
  if (status == NEAP_OK)
    status = read_list(reader, &constraints, "temporal_exclusions", read_exclusion, error);
  return status == NEAP_OK ? read_costs(reader, problem, error) : status;
}
