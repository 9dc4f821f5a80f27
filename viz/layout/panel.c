/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *      sram   1.19 KiB of 2 KiB used, 832 B free
 *      +-----------------------------------------+ capacity
 *      |                                         |
 *      |     rectangles, target rectangle,       | peak
 *      |     reserved bytes, levels              | bound, and the
 *      +-----------------------------------------+ critical stack
 *
 * Only a pool has the line above its panel.
 */
#include "viz/layout/picture.h"

#include <assert.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "model/problem.h"
#include "viz/layout/margin_labels.h"
#include "viz/svg/frame.h"
#include "viz/svg/label.h"
#include "viz/svg/style.h"

/* ---------------------------------------------------------------- operators on the time axis */

/* How far names of operators move everything below the axis down. */
#define OPERATORS_DOWN (10 * SVG_PIXEL)

#define OPERATORS_TEXT (40 * LABEL_BYTES)

#define NAME_LEAST (44 * SVG_PIXEL) /* the least room for names if each operator has one, ... */
#define NAME_ALONE (72 * SVG_PIXEL) /* ... and otherwise */
#define MOST 1000                   /* operators that the pointer finds */
#define MOST_NAMES 10               /* buffers in a list */

/* ---------------------------------------------------------------- in words */

/* A text that grows in a buffer known to be large enough. */
struct lines {
  char *text;
  size_t used;
};

__attribute__((format(printf, 2, 3))) static void append(struct lines *lines,
                                                         const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int size =
      vsnprintf(lines->text + lines->used, OPERATORS_TEXT - lines->used, format, arguments);
  va_end(arguments);
  assert(size >= 0 && (size_t)size < OPERATORS_TEXT - lines->used);
  lines->used += (size_t)size;
}

/* The buffers of a list to name. */
struct choice {
  const size_t *buffers;
  size_t count;
  neap_time end; /* only buffers that end at this moment; 0: all */
};

/* Appends the chosen buffers; *named counts the buffers named so far. */
static void append_buffers(struct lines *lines, const struct neap_problem *problem,
                           const char *what, const struct choice *choice, size_t *named) {
  for (size_t i = 0; i < choice->count; i++) {
    size_t buffer = choice->buffers[i];
    char label[LABEL_BYTES];
    if (choice->end > 0 && problem_hull(problem, buffer).end != choice->end) continue;
    if (*named < MOST_NAMES)
      append(lines, "%s%s", *named > 0 ? ", " : what,
             label_clean(problem_name(problem, buffer), label));
    else if (*named == MOST_NAMES) append(lines, " and more");
    ++*named;
  }
}

/* Appends the buffers that an operator frees, each once, also if made in place. */
static void append_freed(struct lines *lines, const struct neap_problem *problem,
                         const neap_operator_info *info, neap_time end) {
  size_t named = 0;
  append_buffers(lines, problem, "\nfrees ",
                 &(struct choice){info->reads, info->read_count, end}, &named);
  for (size_t i = 0; i < info->make_count; i++) {
    bool is_read = false;
    for (size_t r = 0; r < info->read_count && !is_read && r < MOST; r++)
      is_read = info->reads[r] == info->makes[i];
    if (!is_read)
      append_buffers(lines, problem, "\nfrees ", &(struct choice){&info->makes[i], 1, end},
                     &named);
  }
}

/*
 * An operator in words, one line each: its number and type, its own name, and the buffers that it
 * reads, makes and frees.  Returns `text`.
 */
static const char *operators_describe(const struct neap_problem *problem, size_t index,
                                      char text[OPERATORS_TEXT]) {
  struct lines lines = {text, 0};
  neap_operator_info info = NEAP_INIT(neap_operator_info);
  char label[LABEL_BYTES];
  size_t reads = 0, makes = 0;
  text[0] = '\0';
  if (!neap_problem_operator_at(problem, index, &info)) return text;
  append(&lines, "operator %zu %s", index, label_clean(info.type, label));
  if (info.name) append(&lines, "\nname %s", label_clean(info.name, label));
  append_buffers(&lines, problem, "\nreads ", &(struct choice){info.reads, info.read_count, 0},
                 &reads);
  append_buffers(&lines, problem, "\nmakes ", &(struct choice){info.makes, info.make_count, 0},
                 &makes);
  append_freed(&lines, problem, &info, (neap_time)index + 1);
  return text;
}

/* ---------------------------------------------------------------- on the axis */

