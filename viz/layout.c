/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The picture of a plan.
 *
 *      figures:  buffers   peak   bound   gap   status   engine
 *      +---------------------------------------------+
 *      |   live sizes over time                      | bound
 *      +---------------------------------------------+
 *      +---------------------------------------------+
 *      |   the container, on the same time axis:     | peak
 *      |   rectangles, target rectangle, levels      | bound, and the
 *      +---------------------------------------------+ critical stack
 *            time
 *      legend
 *      note
 *
 * The page's size is fixed, so that pictures of different plans can be laid side by side.
 */
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "model/collide.h"
#include "model/live.h"
#include "viz/boxes.h"
#include "viz/callouts.h"
#include "viz/curve.h"
#include "viz/describe.h"
#include "viz/frame.h"
#include "viz/label.h"
#include "viz/legend.h"
#include "viz/number.h"
#include "viz/style.h"

#define PAGE_ACROSS 1320
#define PAGE_DOWN 800

static const struct frame live_frame = {8800, 11200, 106400, 20800};
static const struct frame plan_frame = {8800, 22800, 106400, 70400};
#define LIVE_HEADROOM (12 * SVG_PIXEL)
#define PLAN_HEADROOM (20 * SVG_PIXEL)

struct picture {
  const struct neap_plan *plan;
  struct live live;
  struct axis time, sizes, offsets;
  struct boxes boxes;
  struct stack stack;
  bool sound;
  neap_error fault; /* what is wrong, otherwise */
  bool collides;    /* and if it is this, where */
  neap_collision collision;
};

/* ---------------------------------------------------------------- axes */

/* From 0, unless nothing happens in most of that time. */
static neap_time first_moment(const struct neap_problem *problem) {
  if (problem->count == 0) return 0;
  neap_time first = problem->ranges[0].start;
  for (size_t i = 1; i < problem->range_count; i++)
    if (problem->ranges[i].start < first) first = problem->ranges[i].start;
  return first > problem->horizon / 2 ? first : 0;
}

static void set_time_axis(struct picture *picture) {
  const struct neap_problem *problem = picture->plan->problem;
  neap_time low = first_moment(problem), high = problem->horizon;
  picture->time = (struct axis){.low = low,
                                .high = high > low ? high : low + 1,
                                .from = plan_frame.left,
                                .to = plan_frame.right};
  char label[NUMBER_TEXT];
  int width = label_width(number_grouped(label, picture->time.high), STYLE_SMALL);
  axis_set_step(&picture->time, width < 4000 ? 8000 : width + 4000);
}

static void set_byte_axis(struct axis *axis, const struct frame *frame, int headroom,
                          int spacing, neap_size most) {
  *axis = (struct axis){.unit = AXIS_BYTES,
                        .high = most > 0 ? most : 1,
                        .from = frame->bottom,
                        .to = frame->top + headroom};
  axis_set_step(axis, spacing);
}

/*
 * A plan that breaks a rule is drawn all the same, since seeing it helps, but not passed off as
 * a good one.
 */
static neap_status examine(struct picture *picture, neap_error *error) {
  const struct neap_plan *plan = picture->plan;
  neap_status status = neap_plan_verify(plan, -1, &picture->fault);
  picture->sound = status == NEAP_OK;
  if (status == NEAP_OK) return NEAP_OK;
  if (status == NEAP_ERROR_UNSOUND)
    return collide_first(plan->problem, plan->offsets, &picture->collision, &picture->collides,
                         error);
  if (error) *error = picture->fault;
  return status;
}

static neap_status picture_init(struct picture *picture, const struct neap_plan *plan,
                                neap_error *error) {
  *picture = (struct picture){.plan = plan};
  const neap_report *report = &plan->report;
  set_time_axis(picture);
  set_byte_axis(&picture->sizes, &live_frame, LIVE_HEADROOM, 3000, report->bound);
  neap_size top = report->peak > report->lower_bound ? report->peak : report->lower_bound;
  set_byte_axis(&picture->offsets, &plan_frame, PLAN_HEADROOM, 5000, top);
  boxes_init(&picture->boxes, plan, &picture->time, &picture->offsets, false);
  neap_status status = examine(picture, error);
  if (status == NEAP_OK) status = stack_init(&picture->stack, plan, error);
  return status == NEAP_OK ? live_init(&picture->live, plan->problem, error) : status;
}

