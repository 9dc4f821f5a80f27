/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A rectangle costs some 100 bytes of SVG, and those of less than half a pixel cannot be seen.
 * So a large plan draws only its largest rectangles one by one and merges the others into cells
 * (cells.h).  The limit is the shorter side: a first pass counts the rectangles by it in steps of
 * half a pixel, and the limit is the lowest step that leaves at most MANY.  O(n) time, and
 * constant memory besides the cells.
 */
#include "viz/layout/boxes.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "viz/layout/cells.h"
#include "viz/layout/describe.h"
#include "viz/svg/label.h"
#include "viz/svg/style.h"

/*
 * Up to FEW rectangles are all drawn.  If there are more, only those of half a pixel or more are,
 * at most MANY of them.
 */
#define FEW 4000
#define MANY 20000
#define SMALL 12 /* both limits are divided by this in a small picture */

static int height_of(const struct boxes *boxes, neap_offset offset) {
  return axis_at(boxes->up, offset < boxes->up->high ? offset : boxes->up->high);
}

static struct frame place_of(const struct boxes *boxes, size_t buffer, size_t range) {
  neap_range when = boxes->plan->problem->ranges[range];
  return (struct frame){
      .left = axis_at(boxes->across, when.start),
      .right = axis_at(boxes->across, when.end),
      .top = height_of(boxes, plan_end(boxes->plan, buffer)),
      .bottom = height_of(boxes, boxes->plan->offsets[buffer]),
  };
}

static bool is_elsewhere(const struct boxes *boxes, size_t buffer) {
  return boxes->has_pool && neap_plan_pool(boxes->plan, buffer) != boxes->pool;
}

/* Whether a buffer is in another pool, or lies above the axis entirely. */
static bool is_cut_off(const struct boxes *boxes, size_t buffer) {
  if (is_elsewhere(boxes, buffer)) return true;
  return boxes->plan->offsets[buffer] >= boxes->up->high &&
         plan_end(boxes->plan, buffer) > boxes->up->high;
}

static int across_of(const struct frame *place) { return place->right - place->left; }

static int down_of(const struct frame *place) { return place->bottom - place->top; }

static int shorter_side(const struct frame *place) {
  int across = across_of(place), down = down_of(place);
  return across < down ? across : down;
}

/* ---------------------------------------------------------------- which can be seen */

#define HALVES 40 /* sides are counted in half pixels, up to this many */

static void count_sides(const struct boxes *boxes, size_t counts[HALVES + 1]) {
  const struct neap_problem *problem = boxes->plan->problem;
  for (size_t i = 0, range = 0; i < problem->count; i++)
    for (; range < problem->buffers[i].ranges_end; range++) {
      if (is_elsewhere(boxes, i)) continue;
      struct frame place = place_of(boxes, i, range);
      int halves = shorter_side(&place) / (SVG_PIXEL / 2);
      counts[halves < HALVES ? halves : HALVES]++;
    }
}

void boxes_init(struct boxes *boxes) {
  boxes->least = 0;
  boxes->merged = 0;
  size_t all = boxes->plan->problem->range_count, part = boxes->is_small ? SMALL : 1;
  if (all <= FEW / part) return;
  size_t counts[HALVES + 1] = {0};
  count_sides(boxes, counts);
  all = 0;
  for (int halves = 0; halves <= HALVES; halves++)
    all += counts[halves];
  int halves = 0;
  while (halves <= HALVES && (halves < 1 || all - boxes->merged > MANY / part))
    boxes->merged += counts[halves++];
  boxes->least = halves * SVG_PIXEL / 2;
  assert(boxes->merged <= all);
}

static bool is_seen(const struct boxes *boxes, const struct frame *place) {
  return shorter_side(place) >= boxes->least;
}

/* ---------------------------------------------------------------- drawing them */

static neap_status draw_merged(const struct boxes *boxes, struct svg *svg, neap_error *error) {
  if (boxes->merged == 0) return NEAP_OK;
  const struct neap_problem *problem = boxes->plan->problem;
  struct cells cells;
  struct frame frame = {boxes->across->from, boxes->up->to, boxes->across->to, boxes->up->from};
  neap_status status = cells_init(&cells, boxes->colouring, &frame, error);
  for (size_t i = 0, range = 0; status == NEAP_OK && i < problem->count; i++)
    for (; range < problem->buffers[i].ranges_end; range++) {
      struct frame place = place_of(boxes, i, range);
      if (!is_seen(boxes, &place) && !is_cut_off(boxes, i))
        cells_add(&cells, boxes->colouring->of[i], &place);
    }
  if (status == NEAP_OK) status = cells_draw(&cells, svg, error);
  cells_clear(&cells);
  return status;
}

/*
 * By size: large enough for hatching, for an edge in the page's colour, or for neither; or only a
 * line.
 */
static const char *look_of(const struct frame *place) {
  int side = shorter_side(place);
  if (side == 0) return "tiny flat";
  return side >= 6 * SVG_PIXEL ? "wide" : side >= SVG_PIXEL ? "thin" : "tiny";
}

