/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cost of a layout is a sum of weights.  If both kinds of terms count, one unit of the
 * first kind weighs more than all terms of the second kind together, so the lightest layout is
 * the lexicographic optimum.
 *
 *     anneal a little ─► each component exactly, if it is small ─► bounds ─► anneal on and on
 */
#include "costs/minimise.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "costs/assign.h"
#include "costs/constraint_network.h"
#include "model/groups.h"

/* ------------------------------------------------------------- a copy with some soft terms hard */

struct variant {
  const struct neap_problem *from;
  neap_problem *problem;
  bool *is_separated; /* per relation: this penalty becomes a separation */
  bool *is_fixed;     /* per buffer: fixed at its earlier offset */
  uint64_t *pairs;    /* sorted keys of the pairs separated for this */
  size_t pair_count;
};

static uint64_t key_of(const neap_relation *item) {
  uint64_t first = item->first, second = item->second;
  return first < second ? first << 32 | second : second << 32 | first;
}

static int by_key(const void *left, const void *right) {
  const uint64_t *a = left, *b = right;
  return *a < *b ? -1 : *a > *b;
}

static bool is_apart(const struct variant *variant, const neap_relation *item) {
  uint64_t key = key_of(item);
  return variant->pair_count > 0 &&
         bsearch(&key, variant->pairs, variant->pair_count, sizeof key, by_key);
}

static bool mark_terms(struct variant *variant, const struct net *net, const bool *is_hard) {
  const struct relations *relations = variant->from->relations;
  size_t relation_count = relations ? relations->count : 0;
  variant->is_separated = memory_array(relation_count, sizeof *variant->is_separated);
  variant->is_fixed = memory_array(variant->from->count, sizeof *variant->is_fixed);
  variant->pairs = memory_array(net->term_count, sizeof *variant->pairs);
  bool ready = variant->is_separated && variant->is_fixed && variant->pairs;
  for (size_t t = 0; ready && t < net->term_count; t++) {
    const struct net_term *term = &net->terms[t];
    if (!is_hard[t]) continue;
    if (term->kind == NEAP_TERM_MOVED) {
      variant->is_fixed[term->index] = true;
      continue;
    }
    variant->is_separated[term->index] = true;
    variant->pairs[variant->pair_count++] = key_of(&relations->items[term->index]);
  }
  if (ready && variant->pair_count > 1)
    qsort(variant->pairs, variant->pair_count, sizeof *variant->pairs, by_key);
  return ready;
}

static neap_status copy_buffers(struct variant *variant, neap_error *error) {
  neap_status status = NEAP_OK;
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  for (size_t i = 0; status == NEAP_OK && neap_problem_buffer_at(variant->from, i, &buffer);
       i++) {
    if (variant->is_fixed[i] && buffer.fixed_offset == NEAP_UNPLACED)
      buffer.fixed_offset = buffer.near_offset;
    buffer.near_offset = NEAP_UNPLACED;
    buffer.move_cost = 0;
    status = neap_problem_add(variant->problem, &buffer, error);
  }
  return status;
}

/* Copies a relation, unless it is soft or allows a separated pair to share bytes. */
static neap_status copy_relation(struct variant *variant, const neap_relation *item,
                                 bool separated, neap_error *error) {
  const neap_relation separating = relation_separating(item->first, item->second);
  if (!separated && (relation_has(item, RELATION_PRICED) ||
                     (relation_has(item, RELATION_SHARES) && is_apart(variant, item))))
    return NEAP_OK;
  return neap_problem_relate(variant->problem, separated ? &separating : item, error);
}

/* Copies groups of exclusions, without the pairs that are now separated. */
static neap_status copy_exclusions(struct variant *variant, neap_error *error) {
  const struct relations *relations = variant->from->relations;
  neap_status status = NEAP_OK;
  if (variant->pair_count == 0)
    return problem_copy_groups(variant->problem, variant->from, RELATION_FREES, NULL, error);
  for (size_t i = relations->count; i < relations_total(relations) && status == NEAP_OK; i++) {
    neap_relation relation = relations_at(relations, i);
    if (relation_has(&relation, RELATION_FREES))
      status = copy_relation(variant, &relation, false, error);
  }
  return status;
}

