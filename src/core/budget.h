/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much work a run may do.  Work is counted in ticks (one buffer placed is one tick), which
 * are the same on every machine; wall time and cancellation only stop a run.
 */
#ifndef CORE_BUDGET_H
#define CORE_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum budget_end {
  BUDGET_LEFT, /* go on */
  BUDGET_TICKS,
  BUDGET_TIME,
  BUDGET_CANCELLED
};

struct budget {
  uint64_t ticks, max_ticks;
  uint64_t restarts;        /* of searches within the run: for progress alone */
  uint64_t next_look;       /* at how many ticks to look at the clock again */
  double started, deadline; /* seconds on the monotonic clock */
  enum budget_end end;      /* once not BUDGET_LEFT it stays */
  atomic_bool cancelled;
  void (*watch)(void *user); /* called at every look; NULL is none */
  void *user;
};

/* Limits of 0 mean none. */
void budget_init(struct budget *budget, uint64_t max_ticks, double seconds);

double budget_seconds(const struct budget *budget);

/* Safe from any thread or signal handler. */
void budget_cancel(struct budget *budget);

/* Sets the most ticks anew; more than have been spent. */
void budget_limit_ticks(struct budget *budget, uint64_t max_ticks);

/* Looks at the limits now. */
bool budget_look(struct budget *budget);

/*
 * Spends a tick; false, with nothing spent, when the budget is at its end and the work should
 * be, too.
 */
static inline bool budget_tick(struct budget *budget) {
  if (budget->ticks >= budget->next_look && !budget_look(budget)) return false;
  budget->ticks++;
  return true;
}

#endif
