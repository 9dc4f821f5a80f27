/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures in characters. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/fault.h"
#include "tests/support/layout.h"
#include "tests/support/random_problem.h"
#include "tests/support/sample.h"
#include "viz/text/picture.h"

static char *drawn(const neap_plan *plan, const neap_writing *drawing,
                   const neap_text_style *style) {
  struct fault_output output;
  neap_error error;
  fault_output_open(&output);
  assert_ok(neap_plan_draw_text(plan, drawing, style, output.stream, &error), &error);
  return fault_output_close(&output);
}

static char *text_of(const neap_plan *plan, const neap_text_style *style) {
  return drawn(plan, NULL, style);
}

/* The buffer at a moment and an offset, in halves; TEXT_HOLE: none. */
static int64_t owner_of(const neap_plan *plan, double time, double offset) {
  size_t range = 0;
  for (size_t i = 0; i < plan->problem->count; i++)
    for (; range < plan->problem->buffers[i].ranges_end; range++) {
      neap_range when = plan->problem->ranges[range];
      if (time > (double)when.start && time < (double)when.end &&
          offset > (double)plan->offsets[i] && offset < (double)plan_end(plan, i))
        return (int64_t)i;
    }
  return TEXT_HOLE;
}

/* Whether an edge is so close to a cell's centre that rounding decides. */
static bool is_close(double a, double b) { return a - b < 0.02 && b - a < 0.02; }

static bool on_edge(const neap_plan *plan, double x, double y, double per_time,
                    double per_byte) {
  for (size_t i = 0; i < plan->problem->count; i++)
    if (is_close((double)plan->offsets[i] * per_byte, y) ||
        is_close((double)plan_end(plan, i) * per_byte, y))
      return true;
  for (size_t r = 0; r < plan->problem->range_count; r++)
    if (is_close((double)plan->problem->ranges[r].start * per_time, x) ||
        is_close((double)plan->problem->ranges[r].end * per_time, x))
      return true;
  return false;
}

static void expect_owners(const struct text_grid *grid) {
  const neap_plan *plan = grid->plan;
  double per_time = grid->columns / (double)grid->across.high;
  double per_byte = (grid->rows - 1) / (double)grid->up.high;
  for (int row = 1; row < grid->rows; row++)
    for (int column = 0; column < grid->columns; column++) {
      double x = column + 0.5, y = grid->rows - row - 0.5;
      if (on_edge(plan, x, y, per_time, per_byte)) continue;
      int64_t shown = text_grid_at(grid, column, row)->owner;
      int64_t owner = owner_of(plan, x / per_time, y / per_byte);
      if (shown != owner && !(shown == TEXT_SPECK && owner == TEXT_HOLE))
        fail_msg("cell %d %d shows %d, not %d", column, row, (int)shown, (int)owner);
    }
}

/* A cell shows the buffer at its centre; checked by brute force. */
TEST(cells_show_the_buffer_at_their_centre) {
  const neap_text_style style = {
      .struct_size = sizeof(neap_text_style), .columns = 90, .lines = 30};
  const struct soundness sound = {.sound = true};
  for (uint64_t seed = 1; seed <= 60; seed++) {
    struct instance instance = instance_random(seed, 30, WITH_ALL & ~WITH_FIXED);
    neap_problem *problem = instance_problem(&instance);
    struct layout layout;
    layout_sorted(&layout, problem, "size", "lowest");
    neap_plan *plan = sample_plan(problem, layout.offsets);
    struct text_grid grid;
    neap_error error;
    assert_ok(text_grid_init(&grid, plan, 0, &sound, &style, &error), &error);
    if (layout.peak > 0) expect_owners(&grid);
    text_grid_clear(&grid);
    neap_plan_free(plan);
    layout_clear(&layout);
    neap_problem_free(problem);
    instance_free(&instance);
  }
}

/* The number of lines, none of which is wider than `columns` or ends with a space. */
static size_t check_lines(const char *text, size_t columns) {
  size_t lines = 0;
  for (const char *at = text; *at; lines++) {
    size_t length = strcspn(at, "\n"), width = 0;
    assert_true(at[length] == '\n');
    assert_true(length == 0 || at[length - 1] != ' ');
    for (size_t i = 0; i < length; i++)
      width += ((unsigned char)at[i] & 0xc0) != 0x80;
    if (width > columns && lines > 0) fail_msg("a line of %zu", width);
    at += length + 1;
  }
  return lines;
}

