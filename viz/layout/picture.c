/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The picture of a plan.
 *
 *      name
 *      figures:  buffers   peak   bound   gap   status   engine
 *      +---------------------------------------------+
 *      |   live sizes over time                      | bound
 *      +---------------------------------------------+
 *      +---------------------------------------------+ (one panel for each pool: panel.c)
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
#include "viz/layout/picture.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "facts/live_bytes.h"
#include "neap/neap-io.h"
#include "viz/layout/colouring.h"
#include "viz/layout/describe.h"
#include "viz/layout/legend.h"
#include "viz/layout/margin_labels.h"
#include "viz/layout/soundness.h"
#include "viz/svg/frame.h"
#include "viz/svg/label.h"
#include "viz/svg/number.h"
#include "viz/svg/style.h"

/*
 * The layout of a page, with a heading and the live bytes above, or of a figure for a paper,
 * without them.
 */
struct sheet {
  int across, down; /* in pixels; a figure is as long as it needs to be */
  struct frame live, plan;
  size_t classes; /* colours at most */
  bool is_figure;
};

/* One column is 252 points wide, and two are 516, as in the journals of IEEE and ACM. */
static const struct sheet sheets[] = {
    {1320,
     836,
     {8800, 11200, 106400, 20800},
     {8800, 22800, 106400, 70400},
     COLOURING_MAX,
     false},
    {336, 0, {0}, {7000, 600, 33000, 19000}, 6, true},
    {688, 0, {0}, {7400, 600, 68200, 27000}, 8, true},
};
#define LIVE_HEADROOM (12 * SVG_PIXEL)

/* Pools share the room of the plan, unless their panels would be too flat. */
#define POOL_DOWN (140 * SVG_PIXEL)
#define BETWEEN_POOLS (28 * SVG_PIXEL)
#define FIGURE_ABOVE (14 * SVG_PIXEL) /* the name of the first pool */

/* Base lines below the panels. */
#define COLOURS_BELOW (58 * SVG_PIXEL)
#define FIGURE_BELOW (64 * SVG_PIXEL)
#define NOTE_ROW (15 * SVG_PIXEL)

struct picture {
  const struct sheet *sheet;
  const struct neap_plan *plan;
  const neap_writing *writing;
  struct soundness soundness;
  struct colouring colouring;
  struct live live;
  struct axis time, sizes;
  neap_size most_live; /* the highest step of `live` */
  struct signs signs;
  struct short_names names;
  struct panel *panels; /* the panels, from top to bottom */
  size_t panel_count;
  int bottom; /* of the last panel */
};

/* ---------------------------------------------------------------- axes */

/* The start of the time axis: 0, unless nothing happens during the first half of the time. */
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
                                .from = picture->sheet->plan.left,
                                .to = picture->sheet->plan.right};
  char label[NUMBER_TEXT];
  int width = label_width(number_grouped(label, picture->time.high), STYLE_SMALL);
  axis_set_step(&picture->time, width < 4000 ? 8000 : width + 4000);
}

static void set_size_axis(struct picture *picture) {
  neap_size most = picture->most_live;
  picture->sizes = (struct axis){.unit = AXIS_BYTES,
                                 .high = most > 0 ? most : 1,
                                 .from = picture->sheet->live.bottom,
                                 .to = picture->sheet->live.top + LIVE_HEADROOM};
  axis_set_step(&picture->sizes, 3000);
}

/* ---------------------------------------------------------------- panels of the plan */

static neap_status init_panels(struct picture *picture, neap_error *error) {
  size_t count = levels_count(picture->plan);
  struct frame frame = picture->sheet->plan;
  int down = (frame.bottom - frame.top - (int)(count - 1) * BETWEEN_POOLS) / (int)count;
  if (down < POOL_DOWN) down = POOL_DOWN;
  if (picture->sheet->is_figure && picture->plan->pools) frame.top += FIGURE_ABOVE;
  picture->panels = memory_array(count, sizeof *picture->panels);
  if (!picture->panels) return error_memory(error);
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    if (count > 1) frame.bottom = frame.top + down;
    picture->panels[i] = (struct panel){.plan = picture->plan,
                                        .signs = &picture->signs,
                                        .names = &picture->names,
                                        .pool = i,
                                        .frame = frame,
                                        .right = (picture->sheet->across - 20) * SVG_PIXEL,
                                        .is_figure = picture->sheet->is_figure,
                                        .time = &picture->time};
    status = panel_init(&picture->panels[picture->panel_count++], &picture->colouring,
                        &picture->soundness, error);
    picture->bottom = frame.bottom;
    frame.top = frame.bottom + BETWEEN_POOLS;
  }
  return status;
}