static neap_status copy_relations(struct variant *variant, neap_error *error) {
  const struct relations *relations = variant->from->relations;
  neap_status status = NEAP_OK;
  for (size_t i = 0; relations && status == NEAP_OK && i < relations->count; i++)
    status = copy_relation(variant, &relations->items[i], variant->is_separated[i], error);
  if (status == NEAP_OK)
    status = problem_copy_groups(variant->problem, variant->from, RELATION_APART, NULL, error);
  if (status == NEAP_OK) status = copy_exclusions(variant, error);
  for (size_t i = 0; relations && status == NEAP_OK && i < relations->reserved_count; i++)
    status = neap_problem_reserve(variant->problem, &relations->reserved[i], error);
  return status;
}

/*
 * Copies the problem of a net, buffer by buffer in the same order: its penalties with
 * is_hard[term] become separations, earlier offsets with is_hard[term] fixed offsets, and all
 * other soft terms are dropped.  NEAP_ERROR_INPUT: an earlier offset contradicts a hard
 * constraint.
 */
static neap_status variant_new(const struct net *net, const bool *is_hard, neap_problem **made,
                               neap_error *error) {
  struct variant variant = {.from = net->problem, .problem = neap_problem_new()};
  neap_status status =
      variant.problem && mark_terms(&variant, net, is_hard) ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK) status = copy_buffers(&variant, error);
  if (status == NEAP_OK) status = copy_relations(&variant, error);
  if (status == NEAP_OK) status = neap_problem_check(variant.problem, error);
  free(variant.is_separated);
  free(variant.is_fixed);
  free(variant.pairs);
  if (status == NEAP_OK) *made = variant.problem;
  else neap_problem_free(variant.problem);
  return status;
}

/* ---------------------------------------------------------------- the solver */

/* Bodies connected by arcs.  Components are independent of each other. */
struct component {
  size_t begin, end; /* in solver.grouped */
  bool is_proven;    /* no layout of it is lighter */
  bool is_hopeless;  /* too large for exact search */
};

struct solver {
  struct solver_task task;
  struct net net;
  bool has_net;
  bool has_second;    /* the second kind has weights, too (not ignored) */
  neap_size *weights; /* per term */
  struct anneal *anneal;
  struct component *components;
  size_t component_count;
  uint32_t *grouped; /* the bodies, component by component */
  int64_t *positions;
  neap_offset *offsets;
  neap_size cost[SOLVER_KINDS], lower_bound[SOLVER_KINDS];
  uint64_t nodes; /* the limit of the next exact search */
  bool is_proven, has_bounds, was_exact;
};

void solver_free(struct solver *solver) {
  if (!solver) return;
  anneal_free(solver->anneal);
  net_clear(&solver->net);
  free(solver->weights);
  free(solver->components);
  free(solver->grouped);
  free(solver->positions);
  free(solver->offsets);
  free(solver);
}

/* ---------------------------------------------------------------- weights */

static neap_size sum_of(const struct net *net, neap_term kind) {
  neap_size sum = 0;
  for (size_t t = 0; t < net->term_count; t++)
    if (net->terms[t].kind == kind && !checked_add(sum, net->terms[t].cost, &sum))
      return NEAP_MAX;
  return sum;
}

/*
 * No sum of weights is larger, even if it adds the intervals that begin at a position before it
 * subtracts those that end there.
 */
#define MOST_WEIGHT (NEAP_MAX / 4)

/*
 * Ignores the second kind if the weights of the first kind would become too large; false if
 * they are too large without it.
 */
