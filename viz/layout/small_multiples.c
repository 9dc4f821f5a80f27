/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A grid of layouts.  One scale for all makes heights comparable.  A plan far higher than the
 * lowest would flatten all others, so the scale ends at twice the lowest peak; higher plans are
 * cut off, as their captions point out.
 */
#include "viz/layout/small_multiples.h"

#include <stdio.h>

#include "core/checked.h"
#include "core/text.h"
#include "viz/layout/boxes.h"
#include "viz/layout/colouring.h"
#include "viz/layout/legend.h"
#include "viz/svg/frame.h"
#include "viz/svg/label.h"
#include "viz/svg/number.h"
#include "viz/svg/style.h"

#define COLUMNS 4
#define LEFT (70 * SVG_PIXEL) /* of the first column, with room for labels */
#define MARGIN (30 * SVG_PIXEL)
#define BETWEEN (16 * SVG_PIXEL)
#define HEAD 56    /* pixels for the heading and the legend */
#define CAPTION 36 /* pixels for each panel's caption */
#define DOWN 120   /* of a panel */
#define ROW (CAPTION + DOWN + 18)
#define CUT 2 /* times the lowest peak */

/* Colours by risk, because layouts of one problem differ in which buffers reach the bound. */
static const struct colouring_wish by_risk = {"risk", NEAP_RISK_COUNT, true};

struct grid {
  const neap_panel *panels;
  size_t count;
  int top, across; /* a panel's extent */
  struct axis time, offsets;
};

static size_t panels_shown(size_t count) {
  return count < NEAP_PANELS_MAX ? count : NEAP_PANELS_MAX;
}

int small_multiples_down(size_t count) {
  int rows = (int)((panels_shown(count) + COLUMNS - 1) / COLUMNS);
  return rows > 0 ? HEAD + rows * ROW + 12 : 0;
}

/* ---------------------------------------------------------------- the scale */

static neap_size most_of(const neap_report *report) {
  return report->peak > report->lower_bound ? report->peak : report->lower_bound;
}

static void set_axes(struct grid *grid) {
  neap_size lowest = NEAP_MAX, highest = 1, limit;
  neap_time horizon = 1;
  for (size_t i = 0; i < grid->count; i++) {
    const struct neap_plan *plan = grid->panels[i].plan;
    neap_size most = most_of(&plan->report);
    if (most < lowest) lowest = most;
    if (most > highest) highest = most;
    if (plan->problem->horizon > horizon) horizon = plan->problem->horizon;
  }
  if (lowest > 0 && checked_mul(lowest, CUT, &limit) && limit < highest) highest = limit;
  grid->time = (struct axis){.low = 0, .high = horizon};
  grid->offsets = (struct axis){.unit = AXIS_BYTES, .low = 0, .high = highest};
}

static struct frame frame_of(const struct grid *grid, size_t index) {
  int left = LEFT + (int)(index % COLUMNS) * (grid->across + BETWEEN);
  int top = grid->top + (HEAD + (int)(index / COLUMNS) * ROW + CAPTION) * SVG_PIXEL;
  return (struct frame){left, top, left + grid->across, top + DOWN * SVG_PIXEL};
}

/* The grid's axes, for one of its frames. */
static void place_axes(const struct grid *grid, const struct frame *frame, struct axis *time,
                       struct axis *offsets) {
  *time = grid->time;
  time->from = frame->left;
  time->to = frame->right;
  *offsets = grid->offsets;
  offsets->from = frame->bottom;
  offsets->to = frame->top + 4 * SVG_PIXEL;
  axis_set_step(offsets, 26 * SVG_PIXEL);
}

/* ---------------------------------------------------------------- drawing */

/* Writes a caption, without the gap if the caption would run into the next panel. */
static void write_caption(const neap_panel *panel, const struct frame *frame, bool is_cut,
                          struct svg *svg) {
  const neap_report *report = &panel->plan->report;
  const char *cut = is_cut ? ", cut off" : "";
  int room = frame->right - frame->left;
  char label[LABEL_BYTES], bytes[TEXT_BYTES], percent[NUMBER_TEXT], text[160];
  label_fit(panel->name, STYLE_STRONG, room - 8 * SVG_PIXEL, label);
  svg_label(svg, "strong", frame->left, frame->top - 20 * SVG_PIXEL, label);
  snprintf(text, sizeof text, "peak %s, gap %s%s", text_bytes(bytes, report->peak),
           neap_gap_text(report->gap_percent, percent), cut);
  if (label_width(text, STYLE_SMALL) > room)
    snprintf(text, sizeof text, "peak %s%s", bytes, cut);
  svg_label(svg, "detail", frame->left, frame->top - 6 * SVG_PIXEL, text);
}