/* Sums the curves of all panels. */
static neap_status init_live(struct picture *picture, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t pool = 0; pool < picture->panel_count && status == NEAP_OK; pool++) {
    struct live live;
    status = plan_live_init(&live, picture->plan, pool, error);
    if (status != NEAP_OK) break;
    status = live_add(&picture->live, &live, error);
    live_clear(&live);
  }
  for (size_t i = 0; i < picture->live.count; i++)
    if (picture->live.steps[i].bytes > picture->most_live)
      picture->most_live = picture->live.steps[i].bytes;
  return status;
}

static neap_status picture_init(struct picture *picture, const struct neap_plan *plan,
                                const neap_writing *writing, neap_error *error) {
  *picture = (struct picture){.sheet = sheets, .plan = plan, .writing = writing};
  if (writing->figure < 0 || writing->figure > 2)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "neap_writing.figure: expected 1 or 2 columns, found %" PRId64,
                     writing->figure);
  picture->sheet += writing->figure;
  assert(plan->problem->horizon >= 0);
  neap_status status = soundness_init(&picture->soundness, plan, error);
  const struct colouring_wish wish = {writing->colour_by, picture->sheet->classes,
                                      picture->soundness.sound};
  if (status == NEAP_OK) status = colouring_init(&picture->colouring, plan, &wish, error);
  if (status != NEAP_OK) return status;
  set_time_axis(picture);
  status = signs_init(&picture->signs, plan, &picture->soundness, error);
  if (status == NEAP_OK) status = short_names_init(&picture->names, plan->problem, error);
  if (status == NEAP_OK) status = init_panels(picture, error);
  if (status == NEAP_OK) status = init_live(picture, error);
  if (!picture->sheet->is_figure) set_size_axis(picture);
  return status;
}

static void picture_clear(struct picture *picture) {
  live_clear(&picture->live);
  for (size_t i = 0; i < picture->panel_count; i++)
    panel_clear(&picture->panels[i]);
  free(picture->panels);
  short_names_clear(&picture->names);
  signs_clear(&picture->signs);
  colouring_clear(&picture->colouring);
  soundness_clear(&picture->soundness);
}

/* ---------------------------------------------------------------- figures */

static struct subject subject_of(const struct picture *picture) {
  return (struct subject){picture->plan, &picture->soundness, picture->writing->name,
                          picture->writing->is_conflict};
}

static void draw_figure(struct svg *svg, int x, const struct figure *figure) {
  svg_label(svg, "caption", x, 5600, figure->label);
  svg_label(svg, figure->is_fault ? "value fault" : "value", x, 7600, figure->value);
  if (figure->detail[0])
    svg_label(svg, figure->is_fault ? "detail fault" : "detail", x, 9200, figure->detail);
}

static int max_of(int a, int b) { return a > b ? a : b; }

/* Draws the figures side by side, each as wide as its longest line. */
static void draw_figures(struct svg *svg, const struct picture *picture) {
  struct figure figures[DESCRIBE_FIGURES];
  const struct subject subject = subject_of(picture);
  size_t count = describe_figures(&subject, figures);
  int x = picture->sheet->plan.left;
  for (size_t i = 0; i < count; i++) {
    draw_figure(svg, x, &figures[i]);
    int across = max_of(label_width(figures[i].label, STYLE_SMALL),
                        max_of(label_width(figures[i].value, STYLE_VALUE),
                               label_width(figures[i].detail, STYLE_SMALL)));
    x += max_of(across, 60 * SVG_PIXEL) + 36 * SVG_PIXEL;
  }
}

/* The room for notes: the width of the page without its margins. */
static int room_for_notes(const struct picture *picture) {
  return picture->sheet->across * SVG_PIXEL - 2 * picture->sheet->plan.left;
}

static void draw_heading(struct svg *svg, const struct picture *picture) {
  char label[LABEL_BYTES], text[DESCRIBE_PLAN];
  const struct subject subject = subject_of(picture);
  if (!label_fit(describe_heading(&subject, text), STYLE_HEAD, room_for_notes(picture), label))
    return;
  svg_label(svg, "head", picture->sheet->plan.left, 3000, label);
}

/* ---------------------------------------------------------------- panels */

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

