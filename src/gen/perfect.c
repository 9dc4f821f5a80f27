/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Perfect packings.  A sheet of time by bytes is cut until there are as many pieces as asked for;
 * the larger of two pieces drawn at random is cut next, so that sizes spread but none stays huge.
 *
 *    ┌────┬──┐   A third of the cuts are pinwheels, five pieces around a centre,
 *    ├─┬──┤  │   which no sequence of straight cuts through can make; the others
 *    │ │  ├──┤   are straight, along time or along size.  Every byte is taken at
 *    │ ├──┴──┤   every moment, so the least peak is the sheet's height, and a
 *    └─┴─────┘   planner that leaves any gap misses it.
 */
#include "core/error.h"
#include "gen/cuts.h"

/* The sheet's extents; as many moments as bytes. */
#define EXTENT INT64_C(16777216)

/* Cuts a piece if possible; the sheet is so large that most pieces can be cut. */
static void cut_piece(struct cuts *cuts, size_t at) {
  const struct piece *piece = &cuts->pieces[at];
  int64_t duration = piece_duration(piece), size = piece_size(piece);
  bool fits = duration >= 3 && size >= 3 && cuts->wanted - cuts->count >= 4;
  if (kind_chance(cuts->random, 3) && fits) cuts_pinwheel(cuts, at);
  else if (kind_chance(cuts->random, 2) && duration >= 2) cuts_time(cuts, at);
  else if (size >= 2) cuts_size(cuts, at);
}

static size_t larger_of_two(const struct cuts *cuts) {
  size_t one = random_below(cuts->random, (uint32_t)cuts->count);
  size_t other = random_below(cuts->random, (uint32_t)cuts->count);
  return piece_area(&cuts->pieces[one]) >= piece_area(&cuts->pieces[other]) ? one : other;
}

neap_status perfect_fill(neap_problem *problem, size_t count, struct random *random,
                         neap_error *error) {
  struct cuts cuts;
  if (!cuts_init(&cuts, EXTENT, EXTENT, count, random)) return error_memory(error);
  while (cuts.count < count)
    cut_piece(&cuts, larger_of_two(&cuts));
  neap_status status = cuts_add(&cuts, problem, error);
  cuts_clear(&cuts);
  return status;
}