static bool set_weights(struct solver *solver) {
  const struct net *net = &solver->net;
  const neap_term *kinds = solver->task.kinds;
  neap_size first = sum_of(net, kinds[0]), factor = 1, total;
  neap_size second = solver->task.kind_count > 1 ? sum_of(net, kinds[1]) : 0;
  if (first > MOST_WEIGHT || second > MOST_WEIGHT || net->base_reuse > MOST_WEIGHT)
    return false;
  solver->has_second = checked_mul(first, second + 1, &total) &&
                       checked_add(total, second, &total) && total <= MOST_WEIGHT;
  if (solver->has_second) factor = second + 1;
  for (size_t t = 0; t < net->term_count; t++) {
    const struct net_term *term = &net->terms[t];
    if (term->kind == kinds[0]) solver->weights[t] = term->cost * factor;
    else if (solver->task.kind_count > 1 && term->kind == kinds[1] && solver->has_second)
      solver->weights[t] = term->cost;
  }
  return true;
}

static neap_size weigh(const struct solver *solver, size_t begin, size_t end,
                       const int64_t *positions) {
  const struct net *net = &solver->net;
  neap_size weight = 0;
  for (size_t i = begin; i < end; i++) {
    uint32_t body = solver->grouped[i];
    for (size_t a = net->soft_begin[body]; a < net->soft_begin[body + 1]; a++)
      if (net->soft[a].other > body &&
          net_hits(net, &net->soft[a], false, positions[body], positions[net->soft[a].other]))
        weight += solver->weights[net->soft[a].term];
  }
  return weight;
}

/* ---------------------------------------------------------------- components */

static uint32_t root_of(uint32_t *parent, uint32_t body) {
  while (parent[body] != body) {
    parent[body] = parent[parent[body]];
    body = parent[body];
  }
  return body;
}

static void join_arcs(const struct net *net, const size_t *begin, const struct net_arc *arcs,
                      uint32_t *parent) {
  for (uint32_t b = 0; b < net->count; b++)
    for (size_t a = begin[b]; a < begin[b + 1]; a++)
      if (arcs[a].other != net->count)
        parent[root_of(parent, b)] = root_of(parent, arcs[a].other);
}

static bool group_bodies(struct solver *solver, const uint32_t *parent, size_t *place) {
  const struct net *net = &solver->net;
  for (uint32_t b = 0; b < net->count; b++)
    place[parent[b]]++;
  for (uint32_t b = 0; b < net->count; b++)
    solver->component_count += place[b] > 0;
  solver->components = memory_array(solver->component_count, sizeof *solver->components);
  if (!solver->components) return false;
  size_t next = 0, end = 0;
  for (uint32_t b = 0; b < net->count; b++) {
    if (place[b] == 0) continue;
    struct component *component = &solver->components[next++];
    component->begin = end;
    end += place[b];
    component->end = end;
    place[b] = component->begin;
  }
  for (uint32_t b = 0; b < net->count; b++)
    solver->grouped[place[parent[b]]++] = b;
  return true;
}

static bool find_components(struct solver *solver) {
  const struct net *net = &solver->net;
  uint32_t *parent = memory_array(net->count, sizeof *parent);
  size_t *place = memory_array(net->count, sizeof *place);
  solver->grouped = memory_array(net->count, sizeof *solver->grouped);
  bool ready = parent && place && solver->grouped;
  for (uint32_t b = 0; ready && b < net->count; b++)
    parent[b] = b;
  if (ready) {
    join_arcs(net, net->hard_begin, net->hard, parent);
    join_arcs(net, net->soft_begin, net->soft, parent);
    for (uint32_t b = 0; b < net->count; b++)
      parent[b] = root_of(parent, b);
    ready = group_bodies(solver, parent, place);
  }
  free(parent);
  free(place);
  return ready;
}

/* ---------------------------------------------------------------- making */

/* Adopts the positions as the layout. */
static void take_positions(struct solver *solver) {
  net_offsets(&solver->net, solver->positions, solver->offsets);
  for (size_t k = 0; k < solver->task.kind_count; k++)
    solver->cost[k] = net_cost(&solver->net, solver->positions, solver->task.kinds[k]);
}

