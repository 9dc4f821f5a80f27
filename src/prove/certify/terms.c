/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Terms are proven in the order of the objective.  Costs are proven by cores: sets of soft
 * terms of which every layout within the limits pays at least one.  If the weights of the cores
 * add up to the cost of the plan, no plan is better, and an equally good plan pays no
 * term that has cost left over.  Such terms become hard constraints for the proofs that follow.
 */
#include "certify/certificate.h"

#include <assert.h>
#include <stdlib.h>

#include "certify/reasons.h"
#include "certify/soft_terms.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "core/random.h"
#include "core/sort.h"
#include "facts/bodies.h"
#include "facts/spill.h"
#include "facts/subset.h"
#include "plan/plan.h"

#define ANY_POOL SIZE_MAX

struct terms {
  struct certify_task *task;
  const struct neap_problem *problem;
  bool is_proven;          /* whether the last term is proven */
  size_t pool_count;       /* at least 1 */
  struct bodies bodies;    /* each body lies in one pool */
  size_t *pools;           /* per buffer: its pool in every equally good plan, or ANY_POOL */
  neap_size *limits;       /* per pool: the highest peak of such plans; NEAP_MAX: unlimited */
  struct soft_term *apart; /* the terms that no such plan pays */
  size_t apart_count, apart_capacity;
  struct soft_terms own; /* the soft terms of the term being proven */
  struct random *order;  /* shuffles the terms of a core; NULL: keeps their order */
  neap_size *left;       /* per own term: the part of its cost not yet taken by cores */
  size_t *core;          /* the core: places in `own` */
};

static bool has_term(const struct neap_problem *problem, neap_term term) {
  switch (term) {
  case NEAP_TERM_SPILL:
    return problem_pool_count(problem) > 0;
  case NEAP_TERM_REUSE:
    return problem_has(problem, RELATION_PRICED);
  case NEAP_TERM_MOVED:
    return problem->relations && problem->relations->near_count > 0;
  default:
    return true;
  }
}

bool terms_concern(const struct neap_problem *problem) {
  return has_term(problem, NEAP_TERM_SPILL) || has_term(problem, NEAP_TERM_REUSE) ||
         has_term(problem, NEAP_TERM_MOVED);
}

/* ---------------------------------------------------------------- one pool */

static size_t only_pool(const struct neap_problem *problem, size_t buffer) {
  if (problem_pool_count(problem) == 0) return 0;
  return spill_choice_count(problem, buffer) == 1 ? spill_choice(problem, buffer, 0) : ANY_POOL;
}

/* Spreads the only pool of a buffer to the buffers colocated with it. */
static void join_bodies(struct terms *terms) {
  for (size_t b = 0; b < terms->bodies.count; b++) {
    const struct body *body = &terms->bodies.items[b];
    size_t pool = ANY_POOL;
    for (size_t m = body->begin; m < body->end; m++)
      if (terms->pools[terms->bodies.members[m]] != ANY_POOL)
        pool = terms->pools[terms->bodies.members[m]];
    for (size_t m = body->begin; m < body->end; m++)
      terms->pools[terms->bodies.members[m]] = pool;
  }
}

static void find_pools(struct terms *terms) {
  for (size_t i = 0; i < terms->problem->count; i++)
    terms->pools[i] = only_pool(terms->problem, i);
  join_bodies(terms);
}

/* The terms that no plan of a subproblem may pay. */
struct avoided {
  const neap_offset *fixed; /* per buffer: the earlier offset that it keeps, or NEAP_UNPLACED */
  const struct soft_term *apart;
  size_t apart_count;
};

static void fix_offset(neap_buffer *buffer, size_t index, const void *user) {
  const struct avoided *avoided = user;
  if (buffer->fixed_offset == NEAP_UNPLACED) buffer->fixed_offset = avoided->fixed[index];
}

