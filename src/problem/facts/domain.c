/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The next allowed offset of a buffer.  Alignment, window, bank and reserved bytes raise the
 * offset in turn until all of them allow it; a fixed offset is only checked.  The next offset
 * inside one bank is found with core/residues, in logarithmic time; holes are bisected.
 */
#include "facts/domain.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/bisection.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/max_tree.h"
#include "core/memory.h"
#include "core/residues.h"
#include "core/sort.h"

/* ---------------------------------------------------------------- banks */

/*
 * The lowest offset at or above `from` that keeps the buffer inside one bank.  Both offsets are
 * multiples of the alignment.  False if there is none up to 2^63 - 1.
 */
static bool next_in_bank(const struct domain *domain, neap_offset from, neap_offset *next) {
  neap_size bank = domain->bank, spare = bank - domain->size, at = from % bank, x, way;
  *next = from;
  if (at <= spare) return true;
  if (spare < 0) return false;
  /* at + alignment * x must be in [0, spare] modulo the bank */
  return residues_reaches(domain->alignment, bank, bank - at, bank - at + spare, &x) &&
         checked_mul(domain->alignment, x, &way) && checked_add(from, way, next);
}

/* ---------------------------------------------------------------- one buffer */

/* The first hole that ends above an offset; hole_count if there is none. */
static size_t hole_above(const struct domain *domain, neap_offset offset) {
  struct bisection search = bisection_of(0, domain->hole_count);
  while (bisection_open(&search))
    bisection_step(&search, domain->holes[search.middle].high <= offset);
  return search.low;
}

/* `offset`, or the end of the first hole that a buffer there would touch. */
static neap_offset above_hole(const struct domain *domain, neap_offset offset) {
  if (domain->hole_count == 0 || domain->size == 0) return offset;
  size_t hole = hole_above(domain, offset);
  bool is_hit = hole < domain->hole_count && domain->holes[hole].low < offset + domain->size;
  return is_hit ? domain->holes[hole].high : offset;
}

/* The next allowed offset if the buffer had no fixed offset. */
static neap_offset next_free(const struct domain *domain, neap_offset from) {
  neap_offset highest = domain->window_high - domain->size;
  neap_offset offset = from > domain->window_low ? from : domain->window_low;
  for (;;) {
    if (!checked_round_up(offset, domain->alignment, &offset)) return NEAP_UNPLACED;
    if (domain->bank > 0 && !next_in_bank(domain, offset, &offset)) return NEAP_UNPLACED;
    if (offset > highest) return NEAP_UNPLACED;
    neap_offset above = above_hole(domain, offset);
    if (above == offset) return offset;
    offset = above;
  }
}

neap_offset domain_next(const struct domain *domain, neap_offset from) {
  assert(from >= 0 && domain->size >= 0 && domain->alignment >= 1);
  assert(domain->window_low >= 0 && domain->window_high >= 0 && domain->bank >= 0);
  if (domain->fixed == NEAP_UNPLACED) return next_free(domain, from);
  bool is_allowed = domain->fixed >= from && next_free(domain, domain->fixed) == domain->fixed;
  return is_allowed ? domain->fixed : NEAP_UNPLACED;
}

/* ---------------------------------------------------------------- all buffers */

bool domains_matter(const struct neap_problem *problem) {
  const struct relations *relations = problem->relations;
  return relations && (relations->window_count > 0 || relations->bank_count > 0 ||
                       relations->reserved_count > 0);
}

static int by_low(const void *left, const void *right) {
  const neap_reserved *a = left, *b = right;
  return a->low < b->low ? -1 : a->low > b->low;
}

bool domain_is_alive(const struct neap_problem *problem, size_t buffer, neap_range when) {
  const neap_range *ranges = problem->ranges;
  struct bisection search =
      bisection_of(problem_ranges_begin(problem, buffer), problem->buffers[buffer].ranges_end);
  while (bisection_open(&search))
    bisection_step(&search, ranges[search.middle].end <= when.start);
  return search.low < problem->buffers[buffer].ranges_end &&
         ranges[search.low].start < when.end;
}

