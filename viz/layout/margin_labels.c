/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names go down the margin in the order of the items that they name, so that leaders cannot cross.
 * Two passes place the names: the first, downwards, puts a name beside its item or below the name
 * above; the second, upwards, moves names back up that the first has pushed below the panel.
 * Levels take two lines, layers and collisions one.
 *
 *      a, b ------- a          b points as high as a, so its name goes below that of a, and the
 *           `---- b          name of c below that of b.  If c were to end below the panel, c and
 *      c ---------- c          then b and a would move up.
 *
 * O(n log n): all layers or collisions are sorted by size to choose those that get a name, at most
 * MOST.
 */
#include "viz/layout/margin_labels.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "viz/layout/soundness.h"
#include "viz/svg/label.h"
#include "viz/svg/number.h"
#include "viz/svg/style.h"

#define LEVEL_DOWN (32 * SVG_PIXEL)
#define ITEM_DOWN (16 * SVG_PIXEL)
#define MOST 16              /* named items: more would be hard to follow */
#define WIDE (6 * SVG_PIXEL) /* from this size on, a layer gets a full outline, ... */
#define THIN (3 * SVG_PIXEL) /* ... from this size on a fine one, and below that none */

/* A layer of the stack, or the bytes and the time that two buffers share. */
struct item {
  size_t buffer, other; /* STACK_HOLE: a hole; `other` is STACK_HOLE in a layer */
  neap_offset low, high;
  neap_time end;
  size_t position; /* among all of its kind */
};

struct callout {
  int y, text_y, down;       /* the item, the name, the height of the name */
  const struct level *level; /* NULL: the callout names `item` */
  struct item item;
};

/* ---------------------------------------------------------------- named items */

static int by_size(const void *left, const void *right) {
  const struct item *a = left, *b = right;
  neap_size size = a->high - a->low, other = b->high - b->low;
  if (size != other) return size > other ? -1 : 1;
  return a->position < b->position ? -1 : a->position > b->position;
}

static size_t item_count(const struct margin_labels *callouts) {
  return callouts->collisions->count > 0 ? callouts->collisions->count : callouts->stack->count;
}

/* Lists the layers of the stack or the collisions, the largest first. */
static void list_items(const struct margin_labels *callouts, struct item *items) {
  size_t count = item_count(callouts);
  for (size_t i = 0; i < callouts->stack->count; i++) {
    const struct stack_layer *layer = &callouts->stack->layers[i];
    items[i] =
        (struct item){layer->buffer, STACK_HOLE, layer->low, layer->high, layer->when.end, i};
  }
  for (size_t i = 0; i < callouts->collisions->count; i++) {
    const neap_collision *pair = &callouts->collisions->items[i];
    items[i] = (struct item){pair->first,
                             pair->second,
                             pair->low,
                             pair->high,
                             soundness_span(callouts->plan->problem, pair).end,
                             i};
  }
  if (count > 0) qsort(items, count, sizeof *items, by_size);
}

/* The number of items for which there is room, with a line for the count of the others. */
static size_t room_for_items(const struct margin_labels *callouts) {
  int down = callouts->frame->bottom - callouts->frame->top -
             (int)callouts->level_count * LEVEL_DOWN - ITEM_DOWN;
  size_t lines = down > 0 ? (size_t)(down / ITEM_DOWN) : 0;
  return lines < MOST ? lines : MOST;
}

static int down_of(const struct margin_labels *callouts, neap_offset low, neap_offset high) {
  return axis_at(callouts->up, low) - axis_at(callouts->up, high);
}

static bool is_near_level(const struct margin_labels *callouts, int y) {
  for (size_t i = 0; i < callouts->level_count; i++)
    if (abs(callouts->levels[i].y - y) < 4 * SVG_PIXEL) return true;
  return false;
}

/* The height to point at: the middle, or above it if a name may be there, but on no level. */
static int height_of(const struct margin_labels *callouts, const struct item *item) {
  int down = down_of(callouts, item->low, item->high), top = axis_at(callouts->up, item->high);
  if (down < 24 * SVG_PIXEL) return top + down / 2;
  return top + (is_near_level(callouts, top + down / 4) ? down * 3 / 4 : down / 4);
}

static int downwards(const void *left, const void *right) {
  const struct callout *a = left, *b = right;
  if (a->y != b->y) return a->y < b->y ? -1 : 1;
  if (a->level || b->level) return !a->level ? 1 : !b->level ? -1 : 0;
  return a->item.position < b->item.position ? -1 : a->item.position > b->item.position;
}

/* Returns the number of callouts. */
static size_t choose_callouts(const struct margin_labels *callouts, struct item *items,
                              struct callout *chosen) {
  size_t count = 0, all = item_count(callouts), most = room_for_items(callouts);
  list_items(callouts, items);
  for (size_t i = 0; i < all && i < most; i++)
    chosen[count++] = (struct callout){
        .y = height_of(callouts, &items[i]), .down = ITEM_DOWN, .item = items[i]};
  for (size_t i = 0; i < callouts->level_count; i++)
    chosen[count++] = (struct callout){
        .y = callouts->levels[i].y, .down = LEVEL_DOWN, .level = &callouts->levels[i]};
  qsort(chosen, count, sizeof *chosen, downwards);
  return count;
}

/* Whether the names are in order, do not overlap and stay within the panel. */
static bool is_spread(const struct frame *frame, const struct callout *callouts, size_t count) {
  int low = frame->top;
  for (size_t i = 0; i < count; i++) {
    if (callouts[i].text_y - ITEM_DOWN / 2 < low) return false;
    low = callouts[i].text_y - ITEM_DOWN / 2 + callouts[i].down;
  }
  return low <= frame->bottom;
}

/* Like frame_spread_levels, for names of different extents. */
static void spread_callouts(const struct frame *frame, struct callout *callouts, size_t count) {
  int low = frame->top;
  for (size_t i = 0; i < count; i++) {
    int y = callouts[i].y;
    callouts[i].text_y = y - ITEM_DOWN / 2 > low ? y : low + ITEM_DOWN / 2;
    low = callouts[i].text_y - ITEM_DOWN / 2 + callouts[i].down;
  }
  int high = frame->bottom;
  for (size_t i = count; i-- > 0;) {
    int end = callouts[i].text_y - ITEM_DOWN / 2 + callouts[i].down;
    if (end > high) callouts[i].text_y -= end - high;
    high = callouts[i].text_y - ITEM_DOWN / 2;
  }
  assert(is_spread(frame, callouts, count));
}

/* ---------------------------------------------------------------- drawing */

static void draw_box(const struct margin_labels *callouts, struct svg *svg, const char *class,
                     const struct stack_layer *layer, neap_range when) {
  int left = axis_at(callouts->across, when.start), right = axis_at(callouts->across, when.end);
  int top = axis_at(callouts->up, layer->high), bottom = axis_at(callouts->up, layer->low);
  svg_rectangle(svg, class, left, top, right > left ? right - left : 1,
                bottom > top ? bottom - top : 1);
}

static void draw_outline(const struct margin_labels *callouts, struct svg *svg,
                         const struct stack_layer *layer) {
  const struct neap_problem *problem = callouts->plan->problem;
  int down = down_of(callouts, layer->low, layer->high);
  if (down < THIN) return;
  if (layer->buffer == STACK_HOLE) {
    draw_box(callouts, svg, "stack hole", layer, layer->when);
    return;
  }
  size_t end = problem->buffers[layer->buffer].ranges_end;
  for (size_t i = problem_ranges_begin(problem, layer->buffer); i < end; i++)
    draw_box(callouts, svg, down < WIDE ? "stack fine" : "stack", layer, problem->ranges[i]);
}

static bool has_thin(const struct margin_labels *callouts) {
  for (size_t i = 0; i < callouts->stack->count; i++) {
    const struct stack_layer *layer = &callouts->stack->layers[i];
    if (down_of(callouts, layer->low, layer->high) < THIN) return true;
  }
  return false;
}

static int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }

/*
 * Draws a line down the stack, which shows layers that are too thin for outlines.  It moves
 * sideways only where the next layer is not alive at the same time as the one above it.
 */
static void draw_spine(const struct margin_labels *callouts, struct svg *svg) {
  const struct stack *stack = callouts->stack;
  const struct axis *across = callouts->across;
  neap_range top = stack->layers[0].when;
  int x =
      axis_at(across, top.start) + (axis_at(across, top.end) - axis_at(across, top.start)) / 2;
  svg_path_start(svg, "spine");
  svg_to(svg, 'M', x, axis_at(callouts->up, stack->layers[0].high));
  for (size_t i = 1; i < stack->count; i++) {
    const struct stack_layer *layer = &stack->layers[i];
    int y = axis_at(callouts->up, layer->high),
        to = clamp(x, axis_at(across, layer->touch.start), axis_at(across, layer->touch.end));
    avoid_add_line(callouts->keepouts, x, axis_at(callouts->up, layer[-1].high), x, y);
    if (to != x) {
      avoid_add_line(callouts->keepouts, x, y, to, y);
      svg_along(svg, 'V', y);
      svg_along(svg, 'H', to);
    }
    x = to;
  }
  const struct stack_layer *last = &stack->layers[stack->count - 1];
  avoid_add_line(callouts->keepouts, x, axis_at(callouts->up, last->high), x,
                 axis_at(callouts->up, last->low));
  svg_along(svg, 'V', axis_at(callouts->up, last->low));
  svg_path_finish(svg);
  svg_end(svg);
}

static void draw_leader(const struct margin_labels *callouts, struct svg *svg,
                        const struct callout *callout) {
  const struct frame *frame = callouts->frame;
  int x = frame->right;
  if (!callout->level) x = axis_at(callouts->across, callout->item.end);
  svg_path_start(svg, callout->level ? "leader" : "leader layer");
  svg_to(svg, 'M', x, callout->y);
  if (x < frame->right) {
    svg_along(svg, 'H', frame->right);
    avoid_add_line(callouts->keepouts, x, callout->y, frame->right, callout->y);
  }
  svg_to(svg, 'L', frame->right + CALLOUTS_GUTTER - 3 * SVG_PIXEL, callout->text_y);
  svg_path_finish(svg);
  svg_end(svg);
  if (callout->level) return;
  svg_start(svg, "circle");
  svg_attribute(svg, "class", "pin");
  svg_length(svg, "cx", x);
  svg_length(svg, "cy", callout->y);
  svg_length(svg, "r", 200);
  svg_end(svg);
}

static void draw_level(const struct margin_labels *callouts, struct svg *svg,
                       const struct callout *callout) {
  int x = callouts->frame->right + CALLOUTS_GUTTER, y = callout->text_y + 4 * SVG_PIXEL;
  svg_label(svg, "strong", x, y, callout->level->name);
  svg_label(svg, "detail", x, y + 14 * SVG_PIXEL, callout->level->value);
}

#define PAIR_TEXT (2 * LABEL_BYTES + 8)

static const char *buffer_name(const struct margin_labels *callouts, size_t buffer) {
  return buffer == STACK_HOLE ? "hole" : short_names_of(callouts->names, buffer);
}

/* Names an item: "a × b", or a layer; both names of a pair get the same room. */
static void name_item(const struct margin_labels *callouts, const struct item *item, int room,
                      char text[PAIR_TEXT]) {
  static const char times[] = " \xc3\x97 ";
  char first[LABEL_BYTES], second[LABEL_BYTES];
  if (item->other == STACK_HOLE) {
    label_fit(buffer_name(callouts, item->buffer), STYLE_SMALL, room, text);
    return;
  }
  label_clean(buffer_name(callouts, item->buffer), first);
  label_clean(buffer_name(callouts, item->other), second);
  int half = (room - label_width(times, STYLE_SMALL)) / 2;
  int one = label_width(first, STYLE_SMALL), two = label_width(second, STYLE_SMALL);
  if (one > half && one + two > 2 * half)
    label_fit(buffer_name(callouts, item->buffer), STYLE_SMALL,
              two < half ? 2 * half - two : half, first);
  one = label_width(first, STYLE_SMALL);
  if (one + two > 2 * half)
    label_fit(buffer_name(callouts, item->other), STYLE_SMALL, 2 * half - one, second);
  snprintf(text, PAIR_TEXT, "%s%s%s", first, times, second);
}

/* The right edge of the sizes, as near to the names as these allow. */
static int edge_of(const struct margin_labels *callouts, const struct callout *chosen,
                   size_t count) {
  int widest = 0, x = callouts->frame->right + CALLOUTS_GUTTER;
  char bytes[TEXT_BYTES], text[PAIR_TEXT];
  for (size_t i = 0; i < count; i++) {
    if (chosen[i].level) continue;
    name_item(callouts, &chosen[i].item, callouts->right - x, text);
    text_bytes(bytes, chosen[i].item.high - chosen[i].item.low);
    int across =
        label_width(text, STYLE_SMALL) + label_width(bytes, STYLE_SMALL) + 14 * SVG_PIXEL;
    if (across > widest) widest = across;
  }
  return widest < callouts->right - x ? x + widest : callouts->right;
}

static void draw_item(const struct margin_labels *callouts, struct svg *svg,
                      const struct callout *callout, int edge) {
  const struct item *item = &callout->item;
  int x = callouts->frame->right + CALLOUTS_GUTTER, y = callout->text_y + 4 * SVG_PIXEL;
  char text[PAIR_TEXT], bytes[TEXT_BYTES];
  text_bytes(bytes, item->high - item->low);
  name_item(callouts, item, edge - x - label_width(bytes, STYLE_SMALL) - 8 * SVG_PIXEL, text);
  svg_label(svg, item->buffer == STACK_HOLE ? "note" : "layer", x, y, text);
  svg_label(svg, "detail end", edge, y, bytes);
}

/* Draws how many layers or collisions are not named. */
static void draw_count(const struct margin_labels *callouts, struct svg *svg, size_t named) {
  char text[96], number[NUMBER_TEXT];
  uint64_t collisions = callouts->collisions->total;
  uint64_t more = (collisions > 0 ? collisions : callouts->stack->count) - named;
  if (more == 0) return;
  snprintf(text, sizeof text,
           collisions > 0 ? "and %s more collisions" : "and %s more in the stack",
           number_grouped(number, (int64_t)more));
  svg_label(svg, "note", callouts->frame->right + CALLOUTS_GUTTER,
            callouts->frame->bottom + 17 * SVG_PIXEL, text);
}

static void draw_callouts(const struct margin_labels *callouts, const struct callout *chosen,
                          size_t count, struct svg *svg) {
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
    else draw_item(callouts, svg, &chosen[i], edge);
  draw_count(callouts, svg, count - callouts->level_count);
}

neap_status margin_labels_draw(const struct margin_labels *callouts, struct svg *svg,
                               neap_error *error) {
  size_t most = item_count(callouts);
  struct item *items = memory_array(most, sizeof *items);
  struct callout *chosen = memory_array(most + callouts->level_count, sizeof *chosen);
  neap_status status = items && chosen ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK) {
    size_t count = choose_callouts(callouts, items, chosen);
    spread_callouts(callouts->frame, chosen, count);
    draw_callouts(callouts, chosen, count, svg);
  }
  free(items);
  free(chosen);
  return status;
}