static bool is_apart(const struct avoided *avoided, size_t i, size_t j) {
  for (size_t t = 0; t < avoided->apart_count; t++)
    if (avoided->apart[t].kind == NEAP_TERM_REUSE && avoided->apart[t].first == (i < j ? i : j) &&
        (size_t)avoided->apart[t].second == (i < j ? j : i))
      return true;
  return false;
}

/* Drops penalties, and the allowances of buffers that must not share a byte. */
static bool keeps_relation(const neap_relation *relation, size_t index, const void *user) {
  const struct avoided *avoided = user;
  (void)index;
  return !relation_has(relation, RELATION_PRICED) &&
         !(relation_has(relation, RELATION_GAP) &&
           is_apart(avoided, relation->first, relation->second));
}

static neap_status separate(struct subset *subset, const struct soft_term *terms, size_t count,
                            neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t t = 0; t < count && status == NEAP_OK; t++) {
    if (terms[t].kind != NEAP_TERM_REUSE) continue;
    neap_relation relation =
        relation_separating(subset->places[terms[t].first], subset->places[terms[t].second]);
    if (relation.first != SUBSET_NONE && relation.second != SUBSET_NONE)
      status = neap_problem_relate(subset->problem, &relation, error);
  }
  return status;
}

/*
 * Makes the subproblem of the buffers that every plan puts in a pool, in which no plan pays a term
 * in `apart` or in the core.
 */
static neap_status make_part(const struct terms *terms, size_t pool, size_t core_count,
                             struct subset *subset, neap_error *error) {
  const struct neap_problem *problem = terms->problem;
  size_t count = 0, apart_count = terms->apart_count + core_count;
  size_t *members = memory_array(problem->count, sizeof *members);
  neap_offset *fixed = memory_array(problem->count, sizeof *fixed);
  struct soft_term *apart = memory_array(apart_count, sizeof *apart);
  neap_status status = members && fixed && apart ? NEAP_OK : error_memory(error);
  for (size_t i = 0; status == NEAP_OK && i < problem->count; i++) {
    fixed[i] = NEAP_UNPLACED;
    if (terms->pools[i] == pool) members[count++] = i;
  }
  for (size_t t = 0; status == NEAP_OK && t < apart_count; t++) {
    apart[t] = t < terms->apart_count ? terms->apart[t]
                                      : terms->own.items[terms->core[t - terms->apart_count]];
    if (apart[t].kind == NEAP_TERM_MOVED) fixed[apart[t].first] = apart[t].second;
  }
  const struct subset_choice choice = {members, count, pool, true};
  const struct avoided avoided = {fixed, apart, apart_count};
  const struct subset_edits edits = {
      .buffer = fix_offset, .relation = keeps_relation, .user = &avoided};
  if (status == NEAP_OK) status = subset_init_edited(subset, problem, &choice, &edits, error);
  if (status == NEAP_OK) {
    status = separate(subset, apart, apart_count, error);
    if (status != NEAP_OK) subset_clear(subset);
  }
  free(members);
  free(fixed);
  free(apart);
  return status;
}

/* Proves that a pool needs inner->target; inner->least is 0 if no proof is found. */
static neap_status prove_part(struct terms *terms, size_t pool, size_t core_count,
                              struct certify_task *inner, neap_error *error) {
  struct subset subset;
  inner->least = 0;
  neap_status status = make_part(terms, pool, core_count, &subset, error);
  if (status == NEAP_ERROR_INPUT) return NEAP_OK; /* contradictory, which no reason can show */
  if (status != NEAP_OK) return status;
  inner->problem = subset.problem;
  inner->originals = subset.originals;
  status = reason_find(inner, error);
  terms->task->is_large |= inner->is_large;
  subset_clear(&subset);
  return status;
}

/* ---------------------------------------------------------------- the peak */

static neap_status prove_pool(struct terms *terms, size_t pool, neap_size peak,
                              neap_error *error) {
  struct certify_task inner = *terms->task;
  inner.target = peak;
  lines_word(inner.proof, "pool");
  lines_number(inner.proof, (int64_t)pool);
  lines_end(inner.proof);
  neap_status status = prove_part(terms, pool, 0, &inner, error);
  terms->is_proven = inner.least > 0;
  if (inner.kind > terms->task->kind) terms->task->kind = inner.kind;
  return status;
}