/* Builds the lists of holes. */
struct hole_maker {
  struct domains *domains;
  const neap_reserved *reserved; /* by ascending low */
  size_t reserved_count;
  size_t *always; /* bytes reserved all the time */
  size_t always_count;
  size_t *by_start; /* the others, by the beginning of their times */
  size_t timed_count;
  struct max_tree ends;       /* the ends of these times, in that order */
  struct domain_holes common; /* the holes that are always reserved */
  size_t *found;              /* the reserved bytes of a buffer, by ascending low */
  size_t found_count;
  size_t count, capacity; /* of domains->holes */
};

static int by_start(const void *left, const void *right, void *context) {
  const neap_reserved *reserved = context;
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  if (reserved[a].when.start != reserved[b].when.start)
    return reserved[a].when.start < reserved[b].when.start ? -1 : 1;
  return a < b ? -1 : a > b;
}

static void part_by_time(struct hole_maker *maker) {
  for (size_t r = 0; r < maker->reserved_count; r++)
    if (problem_is_always(maker->domains->problem, maker->reserved[r].when))
      maker->always[maker->always_count++] = r;
    else maker->by_start[maker->timed_count++] = r;
}

static bool maker_init(struct hole_maker *maker) {
  const size_t count = maker->reserved_count;
  maker->always = memory_array(count, sizeof *maker->always);
  maker->by_start = memory_array(count, sizeof *maker->by_start);
  maker->found = memory_array(count, sizeof *maker->found);
  if (!maker->always || !maker->by_start || !maker->found) return false;
  part_by_time(maker);
  if (!max_tree_init(&maker->ends, maker->timed_count)) return false;
  if (maker->timed_count > 1)
    qsort_r(maker->by_start, maker->timed_count, sizeof *maker->by_start, by_start,
            (void *)(uintptr_t)maker->reserved);
  for (size_t r = 0; r < maker->timed_count; r++)
    max_tree_set(&maker->ends, r, maker->reserved[maker->by_start[r]].when.end);
  return true;
}

static void maker_clear(struct hole_maker *maker) {
  free(maker->always);
  free(maker->by_start);
  free(maker->found);
  max_tree_clear(&maker->ends);
}

/* Finds the bytes reserved during a buffer's life, but not always. */
static void find_timed(struct hole_maker *maker, size_t buffer) {
  const struct neap_problem *problem = maker->domains->problem;
  const size_t begin = problem_ranges_begin(problem, buffer);
  const size_t end = problem->buffers[buffer].ranges_end;
  maker->found_count = 0;
  if (begin == end) return;
  const neap_time from = problem->ranges[begin].start, to = problem->ranges[end - 1].end;
  for (size_t r = 0; (r = max_tree_next(&maker->ends, r, from + 1)) < maker->timed_count; r++) {
    const size_t reserved = maker->by_start[r];
    if (maker->reserved[reserved].when.start >= to) break;
    if (domain_is_alive(problem, buffer, maker->reserved[reserved].when))
      maker->found[maker->found_count++] = reserved;
  }
}

static void add_always(struct hole_maker *maker) {
  for (size_t r = 0; r < maker->always_count; r++)
    maker->found[maker->found_count++] = maker->always[r];
  if (maker->found_count > 1)
    qsort(maker->found, maker->found_count, sizeof *maker->found, sort_by_index);
}

/* Appends the found bytes as holes; false when memory is short. */
static bool append_holes(struct hole_maker *maker) {
  struct domains *domains = maker->domains;
  size_t begin = maker->count;
  if (!memory_reserve(&domains->holes, &maker->capacity, begin + maker->found_count,
                      sizeof *domains->holes))
    return false;
  for (size_t r = 0; r < maker->found_count; r++) {
    const neap_reserved *reserved = &maker->reserved[maker->found[r]];
    struct hole *last = maker->count > begin ? &domains->holes[maker->count - 1] : NULL;
    if (!last || last->high < reserved->low)
      domains->holes[maker->count++] = (struct hole){reserved->low, reserved->high};
    else if (last->high < reserved->high) last->high = reserved->high;
  }
  return true;
}

