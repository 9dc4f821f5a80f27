/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Large-neighbourhood search over layouts (Shaw 1998).  It repeatedly takes a group of buffers
 * out of the layout, and an exact search looks for a lower layout of the group in the room left
 * by all other buffers (tune/room).
 *
 *   - A group grows (tune/grower) from a seed, one of the buffers that end above the bound.
 *     Seeds are drawn at random, in proportion to the fourth power of their height above the
 *     bound; seeds that failed before are drawn less often.  If a group fails, its seed and the
 *     buffers that support it are blamed (tune/blame), and later groups prefer blamed buffers.
 *   - The target is a random fraction (all, half, a quarter, ...) of the way from the group's
 *     highest end down to the bound.  A search is quick if its target is far above or below the
 *     lowest possible one, which is unknown; so targets vary.  Refuted groups are remembered
 *     (tune/refuted_groups).
 *   - Groups grow after failures and shrink after successes; beyond REPACKER_GROUP_MOST they start
 *     small again.  The more failures in a row, the more restarts a search may use.
 *   - Occasionally, a group contains all buffers, which quickly lowers a layout far above the
 *     bound.
 *   - Two further searches over all buffers continue from turn to turn (tune/global_search).  They
 *     share the work with the groups (tune/shares).
 *
 * The time for a group depends on its size and on the buffers alive together with it, plus
 * O(log n) per buffer that ends above the bound.
 */
#include "tune/repacker.h"

#include <assert.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>

#include "core/bisection.h"
#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "search/method.h"
#include "search/minimiser.h"
#include "tune/grower.h"
#include "tune/shares.h"

/* Ways to lower the layout. */
enum way { WAY_GROUP, WAY_PLAIN, WAY_ROUNDED, WAYS };

struct repacker {
  struct repacker_task task;
  struct neighbours neighbours;
  struct movable movable;
  struct blame blame;
  struct refuted_groups refuted;
  struct grower *grower;
  struct global_search *global;
  struct shares shares; /* of the ways */
  double plain_tick_cost;
  double *failures; /* per buffer: failed groups that it was the seed of, halved by each success */
  double reach;     /* the mean size of the next group */
  uint64_t failures_in_row, groups;
  struct max_tree ends; /* of all buffers */
  bool is_stale;        /* the layout has changed since the offenders were listed */
  uint32_t *offenders;  /* buffers that can move and end above the bound */
  double *weights;      /* running sums over the offenders */
  size_t offender_count;
  neap_offset *placed; /* scratch: the offset of each member of a group */
  size_t placed_capacity;
};

bool neighbourhood_is_in(uint64_t set, enum neighbourhood neighbourhood) {
  return set >> (method_rule_count() + neighbourhood) & 1;
}

/* ---------------------------------------------------------------- making */

void repacker_free(struct repacker *repacker) {
  if (!repacker) return;
  neighbours_clear(&repacker->neighbours);
  movable_clear(&repacker->movable);
  blame_clear(&repacker->blame);
  grower_free(repacker->grower);
  global_search_free(repacker->global);
  max_tree_clear(&repacker->ends);
  free(repacker->failures);
  free(repacker->offenders);
  free(repacker->weights);
  free(repacker->placed);
  free(repacker);
}

static struct room_layout room_of(const struct repacker *repacker) {
  return (struct room_layout){repacker->task.problem, repacker->task.sections,
                              &repacker->neighbours, &repacker->movable, repacker->task.layout};
}

static bool init_parts(struct repacker *repacker) {
  const struct repacker_task *task = &repacker->task;
  size_t count = task->problem->count;
  struct grower_task growth = {.layout = room_of(repacker),
                               .blame = &repacker->blame,
                               .random = task->random,
                               .bound = task->bound};
  struct global_task global = {.problem = task->problem,
                               .sections = task->sections,
                               .budget = task->budget,
                               .bound = task->bound,
                               .disabled = task->disabled,
                               .seed = task->seed,
                               .variant = task->variant};
  repacker->failures = memory_array(count, sizeof *repacker->failures);
  repacker->offenders = memory_array(count, sizeof *repacker->offenders);
  repacker->weights = memory_array(count, sizeof *repacker->weights);
  repacker->grower = grower_new(&growth);
  repacker->global = global_search_new(&global);
  return repacker->failures && repacker->offenders && repacker->weights && repacker->grower &&
         repacker->global && movable_init(&repacker->movable, task->problem) &&
         blame_init(&repacker->blame, count) && max_tree_init(&repacker->ends, count) &&
         neighbours_init(&repacker->neighbours, task->sections, count);
}