static void draw_live(struct svg *svg, const struct picture *picture) {
  /* Pools reach their bounds at different moments. */
  const char *name = picture->panel_count > 1 ? "most at one moment" : "bound";
  const struct frame *frame = &picture->sheet->live;
  neap_size most = picture->most_live;
  char value[TEXT_BYTES];
  frame_panel(svg, frame);
  frame_across(svg, frame, &picture->time, false);
  frame_up(svg, frame, &picture->sizes);
  frame_title_up(svg, frame, "live bytes");
  int y = axis_at(&picture->sizes, most);
  svg_line(svg, "bound", frame->left, y, frame->right, y);
  curve_draw(svg, &picture->live, &picture->time, &picture->sizes, most);
  struct level level = {name, text_bytes(value, most), y, y};
  draw_level(svg, frame, &level);
}

/* ---------------------------------------------------------------- the whole */

/* The levels and the bank boundaries that any panel has. */
static struct legend_marks list_marks(const struct picture *picture, bool *has_banks) {
  struct legend_marks marks = {.bound = true,
                               .collisions = picture->soundness.collisions.total > 0};
  *has_banks = false;
  for (size_t i = 0; i < picture->panel_count; i++) {
    const struct panel *panel = &picture->panels[i];
    if (panel->levels.lower_bound > panel->levels.bound) marks.lower_bound = true;
    if (panel->stack.count > 0) marks.stack = true;
    if (panel->levels.capacity >= 0) marks.capacity = true;
    if (panel_has_beyond(panel)) marks.beyond = true;
    if (signs_show_banks(panel->signs, &panel->offsets)) *has_banks = true;
  }
  return marks;
}

/* Returns the base line of what follows. */
static int draw_legend(struct svg *svg, const struct picture *picture) {
  bool has_banks;
  const struct legend_marks marks = list_marks(picture, &has_banks);
  int x = picture->sheet->plan.left, y = picture->bottom + COLOURS_BELOW,
      right = (picture->sheet->across - 20) * SVG_PIXEL;
  legend_draw_colours(svg, x, y, right, &picture->colouring);
  legend_draw_marks(svg, x, y + LEGEND_ROW, &marks);
  if (!signs_any(&picture->signs)) return y + 2 * LEGEND_ROW;
  legend_draw_signs(svg, x, y + 2 * LEGEND_ROW, &picture->signs, has_banks);
  return y + 3 * LEGEND_ROW;
}

/* "Unsound: 3 collisions: 'a' and 'b', ..."; as many pairs as the line has room for. */
static void note_fault(struct svg *svg, const struct picture *picture, int y) {
  char pairs[256], count[SOUNDNESS_COUNT], text[512], label[LABEL_BYTES];
  soundness_text(&picture->soundness, picture->plan, pairs, 180);
  soundness_count(&picture->soundness, count);
  snprintf(text, sizeof text, "Unsound: %s%s%s", count, *count ? ": " : "", pairs);
  label_fit(text, STYLE_SMALL, room_for_notes(picture), label);
  svg_label(svg, "note fault", picture->sheet->plan.left, y, label);
}

static size_t count_merged(const struct picture *picture) {
  size_t merged = 0;
  for (size_t i = 0; i < picture->panel_count; i++)
    merged += picture->panels[i].boxes.merged;
  return merged;
}

static void note_merged(struct svg *svg, const struct picture *picture, int y) {
  char merged[NUMBER_TEXT], all[NUMBER_TEXT], text[256];
  const struct neap_problem *problem = picture->plan->problem;
  snprintf(text, sizeof text,
           "%s of %s %s are too small to be seen one by one. They are merged into cells; the "
           "stronger a cell's colour, the fuller it is.",
           number_grouped(merged, (int64_t)count_merged(picture)),
           number_grouped(all, (int64_t)problem->range_count),
           problem->range_count > problem->count ? "rectangles" : "buffers");
  svg_label(svg, "note", picture->sheet->plan.left, y, text);
}

static void note_unmarked(struct svg *svg, const struct picture *picture, int y) {
  char marked[NUMBER_TEXT], all[NUMBER_TEXT], text[160];
  const struct collisions *collisions = &picture->soundness.collisions;
  snprintf(text, sizeof text, "The earliest %s of %s collisions are marked.",
           number_grouped(marked, (int64_t)collisions->count),
           number_grouped(all, (int64_t)collisions->total));
  svg_label(svg, "note", picture->sheet->plan.left, y, text);
}

