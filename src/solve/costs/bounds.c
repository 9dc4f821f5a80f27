/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lower bounds from *cores*: sets of terms of which every layout pays at least one.
 *
 * Reuse.  Take a clique of buffers in which each pair is alive together, separated or
 * penalised.  If their sizes sum to more than the capacity, they cannot all be disjoint, so one
 * of their penalties is paid.  The least costs of cores that share no penalty add up.  If the
 * costs within a core differ, it subtracts only the least cost from each of its penalties; the
 * rest is left for other cores.  Cores with few penalties use up little, so they come first.
 * Cores are found by random sampling: start from a penalised pair, add buffers that are large
 * and add few penalties, then drop members that are not needed.
 *
 * Moves.  A core is one buffer that cannot keep its earlier offset, or two buffers that cannot
 * both keep theirs.
 *
 * Costs are in the units of the terms.  One sample counts BOUNDS_SAMPLE_TICKS ticks and takes
 * O(n * clique) time for n buffers; memory is O(n^2).  Invariant: every penalty's cost is its
 * rest in `room` plus what cores subtracted from it, so the bound is sound at any moment.
 */
#include "costs/minimise.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "core/random.h"

/* In `room`: the two nodes never share a byte. */
#define APART (-1) /* never share a byte */

struct clique {
  uint32_t *nodes;
  size_t count;
  neap_size size;
};

struct bounds {
  const struct net *net;
  neap_term kind;
  neap_size capacity;
  struct budget *budget;
  struct random random;
  uint32_t *bodies; /* per node */
  uint32_t *node_of;
  neap_size *sizes;
  size_t count;
  neap_size *room; /* per pair of nodes: APART, or the rest of its penalties' cost */
  uint32_t *seeds; /* the pairs of nodes with penalties */
  size_t seed_count;
  struct clique clique;
  uint32_t *candidates;
  uint32_t *links; /* per candidate: its penalised pairs with the clique */
  neap_size bound;
};

static void clear(struct bounds *bounds) {
  free(bounds->bodies);
  free(bounds->node_of);
  free(bounds->sizes);
  free(bounds->room);
  free(bounds->seeds);
  free(bounds->clique.nodes);
  free(bounds->candidates);
  free(bounds->links);
  random_clear(&bounds->random);
}

static neap_size *room_of(const struct bounds *bounds, size_t a, size_t b) {
  return &bounds->room[a * bounds->count + b];
}

/* ---------------------------------------------------------------- the graph */

#define NO_NODE UINT32_MAX

static void find_nodes(struct bounds *bounds) {
  const struct net *net = bounds->net;
  for (uint32_t b = 0; b < net->count; b++) {
    bool is_single = net->members_begin[b + 1] - net->members_begin[b] == 1;
    bounds->node_of[b] = NO_NODE;
    if (!is_single || net->bodies[b].extent == 0) continue;
    bounds->node_of[b] = (uint32_t)bounds->count;
    bounds->bodies[bounds->count] = b;
    bounds->sizes[bounds->count++] = net->bodies[b].extent;
  }
  bounds->node_of[net->count] = NO_NODE;
}

/* Whether an arc forbids two nodes to share any byte; an overlap allowance permits some. */
static bool is_whole(const struct bounds *bounds, size_t node, size_t other,
                     const struct net_arc *arc) {
  return arc->low == -bounds->sizes[node] && arc->high == bounds->sizes[other];
}

static void find_pairs(struct bounds *bounds) {
  const struct net *net = bounds->net;
  for (size_t n = 0; n < bounds->count; n++) {
    uint32_t body = bounds->bodies[n];
    for (size_t a = net->soft_begin[body]; a < net->soft_begin[body + 1]; a++) {
      const struct net_arc *arc = &net->soft[a];
      uint32_t other = bounds->node_of[arc->other];
      if (other == NO_NODE || net->terms[arc->term].kind != bounds->kind) continue;
      *room_of(bounds, n, other) += net->terms[arc->term].cost;
    }
    for (size_t a = net->hard_begin[body]; a < net->hard_begin[body + 1]; a++) {
      const struct net_arc *arc = &net->hard[a];
      uint32_t other = bounds->node_of[arc->other];
      if (other != NO_NODE && arc->term == NET_NO_BANK && is_whole(bounds, n, other, arc))
        *room_of(bounds, n, other) = APART;
    }
  }
}

static void find_seeds(struct bounds *bounds) {
  bounds->seed_count = 0;
  for (size_t a = 0; a < bounds->count; a++)
    for (size_t b = 0; b < a; b++)
      if (*room_of(bounds, a, b) > 0) {
        bounds->seeds[2 * bounds->seed_count] = (uint32_t)a;
        bounds->seeds[2 * bounds->seed_count++ + 1] = (uint32_t)b;
      }
}

