/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rounding down to multiples of a number that divides all distances, ranges and banks keeps every
 * distance:
 *
 *     a + distance <= b     implies     rounded(a) + distance <= rounded(b)
 */
#include "costs/assign.h"

static void divide(int64_t *unit, int64_t number) {
  *unit = common_divisor(number < 0 ? -number : number, *unit);
}

/* Positions below an interval that the ground forbids remain below it. */
static void divide_arc(const struct net *net, uint32_t body, const struct net_arc *arc,
                       bool is_hard, int64_t *unit) {
  if (arc->other == net->count) {
    if (arc->high <= net->bodies[body].high) divide(unit, arc->high);
  } else if (!is_hard || arc->term == NET_NO_BANK) {
    divide(unit, arc->low);
    divide(unit, arc->high);
  } else {
    const struct net_bank *bank = &net->banks[arc->term];
    divide(unit, bank->bytes);
    divide(unit, bank->shift);
    divide(unit, bank->other_shift);
    divide(unit, bank->size);
    divide(unit, bank->other_size);
  }
}

static void divide_body(const struct net *net, uint32_t index, int64_t *unit) {
  const struct net_body *body = &net->bodies[index];
  divide(unit, body->window_low);
  divide(unit, body->steps.rest);
  for (size_t r = body->last_rest; r != NET_NO_REST; r = net->rests[r].before) {
    divide(unit, net->rests[r].bank);
    divide(unit, net->rests[r].shift);
  }
  for (size_t a = net->hard_begin[index]; a < net->hard_begin[index + 1]; a++)
    divide_arc(net, index, &net->hard[a], true, unit);
  for (size_t a = net->soft_begin[index]; a < net->soft_begin[index + 1]; a++)
    divide_arc(net, index, &net->soft[a], false, unit);
}

int64_t unit_of(const struct net *net, const uint32_t *bodies, size_t count) {
  int64_t unit = 0, before;
  for (size_t i = 0; i < count; i++)
    divide_body(net, bodies[i], &unit);
  if (unit == 0) return 1;
  do {
    before = unit;
    for (size_t i = 0; i < count; i++)
      unit = unit_for_alignment(unit, net->bodies[bodies[i]].steps.step);
  } while (unit != before);
  return unit;
}
