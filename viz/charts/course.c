/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The course of a run: peak and best lower bound over time, which approach each other until they
 * meet or the run ends, and below them the area above the bound, which shows progress between one
 * peak and the next.  Time is logarithmic, because most happens in the first moments of a run.
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "neap/neap-io.h"
#include "plan/plan.h"
#include "viz/charts/chart.h"
#include "viz/svg/label.h"
#include "viz/svg/number.h"

#define NOTE_SIZE (NUMBER_TEXT + 8)

struct course_chart {
  const struct neap_plan *plan;
  const char *name; /* of what was planned; NULL: unknown */
  double *x, *peak, *lower_bound, *area, *bound;
  char (*texts)[NOTE_SIZE];
  const char **notes;
};

static void course_chart_clear(struct course_chart *chart) {
  free(chart->x);
  free(chart->peak);
  free(chart->lower_bound);
  free(chart->area);
  free(chart->bound);
  free(chart->texts);
  free(chart->notes);
}

static bool allocate_columns(struct course_chart *chart) {
  size_t count = chart->plan->moment_count;
  chart->x = memory_array(count, sizeof *chart->x);
  chart->peak = memory_array(count, sizeof *chart->peak);
  chart->lower_bound = memory_array(count, sizeof *chart->lower_bound);
  chart->area = memory_array(count, sizeof *chart->area);
  chart->bound = memory_array(count, sizeof *chart->bound);
  chart->texts = memory_array(count, sizeof *chart->texts);
  chart->notes = memory_array(count, sizeof *chart->notes);
  return chart->x && chart->peak && chart->lower_bound && chart->area && chart->bound &&
         chart->texts && chart->notes;
}

#define LEAST 1e-6 /* seconds */

/* A logarithmic axis has no 0: what happened before the first plan is drawn at half its time. */
static double time_of(const struct neap_plan *plan, size_t index) {
  const neap_moment *moments = plan->moments;
  double first = plan->moment_count > 1 ? moments[1].seconds / 2 : 0;
  double seconds =
      index == 0 || moments[index].seconds < first ? first : moments[index].seconds;
  return seconds > LEAST ? seconds : LEAST;
}

static void fill_columns(struct course_chart *chart) {
  const neap_moment *moments = chart->plan->moments;
  char number[NUMBER_TEXT];
  for (size_t i = 0; i < chart->plan->moment_count; i++) {
    bool planned = moments[i].peak != NEAP_UNPLACED;
    bool lower = planned && (i == 0 || moments[i].peak != moments[i - 1].peak);
    chart->x[i] = time_of(chart->plan, i);
    chart->peak[i] = planned ? (double)moments[i].peak : (double)NAN;
    chart->area[i] = planned ? (double)moments[i].excess_area : (double)NAN;
    chart->bound[i] = i == 0 ? 0 : (double)NAN; /* a level */
    chart->lower_bound[i] = (double)moments[i].lower_bound;
    if (!lower || moments[i].rounds > INT64_MAX) continue;
    snprintf(chart->texts[i], NOTE_SIZE, "round %s",
             number_grouped(number, (int64_t)moments[i].rounds));
    chart->notes[i] = chart->texts[i];
  }
}

static neap_status draw_course(const struct course_chart *chart, enum render_kind kind,
                               FILE *stream, neap_error *error) {
  const neap_report *report = &chart->plan->report;
  char title[LABEL_BYTES + 160], name[LABEL_BYTES] = "", peak[TEXT_BYTES], gap[NUMBER_TEXT];
  if (chart->name) label_clean(chart->name, name);
  snprintf(title, sizeof title, "%s%s%s: peak %s, gap %s", name, *name ? ", " : "",
           chart->plan->engine, text_bytes(peak, report->peak),
           neap_gap_text(report->gap_percent, gap));
  const neap_series series[] = {{"peak", chart->peak, false},
                                {"lower bound", chart->lower_bound, true}};
  const neap_series areas[] = {{"area above bound", chart->area, false},
                               {"at the bound", chart->bound, true}};
  const neap_chart below = {
      .y_label = "bytes × time", .series = areas, .series_count = 2, .y_is_bytes = true};
  const neap_chart drawn = {.title = title,
                            .x_label = "time since the run began",
                            .y_label = "peak (bytes)",
                            .x = chart->x,
                            .x_count = chart->plan->moment_count,
                            .series = series,
                            .series_count = 2,
                            .y_is_bytes = true,
                            .x_is_seconds = true,
                            .is_stepped = true,
                            .notes = chart->notes,
                            .below = &below};
  return chart_write(&drawn, kind, stream, error);
}

neap_status course_write(const neap_plan *plan, const char *name, enum render_kind kind,
                         FILE *stream, neap_error *error) {
  struct course_chart chart = {.plan = plan, .name = name};
  neap_status status = allocate_columns(&chart) ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK) {
    fill_columns(&chart);
    status = draw_course(&chart, kind, stream, error);
  }
  course_chart_clear(&chart);
  return status;
}
