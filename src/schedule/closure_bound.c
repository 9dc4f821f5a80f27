/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When operator k runs, a set of other operators has run: with each operator all that it depends on, among
 * them all that k depends on, but neither k nor any that depends on it.  What is alive then depends on this set
 * alone: each value whose maker is in it and of which a reader is not.  The set with the fewest bytes is
 * a least cut (J.-C. Picard, Maximal closure of a graph and applications to combinatorial problems,
 * 1976):
 *
 *     set --- maker --size--> value --all--> reader --all--> what it depends on
 *                                \--all--> rest, if it stays or a reader runs later
 *
 * "All" edges cannot be cut.  The side of `set` is the set, and the values there are those that have
 * ended.  With what k makes, less the most that k can save by sharing, the bytes of the least cut are alive
 * at some moment of every order.
 *
 * In an order, an operator has at least its least cut.  So operators are tried from the highest in an
 * order on, until none is above the bound.
 */
#include "schedule/closure_bound.h"

#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "schedule/cut.h"
#include "schedule/sides.h"

struct moment {
  size_t operator;
  neap_size bytes; /* alive while it runs in the given order */
};

struct closure {
  const struct costs *costs;
  struct sides sides; /* relative to the current operator */
  size_t *nodes;      /* per operator on neither side: its node */
  struct moment *moments;
  struct share_uses uses;
  struct cut cut;
  neap_size base; /* bytes alive whatever the set */
};

enum { SET, REST, ENDS }; /* nodes; those of free operators and of values follow */

/* ---------------------------------------------------------------- operators */

static bool is_free(const struct closure *closure, size_t k) {
  return closure->sides.of[k] == SIDE_EITHER;
}

static size_t node_of(const struct closure *closure, size_t k) {
  if (is_free(closure, k)) return closure->nodes[k];
  return closure->sides.of[k] == SIDE_BEFORE ? SET : REST;
}

/* Returns the number of nodes up to that of the last free operator. */
static size_t number_operators(struct closure *closure) {
  size_t node = ENDS;
  for (size_t i = 0; i < closure->costs->count; i++)
    if (is_free(closure, i)) closure->nodes[i] = node++;
  return node;
}

static bool add_dependences(struct closure *closure, size_t k) {
  const struct costs_lists *befores = &closure->costs->befores;
  for (size_t i = costs_begin(befores, k); i < befores->ends[k]; i++) {
    size_t before = befores->items[i];
    if (is_free(closure, before) &&
        !cut_join(&closure->cut, closure->nodes[k], closure->nodes[before], NEAP_MAX))
      return false;
  }
  return true;
}

/* ---------------------------------------------------------------- values */

/* SET if the value has ended whatever the set, REST if it is needed, and otherwise neither. */
static size_t reader_node(const struct closure *closure, size_t value) {
  const struct costs_lists *readers = &closure->costs->readers;
  size_t node = SET;
  if (closure->costs->lives[value] & COSTS_STAYS) return REST;
  for (size_t r = costs_begin(readers, value); r < readers->ends[value]; r++) {
    size_t own = node_of(closure, readers->items[r]);
    if (own == REST) return REST;
    if (own != SET) node = ENDS;
  }
  return node;
}

/* The node of its maker; REST if it does not exist before the current operator ends. */
static size_t maker_node(const struct closure *closure, size_t value) {
  size_t maker = closure->costs->maker[value];
  if (maker != COSTS_NONE) return node_of(closure, maker);
  return closure->costs->lives[value] & COSTS_STARTS ? SET : REST;
}

static bool join_readers(struct closure *closure, size_t value, size_t node) {
  const struct costs_lists *readers = &closure->costs->readers;
  for (size_t r = costs_begin(readers, value); r < readers->ends[value]; r++) {
    size_t reader = readers->items[r];
    if (is_free(closure, reader) &&
        !cut_join(&closure->cut, node, closure->nodes[reader], NEAP_MAX))
      return false;
  }
  return true;
}

