/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Simulated annealing (S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, Optimization by
 * simulated annealing, 1983) over sound layouts, with moves that may eject bodies.
 *
 * A layout gives every body of the network (costs/constraint_network) a position.  Its weight is
 * the sum of the weights of all terms that it pays.  Between moves, every hard arc is respected.
 *
 *   Positions.  Each arc from a body to a placed body forbids (hard) or prices (soft) an open
 *   interval of positions.  Inside a gap between the ends of intervals, the price is constant,
 *   so only the ends matter, rounded into the gap to what alignment and banks allow.  One sweep
 *   over the sorted ends knows the price and the number of blocking hard arcs at each of them.
 *
 *   A move takes out one body and puts it elsewhere, at the cheapest position after adding noise of
 *   up to one temperature to the price of each position.  Most moves (ANNEAL_EJECT_PERCENT) may
 *   choose a position that is blocked: each blocking arc then adds ANNEAL_BLOCK temperatures to the
 *   price, and the bodies in the way, at most ANNEAL_EJECTED_MOST, are ejected and put, in random
 *   order, at free positions.  If one of them finds none, the move is undone.  A move that makes
 *   the layout heavier by w is kept with the probability exp(-w / temperature).  Up to four draws
 *   choose the body, preferring one that pays something.
 *
 *   A cycle (anneal_cool) cools from `hot` to `cold` in geometric steps.  Each cycle has twice
 *   as many moves as the one before.  It continues from the present layout; the best layout is
 *   stored separately.
 *
 * Weights are neap_size; temperatures are in the same unit, as doubles.  One tick of the budget
 * is one move.  Evaluating a body with d arcs takes O(d log d), plus the time to fit each
 * position to banks.  Memory is O(bodies + terms + most arcs of a body).
 *
 * Invariants between moves: every body is placed and every hard arc respected; `paid` has, for
 * each body, the weight of the soft arcs that it pays; `weight` is the sum over all paid terms.
 */
#include "costs/minimise.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/checks.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "core/random.h"

/* One end of an interval, with the change of price and blocks beyond it. */
struct edge {
  int64_t at;
  neap_size weight; /* of a soft arc, else 0 */
  uint32_t blocks;  /* 1 for a hard arc, else 0 */
};

/* A position for a body. */
struct choice {
  int64_t position;
  uint32_t blocks; /* the number of bodies in the way */
};

/* How to choose a position. */
struct policy {
  bool ejects;   /* positions with bodies in the way are allowed */
  double block;  /* the price of one body in the way */
  double noise;  /* the largest random price added to a position */
  int64_t avoid; /* a position not to choose, or -1 */
};

struct undo {
  uint32_t body;
  int64_t position;
};

struct anneal {
  const struct net *net;
  neap_size *weights; /* per term */
  int64_t *positions, *best;
  bool *is_placed;
  neap_size *paid; /* per body: the weight of its soft arcs to placed bodies that it pays */
  neap_size weight, best_weight;
  struct random random;
  /*
   * Used while one body is evaluated: the low and the high ends of its intervals, sorted
   * separately.
   */
  struct edge *lows, *highs;
  struct undo *undo; /* bodies taken out, with their positions */
  size_t undo_count;
  uint32_t *queue;
  size_t queue_count;
  uint32_t *movable;
  size_t movable_count;
  uint64_t cycle;
  double hot, cold;
};

void anneal_free(struct anneal *anneal) {
  if (!anneal) return;
  free(anneal->weights);
  free(anneal->positions);
  free(anneal->best);
  free(anneal->is_placed);
  free(anneal->paid);
  free(anneal->lows);
  free(anneal->highs);
  free(anneal->undo);
  free(anneal->queue);
  free(anneal->movable);
  random_clear(&anneal->random);
  free(anneal);
}

/* ---------------------------------------------------------------- the layout */

