/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recomputes the state of the global board from its lows and compares, the slow way. */
#include "search/boards/global_state.h"

#include "core/hash_set.h"

static bool is_fixed(const struct global_state *state, uint32_t item) {
  return state->part->fixed[item] != NEAP_UNPLACED;
}

static const char *broken_low(const struct global_state *state, uint32_t item) {
  neap_offset low = state->low[item], fixed = state->part->fixed[item];
  if (low < 0) return "a low is negative";
  if (is_fixed(state, item) && low != fixed) return "a fixed rectangle has moved";
  bool is_placed = !is_fixed(state, item) && !global_state_is_left(state, item);
  if (is_placed && low % state->part->alignment[item] != 0) return "a low is not aligned";
  if (!global_state_is_left(state, item) && low + state->part->size[item] > state->capacity)
    return "a placed rectangle ends above the capacity";
  return NULL;
}

/* Checks a pair of overlapping rectangles of which the first is placed. */
static const char *broken_pair(const struct global_state *state, uint32_t placed,
                               uint32_t other) {
  neap_offset low = state->low[placed], top = low + state->part->size[placed];
  if (global_state_is_left(state, other) && !global_state_is_obstacle(state, placed))
    return state->low[other] < top ? "a low is below the top of what is placed" : NULL;
  return state->low[other] < top && low < state->low[other] + state->part->size[other]
             ? "two placed rectangles collide"
             : NULL;
}

static const char *broken_rectangle(const struct global_state *state, uint32_t item) {
  const char *broken = broken_low(state, item);
  for (uint32_t other = 0; !broken && other < state->part->count; other++) {
    bool overlaps = rectangle_sets_has(&state->overlaps, item, other);
    if (overlaps && other != item && !global_state_is_left(state, item))
      broken = broken_pair(state, item, other);
  }
  return broken;
}

static const char *broken_column(const struct global_state *state, uint32_t at) {
  struct rectangle_walk walk = rectangle_walk(&state->members, at, state->left);
  neap_offset floor = NEAP_MAX;
  neap_size rest = state->reserve > 0;
  uint32_t count = 0, tops = 0, item;
  while (rectangle_walk_next(&walk, &item)) {
    if (state->low[item] < floor) count = 0;
    if (state->low[item] < floor) floor = state->low[item];
    if (state->low[item] == floor) count++;
    rest += state->part->size[item];
    if (global_state_may_top(state, item) && tops++ == 0) rest--;
  }
  if (state->floor[at] != floor) return "a floor is not the smallest low";
  if (state->lowest_count[at] != count) return "the rectangles at a floor are miscounted";
  if (state->tops[at] != tops) return "the rectangles that may end on top are miscounted";
  if (!state->part->ties && state->rest[at] != rest)
    return "a rest is not the sum of the sizes left";
  if (floor != NEAP_MAX && global_state_slack(state, at) < 0) return "a slack is negative";
  return state->steps[at] != 0 ? "scratch space is not cleared" : NULL;
}

static const char *broken_crossing(const struct global_state *state) {
  for (uint32_t at = 0; at + 1 < state->part->column_count; at++) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < state->part->count; i++)
      count += global_state_is_left(state, i) && state->hulls[i].first <= at &&
               at + 1 < state->hulls[i].end;
    if (state->crossing[at] != count) return "hulls that cross are miscounted";
  }
  return NULL;
}

const char *global_state_broken(const struct global_state *state) {
  const struct part *part = state->part;
  const char *broken = broken_crossing(state);
  uint32_t left_count = 0;
  for (uint32_t i = 0; i < part->count && !broken; i++)
    broken = broken_rectangle(state, i);
  for (uint32_t at = 0; at < part->column_count && !broken; at++)
    broken = broken_column(state, at);
  for (uint32_t i = 0; i < part->count; i++)
    left_count += global_state_is_left(state, i);
  if (broken) return broken;
  if (left_count != state->left_count) return "what is left is miscounted";
  if (state->dirty_count != 0) return "a column is still dirty";
  wide_half key = global_state_key_of(state, (struct span){0, part->column_count});
  return !part->ties && key != state->key ? "the key is not that of the lows" : NULL;
}

uint64_t global_state_digest(const struct global_state *state) {
  const struct part *part = state->part;
  uint64_t digest = hash_next(state->left_count, (uint64_t)state->key);
  for (uint32_t i = 0; i < part->count; i++) {
    digest = hash_next(digest, global_state_is_left(state, i));
    digest = hash_next(digest, (uint64_t)state->low[i]);
  }
  for (uint32_t at = 0; at < part->column_count; at++) {
    digest = hash_next(digest, (uint64_t)state->floor[at]);
    digest = hash_next(digest, (uint64_t)state->rest[at]);
    digest = hash_next(digest, (uint64_t)state->lowest_count[at] << 32 | state->crossing[at]);
  }
  return digest;
}
