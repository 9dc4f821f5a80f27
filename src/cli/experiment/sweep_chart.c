/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first option is the horizontal axis; each value of the second has a curve of its own.  A
 * curve is the median of the peaks of all seeds.  Its band goes from the lowest to the highest,
 * because there are few seeds, and their quartiles would say less than their extremes.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/experiment/lines.h"
#include "cli/experiment/sweep.h"
#include "cli/files.h"
#include "cli/messages.h"

/* Limits that span this factor or more get a logarithmic axis. */
#define WIDE 20

/* The curve of one value of the second factor. */
static void add_curve(const struct sweep *sweep, size_t value, struct lines *lines) {
  const struct design *design = &sweep->design;
  const char *only = design->seed_count > 1 ? "median peak" : "peak";
  struct line line =
      lines_add(lines, design->factor_count > 1 ? design->factors[1].texts[value] : only);
  for (size_t i = 0; i < design->setting_count; i++) {
    if (design->factor_count > 1 && design_value(design, i, 1) != value) continue;
    size_t at = design_value(design, i, 0);
    const struct statistics *statistics = &sweep->settings[i].statistics;
    bool known = i < sweep->done && statistics->plans > 0;
    line.values[at] = known ? statistics->peak.median : (double)NAN;
    line.low[at] = known ? statistics->peak.min : (double)NAN;
    line.high[at] = known ? statistics->peak.max : (double)NAN;
  }
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
  size_t best = sweep_best(sweep);
  if (best < sweep->done) design_text(design, best, "--", " ", setting);
  snprintf(text, CAPTION_SIZE, "%s%s%s%s%s%s", curves, *curves && *seeds ? ": " : "", seeds,
           *curves || *seeds ? "; " : "", *setting ? "best: " : "no plan", setting);
  return text;
}

static int draw_chart(struct sweep *sweep, const struct lines *lines) {
  neap_error error;
  neap_panel panels[NEAP_PANELS_MAX];
  char caption[CAPTION_SIZE], label[LABEL_SIZE];
  const struct factor *first = &sweep->design.factors[0];
  bool named = first->kind == FACTOR_NAMES;
  const neap_chart chart = {.title = files_last_part(sweep->arguments->operand),
                            .x_label = write_label(first, label),
                            .y_label = "peak",
                            .x = lines->x,
                            .x_count = lines->x_count,
                            .series = lines->series,
                            .series_count = lines->count,
                            .y_is_bytes = true,
                            .x_is_logarithmic = is_wide(first),
                            .x_names = named ? (const char *const *)first->texts : NULL,
                            .bands = sweep->design.seed_count > 1 ? lines->bands : NULL,
                            .caption = write_caption(sweep, caption),
                            .panels = panels,
                            .panel_count =
                                layouts_panels(&sweep->layouts, &sweep->design, panels)};
  const char *path = sweep->arguments->svg;
  return message_written(path, neap_chart_draw(&chart, path, &error), &error);
}

int sweep_draw(struct sweep *sweep) {
  const struct design *design = &sweep->design;
  const struct factor *first = &design->factors[0];
  size_t curves = design->factor_count > 1 ? design->factors[1].count : 1;
  struct lines lines;
  if (!sweep->arguments->svg || sweep->done == 0) return 0;
  bool made = lines_init(&lines, first->numbers, first->count, curves + 1);
  for (size_t i = 0; i < curves && made; i++)
    add_curve(sweep, i, &lines);
  bool plain = sweep->bound.lower_bound == sweep->bound.bytes;
  if (made)
    lines_add_reference(&lines, plain ? "bound" : "lower bound",
                        (double)sweep->bound.lower_bound);
  int code = made ? draw_chart(sweep, &lines) : message_memory();
  lines_clear(&lines);
  return code;
}
