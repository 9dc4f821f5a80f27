/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The picture of a plan.
 *
 *      name
 *      figures:  buffers   peak   bound   gap   status   engine
 *      +---------------------------------------------+
 *      |   live sizes over time                      | bound
 *      +---------------------------------------------+
 *      +---------------------------------------------+
 *      |   the container, on the same time axis:     | peak
 *      |   rectangles, target rectangle, levels      | bound, and the
 *      +---------------------------------------------+ critical stack
 *            time
 *      legend: colours
 *      legend: lines
 *      notes
 *
 * The page's size is fixed, so that pictures of different plans can be compared side by side.  Both
 * panels share the time axis, so a step of the live curve is above the buffer that causes it.
 *
 * O(n log n) time: verifying the plan, the live curve and the critical stack sort the buffers;
 * everything else takes O(n), and what is written stays below a few megabytes (boxes.c).
 */
#include "viz/picture.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "model/live.h"
#include "neap/neap-io.h"
#include "viz/boxes.h"
#include "viz/callouts.h"
#include "viz/colouring.h"
#include "viz/curve.h"
#include "viz/describe.h"
#include "viz/frame.h"
#include "viz/label.h"
#include "viz/legend.h"
#include "viz/number.h"
#include "viz/soundness.h"
#include "viz/style.h"

#define PAGE_ACROSS 1320
#define PAGE_DOWN 836

static const struct frame live_frame = {8800, 11200, 106400, 20800};
static const struct frame plan_frame = {8800, 22800, 106400, 70400};
#define LIVE_HEADROOM (12 * SVG_PIXEL)
#define PLAN_HEADROOM (20 * SVG_PIXEL)
#define OFF_SCALE \
  (plan_frame.top + 5 * SVG_PIXEL) /* where a capacity far above the peak is drawn */

/* Base lines below the panels. */
#define COLOURS_Y 76200
#define MARKS_Y (COLOURS_Y + LEGEND_ROW)
#define NOTE_Y (MARKS_Y + LEGEND_ROW)
#define NOTE_ROW (15 * SVG_PIXEL)

struct picture {
  const struct neap_plan *plan;
  const neap_writing *writing;
  struct soundness soundness;
  struct colouring colouring;
  struct live live;
  struct axis time, sizes, offsets;
  struct boxes boxes;
  struct stack stack; /* empty in an unsound plan, whose peak means nothing */
};

/* ---------------------------------------------------------------- axes */

/* 0, unless nothing happens during the first half of the time. */
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
 * The top of the byte axis.  A capacity of more than twice the rest would leave too little room
 * for the rectangles: it is drawn as off the scale.
 */
static neap_size highest_level(const neap_report *report) {
  neap_size top = report->peak > report->lower_bound ? report->peak : report->lower_bound;
  return report->capacity > top && report->capacity / 2 <= top ? report->capacity : top;
}

static neap_status picture_init(struct picture *picture, const struct neap_plan *plan,
                                const neap_writing *writing, neap_error *error) {
  *picture = (struct picture){.plan = plan, .writing = writing};
  assert(plan->problem->horizon >= 0);
  neap_status status = soundness_init(&picture->soundness, plan, error);
  const struct colouring_wish wish = {writing->colour_by, COLOURING_MAX,
                                      picture->soundness.sound};
  if (status == NEAP_OK) status = colouring_init(&picture->colouring, plan, &wish, error);
  if (status != NEAP_OK) return status;
  set_time_axis(picture);
  set_byte_axis(&picture->sizes, &live_frame, LIVE_HEADROOM, 3000, plan->report.bound);
  set_byte_axis(&picture->offsets, &plan_frame, PLAN_HEADROOM, 5000,
                highest_level(&plan->report));
  picture->boxes = (struct boxes){.plan = plan,
                                  .colouring = &picture->colouring,
                                  .across = &picture->time,
                                  .up = &picture->offsets};
  boxes_init(&picture->boxes);
  if (picture->soundness.sound) status = stack_init(&picture->stack, plan, error);
  assert(plan->report.peak <= picture->offsets.high);
  return status == NEAP_OK ? live_init(&picture->live, plan->problem, error) : status;
}

