/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints the problem as doc/certificate.md defines it: one line per buffer and pool, then the
 * relations.  There is exactly one correct form: lines of a kind are sorted and unique, relations
 * without a direction name the lower buffer first, and soft terms are summed per pair, so that a
 * changed certificate can only be valid if it states another problem.
 *
 * O(n log n).  Sizes and offsets are in bytes; buffers and pools are numbered by their indexes in
 * the problem.  Invariant: equal problems, up to the order of their relations, print equal lines.
 */
#include "certify/statement.h"

#include <stdlib.h>

#include "certify/soft_terms.h"
#include "core/error.h"
#include "core/memory.h"
#include "facts/spill.h"
#include "model/groups.h"
#include "plan/plan.h"

/* ---------------------------------------------------------------- buffers and pools */

static void print_buffer(struct lines *lines, const struct certify_task *task, size_t index) {
  const struct neap_problem *problem = task->problem;
  const struct buffer *buffer = &problem->buffers[index];
  const struct limits *limits = problem_limits(problem, index);
  lines_word(lines, "buffer");
  lines_string(lines, problem_name(problem, index));
  lines_number(lines, buffer->size);
  lines_number(lines, buffer->alignment);
  lines_optional(lines, buffer->fixed_offset, NEAP_UNPLACED);
  lines_number(lines, limits->window_low);
  lines_optional(lines, limits->window_high, NEAP_MAX);
  lines_optional(lines, limits->bank, 0);
  lines_optional(lines, task->plan ? task->plan->offsets[index] : NEAP_UNPLACED, NEAP_UNPLACED);
  for (size_t r = problem_ranges_begin(problem, index); r < buffer->ranges_end; r++) {
    lines_number(lines, problem->ranges[r].start);
    lines_number(lines, problem->ranges[r].end);
  }
  lines_end(lines);
}

static void print_choices(struct lines *lines, const struct certify_task *task, size_t index) {
  lines_word(lines, "in");
  lines_number(lines, (int64_t)index);
  lines_optional(lines, task->plan ? (int64_t)neap_plan_pool(task->plan, index) : -1, -1);
  for (size_t c = 0; c < spill_choice_count(task->problem, index); c++)
    lines_number(lines, (int64_t)spill_choice(task->problem, index, c));
  lines_end(lines);
}

static void print_pools(struct lines *lines, const struct certify_task *task) {
  neap_pool pool = NEAP_INIT(neap_pool);
  for (size_t p = 0; neap_problem_pool_at(task->problem, p, &pool); p++) {
    lines_word(lines, "pool");
    lines_string(lines, pool.name);
    lines_optional(lines, pool.capacity, -1);
    lines_number(lines, pool.alignment);
    lines_optional(lines, pool.cost, -1);
    lines_end(lines);
  }
  for (size_t i = 0; problem_pool_count(task->problem) > 0 && i < task->problem->count; i++)
    print_choices(lines, task, i);
}

/* Prints the soft terms of one kind, sorted; the penalties of one pair are summed. */
static bool print_soft(struct lines *lines, const struct neap_problem *problem, neap_term kind,
                       const char *word) {
  struct soft_terms terms;
  if (!soft_terms_init(&terms, problem, kind)) return false;
  for (size_t t = 0; t < terms.count; t++) {
    lines_word(lines, word);
    lines_number(lines, (int64_t)terms.items[t].first);
    lines_number(lines, terms.items[t].second);
    lines_number(lines, terms.items[t].cost);
    lines_end(lines);
  }
  soft_terms_clear(&terms);
  return true;
}

/* ---------------------------------------------------------------- relations */

static int by_reserved(const void *left, const void *right) {
  const neap_reserved *a = left, *b = right;
  const int64_t first[] = {a->low, a->high, a->when.start, a->when.end, (int64_t)a->pool};
  const int64_t second[] = {b->low, b->high, b->when.start, b->when.end, (int64_t)b->pool};
  for (size_t i = 0; i < 5; i++)
    if (first[i] != second[i]) return first[i] < second[i] ? -1 : 1;
  return 0;
}

