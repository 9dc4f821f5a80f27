/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Large-neighbourhood search over layouts (Shaw 1998).  Again and again a group of buffers is taken
 * out of the layout, and an exact search looks for a lower layout of the group in the room that is
 * left (tune/room).
 *
 *   - A group grows from a seed, one of the buffers that end above the bound.  Seeds are drawn at
 *     random, in proportion to the fourth power of their height above the bound; those that failed
 *     before are drawn less often (in the manner of squeaky wheels: Joslin and Clements 1999).
 *   - Its members are the buffers whose lifetimes are most like the seed's; those that end above
 *     the bound come first among similar ones, and a random share makes each group another one.
 *   - The target is some way down from the group's highest end to the bound: half of it, a quarter,
 *     ..., at random, since a search succeeds or fails quickly far from the limit of what is
 *     possible, and nobody knows where that is.
 *   - Groups grow when they fail and shrink when they succeed; beyond GROUP_MOST they begin again
 *     with few buffers.
 *   - Now and then the group is everything.  Then there are no obstacles, and the search needs no
 *     sets, so it can take any number of buffers.  It aims at the bound every other time.
 *   - The longer nothing succeeds, the more restarts a search may use.
 *
 * An attempt takes time linear in the number of buffers, to draw the seed, plus what depends on the
 * group and its neighbours only.
 */
#include "tune/repacker.h"

#include <assert.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>

#include "core/bisection.h"
#include "core/error.h"
#include "core/memory.h"
#include "tune/room.h"

#define GROUP_LEAST 8
#define GROUP_MOST 1024
#define GROUP_GROWTH 1.05
#define GROUP_DECAY 0.95

/* Of so many attempts, one takes out everything. */
#define EVERYTHING 16

/* Candidates live in the seed's lifetime or within this many times its length around it. */
#define MARGIN 5
/* What ending above the bound, and chance, are worth, compared with equal lifetimes. */
#define OVER_MERIT 0.2
#define CHANCE_MERIT 0.5

/* Targets are 1, 1/2, ..., 1/2^7 of the way down. */
#define TARGETS 8

/* Restarts of each search; as many more after every PATIENCE failures in a row. */
#define RESTARTS 2
#define PATIENCE 50

struct candidate {
  double merit;
  uint32_t buffer;
};

struct repacker {
  struct repacker_task task;
  struct neighbours neighbours;
  double *failures; /* per buffer: of groups grown from it, halved by each success */
  double reach;     /* the mean size of the next group */
  uint64_t failures_in_row, attempts;
  double *weights; /* scratch: running sums over the offenders */
  uint32_t *offenders;
  struct buffer_list found; /* scratch */
  struct candidate *candidates;
  size_t candidate_capacity;
  bool *is_found;    /* scratch, per buffer; all false between calls */
  uint32_t *members; /* of the current group */
  size_t member_count;
  neap_offset *placed; /* of each member */
};

void repacker_free(struct repacker *repacker) {
  if (!repacker) return;
  neighbours_clear(&repacker->neighbours);
  free(repacker->failures);
  free(repacker->weights);
  free(repacker->offenders);
  free(repacker->found.items);
  free(repacker->candidates);
  free(repacker->is_found);
  free(repacker->members);
  free(repacker->placed);
  free(repacker);
}

struct repacker *repacker_new(const struct repacker_task *task) {
  struct repacker *repacker = memory_array(1, sizeof *repacker);
  if (!repacker) return NULL;
  size_t count = task->problem->count;
  repacker->task = *task;
  repacker->reach = (double)task->group_size;
  repacker->failures = memory_array(count, sizeof *repacker->failures);
  repacker->weights = memory_array(count, sizeof *repacker->weights);
  repacker->offenders = memory_array(count, sizeof *repacker->offenders);
  repacker->is_found = memory_array(count, sizeof *repacker->is_found);
  repacker->members = memory_array(count, sizeof *repacker->members);
  repacker->placed = memory_array(count, sizeof *repacker->placed);
  if (repacker->failures && repacker->weights && repacker->offenders && repacker->is_found &&
      repacker->members && repacker->placed &&
      neighbours_init(&repacker->neighbours, task->sections, count))
    return repacker;
  repacker_free(repacker);
  return NULL;
}

/* ---------------------------------------------------------------- the seed */

static double chance(struct repacker *repacker) {
  return gsl_rng_uniform(&repacker->task.random->rng);
}

static bool can_move(const struct repacker *repacker, size_t buffer) {
  const struct buffer *from = &repacker->task.problem->buffers[buffer];
  return from->size > 0 && from->fixed_offset == NEAP_UNPLACED;
}

static neap_offset end_of(const struct repacker *repacker, const neap_offset *offsets,
                          size_t buffer) {
  return offsets[buffer] + repacker->task.problem->buffers[buffer].size;
}

