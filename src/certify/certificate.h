/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The members of a certificate, and what the reasons are made from. */
#ifndef CERTIFY_CERTIFICATE_H
#define CERTIFY_CERTIFICATE_H

#include "certify/lines.h"
#include "core/budget.h"
#include "model/problem.h"

/* A target that there is no layout of any height. */
#define CERTIFY_NEVER NEAP_MAX

struct neap_certificate {
  neap_certificate_info info;
  struct lines lines;
};

/* What to prove, and how much work that may be. */
struct certify_task {
  const struct neap_problem *problem;
  const size_t *originals; /* per buffer: its number in the text; NULL: its index */
  const neap_plan *plan;   /* or NULL */
  neap_size target;        /* to prove: no layout has a lower peak; or CERTIFY_NEVER */
  struct budget *budget;
  uint64_t max_states;
  struct lines *proof; /* the lines of the reason */
  neap_size least;     /* what the reason proves: `target` or more; 0: nothing */
  neap_certificate_kind kind;
  size_t pool;         /* without a plan: which one has too little room */
  const char *missing; /* what could not be proven; NULL: the target */
  const char *lack;    /* what the reasons for it do not regard, or NULL */
  bool is_large;       /* numbers are too large for all reasons but a load */
  bool has_layout;     /* the last search came to a state that it could not refute */
  neap_size order;     /* the bound that no order of the operators is below, or 0 */
  uint32_t graph_sum;  /* the checksum of the lines that state these operators */
};

static inline int64_t certify_number(const struct certify_task *task, size_t buffer) {
  return (int64_t)(task->originals ? task->originals[buffer] : buffer);
}

#endif