/*
 * If buffers have a choice of pools: proves that the buffers alive at one moment need that many
 * bytes in all pools together.
 */
static neap_status prove_all_pools(struct terms *terms, neap_size peak, neap_error *error) {
  struct certify_task inner = *terms->task;
  inner.target = peak;
  lines_word(inner.proof, "all");
  lines_number(inner.proof, peak);
  lines_end(inner.proof);
  neap_status status = reason_find_load(&inner, error);
  terms->is_proven = inner.least > 0;
  return status;
}

/* A plan that names no pools puts all buffers in the first. */
static neap_size peak_of(const struct terms *terms, size_t pool) {
  const neap_plan *plan = terms->task->plan;
  if (plan->pools) return plan->pool_reports[pool].peak;
  return pool == 0 ? plan->report.peak : 0;
}

/* Whether the buffers that every plan puts in a pool reach its peak in this plan. */
static bool reach_peak(const struct terms *terms, size_t pool) {
  const neap_plan *plan = terms->task->plan;
  for (size_t i = 0; i < terms->problem->count; i++)
    if (terms->pools[i] == pool &&
        plan->offsets[i] + terms->problem->buffers[i].size == peak_of(terms, pool))
      return true;
  return peak_of(terms, pool) == 0;
}

static neap_status prove_each_pool(struct terms *terms, neap_error *error) {
  neap_status status = NEAP_OK;
  terms->is_proven = true;
  for (size_t p = 0; p < terms->pool_count && terms->is_proven; p++)
    terms->is_proven = reach_peak(terms, p);
  for (size_t p = 0; p < terms->pool_count && status == NEAP_OK && terms->is_proven; p++)
    if (peak_of(terms, p) > 0) status = prove_pool(terms, p, peak_of(terms, p), error);
  for (size_t p = 0; p < terms->pool_count && terms->is_proven; p++)
    terms->limits[p] = peak_of(terms, p);
  return status;
}

static bool has_choice(const struct terms *terms) {
  for (size_t i = 0; i < terms->problem->count; i++)
    if (terms->pools[i] == ANY_POOL) return true;
  return false;
}

static neap_status prove_peak(struct terms *terms, neap_error *error) {
  struct certify_task *task = terms->task;
  size_t length = task->proof->length, count = task->proof->count;
  neap_status status = prove_each_pool(terms, error);
  if (status != NEAP_OK || terms->is_proven || terms->pool_count == 1) return status;
  lines_cut(task->proof, length, count);
  if (has_choice(terms))
    task->lack =
        "for buffers with a choice of pools, only what is alive at one moment can be a proof";
  return prove_all_pools(terms, task->plan->report.peak, error);
}

/* ---------------------------------------------------------------- cores */

/*
 * Tests whether the first `count` terms of the core cannot all be avoided; appends the reason
 * to `proof`.
 */
static neap_status try_core(struct terms *terms, size_t pool, size_t count, struct lines *proof,
                            bool *is_core, neap_error *error) {
  struct certify_task inner = *terms->task;
  bool has_limit = terms->limits[pool] < NEAP_MAX;
  assert(pool < terms->pool_count && count <= terms->own.count);
  inner.target = has_limit ? terms->limits[pool] + 1 : CERTIFY_NEVER;
  inner.plan = NULL; /* the plan pays some terms of the core */
  inner.proof = proof;
  if (inner.max_states > TERMS_CORE_STATES) inner.max_states = TERMS_CORE_STATES;
  neap_status status = prove_part(terms, pool, count, &inner, error);
  *is_core = status == NEAP_OK && inner.least > 0;
  return status;
}

static void move_to_end(size_t *list, size_t count, size_t begin, size_t length) {
  assert(begin + length <= count);
  for (size_t i = 0; i < length; i++) {
    size_t moved = list[begin];
    for (size_t k = begin + 1; k < count; k++)
      list[k - 1] = list[k];
    list[count - 1] = moved;
  }
}

