/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The members of a certificate, and what the reasons are made from. */
#ifndef CERTIFY_CERTIFICATE_H
#define CERTIFY_CERTIFICATE_H

#include "certify/lines.h"
#include "core/budget.h"
#include "model/problem.h"

struct neap_certificate {
  neap_certificate_info info;
  struct lines lines;
};

/* What to prove, and how much work that may be. */
struct certify_task {
  const struct neap_problem *problem;
  const neap_offset *offsets; /* of a plan, or NULL */
  neap_size target;           /* no layout has a lower peak; with a plan, this is its peak */
  struct budget *budget;
  uint64_t max_states;
  struct lines *proof; /* the lines of the reason */
  neap_size least;     /* what the reason proves: `target` or more */
  neap_size order;     /* the bound that no order of the operators is below, or 0 */
  uint32_t graph_sum;  /* the checksum of the lines that state these operators */
};

#endif