/* The moments [first, end) of the axis at which operators run. */
static void find_moments(const struct axis *time, const struct neap_problem *problem,
                         size_t *first, size_t *end) {
  size_t count = neap_problem_operator_count(problem);
  *first = (size_t)time->low;
  *end = (uint64_t)time->high < count ? (size_t)time->high : count;
  if (*first > *end) *first = *end;
}

/* Draws a name in the middle of a moment, as wide as `room`, but within the panel. */
static void draw_name(struct svg *svg, const struct frame *frame, int middle, int room,
                      const char *type) {
  char label[LABEL_BYTES];
  if (!label_fit(type, STYLE_SMALL, room - 4 * SVG_PIXEL, label)) return;
  int half = label_width(label, STYLE_SMALL) / 2;
  if (middle < frame->left + half) middle = frame->left + half;
  if (middle > frame->right - half) middle = frame->right - half;
  svg_label(svg, "tick middle", middle, frame->bottom + 30 * SVG_PIXEL, label);
}

/* The number of operators per name at which each name has room. */
static size_t moments_per_name(const struct axis *time) {
  int64_t across = time->to - time->from, count = time->high - time->low;
  int64_t most = across >= NAME_ALONE ? across / NAME_ALONE : 1;
  return count <= across / NAME_LEAST ? 1 : (size_t)((count - 1) / most + 1);
}

/* Draws a strip for the pointer, last, so that it is above the labels. */
static void draw_strip(struct svg *svg, const struct frame *frame, int left, int right,
                       const char *text) {
  svg_rectangle_start(svg, "strip", left, frame->bottom, right - left, 34 * SVG_PIXEL);
  svg_attribute(svg, "fill", "none");
  svg_attribute(svg, "pointer-events", "all");
  svg_title(svg, text);
  svg_end(svg);
}

/*
 * Names operators below the tick labels: all of them or, where moments are too narrow, each n-th.
 * The pointer shows more about each operator, if there are not too many.  Returns whether there are
 * names.
 */
static bool operators_draw(struct svg *svg, const struct frame *frame, const struct axis *time,
                           const struct neap_problem *problem) {
  char text[OPERATORS_TEXT];
  size_t first, end, step = moments_per_name(time);
  find_moments(time, problem, &first, &end);
  if (first == end) return false;
  int room = (int)((double)step * (time->to - time->from) / (double)(time->high - time->low));
  svg_group(svg, "operators");
  for (size_t k = first + (step - 1) / 2; k < end; k += step) {
    int left = axis_at(time, (neap_time)k), right = axis_at(time, (neap_time)k + 1);
    draw_name(svg, frame, left + (right - left) / 2, room,
              neap_problem_operator_type(problem, (neap_time)k));
  }
  for (size_t k = first; k < end && end - first <= MOST; k++)
    draw_strip(svg, frame, axis_at(time, (neap_time)k), axis_at(time, (neap_time)k + 1),
               operators_describe(problem, k, text));
  svg_end(svg);
  return true;
}

/* ---------------------------------------------------------------- the panel */

#define HEADROOM (20 * SVG_PIXEL)
#define OFF_SCALE \
  (5 * SVG_PIXEL) /* below the top: where a capacity far above the peak is drawn */

/* ---------------------------------------------------------------- contents */

static bool is_here(const struct panel *panel, size_t buffer) {
  return neap_plan_pool(panel->plan, buffer) == panel->pool;
}

/* The largest multiple of all other levels at which a capacity is still on the scale. */
#define SCALE 2
#define SCALE_OF_POOLS 8 /* free bytes of a pool should be seen */

/*
 * The top of the byte axis.  A capacity of more than some multiple of all else would leave too
 * little room for the rectangles; such a capacity is drawn as off the scale.
 */
static neap_size highest_level(const struct panel *panel) {
  neap_size top = panel->levels.peak > panel->levels.lower_bound ? panel->levels.peak
                                                                 : panel->levels.lower_bound;
  if (panel->levels.bound > top) top = panel->levels.bound;
  neap_size reserved = signs_reserved_top(panel->signs, panel->pool);
  int scale = panel->levels.pool ? SCALE_OF_POOLS : SCALE;
  if (panel->levels.pool && top == 0 && panel->levels.capacity > 0)
    return panel->levels.capacity;
  if (panel->levels.capacity > top && panel->levels.capacity / scale <= top)
    top = panel->levels.capacity;
  return reserved > top && reserved / SCALE_OF_POOLS <= top ? reserved : top;
}

