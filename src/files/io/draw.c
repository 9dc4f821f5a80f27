/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws charts into pictures, and plans in characters. */
#include "core/error.h"
#include "core/output.h"
#include "core/sized.h"
#include "io/format.h"
#include "plan/plan.h"
#include "viz/charts/chart.h"
#include "viz/text/picture.h"

/* A picture that is being written. */
struct picture {
  const char *path;
  enum render_kind kind;
  struct output output;
};

static neap_status picture_open(struct picture *picture, const char *path, neap_error *error) {
  const struct format *format = format_by_ending(path, NEAP_CONTENT_PICTURE);
  *picture = (struct picture){.path = path, .kind = format ? format->picture : RENDER_SVG};
  neap_status status = format ? format_check(format, error) : NEAP_OK;
  if (status == NEAP_OK) status = output_open(&picture->output, path, error);
  return error_in_file(error, status, path);
}

static neap_status picture_close(struct picture *picture, neap_status status,
                                 neap_error *error) {
  return output_close(&picture->output, error_in_file(error, status, picture->path), error);
}

neap_status neap_chart_draw(const neap_chart *chart, const char *path, neap_error *error) {
  struct picture picture;
  neap_status status = picture_open(&picture, path, error);
  if (status != NEAP_OK) return status;
  status = chart_write(chart, picture.kind, picture.output.stream, error);
  return picture_close(&picture, status, error);
}

neap_status neap_bars_draw(const neap_bars *bars, const char *path, neap_error *error) {
  struct picture picture;
  neap_status status = picture_open(&picture, path, error);
  if (status != NEAP_OK) return status;
  status = bars_write(bars, picture.kind, picture.output.stream, error);
  return picture_close(&picture, status, error);
}

neap_status neap_plan_draw_text(const neap_plan *plan, const neap_writing *writing,
                                const neap_text_style *style, FILE *stream, neap_error *error) {
  neap_writing how = NEAP_INIT(neap_writing);
  neap_text_style look = NEAP_INIT(neap_text_style);
  neap_status status = writing ? SIZED_READ(neap_writing, how, writing, error) : NEAP_OK;
  if (status == NEAP_OK) status = SIZED_READ(neap_text_style, look, style, error);
  return status == NEAP_OK ? text_picture_write(plan, &how, &look, stream, error) : status;
}
