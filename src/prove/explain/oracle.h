/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks the planner whether problems fit, within the limits of one explanation. */
#ifndef EXPLAIN_ORACLE_H
#define EXPLAIN_ORACLE_H

#include "core/budget.h"
#include "engine/options.h"
#include "model/problem.h"
#include "neap/proof.h"

enum answer {
  ANSWER_FITS,    /* a plan within the capacity has been found and verified */
  ANSWER_REFUTED, /* proven: there is none */
  ANSWER_OPEN     /* the limits were reached, or the problem cannot be planned */
};

struct oracle {
  struct neap_options options; /* of the user */
  struct budget budget;        /* of the whole explanation */
  double seconds;              /* its time limit; 0: none */
  double stage_end;            /* when the present stage ends, in seconds; 0: never */
  uint64_t stage_ticks;        /* or in ticks; 0: never */
  const neap_explaining *explaining;
  neap_explain_progress progress;
  bool was_limited; /* some answer was left open, or some question was not asked */
};

struct question {
  const struct neap_problem *problem;
  neap_size capacity; /* -1: none: then the best plan is wanted */
  uint64_t ticks;     /* the most ticks that the answer may take */
  bool is_exact; /* by exact search alone, unless there are pools; else by the user's engine */
};

struct reply {
  enum answer answer;
  neap_plan *plan;       /* if wanted: one that fits; to be freed */
  neap_size peak;        /* of the plan, or NEAP_UNPLACED */
  neap_size lower_bound; /* proven */
};

void oracle_init(struct oracle *oracle, const neap_options *options,
                 const neap_explaining *explaining);

/* Begins a stage that ends when this share of all limits is used up. */
void oracle_stage(struct oracle *oracle, const char *name, double share);

/* Whether the stage may go on. */
bool oracle_has_left(struct oracle *oracle);

/* A sensible limit in ticks for one question about the problem. */
uint64_t oracle_ticks_for(const struct neap_problem *problem);

/* `wants_plan`: keep the plan.  NEAP_ERROR_INPUT from the planner means that the answer is open. */
neap_status oracle_ask(struct oracle *oracle, const struct question *question, bool wants_plan,
                       struct reply *reply, neap_error *error);

#endif
