/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every limit on the offset of a body can name the next offset that it allows, at or above a
 * given one.  To find the lowest offset that all limits allow, ask one limit after another
 * until none moves the body further up.  Each answer is a lower bound of the result, so the
 * result is the lowest.  Cost: the number of moves times the limits of the body's seats.
 *
 * Banks of placed partners are holes:
 *
 *     banks     |0       |1       |2       |3       |
 *     partner           ▓▓▓▓▓
 *     closed    ████████████████████                     to a buffer separated from it by banks
 */
#include "place/state.h"

#include <assert.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"

/* ---------------------------------------------------------------- making */

bool limiter_is_needed(const struct neap_problem *problem) {
  return domains_matter(problem) || problem_has(problem, RELATION_TIES);
}

static bool make_seats(struct limiter *limiter) {
  const struct bodies *bodies = &limiter->bodies;
  limiter->seat_capacity = 1;
  for (size_t b = 0; b < bodies->count; b++) {
    size_t members = bodies->items[b].end - bodies->items[b].begin;
    if (members > limiter->seat_capacity) limiter->seat_capacity = members;
  }
  limiter->seats = memory_array(limiter->seat_capacity, sizeof *limiter->seats);
  return limiter->seats != NULL;
}

neap_status limiter_init(struct limiter *limiter, const struct neap_problem *problem,
                         neap_error *error) {
  *limiter = (struct limiter){.problem = problem};
  neap_status status = domains_init(&limiter->domains, problem, error);
  if (status == NEAP_OK) status = bodies_init(&limiter->bodies, problem, error);
  if (status == NEAP_OK &&
      (!make_seats(limiter) || !relation_index_init(&limiter->banks, problem, RELATION_BANKS)))
    status = error_memory(error);
  if (status != NEAP_OK) limiter_clear(limiter);
  return status;
}

void limiter_clear(struct limiter *limiter) {
  for (size_t s = 0; limiter->seats && s < limiter->seat_capacity; s++) {
    view_clear(&limiter->seats[s].view);
    free(limiter->seats[s].closed);
  }
  free(limiter->seats);
  relation_index_clear(&limiter->banks);
  domains_clear(&limiter->domains);
  bodies_clear(&limiter->bodies);
  *limiter = (struct limiter){0};
}

bool limiter_concerns(const struct limiter *limiter, size_t buffer) {
  struct domain domain = domains_of(&limiter->domains, buffer);
  return relation_index_of(&limiter->banks, buffer).count > 0 ||
         bodies_of(&limiter->bodies, buffer) != BODIES_NONE || !domain_is_plain(&domain);
}

/* ---------------------------------------------------------------- closed banks */

static int by_low(const void *left, const void *right) {
  const struct hole *a = left, *b = right;
  return a->low < b->low ? -1 : a->low > b->low;
}

/* Merges the holes of a seat that overlap or touch. */
static void merge_closed(struct seat *seat) {
  size_t kept = 0;
  if (seat->closed_count < 2) return;
  qsort(seat->closed, seat->closed_count, sizeof *seat->closed, by_low);
  for (size_t h = 1; h < seat->closed_count; h++) {
    struct hole *last = &seat->closed[kept];
    if (last->high < seat->closed[h].low) seat->closed[++kept] = seat->closed[h];
    else if (last->high < seat->closed[h].high) last->high = seat->closed[h].high;
  }
  seat->closed_count = kept + 1;
}

/* The bytes of all banks that contain bytes of a placed buffer. */
static struct hole banks_of(neap_offset low, neap_size size, neap_size bank) {
  neap_offset high = NEAP_MAX;
  (void)checked_round_up(low + size, bank, &high);
  return (struct hole){round_down(low, bank), high};
}

