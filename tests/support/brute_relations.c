/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first part says in the plainest way what each statement means; brute_is_sound is nothing
 * else.  The second part enumerates.  Colocated buffers move as one body.  A body by itself may
 * take a set of offsets per pool; beside another, this set depends on the distance of the two, or,
 * if banks separate them, on both offsets.  All of these sets are filled in by asking the first
 * part, so that the enumeration has no rules of its own.  A set is a word of 64 bits, and placing a
 * body takes offsets from the sets of all bodies that follow.
 */
#include "tests/support/brute_relations.h"

#include <assert.h>
#include <string.h>

/* ---------------------------------------------------------------- what statements mean */

static bool meet(neap_range a, neap_range b) { return a.start < b.end && b.start < a.end; }

static bool are_alive_together(const struct tiny_buffer *a, const struct tiny_buffer *b) {
  for (size_t i = 0; i < a->range_count; i++)
    for (size_t j = 0; j < b->range_count; j++)
      if (meet(a->ranges[i], b->ranges[j])) return true;
  return false;
}

static bool is_alive_during(const struct tiny_buffer *buffer, neap_range when) {
  for (size_t i = 0; i < buffer->range_count; i++)
    if (meet(buffer->ranges[i], when)) return true;
  return false;
}

static bool relates(const neap_relation *relation, size_t a, size_t b) {
  return (relation->first == a && relation->second == b) ||
         (relation->first == b && relation->second == a);
}

static bool are_related(const struct tiny *tiny, neap_relation_kind kind, size_t a, size_t b) {
  for (size_t i = 0; i < tiny->relation_count; i++)
    if (tiny->relations[i].kind == kind && relates(&tiny->relations[i], a, b)) return true;
  return false;
}

/* Bit b of linked[a]: colocated, perhaps by way of others. */
static void find_bodies(const struct tiny *tiny, unsigned linked[TINY_ROOM]) {
  for (size_t i = 0; i < tiny->count; i++)
    linked[i] = 1u << i;
  for (size_t round = 0; round < tiny->count; round++)
    for (size_t k = 0; k < tiny->relation_count; k++) {
      const neap_relation *relation = &tiny->relations[k];
      if (relation->kind != NEAP_COLOCATION) continue;
      linked[relation->first] |= linked[relation->second];
      linked[relation->second] |= linked[relation->first];
      for (size_t i = 0; i < tiny->count; i++)
        if (linked[relation->first] >> i & 1) linked[i] |= linked[relation->first];
    }
}

static bool have_bytes(const struct tiny *tiny, size_t a, size_t b) {
  return tiny->buffers[a].size > 0 && tiny->buffers[b].size > 0;
}

/* Whether two conflict if they are in one pool. */
static bool do_conflict(const struct tiny *tiny, const unsigned *linked, size_t a, size_t b) {
  if (!have_bytes(tiny, a, b)) return false;
  if (linked[a] >> b & 1 || are_related(tiny, NEAP_EXCLUSION, a, b)) return false;
  return are_alive_together(&tiny->buffers[a], &tiny->buffers[b]) ||
         are_related(tiny, NEAP_SEPARATION, a, b);
}

static bool share_bytes(const struct tiny *tiny, size_t a, neap_offset at, size_t b,
                        neap_offset other) {
  return have_bytes(tiny, a, b) && at < other + tiny->buffers[b].size &&
         other < at + tiny->buffers[a].size;
}

/* Whether an allowance lets a conflicting pair be where it is. */
static bool is_allowed(const struct tiny *tiny, size_t a, neap_offset at, size_t b,
                       neap_offset other) {
  for (size_t i = 0; i < tiny->relation_count; i++) {
    const neap_relation *relation = &tiny->relations[i];
    if (relation->kind != NEAP_OVERLAP || !relates(relation, a, b)) continue;
    neap_offset first = relation->first == a ? at : other;
    neap_offset second = relation->first == a ? other : at;
    if (second >= first + relation->bytes) return true;
  }
  return false;
}