static void take_out(struct anneal *anneal, uint32_t body) {
  const struct net *net = anneal->net;
  int64_t position = anneal->positions[body];
  assert(anneal->is_placed[body]);
  anneal->is_placed[body] = false;
  if (anneal->paid[body] == 0) return;
  for (size_t a = net->soft_begin[body]; a < net->soft_begin[body + 1]; a++) {
    const struct net_arc *arc = &net->soft[a];
    if (!anneal->is_placed[arc->other]) continue;
    int64_t apart = position - anneal->positions[arc->other];
    if (arc->low < apart && apart < arc->high) {
      anneal->paid[arc->other] -= anneal->weights[arc->term];
      anneal->weight -= anneal->weights[arc->term];
      assert(anneal->paid[arc->other] >= 0 && anneal->weight >= 0);
    }
  }
  anneal->paid[body] = 0;
}

static void put_in(struct anneal *anneal, uint32_t body, int64_t position) {
  const struct net *net = anneal->net;
  assert(body < net->count && anneal->paid[body] == 0);
  assert(!anneal->is_placed[body]);
  anneal->is_placed[body] = true;
  anneal->positions[body] = position;
  for (size_t a = net->soft_begin[body]; a < net->soft_begin[body + 1]; a++) {
    const struct net_arc *arc = &net->soft[a];
    if (!anneal->is_placed[arc->other]) continue;
    int64_t apart = position - anneal->positions[arc->other];
    if (arc->low < apart && apart < arc->high) {
      anneal->paid[arc->other] += anneal->weights[arc->term];
      anneal->paid[body] += anneal->weights[arc->term];
      anneal->weight += anneal->weights[arc->term];
    }
  }
}

/* ---------------------------------------------------------------- evaluating */

static int by_place(const void *left, const void *right) {
  const struct edge *a = left, *b = right;
  return a->at < b->at ? -1 : a->at > b->at;
}

static void sort_edges(struct edge *edges, size_t count) {
  if (count > 200) {
    qsort(edges, count, sizeof *edges, by_place);
    return;
  }
  static const size_t gaps[] = {57, 23, 10, 4, 1};
  for (size_t g = 0; g < sizeof gaps / sizeof gaps[0]; g++) {
    size_t gap = gaps[g];
    for (size_t i = gap; i < count; i++) {
      struct edge edge = edges[i];
      size_t k = i;
      for (; k >= gap && edges[k - gap].at > edge.at; k -= gap)
        edges[k] = edges[k - gap];
      edges[k] = edge;
    }
  }
}

static bool is_sorted(const struct edge *edges, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (edges[i - 1].at > edges[i].at) return false;
  return true;
}

static void add_edges(struct anneal *anneal, size_t *count, const struct net_body *range,
                      const struct edge *low, int64_t high) {
  if (low->at >= range->high || high <= range->low || low->at >= high) return;
  anneal->lows[*count] = anneal->highs[*count] = *low;
  anneal->highs[*count].at = high;
  ++*count;
}

/* Collects and sorts the intervals of a body's arcs to placed bodies. */
static size_t collect(struct anneal *anneal, uint32_t body) {
  const struct net *net = anneal->net;
  const struct net_body *range = &net->bodies[body];
  size_t count = 0;
  for (size_t a = net->hard_begin[body]; a < net->hard_begin[body + 1]; a++) {
    const struct net_arc *arc = &net->hard[a];
    struct edge low = {.blocks = 1};
    int64_t high;
    if (!anneal->is_placed[arc->other]) continue;
    net_interval(net, arc, true, anneal->positions[arc->other], &low.at, &high);
    add_edges(anneal, &count, range, &low, high);
  }
  for (size_t a = net->soft_begin[body]; a < net->soft_begin[body + 1]; a++) {
    const struct net_arc *arc = &net->soft[a];
    struct edge low = {.weight = anneal->weights[arc->term]};
    int64_t high;
    if (!anneal->is_placed[arc->other] || low.weight == 0) continue;
    net_interval(net, arc, false, anneal->positions[arc->other], &low.at, &high);
    add_edges(anneal, &count, range, &low, high);
  }
  sort_edges(anneal->lows, count);
  sort_edges(anneal->highs, count);
  assert_slowly(is_sorted(anneal->lows, count) && is_sorted(anneal->highs, count));
  return count;
}

