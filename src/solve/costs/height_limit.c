/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Above the ground's last edge, only other bodies matter, and those only within a *range*.
 * Alignments and banks repeat with a *period*.  So if bodies leave a gap there that is larger
 * than range and period together, everything above the gap can move down by one period, and
 * costs the same:
 *
 *     ground |....edge|  a  b  |    > range + period    |  c  d        c and d move down
 *
 * A layout without such gaps reaches at most one range and one period per body above the edge.
 */
#include "costs/assign.h"

struct ceiling {
  const struct net *net;
  struct residues period; /* its step is a common multiple; INT64_MAX: too large */
  int64_t range, edge;
};

static void repeat(struct ceiling *ceiling, int64_t step) {
  if (!residues_meet(&ceiling->period, step, 0)) ceiling->period.step = INT64_MAX;
}

static void raise_to(int64_t *most, int64_t value) {
  if (value > *most) *most = value;
}

/*
 * Sets *range to the most that an arc reaches above or below the other body's position; false
 * if that is too large.  The positions that a bank forbids repeat with the bank.
 */
static bool range_of(struct ceiling *ceiling, const struct net_arc *arc, bool is_hard,
                     int64_t *range) {
  *range = larger_of(arc->high, -arc->low);
  if (!is_hard || arc->term == NET_NO_BANK) return true;
  const struct net_bank *bank = &ceiling->net->banks[arc->term];
  repeat(ceiling, bank->bytes);
  int64_t way = larger_of(bank->shift, bank->other_shift);
  return checked_add(way, larger_of(bank->size, bank->other_size), &way) &&
         checked_add(way, bank->bytes, range);
}

/* An edge of the ground matters to a body that can be at it or above it. */
static void add_edge(struct ceiling *ceiling, size_t body, int64_t edge) {
  if (edge <= ceiling->net->bodies[body].high) raise_to(&ceiling->edge, edge);
}

static bool add_arc(struct ceiling *ceiling, size_t body, const struct net_arc *arc,
                    bool is_hard) {
  int64_t range;
  if (arc->other == ceiling->net->count) {
    add_edge(ceiling, body, arc->low);
    add_edge(ceiling, body, arc->high);
    return true;
  }
  if (!range_of(ceiling, arc, is_hard, &range)) return false;
  raise_to(&ceiling->range, range);
  return true;
}

static bool add_body(struct ceiling *ceiling, uint32_t index) {
  const struct net *net = ceiling->net;
  const struct net_body *body = &net->bodies[index];
  raise_to(&ceiling->edge, body->low);
  repeat(ceiling, body->steps.step);
  for (size_t r = body->last_rest; r != NET_NO_REST; r = net->rests[r].before)
    repeat(ceiling, net->rests[r].bank);
  for (size_t a = net->hard_begin[index]; a < net->hard_begin[index + 1]; a++)
    if (!add_arc(ceiling, index, &net->hard[a], true)) return false;
  for (size_t a = net->soft_begin[index]; a < net->soft_begin[index + 1]; a++)
    add_arc(ceiling, index, &net->soft[a], false);
  return true;
}

int64_t ceiling_of(const struct net *net, const uint32_t *bodies, size_t count) {
  struct ceiling ceiling = {.net = net, .period = {1, 0}};
  int64_t most;
  for (size_t i = 0; i < count; i++)
    if (!add_body(&ceiling, bodies[i])) return INT64_MAX;
  if (!checked_add(ceiling.range, ceiling.period.step, &most) ||
      !checked_mul(most, (int64_t)count, &most) || !checked_add(most, ceiling.edge, &most))
    return INT64_MAX;
  return most;
}