static bool share_bank(const struct tiny *tiny, neap_size bank, size_t a, neap_offset at,
                       size_t b, neap_offset other) {
  return have_bytes(tiny, a, b) && at / bank <= (other + tiny->buffers[b].size - 1) / bank &&
         other / bank <= (at + tiny->buffers[a].size - 1) / bank;
}

static bool is_bank_shared(const struct tiny *tiny, size_t a, neap_offset at, size_t b,
                           neap_offset other) {
  for (size_t i = 0; i < tiny->relation_count; i++) {
    const neap_relation *relation = &tiny->relations[i];
    if (relation->kind == NEAP_BANK_SEPARATION && relates(relation, a, b) &&
        share_bank(tiny, relation->bytes, a, at, b, other))
      return true;
  }
  return false;
}

/* Whether two in one pool may be where they are; colocation is not looked at. */
static bool may_both_be(const struct tiny *tiny, const unsigned *linked, size_t a,
                        neap_offset at, size_t b, neap_offset other) {
  if (is_bank_shared(tiny, a, at, b, other)) return false;
  return !share_bytes(tiny, a, at, b, other) || !do_conflict(tiny, linked, a, b) ||
         is_allowed(tiny, a, at, b, other);
}

static bool is_reserved(const struct tiny *tiny, size_t index, size_t pool, neap_offset at) {
  const struct tiny_buffer *buffer = &tiny->buffers[index];
  for (size_t i = 0; i < tiny->reserved_count; i++) {
    const neap_reserved *reserved = &tiny->reserved[i];
    if (reserved->pool == pool && buffer->size > 0 && at < reserved->high &&
        reserved->low < at + buffer->size && is_alive_during(buffer, reserved->when))
      return true;
  }
  return false;
}

static bool may_use_pool(const struct tiny *tiny, size_t index, size_t pool) {
  const struct tiny_buffer *buffer = &tiny->buffers[index];
  if (buffer->pool_count == 0) return pool == 0 || pool < tiny->pool_count;
  for (size_t i = 0; i < buffer->pool_count; i++)
    if (buffer->pools[i] == pool) return true;
  return false;
}

static bool fits_pool(const struct tiny *tiny, size_t pool, neap_offset at, neap_offset end) {
  if (tiny->pool_count == 0) return true;
  const neap_pool *description = &tiny->pools[pool];
  if (at % description->alignment != 0) return false;
  return description->capacity < 0 || end <= description->capacity;
}

/* Whether a buffer may be somewhere, whatever the others do. */
static bool may_be(const struct tiny *tiny, size_t index, size_t pool, neap_offset at,
                   neap_size capacity) {
  const struct tiny_buffer *buffer = &tiny->buffers[index];
  neap_offset end = at + buffer->size;
  if (at < 0 || (capacity >= 0 && end > capacity)) return false;
  if (at % buffer->alignment != 0) return false;
  if (buffer->fixed != NEAP_UNPLACED && at != buffer->fixed) return false;
  if (at < buffer->window_low || end > buffer->window_high) return false;
  if (buffer->bank > 0 && at % buffer->bank + buffer->size > buffer->bank) return false;
  return may_use_pool(tiny, index, pool) && fits_pool(tiny, pool, at, end) &&
         !is_reserved(tiny, index, pool, at);
}

static bool are_colocated(const struct tiny *tiny, const struct brute_plan *plan) {
  for (size_t i = 0; i < tiny->relation_count; i++) {
    const neap_relation *relation = &tiny->relations[i];
    if (relation->kind != NEAP_COLOCATION) continue;
    size_t first = relation->first, second = relation->second;
    if (plan->offsets[second] != plan->offsets[first] + relation->bytes ||
        plan->pools[second] != plan->pools[first])
      return false;
  }
  return true;
}