static void picture_clear(struct picture *picture) {
  live_clear(&picture->live);
  stack_clear(&picture->stack);
  colouring_clear(&picture->colouring);
  soundness_clear(&picture->soundness);
}

/* ---------------------------------------------------------------- figures */

static void draw_figure(struct svg *svg, int x, const struct figure *figure) {
  svg_label(svg, "caption", x, 5600, figure->label);
  svg_label(svg, figure->is_fault ? "value fault" : "value", x, 7600, figure->value);
  if (figure->detail[0])
    svg_label(svg, figure->is_fault ? "detail fault" : "detail", x, 9200, figure->detail);
}

static int max_of(int a, int b) { return a > b ? a : b; }

/* The figures side by side, each as wide as its longest line. */
static void draw_figures(struct svg *svg, const struct picture *picture) {
  struct figure figures[DESCRIBE_FIGURES];
  size_t count = describe_figures(picture->plan, &picture->soundness, figures);
  int x = plan_frame.left;
  for (size_t i = 0; i < count; i++) {
    draw_figure(svg, x, &figures[i]);
    int across = max_of(label_width(figures[i].label, STYLE_SMALL),
                        max_of(label_width(figures[i].value, STYLE_VALUE),
                               label_width(figures[i].detail, STYLE_SMALL)));
    x += max_of(across, 60 * SVG_PIXEL) + 36 * SVG_PIXEL;
  }
}

