/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The live-size curve: the loads of all sections (facts/load_curve), not only of the maximal ones.
 * Exclusions can split a section into too many columns to list.  Then a section's load may
 * exceed that of a maximal section that contains it, so loads are limited to the bound.
 */
#include "facts/live_bytes.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "facts/columns.h"
#include "facts/flatten.h"
#include "facts/load_curve.h"

/* Adds a step at a time after all others; false when memory is short. */
static bool add_step(struct live *live, size_t *capacity, neap_time time, neap_size bytes) {
  neap_size last = live->count > 0 ? live->steps[live->count - 1].bytes : 0;
  if (bytes == last) return true;
  if (!memory_reserve(&live->steps, capacity, live->count + 1, sizeof *live->steps))
    return false;
  live->steps[live->count++] = (struct live_step){time, bytes};
  return true;
}

/*
 * Adds the loads as steps.  An exclusion splits a section into several columns; the largest
 * counts.
 */
static bool add_steps(struct live *live, const struct sections *sections, const neap_size *load,
                      neap_size bound) {
  size_t capacity = 0;
  bool has_room = true;
  for (size_t s = 0, next; s < sections->moments && has_room; s = next) {
    neap_size most = 0;
    for (next = s;
         next < sections->moments && sections->when[next].start == sections->when[s].start;
         next++)
      if (load[next] > most) most = load[next];
    has_room = add_step(live, &capacity, sections->when[s].start, most < bound ? most : bound);
  }
  if (!has_room || sections->moments == 0) return has_room;
  return add_step(live, &capacity, sections->when[sections->moments - 1].end, 0);
}

static neap_status find_steps(struct live *live, const struct neap_problem *problem,
                              neap_size bound, neap_error *error) {
  struct sections sections;
  struct pair_rules rules = {0};
  neap_status status = columns_init(&sections, problem, SECTIONS_EVERY, error);
  if (status != NEAP_OK) return status;
  neap_size *load = memory_array(sections.count + 1, sizeof *load);
  status = load ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK && problem->relations) status = pair_rules_init(&rules, problem, error);
  if (status == NEAP_OK) status = loads_find(problem, &rules, &sections, load, error);
  if (status == NEAP_OK && !add_steps(live, &sections, load, bound))
    status = error_memory(error);
  pair_rules_clear(&rules);
  free(load);
  sections_clear(&sections);
  return status;
}

neap_status live_init(struct live *live, const struct neap_problem *problem,
                      neap_error *error) {
  neap_problem *flat = NULL;
  neap_bound bound = NEAP_INIT(neap_bound);
  *live = (struct live){0};
  neap_status status = neap_problem_bound(problem, &bound, error);
  if (status == NEAP_OK) status = flatten_init(&flat, problem, error);
  if (status == NEAP_OK) status = find_steps(live, flat ? flat : problem, bound.bytes, error);
  neap_problem_free(flat);
  if (status != NEAP_OK) live_clear(live);
  return status;
}

neap_status live_add(struct live *live, const struct live *other, neap_error *error) {
  struct live sum = {0};
  size_t capacity = 0, a = 0, b = 0;
  while (a < live->count || b < other->count) {
    bool takes_a =
        a < live->count && (b == other->count || live->steps[a].time <= other->steps[b].time);
    bool takes_b =
        b < other->count && (a == live->count || other->steps[b].time <= live->steps[a].time);
    neap_time time = takes_a ? live->steps[a].time : other->steps[b].time;
    a += takes_a;
    b += takes_b;
    if (!add_step(&sum, &capacity, time,
                  (a > 0 ? live->steps[a - 1].bytes : 0) +
                      (b > 0 ? other->steps[b - 1].bytes : 0))) {
      live_clear(&sum);
      return error_memory(error);
    }
  }
  live_clear(live);
  *live = sum;
  return NEAP_OK;
}

void live_clear(struct live *live) {
  free(live->steps);
  *live = (struct live){0};
}