bool brute_is_sound(const struct tiny *tiny, const struct brute_plan *plan,
                    neap_size capacity) {
  unsigned linked[TINY_ROOM];
  find_bodies(tiny, linked);
  for (size_t i = 0; i < tiny->count; i++) {
    if (!may_be(tiny, i, plan->pools[i], plan->offsets[i], capacity)) return false;
    for (size_t j = 0; j < i; j++)
      if (plan->pools[i] == plan->pools[j] &&
          !may_both_be(tiny, linked, i, plan->offsets[i], j, plan->offsets[j]))
        return false;
  }
  return are_colocated(tiny, plan);
}

bool brute_is_contradictory(const struct tiny *tiny) {
  unsigned linked[TINY_ROOM];
  find_bodies(tiny, linked);
  for (size_t i = 0; i < tiny->count; i++)
    for (size_t j = 0; j < i; j++)
      if (are_related(tiny, NEAP_SEPARATION, i, j) &&
          (linked[i] >> j & 1 || are_related(tiny, NEAP_EXCLUSION, i, j)))
        return true;
  return false;
}

/* ---------------------------------------------------------------- what plans cost */

static neap_size spill_of(const struct tiny *tiny, size_t index, size_t pool) {
  const struct tiny_buffer *buffer = &tiny->buffers[index];
  if (tiny->pool_count == 0) return 0;
  neap_size cost = tiny->pools[pool].cost;
  if (cost >= 0) return buffer->size * cost;
  if (buffer->pool_count == 0) return buffer->size * (neap_size)pool;
  for (size_t i = 0; i < buffer->pool_count; i++)
    if (buffer->pools[i] == pool) return buffer->size * (neap_size)i;
  return 0;
}

/* What two in one pool pay for sharing bytes. */
static neap_size penalty_of(const struct tiny *tiny, size_t a, neap_offset at, size_t b,
                            neap_offset other) {
  neap_size sum = 0;
  for (size_t i = 0; i < tiny->relation_count; i++)
    if (tiny->relations[i].kind == NEAP_REUSE_PENALTY && relates(&tiny->relations[i], a, b) &&
        share_bytes(tiny, a, at, b, other))
      sum += tiny->relations[i].bytes;
  return sum;
}

static neap_size move_cost_of(const struct tiny_buffer *buffer) {
  if (buffer->near_offset == NEAP_UNPLACED) return 0;
  return buffer->move_cost < 0 ? buffer->size : buffer->move_cost;
}

static neap_size moved_of(const struct tiny *tiny, size_t index, neap_offset at) {
  const struct tiny_buffer *buffer = &tiny->buffers[index];
  return at == buffer->near_offset ? 0 : move_cost_of(buffer);
}

struct brute_costs brute_costs_of(const struct tiny *tiny, const struct brute_plan *plan) {
  struct brute_costs costs = {{0}};
  neap_size peaks[TINY_POOLS] = {0};
  for (size_t i = 0; i < tiny->count; i++) {
    neap_offset at = plan->offsets[i], end = at + tiny->buffers[i].size;
    size_t pool = plan->pools[i];
    if (end > peaks[pool]) peaks[pool] = end;
    costs.of[NEAP_TERM_SPILL] += spill_of(tiny, i, pool);
    costs.of[NEAP_TERM_MOVED] += moved_of(tiny, i, at);
    for (size_t j = 0; j < i; j++)
      if (plan->pools[j] == pool)
        costs.of[NEAP_TERM_REUSE] += penalty_of(tiny, i, at, j, plan->offsets[j]);
  }
  for (size_t p = 0; p < TINY_POOLS; p++)
    costs.of[NEAP_TERM_PEAK] += peaks[p];
  return costs;
}

/* ---------------------------------------------------------------- bodies */

/* Buffers that move as one: member i is at the body's offset plus above[i] (>= 0). */
struct body {
  size_t count, members[TINY_BUFFERS];
  neap_offset above[TINY_BUFFERS];
  neap_size extent;          /* of all members */
  uint64_t sets[TINY_POOLS]; /* bit x: it may be at offset x of the pool */
  neap_size spill[TINY_POOLS];
  neap_size penalty; /* of members that share bytes with each other */
};