static void draw_heading(struct svg *svg, const struct picture *picture) {
  char label[LABEL_BYTES];
  const char *name = picture->writing->name ? picture->writing->name : "Memory plan";
  if (!label_fit(name, STYLE_HEAD, PAGE_ACROSS * SVG_PIXEL - 2 * plan_frame.left, label))
    return;
  svg_label(svg, "head", plan_frame.left, 3000, label);
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

/* The bytes and the name of a level. */
struct named_level {
  neap_size bytes;
  char name[64];
};

#define LEVELS_MAX 4

/* Adds a level in its place from top to bottom; levels of the same size share a line. */
static void add_level(struct named_level levels[LEVELS_MAX], size_t *count, neap_size bytes,
                      const char *name) {
  size_t place = 0;
  while (place < *count && levels[place].bytes > bytes)
    place++;
  if (place < *count && levels[place].bytes == bytes) {
    size_t used = strlen(levels[place].name);
    snprintf(levels[place].name + used, sizeof levels[place].name - used, " = %s", name);
    return;
  }
  assert(*count < LEVELS_MAX);
  memmove(levels + place + 1, levels + place, (*count - place) * sizeof *levels);
  levels[place].bytes = bytes;
  snprintf(levels[place].name, sizeof levels[place].name, "%s", name);
  ++*count;
}

static bool is_off_scale(const struct picture *picture) {
  return picture->plan->report.capacity > picture->offsets.high;
}

static size_t list_levels(const struct picture *picture,
                          struct named_level levels[LEVELS_MAX]) {
  const neap_report *report = &picture->plan->report;
  size_t count = 0;
  add_level(levels, &count, report->peak, "peak");
  if (report->lower_bound > report->bound)
    add_level(levels, &count, report->lower_bound, "lower bound");
  add_level(levels, &count, report->bound, "bound");
  if (report->capacity >= 0)
    add_level(levels, &count, report->capacity,
              is_off_scale(picture) ? "capacity (off scale)" : "capacity");
  return count;
}

static int height_of(const struct picture *picture, neap_size bytes) {
  return bytes > picture->offsets.high ? OFF_SCALE : axis_at(&picture->offsets, bytes);
}

static neap_status draw_callouts(struct svg *svg, const struct picture *picture,
                                 neap_error *error) {
  struct named_level named[LEVELS_MAX];
  struct level levels[LEVELS_MAX];
  char values[LEVELS_MAX][TEXT_BYTES];
  size_t count = list_levels(picture, named);
  for (size_t i = 0; i < count; i++)
    levels[i] = (struct level){named[i].name, text_bytes(values[i], named[i].bytes),
                               height_of(picture, named[i].bytes), 0};
  const struct callouts callouts = {.plan = picture->plan,
                                    .stack = &picture->stack,
                                    .collisions = &picture->soundness.collisions,
                                    .across = &picture->time,
                                    .up = &picture->offsets,
                                    .frame = &plan_frame,
                                    .right = (PAGE_ACROSS - 20) * SVG_PIXEL,
                                    .levels = levels,
                                    .level_count = count};
  return callouts_draw(&callouts, svg, error);
}

/* With a halo, so that it can be seen on strong colours, and in grey. */
static void draw_level_line(struct svg *svg, const char *class, int y) {
  svg_line(svg, "halo", plan_frame.left, y, plan_frame.right, y);
  svg_line(svg, class, plan_frame.left, y, plan_frame.right, y);
}

static void draw_level_lines(struct svg *svg, const struct picture *picture) {
  const neap_report *report = &picture->plan->report;
  if (report->capacity >= 0)
    draw_level_line(svg, "capacity", height_of(picture, report->capacity));
  draw_level_line(svg, "bound", axis_at(&picture->offsets, report->bound));
  if (report->lower_bound == report->bound) return;
  draw_level_line(svg, "bound lower", axis_at(&picture->offsets, report->lower_bound));
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

/* The smallest rectangle around all buffers. */
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

/* Draws a line where each shared object begins, unless it is too small to be seen. */
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

#define CLASH_LEAST (7 * SVG_PIXEL) /* the smallest mark that catches the eye */

/* Widens an interval around its middle to a visible length. */
static void widen_mark(int *from, int *to) {
  if (*to - *from >= CLASH_LEAST) return;
  *from = *from + (*to - *from) / 2 - CLASH_LEAST / 2;
  *to = *from + CLASH_LEAST;
}

static void draw_collision(struct svg *svg, const struct picture *picture,
                           const neap_collision *collision) {
  int left = axis_at(&picture->time, collision->when.start);
  int right = axis_at(&picture->time, collision->when.end);
  int top = axis_at(&picture->offsets, collision->high);
  int bottom = axis_at(&picture->offsets, collision->low);
  widen_mark(&left, &right);
  widen_mark(&top, &bottom);
  svg_rectangle_start(svg, "clash", left, top, right - left, bottom - top);
  char text[COLLIDE_TEXT];
  svg_title(svg, collide_text(picture->plan->problem, collision, text));
  svg_end(svg);
}

static void draw_collisions(struct svg *svg, const struct picture *picture) {
  const struct collisions *collisions = &picture->soundness.collisions;
  if (collisions->count == 0) return;
  svg_group(svg, "clashes");
  for (size_t i = 0; i < collisions->count; i++)
    draw_collision(svg, picture, &collisions->items[i]);
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
  draw_level_lines(svg, picture);
  draw_target(svg, picture);
  draw_collisions(svg, picture);
  return status == NEAP_OK ? draw_callouts(svg, picture, error) : status;
}

/* ---------------------------------------------------------------- the whole */

static void draw_legend(struct svg *svg, const struct picture *picture) {
  const neap_report *report = &picture->plan->report;
  const struct legend_marks marks = {.bound = true,
                                     .lower_bound = report->lower_bound > report->bound,
                                     .capacity = report->capacity >= 0,
                                     .stack = picture->stack.count > 0,
                                     .collisions = picture->soundness.collisions.total > 0};
  legend_draw_colours(svg, plan_frame.left, COLOURS_Y, (PAGE_ACROSS - 20) * SVG_PIXEL,
                      &picture->colouring);
  legend_draw_marks(svg, plan_frame.left, MARKS_Y, &marks);
}

#define NOTE_ROOM (PAGE_ACROSS * SVG_PIXEL - 2 * plan_frame.left)

/* "Unsound: 3 collisions: 'a' and 'b', ..."; as many pairs as the line has room for. */
static void note_fault(struct svg *svg, const struct picture *picture, int y) {
  char pairs[256], count[SOUNDNESS_COUNT], text[512], label[LABEL_BYTES];
  soundness_text(&picture->soundness, picture->plan, pairs, 180);
  soundness_count(&picture->soundness, count);
  snprintf(text, sizeof text, "Unsound: %s%s%s", count, *count ? ": " : "", pairs);
  label_fit(text, STYLE_SMALL, NOTE_ROOM, label);
  svg_label(svg, "note fault", plan_frame.left, y, label);
}

static void note_merged(struct svg *svg, const struct picture *picture, int y) {
  char merged[NUMBER_TEXT], all[NUMBER_TEXT], text[256];
  const struct neap_problem *problem = picture->plan->problem;
  snprintf(text, sizeof text,
           "%s of %s %s are too small to be seen one by one. They are merged into cells; the "
           "stronger a cell's colour, the fuller it is.",
           number_grouped(merged, (int64_t)picture->boxes.merged),
           number_grouped(all, (int64_t)problem->range_count),
           problem->range_count > problem->count ? "rectangles" : "buffers");
  svg_label(svg, "note", plan_frame.left, y, text);
}

static void note_unmarked(struct svg *svg, const struct picture *picture, int y) {
  char marked[NUMBER_TEXT], all[NUMBER_TEXT], text[160];
  const struct collisions *collisions = &picture->soundness.collisions;
  snprintf(text, sizeof text, "The earliest %s of %s collisions are marked.",
           number_grouped(marked, (int64_t)collisions->count),
           number_grouped(all, (int64_t)collisions->total));
  svg_label(svg, "note", plan_frame.left, y, text);
}

static void draw_notes(struct svg *svg, const struct picture *picture) {
  const struct soundness *soundness = &picture->soundness;
  int y = NOTE_Y;
  if (!soundness->sound) {
    note_fault(svg, picture, y);
    y += NOTE_ROW;
  }
  if (soundness->collisions.total > soundness->collisions.count) {
    note_unmarked(svg, picture, y);
    y += NOTE_ROW;
  }
  if (picture->boxes.merged > 0) note_merged(svg, picture, y);
}

static neap_status draw_picture(const struct picture *picture, enum render_kind kind,
                                FILE *stream, neap_error *error) {
  struct svg svg;
  char title[DESCRIBE_PLAN], description[DESCRIBE_PLAN];
  neap_status status =
      svg_open(&svg, kind, stream, PAGE_ACROSS, PAGE_DOWN,
               describe_title(picture->plan, picture->writing->name, title),
               describe_plan(picture->plan, &picture->soundness, description), error);
  if (status != NEAP_OK) return status;
  style_write(&svg, PAGE_ACROSS, PAGE_DOWN);
  draw_heading(&svg, picture);
  draw_figures(&svg, picture);
  draw_live(&svg, picture);
  status = draw_plan(&svg, picture, error);
  draw_legend(&svg, picture);
  draw_notes(&svg, picture);
  return svg_close(&svg, status, error);
}

static neap_status write_picture(const neap_plan *plan, const neap_writing *writing,
                                 enum render_kind kind, FILE *stream, neap_error *error) {
  struct picture picture;
  neap_status status = picture_init(&picture, plan, writing, error);
  if (status == NEAP_OK) status = draw_picture(&picture, kind, stream, error);
  picture_clear(&picture);
  return status;
}

neap_status picture_write_svg(const neap_plan *plan, const neap_writing *writing, FILE *stream,
                              neap_error *error) {
  return write_picture(plan, writing, RENDER_SVG, stream, error);
}

neap_status picture_write_png(const neap_plan *plan, const neap_writing *writing, FILE *stream,
                              neap_error *error) {
  return write_picture(plan, writing, RENDER_PNG, stream, error);
}

neap_status picture_write_pdf(const neap_plan *plan, const neap_writing *writing, FILE *stream,
                              neap_error *error) {
  return write_picture(plan, writing, RENDER_PDF, stream, error);
}