TEST(a_picture_has_the_requested_size) {
  static const struct sample samples[] = {{0, 5, 300, 1}, {2, 90, 2000, 1}, {80, 99, 50, 1}};
  neap_problem *problem = sample_problem(samples, 3);
  neap_plan *plan = sample_plan(problem, (const neap_offset[]){0, 300, 0});
  static const size_t sizes[][2] = {{0, 0}, {48, 10}, {80, 24}, {133, 57}, {1000, 1000}};
  for (size_t i = 0; i < SAMPLE_COUNT(sizes); i++)
    for (int unicode = 0; unicode < 2; unicode++) {
      const neap_text_style style = {.struct_size = sizeof(neap_text_style),
                                     .columns = sizes[i][0],
                                     .lines = sizes[i][1],
                                     .unicode = unicode == 1};
      char *text = text_of(plan, &style);
      size_t columns = sizes[i][0] < 48 ? 48 : sizes[i][0];
      assert_int_equal(check_lines(text, columns), sizes[i][1] < 10 ? 10 : sizes[i][1]);
      if (!unicode)
        for (const char *at = text; *at; at++)
          assert_true((unsigned char)*at < 0x80);
      assert_null(strchr(text, '\033'));
      free(text);
    }
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* In whatever colouring, sound or not, with a capacity or without. */
TEST(every_picture_has_the_requested_size) {
  static const size_t sizes[][2] = {{48, 10}, {80, 24}, {133, 57}};
  neap_colouring_info info = NEAP_INIT(neap_colouring_info);
  for (uint64_t seed = 1; seed <= 20; seed++) {
    struct instance instance = instance_random(seed, 30, WITH_ALL & ~WITH_FIXED);
    neap_problem *problem = instance_problem(&instance);
    struct layout layout;
    layout_sorted(&layout, problem, "size", "lowest");
    if (seed % 2) memset(layout.offsets, 0, problem->count * sizeof *layout.offsets);
    neap_plan *plan = sample_plan(problem, layout.offsets);
    neap_error error;
    assert_ok(neap_plan_set_capacity(plan, (neap_size)(seed * seed * 10), &error), &error);
    for (size_t i = 0; neap_colouring_at(i, &info); i++) {
      const neap_text_style style = {.struct_size = sizeof(neap_text_style),
                                     .columns = sizes[seed % 3][0],
                                     .lines = sizes[seed % 3][1],
                                     .unicode = seed % 4 < 2,
                                     .colours = false};
      const neap_writing drawing = {.struct_size = sizeof(neap_writing),
                                    .colour_by = info.name};
      char *text = drawn(plan, &drawing, &style);
      assert_int_equal(check_lines(text, style.columns), style.lines);
      free(text);
    }
    neap_plan_free(plan);
    layout_clear(&layout);
    neap_problem_free(problem);
    instance_free(&instance);
  }
}

/* However small: the third buffer ends a byte above where the second begins. */
TEST(every_collision_is_marked) {
  static const struct sample samples[] = {
      {0, 100, 5000, 1}, {0, 1, 5000, 1}, {99, 100, 5000, 1}};
  neap_problem *problem = sample_problem(samples, 3);
  neap_plan *plan = sample_plan(problem, (const neap_offset[]){0, 4999, 4999});
  const neap_text_style style = {
      .struct_size = sizeof(neap_text_style), .columns = 90, .lines = 20};
  char *text = text_of(plan, &style);
  assert_non_null(strstr(text, "unsound: 2 collisions: 'b0' and 'b1', 'b0' and 'b2'\n"));
  assert_non_null(strstr(text, "  X collision\n"));
  assert_null(strstr(text, "gap"));
  assert_null(strstr(text, "optimal"));
  size_t marks = 0;
  for (const char *at = text; *at; at++)
    marks += *at == 'X';
  assert_int_equal(marks, 3); /* the third is in the legend */
  free(text);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(a_capacity_has_a_row_and_a_name) {
  static const struct sample samples[] = {{0, 5, 1000, 1}};
  static const struct {
    neap_size capacity;
    const char *row;
  } cases[] = {{1500, "^ capacity\n"},
               {1000, "- capacity = peak = bound\n"},
               {999, ". capacity\n"},
               {500, " capacity\n"}};
  neap_problem *problem = sample_problem(samples, 1);
  neap_plan *plan = sample_plan(problem, (const neap_offset[]){0});
  const neap_text_style style = {
      .struct_size = sizeof(neap_text_style), .columns = 80, .lines = 24};
  for (size_t i = 0; i < SAMPLE_COUNT(cases); i++) {
    neap_error error;
    assert_ok(neap_plan_set_capacity(plan, cases[i].capacity, &error), &error);
    char *text = text_of(plan, &style);
    if (!strstr(text, cases[i].row)) fail_msg("no '%s' in\n%s", cases[i].row, text);
    assert_non_null(strstr(text, ", capacity "));
    free(text);
  }
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(control_characters_in_names_are_replaced) {
  neap_problem *problem = neap_problem_new();
  assert_non_null(problem);
  sample_add(problem, "\x1b[31m\n\x7f", 0, 10, 100);
  sample_add(problem, "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", 0, 10, 100);
  sample_add(problem, "e\xcc\x81t\xe2\x80\xae", 0, 10, 100);
  neap_plan *plan = sample_plan(problem, (const neap_offset[]){0, 100, 200});
  neap_text_style style = {
      .struct_size = sizeof(neap_text_style), .columns = 60, .lines = 20, .unicode = true};
  char *text = text_of(plan, &style);
  assert_null(strchr(text, '\033'));
  assert_non_null(strstr(text, "?[31m??"));
  assert_non_null(strstr(text, "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e"));
  assert_non_null(strstr(text, "et?"));
  free(text);
  style.unicode = false;
  text = text_of(plan, &style);
  check_lines(text, 60);
  assert_non_null(strstr(text, "|???"));
  free(text);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(colours_end_with_the_line) {
  static const struct sample samples[] = {{0, 5, 300, 1}, {2, 5, 200, 1}};
  neap_problem *problem = sample_problem(samples, 2);
  neap_plan *plan = sample_plan(problem, (const neap_offset[]){0, 300});
  const neap_text_style style = {
      .struct_size = sizeof(neap_text_style), .columns = 60, .lines = 20, .colours = true};
  const neap_writing drawing = {.struct_size = sizeof(neap_writing), .colour_by = "risk"};
  char *text = drawn(plan, &drawing, &style);
  assert_non_null(strstr(text, "\033[38;5;16;48;5;215m"));
  bool painted = false;
  for (const char *at = text; *at; at++) {
    if (*at == '\033') painted = strncmp(at, "\033[0m", 4) != 0;
    assert_false(*at == '\n' && painted);
  }
  free(text);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(a_window_shows_a_part) {
  const neap_size half = NEAP_MAX / 2;
  const struct sample samples[] = {{0, NEAP_MAX, half, 1}, {NEAP_MAX - 7, NEAP_MAX, half, 1}};
  neap_problem *problem = sample_problem(samples, 2);
  neap_plan *plan = sample_plan(problem, (const neap_offset[]){0, half});
  neap_text_style style = {.struct_size = sizeof(neap_text_style), .columns = 60, .lines = 12};
  char *text = text_of(plan, &style);
  assert_non_null(strstr(text, "8.00 EiB"));
  free(text);
  style.has_window = true;
  style.when = (neap_range){NEAP_MAX - 14, NEAP_MAX};
  style.low = half - 8;
  style.high = half + 8;
  text = text_of(plan, &style);
  assert_non_null(strstr(text, "|b0"));
  assert_non_null(strstr(text, "|b1"));
  assert_null(strstr(text, "peak\n"));
  free(text);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(an_empty_plan_is_drawn) {
  neap_problem *problem = neap_problem_new();
  neap_plan *plan = sample_plan(problem, (const neap_offset[]){0});
  const neap_text_style style = {
      .struct_size = sizeof(neap_text_style), .columns = 60, .lines = 12};
  char *text = text_of(plan, &style);
  assert_int_equal(strncmp(text, "0 buffers, peak 0 B", 19), 0);
  free(text);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cells_show_the_buffer_at_their_centre),
      cmocka_unit_test(a_picture_has_the_requested_size),
      cmocka_unit_test(every_picture_has_the_requested_size),
      cmocka_unit_test(every_collision_is_marked),
      cmocka_unit_test(a_capacity_has_a_row_and_a_name),
      cmocka_unit_test(control_characters_in_names_are_replaced),
      cmocka_unit_test(colours_end_with_the_line),
      cmocka_unit_test(a_window_shows_a_part),
      cmocka_unit_test(an_empty_plan_is_drawn),
  };
  return cmocka_run_group_tests_name("text pictures", tests, NULL, NULL);
}