/* The offsets of body j, less that of body i, at which the two may be in one pool. */
struct distances {
  uint64_t up;   /* bit d: j is d bytes above i */
  uint64_t down; /* bit BRUTE_OFFSETS - 1 - d: j is d bytes below i */
};

struct brute {
  const struct tiny *tiny;
  neap_size capacity;
  size_t pool_count; /* 1 without pools */
  unsigned linked[TINY_ROOM];
  size_t count;
  struct body bodies[TINY_BUFFERS];
  struct distances distances[TINY_BUFFERS][TINY_BUFFERS];
  bool has_banks[TINY_BUFFERS][TINY_BUFFERS]; /* a bank separation relates members */
  bool has_penalties, has_moves;

  bool has_best;
  struct brute_plan plan, best;
  struct brute_costs best_costs;
};

/* Finds the distances in a body; false if they contradict each other. */
static bool measure_body(const struct tiny *tiny, unsigned members, struct body *body) {
  neap_offset at[TINY_BUFFERS] = {0}, lowest = 0;
  unsigned known = members & -members;
  for (size_t round = 0; round < tiny->count; round++)
    for (size_t k = 0; k < tiny->relation_count; k++) {
      const neap_relation *relation = &tiny->relations[k];
      size_t a = relation->first, b = relation->second;
      if (relation->kind != NEAP_COLOCATION || !(members >> a & 1)) continue;
      if (known >> a & 1 && known >> b & 1 && at[b] != at[a] + relation->bytes) return false;
      if (known >> a & 1 && !(known >> b & 1)) at[b] = at[a] + relation->bytes;
      if (known >> b & 1 && !(known >> a & 1)) at[a] = at[b] - relation->bytes;
      if ((known >> a | known >> b) & 1) known |= 1u << a | 1u << b;
    }
  assert(known == members);
  for (size_t i = 0; i < tiny->count; i++)
    if (members >> i & 1 && at[i] < lowest) lowest = at[i];
  for (size_t i = 0; i < tiny->count; i++) {
    if (!(members >> i & 1)) continue;
    body->members[body->count] = i;
    body->above[body->count++] = at[i] - lowest;
    neap_size extent = at[i] - lowest + tiny->buffers[i].size;
    if (extent > body->extent) body->extent = extent;
  }
  return true;
}

static bool may_body_be(const struct brute *brute, const struct body *body, size_t pool,
                        neap_offset at) {
  for (size_t m = 0; m < body->count; m++) {
    size_t i = body->members[m];
    if (!may_be(brute->tiny, i, pool, at + body->above[m], brute->capacity)) return false;
    for (size_t k = 0; k < m; k++)
      if (!may_both_be(brute->tiny, brute->linked, i, at + body->above[m], body->members[k],
                       at + body->above[k]))
        return false;
  }
  return true;
}

static void fill_sets(const struct brute *brute, struct body *body) {
  for (size_t p = 0; p < brute->pool_count; p++) {
    for (neap_offset at = 0; at < BRUTE_OFFSETS; at++)
      if (may_body_be(brute, body, p, at)) body->sets[p] |= UINT64_C(1) << at;
    for (size_t m = 0; m < body->count; m++)
      body->spill[p] += spill_of(brute->tiny, body->members[m], p);
  }
  for (size_t m = 0; m < body->count; m++)
    for (size_t k = 0; k < m; k++)
      body->penalty += penalty_of(brute->tiny, body->members[m], body->above[m],
                                  body->members[k], body->above[k]);
}

static bool may_bodies_be(const struct brute *brute, const struct body *a, neap_offset at,
                          const struct body *b, neap_offset other) {
  for (size_t m = 0; m < a->count; m++)
    for (size_t k = 0; k < b->count; k++)
      if (!may_both_be(brute->tiny, brute->linked, a->members[m], at + a->above[m],
                       b->members[k], other + b->above[k]))
        return false;
  return true;
}

static bool do_banks_separate(const struct tiny *tiny, const struct body *a,
                              const struct body *b) {
  for (size_t m = 0; m < a->count; m++)
    for (size_t k = 0; k < b->count; k++)
      if (are_related(tiny, NEAP_BANK_SEPARATION, a->members[m], b->members[k])) return true;
  return false;
}

