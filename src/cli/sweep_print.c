/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/sweep_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/figures.h"

const char *sweep_status(const struct outcome *outcome) {
  if (outcome->status == NEAP_OK) return neap_outcome_name(outcome->report.outcome);
  return outcome->status == NEAP_INFEASIBLE ? "infeasible" : "unknown";
}

/* ---------------------------------------------------------------- settings */

/* How wide the column of an option is. */
static int column_of(const struct factor *factor) {
  int width = (int)strlen(factor->name) + 2;
  for (size_t i = 0; i < factor->count; i++)
    if ((int)strlen(factor->texts[i]) > width) width = (int)strlen(factor->texts[i]);
  return width;
}

static void print_heading(const struct design *design) {
  for (size_t i = 0; i < design->factor_count; i++)
    printf("%*s  ", column_of(&design->factors[i]), design->factors[i].name);
}

static void print_setting(const struct design *design, size_t setting) {
  for (size_t i = 0; i < design->factor_count; i++) {
    const struct factor *factor = &design->factors[i];
    printf("%*s  ", column_of(factor), factor->texts[design_value(design, setting, i)]);
  }
}

/* Orders contain commas. */
static void print_csv_setting(const struct design *design, size_t setting) {
  for (size_t i = 0; i < design->factor_count; i++) {
    const char *text = design->factors[i].texts[design_value(design, setting, i)];
    const char *quote = strchr(text, ',') ? "\"" : "";
    printf("%s%s%s,", quote, text, quote);
  }
}

/* ---------------------------------------------------------------- one seed */

static void print_runs(const struct sweep *sweep) {
  char gap[NEAP_GAP_TEXT];
  print_heading(&sweep->design);
  printf("%19s  %12s  %-10s  %7s  %8s  %s\n", "peak", "gap", "status", "rounds", "seconds",
         "stopped because");
  for (size_t i = 0; i < sweep->done; i++) {
    const struct outcome *outcome = sweep_outcomes(sweep, i);
    const neap_report *report = &outcome->report;
    print_setting(&sweep->design, i);
    if (outcome->status == NEAP_OK)
      printf("%19" PRId64 "  %12s  %-10s  %7" PRIu64 "  %8.3f  %s\n", report->peak,
             neap_gap_text(report->gap_percent, gap), sweep_status(outcome), report->rounds,
             report->seconds, neap_stop_reason_text(report->stop_reason));
    else printf("%19s  %12s  %s\n", "-", "-", sweep_status(outcome));
  }
}

static void print_csv_run(const struct outcome *outcome) {
  const neap_report *report = &outcome->report;
  if (outcome->status != NEAP_OK) {
    printf(",,%s,,,\n", sweep_status(outcome));
    return;
  }
  printf("%" PRId64 ",%.6f,%s,%s,%" PRIu64 ",%.6f\n", report->peak, report->gap_percent,
         sweep_status(outcome), neap_stop_reason_name(report->stop_reason), report->rounds,
         report->seconds);
}

/* ---------------------------------------------------------------- several seeds */

/* How wide the columns of peaks are: they all have about as many digits. */
static int peak_column(const struct sweep *sweep) {
  char text[FIGURE_SIZE];
  int width = 7;
  for (size_t i = 0; i < sweep->done; i++) {
    const struct spread *peak = &sweep->statistics[i].peak;
    const double all[] = {peak->median, peak->q1, peak->q3, peak->max};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
      int length = (int)strlen(figure_decimal(text, all[k]));
      if (length > width) width = length;
    }
  }
  return width;
}

/* Its heading is longer than those of the other peaks. */
static int median_column(int width) { return width > 11 ? width : 11; }

static void print_peaks(const struct statistics *statistics, int width) {
  const struct spread *peak = &statistics->peak;
  const double all[] = {peak->min, peak->q1, peak->q3, peak->max};
  char text[FIGURE_SIZE], gap[NEAP_GAP_TEXT];
  printf("%*s  %9s", median_column(width), figure_decimal(text, peak->median),
         neap_gap_text(statistics->gap_percent.median, gap));
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    printf("  %*s", width, figure_decimal(text, all[k]));
}