/* ---------------------------------------------------------------- figures */

static void draw_figure(struct svg *svg, int x, const struct figure *figure) {
  svg_label(svg, "caption", x, 3800, figure->label);
  svg_label(svg, "value", x, 6000, figure->value);
  if (figure->detail[0]) svg_label(svg, "detail", x, 7800, figure->detail);
}

static int larger(int a, int b) { return a > b ? a : b; }

/* Side by side, each as wide as its longest line. */
static void draw_figures(struct svg *svg, const struct picture *picture) {
  struct figure figures[DESCRIBE_FIGURES];
  size_t count = describe_figures(picture->plan, picture->sound, figures);
  int x = plan_frame.left;
  for (size_t i = 0; i < count; i++) {
    draw_figure(svg, x, &figures[i]);
    int across = larger(label_width(figures[i].label, STYLE_SMALL),
                        larger(label_width(figures[i].value, STYLE_VALUE),
                               label_width(figures[i].detail, STYLE_SMALL)));
    x += larger(across, 60 * SVG_PIXEL) + 36 * SVG_PIXEL;
  }
}

/* ---------------------------------------------------------------- levels */

static void draw_level(struct svg *svg, const struct frame *frame, const struct level *level) {
  int x = frame->right + CALLOUTS_GUTTER;
  svg_path_start(svg, "leader");
  svg_to(svg, 'M', frame->right, level->y);
  svg_to(svg, 'L', x - 3 * SVG_PIXEL, level->text_y);
  svg_path_finish(svg);
  svg_end(svg);
  svg_label(svg, "strong", x, level->text_y + 4 * SVG_PIXEL, level->name);
  svg_label(svg, "detail", x, level->text_y + 18 * SVG_PIXEL, level->value);
}

struct named_level {
  neap_size bytes;
  const char *name;
};

/* Downwards; one of equal levels is named for both. */
static size_t list_levels(const neap_report *report, struct named_level levels[3]) {
  size_t count = 0, place = 0;
  bool lifted = report->lower_bound > report->bound;
  if (lifted) levels[count++] = (struct named_level){report->lower_bound, "lower bound"};
  levels[count++] = (struct named_level){report->bound, "bound"};
  while (place < count && levels[place].bytes > report->peak)
    place++;
  if (place < count && levels[place].bytes == report->peak) {
    levels[place].name = lifted && place == 0 ? "peak = lower bound" : "peak = bound";
    return count;
  }
  memmove(levels + place + 1, levels + place, (count - place) * sizeof *levels);
  levels[place] = (struct named_level){report->peak, "peak"};
  return count + 1;
}

static neap_status draw_callouts(struct svg *svg, const struct picture *picture,
                                 neap_error *error) {
  struct named_level named[3];
  struct level levels[3];
  char values[3][TEXT_BYTES];
  size_t count = list_levels(&picture->plan->report, named);
  for (size_t i = 0; i < count; i++)
    levels[i] = (struct level){named[i].name, text_bytes(values[i], named[i].bytes),
                               axis_at(&picture->offsets, named[i].bytes), 0};
  const struct callouts callouts = {.plan = picture->plan,
                                    .stack = &picture->stack,
                                    .across = &picture->time,
                                    .up = &picture->offsets,
                                    .frame = &plan_frame,
                                    .right = (PAGE_ACROSS - 20) * SVG_PIXEL,
                                    .levels = levels,
                                    .level_count = count};
  return callouts_draw(&callouts, svg, error);
}