struct repacker *repacker_new(const struct repacker_task *task) {
  struct repacker *repacker = memory_array(1, sizeof *repacker);
  if (!repacker) return NULL;
  repacker->task = *task;
  repacker->reach = (double)task->group_size;
  refuted_groups_init(&repacker->refuted);
  repacker->plain_tick_cost = minimiser_tick_cost(task->problem);
  shares_init(&repacker->shares, WAYS);
  if (!init_parts(repacker)) {
    repacker_free(repacker);
    return NULL;
  }
  repacker_refresh(repacker);
  return repacker;
}

neap_size repacker_lower_bound(const struct repacker *repacker) {
  return global_search_lower_bound(repacker->global);
}

/* ---------------------------------------------------------------- the layout */

static neap_offset end_of(const struct repacker *repacker, size_t buffer) {
  return repacker->task.layout[buffer] + repacker->task.problem->buffers[buffer].size;
}

static neap_size peak_of(const struct repacker *repacker) {
  return repacker->task.problem->count > 0 ? max_tree_largest(&repacker->ends) : 0;
}

static void layout_changed(struct repacker *repacker) {
  repacker->is_stale = true;
  refuted_groups_forget(&repacker->refuted);
}

void repacker_refresh(struct repacker *repacker) {
  for (size_t i = 0; i < repacker->task.problem->count; i++)
    max_tree_set(&repacker->ends, i, end_of(repacker, i));
  layout_changed(repacker);
}

/* ---------------------------------------------------------------- the seed */

static double chance(struct repacker *repacker) {
  return gsl_rng_uniform(&repacker->task.random->rng);
}

static void list_offenders(struct repacker *repacker) {
  size_t all = repacker->task.problem->count;
  neap_size bound = repacker->task.bound, most = peak_of(repacker) - bound;
  double sum = 0;
  repacker->offender_count = 0;
  for (size_t i = max_tree_next(&repacker->ends, 0, bound + 1); i < all;
       i = max_tree_next(&repacker->ends, i + 1, bound + 1)) {
    if (!movable_has(&repacker->movable, i)) continue;
    double height = (double)(end_of(repacker, i) - bound) / (double)most;
    sum += height * height * height * height / (1 + repacker->failures[i]);
    repacker->offenders[repacker->offender_count] = (uint32_t)i;
    repacker->weights[repacker->offender_count++] = sum;
  }
  repacker->is_stale = false;
}

/* The index of the first running sum above `value`; the last index if rounding leaves none. */
static size_t pick(const double *sums, size_t count, double value) {
  struct bisection search = bisection_of(0, count - 1);
  while (bisection_open(&search))
    bisection_step(&search, sums[search.middle] <= value);
  return search.low;
}

static size_t draw_seed(struct repacker *repacker) {
  assert(repacker->offender_count > 0);
  double sum = repacker->weights[repacker->offender_count - 1];
  return repacker
      ->offenders[pick(repacker->weights, repacker->offender_count, chance(repacker) * sum)];
}

/* ---------------------------------------------------------------- a group */

struct group {
  size_t seed;
  bool has_everything;
  const uint32_t *members;
  size_t count;
  neap_size top, target;
};

/*
 * Chooses a target below the group's highest end and above the highest refuted target; false if
 * there is none.
 */
static bool draw_target(struct repacker *repacker, struct group *group) {
  neap_size refuted = refuted_groups_target(&repacker->refuted, group->members, group->count);
  group->top = 0;
  for (size_t i = 0; i < group->count; i++) {
    neap_offset end = end_of(repacker, group->members[i]);
    if (end > group->top) group->top = end;
  }
  neap_size way = (group->top - repacker->task.bound) >>
                  random_below(repacker->task.random, REPACKER_TARGETS);
  group->target = group->top - (way > 0 ? way : 1);
  if (group->target <= refuted) group->target = refuted + (group->top - refuted) / 2;
  return group->target > refuted && group->target < group->top;
}