static void fill_distances(struct brute *brute, size_t i, size_t j) {
  const struct body *a = &brute->bodies[i], *b = &brute->bodies[j];
  struct distances *distances = &brute->distances[i][j];
  brute->has_banks[i][j] = do_banks_separate(brute->tiny, a, b);
  if (brute->has_banks[i][j]) return;
  for (neap_offset d = 0; d < BRUTE_OFFSETS; d++) {
    if (may_bodies_be(brute, a, 0, b, d)) distances->up |= UINT64_C(1) << d;
    if (may_bodies_be(brute, a, d, b, 0))
      distances->down |= UINT64_C(1) << (BRUTE_OFFSETS - 1 - d);
  }
}

/* The offsets of body j beside body i at offset `at` of the same pool. */
static uint64_t beside(const struct brute *brute, size_t i, neap_offset at, size_t j) {
  const struct distances *distances = &brute->distances[i][j];
  if (!brute->has_banks[i][j])
    return distances->up << at | distances->down >> (BRUTE_OFFSETS - 1 - at);
  uint64_t set = 0;
  for (neap_offset other = 0; other < BRUTE_OFFSETS; other++)
    if (may_bodies_be(brute, &brute->bodies[i], at, &brute->bodies[j], other))
      set |= UINT64_C(1) << other;
  return set;
}

static bool find_all_bodies(struct brute *brute) {
  const struct tiny *tiny = brute->tiny;
  find_bodies(tiny, brute->linked);
  for (size_t i = 0; i < tiny->count; i++) {
    unsigned members = brute->linked[i];
    if (members & ((1u << i) - 1)) continue; /* found with an earlier member */
    struct body *body = &brute->bodies[brute->count++];
    if (!measure_body(tiny, members, body)) return false;
    fill_sets(brute, body);
  }
  for (size_t i = 0; i < brute->count; i++)
    for (size_t j = 0; j < brute->count; j++)
      if (i != j) fill_distances(brute, i, j);
  return true;
}

/* ---------------------------------------------------------------- enumeration */

struct node {
  unsigned open; /* bit i: body i is to be placed */
  uint64_t sets[TINY_BUFFERS][TINY_POOLS];
  struct brute_costs costs; /* of the bodies that are placed */
  neap_size peaks[TINY_POOLS];
};

static bool is_less(const struct brute *brute, const struct brute_costs *a,
                    const struct brute_costs *b) {
  for (size_t i = 0; i < NEAP_TERM_COUNT; i++) {
    neap_term term = brute->tiny->objective[i];
    if (a->of[term] != b->of[term]) return a->of[term] < b->of[term];
  }
  return false;
}

/*
 * Adds to the bound what an open body costs at least: its least spill, what its members pay among
 * themselves, and the moves of those that cannot stay.
 */
static void add_least(const struct brute *brute, const struct node *node, size_t index,
                      struct brute_costs *costs) {
  const struct body *body = &brute->bodies[index];
  neap_size spill = NEAP_MAX;
  for (size_t p = 0; p < brute->pool_count; p++)
    if (node->sets[index][p] != 0 && body->spill[p] < spill) spill = body->spill[p];
  costs->of[NEAP_TERM_SPILL] += spill;
  costs->of[NEAP_TERM_REUSE] += body->penalty;
  for (size_t m = 0; brute->has_moves && m < body->count; m++) {
    const struct tiny_buffer *buffer = &brute->tiny->buffers[body->members[m]];
    neap_offset at = buffer->near_offset - body->above[m];
    uint64_t any = 0;
    for (size_t p = 0; p < brute->pool_count; p++)
      any |= node->sets[index][p];
    if (at < 0 || at >= BRUTE_OFFSETS || !(any >> at & 1))
      costs->of[NEAP_TERM_MOVED] += move_cost_of(buffer);
  }
}