static bool add_value(struct closure *closure, size_t value, size_t *node) {
  neap_size size = closure->costs->sizes[value];
  size_t maker = maker_node(closure, value);
  if (size == 0 || maker == REST) return true;
  size_t readers = reader_node(closure, value);
  if (readers == SET) return true;
  if (readers == REST) {
    if (maker != SET) return cut_join(&closure->cut, maker, REST, size);
    closure->base += size;
    return true;
  }
  return cut_join(&closure->cut, maker, *node, size) && join_readers(closure, value, (*node)++);
}

static bool build(struct closure *closure, size_t k) {
  const struct costs *costs = closure->costs;
  sides_find(&closure->sides, k);
  size_t node = number_operators(closure);
  closure->base = 0;
  if (!cut_begin(&closure->cut, ENDS + costs->count + costs->value_count)) return false;
  for (size_t i = 0; i < costs->count; i++)
    if (is_free(closure, i) && !add_dependences(closure, i)) return false;
  for (size_t v = 0; v < costs->value_count; v++)
    if (!add_value(closure, v, &node)) return false;
  closure->cut.node_count = node;
  return true;
}

/* ---------------------------------------------------------------- all of them */

static bool raise_by(struct closure *closure, size_t k, struct budget *budget,
                     neap_size *least) {
  const struct costs *costs = closure->costs;
  if (!build(closure, k)) return false;
  neap_size bytes = closure->base + costs->made[k] -
                    sides_most_shared(&closure->sides, k, closure->uses) +
                    cut_least(&closure->cut, SET, REST, budget);
  if (bytes > *least) *least = bytes;
  return true;
}

static int higher_first(const void *left, const void *right) {
  const struct moment *a = left, *b = right;
  if (a->bytes != b->bytes) return a->bytes > b->bytes ? -1 : 1;
  return a->operator<b->operator? -1 : a->operator> b->operator;
}

static void find_moments(struct closure *closure, struct costs_walk *walk,
                         const size_t *order) {
  costs_walk_start(walk);
  for (size_t at = 0; at < closure->costs->count; at++) {
    walk->peak = 0;
    costs_walk_pass(walk, order[at]);
    closure->moments[at] = (struct moment){order[at], walk->peak};
  }
  qsort(closure->moments, closure->costs->count, sizeof *closure->moments, higher_first);
}

static bool raise_all(struct closure *closure, const size_t *order, struct budget *budget,
                      neap_size *least) {
  struct costs_walk walk;
  bool has_room = costs_walk_init(&walk, closure->costs);
  if (has_room) find_moments(closure, &walk, order);
  costs_walk_clear(&walk);
  for (size_t m = 0; has_room && m < closure->costs->count && budget_tick(budget); m++) {
    if (closure->moments[m].bytes <= *least) break;
    has_room = raise_by(closure, closure->moments[m].operator, budget, least);
    assert(*least <= closure->moments[0].bytes);
  }
  return has_room;
}

static bool init(struct closure *closure) {
  const struct costs *costs = closure->costs;
  closure->nodes = memory_array(costs->count, sizeof *closure->nodes);
  closure->moments = memory_array(costs->count, sizeof *closure->moments);
  return sides_init(&closure->sides, costs) &&
         share_uses_init(&closure->uses, costs->value_count, costs->output_count) &&
         closure->nodes && closure->moments;
}

neap_status closure_bound(const struct costs *costs, const size_t *order, struct budget *budget,
                          neap_size *least, neap_error *error) {
  struct closure closure = {.costs = costs};
  bool has_room = init(&closure) && raise_all(&closure, order, budget, least);
  sides_clear(&closure.sides);
  free(closure.nodes);
  free(closure.moments);
  share_uses_clear(&closure.uses);
  cut_clear(&closure.cut);
  return has_room ? NEAP_OK : error_memory(error);
}