/* A walk, upwards, over the positions where intervals begin or end. */
struct scan {
  const struct anneal *anneal;
  size_t body, count;
  size_t next_low, next_high; /* the next ends to stop at */
  size_t low, high;           /* the next ends to cross */
  int64_t position;           /* -1 at first */
  neap_size weight;           /* the sum over the intervals that contain the position */
  uint32_t blocks;
};

/*
 * The next end to stop at, rounded to an allowed position outside its interval; false past the
 * last.
 */
static bool next_stop(struct scan *scan, int64_t *stop) {
  const struct edge *lows = scan->anneal->lows, *highs = scan->anneal->highs;
  const struct net *net = scan->anneal->net;
  bool has_low = scan->next_low < scan->count, has_high = scan->next_high < scan->count;
  if (!has_low && !has_high) return false;
  if (has_high && (!has_low || highs[scan->next_high].at <= lows[scan->next_low].at))
    *stop = net_fit_up(net, scan->body, highs[scan->next_high++].at);
  else *stop = net_fit_down(net, scan->body, lows[scan->next_low++].at);
  return true;
}

static void cross_edges(struct scan *scan) {
  const struct edge *lows = scan->anneal->lows, *highs = scan->anneal->highs;
  for (; scan->low < scan->count && lows[scan->low].at < scan->position; scan->low++) {
    scan->weight += lows[scan->low].weight;
    scan->blocks += lows[scan->low].blocks;
  }
  for (; scan->high < scan->count && highs[scan->high].at <= scan->position; scan->high++) {
    scan->weight -= highs[scan->high].weight;
    scan->blocks -= highs[scan->high].blocks;
    assert(scan->weight >= 0 && scan->high < scan->low); /* every low is below its high */
  }
}

/* Moves on to the next position; false past the last. */
static bool scan_next(struct scan *scan) {
  const struct net_body *range = &scan->anneal->net->bodies[scan->body];
  int64_t stop = range->low;
  do {
    if (scan->position >= 0 && !next_stop(scan, &stop)) return false;
  } while (stop <= scan->position || stop < range->low || stop > range->high);
  scan->position = stop;
  assert(stop >= range->low && stop <= range->high);
  cross_edges(scan);
  return true;
}

/*
 * Chooses the cheapest position for a body among the ends of its intervals, which include both
 * ends of every free gap.  False if there is none.
 */
static bool choose(struct anneal *anneal, uint32_t body, const struct policy *policy,
                   struct choice *choice) {
  struct scan scan = {
      .anneal = anneal, .body = body, .count = collect(anneal, body), .position = -1};
  double best = HUGE_VAL;
  while (scan_next(&scan)) {
    if (scan.position == policy->avoid || (scan.blocks > 0 && !policy->ejects)) continue;
    double noise = (double)random_below(&anneal->random, 1024) / 1024 * policy->noise;
    double value = (double)scan.weight + scan.blocks * policy->block + noise;
    if (value >= best) continue;
    best = value;
    *choice = (struct choice){scan.position, scan.blocks};
  }
  return best < HUGE_VAL;
}

/* ---------------------------------------------------------------- moves */

static void take_out_for_now(struct anneal *anneal, uint32_t body) {
  assert(body < anneal->net->count && anneal->undo_count < anneal->net->count);
  anneal->undo[anneal->undo_count++] = (struct undo){body, anneal->positions[body]};
  take_out(anneal, body);
}

static void undo_move(struct anneal *anneal, neap_size before) {
  for (size_t i = 0; i < anneal->undo_count; i++)
    if (anneal->is_placed[anneal->undo[i].body]) take_out(anneal, anneal->undo[i].body);
  for (size_t i = 0; i < anneal->undo_count; i++)
    put_in(anneal, anneal->undo[i].body, anneal->undo[i].position);
  assert(anneal->weight == before);
  (void)before;
}

static bool was_taken(const struct anneal *anneal, uint32_t body) {
  for (size_t i = 0; i < anneal->undo_count; i++)
    if (anneal->undo[i].body == body) return true;
  return false;
}

/*
 * Takes out the bodies in the way of a body at a position; false if one of them may not be ejected.
 */
