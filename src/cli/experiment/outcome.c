/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/experiment/outcome.h"
#include "neap-tool.h"
#include "neap/planner.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <stdio.h>
#include <string.h>

bool outcome_is_optimal(const struct outcome *outcome) {
  return strcmp(outcome->status, "optimal") == 0;
}

/* The ticks of the whole run. */
static int64_t ticks_of(const neap_plan *plan) {
  neap_moment moment = {.struct_size = sizeof(neap_moment), .ticks = 0};
  for (size_t i = 0; neap_plan_moment_at(plan, i, &moment); i++)
    ;
  return (int64_t)moment.ticks;
}

void outcome_note_plan(struct outcome *outcome, const neap_plan *plan) {
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  outcome->lower_bound = report.lower_bound;
  outcome->peak = report.peak;
  outcome->gap_percent = report.gap_percent;
  outcome->rounds = (int64_t)report.run.rounds;
  outcome->ticks = ticks_of(plan);
  outcome->objects = (int64_t)report.objects.count;
  outcome->object_bound = report.objects.bound;
  outcome->seconds = report.run.seconds;
  outcome->stop_phrase = neap_stop_reason_text(report.run.stop_reason);
  snprintf(outcome->status, sizeof outcome->status, "%s", neap_outcome_name(report.outcome));
  snprintf(outcome->stop_reason, sizeof outcome->stop_reason, "%s",
           neap_stop_reason_name(report.run.stop_reason));
}

void outcome_note_failure(struct outcome *outcome, neap_status status, const char *error) {
  const char *name = status == NEAP_INFEASIBLE     ? "infeasible"
                     : status == NEAP_NO_PLAN      ? "unknown"
                     : status == NEAP_ERROR_MEMORY ? "memory"
                                                   : "failed";
  snprintf(outcome->status, sizeof outcome->status, "%s", name);
  snprintf(outcome->error, sizeof outcome->error, "%.*s", (int)sizeof outcome->error - 1,
           error);
}

/* ---------------------------------------------------------------- statistics */

struct spread spread_of(double *values, size_t count) {
  if (count == 0) return (struct spread){0};
  gsl_sort(values, 1, count);
  return (struct spread){.median = gsl_stats_median_from_sorted_data(values, 1, count),
                         .min = values[0],
                         .q1 = gsl_stats_quantile_from_sorted_data(values, 1, count, 0.25),
                         .q3 = gsl_stats_quantile_from_sorted_data(values, 1, count, 0.75),
                         .max = values[count - 1]};
}

static double peak_of(const struct outcome *outcome) { return (double)outcome->peak; }
static double gap_of(const struct outcome *outcome) { return outcome->gap_percent; }
static double seconds_of(const struct outcome *outcome) { return outcome->seconds; }
static double rounds_of(const struct outcome *outcome) { return (double)outcome->rounds; }
static double work_of(const struct outcome *outcome) { return (double)outcome->ticks; }

/* The spread of one quantity over the runs that gave a plan. */
static struct spread spread_over(const struct outcome *outcomes, size_t count,
                                 double (*quantity)(const struct outcome *), double *scratch) {
  size_t planned = 0;
  for (size_t i = 0; i < count; i++)
    if (outcome_is_planned(&outcomes[i])) scratch[planned++] = quantity(&outcomes[i]);
  return spread_of(scratch, planned);
}

struct statistics statistics_of(const struct outcome *outcomes, size_t count, double *scratch) {
  struct statistics statistics = {
      .peak = spread_over(outcomes, count, peak_of, scratch),
      .gap_percent = spread_over(outcomes, count, gap_of, scratch),
      .seconds = spread_over(outcomes, count, seconds_of, scratch),
      .rounds = spread_over(outcomes, count, rounds_of, scratch).median,
      .ticks = spread_over(outcomes, count, work_of, scratch).median};
  for (size_t i = 0; i < count; i++) {
    statistics.plans += outcome_is_planned(&outcomes[i]);
    statistics.optimal += outcome_is_optimal(&outcomes[i]);
  }
  return statistics;
}

bool statistics_are_better(const struct statistics *one, const struct statistics *other) {
  double range = one->peak.max - one->peak.min, other_range = other->peak.max - other->peak.min;
  if (one->plans != other->plans) return one->plans > other->plans;
  if (one->peak.median != other->peak.median) return one->peak.median < other->peak.median;
  if (range != other_range) return range < other_range;
  return one->ticks < other->ticks;
}
