/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lower bounds from sets of terms of which one at least must be paid (*cores*).
 *
 * Reuse: buffers of which each pair is alive together, separated or penalised, and whose sizes add up
 * to more than the capacity, cannot all be disjoint, so one of the penalties among them is paid.  For
 * cores that share no penalty, the least costs add up.  If costs differ, a core uses up only the
 * least of them of each of its penalties, and the rest is left for others.  Cores of few penalties
 * use up little, so they come first.  They are found at random: from a penalised pair, grow a
 * clique by what is large and adds few penalties, then drop what it can do without.
 *
 * Moves: a buffer that cannot be where it was, and two that cannot both be.
 */
#include "soft/bounds.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/random.h"

/* The most buffers among which cliques are looked for. */
#define MOST_NODES 2048

/* Samples for each number of penalties, and what one of them counts in ticks. */
#define SAMPLES 4000
#define SAMPLE_TICKS 4

/* Pairs in `room`. */
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
  uint32_t *bodies; /* of each node */
  uint32_t *node_of;
  neap_size *sizes;
  size_t count;
  neap_size *room; /* per pair of nodes: APART, or what is left of its penalties */
  uint32_t *seeds; /* pairs of nodes with penalties */
  size_t seed_count;
  struct clique clique;
  uint32_t *candidates;
  uint32_t *links; /* per candidate: penalised pairs with the clique */
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

/* Whether an arc keeps two nodes apart as a whole, which one with an overlap does not. */
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
  if (bounds->count > MOST_NODES) bounds->count = 0;
  bounds->room = memory_array(bounds->count * bounds->count, sizeof *bounds->room);
  if (!bounds->room) return false;
  if (bounds->count > 0) find_pairs(bounds);
  return true;
}

/* ---------------------------------------------------------------- cliques */

static uint32_t below(struct bounds *bounds, size_t bound) {
  return random_below(&bounds->random, (uint32_t)bound);
}

/* Adds a node, and keeps the candidates that are still adjacent to all. */
static void join(struct bounds *bounds, uint32_t node, size_t *candidate_count) {
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
}

/* The candidate that is large and adds few penalties, with some chance. */
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

/* How many penalised pairs a member of the clique is in. */
static size_t links_of(const struct bounds *bounds, uint32_t node) {
  size_t links = 0;
  for (size_t i = 0; i < bounds->clique.count; i++)
    links +=
        bounds->clique.nodes[i] != node && *room_of(bounds, node, bounds->clique.nodes[i]) > 0;
  return links;
}

/* Drops members as long as the rest is too large, those with the most penalties first. */
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
  }
}

/* Grows a clique that is too large for the capacity; false if that did not work out. */
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

/* What the clique's penalties have left in common, and how many they are. */
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
  const struct clique *clique = &bounds->clique;
  for (size_t i = 0; i < clique->count; i++)
    for (size_t k = 0; k < clique->count; k++) {
      neap_size *room = room_of(bounds, clique->nodes[i], clique->nodes[k]);
      if (i != k && *room > 0) *room -= cost;
    }
  bounds->bound += cost;
}

static neap_status find_cliques(struct bounds *bounds) {
  static const size_t limits[] = {1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 30, SIZE_MAX};
  for (size_t l = 0; l < sizeof limits / sizeof limits[0]; l++) {
    find_seeds(bounds);
    for (size_t i = 0; i < SAMPLES && bounds->seed_count > 0; i++) {
      size_t pairs;
      if (!budget_tick(bounds->budget)) return NEAP_NO_PLAN;
      budget_spend(bounds->budget, SAMPLE_TICKS - 1);
      if (!grow(bounds)) continue;
      neap_size least = least_room(bounds, &pairs);
      if (pairs > 0 && pairs <= limits[l]) use_core(bounds, least);
    }
  }
  return NEAP_OK;
}

/* ---------------------------------------------------------------- moves */

/* What is left of the cost of moving a body from where it was; that position. */
struct near {
  neap_size left;
  int64_t position;
};

/* Two soft arcs to the ground leave out one position: the high end of the first. */
static void find_near(const struct net *net, struct near *near, neap_size *bound) {
  for (size_t b = 0; b < net->count; b++)
    for (size_t a = net->soft_begin[b]; a < net->soft_begin[b + 1]; a++) {
      const struct net_arc *arc = &net->soft[a];
      const struct net_term *term = &net->terms[arc->term];
      if (arc->other != net->count || arc->low > -NEAP_MAX / 8) continue;
      if (near[b].left == 0) near[b] = (struct near){term->cost, arc->high};
      else if (near[b].position == arc->high) near[b].left += term->cost;
      else {
        /* Members that were elsewhere: one of the two moves. */
        bool is_less = term->cost < near[b].left;
        neap_size least = is_less ? term->cost : near[b].left;
        *bound += least;
        if (is_less) near[b].left -= least;
        else near[b] = (struct near){term->cost - least, arc->high};
      }
    }
}

/* Whether a body cannot be where it was, whatever the others do. */
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