static void print_statistics(const struct sweep *sweep) {
  int width = peak_column(sweep);
  char rounds[FIGURE_SIZE];
  print_heading(&sweep->design);
  printf("%*s  %9s  %*s  %*s  %*s  %*s  %7s  %8s  %5s  %7s\n", median_column(width),
         "median peak", "gap", width, "lowest", width, "25 %", width, "75 %", width, "highest",
         "rounds", "seconds", "plans", "optimal");
  for (size_t i = 0; i < sweep->done; i++) {
    const struct statistics *statistics = &sweep->statistics[i];
    print_setting(&sweep->design, i);
    if (statistics->plans == 0) {
      printf("%*s  %9s  no seed gives a plan\n", median_column(width), "-", "-");
      continue;
    }
    print_peaks(statistics, width);
    printf("  %7s  %8.3f  %5zu  %7zu\n", figure_decimal(rounds, statistics->rounds),
           statistics->seconds.median, statistics->plans, statistics->optimal);
  }
}

/* For peaks, gaps and seconds alike. */
static const char *const csv_columns[] = {"median", "min", "q1", "q3", "max"};
#define CSV_COLUMNS (sizeof csv_columns / sizeof *csv_columns)

static void print_csv_spread(const struct spread *spread, bool whole) {
  const double all[CSV_COLUMNS] = {spread->median, spread->min, spread->q1, spread->q3,
                                   spread->max};
  char text[FIGURE_SIZE];
  for (size_t k = 0; k < CSV_COLUMNS; k++)
    if (whole) printf("%s,", figure_decimal(text, all[k]));
    else printf("%.6f,", all[k]);
}

static void print_csv_statistics(const struct sweep *sweep, size_t setting) {
  const struct statistics *statistics = &sweep->statistics[setting];
  char rounds[FIGURE_SIZE], ticks[FIGURE_SIZE];
  printf("%zu,%zu,%zu,", sweep->design.seed_count, statistics->plans, statistics->optimal);
  if (statistics->plans == 0) {
    puts(",,,,,,,,,,,,,,,,");
    return;
  }
  print_csv_spread(&statistics->peak, true);
  print_csv_spread(&statistics->gap_percent, false);
  print_csv_spread(&statistics->seconds, false);
  printf("%s,%s\n", figure_decimal(rounds, statistics->rounds),
         figure_decimal(ticks, statistics->ticks));
}

static void print_csv_columns(bool several) {
  static const char *const quantities[] = {"peak", "gap_percent", "seconds"};
  if (!several) {
    puts("peak,gap_percent,status,stop_reason,rounds,seconds");
    return;
  }
  printf("seeds,plans,optimal,");
  for (size_t q = 0; q < sizeof quantities / sizeof *quantities; q++)
    for (size_t k = 0; k < CSV_COLUMNS; k++)
      printf("%s_%s,", quantities[q], csv_columns[k]);
  puts("rounds_median,ticks_median");
}

void sweep_print_csv(const struct sweep *sweep) {
  const struct design *design = &sweep->design;
  bool several = design->seed_count > 1;
  for (size_t i = 0; i < design->factor_count; i++)
    printf("%s,", design->factors[i].name);
  printf("bound,lower_bound,");
  print_csv_columns(several);
  for (size_t i = 0; i < sweep->done; i++) {
    print_csv_setting(design, i);
    printf("%" PRId64 ",%" PRId64 ",", sweep->bound.bytes, sweep->bound.lower_bound);
    if (several) print_csv_statistics(sweep, i);
    else print_csv_run(sweep_outcomes(sweep, i));
  }
}

/* ---------------------------------------------------------------- the best */

static void print_best(const struct sweep *sweep) {
  char setting[DESIGN_TEXT], peak[FIGURE_SIZE], gap[NEAP_GAP_TEXT];
  size_t best = statistics_best(sweep->statistics, sweep->done);
  if (best == sweep->done) return;
  const struct statistics *statistics = &sweep->statistics[best];
  printf("best: %s, peak %s, gap %s", design_text(&sweep->design, best, "--", " ", setting),
         figure_bytes(peak, (neap_size)statistics->peak.median),
         neap_gap_text(statistics->gap_percent.median, gap));
  if (sweep->design.seed_count > 1) printf(", median of %zu seeds", statistics->plans);
  putchar('\n');
}

void sweep_print_table(const struct sweep *sweep) {
  if (sweep->design.seed_count > 1) print_statistics(sweep);
  else print_runs(sweep);
  print_best(sweep);
}