static bool eject(struct anneal *anneal, uint32_t body, int64_t position) {
  const struct net *net = anneal->net;
  for (size_t a = net->hard_begin[body]; a < net->hard_begin[body + 1]; a++) {
    const struct net_arc *arc = &net->hard[a];
    if (!anneal->is_placed[arc->other] ||
        !net_hits(net, arc, true, position, anneal->positions[arc->other]))
      continue;
    if (arc->other == net->count || anneal->undo_count > ANNEAL_EJECTED_MOST ||
        was_taken(anneal, arc->other))
      return false;
    anneal->queue[anneal->queue_count++] = arc->other;
    take_out_for_now(anneal, arc->other);
  }
  return true;
}

static uint32_t pick(struct anneal *anneal) {
  uint32_t best =
      anneal->movable[random_below(&anneal->random, (uint32_t)anneal->movable_count)];
  for (int i = 0; i < 3 && anneal->paid[best] == 0; i++)
    best = anneal->movable[random_below(&anneal->random, (uint32_t)anneal->movable_count)];
  return best;
}

/* Puts the ejected bodies at free positions; false if one of them has none. */
static bool reinsert(struct anneal *anneal, double noise) {
  struct policy policy = {.noise = noise, .avoid = -1};
  while (anneal->queue_count > 0) {
    size_t k = random_below(&anneal->random, (uint32_t)anneal->queue_count);
    uint32_t body = anneal->queue[k];
    struct choice choice;
    anneal->queue[k] = anneal->queue[--anneal->queue_count];
    if (!choose(anneal, body, &policy, &choice)) return false;
    put_in(anneal, body, choice.position);
  }
  return true;
}

static bool accept(struct anneal *anneal, neap_size before, double temperature) {
  assert(anneal->queue_count == 0);
  neap_size worse = anneal->weight - before;
  if (worse <= 0) return true;
  assert(temperature > 0);
  double u = (double)(random_below(&anneal->random, 1u << 30) + 1) / (double)(1u << 30);
  return u < exp(-(double)worse / temperature);
}

static void note_best(struct anneal *anneal) {
  assert_slowly(net_is_sound(anneal->net, anneal->positions));
  if (anneal->weight >= anneal->best_weight) return;
  anneal->best_weight = anneal->weight;
  memcpy(anneal->best, anneal->positions, (anneal->net->count + 1) * sizeof *anneal->best);
}

static bool try_move(struct anneal *anneal, uint32_t body, double temperature) {
  struct policy policy = {.ejects = random_below(&anneal->random, 100) < ANNEAL_EJECT_PERCENT,
                          .block = ANNEAL_BLOCK * temperature,
                          .noise = temperature,
                          .avoid = anneal->positions[body]};
  struct choice choice;
  take_out_for_now(anneal, body);
  if (!choose(anneal, body, &policy, &choice)) return false;
  if (choice.blocks > 0 && !eject(anneal, body, choice.position)) return false;
  put_in(anneal, body, choice.position);
  return reinsert(anneal, temperature);
}

static void move(struct anneal *anneal, double temperature) {
  neap_size before = anneal->weight;
  anneal->undo_count = anneal->queue_count = 0;
  if (try_move(anneal, pick(anneal), temperature) && accept(anneal, before, temperature))
    note_best(anneal);
  else undo_move(anneal, before);
}

bool anneal_cool(struct anneal *anneal, struct budget *budget) {
  uint64_t steps = ANNEAL_FIRST_STEPS
                   << (anneal->cycle < ANNEAL_DOUBLINGS ? anneal->cycle : ANNEAL_DOUBLINGS);
  double hot = anneal->cycle == 0 ? anneal->hot / ANNEAL_QUENCH : anneal->hot;
  anneal->cycle++;
  if (hot < anneal->cold) hot = anneal->cold;
  if (anneal->movable_count == 0) return budget_tick(budget);
  for (uint64_t i = 0; i < steps; i++) {
    if (!budget_tick(budget)) return false;
    double done = (double)i / (double)steps;
    move(anneal, hot * pow(anneal->cold / hot, done));
    if (anneal->best_weight == 0) return true;
  }
  return true;
}

/* ---------------------------------------------------------------- making */