static bool take_group(struct repacker *repacker, struct group *group) {
  size_t size = (size_t)(repacker->reach * (0.5 + chance(repacker)));
  group->seed = draw_seed(repacker);
  group->has_everything =
      !neighbourhood_is_in(repacker->task.disabled, NEIGHBOURHOOD_EVERYTHING) &&
      repacker->task.problem->count <= REPACKER_EVERYTHING_MOST &&
      repacker->groups++ % REPACKER_EVERYTHING_EVERY == 0;
  struct grower_wish wish = {.seed = group->seed,
                             .most = size > 0 ? size : 1,
                             .kinship = random_below(repacker->task.random, KINSHIPS),
                             .peak = peak_of(repacker)};
  if (group->has_everything) wish.kinship = KIN_ALL, wish.most = SIZE_MAX;
  if (!grower_grow(repacker->grower, &wish)) return false;
  group->members = grower_members(repacker->grower, &group->count);
  return memory_reserve(&repacker->placed, &repacker->placed_capacity, group->count,
                        sizeof *repacker->placed);
}

static bool learn(struct repacker *repacker, size_t seed, bool has_improved) {
  if (has_improved) {
    repacker->failures[seed] /= 2;
    repacker->failures_in_row = 0;
    repacker->reach *= REPACKER_GROUP_DECAY;
    if (repacker->reach < REPACKER_GROUP_LEAST) repacker->reach = REPACKER_GROUP_LEAST;
    return true;
  }
  const struct room_layout layout = room_of(repacker);
  repacker->failures[seed]++;
  repacker->failures_in_row++;
  repacker->reach *= REPACKER_GROUP_GROWTH;
  if (repacker->reach > REPACKER_GROUP_MOST)
    repacker->reach = (double)repacker->task.group_size;
  return blame_add(&repacker->blame, &layout, seed);
}

static void put_back(struct repacker *repacker, const struct group *group) {
  for (size_t i = 0; i < group->count; i++) {
    repacker->task.layout[group->members[i]] = repacker->placed[i];
    max_tree_set(&repacker->ends, group->members[i], end_of(repacker, group->members[i]));
  }
  layout_changed(repacker);
}

/* False when memory is short. */
static bool record_group(const struct repacker *repacker, const struct group *group,
                         enum verdict verdict) {
  static const neap_move_outcome outcomes[] = {[VERDICT_FOUND] = NEAP_MOVE_LOWERED,
                                               [VERDICT_REFUTED] = NEAP_MOVE_REFUTED,
                                               [VERDICT_OPEN] = NEAP_MOVE_OPEN};
  if (!repacker->task.moves || verdict == VERDICT_MEMORY || verdict == VERDICT_STOPPED)
    return true;
  const neap_move move = {.blamed = group->has_everything ? NEAP_NO_BUFFER : group->seed,
                          .top = group->top,
                          .target = group->target,
                          .outcome = outcomes[verdict],
                          .member_count = group->count,
                          .members = group->members,
                          .offsets = verdict == VERDICT_FOUND ? repacker->placed : NULL};
  return moves_add(repacker->task.moves, &move);
}

static enum verdict search_group(struct repacker *repacker, const struct group *group) {
  const struct room_layout layout = room_of(repacker);
  struct room_task task = {.members = group->members,
                           .count = group->count,
                           .target = group->target,
                           .restarts = REPACKER_RESTARTS *
                                       (1 + repacker->failures_in_row / REPACKER_PATIENCE),
                           .disabled = repacker->task.disabled,
                           .seed = random_below(repacker->task.random, 1u << 30)};
  enum verdict verdict = room_search(&layout, &task, repacker->task.budget, repacker->placed);
  if (verdict == VERDICT_FOUND) put_back(repacker, group);
  if (verdict == VERDICT_REFUTED)
    refuted_groups_add(&repacker->refuted, group->members, group->count, group->target);
  return verdict;
}

/* Takes out a group and searches; *found tells whether the group is lower now. */
static neap_status try_group(struct repacker *repacker, bool *found, neap_error *error) {
  struct group group;
  *found = false;
  if (!take_group(repacker, &group)) return error_memory(error);
  shares_spend(&repacker->shares, WAY_GROUP, 1 + REPACKER_MEMBER_TICKS * (double)group.count);
  enum verdict verdict =
      draw_target(repacker, &group) ? search_group(repacker, &group) : VERDICT_REFUTED;
  *found = verdict == VERDICT_FOUND;
  if (verdict == VERDICT_STOPPED) return NEAP_NO_PLAN;
  bool is_noted = record_group(repacker, &group, verdict);
  if (verdict == VERDICT_MEMORY || !is_noted) return error_memory(error);
  if (group.has_everything) return NEAP_OK; /* this says little about smaller groups */
  return learn(repacker, group.seed, *found) ? NEAP_OK : error_memory(error);
}

