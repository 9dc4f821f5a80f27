/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of pictures. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "neap-tool.h"
#include "tests/support/layout.h"
#include "tests/support/random_problem.h"
#include "tests/support/sample.h"
#include "viz/layout/stack.h"
#include "viz/svg/axis.h"
#include "viz/svg/frame.h"
#include "viz/svg/glyph.h"
#include "viz/svg/label.h"
#include "viz/svg/measure.h"
#include "viz/svg/number.h"

/* ---------------------------------------------------------------- axes, numbers, labels */

/* The parts of pictures: axes, numbers, labels. */

/* ---------------------------------------------------------------- axes */

TEST(an_axis_maps_its_ends_exactly) {
  const struct axis axes[] = {
      {.low = 0, .high = 10, .from = 100, .to = 1100},
      {.low = 0, .high = 10, .from = 1100, .to = 100},
      {.low = 0, .high = INT64_MAX, .from = 8800, .to = 106400},
      {.low = INT64_MIN, .high = INT64_MAX, .from = 106400, .to = 8800},
      {.low = INT64_MAX - 1, .high = INT64_MAX, .from = 0, .to = 1},
  };
  for (size_t i = 0; i < SAMPLE_COUNT(axes); i++) {
    assert_int_equal(axis_at(&axes[i], axes[i].low), axes[i].from);
    assert_int_equal(axis_at(&axes[i], axes[i].high), axes[i].to);
  }
  assert_int_equal(axis_at(&axes[0], 3), 400);
  assert_int_equal(axis_at(&axes[1], 3), 800);
  assert_int_equal(axis_at(&axes[2], INT64_MAX / 2), 57600);
  assert_int_equal(axis_at(&axes[3], 0), 57600);
}

/* The ticks of an axis, as their labels, each followed by a bar. */
static const char *ticks(enum axis_unit unit, int64_t low, int64_t high, int exponent, int most,
                         char text[1024]) {
  struct axis axis = {unit, exponent, low, high, 0, most * 100, 0};
  int64_t tick;
  char label[AXIS_LABEL];
  text[0] = '\0';
  axis_set_step(&axis, 100);
  for (bool any = axis_first_tick(&axis, &tick); any; any = axis_next_tick(&axis, &tick)) {
    assert_true(tick >= low && tick <= high && strlen(text) + AXIS_LABEL < 1024);
    strcat(strcat(text, axis_label(&axis, tick, label)), "|");
  }
  return text;
}

TEST(seconds_have_a_tick_at_every_power_of_ten) {
  char text[1024];
  assert_string_equal(ticks(AXIS_SECONDS, -4000, 2000, 0, 10, text),
                      "100 \xc2\xb5s|1 ms|10 ms|100 ms|1 s|10 s|100 s|");
  assert_string_equal(ticks(AXIS_SECONDS, -9000, -7000, 0, 3, text), "1 ns|10 ns|100 ns|");
  assert_string_equal(ticks(AXIS_SECONDS, 2000, 6000, 0, 3, text),
                      "100 s|10,000 s|1,000,000 s|");
}

TEST(a_span_of_seconds_ends_at_powers_of_ten) {
  struct measure measure = {0};
  struct axis axis;
  int64_t value;
  measure_add(&measure, 0.002);
  measure_add(&measure, 7.5);
  measure_axis(&measure, AXIS_SECONDS, &axis);
  assert_int_equal(axis.low, -3000);
  assert_int_equal(axis.high, 1000);
  assert_true(measure_value(&axis, 0.01, &value));
  assert_int_equal(value, -2000);
  assert_true(measure_value(&axis, 2, &value));
  assert_int_equal(value, 301);
  assert_false(measure_value(&axis, 0, &value));
  assert_false(measure_value(&axis, -1, &value));
  measure = (struct measure){0};
  measure_add(&measure, 1);
  measure_axis(&measure, AXIS_SECONDS, &axis);
  assert_true(axis.low == 0 && axis.high == 1000);
}

TEST(ticks_are_round_numbers) {
  char text[1024];
  assert_string_equal(ticks(AXIS_NUMBER, 0, 10, 0, 10, text), "0|1|2|3|4|5|6|7|8|9|10|");
  assert_string_equal(ticks(AXIS_NUMBER, 0, 11, 0, 6, text), "0|2|4|6|8|10|");
  assert_string_equal(ticks(AXIS_NUMBER, 0, 2600, 0, 6, text),
                      "0|500|1,000|1,500|2,000|2,500|");
  assert_string_equal(ticks(AXIS_NUMBER, 7, 31, 0, 3, text), "10|20|30|");
  assert_string_equal(ticks(AXIS_NUMBER, -7, 12, 0, 4, text), "-5|0|5|10|");
  assert_string_equal(ticks(AXIS_NUMBER, 0, 3, 0, 10, text), "0|1|2|3|");
  assert_string_equal(ticks(AXIS_NUMBER, 0, INT64_MAX, 0, 2, text),
                      "0|5,000,000,000,000,000,000|");
  assert_string_equal(ticks(AXIS_NUMBER, INT64_MAX - 2, INT64_MAX, 0, 2, text),
                      "9,223,372,036,854,775,805|9,223,372,036,854,775,806|"
                      "9,223,372,036,854,775,807|");
}

