/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A chain is a run of operators in which each depends only on the previous one and is needed
 * only by the next one.  Two chains are alike if they have the same length, begin after the
 * same operators and end before the same operators, and if their operators read, make and share
 * bytes in the same way:
 *
 *        a1 - a2 - a3              Wherever b has run as many operators as a, the rest of the two
 *      /              \            can be exchanged.  So in some best order b never gets ahead
 *   in                  join       of a, and dependences a1 - b1, a2 - b2, a3 - b3 lose
 *      \              /            nothing.  Of n alike chains, an order then decides how many have
 *        b1 - b2 - b3              run how far, but not which.
 *
 * Chains in which an operator makes more than one value that ends are ignored.  O(n log n) for
 * n operators, dependences, values and shares.
 */
#include "schedule/schedule.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash_set.h"
#include "core/memory.h"

#define NONE COSTS_NONE

struct chain {
  size_t begin, length; /* of its operators in `operators` */
  uint64_t hash;        /* of the properties that alike chains have in common */
  size_t group;         /* the first of the chains that are alike, which are adjacent */
};

struct twins {
  struct costs *costs;
  size_t *operators; /* the operators of all chains */
  size_t operator_count;
  struct chain *chains;
  size_t chain_count;
  size_t *value;  /* per operator: the value it makes that ends, or NONE */
  bool *is_plain; /* per operator: it makes at most one such value */
};

/* ---------------------------------------------------------------- chains */

static void find_values(struct twins *twins) {
  const struct costs *costs = twins->costs;
  for (size_t k = 0; k < costs->count; k++) {
    twins->value[k] = NONE;
    twins->is_plain[k] = true;
  }
  for (size_t v = 0; v < costs->value_count; v++) {
    size_t maker = costs->maker[v];
    if (maker == NONE || costs->lives[v] & COSTS_STAYS ||
        costs_begin(&costs->readers, v) == costs->readers.ends[v])
      continue;
    if (twins->value[maker] != NONE) twins->is_plain[maker] = false;
    twins->value[maker] = v;
  }
}

static size_t only_item(const struct costs_lists *lists, size_t k) {
  size_t begin = costs_begin(lists, k);
  return lists->ends[k] == begin + 1 ? lists->items[begin] : NONE;
}

/* The operator that follows k in a chain, or NONE. */
static size_t follower(const struct twins *twins, size_t k) {
  size_t next = only_item(&twins->costs->afters, k);
  bool is_chain = next != NONE && only_item(&twins->costs->befores, next) == k;
  return is_chain && twins->is_plain[next] ? next : NONE;
}

static bool is_head(const struct twins *twins, size_t k) {
  size_t before = only_item(&twins->costs->befores, k);
  if (!twins->is_plain[k]) return false;
  return before == NONE || !twins->is_plain[before] || follower(twins, before) != k;
}

static void find_chains(struct twins *twins) {
  for (size_t k = 0; k < twins->costs->count; k++) {
    if (!is_head(twins, k)) continue;
    struct chain *chain = &twins->chains[twins->chain_count++];
    *chain = (struct chain){.begin = twins->operator_count};
    for (size_t next = k; next != NONE; next = follower(twins, next)) {
      twins->operators[twins->operator_count++] = next;
      chain->length++;
    }
  }
  assert(twins->operator_count <= twins->costs->count);
}

/* ---------------------------------------------------------------- alike chains */

static uint64_t hash_list(uint64_t hash, const struct costs_lists *lists, size_t k) {
  for (size_t i = costs_begin(lists, k); i < lists->ends[k]; i++)
    hash = hash_next(hash, lists->items[i]);
  return hash_next(hash, UINT64_MAX);
}

static size_t operator_of(const struct twins *twins, const struct chain *chain, size_t stage) {
  return twins->operators[chain->begin + stage];
}

static uint64_t hash_chain(const struct twins *twins, const struct chain *chain) {
  const struct costs *costs = twins->costs;
  size_t last = operator_of(twins, chain, chain->length - 1);
  uint64_t hash = hash_list(chain->length, &costs->befores, operator_of(twins, chain, 0));
  for (size_t i = 0; i < chain->length; i++) {
    size_t k = operator_of(twins, chain, i);
    hash = hash_next(hash_next(hash, (uint64_t)costs->made[k]), (uint64_t)costs->dropped[k]);
  }
  return hash_list(hash, &costs->afters, last);
}