/* Takes the listed collisions in this panel; `total` is their number, or of all with one arena. */
static neap_status take_collisions(struct panel *panel, const struct collisions *all,
                                   neap_error *error) {
  struct collisions *own = &panel->collisions;
  own->items = memory_array(all->count, sizeof *own->items);
  if (!own->items) return error_memory(error);
  for (size_t i = 0; i < all->count; i++)
    if (is_here(panel, all->items[i].first)) own->items[own->count++] = all->items[i];
  own->total = panel->levels.pool ? own->count : all->total;
  return NEAP_OK;
}

neap_status panel_init(struct panel *panel, const struct colouring *colouring,
                       const struct soundness *soundness, neap_error *error) {
  panel->levels = levels_of(panel->plan, panel->pool);
  neap_size top = highest_level(panel);
  panel->offsets = (struct axis){.unit = AXIS_BYTES,
                                 .high = top > 0 ? top : 1,
                                 .from = panel->frame.bottom,
                                 .to = panel->frame.top + HEADROOM};
  axis_set_step(&panel->offsets, 5000);
  assert(panel->levels.peak <= panel->offsets.high);
  panel->boxes = (struct boxes){.plan = panel->plan,
                                .colouring = colouring,
                                .bonds = signs_bonds(panel->signs),
                                .names = panel->names,
                                .is_unnamed = panel->signs->is_unnamed,
                                .across = panel->time,
                                .up = &panel->offsets,
                                .has_pool = panel->levels.pool,
                                .pool = panel->pool};
  boxes_init(&panel->boxes);
  if (panel->is_figure && soundness->sound) return NEAP_OK;
  if (!soundness->sound) return take_collisions(panel, &soundness->collisions, error);
  return stack_init(&panel->stack, panel->plan, panel->pool, error);
}

void panel_clear(struct panel *panel) {
  stack_clear(&panel->stack);
  free(panel->collisions.items);
  *panel = (struct panel){0};
}

/* ---------------------------------------------------------------- levels */

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

static bool is_off_scale(const struct panel *panel) {
  return panel->levels.capacity > panel->offsets.high;
}

static size_t list_levels(const struct panel *panel, struct named_level levels[LEVELS_MAX]) {
  size_t count = 0;
  add_level(levels, &count, panel->levels.peak, "peak");
  if (panel->levels.lower_bound > panel->levels.bound)
    add_level(levels, &count, panel->levels.lower_bound, "lower bound");
  add_level(levels, &count, panel->levels.bound, "bound");
  if (panel->levels.capacity >= 0)
    add_level(levels, &count, panel->levels.capacity,
              is_off_scale(panel) ? "capacity (off scale)" : "capacity");
  return count;
}

static int height_of(const struct panel *panel, neap_size bytes) {
  return bytes > panel->offsets.high ? panel->frame.top + OFF_SCALE
                                     : axis_at(&panel->offsets, bytes);
}

static neap_status draw_callouts(struct svg *svg, const struct panel *panel,
                                 struct label_obstacles *keepouts, neap_error *error) {
  struct named_level named[LEVELS_MAX];
  struct level levels[LEVELS_MAX];
  char values[LEVELS_MAX][TEXT_BYTES];
  size_t count = list_levels(panel, named);
  for (size_t i = 0; i < count; i++)
    levels[i] = (struct level){named[i].name, text_bytes(values[i], named[i].bytes),
                               height_of(panel, named[i].bytes), 0};
  const struct margin_labels callouts = {.plan = panel->plan,
                                         .stack = &panel->stack,
                                         .collisions = &panel->collisions,
                                         .across = panel->time,
                                         .up = &panel->offsets,
                                         .frame = &panel->frame,
                                         .right = panel->right,
                                         .levels = levels,
                                         .level_count = count,
                                         .names = panel->boxes.names,
                                         .keepouts = keepouts};
  return margin_labels_draw(&callouts, svg, error);
}

#define LINE_DOWN (13 * SVG_PIXEL)

/*
 * Draws the names of levels above their lines at the right; a name without room is to the left of
 * the one above it.
 */
