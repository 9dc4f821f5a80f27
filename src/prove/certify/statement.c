/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints the problem as doc/certificate.md defines it: one line per buffer and pool, then the
 * moves, reserved bytes and relations.  Relations without a direction name the lower buffer first.
 * Sizes and offsets are in bytes; buffers and pools are numbered by their indexes in the problem.
 */
#include "certify/certificate.h"

#include <stdlib.h>

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

/* Prints the offsets of the earlier plan. */
static void print_moves(struct lines *lines, const struct relations *relations) {
  for (size_t i = 0; i < relations->limit_count; i++) {
    if (relations->limits[i].near_offset == NEAP_UNPLACED) continue;
    lines_word(lines, "near");
    lines_number(lines, (int64_t)i);
    lines_number(lines, relations->limits[i].near_offset);
    lines_number(lines, relations->limits[i].move_cost);
    lines_end(lines);
  }
}

/* ---------------------------------------------------------------- relations */

static void print_reserved(struct lines *lines, const struct neap_problem *problem) {
  for (size_t i = 0; i < problem->relations->reserved_count; i++) {
    const neap_reserved *hole = &problem->relations->reserved[i];
    lines_word(lines, "reserved");
    lines_number(lines, hole->low);
    lines_optional(lines, hole->high, NEAP_MAX);
    lines_number(lines, hole->when.start);
    lines_optional(lines, hole->when.end, NEAP_MAX);
    if (problem_pool_count(problem) > 0) lines_number(lines, (int64_t)hole->pool);
    lines_end(lines);
  }
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

static void print_relation(struct lines *lines, neap_relation relation) {
  lines_word(lines, neap_relation_kind_name(relation.kind));
  lines_number(lines, (int64_t)relation.first);
  lines_number(lines, (int64_t)relation.second);
  lines_number(lines, relation.bytes);
  lines_end(lines);
}

/* Prints the relations, sorted and each once; then the penalties. */
static bool print_relations(struct lines *lines, const struct neap_problem *problem) {
  size_t total = relations_total(problem->relations), count = 0;
  const neap_relation *penalty = NULL;
  neap_relation *sorted = memory_array(total, sizeof *sorted);
  if (!sorted) return false;
  for (size_t r = 0; r < total; r++) {
    neap_relation relation = relations_at(problem->relations, r);
    if (!relation_has(&relation, RELATION_PRICED)) sorted[count++] = sort_relation(relation);
  }
  if (count > 0) qsort(sorted, count, sizeof *sorted, by_relation);
  for (size_t r = 0; r < count; r++)
    if (r == 0 || by_relation(&sorted[r - 1], &sorted[r]) != 0)
      print_relation(lines, sorted[r]);
  while ((penalty = problem_next_relation(problem, RELATION_PRICED, penalty)))
    print_relation(lines, sort_relation(*penalty));
  free(sorted);
  return true;
}

bool statement_print(struct lines *lines, const struct certify_task *task) {
  for (size_t i = 0; i < task->problem->count; i++)
    print_buffer(lines, task, i);
  if (!task->problem->relations) return true;
  print_pools(lines, task);
  print_moves(lines, task->problem->relations);
  print_reserved(lines, task->problem);
  return print_relations(lines, task->problem);
}