/* The first running sum above `value`; the last if rounding leaves none. */
static size_t pick(const double *sums, size_t count, double value) {
  struct bisection search = bisection_of(0, count - 1);
  while (bisection_open(&search))
    bisection_step(&search, sums[search.middle] <= value);
  return search.low;
}

/* False if nothing that ends above the bound can move. */
static bool draw_seed(struct repacker *repacker, const neap_offset *offsets, neap_size peak,
                      size_t *seed) {
  size_t count = 0;
  double sum = 0, most = (double)(peak - repacker->task.bound);
  for (size_t i = 0; i < repacker->task.problem->count; i++) {
    neap_size over = end_of(repacker, offsets, i) - repacker->task.bound;
    if (over <= 0 || !can_move(repacker, i)) continue;
    double height = (double)over / most;
    sum += height * height * height * height / (1 + repacker->failures[i]);
    repacker->offenders[count] = (uint32_t)i;
    repacker->weights[count++] = sum;
  }
  if (count == 0) return false;
  *seed = repacker->offenders[pick(repacker->weights, count, chance(repacker) * sum)];
  return true;
}

/* ---------------------------------------------------------------- the group */

static struct span hull_of(const struct sections *sections, size_t buffer) {
  return (struct span){sections->spans[sections_spans_begin(sections, buffer)].first,
                       sections->spans[sections->spans_end[buffer] - 1].end};
}

static struct span widen(const struct sections *sections, struct span hull) {
  uint64_t margin = (uint64_t)(hull.end - hull.first) * MARGIN, end = hull.end + margin;
  return (struct span){hull.first > margin ? hull.first - (uint32_t)margin : 0,
                       end < sections->count ? (uint32_t)end : (uint32_t)sections->count};
}

/* The sections that two hulls have in common, as a fraction of those of both. */
static double likeness(struct span a, struct span b) {
  uint32_t first = a.first > b.first ? a.first : b.first, end = a.end < b.end ? a.end : b.end;
  uint32_t low = a.first < b.first ? a.first : b.first, high = a.end > b.end ? a.end : b.end;
  return first < end ? (double)(end - first) / (high - low) : 0;
}

static int by_merit(const void *left, const void *right) {
  const struct candidate *a = left, *b = right;
  if (a->merit != b->merit) return a->merit > b->merit ? -1 : 1;
  return a->buffer < b->buffer ? -1 : a->buffer > b->buffer;
}

static int by_number(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return a < b ? -1 : a > b;
}

/* The buffers that may join the seed's group, the best ones first; false when memory is short. */
static bool rank_candidates(struct repacker *repacker, const neap_offset *offsets, size_t seed,
                            size_t *count) {
  const struct sections *sections = repacker->task.sections;
  struct buffer_list *found = &repacker->found;
  struct span hull = hull_of(sections, seed);
  found->count = *count = 0;
  if (!neighbours_find(&repacker->neighbours, widen(sections, hull), SIZE_MAX, found) ||
      !memory_reserve(&repacker->candidates, &repacker->candidate_capacity, found->count,
                      sizeof *repacker->candidates))
    return false;
  for (size_t i = 0; i < found->count; i++) {
    uint32_t buffer = found->items[i];
    if (repacker->is_found[buffer] || buffer == seed || !can_move(repacker, buffer)) continue;
    repacker->is_found[buffer] = true;
    bool is_over = end_of(repacker, offsets, buffer) > repacker->task.bound;
    double merit = likeness(hull, hull_of(sections, buffer)) + (is_over ? OVER_MERIT : 0) +
                   CHANCE_MERIT * chance(repacker);
    repacker->candidates[(*count)++] = (struct candidate){merit, buffer};
  }
  for (size_t i = 0; i < found->count; i++)
    repacker->is_found[found->items[i]] = false;
  qsort(repacker->candidates, *count, sizeof *repacker->candidates, by_merit);
  return true;
}

static void take_everything(struct repacker *repacker) {
  repacker->member_count = 0;
  for (size_t i = 0; i < repacker->task.problem->count; i++)
    if (can_move(repacker, i)) repacker->members[repacker->member_count++] = (uint32_t)i;
}

static bool take_group(struct repacker *repacker, const neap_offset *offsets, size_t seed) {
  size_t size = (size_t)(repacker->reach * (0.5 + chance(repacker))), count;
  if (!rank_candidates(repacker, offsets, seed, &count)) return false;
  repacker->members[0] = (uint32_t)seed;
  repacker->member_count = 1;
  for (size_t i = 0; i < count && repacker->member_count < size; i++)
    repacker->members[repacker->member_count++] = repacker->candidates[i].buffer;
  qsort(repacker->members, repacker->member_count, sizeof *repacker->members, by_number);
  return true;
}

/* ---------------------------------------------------------------- one attempt */