/* ---------------------------------------------------------------- everything */

/* Records a move of all buffers that can move; false when memory is short. */
static bool record_everything(const struct repacker *repacker, neap_size before) {
  const struct repacker_task *task = &repacker->task;
  if (!task->moves) return true;
  uint32_t *members = memory_array(task->problem->count, sizeof *members);
  neap_offset *offsets = memory_array(task->problem->count, sizeof *offsets);
  neap_move move = {.blamed = NEAP_NO_BUFFER,
                    .top = before,
                    .target = peak_of(repacker),
                    .outcome = NEAP_MOVE_LOWERED,
                    .members = members,
                    .offsets = offsets};
  for (size_t i = 0; members && offsets && i < task->problem->count; i++) {
    if (!movable_has(&repacker->movable, i)) continue;
    members[move.member_count] = (uint32_t)i;
    offsets[move.member_count++] = task->layout[i];
  }
  bool added = members && offsets && moves_add(task->moves, &move);
  free(members);
  free(offsets);
  return added;
}

static neap_status try_whole(struct repacker *repacker, enum global_kind search, bool *found,
                             neap_error *error) {
  neap_size before = peak_of(repacker);
  neap_status status =
      global_search_step(repacker->global, search, repacker->task.layout, error);
  *found = problem_peak(repacker->task.problem, repacker->task.layout) < before;
  if (!*found) return status;
  repacker_refresh(repacker);
  return record_everything(repacker, before) ? status : error_memory(error);
}

/* ---------------------------------------------------------------- sharing the work */

static void close_ways(struct repacker *repacker) {
  const struct global_search *global = repacker->global;
  uint64_t disabled = repacker->task.disabled;
  repacker->shares.ways[WAY_GROUP].is_closed =
      neighbourhood_is_in(disabled, NEIGHBOURHOOD_GROUPS) || repacker->offender_count == 0;
  repacker->shares.ways[WAY_PLAIN].is_closed =
      neighbourhood_is_in(disabled, NEIGHBOURHOOD_WHOLE) ||
      !global_search_can_go_on(global, GLOBAL_PLAIN);
  repacker->shares.ways[WAY_ROUNDED].is_closed =
      neighbourhood_is_in(disabled, NEIGHBOURHOOD_ROUNDED) ||
      !global_search_can_go_on(global, GLOBAL_ROUNDED);
}

/* Tries one way; *found tells whether some part of the layout is lower now. */
static neap_status try_way(struct repacker *repacker, enum way way, bool *found,
                           neap_error *error) {
  if (way == WAY_GROUP) return try_group(repacker, found, error);
  enum global_kind search = way == WAY_PLAIN ? GLOBAL_PLAIN : GLOBAL_ROUNDED;
  return try_whole(repacker, search, found, error);
}

static neap_status attempt(struct repacker *repacker, enum way way, struct repacked *repacked,
                           neap_error *error) {
  uint64_t before = repacker->task.budget->ticks;
  neap_size peak = peak_of(repacker);
  bool found;
  neap_status status = try_way(repacker, way, &found, error);
  double ticks = (double)(repacker->task.budget->ticks - before);
  if (way == WAY_PLAIN) ticks *= repacker->plain_tick_cost;
  shares_spend(&repacker->shares, way, ticks);
  repacked->groups++;
  repacked->improved += found;
  if (peak_of(repacker) < peak) shares_reward(&repacker->shares, way);
  return status;
}

neap_status repacker_run(struct repacker *repacker, uint64_t groups, struct repacked *repacked,
                         neap_error *error) {
  *repacked = (struct repacked){0};
  neap_status status = NEAP_OK;
  blame_fade(&repacker->blame);
  repacker->is_stale = true;
  while (status == NEAP_OK && repacked->groups < groups) {
    if (peak_of(repacker) <= repacker->task.bound) break;
    if (!budget_tick(repacker->task.budget)) return NEAP_NO_PLAN;
    if (repacker->is_stale) list_offenders(repacker);
    close_ways(repacker);
    enum way way = shares_choose(&repacker->shares);
    repacked->is_final = way == WAYS || peak_of(repacker) <= repacker_lower_bound(repacker);
    if (repacked->is_final) break;
    status = attempt(repacker, way, repacked, error);
  }
  return status;
}