/* "Broken: window of a, colocation of b and c, ..."; the fault is only the first of them. */
static void note_broken(struct svg *svg, const struct picture *picture, int y) {
  const struct relation_faults *broken = &picture->soundness.broken;
  char text[512], label[LABEL_BYTES], excerpt[TEXT_EXCERPT];
  size_t used = (size_t)snprintf(text, sizeof text, "Broken:"), named = 0;
  for (; named < broken->count && used + 3 * TEXT_EXCERPT < sizeof text; named++) {
    const struct relation_fault *fault = &broken->items[named];
    const char *first = problem_name(picture->plan->problem, fault->first);
    used +=
        (size_t)snprintf(text + used, sizeof text - used, "%s %s of %s", named > 0 ? "," : "",
                         fault->name, text_excerpt(excerpt, first, strlen(first)));
    if (fault->second == SIZE_MAX) continue;
    const char *second = problem_name(picture->plan->problem, fault->second);
    used += (size_t)snprintf(text + used, sizeof text - used, " and %s",
                             text_excerpt(excerpt, second, strlen(second)));
  }
  if (named < broken->total)
    snprintf(text + used, sizeof text - used, ", and %zu more", broken->total - named);
  label_fit(text, STYLE_SMALL, room_for_notes(picture), label);
  svg_label(svg, "note fault", picture->sheet->plan.left, y, label);
}

/* Returns the base line of what follows. */
static int note_pools(struct svg *svg, const struct picture *picture, int y) {
  size_t count = problem_pool_count(picture->plan->problem);
  char text[96];
  if (!picture->plan->pools || count <= picture->panel_count) return y;
  snprintf(text, sizeof text, "The first %zu of %zu pools are drawn.", picture->panel_count,
           count);
  svg_label(svg, "note", picture->sheet->plan.left, y, text);
  return y + NOTE_ROW;
}

/* Draws the legend of a figure; with `svg` NULL, only returns its height. */
static int legend_of_figure(struct svg *svg, const struct picture *picture) {
  bool has_banks;
  const struct legend_marks marks = list_marks(picture, &has_banks);
  const struct frame *plan = &picture->sheet->plan;
  int y = picture->bottom + FIGURE_BELOW;
  return legend_flow(svg, &(struct frame){plan->left, y, plan->right, y}, &picture->colouring,
                     &marks);
}

static void draw_notes(struct svg *svg, const struct picture *picture, int y) {
  const struct soundness *soundness = &picture->soundness;
  y = note_pools(svg, picture, y);
  if (picture->colouring.note[0]) {
    svg_label(svg, "note", picture->sheet->plan.left, y, picture->colouring.note);
    y += NOTE_ROW;
  }
  if (!soundness->sound) {
    note_fault(svg, picture, y);
    y += NOTE_ROW;
  }
  if (soundness->broken.total > 0) {
    note_broken(svg, picture, y);
    y += NOTE_ROW;
  }
  if (soundness->collisions.total > soundness->collisions.count) {
    note_unmarked(svg, picture, y);
    y += NOTE_ROW;
  }
  if (count_merged(picture) > 0) note_merged(svg, picture, y);
}

/* The height of the page, which is larger only for pools and for signs of relations. */
static int page_down(const struct picture *picture) {
  int more = (picture->bottom - picture->sheet->plan.bottom) / SVG_PIXEL;
  if (picture->sheet->is_figure)
    return (picture->bottom + FIGURE_BELOW + legend_of_figure(NULL, picture)) / SVG_PIXEL - 8;
  if (signs_any(&picture->signs)) more += LEGEND_ROW / SVG_PIXEL;
  if (picture->soundness.broken.total > 0) more += NOTE_ROW / SVG_PIXEL;
  if (picture->colouring.note[0]) more += NOTE_ROW / SVG_PIXEL;
  return picture->sheet->down + (more > 0 ? more : 0);
}

static void draw_head(struct svg *svg, const struct picture *picture) {
  draw_heading(svg, picture);
  draw_figures(svg, picture);
  draw_live(svg, picture);
}

static neap_status draw_picture(const struct picture *picture, enum render_kind kind,
                                FILE *stream, neap_error *error) {
  struct svg svg;
  char title[DESCRIBE_PLAN], description[DESCRIBE_PLAN];
  const struct subject subject = subject_of(picture);
  int across = picture->sheet->across, down = page_down(picture);
  bool is_figure = picture->sheet->is_figure;
  neap_status status =
      svg_open(&svg, kind, stream, across, down, describe_title(&subject, title),
               describe_plan(&subject, description), error);
  if (status != NEAP_OK) return status;
  style_write(&svg, across, down);
  if (signs_any(&picture->signs)) style_write_signs(&svg);
  if (!is_figure) draw_head(&svg, picture);
  for (size_t i = 0; i < picture->panel_count && status == NEAP_OK; i++)
    status = panel_draw(&picture->panels[i], &svg, i + 1 == picture->panel_count, error);
  if (is_figure) legend_of_figure(&svg, picture);
  else draw_notes(&svg, picture, draw_legend(&svg, picture));
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