static void start_box(const struct boxes *boxes, struct svg *svg, size_t buffer,
                      const struct frame *place) {
  char class[32];
  snprintf(class, sizeof class, "%s %s",
           colouring_style(boxes->colouring, boxes->colouring->of[buffer]), look_of(place));
  int across = across_of(place), down = down_of(place);
  /* A rectangle without extent would not be drawn at all. */
  svg_rectangle_start(svg, class, place->left, place->top, across ? across : 1,
                      down ? down : 1);
}

static void write_title(const struct boxes *boxes, struct svg *svg, size_t buffer) {
  char text[DESCRIBE_BUFFER + BONDS_TEXT];
  if (boxes->is_small) return;
  describe_buffer(boxes->plan, buffer, text);
  if (boxes->bonds)
    bonds_describe(boxes->bonds, boxes->plan->problem, buffer, text + strlen(text));
  svg_title(svg, text);
}

/* A buffer with gaps is a group of rectangles under one title. */
static void draw_buffer(const struct boxes *boxes, struct svg *svg, size_t buffer) {
  const struct neap_problem *problem = boxes->plan->problem;
  size_t begin = problem_ranges_begin(problem, buffer),
         end = problem->buffers[buffer].ranges_end;
  bool one = end - begin == 1, started = false;
  if (is_cut_off(boxes, buffer)) return;
  for (size_t range = begin; range < end; range++) {
    struct frame place = place_of(boxes, buffer, range);
    if (!is_seen(boxes, &place)) continue;
    if (!one && !started) {
      svg_start(svg, "g");
      write_title(boxes, svg, buffer);
    }
    started = true;
    start_box(boxes, svg, buffer, &place);
    if (one) write_title(boxes, svg, buffer);
    svg_end(svg);
  }
  if (!one && started) svg_end(svg);
}

/* ---------------------------------------------------------------- names */

#define LINE (13 * SVG_PIXEL)
#define MARGIN (3 * SVG_PIXEL)
#define DROP (STYLE_NAME * 36 / 100) /* from the middle of a capital letter to its base line */

/* Names run along the longer side, unless they fit across. */
static bool stands_upright(const char *name, const struct frame *place) {
  return across_of(place) < LINE ||
         (down_of(place) > across_of(place) &&
          label_width(name, STYLE_NAME) > across_of(place) - 2 * MARGIN);
}

static void write_upright(struct svg *svg, const struct frame *place, const char *label) {
  svg_start(svg, "text");
  svg_attribute(svg, "class", "name");
  svg_attribute(svg, "transform", "rotate(-90)");
  svg_length(svg, "x", -(place->top + down_of(place) / 2));
  svg_length(svg, "y", place->left + across_of(place) / 2 + DROP);
  svg_text(svg, label);
  svg_end(svg);
}

static void write_level(struct svg *svg, const struct frame *place, const char *label,
                        neap_size size) {
  int x = place->left + across_of(place) / 2, y = place->top + down_of(place) / 2 + DROP;
  char bytes[TEXT_BYTES];
  text_bytes(bytes, size);
  bool two = down_of(place) >= 2 * LINE + MARGIN &&
             label_width(bytes, STYLE_NAME) <= across_of(place) - 2 * MARGIN;
  svg_label(svg, "name", x, two ? y - LINE / 2 : y, label);
  if (two) svg_label(svg, "name size", x, y + LINE / 2, bytes);
}

static void write_name(const struct boxes *boxes, struct svg *svg, size_t buffer,
                       const struct frame *place) {
  if (shorter_side(place) < LINE - MARGIN / 2) return;
  if (boxes->is_unnamed && boxes->is_unnamed[buffer]) return;
  const char *name = problem_name(boxes->plan->problem, buffer);
  char label[LABEL_BYTES];
  bool upright = stands_upright(name, place);
  int room = (upright ? down_of(place) : across_of(place)) - 2 * MARGIN;
  if (!label_fit(name, STYLE_NAME, room, label)) return;
  if (upright) write_upright(svg, place, label);
  else write_level(svg, place, label, boxes->plan->problem->buffers[buffer].size);
}

static void write_names(const struct boxes *boxes, struct svg *svg) {
  const struct neap_problem *problem = boxes->plan->problem;
  svg_group(svg, "names");
  for (size_t i = 0, range = 0; i < problem->count; i++)
    for (; range < problem->buffers[i].ranges_end; range++) {
      struct frame place = place_of(boxes, i, range);
      if (is_seen(boxes, &place) && !is_elsewhere(boxes, i)) write_name(boxes, svg, i, &place);
    }
  svg_end(svg);
}

neap_status boxes_draw(const struct boxes *boxes, struct svg *svg, neap_error *error) {
  neap_status status = draw_merged(boxes, svg, error);
  if (status != NEAP_OK) return status;
  svg_group(svg, boxes->is_small ? "small boxes" : "boxes");
  for (size_t i = 0; i < boxes->plan->problem->count; i++)
    draw_buffer(boxes, svg, i);
  svg_end(svg);
  if (!boxes->is_small) write_names(boxes, svg);
  return NEAP_OK;
}
