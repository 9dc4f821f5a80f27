/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures as PNG and PDF: if they can be made, they are complete and not empty. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/input.h"
#include "io/format.h"
#include "neap-tool.h"
#include "neap/planner.h"
#include "tests/support/files.h"

#ifdef HAVE_RSVG
#include <cairo.h>
#endif

static const neap_bar bars[] = {{"one", 400, "", true}, {"two", 900, "", false}};
static const neap_bars board = {
    .title = "bars", .items = bars, .count = 2, .level = 300, .level_name = "bound"};

static neap_plan *small_plan(neap_problem **problem) {
  static const struct sample samples[] = {{0, 5, 300, 1}, {2, 9, 200, 1}};
  static const neap_offset offsets[] = {0, 300};
  *problem = sample_problem(samples, 2);
  neap_plan *plan = sample_plan(*problem, offsets);
  return plan;
}

TEST(the_extension_selects_the_kind) {
  static const struct {
    const char *path, *format;
  } cases[] = {{"a.svg", "svg"}, {"a.png", "png"}, {"x/a.PNG", "png"},
               {"a.Pdf", "pdf"}, {".png", NULL}, /* a hidden file */
               {"apng", NULL},   {"", NULL},       {"-", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct format *format = format_by_ending(cases[i].path, NEAP_CONTENT_PICTURE);
    if (!cases[i].format) assert_null(format);
    else assert_string_equal(format->name, cases[i].format);
  }
  assert_null(format_by_ending("a.svg", NEAP_CONTENT_PLAN));
}

#ifdef HAVE_RSVG

static unsigned big_endian(const unsigned char *at) {
  return (unsigned)at[0] << 24 | (unsigned)at[1] << 16 | (unsigned)at[2] << 8 | at[3];
}

static void expect_png_size(const char *path, unsigned across, unsigned down) {
  char *text;
  size_t size;
  neap_error error;
  assert_ok(input_read(path, &text, &size, &error), &error);
  assert_true(size > 33);
  assert_memory_equal(text, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
  assert_int_equal(big_endian((const unsigned char *)text + 16), across);
  assert_int_equal(big_endian((const unsigned char *)text + 20), down);
  free(text);
}

static uint32_t pixel(cairo_surface_t *surface, int x, int y) {
  uint32_t value;
  const unsigned char *row =
      cairo_image_surface_get_data(surface) + y * cairo_image_surface_get_stride(surface);
  memcpy(&value, row + 4 * x, 4);
  return value & 0xffffff;
}

/* The parts of a small plan have their colours in the right places. */
TEST(a_png_shows_the_plan) {
  neap_problem *problem;
  neap_plan *plan = small_plan(&problem);
  neap_error error;
  const neap_writing drawing = {.struct_size = sizeof(neap_writing), .colour_by = "risk"};
  assert_ok(neap_plan_write(plan, "plan.png", &drawing, &error), &error);
  expect_png_size("plan.png", 2640, 1672);
  cairo_surface_t *surface = cairo_image_surface_create_from_png("plan.png");
  assert_int_equal(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
  assert_int_equal(pixel(surface, 4, 4), 0xffffff);       /* the page */
  assert_int_equal(pixel(surface, 2100, 1390), 0xf6f7f9); /* the panel */
  size_t fill = 0, ink = 0;
  for (int y = 0; y < 1672; y++)
    for (int x = 0; x < 2640; x++) {
      fill += pixel(surface, x, y) == 0xe8b44e; /* medium risk */
      ink += pixel(surface, x, y) < 0x303030;
    }
  assert_true(fill > 100000);
  assert_true(ink > 5000);
  cairo_surface_destroy(surface);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(every_kind_of_picture_can_be_rendered) {
  static const double x[] = {1, 2, 3}, y[] = {3, 2, 1};
  static const neap_series series[] = {{"s", y, false}};
  const neap_chart chart = {
      .title = "chart", .x = x, .x_count = 3, .series = series, .series_count = 1};
  neap_error error;
  assert_ok(neap_chart_draw(&chart, "chart.png", &error), &error);
  expect_png_size("chart.png", 1920, 1080);
  assert_ok(neap_bars_draw(&board, "bars.PNG", &error), &error);
  expect_png_size("bars.PNG", 1920, 2 * (96 + 2 * 24 + 12 + 74));
}

TEST(a_pdf_is_whole_and_the_same_each_time) {
  char *text;
  size_t size;
  neap_error error;
  assert_ok(neap_bars_draw(&board, "one.pdf", &error), &error);
  assert_ok(neap_bars_draw(&board, "two.pdf", &error), &error);
  assert_ok(input_read("one.pdf", &text, &size, &error), &error);
  assert_true(size > 1000);
  assert_memory_equal(text, "%PDF-1.", 7);
  assert_memory_equal(text + size - 6, "%%EOF\n", 6);
  free(text);
  files_expect_same("one.pdf", "two.pdf");
}

TEST(a_full_device_is_an_error) {
  if (access("/dev/full", W_OK) != 0) skip();
  neap_error error;
  assert_int_equal(symlink("/dev/full", "full.png"), 0);
  assert_int_equal(symlink("/dev/full", "full.pdf"), 0);
  assert_error(neap_bars_draw(&board, "full.png", &error), NEAP_ERROR_SYSTEM, &error);
  assert_error(neap_bars_draw(&board, "full.pdf", &error), NEAP_ERROR_SYSTEM, &error);
  unlink("full.png");
  unlink("full.pdf");
}

TEST(a_missing_folder_is_an_error) {
  neap_error error;
  assert_ok(neap_format_check("png", &error), &error);
  assert_error(neap_bars_draw(&board, "missing/a.png", &error), NEAP_ERROR_SYSTEM, &error);
  assert_string_equal(error.source, "missing/a.png");
}

#else

TEST(without_librsvg_it_is_refused) {
  neap_problem *problem;
  neap_plan *plan = small_plan(&problem);
  neap_error error;
  assert_ok(neap_format_check("svg", &error), &error);
  assert_error(neap_format_check("png", &error), NEAP_ERROR_ARGUMENT, &error);
  assert_error(neap_plan_write(plan, "a.pdf", NULL, &error), NEAP_ERROR_ARGUMENT, &error);
  assert_error(neap_bars_draw(&board, "a.png", &error), NEAP_ERROR_ARGUMENT, &error);
  assert_string_equal(error.source, "a.png");
  assert_non_null(strstr(error.text, "rsvg-convert"));
  assert_int_equal(access("a.png", F_OK), -1);
  assert_int_equal(access("a.pdf", F_OK), -1);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_extension_selects_the_kind),
#ifdef HAVE_RSVG
      FILES_CASE(a_png_shows_the_plan),
      FILES_CASE(every_kind_of_picture_can_be_rendered),
      FILES_CASE(a_pdf_is_whole_and_the_same_each_time),
      FILES_CASE(a_full_device_is_an_error),
      FILES_CASE(a_missing_folder_is_an_error),
#else
      FILES_CASE(without_librsvg_it_is_refused),
#endif
  };
  return cmocka_run_group_tests_name("render", tests, NULL, NULL);
}
