/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ties of a rectangle allow a set of offsets that need not be contiguous: banks, reserved
 * bytes and placed partners cut it into pieces.  To find the lowest allowed offset at or above
 * a height, leap over one obstacle after another until none is in the way.  Every leap is
 * forced, so the result is the least.  For a body, all members leap in turn.  Cost: the number
 * of leaps times the partners and members.
 */
#include "search/boards/place_constrained.h"

#include <assert.h>

#include "core/checked.h"

neap_offset settle_on(const struct tie_partner *partner, neap_offset low) {
  if (partner->bank > 0) return round_down(low, partner->bank) + partner->bank;
  return low + partner->above;
}

/*
 * Leaps above a placed partner that has bytes in the same bank, to the start of the next bank.
 */
static neap_offset leap_bank(const struct settle_view *view, const struct tie_partner *partner,
                             neap_size size, neap_offset from) {
  neap_offset other = view->offsets[partner->other];
  neap_offset other_end = other + view->ties->domains[partner->other].size;
  neap_offset first = from / partner->bank, last = (from + size - 1) / partner->bank;
  neap_offset low = other / partner->bank, high = (other_end - 1) / partner->bank;
  return last < low || first > high ? from : (high + 1) * partner->bank;
}

/* The lowest offset at or above `from` that a placed partner allows. */
static neap_offset leap_partner(const struct settle_view *view,
                                const struct tie_partner *partner, neap_size size,
                                neap_offset from) {
  neap_offset other = view->offsets[partner->other];
  if (partner->bank > 0) return leap_bank(view, partner, size, from);
  if (from >= other + partner->above || from + partner->below <= other) return from;
  return other + partner->above;
}

static bool is_placed(const struct settle_view *view, uint32_t rectangle) {
  return view->left && !(view->left[rectangle >> 6] >> (rectangle & 63) & 1);
}

/* The lowest offset at or above `from` that all placed partners of a rectangle allow. */
static neap_offset leap_partners(const struct settle_view *view, uint32_t rectangle,
                                 neap_offset from) {
  const struct ties *ties = view->ties;
  neap_offset before;
  do {
    before = from;
    for (size_t k = ties->partners_begin[rectangle]; k < ties->partners_begin[rectangle + 1];
         k++)
      if (is_placed(view, ties->partners[k].other))
        from = leap_partner(view, &ties->partners[k], ties->domains[rectangle].size, from);
  } while (from != before);
  return from;
}

static neap_offset settle_alone(const struct settle_view *view, uint32_t rectangle,
                                neap_offset from) {
  for (;;) {
    neap_offset low = domain_next(&view->ties->domains[rectangle], from);
    if (low == NEAP_UNPLACED || low > view->limit) return NEAP_UNPLACED;
    from = leap_partners(view, rectangle, low);
    if (from == low) return low;
  }
}

/*
 * Moves a body's base up until the domain of one member allows its offset; false if none is
 * allowed.
 */
static bool leap_member(const struct tie_member *member, neap_offset *base) {
  neap_offset from, low;
  if (!checked_add(*base, member->delta, &from)) return false;
  low = domain_next(&member->domain, from);
  if (low != NEAP_UNPLACED) *base = low - member->delta;
  return low != NEAP_UNPLACED;
}

/*
 * Moves a body's base up until no bank holds bytes of both a rectangle and a higher partner in
 * the same body: a bank boundary must lie between the end of one and the start of the other.
 */
static neap_offset leap_inner_banks(const struct ties *ties, uint32_t rectangle,
                                    neap_offset base) {
  neap_offset end = ties->delta[rectangle] + ties->domains[rectangle].size;
  for (size_t k = ties->partners_begin[rectangle]; k < ties->partners_begin[rectangle + 1];
       k++) {
    const struct tie_partner *partner = &ties->partners[k];
    neap_offset other = ties->delta[partner->other];
    if (partner->bank == 0 || ties->body[partner->other] != ties->body[rectangle]) continue;
    if (other < end && ties->delta[rectangle] < other + ties->domains[partner->other].size)
      return NEAP_UNPLACED;    /* they share bytes */
    if (other < end) continue; /* the partner is lower; its own call handles the pair */
    neap_offset boundary = round_up(base + end, partner->bank);
    if (boundary > base + other) base = boundary - other;
  }
  return base;
}

static neap_offset settle_body(const struct settle_view *view, const struct tie_body *body,
                               neap_offset base) {
  const struct ties *ties = view->ties;
  neap_offset before;
  do {
    if (base > view->limit) return NEAP_UNPLACED;
    before = base;
    for (size_t k = body->members_begin; k < body->members_end; k++)
      if (!leap_member(&ties->members[k], &base)) return NEAP_UNPLACED;
    for (size_t k = body->rectangles_begin; k < body->rectangles_end; k++) {
      uint32_t rectangle = ties->rectangles[k];
      neap_offset delta = ties->delta[rectangle];
      base = leap_partners(view, rectangle, base + delta) - delta;
      base = leap_inner_banks(ties, rectangle, base);
      if (base == NEAP_UNPLACED) return base;
    }
  } while (base != before);
  return base;
}

neap_offset settle_lowest(const struct settle_view *view, uint32_t rectangle,
                          neap_offset from) {
  const struct ties *ties = view->ties;
  if (ties->body[rectangle] == TIES_NONE) return settle_alone(view, rectangle, from);
  neap_offset delta = ties->delta[rectangle];
  neap_offset base =
      settle_body(view, &ties->bodies[ties->body[rectangle]], from > delta ? from - delta : 0);
  return base == NEAP_UNPLACED ? base : base + delta;
}