/* Removes terms, first many at a time, as long as the rest is still a core. */
static neap_status shrink_core(struct terms *terms, size_t pool, size_t *count,
                               neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t length = *count / 2; length > 0 && status == NEAP_OK; length /= 2)
    for (size_t begin = 0, tried = 0; tried < *count && status == NEAP_OK;) {
      size_t taken = length < *count - begin ? length : *count - begin;
      struct lines scratch = {0};
      bool is_core;
      assert(taken > 0);
      move_to_end(terms->core, *count, begin, taken);
      status = try_core(terms, pool, *count - taken, &scratch, &is_core, error);
      lines_clear(&scratch);
      if (is_core) *count -= taken;
      else tried += taken;
      begin = 0;
    }
  return status;
}

static void print_core(struct terms *terms, size_t pool, size_t count, neap_size weight,
                       const struct lines *proof) {
  struct lines *lines = terms->task->proof;
  lines_word(lines, "core");
  lines_number(lines, weight);
  lines_number(lines, (int64_t)pool);
  for (size_t c = 0; c < count; c++)
    lines_number(lines, (int64_t)terms->core[c]);
  lines_end(lines);
  lines_append(lines, proof);
}

/*
 * Prints a core, and subtracts its weight, the least cost left in it, from each of its terms.
 */
static neap_status take_core(struct terms *terms, size_t pool, size_t count, neap_size most,
                             neap_size *weight, neap_error *error) {
  struct lines proof = {0};
  bool is_core;
  *weight = most;
  qsort(terms->core, count, sizeof *terms->core, sort_by_index);
  for (size_t c = 0; c < count; c++)
    if (terms->left[terms->core[c]] < *weight) *weight = terms->left[terms->core[c]];
  assert(*weight > 0); /* only terms with something left are in a core */
  neap_status status = try_core(terms, pool, count, &proof, &is_core, error);
  if (status == NEAP_OK && is_core) print_core(terms, pool, count, *weight, &proof);
  else *weight = 0;
  terms->task->proof->failed |= proof.failed;
  lines_clear(&proof);
  for (size_t c = 0; c < count; c++)
    terms->left[terms->core[c]] -= *weight;
  return status;
}

static void shuffle(struct random *random, size_t *list, size_t count) {
  for (size_t i = count; i > 1; i--) {
    size_t other = random_below(random, (uint32_t)i), moved = list[i - 1];
    list[i - 1] = list[other];
    list[other] = moved;
  }
}

/* Finds one core in a pool; *weight is 0 if the search finds none. */
static neap_status find_core(struct terms *terms, size_t pool, neap_size most,
                             neap_size *weight, neap_error *error) {
  size_t count = 0;
  struct lines scratch = {0};
  bool is_core;
  *weight = 0;
  for (size_t t = 0; t < terms->own.count; t++)
    if (terms->left[t] > 0 && terms->pools[terms->own.items[t].first] == pool)
      terms->core[count++] = t;
  if (count == 0) return NEAP_OK;
  if (terms->order) shuffle(terms->order, terms->core, count);
  neap_status status = try_core(terms, pool, count, &scratch, &is_core, error);
  lines_clear(&scratch);
  if (status != NEAP_OK || !is_core) return status;
  status = shrink_core(terms, pool, &count, error);
  return status == NEAP_OK ? take_core(terms, pool, count, most, weight, error) : status;
}

static neap_status find_cores(struct terms *terms, neap_size value, neap_error *error) {
  neap_status status = NEAP_OK;
  neap_size total = 0, weight;
  for (size_t p = 0; p < terms->pool_count && status == NEAP_OK && total < value;) {
    status = find_core(terms, p, value - total, &weight, error);
    total += weight;
    assert(weight >= 0 && total <= value);
    if (weight == 0) p++;
  }
  terms->is_proven = total == value;
  return status;
}