/* With a halo, so that it is seen on strong colours, in grey too. */
static void draw_bound_line(struct svg *svg, const char *class, int y) {
  svg_line(svg, "halo", plan_frame.left, y, plan_frame.right, y);
  svg_line(svg, class, plan_frame.left, y, plan_frame.right, y);
}

static void draw_bound_lines(struct svg *svg, const struct picture *picture) {
  const neap_report *report = &picture->plan->report;
  draw_bound_line(svg, "bound", axis_at(&picture->offsets, report->bound));
  if (report->lower_bound == report->bound) return;
  draw_bound_line(svg, "bound lower", axis_at(&picture->offsets, report->lower_bound));
}

/* ---------------------------------------------------------------- panels */

static void draw_live(struct svg *svg, const struct picture *picture) {
  neap_size bound = picture->plan->report.bound;
  char value[TEXT_BYTES];
  frame_panel(svg, &live_frame);
  frame_across(svg, &live_frame, &picture->time, false);
  frame_up(svg, &live_frame, &picture->sizes);
  frame_title_up(svg, &live_frame, "live bytes");
  int y = axis_at(&picture->sizes, bound);
  svg_line(svg, "bound", live_frame.left, y, live_frame.right, y);
  curve_draw(svg, &picture->live, &picture->time, &picture->sizes, bound);
  struct level level = {"bound", text_bytes(value, bound), y, y};
  draw_level(svg, &live_frame, &level);
}

/* The smallest rectangle around all that is placed. */
static void draw_target(struct svg *svg, const struct picture *picture) {
  const struct neap_problem *problem = picture->plan->problem;
  if (problem->count == 0) return;
  neap_time start = NEAP_MAX, end = 0;
  neap_offset low = NEAP_MAX;
  for (size_t i = 0; i < problem->count; i++) {
    neap_range hull = problem_hull(problem, i);
    if (hull.start < start) start = hull.start;
    if (hull.end > end) end = hull.end;
    if (picture->plan->offsets[i] < low) low = picture->plan->offsets[i];
  }
  int left = axis_at(&picture->time, start), right = axis_at(&picture->time, end);
  int top = axis_at(&picture->offsets, picture->plan->report.peak);
  int bottom = axis_at(&picture->offsets, low);
  svg_rectangle(svg, "outline target", left, top, right - left, bottom - top);
}

#define LANES_MAX 120

/* Shared objects are lanes: a line where each begins that is not too small to be seen. */
static void draw_lanes(struct svg *svg, const struct picture *picture) {
  const struct neap_plan *plan = picture->plan;
  bool seen[LANES_MAX] = {false};
  if (!plan->objects || plan->object_count > LANES_MAX) return;
  svg_group(svg, "lanes");
  for (size_t i = 0; i < plan->problem->count; i++) {
    neap_size size = plan->object_sizes[plan->objects[i]];
    int y = axis_at(&picture->offsets, plan->offsets[i]);
    if (y - axis_at(&picture->offsets, plan->offsets[i] + size) < 3 * SVG_PIXEL) continue;
    if (!seen[plan->objects[i]])
      svg_line(svg, "outline", plan_frame.left, y, plan_frame.right, y);
    seen[plan->objects[i]] = true;
  }
  svg_end(svg);
}

static void draw_collision(struct svg *svg, const struct picture *picture) {
  if (!picture->collides) return;
  const neap_collision *collision = &picture->collision;
  int left = axis_at(&picture->time, collision->when.start);
  int right = axis_at(&picture->time, collision->when.end);
  int top = axis_at(&picture->offsets, collision->high);
  int bottom = axis_at(&picture->offsets, collision->low);
  svg_rectangle_start(svg, "collision", left, top, right - left + 1, bottom - top + 1);
  char text[COLLIDE_TEXT];
  svg_title(svg, collide_text(picture->plan->problem, collision, text));
  svg_end(svg);
}