static bool list_common_holes(struct hole_maker *maker) {
  add_always(maker);
  bool done = append_holes(maker);
  maker->common.end = maker->count;
  return done;
}

/*
 * Lists the holes of a buffer.  Reuses the list of all buffers if the buffer has no holes of its
 * own, and the previous buffer's list if both are equal.
 */
static bool list_holes(struct hole_maker *maker, size_t buffer) {
  struct domain_holes *lists = maker->domains->hole_lists;
  struct domain_holes made = {maker->count, maker->count};
  const struct domain_holes *before = buffer > 0 ? &lists[buffer - 1] : NULL;
  if (maker->domains->problem->buffers[buffer].size > 0) {
    find_timed(maker, buffer);
    if (maker->found_count == 0) {
      lists[buffer] = maker->common;
      return true;
    }
    add_always(maker);
    if (!append_holes(maker)) return false;
    made.end = maker->count;
  }
  size_t length = made.end - made.begin;
  bool is_same = before && before->end - before->begin == length &&
                 (length == 0 || memcmp(maker->domains->holes + before->begin,
                                        maker->domains->holes + made.begin,
                                        length * sizeof(struct hole)) == 0);
  lists[buffer] = is_same ? *before : made;
  maker->count = is_same ? made.begin : made.end;
  return true;
}

/* Copies the reserved bytes, sorted; NULL when memory is short. */
static neap_reserved *sorted_reserved(const struct relations *relations) {
  neap_reserved *sorted = memory_array(relations->reserved_count, sizeof *sorted);
  if (!sorted) return NULL;
  memcpy(sorted, relations->reserved, relations->reserved_count * sizeof *sorted);
  qsort(sorted, relations->reserved_count, sizeof *sorted, by_low);
  return sorted;
}

static bool list_all_holes(struct domains *domains, const neap_reserved *reserved) {
  const struct neap_problem *problem = domains->problem;
  struct hole_maker maker = {.domains = domains,
                             .reserved = reserved,
                             .reserved_count = problem->relations->reserved_count};
  domains->hole_lists = memory_array(problem->count, sizeof *domains->hole_lists);
  bool is_made = domains->hole_lists && maker_init(&maker) && list_common_holes(&maker);
  for (size_t i = 0; i < problem->count && is_made; i++)
    is_made = list_holes(&maker, i);
  maker_clear(&maker);
  return is_made;
}

neap_status domains_init(struct domains *domains, const struct neap_problem *problem,
                         neap_error *error) {
  *domains = (struct domains){.problem = problem};
  if (!problem->relations || problem->relations->reserved_count == 0) return NEAP_OK;
  neap_reserved *reserved = sorted_reserved(problem->relations);
  bool is_made = reserved && list_all_holes(domains, reserved);
  free(reserved);
  if (is_made) return NEAP_OK;
  domains_clear(domains);
  return error_memory(error);
}

void domains_clear(struct domains *domains) {
  free(domains->holes);
  free(domains->hole_lists);
  *domains = (struct domains){0};
}

struct domain domain_of_limits(const struct neap_problem *problem, size_t buffer) {
  const struct buffer *of = &problem->buffers[buffer];
  const struct limits *limits = problem_limits(problem, buffer);
  return (struct domain){.size = of->size,
                         .alignment = of->alignment,
                         .fixed = of->fixed_offset,
                         .window_low = limits->window_low,
                         .window_high = limits->window_high,
                         .bank = of->size > 0 ? limits->bank : 0};
}

/* Makes the last hole, which has no upper end, the end of the window. */
static void end_window(struct domain *domain) {
  neap_offset end = domain->holes[--domain->hole_count].low;
  domain->window_high = smaller_of(domain->window_high, end);
}

struct domain domains_of(const struct domains *domains, size_t buffer) {
  struct domain domain = domain_of_limits(domains->problem, buffer);
  if (!domains->hole_lists) return domain;
  struct domain_holes list = domains->hole_lists[buffer];
  domain.holes = domains->holes + list.begin;
  domain.hole_count = list.end - list.begin;
  if (list.end > list.begin && domains->holes[list.end - 1].high == NEAP_MAX)
    end_window(&domain);
  return domain;
}
