/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two buffers with an overlap allowance can be arranged in two ways, and each way needs a
 * certain height:
 *
 *        in                              out            d: the allowance
 *      +--------+                      +--------+
 *      |   out  |   d + in bytes       |        |       in + out bytes
 *      | +--------+                    +--------+
 *      + |        |                    |   in   |
 *     d  +--------+                    +--------+
 *
 * Below some height only one way is possible.  Then the offsets in a chain of operators rise
 * like stairs, each at least d above the next: eight layers of 8,000 bytes with allowances of
 * 223 need 9,561 bytes.  The least height in which all stairs fit is found by bisection,
 * because a greater height forces fewer pairs.
 *
 * Both offsets are multiples of the common divisor of the alignments, and so is their
 * difference.
 */
#include "facts/bound.h"

#include <assert.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"

/*
 * Two buffers that are alive together, and the least difference of their offsets in each order.
 */
struct step {
  uint32_t first, second;
  neap_size first_below, second_below;
};

struct stairs {
  const struct neap_problem *problem;
  struct step *steps;
  size_t count;
  neap_offset *lowest; /* per buffer: a lower bound on its offset */
  uint32_t *waits;     /* per buffer: the forced steps below it that are not climbed yet */
  size_t *ends;        /* per buffer: where its steps end */
  size_t *of_buffer;   /* the steps of each buffer; every step is listed twice */
  uint32_t *ready;     /* buffers that wait for nothing */
};

static neap_size size_of(const struct stairs *stairs, uint32_t buffer) {
  return stairs->problem->buffers[buffer].size;
}

/* Sums of sizes and alignments of all buffers fit, so this sum also fits. */
static neap_size round_step(const struct neap_problem *problem, const struct pair_rule *rule,
                            neap_size bytes) {
  neap_size unit = common_divisor(problem->buffers[rule->first].alignment,
                                  problem->buffers[rule->second].alignment);
  return round_up(bytes, unit);
}

static void add_step(struct stairs *stairs, const struct pair_rule *rule) {
  stairs->steps[stairs->count++] = (struct step){
      rule->first, rule->second, round_step(stairs->problem, rule, rule->first_below),
      round_step(stairs->problem, rule, rule->second_below)};
  stairs->ends[rule->first]++;
  stairs->ends[rule->second]++;
}

static void list_steps(struct stairs *stairs, const struct pair_rules *rules,
                       const struct sections *sections) {
  for (size_t i = 0; i < rules->count; i++) {
    if (!rules->items[i].has_gap) continue;
    struct common common =
        sections_common(sections, rules->items[i].first, rules->items[i].second);
    struct span run;
    if (common_next(&common, &run)) add_step(stairs, &rules->items[i]);
  }
  size_t buffers = stairs->problem->count;
  for (size_t b = 1; b < buffers; b++)
    stairs->ends[b] += stairs->ends[b - 1];
  for (size_t i = stairs->count; i-- > 0;) {
    stairs->of_buffer[--stairs->ends[stairs->steps[i].first]] = i;
    stairs->of_buffer[--stairs->ends[stairs->steps[i].second]] = i;
  }
  /*
   * Each entry now is the begin of a buffer's steps, which is the end of the previous buffer's.
   */
  for (size_t b = 0; b + 1 < buffers; b++)
    stairs->ends[b] = stairs->ends[b + 1];
  if (buffers > 0) stairs->ends[buffers - 1] = 2 * stairs->count;
}

/* ---------------------------------------------------------------- one height */

enum way { WAY_ANY, WAY_FIRST_BELOW, WAY_SECOND_BELOW, WAY_NONE };

static enum way way_of(const struct stairs *stairs, const struct step *step, neap_size height) {
  bool first_below = step->first_below <= height - size_of(stairs, step->second);
  bool second_below = step->second_below <= height - size_of(stairs, step->first);
  if (first_below && second_below) return WAY_ANY;
  return first_below ? WAY_FIRST_BELOW : second_below ? WAY_SECOND_BELOW : WAY_NONE;
}

/* Counts the forced steps below each buffer; false if some pair fits in neither order. */
static bool count_waits(struct stairs *stairs, neap_size height) {
  for (size_t b = 0; b < stairs->problem->count; b++)
    stairs->waits[b] = 0;
  for (size_t i = 0; i < stairs->count; i++) {
    const struct step *step = &stairs->steps[i];
    enum way way = way_of(stairs, step, height);
    if (way == WAY_NONE) return false;
    if (way == WAY_FIRST_BELOW) stairs->waits[step->second]++;
    if (way == WAY_SECOND_BELOW) stairs->waits[step->first]++;
  }
  return true;
}

