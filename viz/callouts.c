/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names go down the margin in the order of what they name, each as near to it as its neighbours
 * allow, so leaders cannot cross.  Levels take two lines, layers one.
 */
#include "viz/callouts.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "viz/label.h"
#include "viz/style.h"

#define LEVEL_DOWN (32 * SVG_PIXEL)
#define LAYER_DOWN (16 * SVG_PIXEL)
#define MOST 16              /* layers named: of more a reader sees none */
#define WIDE (6 * SVG_PIXEL) /* from here on a layer gets a full outline ... */
#define THIN (3 * SVG_PIXEL) /* ... from here on a fine one, and below none */

struct callout {
  int y, text_y, down; /* where it points, where its name goes, how much that takes */
  /* One of these: */
  const struct level *level;
  const struct stack_layer *layer;
};

/* ---------------------------------------------------------------- which are named */

static int by_size(const void *left, const void *right) {
  const struct stack_layer *const *a = left, *const *b = right;
  neap_size size = (*a)->high - (*a)->low, other = (*b)->high - (*b)->low;
  if (size != other) return size > other ? -1 : 1;
  return *a < *b ? -1 : *a > *b;
}

/* How many layers there is room for, with a line for the count of the others. */
static size_t room(const struct callouts *callouts) {
  int down = callouts->frame->bottom - callouts->frame->top -
             (int)callouts->level_count * LEVEL_DOWN - LAYER_DOWN;
  size_t lines = down > 0 ? (size_t)(down / LAYER_DOWN) : 0;
  return lines < MOST ? lines : MOST;
}

static int down_of(const struct callouts *callouts, const struct stack_layer *layer) {
  return axis_at(callouts->up, layer->low) - axis_at(callouts->up, layer->high);
}

static bool is_near_level(const struct callouts *callouts, int y) {
  for (size_t i = 0; i < callouts->level_count; i++)
    if (abs(callouts->levels[i].y - y) < 4 * SVG_PIXEL) return true;
  return false;
}

/* In the middle; or above it, where a name may stand there, but on no level's line. */
static int height_of(const struct callouts *callouts, const struct stack_layer *layer) {
  int down = down_of(callouts, layer), top = axis_at(callouts->up, layer->high);
  if (down < 24 * SVG_PIXEL) return top + down / 2;
  return top + (is_near_level(callouts, top + down / 4) ? down * 3 / 4 : down / 4);
}

static int downwards(const void *left, const void *right) {
  const struct callout *a = left, *b = right;
  if (a->y != b->y) return a->y < b->y ? -1 : 1;
  if (!a->layer || !b->layer) return a->layer ? 1 : b->layer ? -1 : 0;
  return a->layer < b->layer ? -1 : a->layer > b->layer;
}

/* Returns how many callouts there are. */
static size_t choose(const struct callouts *callouts, const struct stack_layer **largest,
                     struct callout *chosen) {
  const struct stack *stack = callouts->stack;
  size_t count = 0, most = room(callouts);
  for (size_t i = 0; i < stack->count; i++)
    largest[i] = &stack->layers[i];
  if (stack->count > 0) qsort(largest, stack->count, sizeof *largest, by_size);
  for (size_t i = 0; i < stack->count && i < most; i++)
    chosen[count++] = (struct callout){
        .y = height_of(callouts, largest[i]), .down = LAYER_DOWN, .layer = largest[i]};
  for (size_t i = 0; i < callouts->level_count; i++)
    chosen[count++] = (struct callout){
        .y = callouts->levels[i].y, .down = LEVEL_DOWN, .level = &callouts->levels[i]};
  qsort(chosen, count, sizeof *chosen, downwards);
  return count;
}