/* Prints the reserved ranges, sorted and each once. */
static bool print_reserved(struct lines *lines, const struct neap_problem *problem) {
  const struct relations *relations = problem->relations;
  size_t count = relations->reserved_count;
  neap_reserved *sorted = memory_array(count, sizeof *sorted);
  if (!sorted) return false;
  for (size_t i = 0; i < count; i++)
    sorted[i] = relations->reserved[i];
  if (count > 0) qsort(sorted, count, sizeof *sorted, by_reserved);
  for (size_t i = 0; i < count; i++) {
    if (i > 0 && by_reserved(&sorted[i - 1], &sorted[i]) == 0) continue;
    lines_word(lines, "reserved");
    lines_number(lines, sorted[i].low);
    lines_optional(lines, sorted[i].high, NEAP_MAX);
    lines_number(lines, sorted[i].when.start);
    lines_optional(lines, sorted[i].when.end, NEAP_MAX);
    if (problem_pool_count(problem) > 0) lines_number(lines, (int64_t)sorted[i].pool);
    lines_end(lines);
  }
  free(sorted);
  return true;
}

static int by_relation(const void *left, const void *right) {
  const neap_relation *a = left, *b = right;
  const int64_t first[] = {a->kind, (int64_t)a->first, (int64_t)a->second, a->bytes};
  const int64_t second[] = {b->kind, (int64_t)b->first, (int64_t)b->second, b->bytes};
  for (size_t i = 0; i < 4; i++)
    if (first[i] != second[i]) return first[i] < second[i] ? -1 : 1;
  return 0;
}

/* Puts the buffers of a relation without a direction in ascending order. */
static neap_relation sort_relation(neap_relation relation) {
  enum relation_symmetry symmetry = relation_kinds[relation.kind].symmetry;
  if (relation.first < relation.second || symmetry == RELATION_DIRECTED) return relation;
  size_t first = relation.first;
  relation.first = relation.second;
  relation.second = first;
  if (symmetry == RELATION_MIRRORED) relation.bytes = -relation.bytes;
  return relation;
}

/* Prints the relations, sorted and each once. */
static bool print_relations(struct lines *lines, const struct neap_problem *problem) {
  const struct relations *relations = problem->relations;
  neap_relation *sorted = memory_array(relations_total(relations), sizeof *sorted);
  size_t count = 0;
  if (!sorted) return false;
  for (size_t r = 0; r < relations_total(relations); r++) {
    neap_relation relation = relations_at(relations, r);
    if (!relation_has(&relation, RELATION_PRICED)) sorted[count++] = sort_relation(relation);
  }
  if (count > 0) qsort(sorted, count, sizeof *sorted, by_relation);
  for (size_t r = 0; r < count; r++) {
    if (r > 0 && by_relation(&sorted[r - 1], &sorted[r]) == 0) continue;
    lines_word(lines, neap_relation_kind_name(sorted[r].kind));
    lines_number(lines, (int64_t)sorted[r].first);
    lines_number(lines, (int64_t)sorted[r].second);
    lines_number(lines, sorted[r].bytes);
    lines_end(lines);
  }
  free(sorted);
  return true;
}

neap_status statement_print(struct lines *lines, const struct certify_task *task,
                            neap_error *error) {
  for (size_t i = 0; i < task->problem->count; i++)
    print_buffer(lines, task, i);
  if (!task->problem->relations) return NEAP_OK;
  print_pools(lines, task);
  bool done = print_soft(lines, task->problem, NEAP_TERM_MOVED, "near") &&
              print_reserved(lines, task->problem) && print_relations(lines, task->problem) &&
              print_soft(lines, task->problem, NEAP_TERM_REUSE,
                         neap_relation_kind_name(NEAP_REUSE_PENALTY));
  return done ? NEAP_OK : error_memory(error);
}