/*
 * Raises the lowest offset of the buffer above a forced step.  The offset is limited to the
 * height, at which nothing fits.  Returns whether no other step below that buffer is left to
 * climb.
 */
static bool climb_step(struct stairs *stairs, const struct step *step, uint32_t below,
                       neap_size height, uint32_t *above) {
  enum way way = way_of(stairs, step, height);
  bool is_first = step->first == below;
  if (way != (is_first ? WAY_FIRST_BELOW : WAY_SECOND_BELOW)) return false;
  *above = is_first ? step->second : step->first;
  neap_size bytes = is_first ? step->first_below : step->second_below;
  neap_size room = height - stairs->lowest[below];
  neap_offset offset = bytes < room ? stairs->lowest[below] + bytes : height;
  if (offset > stairs->lowest[*above]) stairs->lowest[*above] = offset;
  return --stairs->waits[*above] == 0;
}

/* Whether the forced steps fit below a height.  False is certain, true is not. */
static bool fits(struct stairs *stairs, neap_size height) {
  size_t count = 0, climbed = 0;
  if (!count_waits(stairs, height)) return false;
  for (size_t b = 0; b < stairs->problem->count; b++) {
    stairs->lowest[b] = 0;
    if (stairs->waits[b] == 0) stairs->ready[count++] = (uint32_t)b;
  }
  for (; climbed < count; climbed++) {
    uint32_t below = stairs->ready[climbed], above;
    if (stairs->lowest[below] > height - size_of(stairs, below)) return false;
    for (size_t i = below == 0 ? 0 : stairs->ends[below - 1]; i < stairs->ends[below]; i++)
      if (climb_step(stairs, &stairs->steps[stairs->of_buffer[i]], below, height, &above))
        stairs->ready[count++] = above;
  }
  return true; /* steps that form a cycle are never climbed, and ignored */
}

/* ---------------------------------------------------------------- all heights */

/* The least height in which both orders fit for every pair, so that no step is forced. */
static neap_size free_height(const struct stairs *stairs) {
  neap_size height = 0;
  for (size_t i = 0; i < stairs->count; i++) {
    const struct step *step = &stairs->steps[i];
    neap_size first = step->first_below + size_of(stairs, step->second);
    neap_size second = step->second_below + size_of(stairs, step->first);
    if (first > height) height = first;
    if (second > height) height = second;
  }
  return height;
}

/* No buffer is larger than `least`, so every height tried is at least the size of each buffer. */
static void bisect(struct stairs *stairs, neap_size *least) {
  neap_size low = *least, high = free_height(stairs);
  if (high <= low || fits(stairs, low)) return;
  while (high - low > 1) { /* `low` does not fit, `high` does */
    neap_size middle = low + (high - low) / 2;
    if (fits(stairs, middle)) high = middle;
    else low = middle;
  }
  *least = high;
}

static bool make_room(struct stairs *stairs, size_t gaps) {
  size_t buffers = stairs->problem->count;
  stairs->steps = memory_array(gaps, sizeof *stairs->steps);
  stairs->lowest = memory_array(buffers, sizeof *stairs->lowest);
  stairs->waits = memory_array(buffers, sizeof *stairs->waits);
  stairs->ends = memory_array(buffers, sizeof *stairs->ends);
  stairs->of_buffer = memory_array(gaps, 2 * sizeof *stairs->of_buffer);
  stairs->ready = memory_array(buffers, sizeof *stairs->ready);
  return stairs->steps && stairs->lowest && stairs->waits && stairs->ends &&
         stairs->of_buffer && stairs->ready;
}

neap_status overlap_chains_raise(const struct neap_problem *problem,
                                 const struct pair_rules *rules,
                                 const struct sections *sections, neap_size *least,
                                 neap_error *error) {
  struct stairs stairs = {.problem = problem};
  bool has_room = make_room(&stairs, rules->gap_count);
  if (has_room) {
    list_steps(&stairs, rules, sections);
    bisect(&stairs, least);
  }
  free(stairs.steps);
  free(stairs.lowest);
  free(stairs.waits);
  free(stairs.ends);
  free(stairs.of_buffer);
  free(stairs.ready);
  return has_room ? NEAP_OK : error_memory(error);
}
