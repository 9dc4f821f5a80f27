/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds a moment at which the buffers alive need `target` bytes. doc/certificate.md defines
 * that need and proves it.  Where relations let buffers share bytes, the bytes that are counted
 * more than once are subtracted.  Sizes are in bytes, times in the problem's own unit.
 */
#include "certify/reasons.h"

#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "facts/bodies.h"
#include "facts/load_curve.h"
#include "facts/pair_rules.h"

bool load_has(const struct neap_problem *problem, size_t buffer, neap_time moment) {
  return problem->buffers[buffer].size > 0 &&
         problem_lives_during(problem, buffer, (neap_range){moment, moment + 1});
}

/* ---------------------------------------------------------------- sharing */

/* The relations that let buffers alive together share bytes. */
struct sharing {
  const struct neap_problem *problem;
  struct bodies bodies;
  struct pair_rules rules;
  bool *alive;         /* per buffer */
  neap_size *left;     /* per buffer: bytes that it may still share */
  neap_range *extents; /* of the members of one body */
  bool has_both;       /* some member of a body also has a gap */
};

static void sharing_clear(struct sharing *sharing) {
  bodies_clear(&sharing->bodies);
  pair_rules_clear(&sharing->rules);
  free(sharing->alive);
  free(sharing->left);
  free(sharing->extents);
}

static neap_status sharing_init(struct sharing *sharing, const struct neap_problem *problem,
                                neap_error *error) {
  *sharing = (struct sharing){.problem = problem};
  neap_status status = bodies_init(&sharing->bodies, problem, error);
  if (status == NEAP_OK) status = pair_rules_init(&sharing->rules, problem, error);
  if (status != NEAP_OK) return status;
  sharing->alive = memory_array(problem->count, sizeof *sharing->alive);
  sharing->left = memory_array(problem->count, sizeof *sharing->left);
  sharing->extents = memory_array(problem->count, sizeof *sharing->extents);
  for (size_t i = 0; i < sharing->rules.count; i++) {
    const struct pair_rule *rule = &sharing->rules.items[i];
    if (rule->has_gap && (bodies_of(&sharing->bodies, rule->first) != BODIES_NONE ||
                          bodies_of(&sharing->bodies, rule->second) != BODIES_NONE))
      sharing->has_both = true;
  }
  bool has_room = sharing->alive && sharing->left && sharing->extents;
  return has_room ? NEAP_OK : error_memory(error);
}

static bool excludes_any(const struct sharing *sharing) {
  for (size_t i = 0; i < sharing->rules.count; i++) {
    const struct pair_rule *rule = &sharing->rules.items[i];
    if (rule->is_excluded && sharing->alive[rule->first] && sharing->alive[rule->second])
      return true;
  }
  return false;
}

static int by_start(const void *left, const void *right) {
  const neap_range *a = left, *b = right;
  return (a->start > b->start) - (a->start < b->start);
}

/* The bytes that the sizes of a body's live members count more than once. */
static neap_size repeated_bytes(const struct sharing *sharing, const struct body *body) {
  size_t count = 0;
  neap_size saved = 0;
  for (size_t m = body->begin; m < body->end; m++) {
    size_t member = sharing->bodies.members[m];
    neap_offset low = sharing->bodies.inner[member];
    neap_size size = sharing->problem->buffers[member].size;
    if (sharing->alive[member]) sharing->extents[count++] = (neap_range){low, low + size};
  }
  if (count > 0) qsort(sharing->extents, count, sizeof *sharing->extents, by_start);
  neap_offset top = 0;
  for (size_t i = 0; i < count; i++) {
    neap_range bytes = sharing->extents[i];
    if (bytes.start < top) saved += (bytes.end < top ? bytes.end : top) - bytes.start;
    if (bytes.end > top) top = bytes.end;
    assert(bytes.start <= bytes.end && saved >= 0);
  }
  return saved;
}

/*
 * The buffer of a pair that is "let in": the output of its allowance, or the input.  If both may
 * be the output, the first one is, as in the certificate.
 */
static size_t let_in(const struct pair_rule *rule, bool outputs) {
  return rule->first_may_be_output == outputs ? rule->first : rule->second;
}

/*
 * The sum, over all outputs or all inputs, of the bytes that their pairs can share, at most the
 * size of each.
 */
static neap_size shared_bytes(const struct sharing *sharing, bool outputs) {
  const struct buffer *buffers = sharing->problem->buffers;
  neap_size sum = 0;
  for (size_t i = 0; i < sharing->problem->count; i++)
    sharing->left[i] = buffers[i].size;
  for (size_t i = 0; i < sharing->rules.count; i++) {
    const struct pair_rule *rule = &sharing->rules.items[i];
    if (!rule->has_gap || !sharing->alive[rule->first] || !sharing->alive[rule->second])
      continue;
    neap_size bytes =
        pair_rule_saving(rule, buffers[rule->first].size, buffers[rule->second].size);
    neap_size *left = &sharing->left[let_in(rule, outputs)];
    if (bytes > *left) bytes = *left;
    assert(bytes >= 0);
    *left -= bytes;
    sum += bytes;
  }
  return sum;
}

/*
 * The bytes that the buffers alive need, whose sizes add up to `sum`; 0 if this reason does not
 * apply.
 */
static neap_size need_at(struct sharing *sharing, neap_time moment, neap_size sum) {
  for (size_t i = 0; i < sharing->problem->count; i++)
    sharing->alive[i] = load_has(sharing->problem, i, moment);
  if (sharing->has_both || excludes_any(sharing)) return 0;
  for (size_t b = 0; b < sharing->bodies.count; b++)
    sum -= repeated_bytes(sharing, &sharing->bodies.items[b]);
  if (sharing->rules.gap_count == 0) return sum;
  neap_size outputs = shared_bytes(sharing, true), inputs = shared_bytes(sharing, false);
  return sum - (outputs < inputs ? outputs : inputs);
}

/* ---------------------------------------------------------------- the first moment */

/* `sharing` is NULL if no bytes are shared. */
static void find_first(const struct sections *sections, const neap_size *load,
                       struct sharing *sharing, neap_size target, neap_time *moment,
                       neap_size *need) {
  for (size_t s = 0; s < sections->count && *need == 0; s++) {
    if (load[s] < target) continue;
    neap_size needed = sharing ? need_at(sharing, sections->when[s].start, load[s]) : load[s];
    if (needed < target) continue;
    *moment = sections->when[s].start;
    *need = needed;
  }
}

neap_status load_find(const struct neap_problem *problem, neap_size target, neap_time *moment,
                      neap_size *need, neap_error *error) {
  assert(target > 0);
  struct sections sections;
  struct sharing sharing = {0};
  *need = 0;
  neap_status status = sections_divide(&sections, problem, SECTIONS_EVERY, error);
  if (status != NEAP_OK) return status;
  neap_size *load = memory_array(sections.count + 1, sizeof *load);
  bool is_shared = problem_has(problem, RELATION_SHARES);
  if (!load) status = error_memory(error);
  else if (is_shared) status = sharing_init(&sharing, problem, error);
  if (status == NEAP_OK) {
    loads_sum(problem->buffers, problem->count, &sections, NULL, NULL, load);
    find_first(&sections, load, is_shared ? &sharing : NULL, target, moment, need);
  }
  sharing_clear(&sharing);
  sections_clear(&sections);
  free(load);
  return status;
}