static void draw_names_of_levels(struct svg *svg, const struct panel *panel,
                                 struct label_obstacles *keepouts) {
  struct named_level named[LEVELS_MAX];
  size_t count = list_levels(panel, named);
  int right = panel->frame.right - 3 * SVG_PIXEL, last = INT_MIN, end = right;
  for (size_t i = 0; i < count; i++) {
    char bytes[TEXT_BYTES], text[sizeof named[i].name + TEXT_BYTES];
    int y = height_of(panel, named[i].bytes);
    snprintf(text, sizeof text, "%s %s", named[i].name, text_bytes(bytes, named[i].bytes));
    int across = label_width(text, STYLE_SMALL);
    int x = last > INT_MIN && y - last < LINE_DOWN ? end : right;
    avoid_add(keepouts, &(struct frame){x - across, y - LINE_DOWN, x, y});
    svg_label(svg, "caption end outlined", x, y - 3 * SVG_PIXEL, text);
    last = y;
    end = x - across - 10 * SVG_PIXEL;
  }
}

bool panel_has_beyond(const struct panel *panel) {
  return panel->levels.capacity >= 0 && !is_off_scale(panel) &&
         height_of(panel, panel->levels.capacity) > panel->frame.top;
}

/* Shades the bytes above the capacity, up to the top of the panel. */
static void draw_beyond(struct svg *svg, const struct panel *panel) {
  if (!panel_has_beyond(panel)) return;
  int left = panel->frame.left, top = panel->frame.top;
  svg_rectangle(svg, "beyond", left, top, panel->frame.right - left,
                height_of(panel, panel->levels.capacity) - top);
}

/* Draws the line of a level with a halo, so that it can be seen on strong colours, and in grey. */
static void draw_level_line(struct svg *svg, const struct panel *panel, const char *class,
                            int y, struct label_obstacles *keepouts) {
  int left = panel->frame.left, right = panel->frame.right;
  avoid_add_line(keepouts, left, y, right, y);
  svg_line(svg, "halo", left, y, right, y);
  svg_line(svg, class, left, y, right, y);
}

static void draw_level_lines(struct svg *svg, const struct panel *panel,
                             struct label_obstacles *keepouts) {
  if (panel->levels.capacity >= 0)
    draw_level_line(svg, panel, "capacity", height_of(panel, panel->levels.capacity), keepouts);
  draw_level_line(svg, panel, "bound", axis_at(&panel->offsets, panel->levels.bound), keepouts);
  if (panel->levels.lower_bound == panel->levels.bound) return;
  draw_level_line(svg, panel, "bound lower",
                  axis_at(&panel->offsets, panel->levels.lower_bound), keepouts);
}

/* Draws the smallest rectangle around all buffers. */
static void draw_target(struct svg *svg, const struct panel *panel,
                        struct label_obstacles *keepouts) {
  const struct neap_problem *problem = panel->plan->problem;
  neap_time start = NEAP_MAX, end = 0;
  neap_offset low = NEAP_MAX;
  for (size_t i = 0; i < problem->count; i++) {
    if (!is_here(panel, i)) continue;
    neap_range hull = problem_hull(problem, i);
    if (hull.start < start) start = hull.start;
    if (hull.end > end) end = hull.end;
    if (panel->plan->offsets[i] < low) low = panel->plan->offsets[i];
  }
  if (start > end) return; /* no buffers */
  int left = axis_at(panel->time, start), right = axis_at(panel->time, end);
  int top = axis_at(&panel->offsets, panel->levels.peak);
  int bottom = axis_at(&panel->offsets, low);
  avoid_add_line(keepouts, left, top, right, top);
  svg_rectangle(svg, "outline target", left, top, right - left, bottom - top);
}

#define LANES_MAX 120