static bool prepare(struct solver *solver) {
  struct net *net = &solver->net;
  solver->weights = memory_array(net->term_count, sizeof *solver->weights);
  solver->positions = memory_array(net->count + 1, sizeof *solver->positions);
  if (!solver->weights || !solver->positions || !find_components(solver)) return false;
  net_positions(net, solver->offsets, solver->positions);
  solver->has_net = set_weights(solver) && net_limit(net, solver->task.capacity) &&
                    net_is_sound(net, solver->positions);
  if (!solver->has_net) return true; /* without a network, such layouts cannot be checked */
  take_positions(solver);
  for (size_t c = 0; c < solver->component_count; c++) {
    struct component *component = &solver->components[c];
    component->is_proven =
        weigh(solver, component->begin, component->end, solver->positions) == 0;
  }
  for (size_t k = 0; k < solver->task.kind_count; k++)
    if (solver->task.kinds[k] == NEAP_TERM_REUSE) solver->lower_bound[k] = net->base_reuse;
  solver->anneal = anneal_new(net, solver->weights, solver->positions, solver->task.seed);
  return solver->anneal != NULL;
}

static neap_status init_solver(struct solver *solver, neap_error *error) {
  bool too_large = false, is_contradictory = false;
  const struct solver_task *task = &solver->task;
  size_t count = task->problem->count;
  solver->nodes = SOLVER_FIRST_NODES;
  solver->offsets = memory_array(count, sizeof *solver->offsets);
  if (!solver->offsets) return error_memory(error);
  if (count > 0) memcpy(solver->offsets, task->incumbent, count * sizeof *solver->offsets);
  neap_status status =
      net_init(&solver->net, task->problem, &too_large, &is_contradictory, error);
  /*
   * The incumbent is sound, so a contradiction means that it exceeds the network's range (FAR).
   */
  if (status != NEAP_OK || too_large || is_contradictory) return status;
  return prepare(solver) ? NEAP_OK : error_memory(error);
}

neap_status solver_new(struct solver **solver, const struct solver_task *task,
                       neap_error *error) {
  struct solver *made = memory_array(1, sizeof *made);
  if (!made) return error_memory(error);
  assert(task->kind_count >= 1 && task->kind_count <= SOLVER_KINDS);
  made->task = *task;
  neap_status status = init_solver(made, error);
  if (status == NEAP_OK) *solver = made;
  else solver_free(made);
  return status;
}

/* ---------------------------------------------------------------- the work */

/* Adopts the annealed positions of each component that became lighter. */
static void take_annealed(struct solver *solver) {
  const int64_t *annealed = anneal_positions(solver->anneal);
  for (size_t c = 0; c < solver->component_count; c++) {
    struct component *component = &solver->components[c];
    size_t begin = component->begin, end = component->end;
    neap_size weight = weigh(solver, begin, end, annealed);
    if (component->is_proven || weight >= weigh(solver, begin, end, solver->positions))
      continue;
    for (size_t i = begin; i < end; i++)
      solver->positions[solver->grouped[i]] = annealed[solver->grouped[i]];
    component->is_proven = weight == 0;
  }
  take_positions(solver);
}

/*
 * If every component is proven, so is the whole layout.  The proof gives no lower bound for the
 * second kind: layouts that pay more for the first kind may pay less for the second.
 */
static void note_proofs(struct solver *solver) {
  bool all = true;
  for (size_t c = 0; all && c < solver->component_count; c++)
    all = solver->components[c].is_proven;
  if (all) solver->lower_bound[0] = solver->cost[0];
  solver->is_proven = solver->cost[0] == solver->lower_bound[0] &&
                      (solver->task.kind_count < 2 || (all && solver->has_second) ||
                       solver->cost[1] == solver->lower_bound[1]);
}

static neap_status cool(struct solver *solver) {
  bool left = anneal_cool(solver->anneal, solver->task.budget);
  take_annealed(solver);
  return left ? NEAP_OK : NEAP_NO_PLAN;
}