/* The least by which an open body raises the sum of the peaks. */
static neap_size least_rise(const struct brute *brute, const struct node *node, size_t index) {
  neap_size least = NEAP_MAX;
  for (size_t p = 0; p < brute->pool_count; p++) {
    if (node->sets[index][p] == 0) continue;
    neap_size end = __builtin_ctzll(node->sets[index][p]) + brute->bodies[index].extent;
    neap_size rise = end > node->peaks[p] ? end - node->peaks[p] : 0;
    if (rise < least) least = rise;
  }
  return least;
}

/* No plan below a node costs less than this, in any term.  Every open body has some place. */
static struct brute_costs bound_of(const struct brute *brute, const struct node *node) {
  struct brute_costs costs = node->costs;
  neap_size rise = 0;
  for (size_t i = 0; i < brute->count; i++) {
    if (!(node->open >> i & 1)) continue;
    add_least(brute, node, i, &costs);
    neap_size alone = least_rise(brute, node, i);
    if (alone > rise) rise = alone;
  }
  costs.of[NEAP_TERM_PEAK] = rise;
  for (size_t p = 0; p < brute->pool_count; p++)
    costs.of[NEAP_TERM_PEAK] += node->peaks[p];
  return costs;
}

/* The body with the fewest places left; *places becomes their number. */
static size_t tightest(const struct brute *brute, const struct node *node, int *places) {
  size_t best = 0;
  *places = INT32_MAX;
  for (size_t i = 0; i < brute->count; i++) {
    if (!(node->open >> i & 1)) continue;
    int count = 0;
    for (size_t p = 0; p < brute->pool_count; p++)
      count += __builtin_popcountll(node->sets[i][p]);
    if (count < *places) {
      *places = count;
      best = i;
    }
  }
  return best;
}

static neap_size reuse_of(const struct brute *brute, const struct node *node,
                          const struct body *body, size_t pool) {
  neap_size sum = body->penalty;
  for (size_t m = 0; m < body->count; m++) {
    size_t i = body->members[m];
    for (size_t b = 0; b < brute->count; b++) {
      const struct body *other = &brute->bodies[b];
      if (node->open >> b & 1 || brute->plan.pools[other->members[0]] != pool) continue;
      for (size_t k = 0; k < other->count; k++)
        sum += penalty_of(brute->tiny, i, brute->plan.offsets[i], other->members[k],
                          brute->plan.offsets[other->members[k]]);
    }
  }
  return sum;
}

/* Places a body that is open; false if another has no place left. */
static bool place(struct brute *brute, struct node *node, size_t index, size_t pool,
                  neap_offset at) {
  const struct body *body = &brute->bodies[index];
  for (size_t m = 0; m < body->count; m++) {
    size_t i = body->members[m];
    brute->plan.offsets[i] = at + body->above[m];
    brute->plan.pools[i] = pool;
    node->costs.of[NEAP_TERM_MOVED] += moved_of(brute->tiny, i, at + body->above[m]);
  }
  if (brute->has_penalties)
    node->costs.of[NEAP_TERM_REUSE] += reuse_of(brute, node, body, pool);
  node->costs.of[NEAP_TERM_SPILL] += body->spill[pool];
  if (at + body->extent > node->peaks[pool]) node->peaks[pool] = at + body->extent;
  node->open &= ~(1u << index);
  for (size_t i = 0; i < brute->count; i++) {
    if (!(node->open >> i & 1)) continue;
    uint64_t left = 0;
    node->sets[i][pool] &= beside(brute, index, at, i);
    for (size_t p = 0; p < brute->pool_count; p++)
      left |= node->sets[i][p];
    if (left == 0) return false;
  }
  return true;
}

static void enumerate(struct brute *brute, const struct node *node) {
  int places = 1;
  size_t index = node->open == 0 ? 0 : tightest(brute, node, &places);
  if (places == 0) return;
  struct brute_costs costs = bound_of(brute, node);
  if (brute->has_best && !is_less(brute, &costs, &brute->best_costs)) return;
  if (node->open == 0) {
    brute->has_best = true;
    brute->best = brute->plan;
    brute->best_costs = costs;
    return;
  }
  for (size_t p = 0; p < brute->pool_count; p++)
    for (uint64_t set = node->sets[index][p]; set != 0; set &= set - 1) {
      struct node next = *node;
      if (place(brute, &next, index, p, __builtin_ctzll(set))) enumerate(brute, &next);
    }
}

