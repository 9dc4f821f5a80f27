/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * States the rules of schedule/precedence, each with the flow that shows it, and then the flow
 * of an operator that reaches the bound in every order that keeps the rules.
 * doc/certificate.md describes the lines.
 *
 * If there are at most CERTIFY_RULES_DROPPED_MOST rules, drops those that the proof does not need:
 * it is tried without each of them, the last one first.
 */
#include "certify/order.h"

#include <stdlib.h>
#include <string.h>

#include "core/knobs.h"
#include "core/memory.h"
#include "schedule/precedence.h"

struct proof {
  const struct costs *costs;
  const struct flow_values *values;
  neap_size bound;
  struct budget *budget;
  struct precedence_rule *rules;
  size_t count;
  size_t last; /* the operator that reaches the bound */
};

static void add_dependence(struct costs *costs, size_t before, size_t after) {
  costs_lists_depend(&costs->befores, &costs->afters, costs->count, before, after);
}

/* Whether operator k can prove a step: for a rule, one of its two operators; otherwise any. */
static bool may_prove(const struct precedence_rule *rule, size_t k) {
  return !rule || k == rule->before || k == rule->after;
}

/* States operator `at` if it needs a flow, otherwise the first operator that proves the step. */
static bool prove_at(const struct proof *proof, const struct costs *with,
                     const struct precedence_rule *rule, size_t at, struct lines *lines,
                     bool *is_proven) {
  size_t length = lines->length, count = lines->count;
  struct flow_claim claim = {with, proof->values, at, NULL, proof->bound, proof->budget};
  bool has_room = flow_prove(&claim, lines, is_proven);
  if (!has_room || !*is_proven || lines->count > count + 1) return has_room;
  lines_cut(lines, length, count);
  *is_proven = false;
  claim.budget = NULL;
  for (claim.k = 0; claim.k <= at && has_room && !*is_proven; claim.k++)
    if (may_prove(rule, claim.k)) has_room = flow_prove(&claim, lines, is_proven);
  return has_room;
}

/* Proves a rule from those before it or, after the last rule, that no order is left. */
static bool prove_step(const struct proof *proof, size_t step, struct lines *lines,
                       bool *is_proven) {
  struct costs with = *proof->costs;
  const struct precedence_rule *rule = step < proof->count ? &proof->rules[step] : NULL;
  with.befores = with.afters = (struct costs_lists){NULL, NULL};
  bool has_room =
      costs_lists_copy(&with.befores, &proof->costs->befores, with.count, step + 1) &&
      costs_lists_copy(&with.afters, &proof->costs->afters, with.count, step + 1);
  for (size_t i = 0; i < step && has_room; i++)
    add_dependence(&with, proof->rules[i].before, proof->rules[i].after);
  if (has_room && rule) add_dependence(&with, rule->after, rule->before);
  has_room =
      has_room && prove_at(proof, &with, rule, rule ? rule->at : proof->last, lines, is_proven);
  costs_lists_clear(&with.befores);
  costs_lists_clear(&with.afters);
  return has_room;
}

/* Appends all lines, or some of them if there is no proof. */
static bool print(const struct proof *proof, struct lines *lines, bool *is_proven) {
  bool has_room = true;
  *is_proven = true;
  for (size_t i = 0; i <= proof->count && has_room && *is_proven; i++) {
    if (i < proof->count) {
      lines_word(lines, "before");
      lines_number(lines, (int64_t)proof->rules[i].before);
      lines_number(lines, (int64_t)proof->rules[i].after);
      lines_end(lines);
    }
    has_room = prove_step(proof, i, lines, is_proven);
  }
  return has_room;
}

/* Drops rule i and replaces the lines, if the other rules still are a proof. */
static bool drop(struct proof *proof, size_t i, struct lines *lines) {
  struct lines fewer = {0};
  struct precedence_rule rule = proof->rules[i], *at = proof->rules + i;
  bool is_proven;
  memmove(at, at + 1, (--proof->count - i) * sizeof *at);
  bool has_room = print(proof, &fewer, &is_proven);
  if (has_room && is_proven) {
    lines_clear(lines);
    *lines = fewer;
    return true;
  }
  lines_clear(&fewer);
  memmove(at + 1, at, (proof->count++ - i) * sizeof *at);
  *at = rule;
  return has_room;
}

static bool print_needed(struct proof *proof, struct lines *lines, bool *is_proven) {
  bool has_room = print(proof, lines, is_proven);
  if (!has_room || !*is_proven || proof->count > CERTIFY_RULES_DROPPED_MOST) return has_room;
  for (size_t i = proof->count; i-- > 0 && has_room;)
    has_room = drop(proof, i, lines);
  return has_room;
}

/* Looks for rules between at most `most` operators, and for the lines that prove them. */
static bool try_pairs(struct proof *proof, size_t most, struct lines *lines, bool *is_proven) {
  size_t *order = memory_array(proof->costs->count, sizeof *order);
  struct precedence precedence;
  bool is_refuted = false, has_room = order != NULL;
  for (size_t k = 0; order && k < proof->costs->count; k++)
    order[k] = k;
  if (has_room) {
    has_room = precedence_init(&precedence, proof->costs, order, most, proof->budget) &&
               precedence_refute(&precedence, proof->bound - 1, proof->budget, &is_refuted);
    proof->rules = precedence.rules;
    proof->count = precedence.rule_count;
    proof->last = precedence.last;
    if (has_room && is_refuted) has_room = print_needed(proof, lines, is_proven);
    precedence_clear(&precedence);
  }
  free(order);
  return has_room;
}

bool rules_prove(const struct costs *costs, const struct flow_values *values, neap_size bound,
                 struct budget *budget, struct lines *lines, bool *is_proven) {
  struct proof proof = {.costs = costs, .values = values, .bound = bound, .budget = budget};
  struct lines found = {0};
  bool has_room = true;
  *is_proven = false;
  for (size_t most = PRECEDENCE_OPERATORS;
       has_room && !*is_proven && most <= CERTIFY_RULES_OPERATORS_MOST; most *= 2) {
    lines_clear(&found);
    found = (struct lines){0};
    has_room = try_pairs(&proof, most, &found, is_proven);
    if (most >= costs->count) break;
  }
  if (has_room && *is_proven) lines_append(lines, &found);
  lines_clear(&found);
  return has_room && !lines->failed;
}
