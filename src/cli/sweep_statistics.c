/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/sweep_statistics.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

struct spread spread_of(double *values, size_t count) {
  if (count == 0) return (struct spread){0};
  gsl_sort(values, 1, count);
  return (struct spread){.median = gsl_stats_median_from_sorted_data(values, 1, count),
                         .min = values[0],
                         .q1 = gsl_stats_quantile_from_sorted_data(values, 1, count, 0.25),
                         .q3 = gsl_stats_quantile_from_sorted_data(values, 1, count, 0.75),
                         .max = values[count - 1]};
}

static double peak_of(const struct outcome *outcome) { return (double)outcome->report.peak; }
static double gap_of(const struct outcome *outcome) { return outcome->report.gap_percent; }
static double seconds_of(const struct outcome *outcome) { return outcome->report.seconds; }
static double rounds_of(const struct outcome *outcome) {
  return (double)outcome->report.rounds;
}
static double ticks_of(const struct outcome *outcome) { return (double)outcome->ticks; }

/* About one quantity of the runs that gave a plan. */
static struct spread spread_over(const struct outcome *outcomes, size_t count,
                                 double (*quantity)(const struct outcome *), double *scratch) {
  size_t planned = 0;
  for (size_t i = 0; i < count; i++)
    if (outcomes[i].status == NEAP_OK) scratch[planned++] = quantity(&outcomes[i]);
  return spread_of(scratch, planned);
}

struct statistics statistics_of(const struct outcome *outcomes, size_t count, double *scratch) {
  struct statistics statistics = {
      .peak = spread_over(outcomes, count, peak_of, scratch),
      .gap_percent = spread_over(outcomes, count, gap_of, scratch),
      .seconds = spread_over(outcomes, count, seconds_of, scratch),
      .rounds = spread_over(outcomes, count, rounds_of, scratch).median,
      .ticks = spread_over(outcomes, count, ticks_of, scratch).median};
  for (size_t i = 0; i < count; i++) {
    if (outcomes[i].status != NEAP_OK) continue;
    statistics.plans++;
    statistics.optimal += outcomes[i].report.outcome == NEAP_OPTIMAL;
  }
  return statistics;
}

static bool is_better(const struct statistics *one, const struct statistics *other) {
  double range = one->peak.max - one->peak.min, other_range = other->peak.max - other->peak.min;
  if (one->plans != other->plans) return one->plans > other->plans;
  if (one->peak.median != other->peak.median) return one->peak.median < other->peak.median;
  if (range != other_range) return range < other_range;
  return one->ticks < other->ticks;
}

size_t statistics_best(const struct statistics *statistics, size_t count) {
  size_t best = count;
  for (size_t i = 0; i < count; i++)
    if (statistics[i].plans > 0 &&
        (best == count || is_better(&statistics[i], &statistics[best])))
      best = i;
  return best;
}
