/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much work a run may do.  Work is counted in ticks, such as one buffer placed, so that a
 * limit has the same effect on every machine.  Wall time and cancellation also stop a run.
 */
#ifndef CORE_BUDGET_H
#define CORE_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum budget_end {
  BUDGET_LEFT, /* not at its end */
  BUDGET_TICKS,
  BUDGET_TIME,
  BUDGET_CANCELLED
};

struct budget {
  uint64_t ticks, max_ticks;
  uint64_t restarts;        /* of searches within the run, to show progress */
  uint64_t next_look;       /* number of ticks at which to look at the clock again */
  double started, deadline; /* seconds on the monotonic clock */
  enum budget_end end;      /* does not change once it is not BUDGET_LEFT */
  atomic_bool cancelled;
  struct budget *whole;      /* the budget that this is a part of, or NULL */
  uint64_t passed_on;        /* ticks already added to the whole */
  void (*watch)(void *user); /* called at every look; NULL: none */
  void *user;
};

/* A limit of 0 means none. */
void budget_init(struct budget *budget, uint64_t max_ticks, double seconds);

/*
 * Initialises a budget for a part of a run.  It ends after `max_ticks` ticks, or when `whole`
 * ends, for the same reason.  Each look adds its ticks to `whole`, so look once more when the
 * part is done.  `whole` must outlive it.
 */
void budget_init_within(struct budget *budget, struct budget *whole, uint64_t max_ticks);

double budget_seconds(const struct budget *budget);

/* Safe from any thread or signal handler. */
void budget_cancel(struct budget *budget);

/* Sets a new limit, which must be above the ticks already spent. */
void budget_limit_ticks(struct budget *budget, uint64_t max_ticks);

/*
 * Spends up to `ticks`, as far as the limits allow, for work that is already done.  The next
 * tick may then be the end.
 */
void budget_spend(struct budget *budget, uint64_t ticks);

/* Checks all limits now; false at the end of the budget. */
bool budget_look(struct budget *budget);

/* Why a budget ended before a plan was found, and what to do. */
const char *budget_end_text(enum budget_end end);

/*
 * Spends a tick.  At the end of the budget, returns false and spends nothing; the work must then
 * stop.
 */
static inline bool budget_tick(struct budget *budget) {
  if (budget->ticks >= budget->next_look && !budget_look(budget)) return false;
  budget->ticks++;
  return true;
}

#endif