static bool keep_apart(struct terms *terms) {
  if (!memory_reserve(&terms->apart, &terms->apart_capacity,
                      terms->apart_count + terms->own.count + 1, sizeof *terms->apart))
    return false;
  for (size_t t = 0; t < terms->own.count; t++)
    if (terms->left[t] > 0) terms->apart[terms->apart_count++] = terms->own.items[t];
  return true;
}

/*
 * Resets the costs that cores may take, 0 for terms that are due; returns the cost of the due
 * terms.
 */
static neap_size take_due(struct terms *terms) {
  neap_size sum = 0;
  for (size_t t = 0; t < terms->own.count; t++) {
    const struct soft_term *term = &terms->own.items[t];
    bool is_due = soft_term_is_due(term, terms->problem, &terms->bodies);
    terms->left[t] = is_due ? 0 : term->cost;
    if (is_due && !checked_add(sum, term->cost, &sum)) sum = NEAP_MAX; /* capped, as in a report */
  }
  return sum;
}

/*
 * Looks for cores several times in different orders: cores are taken greedily, so another order
 * may add up to more.
 */
static neap_status try_orders(struct terms *terms, neap_size value, neap_error *error) {
  struct random random;
  struct lines *proof = terms->task->proof;
  size_t length = proof->length, count = proof->count;
  if (!random_init(&random, 1)) return error_memory(error);
  neap_status status = find_cores(terms, value - take_due(terms), error);
  terms->order = &random;
  for (int attempt = 1; attempt < TERMS_CORE_ATTEMPTS && status == NEAP_OK &&
                        !terms->is_proven && terms->task->budget->end == BUDGET_LEFT;
       attempt++) {
    lines_cut(proof, length, count);
    status = find_cores(terms, value - take_due(terms), error);
  }
  terms->order = NULL;
  random_clear(&random);
  return status;
}

static neap_status prove_soft(struct terms *terms, neap_term kind, neap_size value,
                              neap_error *error) {
  if (!soft_terms_init(&terms->own, terms->problem, kind)) return error_memory(error);
  terms->left = memory_array(terms->own.count, sizeof *terms->left);
  terms->core = memory_array(terms->own.count, sizeof *terms->core);
  neap_status status = terms->left && terms->core ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK) status = try_orders(terms, value, error);
  if (status == NEAP_OK && !keep_apart(terms)) status = error_memory(error);
  soft_terms_clear(&terms->own);
  free(terms->left);
  free(terms->core);
  terms->left = NULL;
  terms->core = NULL;
  return status;
}

/* ---------------------------------------------------------------- all terms */

/* Whether each buffer is in one of the cheapest pools that it may be in. */
static bool is_cheapest(const struct terms *terms) {
  neap_size cost, own;
  const neap_plan *plan = terms->task->plan;
  for (size_t i = 0; i < terms->problem->count; i++) {
    size_t places = spill_choice_count(terms->problem, i), at = 0;
    while (at < places && spill_choice(terms->problem, i, at) != neap_plan_pool(plan, i))
      at++;
    if (at == places || !spill_cost_at(terms->problem, i, at, &own)) return false;
    for (size_t c = 0; c < places; c++)
      if (!spill_cost_at(terms->problem, i, c, &cost) || cost < own) return false;
  }
  return true;
}

/* Fixes each buffer with only one cheapest pool to it: equally good plans use no other. */
static void leave_cheapest(struct terms *terms) {
  for (size_t i = 0; i < terms->problem->count; i++) {
    size_t cheapest = 0, count = 0;
    neap_size cost, least = NEAP_MAX;
    for (size_t c = 0; c < spill_choice_count(terms->problem, i); c++) {
      if (!spill_cost_at(terms->problem, i, c, &cost) || cost > least) continue;
      count = cost < least ? 1 : count + 1;
      cheapest = cost < least ? c : cheapest;
      least = cost;
    }
    if (count == 1) terms->pools[i] = spill_choice(terms->problem, i, cheapest);
  }
  join_bodies(terms);
}

