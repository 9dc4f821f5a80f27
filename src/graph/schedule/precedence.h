/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which of two operators must run first in every order within a limit, and limits that no order
 * is within.
 */
#ifndef SCHEDULE_PRECEDENCE_H
#define SCHEDULE_PRECEDENCE_H

#include "schedule/exact.h"
#include "schedule/operator_cuts.h"

/*
 * Orders in which `after` runs before `before` exceed the limit while `at`, one of the two, runs.
 */
struct precedence_rule {
  size_t before, after, at;
};

struct precedence {
  struct segment segment;             /* all operators; with the dependences of the rules */
  struct costs_lists befores, afters; /* the dependences without rules */
  struct closure closure;
  size_t *operators; /* the operators whose pairs are tried, the highest cut first */
  bool *in_set;      /* for each of them: whether it is in the set of the present cut */
  size_t count;
  struct precedence_rule *rules;
  size_t rule_count;
  size_t last;    /* the operator that exceeds the limit in every order that keeps the rules */
  neap_size next; /* orders that break a rule, or run `last`, have at least this many bytes */
};

/*
 * Chooses `most` operators, or all if there are fewer.  `order` is a topological order of at
 * least one operator; its positions are the operators' numbers here.  The costs and the order
 * must outlive it.  False if memory is short; clear even then.
 */
bool precedence_init(struct precedence *precedence, const struct costs *costs,
                     const size_t *order, size_t most, struct budget *budget);
void precedence_clear(struct precedence *precedence);

/*
 * Tries to show that no order is within a limit.  Rules remain, because they hold for all lower
 * limits; precedence_forget removes them.  False if memory is short.
 */
bool precedence_refute(struct precedence *precedence, neap_size limit, struct budget *budget,
                       bool *is_refuted);
void precedence_forget(struct precedence *precedence);

/*
 * Raises the lower bound of a task by pairs of more and more operators, until the peak is
 * proven or the budget ends.
 */
neap_status precedence_bound(struct prove_task *task, neap_error *error);

#endif