static void draw_levels(const struct neap_plan *plan, const struct frame *frame,
                        const struct axis *offsets, struct svg *svg) {
  int bound = axis_at(offsets, plan->report.lower_bound);
  svg_line(svg, "bound", frame->left, bound, frame->right, bound);
  if (plan->report.peak > offsets->high) return;
  int peak = axis_at(offsets, plan->report.peak);
  svg_line(svg, "target", frame->left, peak, frame->right, peak);
}

static void draw_capacity(const struct neap_plan *plan, const struct frame *frame,
                          const struct axis *offsets, struct svg *svg) {
  neap_size capacity = plan->report.capacity;
  if (capacity < 0 || capacity > offsets->high) return;
  int y = axis_at(offsets, capacity);
  svg_line(svg, "capacity", frame->left, y, frame->right, y);
}

/* Draws the grid lines, with labels before the first column. */
static void draw_grid_lines(const struct frame *frame, const struct axis *offsets,
                            struct svg *svg) {
  int64_t tick;
  if (frame->left == LEFT) {
    frame_up(svg, frame, offsets);
    return;
  }
  for (bool any = axis_first_tick(offsets, &tick); any; any = axis_next_tick(offsets, &tick)) {
    int y = axis_at(offsets, tick);
    svg_line(svg, "grid", frame->left, y, frame->right, y);
  }
}

static neap_status draw_panel(const struct grid *grid, size_t index, struct svg *svg,
                              neap_error *error) {
  const neap_panel *panel = &grid->panels[index];
  struct frame frame = frame_of(grid, index);
  struct axis time, offsets;
  struct colouring colouring;
  struct boxes boxes = {.plan = panel->plan,
                        .colouring = &colouring,
                        .across = &time,
                        .up = &offsets,
                        .is_small = true};
  place_axes(grid, &frame, &time, &offsets);
  svg_group(svg, "panel-layout");
  frame_panel(svg, &frame);
  draw_grid_lines(&frame, &offsets, svg);
  neap_status status = colouring_init(&colouring, panel->plan, &by_risk, error);
  if (status == NEAP_OK) {
    boxes_init(&boxes);
    status = boxes_draw(&boxes, svg, error);
  }
  colouring_clear(&colouring);
  draw_capacity(panel->plan, &frame, &offsets, svg);
  draw_levels(panel->plan, &frame, &offsets, svg);
  write_caption(panel, &frame, panel->plan->report.peak > offsets.high, svg);
  svg_end(svg);
  return status;
}

static void write_heading(const struct grid *grid, size_t all, struct svg *svg) {
  char text[256], more[64] = "";
  bool has_capacity = false;
  for (size_t i = 0; i < grid->count; i++)
    has_capacity = has_capacity || grid->panels[i].plan->report.capacity >= 0;
  if (all > grid->count)
    snprintf(more, sizeof more, "; %zu of %zu are shown", grid->count, all);
  snprintf(text, sizeof text,
           "Layouts, all to one scale: time to the right, offsets upwards; the "
           "dash-dotted line is the lower bound, the dashed one the peak%s%s",
           has_capacity ? ", the solid one the capacity" : "", more);
  svg_label(svg, "caption", MARGIN, grid->top + 12 * SVG_PIXEL, text);
  legend_draw_risks(svg, MARGIN, grid->top + 36 * SVG_PIXEL);
}

neap_status small_multiples_draw(const neap_panel *panels, size_t count, int top, int right,
                                 struct svg *svg, neap_error *error) {
  struct grid grid = {.panels = panels, .count = panels_shown(count), .top = top};
  if (count == 0) return NEAP_OK;
  grid.across = (right - MARGIN - LEFT - (COLUMNS - 1) * BETWEEN) / COLUMNS;
  set_axes(&grid);
  write_heading(&grid, count, svg);
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < grid.count && status == NEAP_OK; i++)
    status = draw_panel(&grid, i, svg, error);
  return status;
}
