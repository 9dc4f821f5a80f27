/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two operators of which neither depends on the other can run in either order.  Suppose that a
 * minimum cut (schedule/operator_cuts) of one of them, with the other in the set or outside it,
 * exceeds a limit.  Then every order within the limit runs them the other way round.  That is a
 * rule.  It becomes a dependence in all further cuts and raises them.  So rules lead to more
 * rules, until there are no more, or until an operator exceeds the limit in every order that
 * keeps the rules: then no order is within the limit.
 *
 * For example, operators a and b each make a large value that only operator c frees.  Whichever
 * of them runs last has both values alive, but the minimum cut of each has only its own value,
 * because it may run first.
 *
 * There are too many pairs to try all.  In practice, the operators with the highest cuts
 * decide.  They are preselected by the bytes alive in the present order, which no cut exceeds.
 *
 * A rule also holds for all lower limits.  Bisection finds the highest limit that no order is
 * within.
 *
 * O(pairs) flows for each pass through the pairs; each flow begins with the flow of its operator.
 */
#include "schedule/precedence.h"

#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "schedule/order_profile.h"

/* ---------------------------------------------------------------- operators */

/* Replaces the bytes alive in the present order by minimum cuts. */
static bool find_cuts(struct precedence *precedence, struct moment *moments, size_t count,
                      struct budget *budget) {
  for (size_t i = 0; i < count && budget_tick(budget); i++)
    if (!closure_find(&precedence->closure, moments[i].k, budget, &moments[i].bytes))
      return false;
  return true;
}

static bool choose(struct precedence *precedence, struct costs_walk *walk, const size_t *order,
                   struct budget *budget) {
  size_t all = precedence->segment.count, some = all;
  struct moment *moments = memory_array(all, sizeof *moments);
  if (!moments) return false;
  costs_walk_start(walk);
  moments_find(moments, walk, order, all);
  moments_sort(moments, all);
  if (precedence->count < all / PRECEDENCE_CANDIDATES)
    some = precedence->count * PRECEDENCE_CANDIDATES;
  bool has_room = find_cuts(precedence, moments, some, budget);
  moments_sort(moments, some);
  for (size_t i = 0; i < precedence->count; i++)
    precedence->operators[i] = moments[i].k;
  free(moments);
  return has_room;
}

/* ---------------------------------------------------------------- rules */

static void add_rule(struct precedence *precedence, struct precedence_rule rule) {
  struct segment *segment = &precedence->segment;
  precedence->rules[precedence->rule_count++] = rule;
  costs_lists_depend(&segment->befores, &segment->afters, segment->count, rule.before,
                     rule.after);
}

/* Finds the minimum cut of operator k, and which of the operators are in its set. */
static bool find_cut(struct precedence *precedence, size_t k, struct budget *budget,
                     neap_size *bytes) {
  if (!closure_find(&precedence->closure, k, budget, bytes)) return false;
  for (size_t i = 0; i < precedence->count && budget->end == BUDGET_LEFT; i++)
    precedence->in_set[i] = closure_has(&precedence->closure, precedence->operators[i]);
  return true;
}

/*
 * Adds the rules for operator k and others.  *bytes is the minimum cut of k with these rules;
 * the search for rules ends if it exceeds the limit.
 */
static bool try_operator(struct precedence *precedence, size_t k, neap_size limit,
                         struct budget *budget, neap_size *bytes) {
  if (!find_cut(precedence, k, budget, bytes)) return false;
  for (size_t i = 0; i < precedence->count && *bytes <= limit && budget_tick(budget); i++) {
    size_t other = precedence->operators[i];
    bool is_before = precedence->in_set[i];
    neap_size more;
    if (!closure_is_free(&precedence->closure, other)) continue;
    if (!closure_with(&precedence->closure, other, !is_before, budget, &more)) return false;
    if (*bytes + more <= limit) continue;
    precedence->next = smaller_of(precedence->next, *bytes + more);
    add_rule(precedence,
             (struct precedence_rule){is_before ? other : k, is_before ? k : other, k});
    if (!find_cut(precedence, k, budget, bytes)) return false;
  }
  return true;
}

bool precedence_refute(struct precedence *precedence, neap_size limit, struct budget *budget,
                       bool *is_refuted) {
  size_t vain = 0; /* operators in sequence without a new rule */
  *is_refuted = false;
  for (size_t at = 0; vain < precedence->count && budget_tick(budget); at++) {
    size_t k = precedence->operators[at % precedence->count], rules = precedence->rule_count;
    neap_size bytes;
    if (!try_operator(precedence, k, limit, budget, &bytes)) return false;
    vain = precedence->rule_count == rules ? vain + 1 : 0;
    if (bytes <= limit) continue;
    precedence->next = smaller_of(precedence->next, bytes);
    precedence->last = k;
    *is_refuted = true;
    return true;
  }
  return true;
}

