/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/budget.h"

#include <stddef.h>
#include <time.h>

/* Ticks between two looks at the clock: a small fraction of a millisecond's work. */
#define LOOK_EVERY 64

static double monotonic_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void plan_next_look(struct budget *budget) {
  budget->next_look = budget->ticks + LOOK_EVERY;
  if (budget->max_ticks && budget->next_look > budget->max_ticks)
    budget->next_look = budget->max_ticks;
  if (!budget->whole || !budget->whole->max_ticks) return;
  uint64_t left = budget->whole->max_ticks - budget->whole->ticks;
  if (budget->next_look > budget->ticks + left) budget->next_look = budget->ticks + left;
}

void budget_init(struct budget *budget, uint64_t max_ticks, double seconds) {
  *budget = (struct budget){.max_ticks = max_ticks, .started = monotonic_seconds()};
  budget->deadline = seconds > 0 ? budget->started + seconds : 0;
  atomic_init(&budget->cancelled, false);
  plan_next_look(budget);
}

void budget_init_within(struct budget *budget, struct budget *whole, uint64_t max_ticks) {
  budget_init(budget, max_ticks, 0);
  budget->whole = whole;
  budget_look(budget);
}

double budget_seconds(const struct budget *budget) {
  return monotonic_seconds() - budget->started;
}

void budget_cancel(struct budget *budget) {
  atomic_store_explicit(&budget->cancelled, true, memory_order_relaxed);
}

void budget_limit_ticks(struct budget *budget, uint64_t max_ticks) {
  budget->max_ticks = max_ticks;
  plan_next_look(budget);
}

void budget_spend(struct budget *budget, uint64_t ticks) {
  uint64_t left = (budget->max_ticks ? budget->max_ticks : UINT64_MAX) - budget->ticks;
  if (budget->whole && budget->whole->max_ticks) {
    uint64_t known = budget->whole->ticks + (budget->ticks - budget->passed_on);
    if (budget->whole->max_ticks - known < left) left = budget->whole->max_ticks - known;
  }
  budget->ticks += ticks < left ? ticks : left;
}

static enum budget_end reached_end(struct budget *budget) {
  if (budget->end != BUDGET_LEFT) return budget->end;
  if (atomic_load_explicit(&budget->cancelled, memory_order_relaxed)) return BUDGET_CANCELLED;
  if (budget->max_ticks && budget->ticks >= budget->max_ticks) return BUDGET_TICKS;
  if (budget->deadline > 0 && monotonic_seconds() >= budget->deadline) return BUDGET_TIME;
  return BUDGET_LEFT;
}

/* Adds the new ticks to the whole budget, and ends if that has ended. */
static void look_at_whole(struct budget *budget) {
  budget->whole->ticks += budget->ticks - budget->passed_on;
  budget->passed_on = budget->ticks;
  if (!budget_look(budget->whole) && budget->end == BUDGET_LEFT)
    budget->end = budget->whole->end;
}

bool budget_look(struct budget *budget) {
  if (budget->watch) budget->watch(budget->user);
  if (budget->whole) look_at_whole(budget);
  budget->end = reached_end(budget);
  if (budget->end == BUDGET_LEFT) plan_next_look(budget);
  else budget->next_look = 0; /* every further tick looks again and fails */
  return budget->end == BUDGET_LEFT;
}

const char *budget_end_text(enum budget_end end) {
  switch (end) {
  case BUDGET_TICKS:
    return "the work limit was reached before a plan was found; raise option max-ticks";
  case BUDGET_TIME:
    return "the time limit was reached before a plan was found; raise option time-limit";
  default:
    return "stopped before a plan was found";
  }
}
