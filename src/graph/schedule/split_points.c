/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operator at position p splits the order if every operator before p has a successor at or
 * before p, and every operator after p has a predecessor at or after p.  O(operators +
 * dependences).
 */
#include "schedule/split_points.h"

void split_points(const struct costs *costs, const size_t *order, size_t *place, bool *parts) {
  size_t reach = 0, count = costs->count;
  for (size_t at = 0; at < count; at++)
    place[order[at]] = at;
  for (size_t at = 0; at < count; at++) {
    size_t k = order[at], first = count;
    parts[at] = reach <= at;
    for (size_t i = costs_begin(&costs->afters, k); i < costs->afters.ends[k]; i++)
      if (place[costs->afters.items[i]] < first) first = place[costs->afters.items[i]];
    if (first > reach) reach = first;
  }
  size_t back = count; /* 1 + the lowest last predecessor of the operators after it */
  for (size_t at = count; at-- > 0;) {
    size_t k = order[at], last = 0;
    parts[at] = parts[at] && back > at;
    for (size_t i = costs_begin(&costs->befores, k); i < costs->befores.ends[k]; i++)
      if (place[costs->befores.items[i]] + 1 > last) last = place[costs->befores.items[i]] + 1;
    if (last < back) back = last;
  }
}