/* As frame_spread_levels, with names of different extents. */
static void spread(const struct frame *frame, struct callout *callouts, size_t count) {
  int low = frame->top;
  for (size_t i = 0; i < count; i++) {
    int y = callouts[i].y;
    callouts[i].text_y = y - LAYER_DOWN / 2 > low ? y : low + LAYER_DOWN / 2;
    low = callouts[i].text_y - LAYER_DOWN / 2 + callouts[i].down;
  }
  int high = frame->bottom;
  for (size_t i = count; i-- > 0;) {
    int end = callouts[i].text_y - LAYER_DOWN / 2 + callouts[i].down;
    if (end > high) callouts[i].text_y -= end - high;
    high = callouts[i].text_y - LAYER_DOWN / 2;
  }
}

/* ---------------------------------------------------------------- drawing */

static void draw_box(const struct callouts *callouts, struct svg *svg, const char *class,
                     const struct stack_layer *layer, neap_range when) {
  int left = axis_at(callouts->across, when.start), right = axis_at(callouts->across, when.end);
  int top = axis_at(callouts->up, layer->high), bottom = axis_at(callouts->up, layer->low);
  svg_rectangle(svg, class, left, top, right > left ? right - left : 1,
                bottom > top ? bottom - top : 1);
}

static void draw_outline(const struct callouts *callouts, struct svg *svg,
                         const struct stack_layer *layer) {
  const struct neap_problem *problem = callouts->plan->problem;
  int down = down_of(callouts, layer);
  if (down < THIN) return;
  if (layer->buffer == STACK_HOLE) {
    draw_box(callouts, svg, "stack hole", layer, layer->when);
    return;
  }
  size_t end = problem->buffers[layer->buffer].ranges_end;
  for (size_t i = problem_ranges_begin(problem, layer->buffer); i < end; i++)
    draw_box(callouts, svg, down < WIDE ? "stack fine" : "stack", layer, problem->ranges[i]);
}

static bool has_thin(const struct callouts *callouts) {
  for (size_t i = 0; i < callouts->stack->count; i++)
    if (down_of(callouts, &callouts->stack->layers[i]) < THIN) return true;
  return false;
}

static int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }

/*
 * A line down the stack, which steps aside only where a layer does not touch the one above
 * straight below: it shows how layers stand that are too thin for outlines.
 */
static void draw_spine(const struct callouts *callouts, struct svg *svg) {
  const struct stack *stack = callouts->stack;
  const struct axis *across = callouts->across;
  neap_range top = stack->layers[0].when;
  int x =
      axis_at(across, top.start) + (axis_at(across, top.end) - axis_at(across, top.start)) / 2;
  svg_path_start(svg, "spine");
  svg_to(svg, 'M', x, axis_at(callouts->up, stack->layers[0].high));
  for (size_t i = 1; i < stack->count; i++) {
    const struct stack_layer *layer = &stack->layers[i];
    int to = clamp(x, axis_at(across, layer->touch.start), axis_at(across, layer->touch.end));
    if (to != x) {
      svg_along(svg, 'V', axis_at(callouts->up, layer->high));
      svg_along(svg, 'H', to);
    }
    x = to;
  }
  svg_along(svg, 'V', axis_at(callouts->up, stack->layers[stack->count - 1].low));
  svg_path_finish(svg);
  svg_end(svg);
}

static void draw_leader(const struct callouts *callouts, struct svg *svg,
                        const struct callout *callout) {
  const struct frame *frame = callouts->frame;
  int x = frame->right;
  if (callout->layer) x = axis_at(callouts->across, callout->layer->when.end);
  svg_path_start(svg, callout->layer ? "leader layer" : "leader");
  svg_to(svg, 'M', x, callout->y);
  if (x < frame->right) svg_along(svg, 'H', frame->right);
  svg_to(svg, 'L', frame->right + CALLOUTS_GUTTER - 3 * SVG_PIXEL, callout->text_y);
  svg_path_finish(svg);
  svg_end(svg);
  if (!callout->layer) return;
  svg_start(svg, "circle");
  svg_attribute(svg, "class", "pin");
  svg_length(svg, "cx", x);
  svg_length(svg, "cy", callout->y);
  svg_length(svg, "r", 200);
  svg_end(svg);
}

