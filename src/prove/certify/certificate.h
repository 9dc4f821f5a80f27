/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The certificate, and the task from which the reasons are made. */
#ifndef CERTIFY_CERTIFICATE_H
#define CERTIFY_CERTIFICATE_H

#include "certify/text.h"
#include "core/budget.h"
#include "model/problem.h"
#include "neap/proof.h"

/* The target "there is no layout of any height". */
#define CERTIFY_NEVER NEAP_MAX

struct neap_certificate {
  neap_certificate_info info;
  struct lines lines;
};

/* What to prove, the limits of the work, and the results. */
struct certify_task {
  const struct neap_problem *problem;
  const size_t *originals; /* per buffer: its number in the text; NULL if that is its index */
  const neap_plan *plan;   /* or NULL */
  neap_size target;        /* to prove: no layout has a peak below this; or CERTIFY_NEVER */
  struct budget *budget;
  uint64_t max_states; /* clauses, at most */
  struct lines *proof; /* the lines of the reason */
  neap_size least;     /* the bound that the reason proves: at least `target`; 0 if none */
  neap_certificate_kind kind;
  size_t pool;         /* without a plan: the pool that is too small */
  const char *missing; /* the claim that could not be proven; NULL for the target */
  const char *lack;    /* what the reasons for that claim ignore, or NULL */
  bool is_large;       /* numbers are too large for any reason except `load` */
  neap_size order;     /* proven: no order of the operators has a smaller bound; or 0 */
  uint32_t graph_sum;  /* the checksum of the lines that state the graph */
};

static inline int64_t certify_number(const struct certify_task *task, size_t buffer) {
  return (int64_t)(task->originals ? task->originals[buffer] : buffer);
}

/*
 * Prints the problem of a task, with the offsets and pools of its plan, if it has one.  False if
 * memory is short.
 */
bool statement_print(struct lines *lines, const struct certify_task *task);

/* ---------------------------------------------------------------- terms */

/* Proofs for objectives with several terms, and for several pools. */

/* Whether a problem has pools, or costs besides the peak. */
bool terms_concern(const struct neap_problem *problem);

/*
 * Appends proofs, term by term, that no plan is better than task->plan in the first term in
 * which it differs.  Sets task->least to the peak on success, otherwise task->missing.
 */
neap_status terms_prove(struct certify_task *task, neap_error *error);

/* Prints the terms of the claim with their values in task->plan. */
void terms_print(struct lines *lines, const struct certify_task *task);

/*
 * Proves for some pool that the buffers which can only be in that pool do not fit.  Sets
 * task->pool, and task->least to the bytes that they need, or to 0 if there is no such pool.
 */
neap_status terms_refute_pools(struct certify_task *task, neap_error *error);

#endif
