/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A body that cannot move down rests on the end of what an arc forbids, or on the next position above
 * that which it may have.  So it is at least the arc's *rise* above the other body, and the rises along a
 * cycle of bodies that rest on each other sum up to 0 at most.  Colocated members can make rises
 * negative:
 *
 *     | a ..... a'|       a and a' are colocated: b's rise above a is positive, and that of b
 *           | b |         below a', which is where a is measured from, too, is negative
 *
 * An arc that ends within what another one forbids for the same two bodies supports nothing.
 * The rest is a search for a cycle of a sum of 0 at most (the algorithm of Bellman and Ford): of two
 * chains of the same sum, the longer counts as lower, so that cycles of a sum of 0 are found, too.
 */
#include "costs/supports.h"

#include <stdlib.h>

#include "core/knobs.h"
#include "core/memory.h"

int64_t supports_rise(const struct net *net, const struct net_arc *arc, bool is_hard) {
  if (!is_hard || arc->term == NET_NO_BANK) return arc->high;
  const struct net_bank *bank = &net->banks[arc->term];
  return bank->other_shift + bank->other_size - bank->shift;
}

/* Whether an arc ends within another one to the same body. */
static bool is_covered(const struct net *net, uint32_t body, const struct net_arc *arc,
                       bool is_hard) {
  if (is_hard && arc->term != NET_NO_BANK) return false;
  for (size_t a = net->hard_begin[body]; a < net->hard_begin[body + 1]; a++) {
    const struct net_arc *over = &net->hard[a];
    if (over->other == arc->other && over->term == NET_NO_BANK && over->low < arc->high &&
        arc->high < over->high)
      return true;
  }
  return false;
}

struct support {
  uint32_t body, other;
  int64_t rise;
};

struct supports {
  struct support *items;
  size_t count, capacity;
};

static bool add_arcs(struct supports *supports, const struct net *net, uint32_t body,
                     bool is_hard) {
  const size_t *begin = is_hard ? net->hard_begin : net->soft_begin;
  for (size_t a = begin[body]; a < begin[body + 1]; a++) {
    const struct net_arc *arc = is_hard ? &net->hard[a] : &net->soft[a];
    if (arc->other == net->count || is_covered(net, body, arc, is_hard)) continue;
    if (!memory_reserve(&supports->items, &supports->capacity, supports->count + 1,
                        sizeof *supports->items))
      return false;
    supports->items[supports->count++] =
        (struct support){body, arc->other, supports_rise(net, arc, is_hard)};
  }
  return true;
}

struct chain {
  int64_t sum;
  size_t length;
};

/* Lowers the chains of bodies by those that arcs lead from; false if none is lower. */
static bool lower(const struct supports *supports, struct chain *chains, bool *is_too_low) {
  bool has_lowered = false;
  for (size_t s = 0; s < supports->count; s++) {
    const struct support *support = &supports->items[s];
    const struct chain *from = &chains[support->other];
    struct chain *to = &chains[support->body];
    int64_t sum;
    if (!checked_add(from->sum, support->rise, &sum)) *is_too_low = true;
    else if (sum < to->sum || (sum == to->sum && from->length >= to->length)) {
      *to = (struct chain){sum, from->length + 1};
      has_lowered = true;
    }
  }
  return has_lowered;
}

static enum supports_end find_cycle(const struct supports *supports, size_t bodies,
                                    size_t count) {
  struct chain *chains = memory_array(bodies, sizeof *chains);
  bool is_open = false, has_lowered = true;
  if (!chains) return SUPPORTS_MEMORY;
  for (size_t pass = 0; pass < count && has_lowered && !is_open; pass++)
    has_lowered = lower(supports, chains, &is_open);
  free(chains);
  return is_open || has_lowered ? SUPPORTS_OPEN : SUPPORTS_GROUNDED;
}

static enum supports_end examine_cycles(const struct net *net, const uint32_t *bodies,
                                        size_t count) {
  struct supports supports = {0};
  bool has_room = true;
  for (size_t i = 0; has_room && i < count; i++)
    has_room =
        add_arcs(&supports, net, bodies[i], true) && add_arcs(&supports, net, bodies[i], false);
  enum supports_end end = has_room ? find_cycle(&supports, net->count, count) : SUPPORTS_MEMORY;
  free(supports.items);
  return end;
}

static bool all_rise(const struct net *net, uint32_t body, bool is_hard) {
  const size_t *begin = is_hard ? net->hard_begin : net->soft_begin;
  for (size_t a = begin[body]; a < begin[body + 1]; a++) {
    const struct net_arc *arc = is_hard ? &net->hard[a] : &net->soft[a];
    if (arc->other != net->count && supports_rise(net, arc, is_hard) <= 0) return false;
  }
  return true;
}

enum supports_end supports_examine(const struct net *net, const uint32_t *bodies,
                                   size_t count) {
  size_t arcs = 0;
  bool rises = true;
  for (size_t i = 0; i < count; i++) {
    rises = rises && all_rise(net, bodies[i], true) && all_rise(net, bodies[i], false);
    arcs += net->hard_begin[bodies[i] + 1] - net->hard_begin[bodies[i]];
    arcs += net->soft_begin[bodies[i] + 1] - net->soft_begin[bodies[i]];
  }
  if (rises) return SUPPORTS_GROUNDED;
  return arcs > SUPPORTS_MOST_ARCS ? SUPPORTS_OPEN : examine_cycles(net, bodies, count);
}