static neap_status prove_component(struct solver *solver, struct component *component,
                                   neap_error *error) {
  struct assign_task task = {.net = &solver->net,
                             .weights = solver->weights,
                             .bodies = solver->grouped + component->begin,
                             .count = component->end - component->begin,
                             .most_nodes = solver->nodes,
                             .budget = solver->task.budget};
  neap_size before = weigh(solver, component->begin, component->end, solver->positions);
  neap_size weight = before;
  bool was_searched = false;
  enum assign_end end = assign_solve(&task, solver->positions, &weight, &was_searched);
  assert(weigh(solver, component->begin, component->end, solver->positions) == weight);
  component->is_proven = end == ASSIGN_PROVEN;
  component->is_hopeless = end == ASSIGN_OPEN && !was_searched;
  if (end == ASSIGN_MEMORY) return error_memory(error);
  return end == ASSIGN_STOPPED ? NEAP_NO_PLAN : NEAP_OK;
}

/* Searches every component exactly, with a limit on nodes that grows from call to call. */
static neap_status prove(struct solver *solver, neap_error *error) {
  neap_status status = NEAP_OK;
  bool left = false;
  for (size_t c = 0; status == NEAP_OK && c < solver->component_count; c++) {
    struct component *component = &solver->components[c];
    if (component->is_proven || component->is_hopeless) continue;
    status = prove_component(solver, component, error);
    left |= !component->is_proven && !component->is_hopeless;
  }
  take_positions(solver);
  anneal_restart(solver->anneal, solver->positions);
  solver->nodes = left && solver->nodes < SOLVER_MOST_NODES ? solver->nodes * 4 : solver->nodes;
  return status;
}

static neap_status find_bounds(struct solver *solver, neap_error *error) {
  solver->has_bounds = true;
  neap_size bounds[SOLVER_KINDS] = {0};
  for (size_t k = 0; k < solver->task.kind_count; k++) {
    neap_status status = bounds_find(&solver->net, solver->task.kinds[k], solver->task.capacity,
                                     solver->task.seed, solver->task.budget, &bounds[k], error);
    if (solver->task.kinds[k] == NEAP_TERM_REUSE) bounds[k] += solver->net.base_reuse;
    if (bounds[k] > solver->lower_bound[k]) solver->lower_bound[k] = bounds[k];
    assert(solver->lower_bound[k] <= solver->cost[k]);
    if (status != NEAP_OK) return status;
  }
  return NEAP_OK;
}

neap_status solver_step(struct solver *solver, bool *done, neap_error *error) {
  *done = !solver->has_net || solver->is_proven;
  if (*done) return NEAP_OK;
  neap_status status;
  if (!solver->was_exact && anneal_cycles(solver->anneal) > 0) {
    solver->was_exact = true;
    status = prove(solver, error);
  } else if (!solver->has_bounds && solver->was_exact) {
    status = find_bounds(solver, error);
  } else {
    status = cool(solver);
    solver->was_exact = false;
  }
  note_proofs(solver);
  *done = status == NEAP_OK && solver->is_proven;
  return status;
}

/* ---------------------------------------------------------------- results */

const neap_offset *solver_offsets(const struct solver *solver) { return solver->offsets; }

/* Assigns numbers of kinds to terms; terms of other kinds get 0. */
static void by_term(const struct solver *solver, const neap_size *numbers,
                    neap_size out[NEAP_TERM_COUNT]) {
  for (size_t t = 0; t < NEAP_TERM_COUNT; t++)
    out[t] = 0;
  for (size_t k = 0; k < solver->task.kind_count; k++)
    out[solver->task.kinds[k]] = numbers[k];
}

void solver_costs(const struct solver *solver, neap_size cost[NEAP_TERM_COUNT]) {
  by_term(solver, solver->cost, cost);
}

void solver_lower_bounds(const struct solver *solver, neap_size bounds[NEAP_TERM_COUNT]) {
  by_term(solver, solver->lower_bound, bounds);
}

bool solver_is_proven(const struct solver *solver) { return solver->is_proven; }

