/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first option is the horizontal axis; each value of the second has a curve of its own.  A
 * curve is the median of the peaks of all seeds.  Its band goes from the lowest to the highest,
 * because there are few seeds, and their quartiles would say less than their extremes.
 */
#include "cli/sweep_chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/files.h"
#include "cli/messages.h"

/* Limits that span this factor or more get a logarithmic axis. */
#define WIDE 20

struct curves {
  size_t x_count, count;
  double *bound;               /* one per x */
  double *median, *low, *high; /* of all curves, one after another */
  neap_series *series;         /* the curves, then the bound */
  neap_band *bands;
};

/* ---------------------------------------------------------------- curves */

static void clear_curves(struct curves *curves) {
  free(curves->bound);
  free(curves->series);
  free(curves->bands);
}

static bool allocate_curves(struct curves *curves) {
  size_t all = curves->x_count * curves->count;
  curves->bound = calloc(curves->x_count + 3 * all, sizeof *curves->bound);
  curves->series = calloc(curves->count + 1, sizeof *curves->series);
  curves->bands = calloc(curves->count + 1, sizeof *curves->bands);
  if (!curves->bound || !curves->series || !curves->bands) return false;
  curves->median = curves->bound + curves->x_count;
  curves->low = curves->median + all;
  curves->high = curves->low + all;
  return true;
}

/* The curve and the point on it of each setting. */
static void fill_points(const struct sweep *sweep, struct curves *curves) {
  const struct design *design = &sweep->design;
  for (size_t i = 0; i < design->setting_count; i++) {
    size_t curve = design->factor_count > 1 ? design_value(design, i, 1) : 0;
    size_t at = curve * curves->x_count + design_value(design, i, 0);
    bool known = i < sweep->done && sweep->statistics[i].plans > 0;
    const struct spread *peak = &sweep->statistics[i].peak;
    curves->median[at] = known ? peak->median : (double)NAN;
    curves->low[at] = known ? peak->min : (double)NAN;
    curves->high[at] = known ? peak->max : (double)NAN;
  }
}

static void fill_series(const struct sweep *sweep, struct curves *curves) {
  const struct design *design = &sweep->design;
  const char *only = design->seed_count > 1 ? "median peak" : "peak";
  for (size_t x = 0; x < curves->x_count; x++)
    curves->bound[x] = (double)sweep->bound.lower_bound;
  for (size_t c = 0; c < curves->count; c++) {
    size_t at = c * curves->x_count;
    curves->series[c] =
        (neap_series){design->factor_count > 1 ? design->factors[1].texts[c] : only,
                      curves->median + at, false};
    curves->bands[c] = (neap_band){curves->low + at, curves->high + at};
  }
  bool plain = sweep->bound.lower_bound == sweep->bound.bytes;
  curves->series[curves->count] =
      (neap_series){plain ? "bound" : "lower bound", curves->bound, true};
}

static bool is_wide(const struct factor *factor) {
  double low = factor->numbers[0], high = factor->numbers[factor->count - 1];
  return factor->kind != FACTOR_NAMES && low > 0 && high / low >= WIDE;
}

#define LABEL_SIZE 64

static const char *write_label(const struct factor *factor, char label[LABEL_SIZE]) {
  snprintf(label, LABEL_SIZE, "%s%s", factor->name, is_wide(factor) ? ", logarithmic" : "");
  return label;
}

#define CAPTION_SIZE (DESIGN_TEXT + 256)

/* Explains curves and bands, and names the best setting. */
static const char *write_caption(const struct sweep *sweep, char text[CAPTION_SIZE]) {
  const struct design *design = &sweep->design;
  bool named = design->factors[0].kind == FACTOR_NAMES;
  char curves[96] = "", seeds[128] = "", setting[DESIGN_TEXT] = "";
  if (design->factor_count > 1)
    snprintf(curves, sizeof curves, "one %s per %.40s", named ? "colour" : "line",
             design->factors[1].name);
  if (design->seed_count > 1)
    snprintf(seeds, sizeof seeds, "median of %zu seeds; %s: lowest to highest; layouts: lowest",
             design->seed_count, named ? "bars" : "bands");
  size_t best = statistics_best(sweep->statistics, sweep->done);
  if (best < sweep->done) design_text(design, best, "--", " ", setting);
  snprintf(text, CAPTION_SIZE, "%s%s%s%s%s%s", curves, *curves && *seeds ? ": " : "", seeds,
           *curves || *seeds ? "; " : "", *setting ? "best: " : "no plan", setting);
  return text;
}

/* ---------------------------------------------------------------- the whole */

static int draw_chart(struct sweep *sweep, const struct curves *curves) {
  neap_error error;
  neap_panel panels[NEAP_PANELS_MAX];
  char caption[CAPTION_SIZE], label[LABEL_SIZE];
  const struct factor *first = &sweep->design.factors[0];
  bool named = first->kind == FACTOR_NAMES;
  const neap_chart chart = {.title = files_last_part(sweep->arguments->operand),
                            .x_label = write_label(first, label),
                            .y_label = "peak",
                            .x = first->numbers,
                            .x_count = curves->x_count,
                            .series = curves->series,
                            .series_count = curves->count + 1,
                            .y_is_bytes = true,
                            .x_is_logarithmic = is_wide(first),
                            .x_names = named ? (const char *const *)first->texts : NULL,
                            .bands = sweep->design.seed_count > 1 ? curves->bands : NULL,
                            .caption = write_caption(sweep, caption),
                            .panels = panels,
                            .panel_count =
                                layouts_panels(&sweep->layouts, &sweep->design, panels)};
  const char *path = sweep->arguments->svg;
  return message_written(path, neap_chart_draw(&chart, path, &error), &error);
}

int sweep_draw(struct sweep *sweep) {
  const struct design *design = &sweep->design;
  struct curves curves = {.x_count = design->factors[0].count,
                          .count = design->factor_count > 1 ? design->factors[1].count : 1};
  if (!sweep->arguments->svg || sweep->done == 0) return 0;
  if (!allocate_curves(&curves)) {
    clear_curves(&curves);
    return message_memory();
  }
  fill_points(sweep, &curves);
  fill_series(sweep, &curves);
  int code = draw_chart(sweep, &curves);
  clear_curves(&curves);
  return code;
}