static bool init_graph(struct bounds *bounds, uint64_t seed) {
  const struct net *net = bounds->net;
  size_t all = net->count + 1;
  bounds->bodies = memory_array(all, sizeof *bounds->bodies);
  bounds->node_of = memory_array(all, sizeof *bounds->node_of);
  bounds->sizes = memory_array(all, sizeof *bounds->sizes);
  bounds->clique.nodes = memory_array(all, sizeof *bounds->clique.nodes);
  bounds->candidates = memory_array(all, sizeof *bounds->candidates);
  bounds->links = memory_array(all, sizeof *bounds->links);
  bounds->seeds = memory_array(2 * net->term_count, sizeof *bounds->seeds);
  if (!bounds->bodies || !bounds->node_of || !bounds->sizes || !bounds->clique.nodes ||
      !bounds->candidates || !bounds->links || !bounds->seeds ||
      !random_init(&bounds->random, seed))
    return false;
  find_nodes(bounds);
  if (bounds->count > BOUNDS_MOST_NODES) bounds->count = 0;
  bounds->room = memory_array(bounds->count * bounds->count, sizeof *bounds->room);
  if (!bounds->room) return false;
  if (bounds->count > 0) find_pairs(bounds);
  return true;
}

/* ---------------------------------------------------------------- cliques */

static uint32_t below(struct bounds *bounds, size_t bound) {
  assert(bound > 0);
  return random_below(&bounds->random, (uint32_t)bound);
}

/* Adds a node to the clique, and keeps only candidates that are adjacent to it. */
static void join(struct bounds *bounds, uint32_t node, size_t *candidate_count) {
  assert(bounds->clique.count<bounds->count && * candidate_count> 0);
  size_t kept = 0;
  bounds->clique.nodes[bounds->clique.count++] = node;
  bounds->clique.size += bounds->sizes[node];
  for (size_t i = 0; i < *candidate_count; i++) {
    uint32_t other = bounds->candidates[i];
    neap_size room = *room_of(bounds, node, other);
    if (other == node || room == 0) continue;
    bounds->candidates[kept] = other;
    bounds->links[kept++] = bounds->links[i] + (room > 0 ? 1 : 0);
  }
  *candidate_count = kept;
  assert(kept + bounds->clique.count <= bounds->count);
}

/* Picks a candidate at random, preferring large ones that add few penalised pairs. */
static uint32_t best_candidate(struct bounds *bounds, size_t candidate_count) {
  double best = -1;
  uint32_t found = bounds->candidates[0];
  for (size_t i = 0; i < candidate_count; i++) {
    double size = (double)bounds->sizes[bounds->candidates[i]];
    double chance = 256 + below(bounds, 256);
    double value = size * chance / (bounds->links[i] == 0 ? 0.05 : bounds->links[i]);
    if (value > best) {
      best = value;
      found = bounds->candidates[i];
    }
  }
  return found;
}

/* The number of penalised pairs of a member with the rest of the clique. */
static size_t links_of(const struct bounds *bounds, uint32_t node) {
  size_t links = 0;
  for (size_t i = 0; i < bounds->clique.count; i++)
    links +=
        bounds->clique.nodes[i] != node && *room_of(bounds, node, bounds->clique.nodes[i]) > 0;
  return links;
}

/*
 * Drops members, those in most penalised pairs first, as long as the rest still exceeds the
 * capacity.
 */
static void shrink(struct bounds *bounds) {
  struct clique *clique = &bounds->clique;
  for (;;) {
    size_t most = 0, worst = 0;
    for (size_t i = 0; i < clique->count; i++) {
      uint32_t node = clique->nodes[i];
      if (clique->size - bounds->sizes[node] <= bounds->capacity) continue;
      size_t links = links_of(bounds, node);
      if (links <= most) continue;
      most = links;
      worst = i;
    }
    if (most == 0) return;
    clique->size -= bounds->sizes[clique->nodes[worst]];
    clique->nodes[worst] = clique->nodes[--clique->count];
    assert(clique->count > 0 && clique->size > bounds->capacity);
  }
}

/*
 * Grows a clique whose sizes exceed the capacity, from a random pair; false if it stays too
 * small.
 */
static bool grow(struct bounds *bounds) {
  size_t seed = below(bounds, bounds->seed_count), candidate_count = bounds->count;
  uint32_t first = bounds->seeds[2 * seed], second = bounds->seeds[2 * seed + 1];
  bounds->clique.count = 0;
  bounds->clique.size = 0;
  if (*room_of(bounds, first, second) <= 0) return false;
  for (size_t i = 0; i < bounds->count; i++) {
    bounds->candidates[i] = (uint32_t)i;
    bounds->links[i] = 0;
  }
  join(bounds, first, &candidate_count);
  join(bounds, second, &candidate_count);
  while (bounds->clique.size <= bounds->capacity && candidate_count > 0)
    join(bounds, best_candidate(bounds, candidate_count), &candidate_count);
  if (bounds->clique.size <= bounds->capacity) return false;
  shrink(bounds);
  return true;
}