static neap_offset top_of_group(const struct repacker *repacker, const neap_offset *offsets) {
  neap_offset top = 0;
  for (size_t i = 0; i < repacker->member_count; i++)
    if (end_of(repacker, offsets, repacker->members[i]) > top)
      top = end_of(repacker, offsets, repacker->members[i]);
  return top;
}

/* A height between the bound and the highest end of a member. */
static neap_size draw_target(struct repacker *repacker, neap_offset top, bool has_everything) {
  neap_size way = top - repacker->task.bound;
  if (!has_everything || random_below(repacker->task.random, 2) == 0)
    way >>= random_below(repacker->task.random, TARGETS);
  return top - (way > 0 ? way : 1);
}

static void learn(struct repacker *repacker, size_t seed, bool has_improved) {
  if (has_improved) {
    repacker->failures[seed] /= 2;
    repacker->failures_in_row = 0;
    repacker->reach *= GROUP_DECAY;
    if (repacker->reach < GROUP_LEAST) repacker->reach = GROUP_LEAST;
  } else {
    repacker->failures[seed]++;
    repacker->failures_in_row++;
    repacker->reach *= GROUP_GROWTH;
    if (repacker->reach > GROUP_MOST) repacker->reach = (double)repacker->task.group_size;
  }
}

static void put_back(const struct repacker *repacker, neap_offset *offsets) {
  for (size_t i = 0; i < repacker->member_count; i++)
    offsets[repacker->members[i]] = repacker->placed[i];
}

/* Everything says little about what is to blame, unless it was lowered. */
static bool record(const struct repacker *repacker, size_t blamed, neap_size top,
                   neap_size target, enum verdict verdict) {
  static const neap_move_outcome outcomes[] = {[VERDICT_FOUND] = NEAP_MOVE_LOWERED,
                                               [VERDICT_REFUTED] = NEAP_MOVE_REFUTED,
                                               [VERDICT_OPEN] = NEAP_MOVE_OPEN};
  bool lowered = verdict == VERDICT_FOUND;
  if (!repacker->task.moves || verdict == VERDICT_MEMORY || verdict == VERDICT_STOPPED)
    return true;
  const neap_move move = {.blamed = blamed,
                          .top = top,
                          .target = target,
                          .outcome = outcomes[verdict],
                          .member_count = repacker->member_count,
                          .members =
                              lowered || blamed != NEAP_NO_BUFFER ? repacker->members : NULL,
                          .offsets = lowered ? repacker->placed : NULL};
  return moves_add(repacker->task.moves, &move);
}

static neap_status attempt(struct repacker *repacker, size_t seed, neap_size peak,
                           neap_offset *offsets, struct repacked *repacked, neap_error *error) {
  bool has_everything = repacker->attempts++ % EVERYTHING == 0;
  if (has_everything) take_everything(repacker);
  else if (!take_group(repacker, offsets, seed)) return error_memory(error);
  struct room_layout layout = {repacker->task.problem, repacker->task.sections,
                               &repacker->neighbours, offsets};
  neap_offset top = top_of_group(repacker, offsets);
  struct room_task task = {.members = repacker->members,
                           .count = repacker->member_count,
                           .target = draw_target(repacker, top, has_everything),
                           .restarts = RESTARTS * (1 + repacker->failures_in_row / PATIENCE),
                           .seed = random_below(repacker->task.random, 1u << 30)};
  repacked->groups++;
  enum verdict verdict = room_search(&layout, &task, repacker->task.budget, repacker->placed);
  size_t blamed = has_everything ? NEAP_NO_BUFFER : seed;
  if (!record(repacker, blamed, top, task.target, verdict)) return error_memory(error);
  switch (verdict) {
  case VERDICT_MEMORY:
    return error_memory(error);
  case VERDICT_STOPPED:
    return NEAP_NO_PLAN;
  case VERDICT_FOUND:
    put_back(repacker, offsets);
    repacked->improved++;
    if (!has_everything) learn(repacker, seed, true);
    return NEAP_OK;
  case VERDICT_REFUTED:
    repacked->is_final = has_everything && task.target + 1 == peak;
    break;
  case VERDICT_OPEN:
    break;
  }
  if (!has_everything) learn(repacker, seed, false);
  return NEAP_OK;
}

neap_status repacker_run(struct repacker *repacker, uint64_t groups, neap_offset *offsets,
                         struct repacked *repacked, neap_error *error) {
  *repacked = (struct repacked){0};
  neap_status status = NEAP_OK;
  while (status == NEAP_OK && repacked->groups < groups && !repacked->is_final) {
    neap_size peak = problem_peak(repacker->task.problem, offsets);
    size_t seed;
    if (peak <= repacker->task.bound) return NEAP_OK;
    if (!budget_tick(repacker->task.budget)) return NEAP_NO_PLAN;
    if (draw_seed(repacker, offsets, peak, &seed))
      status = attempt(repacker, seed, peak, offsets, repacked, error);
    else repacked->is_final = true; /* what is highest is fixed */
  }
  return status;
}