TEST(fractions_get_as_many_decimals_as_needed) {
  char text[1024];
  assert_string_equal(ticks(AXIS_NUMBER, 0, 1000000, -6, 5, text), "0|0.2|0.4|0.6|0.8|1.0|");
  assert_string_equal(ticks(AXIS_NUMBER, 1000000, 1100000, -6, 2, text), "1.00|1.05|1.10|");
  assert_string_equal(ticks(AXIS_NUMBER, -500000, 500000, -6, 2, text), "-0.5|0|0.5|");
  assert_string_equal(ticks(AXIS_NUMBER, 0, 30, 20, 3, text), "0|1e21|2e21|3e21|");
}

TEST(bytes_come_in_binary_units) {
  char text[1024];
  assert_string_equal(ticks(AXIS_BYTES, 0, 100, 0, 4, text), "0|32 B|64 B|96 B|");
  assert_string_equal(ticks(AXIS_BYTES, 0, 1300, 0, 4, text), "0|0.5 KiB|1 KiB|");
  assert_string_equal(ticks(AXIS_BYTES, 0, 2 << 20, 0, 8, text),
                      "0|0.25 MiB|0.5 MiB|0.75 MiB|1 MiB|1.25 MiB|1.5 MiB|1.75 MiB|2 MiB|");
  assert_string_equal(
      ticks(AXIS_BYTES, 0, 1 << 20, 0, 8, text),
      "0|0.125 MiB|0.25 MiB|0.375 MiB|0.5 MiB|0.625 MiB|0.75 MiB|0.875 MiB|1 MiB|");
  assert_string_equal(ticks(AXIS_BYTES, 0, INT64_MAX, 0, 4, text), "0|2 EiB|4 EiB|6 EiB|");
}

TEST(quantities_map_to_axis_units) {
  struct measure measure = {0};
  measure_add(&measure, 0.5);
  measure_add(&measure, NAN);
  measure_add(&measure, -0.25);
  struct axis axis = {0};
  measure_axis(&measure, AXIS_NUMBER, &axis);
  int64_t low, high;
  assert_true(measure_value(&axis, -0.25, &low) && measure_value(&axis, 0.5, &high));
  assert_int_equal(low, axis.low);
  assert_int_equal(high, axis.high);
  assert_int_equal(high, -2 * low);
  int64_t beyond;
  assert_false(measure_value(&axis, 0.75, &beyond));
}

/* ---------------------------------------------------------------- numbers */

TEST(numbers_are_grouped_and_scaled) {
  char text[NUMBER_TEXT];
  assert_string_equal(number_grouped(text, 0), "0");
  assert_string_equal(number_grouped(text, 999), "999");
  assert_string_equal(number_grouped(text, 1048576), "1,048,576");
  assert_string_equal(number_grouped(text, -1234), "-1,234");
  assert_string_equal(number_grouped(text, INT64_MIN), "-9,223,372,036,854,775,808");
  assert_string_equal(number_scaled(text, 1500, -3, 1500), "1.5");
  assert_string_equal(number_scaled(text, 1500, -3, 1), "1.500");
  assert_string_equal(number_scaled(text, -7, -18, 1), "-0.000000000000000007");
  assert_string_equal(number_scaled(text, 12, -40, 1), "12e-40");
}

/* ---------------------------------------------------------------- characters and labels */

static void expect_glyph(const char *text, size_t size, uint32_t code) {
  uint32_t found;
  assert_int_equal(neap_text_next(text, &found), size);
  assert_int_equal(found, code);
}

TEST(invalid_characters_are_replaced) {
  expect_glyph("a", 1, 'a');
  expect_glyph("\xc3\xa9!", 2, 0xe9);
  expect_glyph("\xe2\x82\xac", 3, 0x20ac);
  expect_glyph("\xf0\x9f\x98\x80", 4, 0x1f600);
  expect_glyph("\n", 1, NEAP_REPLACEMENT);
  expect_glyph("\x7f", 1, NEAP_REPLACEMENT);
  expect_glyph("\xff", 1, NEAP_REPLACEMENT);
  expect_glyph("\x80", 1, NEAP_REPLACEMENT);
  expect_glyph("\xf0\x9f\x98", 1, NEAP_REPLACEMENT);     /* cut off */
  expect_glyph("\xc0\xaf", 1, NEAP_REPLACEMENT);         /* overlong */
  expect_glyph("\xed\xa0\x80", 1, NEAP_REPLACEMENT);     /* a surrogate */
  expect_glyph("\xf4\x90\x80\x80", 1, NEAP_REPLACEMENT); /* over U+10FFFF */
  expect_glyph("\xef\xbf\xbe", 3, NEAP_REPLACEMENT);     /* U+FFFE */
  expect_glyph("\xe2\x80\xae", 3, NEAP_REPLACEMENT);     /* reverses the line */
}