static int by_hash(const void *left, const void *right) {
  const struct chain *a = left, *b = right;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static bool is_same_list(const struct costs_lists *lists, size_t a, size_t b) {
  size_t at = costs_begin(lists, a), other = costs_begin(lists, b);
  size_t count = lists->ends[a] - at;
  if (lists->ends[b] - other != count) return false;
  return count == 0 ||
         memcmp(lists->items + at, lists->items + other, count * sizeof *lists->items) == 0;
}

/* Two operators, and the value that each reads from its own chain, or NONE. */
struct couple {
  size_t a, b, from_a, from_b;
};

static bool is_same_input(const struct couple *couple, size_t a, size_t b) {
  return a == couple->from_a ? b == couple->from_b : a == b && b != couple->from_b;
}

/*
 * Inputs are sorted by value; the chain's own value is skipped in both, and compared
 * separately.
 */
static bool reads_alike(const struct costs *costs, const struct couple *couple) {
  const struct costs_lists *inputs = &costs->inputs;
  size_t i = costs_begin(inputs, couple->a), j = costs_begin(inputs, couple->b);
  bool has_own[2] = {false, false};
  for (;; i++, j++) {
    while (i < inputs->ends[couple->a] && inputs->items[i] == couple->from_a)
      has_own[0] = true, i++;
    while (j < inputs->ends[couple->b] && inputs->items[j] == couple->from_b)
      has_own[1] = true, j++;
    if (i == inputs->ends[couple->a] || j == inputs->ends[couple->b]) break;
    if (inputs->items[i] != inputs->items[j]) return false;
  }
  return i == inputs->ends[couple->a] && j == inputs->ends[couple->b] &&
         has_own[0] == has_own[1];
}

static bool is_same_share(const struct couple *couple, const struct share *a,
                          const struct share *b) {
  return is_same_input(couple, a->input, b->input) && a->output == b->output &&
         a->bytes == b->bytes && a->input_bytes == b->input_bytes &&
         a->output_bytes == b->output_bytes && a->in_place == b->in_place;
}

static bool shares_alike(const struct costs *costs, const struct couple *couple) {
  const struct shares *shares = &costs->shares;
  size_t at = shares_begin(shares, couple->a), other = shares_begin(shares, couple->b);
  size_t count = shares->ends[couple->a] - at;
  if (shares->ends[couple->b] - other != count) return false;
  for (size_t i = 0; i < count; i++)
    if (!is_same_share(couple, &shares->items[at + i], &shares->items[other + i])) return false;
  return true;
}

/*
 * Finds the only share of operator k with a value; NULL: none.  False if there are several, or
 * if k shares by more than one output.
 */
static bool find_share(const struct costs *costs, size_t k, size_t value,
                       const struct share **found) {
  const struct shares *shares = &costs->shares;
  *found = NULL;
  for (size_t i = shares_begin(shares, k); i < shares->ends[k]; i++) {
    const struct share *share = &shares->items[i];
    if (share->output > 0 || (share->input == value && *found)) return false;
    if (share->input == value) *found = share;
  }
  return true;
}

/*
 * Whether two chains' final values have one size and the same readers, which share both alike.
 */
static bool is_left_alike(const struct costs *costs, size_t a, size_t b) {
  if ((a == NONE) != (b == NONE)) return false;
  if (a == NONE) return true;
  if (costs->sizes[a] != costs->sizes[b] || !is_same_list(&costs->readers, a, b)) return false;
  const struct couple couple = {0, 0, a, b};
  for (size_t i = costs_begin(&costs->readers, a); i < costs->readers.ends[a]; i++) {
    const struct share *of_a, *of_b;
    size_t reader = costs->readers.items[i];
    if (!find_share(costs, reader, a, &of_a) || !find_share(costs, reader, b, &of_b) ||
        !of_a != !of_b || (of_a && !is_same_share(&couple, of_a, of_b)))
      return false;
  }
  return true;
}

static bool is_alike(const struct twins *twins, const struct chain *a, const struct chain *b) {
  const struct costs *costs = twins->costs;
  size_t last = a->length - 1;
  struct couple couple = {.from_a = NONE, .from_b = NONE};
  if (a->hash != b->hash || a->length != b->length) return false;
  for (size_t i = 0; i <= last; i++) {
    couple.a = operator_of(twins, a, i);
    couple.b = operator_of(twins, b, i);
    if (costs->made[couple.a] != costs->made[couple.b] ||
        costs->dropped[couple.a] != costs->dropped[couple.b] || !reads_alike(costs, &couple) ||
        !shares_alike(costs, &couple))
      return false;
    couple.from_a = twins->value[couple.a];
    couple.from_b = twins->value[couple.b];
    if (i < last && couple.from_a != NONE && couple.from_b != NONE &&
        costs->sizes[couple.from_a] != costs->sizes[couple.from_b])
      return false;
  }
  return is_same_list(&costs->befores, operator_of(twins, a, 0), operator_of(twins, b, 0)) &&
         is_same_list(&costs->afters, couple.a, couple.b) &&
         is_left_alike(costs, couple.from_a, couple.from_b);
}

/* Gives alike chains the same group.  Among equal hashes, only adjacent chains are compared. */
static void find_groups(struct twins *twins) {
  for (size_t c = 0; c < twins->chain_count; c++)
    twins->chains[c].hash = hash_chain(twins, &twins->chains[c]);
  if (twins->chain_count > 0)
    qsort(twins->chains, twins->chain_count, sizeof *twins->chains, by_hash);
  for (size_t c = 0; c < twins->chain_count; c++) {
    bool is_twin = c > 0 && is_alike(twins, &twins->chains[c - 1], &twins->chains[c]);
    twins->chains[c].group = is_twin ? twins->chains[c - 1].group : c;
  }
}

/* ---------------------------------------------------------------- dependences */

/* The position of an operator: stage i of chain c. */
struct spot {
  size_t chain, stage;
};

static struct spot *find_spots(const struct twins *twins) {
  struct spot *spots = memory_array(twins->costs->count, sizeof *spots);
  for (size_t k = 0; spots && k < twins->costs->count; k++)
    spots[k].chain = NONE;
  for (size_t c = 0; spots && c < twins->chain_count; c++)
    for (size_t i = 0; i < twins->chains[c].length; i++)
      spots[operator_of(twins, &twins->chains[c], i)] = (struct spot){c, i};
  return spots;
}

/*
 * Exchanges operators of alike chains: the operator that runs a stage first is replaced by the
 * first chain's operator, and so on.  passed[k] counts, for operator k of a group's first
 * chain, how many chains have run this stage.
 */
static void rearrange(const struct twins *twins, const struct spot *spots, size_t *passed,
                      size_t *order) {
  for (size_t at = 0; at < twins->costs->count; at++) {
    struct spot spot = spots[order[at]];
    if (spot.chain == NONE) continue;
    size_t group = twins->chains[spot.chain].group;
    size_t *count = &passed[operator_of(twins, &twins->chains[group], spot.stage)];
    order[at] = operator_of(twins, &twins->chains[group + (*count)++], spot.stage);
  }
}

/* The operator of the same stage in the next or the previous alike chain, or NONE. */
static size_t neighbour(const struct twins *twins, struct spot spot, bool is_next) {
  if (spot.chain == NONE || (!is_next && spot.chain == 0)) return NONE;
  size_t other = is_next ? spot.chain + 1 : spot.chain - 1;
  if (other == twins->chain_count ||
      twins->chains[other].group != twins->chains[spot.chain].group)
    return NONE;
  return operator_of(twins, &twins->chains[other], spot.stage);
}

/* Appends to each operator's list its neighbour, if it has one. */
static bool add_neighbours(const struct twins *twins, const struct spot *spots, bool is_next,
                           struct costs_lists *lists) {
  size_t count = twins->costs->count, at = 0;
  size_t *items = memory_array(twins->costs->edge_count + count, sizeof *items);
  if (!items) return false;
  for (size_t k = 0, begin = 0; k < count; k++) {
    size_t end = lists->ends[k], other = neighbour(twins, spots[k], is_next);
    for (; begin < end; begin++)
      items[at++] = lists->items[begin];
    if (other != NONE) items[at++] = other;
    lists->ends[k] = at;
  }
  free(lists->items);
  lists->items = items;
  return true;
}

static bool link_all(struct twins *twins, size_t *order) {
  struct costs *costs = twins->costs;
  struct spot *spots = find_spots(twins);
  size_t *passed = memory_array(costs->count, sizeof *passed);
  bool has_room = spots && passed;
  if (has_room) rearrange(twins, spots, passed, order);
  has_room = has_room && add_neighbours(twins, spots, false, &costs->befores) &&
             add_neighbours(twins, spots, true, &costs->afters);
  if (has_room && costs->count > 0)
    costs->edge_count = costs_begin(&costs->befores, costs->count);
  free(spots);
  free(passed);
  return has_room;
}

bool twins_link(struct costs *costs, size_t *order) {
  struct twins twins = {.costs = costs};
  twins.operators = memory_array(costs->count, sizeof *twins.operators);
  twins.chains = memory_array(costs->count, sizeof *twins.chains);
  twins.value = memory_array(costs->count, sizeof *twins.value);
  twins.is_plain = memory_array(costs->count, sizeof *twins.is_plain);
  bool has_room = twins.operators && twins.chains && twins.value && twins.is_plain;
  if (has_room) {
    find_values(&twins);
    find_chains(&twins);
    find_groups(&twins);
    has_room = link_all(&twins, order);
  }
  free(twins.operators);
  free(twins.chains);
  free(twins.value);
  free(twins.is_plain);
  return has_room;
}