static size_t largest_degree(const struct net *net) {
  size_t most = 0;
  for (size_t b = 0; b < net->count; b++) {
    size_t degree = net->hard_begin[b + 1] - net->hard_begin[b] + net->soft_begin[b + 1] -
                    net->soft_begin[b];
    if (degree > most) most = degree;
  }
  return most;
}

static bool allocate(struct anneal *anneal) {
  const struct net *net = anneal->net;
  size_t count = net->count + 1, edges = largest_degree(net);
  anneal->weights = memory_array(net->term_count, sizeof *anneal->weights);
  anneal->positions = memory_array(count, sizeof *anneal->positions);
  anneal->best = memory_array(count, sizeof *anneal->best);
  anneal->is_placed = memory_array(count, sizeof *anneal->is_placed);
  anneal->paid = memory_array(count, sizeof *anneal->paid);
  anneal->lows = memory_array(edges, sizeof *anneal->lows);
  anneal->highs = memory_array(edges, sizeof *anneal->highs);
  anneal->undo = memory_array(count, sizeof *anneal->undo);
  anneal->queue = memory_array(count, sizeof *anneal->queue);
  anneal->movable = memory_array(count, sizeof *anneal->movable);
  return anneal->weights && anneal->positions && anneal->best && anneal->is_placed &&
         anneal->paid && anneal->lows && anneal->highs && anneal->undo && anneal->queue &&
         anneal->movable;
}

void anneal_restart(struct anneal *anneal, const int64_t *positions) {
  const struct net *net = anneal->net;
  for (uint32_t b = 0; b < net->count; b++)
    if (anneal->is_placed[b]) take_out(anneal, b);
  assert(anneal->weight == 0);
  for (uint32_t b = 0; b < net->count; b++)
    put_in(anneal, b, positions[b]);
  memcpy(anneal->best, anneal->positions, (net->count + 1) * sizeof *anneal->best);
  anneal->best_weight = anneal->weight;
}

static void fill(struct anneal *anneal, const neap_size *weights, const int64_t *positions) {
  const struct net *net = anneal->net;
  if (net->term_count > 0) memcpy(anneal->weights, weights, net->term_count * sizeof *weights);
  anneal->is_placed[net->count] = true;
  for (uint32_t b = 0; b < net->count; b++)
    if (net->bodies[b].low < net->bodies[b].high) anneal->movable[anneal->movable_count++] = b;
  anneal_restart(anneal, positions);
}

static int by_weight(const void *left, const void *right) {
  const neap_size *a = left, *b = right;
  return *a < *b ? -1 : *a > *b;
}

/*
 * Cooling begins at twice the mean weight and ends where the lightest quarter of the terms
 * freezes.
 */
static bool set_temperatures(struct anneal *anneal) {
  size_t count = 0;
  double sum = 0;
  neap_size *sorted = memory_array(anneal->net->term_count, sizeof *sorted);
  if (!sorted) return false;
  for (size_t t = 0; t < anneal->net->term_count; t++) {
    if (anneal->weights[t] == 0) continue;
    sorted[count++] = anneal->weights[t];
    sum += (double)anneal->weights[t];
  }
  if (count > 0) {
    qsort(sorted, count, sizeof *sorted, by_weight);
    anneal->hot = ANNEAL_HOT * sum / (double)count;
    anneal->cold = ANNEAL_COLD * (double)sorted[count / 4];
  }
  free(sorted);
  return true;
}

struct anneal *anneal_new(const struct net *net, const neap_size *weights,
                          const int64_t *positions, uint64_t seed) {
  struct anneal *anneal = memory_array(1, sizeof *anneal);
  if (!anneal) return NULL;
  anneal->net = net;
  if (!allocate(anneal) || !random_init(&anneal->random, seed)) {
    anneal_free(anneal);
    return NULL;
  }
  fill(anneal, weights, positions);
  if (set_temperatures(anneal)) return anneal;
  anneal_free(anneal);
  return NULL;
}

uint64_t anneal_cycles(const struct anneal *anneal) { return anneal->cycle; }

const int64_t *anneal_positions(const struct anneal *anneal) { return anneal->best; }
