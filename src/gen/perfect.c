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
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "gen/kind.h"

/* The sheet's extents; as many moments as bytes. */
#define EXTENT INT64_C(16777216)

struct piece {
  neap_time start, end;
  neap_offset bottom, top;
};

struct sheet {
  struct piece *pieces;
  size_t count, wanted;
  struct random *random;
};

static int64_t area_of(const struct piece *piece) {
  return (piece->end - piece->start) * (piece->top - piece->bottom);
}

/* Two different positions strictly between two ends, in ascending order. */
static void two_between(struct random *random, int64_t low, int64_t high, int64_t places[2]) {
  int64_t one = kind_between(random, low + 1, high - 1);
  int64_t other = kind_between(random, low + 1, high - 2);
  if (other >= one) other++;
  places[0] = one < other ? one : other;
  places[1] = one < other ? other : one;
}

static void cut_pinwheel(struct sheet *sheet, size_t at) {
  struct piece whole = sheet->pieces[at];
  int64_t x[2], y[2];
  two_between(sheet->random, whole.start, whole.end, x);
  two_between(sheet->random, whole.bottom, whole.top, y);
  struct piece *added = &sheet->pieces[sheet->count];
  if (kind_chance(sheet->random, 2)) {
    sheet->pieces[at] = (struct piece){whole.start, x[1], whole.bottom, y[0]};
    added[0] = (struct piece){x[1], whole.end, whole.bottom, y[1]};
    added[1] = (struct piece){x[0], whole.end, y[1], whole.top};
    added[2] = (struct piece){whole.start, x[0], y[0], whole.top};
  } else {
    sheet->pieces[at] = (struct piece){whole.start, x[0], whole.bottom, y[1]};
    added[0] = (struct piece){whole.start, x[1], y[1], whole.top};
    added[1] = (struct piece){x[1], whole.end, y[0], whole.top};
    added[2] = (struct piece){x[0], whole.end, whole.bottom, y[0]};
  }
  added[3] = (struct piece){x[0], x[1], y[0], y[1]};
  sheet->count += 4;
}

static void cut_time(struct sheet *sheet, size_t at) {
  struct piece *piece = &sheet->pieces[at], *added = &sheet->pieces[sheet->count++];
  int64_t place = kind_between(sheet->random, piece->start + 1, piece->end - 1);
  *added = *piece;
  added->start = piece->end = place;
}

static void cut_size(struct sheet *sheet, size_t at) {
  struct piece *piece = &sheet->pieces[at], *added = &sheet->pieces[sheet->count++];
  int64_t place = kind_between(sheet->random, piece->bottom + 1, piece->top - 1);
  *added = *piece;
  added->bottom = piece->top = place;
}

/* Cuts a piece if possible; the sheet is so large that most pieces can be cut. */
static void cut_piece(struct sheet *sheet, size_t at) {
  const struct piece *piece = &sheet->pieces[at];
  int64_t duration = piece->end - piece->start, size = piece->top - piece->bottom;
  bool fits = duration >= 3 && size >= 3 && sheet->wanted - sheet->count >= 4;
  if (kind_chance(sheet->random, 3) && fits) cut_pinwheel(sheet, at);
  else if (kind_chance(sheet->random, 2) && duration >= 2) cut_time(sheet, at);
  else if (size >= 2) cut_size(sheet, at);
}

static size_t larger_of_two(const struct sheet *sheet) {
  size_t one = random_below(sheet->random, (uint32_t)sheet->count);
  size_t other = random_below(sheet->random, (uint32_t)sheet->count);
  return area_of(&sheet->pieces[one]) >= area_of(&sheet->pieces[other]) ? one : other;
}

/* Adds the pieces in random order, which reveals nothing about the packing. */
static neap_status add_shuffled(neap_problem *problem, struct sheet *sheet, neap_error *error) {
  for (size_t left = sheet->count; left > 0; left--) {
    size_t at = random_below(sheet->random, (uint32_t)left);
    struct piece piece = sheet->pieces[at];
    sheet->pieces[at] = sheet->pieces[left - 1];
    neap_status status =
        kind_add(problem, piece.start, piece.end, piece.top - piece.bottom, error);
    if (status != NEAP_OK) return status;
  }
  return NEAP_OK;
}

neap_status perfect_fill(neap_problem *problem, size_t count, struct random *random,
                         neap_error *error) {
  struct sheet sheet = {.wanted = count, .random = random, .count = 1};
  sheet.pieces = memory_array(count, sizeof *sheet.pieces);
  if (!sheet.pieces) return error_memory(error);
  sheet.pieces[0] = (struct piece){0, EXTENT, 0, EXTENT};
  while (sheet.count < count)
    cut_piece(&sheet, larger_of_two(&sheet));
  neap_status status = add_shuffled(problem, &sheet, error);
  free(sheet.pieces);
  return status;
}