void precedence_forget(struct precedence *precedence) {
  struct segment *segment = &precedence->segment;
  costs_lists_assign(&segment->befores, &precedence->befores, segment->count);
  costs_lists_assign(&segment->afters, &precedence->afters, segment->count);
  precedence->rule_count = 0;
  precedence->next = NEAP_MAX;
}

/* ---------------------------------------------------------------- memory */

/* Makes room for a rule of each pair in the dependences. */
static bool make_lists(struct precedence *precedence, size_t rules) {
  struct segment *segment = &precedence->segment;
  precedence->befores = segment->befores;
  precedence->afters = segment->afters;
  segment->befores = segment->afters = (struct costs_lists){NULL, NULL};
  return costs_lists_copy(&segment->befores, &precedence->befores, segment->count, rules) &&
         costs_lists_copy(&segment->afters, &precedence->afters, segment->count, rules);
}

static bool make_room(struct precedence *precedence) {
  size_t rules = precedence->count * (precedence->count - 1) / 2;
  precedence->operators = memory_array(precedence->count, sizeof *precedence->operators);
  precedence->in_set = memory_array(precedence->count, sizeof *precedence->in_set);
  precedence->rules = memory_array(rules, sizeof *precedence->rules);
  return make_lists(precedence, rules) && precedence->operators && precedence->in_set &&
         precedence->rules;
}

bool precedence_init(struct precedence *precedence, const struct costs *costs,
                     const size_t *order, size_t most, struct budget *budget) {
  struct costs_walk walk;
  *precedence =
      (struct precedence){.count = most < costs->count ? most : costs->count, .next = NEAP_MAX};
  bool has_room =
      costs_walk_init(&walk, costs) && segment_init_whole(&precedence->segment, costs, order) &&
      make_room(precedence) && closure_init(&precedence->closure, &precedence->segment) &&
      choose(precedence, &walk, order, budget);
  costs_walk_clear(&walk);
  return has_room;
}

void precedence_clear(struct precedence *precedence) {
  closure_clear(&precedence->closure);
  segment_clear(&precedence->segment);
  costs_lists_clear(&precedence->befores);
  costs_lists_clear(&precedence->afters);
  free(precedence->operators);
  free(precedence->in_set);
  free(precedence->rules);
}

/* ---------------------------------------------------------------- bounds */

typedef bool use_pairs(struct precedence *precedence, struct prove_task *task);

static bool try_limit(struct precedence *precedence, struct prove_task *task, neap_size limit,
                      bool *is_refuted) {
  if (!precedence_refute(precedence, limit, task->budget, is_refuted)) return false;
  if (*is_refuted) task->least = smaller_of(precedence->next, task->peak);
  return true;
}

/* Whether there is an order below the peak. */
static bool decide(struct precedence *precedence, struct prove_task *task) {
  bool is_refuted;
  return try_limit(precedence, task, task->peak - 1, &is_refuted);
}

static bool raise_bound(struct precedence *precedence, struct prove_task *task) {
  neap_size open = task->peak; /* nothing is known of this limit and higher ones */
  bool has_room = true, is_refuted;
  while (has_room && open - task->least > task->least / PRECEDENCE_PRECISION &&
         budget_look(task->budget)) {
    neap_size limit = task->least + (open - task->least) / 2;
    has_room = try_limit(precedence, task, limit, &is_refuted);
    if (has_room && is_refuted) precedence_forget(precedence);
    else open = limit;
  }
  return has_room;
}

static bool try_pairs(struct prove_task *task, size_t most, use_pairs *use) {
  struct precedence precedence;
  bool has_room = precedence_init(&precedence, task->costs, task->order, most, task->budget) &&
                  use(&precedence, task);
  precedence_clear(&precedence);
  return has_room;
}

/*
 * Uses pairs of more and more operators.  There is room for a rule of each pair, so the number
 * of operators is limited.
 */
static bool try_more(struct prove_task *task, use_pairs *use) {
  bool has_room = true, is_last = task->costs->count == 0;
  for (size_t most = PRECEDENCE_OPERATORS;
       has_room && !is_last && task->least < task->peak && budget_look(task->budget);
       most *= 2) {
    has_room = try_pairs(task, most, use);
    is_last = most >= task->costs->count || most >= PRECEDENCE_OPERATORS_MOST;
  }
  return has_room;
}

/*
 * First tries only the limit below the peak, with half of the ticks, because this limit decides
 * whether the order is optimal.
 */
neap_status precedence_bound(struct prove_task *task, neap_error *error) {
  struct budget *whole = task->budget, part;
  budget_init_within(&part, whole, whole->max_ticks > 0 ? whole->max_ticks / 2 + 1 : 0);
  task->budget = &part;
  bool has_room = try_more(task, decide);
  budget_look(&part);
  task->budget = whole;
  return has_room && try_more(task, raise_bound) ? NEAP_OK : error_memory(error);
}