/* Enumerates the plans of some bodies. */
static void enumerate_some(struct brute *brute, unsigned bodies) {
  struct node root = {.open = bodies};
  for (size_t i = 0; i < brute->count; i++)
    memcpy(root.sets[i], brute->bodies[i].sets, sizeof root.sets[i]);
  enumerate(brute, &root);
}

/* ---------------------------------------------------------------- infeasibility */

/* Whether reserved bytes without an upper end limit a body in a pool. */
static bool ends_below_reserved(const struct tiny *tiny, const struct body *body, size_t pool) {
  for (size_t r = 0; r < tiny->reserved_count; r++)
    for (size_t m = 0; m < body->count; m++) {
      const struct tiny_buffer *buffer = &tiny->buffers[body->members[m]];
      if (tiny->reserved[r].high == NEAP_MAX && tiny->reserved[r].pool == pool &&
          buffer->size > 0 && is_alive_during(buffer, tiny->reserved[r].when))
        return true;
    }
  return false;
}

/* Whether all places that a body may ever have are among the offsets that are tried. */
static bool is_within(const struct brute *brute, const struct body *body) {
  for (size_t m = 0; m < body->count; m++) {
    const struct tiny_buffer *buffer = &brute->tiny->buffers[body->members[m]];
    if (buffer->fixed != NEAP_UNPLACED || buffer->window_high < BRUTE_OFFSETS) return true;
  }
  if (brute->capacity >= 0) return brute->capacity < BRUTE_OFFSETS;
  for (size_t p = 0; p < brute->pool_count; p++)
    if (body->sets[p] != 0 && !ends_below_reserved(brute->tiny, body, p) &&
        (brute->tiny->pool_count == 0 || brute->tiny->pools[p].capacity < 0))
      return false;
  return true;
}

/*
 * No plan was found.  Bodies that are free to rise can always be stacked above everything else if
 * they have any place, so the others decide.
 */
static enum brute_verdict refute(struct brute *brute) {
  unsigned within = 0;
  for (size_t i = 0; i < brute->count; i++) {
    uint64_t any = 0;
    for (size_t p = 0; p < brute->pool_count; p++)
      any |= brute->bodies[i].sets[p];
    if (any == 0) return BRUTE_INFEASIBLE;
    if (is_within(brute, &brute->bodies[i])) within |= 1u << i;
  }
  enumerate_some(brute, within);
  return brute->has_best ? BRUTE_UNKNOWN : BRUTE_INFEASIBLE;
}

enum brute_verdict brute_solve(const struct tiny *tiny, neap_size capacity,
                               struct brute_plan *plan, struct brute_costs *costs) {
  struct brute brute = {.tiny = tiny, .capacity = capacity};
  assert(capacity < 0 || tiny->pool_count == 0);
  brute.pool_count = tiny->pool_count == 0 ? 1 : tiny->pool_count;
  for (size_t i = 0; i < tiny->relation_count; i++)
    brute.has_penalties |= tiny->relations[i].kind == NEAP_REUSE_PENALTY;
  for (size_t i = 0; i < tiny->count; i++)
    brute.has_moves |= tiny->buffers[i].near_offset != NEAP_UNPLACED;
  if (!find_all_bodies(&brute)) return BRUTE_INFEASIBLE;
  enumerate_some(&brute, (1u << brute.count) - 1);
  if (!brute.has_best) return refute(&brute);
  *plan = brute.best;
  *costs = brute_costs_of(tiny, plan);
  assert(brute_is_sound(tiny, plan, capacity));
  assert(memcmp(costs, &brute.best_costs, sizeof *costs) == 0);
  return BRUTE_OPTIMAL;
}