static neap_status draw_plan(struct svg *svg, const struct picture *picture,
                             neap_error *error) {
  frame_panel(svg, &plan_frame);
  frame_across(svg, &plan_frame, &picture->time, true);
  frame_up(svg, &plan_frame, &picture->offsets);
  frame_title_up(svg, &plan_frame, "offset in bytes");
  frame_title_across(svg, &plan_frame, "time");
  neap_status status = boxes_draw(&picture->boxes, svg, error);
  if (picture->plan->problem->count == 0)
    svg_label(svg, "caption middle", (plan_frame.left + plan_frame.right) / 2,
              (plan_frame.top + plan_frame.bottom) / 2, "no buffers");
  svg_rectangle(svg, "outline", plan_frame.left, plan_frame.top,
                plan_frame.right - plan_frame.left, plan_frame.bottom - plan_frame.top);
  draw_lanes(svg, picture);
  draw_bound_lines(svg, picture);
  draw_target(svg, picture);
  draw_collision(svg, picture);
  return status == NEAP_OK ? draw_callouts(svg, picture, error) : status;
}

/* ---------------------------------------------------------------- the whole */

static void draw_legend(struct svg *svg, const struct picture *picture) {
  const struct neap_plan *plan = picture->plan;
  size_t counts[NEAP_RISK_COUNT] = {0};
  for (size_t i = 0; i < plan->problem->count; i++)
    counts[plan->risks[i]]++;
  legend_draw(svg, plan_frame.left, 75800, counts,
              plan->report.lower_bound > plan->report.bound);
}

static void note_fault(struct svg *svg, const struct picture *picture, int y) {
  char text[sizeof picture->fault.text + 16], label[LABEL_BYTES];
  snprintf(text, sizeof text, "Unsound: %s.", picture->fault.text);
  label_fit(text, STYLE_SMALL, PAGE_ACROSS * SVG_PIXEL - 2 * plan_frame.left, label);
  svg_label(svg, "note fault", plan_frame.left, y, label);
}

static void note_merged(struct svg *svg, const struct picture *picture, int y) {
  char merged[NUMBER_TEXT], all[NUMBER_TEXT], text[256];
  const struct neap_problem *problem = picture->plan->problem;
  snprintf(text, sizeof text,
           "%s of %s %s are too small to be seen one by one: they are merged into cells, the "
           "stronger in colour the fuller.",
           number_grouped(merged, (int64_t)picture->boxes.merged),
           number_grouped(all, (int64_t)problem->range_count),
           problem->range_count > problem->count ? "rectangles" : "buffers");
  svg_label(svg, "note", plan_frame.left, y, text);
}

static void draw_notes(struct svg *svg, const struct picture *picture) {
  if (!picture->sound) note_fault(svg, picture, 77800);
  if (picture->boxes.merged > 0) note_merged(svg, picture, picture->sound ? 78600 : 79200);
}

static neap_status picture_draw(const struct picture *picture, const char *path,
                                neap_error *error) {
  struct svg svg;
  char title[128], peak[TEXT_BYTES], description[DESCRIBE_PLAN];
  size_t count = picture->plan->problem->count;
  snprintf(title, sizeof title, "Memory plan of %zu buffer%s, peak %s", count,
           count == 1 ? "" : "s", text_bytes(peak, picture->plan->report.peak));
  neap_status status = svg_open(&svg, path, PAGE_ACROSS, PAGE_DOWN, title,
                                describe_plan(picture->plan, description), error);
  if (status != NEAP_OK) return status;
  style_write(&svg, PAGE_ACROSS, PAGE_DOWN);
  draw_figures(&svg, picture);
  draw_live(&svg, picture);
  status = draw_plan(&svg, picture, error);
  draw_legend(&svg, picture);
  draw_notes(&svg, picture);
  return svg_close(&svg, status, error);
}

neap_status neap_plan_draw(const neap_plan *plan, const char *path, neap_error *error) {
  struct picture picture;
  neap_status status = picture_init(&picture, plan, error);
  if (status == NEAP_OK) status = picture_draw(&picture, path, error);
  live_clear(&picture.live);
  stack_clear(&picture.stack);
  return error_in_file(error, status, path);
}