/* The least cost left among the clique's penalties, and the number of penalised pairs. */
static neap_size least_room(const struct bounds *bounds, size_t *pairs) {
  const struct clique *clique = &bounds->clique;
  neap_size least = NEAP_MAX;
  *pairs = 0;
  for (size_t i = 0; i < clique->count; i++)
    for (size_t k = 0; k < i; k++) {
      neap_size room = *room_of(bounds, clique->nodes[i], clique->nodes[k]);
      if (room == APART) continue;
      ++*pairs;
      if (room < least) least = room;
    }
  return least;
}

static void use_core(struct bounds *bounds, neap_size cost) {
  assert(cost > 0);
  const struct clique *clique = &bounds->clique;
  for (size_t i = 0; i < clique->count; i++)
    for (size_t k = 0; k < clique->count; k++) {
      neap_size *room = room_of(bounds, clique->nodes[i], clique->nodes[k]);
      if (i != k && *room > 0) *room -= cost;
      assert(*room >= APART);
    }
  bounds->bound += cost;
}

static neap_status find_cliques(struct bounds *bounds) {
  static const size_t limits[] = {1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 30, SIZE_MAX};
  for (size_t l = 0; l < sizeof limits / sizeof limits[0]; l++) {
    find_seeds(bounds);
    for (size_t i = 0; i < BOUNDS_SAMPLES && bounds->seed_count > 0; i++) {
      size_t pairs;
      if (!budget_tick(bounds->budget)) return NEAP_NO_PLAN;
      budget_spend(bounds->budget, BOUNDS_SAMPLE_TICKS - 1);
      if (!grow(bounds)) continue;
      neap_size least = least_room(bounds, &pairs);
      if (pairs > 0 && pairs <= limits[l]) use_core(bounds, least);
    }
  }
  return NEAP_OK;
}

/* ---------------------------------------------------------------- moves */

/* The cost left for moving a body away from its earlier position, and that position. */
struct near {
  neap_size left;
  int64_t position;
};

/* The two soft arcs to the ground leave one position free, which is the high end of the first. */
static void find_near(const struct net *net, struct near *near, neap_size *bound) {
  for (size_t b = 0; b < net->count; b++)
    for (size_t a = net->soft_begin[b]; a < net->soft_begin[b + 1]; a++) {
      const struct net_arc *arc = &net->soft[a];
      const struct net_term *term = &net->terms[arc->term];
      if (arc->other != net->count || arc->low > -NEAP_MAX / 8) continue;
      if (near[b].left == 0) near[b] = (struct near){term->cost, arc->high};
      else if (near[b].position == arc->high) near[b].left += term->cost;
      else {
        /* members with different earlier positions: at least one of the two terms is paid */
        bool is_less = term->cost < near[b].left;
        neap_size least = is_less ? term->cost : near[b].left;
        *bound += least;
        if (is_less) near[b].left -= least;
        else near[b] = (struct near){term->cost - least, arc->high};
      }
    }
}

/* Whether a body cannot keep its earlier position, regardless of other bodies. */
static bool must_move(const struct net *net, size_t body, int64_t position) {
  const struct net_body *range = &net->bodies[body];
  if (position < range->low || position > range->high) return true;
  if (net_fit_up(net, body, position) != position) return true;
  for (size_t a = net->hard_begin[body]; a < net->hard_begin[body + 1]; a++)
    if (net->hard[a].other == net->count && net_hits(net, &net->hard[a], true, position, 0))
      return true;
  return false;
}

static void use_near(const struct net *net, size_t body, struct near *near, neap_size *bound) {
  for (size_t a = net->hard_begin[body]; a < net->hard_begin[body + 1]; a++) {
    const struct net_arc *arc = &net->hard[a];
    struct near *other = &near[arc->other];
    if (near[body].left == 0) return;
    if (arc->other == net->count || other->left == 0) continue;
    if (!net_hits(net, arc, true, near[body].position, other->position)) continue;
    neap_size least = other->left < near[body].left ? other->left : near[body].left;
    near[body].left -= least;
    other->left -= least;
    *bound += least;
  }
}

static neap_status bound_moves(const struct net *net, neap_size *bound, neap_error *error) {
  struct near *near = memory_array(net->count + 1, sizeof *near);
  if (!near) return error_memory(error);
  find_near(net, near, bound);
  for (size_t b = 0; b < net->count; b++)
    if (near[b].left > 0 && must_move(net, b, near[b].position)) {
      *bound += near[b].left;
      near[b].left = 0;
    }
  for (size_t b = 0; b < net->count; b++)
    use_near(net, b, near, bound);
  free(near);
  return NEAP_OK;
}

neap_status bounds_find(const struct net *net, neap_term kind, neap_size capacity,
                        uint64_t seed, struct budget *budget, neap_size *bound,
                        neap_error *error) {
  *bound = 0;
  if (kind == NEAP_TERM_MOVED) return bound_moves(net, bound, error);
  struct bounds bounds = {.net = net, .kind = kind, .capacity = capacity, .budget = budget};
  neap_status status = init_graph(&bounds, seed) ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK && bounds.count > 0) status = find_cliques(&bounds);
  *bound = bounds.bound;
  clear(&bounds);
  return status;
}