neap_status solver_assess(const struct solver *solver, const neap_offset *offsets,
                          bool *is_sound, neap_size cost[NEAP_TERM_COUNT], neap_error *error) {
  *is_sound = false;
  if (!solver->has_net) return NEAP_OK;
  int64_t *positions = memory_array(solver->net.count + 1, sizeof *positions);
  if (!positions) return error_memory(error);
  net_positions(&solver->net, offsets, positions);
  *is_sound = net_is_sound(&solver->net, positions);
  neap_size costs[SOLVER_KINDS];
  for (size_t k = 0; k < solver->task.kind_count; k++)
    costs[k] = net_cost(&solver->net, positions, solver->task.kinds[k]);
  by_term(solver, costs, cost);
  free(positions);
  return NEAP_OK;
}

/* Decides one component, within the net's limits. */
static enum verdict decide_component(struct solver *solver, const struct component *component,
                                     int64_t *positions) {
  struct assign_task task = {.net = &solver->net,
                             .weights = solver->weights,
                             .bodies = solver->grouped + component->begin,
                             .count = component->end - component->begin,
                             .most_nodes = SOLVER_DECISION_NODES,
                             .budget = solver->task.budget};
  bool was_searched;
  neap_size least = weigh(solver, component->begin, component->end, solver->positions);
  neap_size weight = least + 1;
  enum assign_end end = assign_solve(&task, positions, &weight, &was_searched);
  if (weight <= least) return VERDICT_FOUND;
  switch (end) {
  case ASSIGN_PROVEN:
    return VERDICT_REFUTED;
  case ASSIGN_STOPPED:
    return VERDICT_STOPPED;
  case ASSIGN_MEMORY:
    return VERDICT_MEMORY;
  case ASSIGN_OPEN:
    break;
  }
  return VERDICT_OPEN;
}

enum verdict solver_decide(struct solver *solver, neap_size capacity, neap_offset *offsets) {
  assert(solver->is_proven);
  if (!solver->has_net) return VERDICT_OPEN;
  int64_t *positions = memory_array(solver->net.count + 1, sizeof *positions);
  if (!positions) return VERDICT_MEMORY;
  enum verdict verdict = net_limit(&solver->net, capacity) ? VERDICT_FOUND : VERDICT_REFUTED;
  for (size_t c = 0; verdict == VERDICT_FOUND && c < solver->component_count; c++)
    verdict = decide_component(solver, &solver->components[c], positions);
  if (verdict == VERDICT_FOUND) net_offsets(&solver->net, positions, offsets);
  net_limit(&solver->net, solver->task.capacity);
  free(positions);
  return verdict;
}

/* Marks the terms of the given kinds that a layout does not pay. */
static bool *mark_unpaid(const struct solver *solver, const int64_t *positions,
                         const neap_term *kinds, size_t kind_count) {
  const struct net *net = &solver->net;
  bool *is_hard = memory_array(net->term_count, sizeof *is_hard);
  for (size_t t = 0; is_hard && t < net->term_count; t++)
    for (size_t k = 0; k < kind_count; k++)
      is_hard[t] |= net->terms[t].kind == kinds[k];
  for (size_t b = 0; is_hard && b < net->count; b++)
    for (size_t a = net->soft_begin[b]; a < net->soft_begin[b + 1]; a++) {
      const struct net_arc *arc = &net->soft[a];
      if (net_hits(net, arc, false, positions[b], positions[arc->other]))
        is_hard[arc->term] = false;
    }
  return is_hard;
}

neap_status solver_forbid(const struct solver *solver, const neap_offset *offsets,
                          const neap_term *kinds, size_t kind_count, neap_problem **problem,
                          neap_error *error) {
  *problem = NULL;
  if (!solver->has_net) return NEAP_OK;
  int64_t *positions = memory_array(solver->net.count + 1, sizeof *positions);
  bool *is_hard = NULL;
  if (positions) {
    net_positions(&solver->net, offsets, positions);
    is_hard = mark_unpaid(solver, positions, kinds, kind_count);
  }
  neap_status status =
      is_hard ? variant_new(&solver->net, is_hard, problem, error) : error_memory(error);
  free(positions);
  free(is_hard);
  /* If the hardened terms contradict each other, the caller does without them. */
  return status == NEAP_ERROR_INPUT ? NEAP_OK : status;
}