static neap_size value_of(const neap_plan *plan, neap_term term) {
  const neap_report *report = &plan->report;
  switch (term) {
  case NEAP_TERM_SPILL:
    return report->costs.spilled_bytes;
  case NEAP_TERM_REUSE:
    return report->costs.reuse;
  case NEAP_TERM_MOVED:
    return report->costs.moved_bytes;
  default:
    return report->peak;
  }
}

static neap_status prove_term(struct terms *terms, neap_term term, neap_error *error) {
  struct certify_task *task = terms->task;
  switch (term) {
  case NEAP_TERM_PEAK:
    task->missing = "the peak is the lowest";
    task->lack = NULL;
    return prove_peak(terms, error);
  case NEAP_TERM_SPILL:
    task->missing = "other pools are no cheaper";
    task->lack = "proofs do not regard what has no room in a cheaper pool";
    terms->is_proven = is_cheapest(terms);
    if (terms->is_proven) leave_cheapest(terms);
    return NEAP_OK;
  default:
    task->missing = term == NEAP_TERM_REUSE ? "the reuse cost is the least"
                                            : "the moved bytes are the least";
    task->lack = NULL;
    return prove_soft(terms, term, value_of(task->plan, term), error);
  }
}

static void terms_clear(struct terms *terms) {
  bodies_clear(&terms->bodies);
  free(terms->pools);
  free(terms->limits);
  free(terms->apart);
}

static neap_status terms_init(struct terms *terms, struct certify_task *task,
                              neap_error *error) {
  const struct neap_problem *problem = task->problem;
  size_t pools = problem_pool_count(problem);
  *terms = (struct terms){
      .task = task, .problem = problem, .pool_count = pools > 0 ? pools : 1};
  terms->limits = memory_array(terms->pool_count, sizeof *terms->limits);
  terms->pools = memory_array(problem->count, sizeof *terms->pools);
  neap_status status = bodies_init(&terms->bodies, problem, error);
  if (status != NEAP_OK) return status;
  if (!terms->limits || !terms->pools) return error_memory(error);
  find_pools(terms);
  for (size_t p = 0; p < terms->pool_count; p++) {
    neap_size capacity = p < pools ? problem->relations->pools[p].capacity : -1;
    terms->limits[p] = capacity >= 0 ? capacity : NEAP_MAX;
  }
  return NEAP_OK;
}

neap_status terms_prove(struct certify_task *task, neap_error *error) {
  struct terms terms;
  neap_status status = terms_init(&terms, task, error);
  const neap_term *objective = task->problem->relations->objective;
  terms.is_proven = true;
  for (size_t t = 0; t < NEAP_TERM_COUNT && status == NEAP_OK && terms.is_proven; t++)
    if (has_term(task->problem, objective[t])) status = prove_term(&terms, objective[t], error);
  if (terms.is_proven) task->missing = NULL;
  task->least = terms.is_proven ? task->plan->report.peak : 0;
  terms_clear(&terms);
  return status;
}

void terms_print(struct lines *lines, const struct certify_task *task) {
  for (size_t t = 0; t < NEAP_TERM_COUNT; t++) {
    neap_term term = task->problem->relations->objective[t];
    if (!has_term(task->problem, term)) continue;
    lines_word(lines, neap_term_name(term));
    lines_number(lines, value_of(task->plan, term));
  }
}

neap_status terms_refute_pools(struct certify_task *task, neap_error *error) {
  struct terms terms;
  neap_status status = terms_init(&terms, task, error);
  size_t pools = problem_pool_count(task->problem);
  task->least = 0;
  for (size_t p = 0; p < pools && status == NEAP_OK && task->least == 0; p++) {
    struct certify_task inner = *task;
    inner.target = terms.limits[p] == NEAP_MAX ? CERTIFY_NEVER : terms.limits[p] + 1;
    status = prove_part(&terms, p, 0, &inner, error);
    task->least = inner.least;
    task->kind = inner.kind;
    task->pool = p;
  }
  terms_clear(&terms);
  return status;
}
