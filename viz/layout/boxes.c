/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A rectangle costs some 100 bytes of SVG, and one of less than half a pixel cannot be seen.  So
 * a large plan draws only its largest rectangles one by one, and merges the others into cells
 * (cells.c).  The shorter side decides: a first pass counts the rectangles by their shorter sides
 * in steps of half a pixel, and the limit is the lowest step that leaves at most MANY.  O(n) time,
 * and constant memory apart from the cells.
 */
#include "viz/layout/boxes.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "viz/layout/describe.h"
#include "viz/svg/label.h"
#include "viz/svg/style.h"

/*
 * Up to FEW rectangles are all drawn.  If there are more, only rectangles of half a pixel or more
 * are drawn, at most MANY of them.
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

struct cursor {
  size_t buffer, range;
};

/* The next rectangle of a buffer that is not in another pool. */
static bool next_box(const struct boxes *boxes, struct cursor *next, struct frame *place) {
  const struct neap_problem *problem = boxes->plan->problem;
  while (next->range < problem->range_count) {
    while (next->range == problem->buffers[next->buffer].ranges_end)
      next->buffer++;
    *place = place_of(boxes, next->buffer, next->range++);
    if (!is_elsewhere(boxes, next->buffer)) return true;
  }
  return false;
}

/* Whether a buffer lies entirely above the axis. */
static bool is_above(const struct boxes *boxes, size_t buffer) {
  return boxes->plan->offsets[buffer] >= boxes->up->high &&
         plan_end(boxes->plan, buffer) > boxes->up->high;
}

static int across_of(const struct frame *place) { return place->right - place->left; }

static int down_of(const struct frame *place) { return place->bottom - place->top; }

static int shorter_side(const struct frame *place) {
  int across = across_of(place), down = down_of(place);
  return across < down ? across : down;
}

/* ---------------------------------------------------------------- visible rectangles */

#define HALVES 40 /* sides are counted in half pixels, up to this many */