TEST(characters_survive_encoding) {
  for (uint32_t code = 0x20; code < 0x110000; code += code < 0x3000 ? 1 : 97) {
    if (code >= 0xd800 && code < 0xe000) continue;
    char text[GLYPH_BYTES + 1] = {0};
    size_t size = glyph_encode(code, text);
    assert_int_equal(text_utf8_prefix(text, size), size);
    uint32_t found;
    assert_int_equal(neap_text_next(text, &found), size);
    assert_true(found == code || found == NEAP_REPLACEMENT);
  }
}

TEST(labels_keep_both_ends) {
  char label[LABEL_BYTES];
  const char *name = "encoder/layer_11/attention";
  assert_true(label_fit(name, 1000, 100000, label));
  assert_string_equal(label, name);
  assert_true(label_fit(name, 1000, 6000, label));
  assert_true(label_width(label, 1000) <= 6000);
  assert_memory_equal(label, "enco", 4);
  assert_string_equal(label + strlen(label) - 4, "tion");
  assert_false(label_fit(name, 1000, 2000, label));
  assert_string_equal(label, "");
  assert_true(label_fit("", 1000, 0, label));
  assert_false(label_fit(NULL, 1000, 1000, label));
}

/* "9.25 MiB" is never cut to "9.…iB". */
TEST(labels_keep_numbers_whole) {
  char label[LABEL_BYTES];
  for (int room = 0; room < 12000; room += 100) {
    const char *mark = NULL;
    if (label_fit("stack 123456 of 789.25 MiB", 1000, room, label))
      mark = strstr(label, "\xe2\x80\xa6");
    if (!mark) continue;
    assert_false(mark > label && (isdigit((unsigned char)mark[-1]) || mark[-1] == '.'));
    assert_false(isdigit((unsigned char)mark[3]) && mark[3] != '7');
  }
}

TEST(labels_never_exceed_their_room) {
  char label[LABEL_BYTES], *name = malloc(10001);
  assert_non_null(name);
  for (size_t i = 0; i < 10000; i++)
    name[i] = (char)(i % 7 ? 'W' : '\xe6');
  name[10000] = '\0';
  for (int room = 0; room < 300000; room += 777)
    if (label_fit(name, 1000, room, label)) assert_true(label_width(label, 1000) <= room);
  assert_true(strlen(label_clean(name, label)) < LABEL_BYTES);
  free(name);
}

TEST(names_of_levels_keep_apart) {
  const struct frame frame = {0, 1000, 5000, 9000};
  struct level levels[] = {
      {"a", "", 1000, 0}, {"b", "", 1100, 0}, {"c", "", 8990, 0}, {"d", "", 9000, 0}};
  frame_spread_levels(&frame, levels, 4, 600);
  for (size_t i = 0; i < 4; i++) {
    assert_true(levels[i].text_y >= frame.top && levels[i].text_y <= frame.bottom);
    if (i > 0) assert_true(levels[i].text_y - levels[i - 1].text_y >= 600);
  }
}

/* ---------------------------------------------------------------- the stack of the peak */

/* The stack of buffers that makes a plan's peak. */

static void expect_layer(const struct stack_layer *layer, size_t buffer, neap_offset low,
                         neap_offset high, neap_range touch) {
  assert_int_equal(layer->buffer, buffer);
  assert_int_equal(layer->low, low);
  assert_int_equal(layer->high, high);
  assert_int_equal(layer->touch.start, touch.start);
  assert_int_equal(layer->touch.end, touch.end);
}

/*
 *      600 +--------+            1 ends at the peak, above a hole, since 3 does not live with it
 *      400 +---1----+ +--+       and 2 ends lower than 0.
 *      300 +--+       | 3|
 *          |0 |+-+    |  |
 *        0 +--++2+----+--+
 */