static void draw_level(const struct callouts *callouts, struct svg *svg,
                       const struct callout *callout) {
  int x = callouts->frame->right + CALLOUTS_GUTTER, y = callout->text_y + 4 * SVG_PIXEL;
  svg_label(svg, "strong", x, y, callout->level->name);
  svg_label(svg, "detail", x, y + 14 * SVG_PIXEL, callout->level->value);
}

static const char *name_of(const struct callouts *callouts, const struct stack_layer *layer) {
  bool hole = layer->buffer == STACK_HOLE;
  return hole ? "hole" : problem_name(callouts->plan->problem, layer->buffer);
}

/* The right edge of the sizes: no further from the names than these need. */
static int edge_of(const struct callouts *callouts, const struct callout *chosen,
                   size_t count) {
  int widest = 0, x = callouts->frame->right + CALLOUTS_GUTTER;
  char bytes[TEXT_BYTES], label[LABEL_BYTES];
  for (size_t i = 0; i < count; i++) {
    if (!chosen[i].layer) continue;
    int across =
        label_width(label_clean(name_of(callouts, chosen[i].layer), label), STYLE_SMALL);
    text_bytes(bytes, chosen[i].layer->high - chosen[i].layer->low);
    across += label_width(bytes, STYLE_SMALL) + 14 * SVG_PIXEL;
    if (across > widest) widest = across;
  }
  return widest < callouts->right - x ? x + widest : callouts->right;
}

static void draw_layer(const struct callouts *callouts, struct svg *svg,
                       const struct callout *callout, int edge) {
  const struct stack_layer *layer = callout->layer;
  int x = callouts->frame->right + CALLOUTS_GUTTER, y = callout->text_y + 4 * SVG_PIXEL;
  char label[LABEL_BYTES], bytes[TEXT_BYTES];
  text_bytes(bytes, layer->high - layer->low);
  int across = edge - x - label_width(bytes, STYLE_SMALL) - 8 * SVG_PIXEL;
  label_fit(name_of(callouts, layer), STYLE_SMALL, across, label);
  svg_label(svg, layer->buffer == STACK_HOLE ? "note" : "layer", x, y, label);
  svg_label(svg, "detail end", edge, y, bytes);
}

static void draw_count(const struct callouts *callouts, struct svg *svg, size_t more) {
  char text[64];
  if (more == 0) return;
  snprintf(text, sizeof text, "and %zu more in the stack", more);
  svg_label(svg, "note", callouts->frame->right + CALLOUTS_GUTTER,
            callouts->frame->bottom + 17 * SVG_PIXEL, text);
}

static void draw(const struct callouts *callouts, const struct callout *chosen, size_t count,
                 struct svg *svg) {
  const struct stack *stack = callouts->stack;
  svg_group(svg, "critical");
  for (size_t i = stack->count; i-- > 0;)
    draw_outline(callouts, svg, &stack->layers[i]);
  if (has_thin(callouts)) draw_spine(callouts, svg);
  for (size_t i = 0; i < count; i++)
    draw_leader(callouts, svg, &chosen[i]);
  svg_end(svg);
  int edge = edge_of(callouts, chosen, count);
  for (size_t i = 0; i < count; i++)
    if (chosen[i].level) draw_level(callouts, svg, &chosen[i]);
    else draw_layer(callouts, svg, &chosen[i], edge);
  draw_count(callouts, svg, stack->count - (count - callouts->level_count));
}

neap_status callouts_draw(const struct callouts *callouts, struct svg *svg, neap_error *error) {
  size_t layers = callouts->stack->count;
  const struct stack_layer **largest = memory_array(layers, sizeof(const void *));
  struct callout *chosen = memory_array(layers + callouts->level_count, sizeof *chosen);
  neap_status status = largest && chosen ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK) {
    size_t count = choose(callouts, largest, chosen);
    spread(callouts->frame, chosen, count);
    draw(callouts, chosen, count, svg);
  }
  free(largest);
  free(chosen);
  return status;
}