static void count_sides(const struct boxes *boxes, size_t counts[HALVES + 1]) {
  struct cursor next = {0};
  struct frame place;
  while (next_box(boxes, &next, &place)) {
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

/* ---------------------------------------------------------------- drawing */

static neap_status draw_merged(const struct boxes *boxes, struct svg *svg, neap_error *error) {
  if (boxes->merged == 0) return NEAP_OK;
  struct cursor next = {0};
  struct frame place;
  struct cells cells;
  struct frame frame = {boxes->across->from, boxes->up->to, boxes->across->to, boxes->up->from};
  neap_status status = cells_init(&cells, boxes->colouring, &frame, error);
  while (status == NEAP_OK && next_box(boxes, &next, &place))
    if (!is_seen(boxes, &place) && !is_above(boxes, next.buffer))
      cells_add(&cells, boxes->colouring->of[next.buffer], &place);
  if (status == NEAP_OK) status = cells_draw(&cells, svg, error);
  cells_clear(&cells);
  return status;
}

/*
 * The look of a rectangle by its size: with hatching, with an edge in the page's colour, with
 * neither, or only a line.
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
    constraint_text(boxes->bonds, boxes->plan->problem, buffer, text + strlen(text));
  svg_title(svg, text);
}

/* A buffer with gaps is a group of rectangles under one title. */
static void draw_buffer(const struct boxes *boxes, struct svg *svg, size_t buffer) {
  const struct neap_problem *problem = boxes->plan->problem;
  size_t begin = problem_ranges_begin(problem, buffer),
         end = problem->buffers[buffer].ranges_end;
  bool one = end - begin == 1, started = false;
  if (is_elsewhere(boxes, buffer) || is_above(boxes, buffer)) return;
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

neap_status boxes_draw(const struct boxes *boxes, struct svg *svg, neap_error *error) {
  neap_status status = draw_merged(boxes, svg, error);
  if (status != NEAP_OK) return status;
  svg_group(svg, boxes->is_small ? "small boxes" : "boxes");
  for (size_t i = 0; i < boxes->plan->problem->count; i++)
    draw_buffer(boxes, svg, i);
  svg_end(svg);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- names */

#define LINE (13 * SVG_PIXEL)
#define LEAST (11 * SVG_PIXEL) /* the least height for a line of words */
#define MARGIN (3 * SVG_PIXEL)
#define DROP (STYLE_NAME * 36 / 100) /* from the middle of a capital letter to its base line */
#define STEP (3 * SVG_PIXEL)         /* between the places that a label tries */
#define TRIES 60                     /* places tried along each axis */

struct namer {
  const struct boxes *boxes;
  struct svg *svg;
  struct label_obstacles *keepouts; /* gets the labels, too */
};

/* A label for a rectangle, and where it goes. */
struct label {
  const char *text;
  const char *size; /* a second line; NULL: none */
  const char *ground; /* the class of a ground over the hatching; NULL: none */
  struct frame frame;
  bool upright;
};

/* 0, 1, -1, 2, -2, ... steps. */
static int off_middle(int k) { return (k % 2 ? k + 1 : -k) / 2 * STEP; }

/* Finds a place of the given extent that touches no keepout, as near to the middle as possible. */
static bool find_free(const struct namer *namer, const struct frame *place, int across,
                      int down, struct frame *found) {
  int slack_x = (across_of(place) - across) / 2, slack_y = (down_of(place) - down) / 2;
  for (int i = 0; i < TRIES && abs(off_middle(i)) <= slack_x; i++)
    for (int k = 0; k < TRIES && abs(off_middle(k)) <= slack_y; k++) {
      int x = place->left + slack_x + off_middle(i), y = place->top + slack_y + off_middle(k);
      *found = (struct frame){x, y, x + across, y + down};
      if (!avoid_hit(namer->keepouts, found)) return true;
    }
  *found = (struct frame){place->left + slack_x, place->top + slack_y,
                          place->left + slack_x + across, place->top + slack_y + down};
  return false;
}

static bool seat_level(const struct namer *namer, const struct frame *place,
                       struct label *label) {
  int across = label_width(label->text, STYLE_NAME), down = label->size ? 2 * LINE : LEAST;
  int below = label->size ? label_width(label->size, STYLE_NAME) : 0;
  if (below > across) across = below;
  label->upright = false;
  return across + 2 * MARGIN <= across_of(place) &&
         down + (label->size ? MARGIN : 0) <= down_of(place) &&
         find_free(namer, place, across, down, &label->frame);
}

static bool seat_upright(const struct namer *namer, const struct frame *place,
                         struct label *label) {
  int down = label_width(label->text, STYLE_NAME);
  label->upright = true;
  return LEAST <= across_of(place) && down + 2 * MARGIN <= down_of(place) &&
         find_free(namer, place, LEAST, down, &label->frame);
}

/* Places the first form of a label that fits, with its size if possible. */
static bool seat_forms(const struct namer *namer, const struct frame *place,
                       const struct short_forms *forms, size_t from, size_t to,
                       const char *size, struct label *label) {
  for (size_t k = from; k < to; k++) {
    *label = (struct label){.text = forms->text[k], .size = size};
    if (seat_level(namer, place, label)) return true;
    label->size = NULL;
    if (seat_level(namer, place, label)) return true;
  }
  for (size_t k = from; k < to; k++) {
    *label = (struct label){.text = forms->text[k]};
    if (down_of(place) > across_of(place) && seat_upright(namer, place, label)) return true;
  }
  return false;
}

static void write_label(const struct namer *namer, const struct label *label,
                        const char *class) {
  const struct frame *frame = &label->frame;
  int x = frame->left + across_of(frame) / 2, y = frame->top + down_of(frame) / 2;
  avoid_add(namer->keepouts, frame);
  if (label->ground)
    svg_rectangle(namer->svg, label->ground, frame->left, frame->top, across_of(frame),
                  down_of(frame));
  if (!label->upright) {
    svg_label(namer->svg, class, x, (label->size ? y - LINE / 2 : y) + DROP, label->text);
    if (label->size) svg_label(namer->svg, "name size", x, y + LINE / 2 + DROP, label->size);
    return;
  }
  svg_start(namer->svg, "text");
  svg_attribute(namer->svg, "class", class);
  svg_attribute(namer->svg, "transform", "rotate(-90)");
  svg_length(namer->svg, "x", -y);
  svg_length(namer->svg, "y", x + DROP);
  svg_text(namer->svg, label->text);
  svg_end(namer->svg);
}

/* Places the shortest form over lines, with a halo, where they leave no free place. */
static bool write_over_lines(const struct namer *namer, const struct frame *place,
                             const struct short_forms *forms) {
  struct label label = {.text = forms->text[forms->count - 1]};
  int across = label_width(label.text, STYLE_NAME);
  bool level = across + 2 * MARGIN <= across_of(place) && LEAST <= down_of(place);
  if (!level && (across + 2 * MARGIN > down_of(place) || LEAST > across_of(place)))
    return false;
  label.upright = !level;
  if (level) find_free(namer, place, across, LEAST, &label.frame);
  else find_free(namer, place, LEAST, across, &label.frame);
  write_label(namer, &label, "name outlined");
  return true;
}

/* The ground of a label: names are hard to read on the patterns of the classes of risk. */
static const char *ground_of(const struct colouring *colouring, size_t buffer) {
  if (colouring->scale != COLOURING_RISK || colouring->of[buffer] == NEAP_RISK_NONE)
    return NULL;
  return colouring_style(colouring, colouring->of[buffer]);
}

/* Finds the next rectangle that meets a frame. */
static bool next_meeting(const struct boxes *boxes, const struct frame *frame,
                         struct cursor *next, struct frame *place) {
  while (next_box(boxes, next, place))
    if (place->left < frame->right && frame->left < place->right &&
        place->top < frame->bottom && frame->top < place->bottom)
      return true;
  return false;
}

/* Names a rectangle inside it, if it is large enough for any form. */
static bool write_inside(const struct namer *namer, size_t buffer, const struct frame *place) {
  char bytes[TEXT_BYTES];
  struct short_forms forms;
  struct label label;
  struct cursor next = {0};
  struct frame other;
  if (shorter_side(place) < LEAST) return false;
  short_names_forms(namer->boxes->names, buffer, &forms);
  const struct neap_problem *problem = namer->boxes->plan->problem;
  text_bytes(bytes, problem->buffers[buffer].size);
  size_t kept = namer->keepouts->count;
  bool may_share = problem->range_count <= FEW && problem_has(problem, RELATION_SHARES);
  /* A name where other buffers cover the rectangle could be theirs. */
  while (may_share && next_meeting(namer->boxes, place, &next, &other))
    if (next.buffer != buffer) avoid_add(namer->keepouts, &other);
  bool is_seated = seat_forms(namer, place, &forms, 0, forms.named, bytes, &label) ||
                   seat_forms(namer, place, &forms, forms.named, forms.count, NULL, &label);
  namer->keepouts->count = kept;
  if (!is_seated) return !may_share && write_over_lines(namer, place, &forms);
  label.ground = ground_of(namer->boxes->colouring, buffer);
  write_label(namer, &label, "name");
  return true;
}

/* ---------------------------------------------------------------- names beside rectangles */

#define BESIDE_MOST 64               /* names */
#define BESIDE_LEAST (4 * SVG_PIXEL) /* the shorter side of a rectangle that gets one */
#define BESIDE_GAP (4 * SVG_PIXEL)

static bool is_covered(const struct boxes *boxes, const struct frame *frame) {
  struct cursor next = {0};
  struct frame other;
  return next_meeting(boxes, frame, &next, &other) || frame->left < boxes->across->from ||
         frame->right > boxes->across->to || frame->top < boxes->up->to ||
         frame->bottom > boxes->up->from;
}

/* The place of words beside a rectangle: above it, right of it, below it or left of it. */
static struct frame beside(const struct frame *place, int across, int side) {
  int x = (place->left + place->right - across) / 2,
      y = (place->top + place->bottom - LEAST) / 2;
  if (side == 0) y = place->top - BESIDE_GAP - LEAST;
  else if (side == 1) x = place->right + BESIDE_GAP;
  else if (side == 2) y = place->bottom + BESIDE_GAP;
  else x = place->left - BESIDE_GAP - across;
  return (struct frame){x, y, x + across, y + LEAST};
}

static void draw_tick(struct svg *svg, const struct frame *place, int side) {
  int x = (place->left + place->right) / 2, y = (place->top + place->bottom) / 2;
  int end = side == 0   ? place->top
            : side == 1 ? place->right
            : side == 2 ? place->bottom
                        : place->left;
  int far = side == 1 || side == 2 ? end + BESIDE_GAP : end - BESIDE_GAP;
  if (side % 2 == 0) svg_line(svg, "leader layer", x, end, x, far);
  else svg_line(svg, "leader layer", end, y, far, y);
}

static bool write_beside(const struct namer *namer, size_t buffer, const struct frame *place) {
  struct short_forms forms;
  short_names_forms(namer->boxes->names, buffer, &forms);
  for (size_t k = 0; k < forms.named; k++)
    for (int side = 0; side < 4; side++) {
      struct label label = {.text = forms.text[k]};
      label.frame = beside(place, label_width(label.text, STYLE_NAME), side);
      if (avoid_hit(namer->keepouts, &label.frame) || is_covered(namer->boxes, &label.frame))
        continue;
      draw_tick(namer->svg, place, side);
      write_label(namer, &label, "name");
      return true;
    }
  return false;
}

/*
 * Calls `write` for each rectangle, until `most` names are written; `named` marks the buffers that
 * have one.
 */
static void write_names(const struct namer *namer, bool inside, size_t most, bool *named) {
  const bool *is_unnamed = namer->boxes->is_unnamed;
  struct cursor next = {0};
  struct frame place;
  while (most > 0 && next_box(namer->boxes, &next, &place)) {
    size_t i = next.buffer;
    if (named[i] || (is_unnamed && is_unnamed[i]) || !is_seen(namer->boxes, &place)) continue;
    if (inside) named[i] = write_inside(namer, i, &place);
    else if (shorter_side(&place) >= BESIDE_LEAST && write_beside(namer, i, &place)) most--;
  }
}

neap_status boxes_name(const struct boxes *boxes, struct label_obstacles *keepouts,
                       struct svg *svg, neap_error *error) {
  const struct neap_problem *problem = boxes->plan->problem;
  const struct namer namer = {boxes, svg, keepouts};
  bool *named = memory_array(problem->count, sizeof *named);
  if (!named) return error_memory(error);
  svg_group(svg, "names");
  write_names(&namer, true, SIZE_MAX, named);
  if (problem->range_count <= FEW) write_names(&namer, false, BESIDE_MOST, named);
  svg_end(svg);
  free(named);
  return keepouts->failed ? error_memory(error) : NEAP_OK;
}