/* False when memory is short. */
static bool close_banks(const struct limiter *limiter, const neap_offset *offsets,
                        struct seat *seat) {
  const struct related related = relation_index_of(&limiter->banks, seat->buffer);
  seat->closed_count = 0;
  if (seat->domain.size == 0) return true;
  if (!memory_reserve(&seat->closed, &seat->closed_capacity, related.count,
                      sizeof *seat->closed))
    return false;
  for (size_t r = 0; r < related.count; r++) {
    size_t partner = relation_other(related.items[r], seat->buffer);
    neap_size size = limiter->problem->buffers[partner].size;
    neap_offset offset = offsets[partner];
    if (size > 0 && offset != NEAP_UNPLACED)
      seat->closed[seat->closed_count++] = banks_of(offset, size, related.items[r]->bytes);
  }
  merge_closed(seat);
  return true;
}

/* The lowest offset, at or above `from`, at which a seat touches no closed bank. */
static neap_offset next_open(const struct seat *seat, neap_offset from) {
  const struct domain open = {.size = seat->domain.size,
                              .alignment = 1,
                              .fixed = NEAP_UNPLACED,
                              .window_high = NEAP_MAX,
                              .holes = seat->closed,
                              .hole_count = seat->closed_count};
  return domain_next(&open, from);
}

/* ---------------------------------------------------------------- seats */

static bool fill_seat(struct limiter *limiter, const struct placed *placed, size_t buffer) {
  struct seat *seat = &limiter->seats[limiter->seat_count++];
  assert(placed->offsets[buffer] == NEAP_UNPLACED);
  seat->buffer = buffer;
  seat->inner = limiter->bodies.of ? limiter->bodies.inner[buffer] : 0;
  seat->domain = domains_of(&limiter->domains, buffer);
  seat->view.count = 0;
  size_t begin = sections_spans_begin(placed->sections, buffer);
  size_t count = placed->sections->spans_end[buffer] - begin;
  return close_banks(limiter, placed->offsets, seat) &&
         (seat->domain.size == 0 ||
          container_view(placed->container, placed->sections->spans + begin, count,
                         &seat->view));
}

bool limiter_sit(struct limiter *limiter, const struct placed *placed, size_t buffer) {
  const struct bodies *bodies = &limiter->bodies;
  size_t of = bodies_of(bodies, buffer);
  limiter->seat_count = 0;
  if (of == BODIES_NONE) return fill_seat(limiter, placed, buffer);
  for (size_t m = bodies->items[of].begin; m < bodies->items[of].end; m++)
    if (!fill_seat(limiter, placed, bodies->members[m])) return false;
  return true;
}

/* ---------------------------------------------------------------- offsets */

bool limiter_allows(const struct limiter *limiter, neap_offset offset) {
  const struct seat *seat = &limiter->seats[0];
  assert(limiter->seat_count == 1);
  return domain_has(&seat->domain, offset) && next_open(seat, offset) == offset;
}

/* The next offset that the first objecting limit of a seat allows; `from` if none objects. */
static neap_offset next_for(struct seat *seat, neap_offset from) {
  neap_offset next = domain_next(&seat->domain, from);
  if (next != from) return next;
  next = next_open(seat, from);
  if (next != from || seat->domain.size == 0) return next;
  return view_lowest(&seat->view, from, seat->domain.size, seat->domain.alignment);
}

/*
 * The distance that the body must move up from `base` until a bank begins between two of its
 * members; NEAP_UNPLACED if that is impossible.
 */
static neap_offset way_apart(const struct limiter *limiter, const neap_relation *relation,
                             neap_offset base) {
  const struct buffer *buffers = limiter->problem->buffers;
  size_t low = relation->first, high = relation->second;
  const neap_offset *inner = limiter->bodies.inner;
  neap_offset boundary;
  if (buffers[low].size == 0 || buffers[high].size == 0) return 0;
  if (inner[low] > inner[high]) low = relation->second, high = relation->first;
  if (inner[high] - inner[low] < buffers[low].size ||
      !checked_round_up(base + inner[low] + buffers[low].size, relation->bytes, &boundary))
    return NEAP_UNPLACED;
  neap_offset begin = base + inner[high];
  return boundary <= begin ? 0 : boundary - begin;
}

