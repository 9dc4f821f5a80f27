/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/cuts.h"

#include <stdlib.h>

#include "core/memory.h"

bool cuts_init(struct cuts *cuts, neap_time duration, neap_size size, size_t wanted,
               struct random *random) {
  *cuts = (struct cuts){.wanted = wanted, .random = random, .count = 1};
  cuts->pieces = memory_array(wanted, sizeof *cuts->pieces);
  if (cuts->pieces) cuts->pieces[0] = (struct piece){0, duration, 0, size};
  return cuts->pieces != NULL;
}

void cuts_clear(struct cuts *cuts) {
  free(cuts->pieces);
  *cuts = (struct cuts){0};
}

/* Two different positions strictly between two ends, in ascending order. */
static void two_between(struct random *random, int64_t low, int64_t high, int64_t places[2]) {
  int64_t one = kind_between(random, low + 1, high - 1);
  int64_t other = kind_between(random, low + 1, high - 2);
  if (other >= one) other++;
  places[0] = one < other ? one : other;
  places[1] = one < other ? other : one;
}

void cuts_pinwheel(struct cuts *cuts, size_t at) {
  struct piece whole = cuts->pieces[at];
  int64_t x[2], y[2];
  two_between(cuts->random, whole.start, whole.end, x);
  two_between(cuts->random, whole.bottom, whole.top, y);
  struct piece *added = &cuts->pieces[cuts->count];
  if (kind_chance(cuts->random, 2)) {
    cuts->pieces[at] = (struct piece){whole.start, x[1], whole.bottom, y[0]};
    added[0] = (struct piece){x[1], whole.end, whole.bottom, y[1]};
    added[1] = (struct piece){x[0], whole.end, y[1], whole.top};
    added[2] = (struct piece){whole.start, x[0], y[0], whole.top};
  } else {
    cuts->pieces[at] = (struct piece){whole.start, x[0], whole.bottom, y[1]};
    added[0] = (struct piece){whole.start, x[1], y[1], whole.top};
    added[1] = (struct piece){x[1], whole.end, y[0], whole.top};
    added[2] = (struct piece){x[0], whole.end, whole.bottom, y[0]};
  }
  added[3] = (struct piece){x[0], x[1], y[0], y[1]};
  cuts->count += 4;
}

void cuts_time(struct cuts *cuts, size_t at) {
  struct piece *piece = &cuts->pieces[at], *added = &cuts->pieces[cuts->count++];
  int64_t place = kind_between(cuts->random, piece->start + 1, piece->end - 1);
  *added = *piece;
  added->start = piece->end = place;
}

void cuts_size(struct cuts *cuts, size_t at) {
  struct piece *piece = &cuts->pieces[at], *added = &cuts->pieces[cuts->count++];
  int64_t place = kind_between(cuts->random, piece->bottom + 1, piece->top - 1);
  *added = *piece;
  added->bottom = piece->top = place;
}

neap_status cuts_add(struct cuts *cuts, neap_problem *problem, neap_error *error) {
  for (size_t left = cuts->count; left > 0; left--) {
    size_t at = random_below(cuts->random, (uint32_t)left);
    struct piece piece = cuts->pieces[at];
    cuts->pieces[at] = cuts->pieces[left - 1];
    neap_status status = kind_add(problem, piece.start, piece.end, piece_size(&piece), error);
    if (status != NEAP_OK) return status;
  }
  return NEAP_OK;
}
