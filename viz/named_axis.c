/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/named_axis.h"

#include "viz/label.h"
#include "viz/measure.h"
#include "viz/style.h"

#define ASIDE (16 * SVG_PIXEL) /* between series at one name, at most */
#define LEAST (40 * SVG_PIXEL) /* for a name */

void named_axis_widen(struct axis *axis) {
  axis->low--;
  axis->high++;
}

/* From a name to the next. */
static int distance_of(const struct axis *axis) {
  return axis_at(axis, axis->low + 1) - axis_at(axis, axis->low);
}

int named_axis_spread(const struct axis *axis, size_t count) {
  int64_t most = distance_of(axis) * INT64_C(7) / 10 / (int64_t)(count > 0 ? count : 1);
  return most < ASIDE ? (int)most : ASIDE;
}

void named_axis_draw(struct svg *svg, const struct frame *frame, const struct axis *axis,
                     const neap_chart *chart, bool labels) {
  char label[LABEL_BYTES];
  int last = frame->left - frame->right, room = distance_of(axis);
  if (room < LEAST) room = LEAST;
  for (size_t i = 0; i < chart->x_count; i++) {
    int64_t at;
    if (!measure_value(axis, chart->x[i], &at)) continue;
    int x = axis_at(axis, at);
    svg_line(svg, "grid", x, frame->top, x, frame->bottom + (labels ? 4 * SVG_PIXEL : 0));
    if (!labels || x - last < room - SVG_PIXEL) continue;
    label_fit(chart->x_names[i], STYLE_SMALL, room - 6 * SVG_PIXEL, label);
    svg_label(svg, "tick middle", x, frame->bottom + 17 * SVG_PIXEL, label);
    last = x;
  }
}