/*
 * The next base, at or above `base`, if two members of the body still share a bank; else
 * `base`.
 */
static neap_offset next_apart(const struct limiter *limiter, neap_offset base) {
  size_t of = bodies_of(&limiter->bodies, limiter->seats[0].buffer);
  if (of == BODIES_NONE) return base;
  for (size_t s = 0; s < limiter->seat_count; s++) {
    size_t buffer = limiter->seats[s].buffer;
    const struct related related = relation_index_of(&limiter->banks, buffer);
    for (size_t r = 0; r < related.count; r++) {
      if (bodies_of(&limiter->bodies, relation_other(related.items[r], buffer)) != of) continue;
      neap_offset way = way_apart(limiter, related.items[r], base);
      if (way == NEAP_UNPLACED) return NEAP_UNPLACED;
      if (way > 0) return base + way;
    }
  }
  return base;
}

/* The next base that a member allows; NEAP_UNPLACED if there is none. */
static neap_offset next_base(struct limiter *limiter, size_t s, neap_offset base) {
  struct seat *seat = &limiter->seats[s];
  neap_offset wanted;
  if (!checked_add(base, seat->inner, &wanted)) return NEAP_UNPLACED;
  neap_offset next = next_for(seat, wanted);
  return next == NEAP_UNPLACED ? NEAP_UNPLACED : next - seat->inner;
}

/* The bases that suit all alignments. */
static struct residues bases_of(const struct limiter *limiter) {
  size_t of = bodies_of(&limiter->bodies, limiter->seats[0].buffer);
  return of == BODIES_NONE ? (struct residues){limiter->seats[0].domain.alignment, 0}
                           : limiter->bodies.items[of].bases;
}

/*
 * A body without a place up to this offset has none above.  It is one period above the highest
 * limit that does not repeat.
 */
static neap_offset end_of_search(const struct limiter *limiter) {
  size_t of = bodies_of(&limiter->bodies, limiter->seats[0].buffer);
  neap_size period = of == BODIES_NONE ? 0 : limiter->bodies.items[of].period;
  neap_offset low = 0, end;
  if (period == 0) return NEAP_MAX;
  for (size_t s = 0; s < limiter->seat_count; s++) {
    const struct seat *seat = &limiter->seats[s];
    neap_offset tops[] = {
        seat->domain.window_low, seat->domain.fixed, view_top(&seat->view),
        seat->domain.hole_count > 0 ? seat->domain.holes[seat->domain.hole_count - 1].high : 0,
        seat->closed_count > 0 ? seat->closed[seat->closed_count - 1].high : 0};
    for (size_t t = 0; t < sizeof tops / sizeof tops[0]; t++)
      if (tops[t] > low) low = tops[t];
  }
  return checked_add(low, period, &end) ? end : NEAP_MAX;
}

neap_offset limiter_lowest(struct limiter *limiter) {
  struct residues bases = bases_of(limiter);
  neap_offset base = 0, last = end_of_search(limiter);
  if (bases.step == 0) return NEAP_UNPLACED;
  for (size_t s = 0; s < limiter->seat_count; s++)
    view_rewind(&limiter->seats[s].view);
  for (size_t agreed = 0, s = 0; agreed < limiter->seat_count;
       s = s + 1 < limiter->seat_count ? s + 1 : 0) {
    if (base > last || !residues_next(&bases, base, &base)) return NEAP_UNPLACED;
    neap_offset next = next_base(limiter, s, base);
    agreed = next == base ? agreed + 1 : 0;
    if (agreed == limiter->seat_count) next = next_apart(limiter, base);
    if (next == NEAP_UNPLACED) return NEAP_UNPLACED;
    if (next > base) agreed = 0;
    base = next;
  }
  return base;
}