/* Draws a line where each shared object begins, unless it is too small to be seen. */
static void draw_lanes(struct svg *svg, const struct panel *panel) {
  const struct neap_plan *plan = panel->plan;
  bool seen[LANES_MAX] = {false};
  if (!plan->objects || plan->object_count > LANES_MAX) return;
  svg_group(svg, "lanes");
  for (size_t i = 0; i < plan->problem->count; i++) {
    neap_size size = plan->object_sizes[plan->objects[i]];
    int y = axis_at(&panel->offsets, plan->offsets[i]);
    if (y - axis_at(&panel->offsets, plan->offsets[i] + size) < 3 * SVG_PIXEL) continue;
    if (!seen[plan->objects[i]])
      svg_line(svg, "outline", panel->frame.left, y, panel->frame.right, y);
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

static void draw_collision(struct svg *svg, const struct panel *panel,
                           const neap_collision *collision, struct label_obstacles *keepouts) {
  neap_range when = soundness_span(panel->plan->problem, collision);
  int left = axis_at(panel->time, when.start), right = axis_at(panel->time, when.end);
  int top = axis_at(&panel->offsets, collision->high);
  int bottom = axis_at(&panel->offsets, collision->low);
  widen_mark(&left, &right);
  widen_mark(&top, &bottom);
  avoid_add(keepouts, &(struct frame){left, top, right, bottom});
  svg_rectangle_start(svg, "clash", left, top, right - left, bottom - top);
  char text[COLLIDE_TEXT];
  svg_title(svg, collide_text(panel->plan->problem, collision, text));
  svg_end(svg);
  if (collision->when.end == 0)
    svg_label(svg, "note fault outlined", left + 4 * SVG_PIXEL, top + 11 * SVG_PIXEL,
              "separation");
}

static void draw_collisions(struct svg *svg, const struct panel *panel,
                            struct label_obstacles *keepouts) {
  const struct collisions *collisions = &panel->collisions;
  if (collisions->count == 0) return;
  svg_group(svg, "clashes");
  for (size_t i = 0; i < collisions->count; i++)
    draw_collision(svg, panel, &collisions->items[i], keepouts);
  svg_end(svg);
}

/* "sram   1.19 KiB of 2.00 KiB used, 832 B free", above the panel. */
static void draw_pool_name(struct svg *svg, const struct panel *panel) {
  char label[LABEL_BYTES], text[LEVELS_TEXT];
  int x = panel->frame.left, y = panel->frame.top - 6 * SVG_PIXEL;
  if (!label_fit(panel->levels.pool, STYLE_STRONG, 400 * SVG_PIXEL, label)) return;
  svg_label(svg, "strong", x, y, label);
  svg_label(svg, "detail", x + label_width(label, STYLE_STRONG) + 12 * SVG_PIXEL, y,
            levels_text(&panel->levels, text));
}

/* Draws the title of the time axis with its unit, and above it the names of operators. */
static void draw_times(struct svg *svg, const struct panel *panel) {
  struct frame frame = panel->frame;
  const neap_problem *problem = panel->plan->problem;
  if (operators_draw(svg, &frame, panel->time, problem)) frame.bottom += OPERATORS_DOWN;
  bool has_operators = neap_problem_operator_count(problem) > 0;
  frame_title_across(svg, &frame, has_operators ? "time (operators)" : "time (steps)");
}

/* Draws what lies over the rectangles, and last the names of rectangles, between the lines. */
static neap_status draw_marks(const struct panel *panel, struct svg *svg, neap_error *error) {
  struct label_obstacles keepouts = {0};
  draw_level_lines(svg, panel, &keepouts);
  draw_target(svg, panel, &keepouts);
  draw_collisions(svg, panel, &keepouts);
  signs_draw(panel->signs,
             &(struct surface){svg, panel->time, &panel->offsets, panel->pool, &keepouts});
  neap_status status = NEAP_OK;
  if (panel->is_figure) draw_names_of_levels(svg, panel, &keepouts);
  else status = draw_callouts(svg, panel, &keepouts, error);
  if (status == NEAP_OK) status = boxes_name(&panel->boxes, &keepouts, svg, error);
  avoid_clear(&keepouts);
  return status;
}

neap_status panel_draw(const struct panel *panel, struct svg *svg, bool has_times,
                       neap_error *error) {
  frame_panel(svg, &panel->frame);
  frame_across(svg, &panel->frame, panel->time, has_times);
  frame_up(svg, &panel->frame, &panel->offsets);
  frame_title_up(svg, &panel->frame, panel->is_figure ? "offset (bytes)" : "offset in bytes");
  if (has_times) draw_times(svg, panel);
  if (panel->levels.pool) draw_pool_name(svg, panel);
  const struct frame *frame = &panel->frame;
  draw_beyond(svg, panel);
  signs_draw_ground(panel->signs,
                    &(struct surface){svg, panel->time, &panel->offsets, panel->pool, NULL},
                    frame);
  neap_status status = boxes_draw(&panel->boxes, svg, error);
  if (panel->plan->problem->count == 0)
    svg_label(svg, "caption middle", (frame->left + frame->right) / 2,
              (frame->top + frame->bottom) / 2, "no buffers");
  svg_rectangle(svg, "outline", frame->left, frame->top, frame->right - frame->left,
                frame->bottom - frame->top);
  draw_lanes(svg, panel);
  return status == NEAP_OK ? draw_marks(panel, svg, error) : status;
}
