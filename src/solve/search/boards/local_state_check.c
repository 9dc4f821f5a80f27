/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The invariants of the local board. */
#include "search/boards/local_state.h"

#include "core/hash_set.h"

static bool is_left(const struct local *local, uint32_t item) {
  const struct candidates *candidates = &local->candidates;
  uint32_t rank = candidates->rank[item];
  struct span span = local->board.part->spans[item];
  return candidates_best(candidates, span, span.first, NEAP_MAX, rank) == rank;
}

static const char *broken_column(const struct local *local, uint32_t at) {
  const struct part *part = local->board.part;
  neap_size rest = 0, above = 0;
  neap_offset top = 0, floor = skyline_floor(&local->skyline, at);
  for (uint32_t i = 0; i < part->count; i++) {
    if (at < part->spans[i].first || at >= part->spans[i].end) continue;
    if (part->fixed[i] != NEAP_UNPLACED) {
      if (part->fixed[i] >= floor) above += part->size[i];
      else if (part->fixed[i] + part->size[i] > floor) return "a floor is within an obstacle";
      if (part->fixed[i] == floor) return "a floor is at an obstacle's bottom";
    } else if (is_left(local, i)) rest += part->size[i];
    else if (local->offsets[i] + part->size[i] > top) top = local->offsets[i] + part->size[i];
  }
  if (top > local->capacity) return "a placed rectangle ends above the capacity";
  if (rest == 0) return floor == SKYLINE_WALL ? NULL : "a finished column is no wall";
  if (floor < top) return "a floor is below the top of what is placed";
  if (range_min_at(&local->rest, at) != rest) return "a rest is not the sum of the sizes left";
  neap_size slack = local->capacity - floor - rest - above;
  if (range_min_at(&local->slack, at) != slack) return "a slack is not what is left";
  return slack < 0 ? "a slack is negative" : NULL;
}

const char *local_broken(const struct board *board) {
  const struct local *local = const_local_of(board);
  const char *broken = NULL;
  size_t left_count = 0;
  for (uint32_t at = 0; at < board->part->column_count && !broken; at++)
    broken = broken_column(local, at);
  for (uint32_t i = 0; i < board->part->count; i++)
    left_count += is_left(local, i);
  if (broken) return broken;
  return left_count + local->placed_count == board->part->count ? NULL
                                                                : "what is left is miscounted";
}

uint64_t local_digest(const struct board *board) {
  const struct local *local = const_local_of(board);
  uint64_t digest = local->placed_count;
  for (uint32_t i = 0; i < board->part->count; i++)
    digest = hash_next(digest, is_left(local, i));
  for (uint32_t at = 0; at < board->part->column_count; at++) {
    digest = hash_next(digest, (uint64_t)skyline_floor(&local->skyline, at));
    digest = hash_next(digest, (uint64_t)range_min_at(&local->slack, at));
    digest = hash_next(digest, (uint64_t)range_min_at(&local->rest, at));
    digest = hash_next(digest, (uint64_t)range_min_at(local_urgency(local), at));
  }
  return digest;
}
