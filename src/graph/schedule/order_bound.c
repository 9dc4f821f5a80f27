/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A lower bound on the peak of every order, without a search.
 *
 * While operator k runs, the values that it reads and makes are alive, in every order.  Another
 * value is alive, too, if in every order it exists before k (from the start, or because k
 * depends on its maker) and is needed after k (because it stays, or an operator that depends on
 * k reads it).  The bytes that k's outputs share are largest if every input that no later
 * operator needs ends with k; these are subtracted.  After the last operator, all values that
 * stay are alive together.
 *
 * O(operators * (operators + dependences + values)) time.  If that exceeds
 * ORDER_BOUND_WORK_MAX, only the values of each operator alone, and the values alive at the
 * end, are counted.
 */
#include "schedule/schedule.h"

#include "core/error.h"
#include "core/knobs.h"
#include "schedule/before_after.h"

struct walk {
  const struct costs *costs;
  struct sides sides;
  struct share_uses uses;
};

static bool is_read_by_self(const struct walk *walk, size_t value) {
  const struct costs_lists *readers = &walk->costs->readers;
  for (size_t r = costs_begin(readers, value); r < readers->ends[value]; r++)
    if (walk->sides.of[readers->items[r]] == SIDE_SELF) return true;
  return false;
}

static bool is_alive(const struct walk *walk, size_t value) {
  const struct costs *costs = walk->costs;
  size_t maker = costs->maker[value];
  bool starts = costs->lives[value] & COSTS_STARTS;
  if (maker == COSTS_NONE && !starts) return false;
  if (maker != COSTS_NONE && walk->sides.of[maker] == SIDE_SELF) return true;
  if (is_read_by_self(walk, value)) return true;
  return (starts || walk->sides.of[maker] == SIDE_BEFORE) &&
         sides_need_from(&walk->sides, value, SIDE_AFTER);
}

static neap_size alive_at(const struct walk *walk, size_t k) {
  neap_size bytes = 0;
  for (size_t v = 0; v < walk->costs->value_count; v++)
    if (walk->costs->sizes[v] > 0 && is_alive(walk, v)) bytes += walk->costs->sizes[v];
  return bytes - sides_most_shared(&walk->sides, k, walk->uses);
}

/* The bytes that operator k reads and makes, without considering other operators. */
static neap_size alive_alone(struct walk *walk, size_t k) {
  const struct costs *costs = walk->costs;
  neap_size bytes = costs->made[k];
  for (size_t i = costs_begin(&costs->inputs, k); i < costs->inputs.ends[k]; i++)
    bytes += costs->sizes[costs->inputs.items[i]];
  return bytes - sides_most_shared(&walk->sides, k, walk->uses);
}

static neap_size alive_at_end(const struct walk *walk) {
  const struct costs *costs = walk->costs;
  neap_size bytes = 0;
  for (size_t v = 0; v < costs->value_count; v++)
    if (costs->lives[v] & COSTS_STAYS &&
        (costs->lives[v] & COSTS_STARTS || costs->maker[v] != COSTS_NONE))
      bytes += costs->sizes[v];
  return bytes;
}

static bool is_cheap(const struct costs *costs) {
  size_t links = costs->value_count > 0 ? costs_begin(&costs->readers, costs->value_count) : 0;
  size_t step = costs->count + costs->edge_count + costs->value_count + links, work;
  return !__builtin_mul_overflow(step, costs->count, &work) && work <= ORDER_BOUND_WORK_MAX;
}

static neap_size find_most(struct walk *walk) {
  const struct costs *costs = walk->costs;
  bool is_whole = is_cheap(costs);
  neap_size most = costs->count > 0 ? alive_at_end(walk) : 0;
  if (costs->count > 0 && costs->at_start > most) most = costs->at_start;
  for (size_t k = 0; k < costs->count; k++) {
    if (is_whole) sides_find(&walk->sides, k);
    neap_size bytes = is_whole ? alive_at(walk, k) : alive_alone(walk, k);
    if (bytes > most) most = bytes;
  }
  return most;
}

neap_status order_bound(const struct costs *costs, neap_size *bytes, neap_error *error) {
  struct walk walk = {.costs = costs, .sides = sides_of(costs)};
  bool has_room = sides_init(&walk.sides) &&
                  share_uses_init(&walk.uses, costs->value_count, costs->output_count);
  if (has_room) *bytes = find_most(&walk);
  sides_clear(&walk.sides);
  share_uses_clear(&walk.uses);
  return has_room ? NEAP_OK : error_memory(error);
}
