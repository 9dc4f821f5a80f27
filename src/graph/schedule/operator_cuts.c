/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When operator k runs, a set of other operators has run.  It contains all dependences of k and
 * of its own operators, but neither k nor an operator that depends on k.  The bytes alive
 * depend on this set alone: a value is alive if the set contains its maker but not all its
 * readers.  The set with the fewest bytes is a minimum cut (J.-C. Picard, Maximal closure of a
 * graph and applications to combinatorial problems, 1976):
 *
 *     set --- maker --size--> value --all--> reader --all--> what it depends on
 *                                \--all--> rest, if a reader runs later
 *
 * "All" edges cannot be cut.  The nodes on the side of `set` are the operators of the set and
 * the values that have ended.  With the bytes that k makes, less the most bytes that k can save
 * by sharing, the bytes of the minimum cut are alive at some moment of every order.
 */
#include "schedule/operator_cuts.h"

#include <assert.h>
#include <stdlib.h>

#include "core/memory.h"

enum { SET, REST, ENDS }; /* nodes; those of free operators and of values follow */

/* ---------------------------------------------------------------- operators */

static size_t node_of(const struct closure *closure, size_t k) {
  if (closure_is_free(closure, k)) return closure->nodes[k];
  return closure->sides.of[k] == SIDE_BEFORE ? SET : REST;
}

/* Returns the number of nodes up to that of the last free operator. */
static size_t number_operators(struct closure *closure) {
  size_t node = ENDS;
  for (size_t i = 0; i < closure->segment->count; i++)
    if (closure_is_free(closure, i)) closure->nodes[i] = node++;
  return node;
}

static bool add_dependences(struct closure *closure, size_t k) {
  const struct costs_lists *befores = &closure->segment->befores;
  for (size_t i = costs_begin(befores, k); i < befores->ends[k]; i++) {
    size_t before = befores->items[i];
    if (closure_is_free(closure, before) &&
        !cut_join(&closure->cut, closure->nodes[k], closure->nodes[before], NEAP_MAX))
      return false;
  }
  return true;
}

/* ---------------------------------------------------------------- bytes */

/* Bytes that are alive once the operator of a node has run. */
static bool add_lasting(struct closure *closure, size_t node, neap_size bytes) {
  if (bytes == 0 || node == REST) return true;
  if (node != SET) return cut_join(&closure->cut, node, REST, bytes);
  closure->base += bytes;
  return true;
}

/* SET if the value has ended whatever the set, REST if it is needed whatever the set, else ENDS. */
static size_t reader_node(const struct closure *closure, size_t value) {
  const struct costs_lists *readers = &closure->segment->readers;
  size_t node = SET;
  for (size_t r = costs_begin(readers, value); r < readers->ends[value]; r++) {
    size_t own = node_of(closure, readers->items[r]);
    if (own == REST) return REST;
    if (own != SET) node = ENDS;
  }
  return node;
}

static bool join_readers(struct closure *closure, size_t value, size_t node) {
  const struct costs_lists *readers = &closure->segment->readers;
  for (size_t r = costs_begin(readers, value); r < readers->ends[value]; r++) {
    size_t reader = readers->items[r];
    if (closure_is_free(closure, reader) &&
        !cut_join(&closure->cut, node, closure->nodes[reader], NEAP_MAX))
      return false;
  }
  return true;
}

static bool add_value(struct closure *closure, size_t value, size_t *node) {
  neap_size size = closure->segment->sizes[value];
  size_t maker = closure->segment->makers[value];
  size_t made = maker == COSTS_NONE ? SET : node_of(closure, maker);
  size_t readers = reader_node(closure, value);
  if (size == 0 || made == REST || readers == SET) return true;
  if (readers == REST) return add_lasting(closure, made, size);
  return cut_join(&closure->cut, made, *node, size) && join_readers(closure, value, (*node)++);
}

/* ---------------------------------------------------------------- the network */

static bool build(struct closure *closure, size_t k) {
  const struct segment *segment = closure->segment;
  sides_find(&closure->sides, k);
  if (closure->ran) sides_put_before(&closure->sides, closure->ran);
  size_t node = number_operators(closure);
  closure->base = segment->at_start - segment->unread;
  for (size_t v = 0; v < segment->value_count; v++)
    if (segment->makers[v] == COSTS_NONE) closure->base -= segment->sizes[v];
  if (!cut_begin(&closure->cut, node + segment->value_count)) return false;
  for (size_t i = 0; i < segment->count; i++)
    if ((closure_is_free(closure, i) && !add_dependences(closure, i)) ||
        !add_lasting(closure, node_of(closure, i), closure->kept[i]))
      return false;
  for (size_t v = 0; v < segment->value_count; v++)
    if (!add_value(closure, v, &node)) return false;
  closure->cut.node_count = node;
  return true;
}

bool closure_find(struct closure *closure, size_t k, struct budget *budget, neap_size *bytes) {
  if (!build(closure, k)) return false;
  *bytes = closure->base + closure->segment->made[k] -
           sides_most_shared(&closure->sides, k, closure->uses) +
           cut_least(&closure->cut, SET, REST, budget);
  return true;
}

bool closure_has(const struct closure *closure, size_t i) {
  size_t node = node_of(closure, i);
  return node != REST && cut_is_before(&closure->cut, node);
}

bool closure_with(struct closure *closure, size_t i, bool has_run, struct budget *budget,
                  neap_size *more) {
  struct cut *cut = &closure->cut;
  size_t node = closure->nodes[i];
  assert(closure_is_free(closure, i));
  if (!cut_save(cut) || !cut_join(cut, has_run ? SET : node, has_run ? node : REST, NEAP_MAX))
    return false;
  *more = cut_flow(cut, SET, REST, NEAP_MAX, budget);
  cut_restore(cut);
  return true;
}

/* ---------------------------------------------------------------- memory */

static void find_kept(struct closure *closure) {
  const struct segment *segment = closure->segment;
  for (size_t i = 0; i < segment->count; i++)
    closure->kept[i] = segment->made[i] - segment->dropped[i];
  for (size_t v = 0; v < segment->value_count; v++)
    if (segment->makers[v] != COSTS_NONE)
      closure->kept[segment->makers[v]] -= segment->sizes[v];
}

bool closure_init(struct closure *closure, const struct segment *segment) {
  *closure = (struct closure){.segment = segment,
                              .sides = {.count = segment->count,
                                        .befores = &segment->befores,
                                        .afters = &segment->afters,
                                        .readers = &segment->readers,
                                        .shares = &segment->shares}};
  closure->nodes = memory_array(segment->count, sizeof *closure->nodes);
  closure->kept = memory_array(segment->count, sizeof *closure->kept);
  if (!sides_init(&closure->sides) ||
      !share_uses_init(&closure->uses, segment->value_count, segment->output_count) ||
      !closure->nodes || !closure->kept)
    return false;
  find_kept(closure);
  return true;
}

void closure_clear(struct closure *closure) {
  sides_clear(&closure->sides);
  free(closure->nodes);
  free(closure->kept);
  share_uses_clear(&closure->uses);
  cut_clear(&closure->cut);
}
