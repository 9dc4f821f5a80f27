/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/comparison.h"
#include "cli/files.h"
#include "cli/messages.h"
#include "cli/sweep_layouts.h"

#define NAMES 120
#define NAMES_FIT 24 /* characters above a panel beside "(12 engines)" */

struct chart {
  neap_bar *bars;
  neap_panel *panels;
  struct shared {
    size_t engines;
    char names[NAMES]; /* "tflite-arena, auto (5 engines)" */
  } * shared;          /* of each panel */
  size_t panel_count;
};

/* The panel with this layout; a new one if there is none yet. */
static size_t panel_of(struct chart *chart, const neap_plan *plan) {
  for (size_t i = 0; i < chart->panel_count; i++)
    if (layout_is_same(chart->panels[i].plan, plan)) return i;
  chart->panels[chart->panel_count] =
      (neap_panel){plan, chart->shared[chart->panel_count].names};
  return chart->panel_count++;
}

static void add_layout(struct chart *chart, const struct entry *entry) {
  struct shared *shared = &chart->shared[panel_of(chart, entry->plan)];
  size_t used = strlen(shared->names);
  shared->engines++;
  if (used == 0 || used + strlen(entry->engine.name) < NAMES_FIT)
    snprintf(shared->names + used, NAMES - used, "%s%s", used > 0 ? ", " : "",
             entry->engine.name);
}

static void fill_chart(const struct comparison *comparison, struct chart *chart) {
  for (size_t i = 0; i < comparison->count; i++) {
    const struct entry *entry = &comparison->entries[i];
    chart->bars[i] = (neap_bar){entry->engine.name,
                                entry->status == NEAP_OK ? entry->report.peak : NEAP_UNPLACED,
                                entry->reason, !entry->engine.is_runtime};
    if (entry->plan) add_layout(chart, entry);
  }
  for (size_t i = 0; i < chart->panel_count; i++) {
    struct shared *shared = &chart->shared[i];
    size_t used = strlen(shared->names);
    if (shared->engines > 1)
      snprintf(shared->names + used, NAMES - used, " (%zu engines)", shared->engines);
  }
}

static void clear_chart(struct chart *chart) {
  free(chart->bars);
  free(chart->panels);
  free(chart->shared);
}

int comparison_chart(const struct comparison *comparison) {
  const char *path = comparison->arguments->svg;
  size_t room = comparison->count + 1;
  if (!path) return 0;
  struct chart chart = {.bars = calloc(room, sizeof *chart.bars),
                        .panels = calloc(room, sizeof *chart.panels),
                        .shared = calloc(room, sizeof *chart.shared)};
  if (!chart.bars || !chart.panels || !chart.shared) {
    clear_chart(&chart);
    return message_memory();
  }
  fill_chart(comparison, &chart);
  bool is_plain = comparison->bound.lower_bound == comparison->bound.bytes;
  neap_bars bars = {.title = files_last_part(comparison->arguments->operand),
                    .items = chart.bars,
                    .count = comparison->count,
                    .level = comparison->bound.lower_bound,
                    .level_name = is_plain ? "bound" : "lower bound",
                    .panels = chart.panels,
                    .panel_count = chart.panel_count};
  neap_error error;
  int code = message_written(path, neap_bars_draw(&bars, path, &error), &error);
  clear_chart(&chart);
  return code;
}