TEST(a_stack_reaches_the_bottom) {
  static const struct sample samples[] = {
      {0, 5, 300, 1}, {2, 9, 200, 1}, {6, 8, 50, 1}, {9, 12, 400, 1}, {0, 12, 0, 1}};
  static const neap_offset offsets[] = {0, 400, 0, 0, 350};
  neap_problem *problem = sample_problem(samples, 5);
  neap_plan *plan = sample_plan(problem, offsets);
  struct stack stack;
  neap_error error;
  assert_ok(stack_init(&stack, plan, 0, &error), &error);
  assert_int_equal(stack.count, 3);
  expect_layer(&stack.layers[0], 1, 400, 600, (neap_range){2, 9});
  expect_layer(&stack.layers[1], STACK_HOLE, 300, 400, (neap_range){2, 5});
  expect_layer(&stack.layers[2], 0, 0, 300, (neap_range){2, 5});
  stack_clear(&stack);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(an_empty_plan_has_no_stack) {
  static const struct sample samples[] = {{0, 5, 0, 1}};
  neap_problem *problem = sample_problem(samples, 1);
  neap_plan *plan = sample_plan(problem, (const neap_offset[]){7});
  struct stack stack;
  neap_error error;
  assert_ok(stack_init(&stack, plan, 0, &error), &error);
  assert_int_equal(stack.count, 0);
  stack_clear(&stack);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static bool alive_within(const struct neap_problem *problem, size_t buffer, neap_range when) {
  for (size_t i = problem_ranges_begin(problem, buffer);
       i < problem->buffers[buffer].ranges_end; i++)
    if (problem->ranges[i].start <= when.start && when.end <= problem->ranges[i].end)
      return true;
  return false;
}

/* No buffer alive with `above` ends between the two; checked by brute force. */
static void expect_nothing_between(const struct neap_plan *plan, size_t above,
                                   const struct stack_layer *hole) {
  for (size_t i = 0; i < plan->problem->count; i++) {
    neap_offset end = plan_end(plan, i);
    if (plan->problem->buffers[i].size == 0 || end <= hole->low || end > hole->high) continue;
    for (size_t r = problem_ranges_begin(plan->problem, i);
         r < plan->problem->buffers[i].ranges_end; r++)
      for (size_t q = problem_ranges_begin(plan->problem, above);
           q < plan->problem->buffers[above].ranges_end; q++)
        assert_true(plan->problem->ranges[r].end <= plan->problem->ranges[q].start ||
                    plan->problem->ranges[q].end <= plan->problem->ranges[r].start);
  }
}

static void expect_stack(const struct neap_plan *plan, const struct stack *stack) {
  neap_offset high = plan->report.peak;
  size_t above = STACK_HOLE;
  for (size_t i = 0; i < stack->count; i++) {
    const struct stack_layer *layer = &stack->layers[i];
    assert_int_equal(layer->high, high);
    assert_true(layer->low < layer->high);
    high = layer->low;
    if (layer->buffer == STACK_HOLE) {
      expect_nothing_between(plan, above, layer);
      continue;
    }
    assert_int_equal(layer->low, plan->offsets[layer->buffer]);
    if (above != STACK_HOLE) {
      assert_true(alive_within(plan->problem, layer->buffer, layer->touch));
      assert_true(alive_within(plan->problem, above, layer->touch));
    }
    above = layer->buffer;
  }
  assert_int_equal(high, 0);
}

TEST(every_stack_is_connected) {
  for (uint64_t seed = 1, tries = sample_tries(200); seed <= tries; seed++) {
    struct instance instance = instance_random(seed, 40, WITH_ALL & ~WITH_FIXED);
    neap_problem *problem = instance_problem(&instance);
    struct layout layout;
    layout_sorted(&layout, problem, "size", seed % 2 ? "lowest" : "tight");
    neap_plan *plan = sample_plan(problem, layout.offsets);
    struct stack stack;
    neap_error error;
    assert_ok(stack_init(&stack, plan, 0, &error), &error);
    if (stack.count > 0) expect_stack(plan, &stack);
    stack_clear(&stack);
    neap_plan_free(plan);
    layout_clear(&layout);
    neap_problem_free(problem);
    instance_free(&instance);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_axis_maps_its_ends_exactly),
      cmocka_unit_test(ticks_are_round_numbers),
      cmocka_unit_test(seconds_have_a_tick_at_every_power_of_ten),
      cmocka_unit_test(a_span_of_seconds_ends_at_powers_of_ten),
      cmocka_unit_test(fractions_get_as_many_decimals_as_needed),
      cmocka_unit_test(bytes_come_in_binary_units),
      cmocka_unit_test(quantities_map_to_axis_units),
      cmocka_unit_test(numbers_are_grouped_and_scaled),
      cmocka_unit_test(invalid_characters_are_replaced),
      cmocka_unit_test(characters_survive_encoding),
      cmocka_unit_test(labels_keep_both_ends),
      cmocka_unit_test(labels_keep_numbers_whole),
      cmocka_unit_test(labels_never_exceed_their_room),
      cmocka_unit_test(names_of_levels_keep_apart),
      cmocka_unit_test(a_stack_reaches_the_bottom),
      cmocka_unit_test(an_empty_plan_has_no_stack),
      cmocka_unit_test(every_stack_is_connected),
  };
  return cmocka_run_group_tests_name("parts of pictures", tests, NULL, NULL);
}
