/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options: the table must describe what neap_options_set takes. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/sample.h"

static neap_options *make(void) {
  neap_options *options = neap_options_new();
  assert_non_null(options);
  return options;
}

static void takes(const char *name, const char *value) {
  neap_options *options = make();
  neap_error error;
  assert_ok(neap_options_set(options, name, value, &error), &error);
  assert_ok(neap_options_set(options, name, value, NULL), &error);
  neap_options_free(options);
}

/* Values that a message can show as they are; of an order it shows the part that is wrong. */
static bool is_shown(const char *name, const char *value) {
  for (const char *at = value; *at; at++)
    if (*at < ' ' || *at > '~') return false;
  bool is_shown_in_part = strcmp(name, "order") == 0 || strcmp(name, "disable") == 0;
  return strlen(value) < 30 && !is_shown_in_part;
}

/* The message names the option and what was given. */
static void refuses(const char *name, const char *value) {
  neap_options *options = make();
  neap_error error = {.text = ""};
  neap_status status = neap_options_set(options, name, value, &error);
  if (status != NEAP_ERROR_ARGUMENT)
    fail_msg("%s: \"%s\" gives %s", name, value, neap_status_name(status));
  sample_check_error(&error, NEAP_ERROR_ARGUMENT, __FILE__, __LINE__);
  assert_string_equal(error.source, name);
  if (is_shown(name, value)) assert_says(&error, value);
  assert_int_equal(neap_options_set(options, name, value, NULL), NEAP_ERROR_ARGUMENT);
  neap_options_free(options);
}

static void for_options(void check(const neap_option_info *info)) {
  neap_option_info info = NEAP_INIT(neap_option_info);
  size_t count = 0;
  while (neap_option_at(count, &info)) {
    check(&info);
    count++;
  }
  assert_in_range(count, 10, 1000);
}

/* ---------------------------------------------------------------- the table */

TEST(the_table_is_sorted_and_ends) {
  neap_option_info info = NEAP_INIT(neap_option_info);
  const char *last = "";
  size_t count = 0;
  for (; neap_option_at(count, &info); count++) {
    assert_true(strcmp(last, info.name) < 0);
    last = info.name;
  }
  assert_false(neap_option_at(count + 1, &info));
  assert_false(neap_option_at(SIZE_MAX, &info));
}

TEST(names_that_scripts_rely_on_exist) {
  static const char *const names[] = {"capacity",   "engine",       "group-overlap",
                                      "group-size", "keep-layouts", "max-group-rounds",
                                      "max-rounds", "max-ticks",    "disable",
                                      "order",      "place",        "rearrange",
                                      "seed",       "threads",      "time-limit"};
  for (size_t i = 0; i < SAMPLE_COUNT(names); i++) {
    neap_option_info info = NEAP_INIT(neap_option_info);
    size_t at = 0;
    while (neap_option_at(at, &info) && strcmp(info.name, names[i]) != 0)
      at++;
    if (!neap_option_at(at, &info)) fail_msg("there is no option \"%s\"", names[i]);
  }
}

static bool has_choices(const neap_option_info *info) {
  return info->kind == NEAP_OPTION_CHOICE || info->kind == NEAP_OPTION_LIST;
}

static void check_description(const neap_option_info *info) {
  if (info->kind == NEAP_OPTION_SWITCH) assert_null(info->argument);
  else assert_true(info->argument && info->argument[0]);
  assert_true(info->help && info->help[0]);
  assert_true(info->heading && info->heading[0]);
  assert_null(strchr(info->help, '\n'));
  assert_non_null(info->initial);
  assert_true(info->low <= info->high);
  assert_true(info->choice_count <= NEAP_CHOICES_MAX);
  assert_int_equal(info->choice_count > 0, has_choices(info));
  for (size_t i = 0; i < info->choice_count; i++)
    assert_true(info->choices[i][0] && info->summaries[i][0]);
}

TEST(every_option_is_described) {
  for_options(check_description);
}

/* ---------------------------------------------------------------- values */

static void check_default(const neap_option_info *info) {
  if (info->initial[0]) takes(info->name, info->initial);
}

TEST(every_default_is_accepted) {
  for_options(check_default);
}

static void check_garbage(const neap_option_info *info) {
  static const char *const garbage[] = {"",    " ",      "garbage", "-",   "--",    "\xff",
                                        "12x", "x1",     "1 2",     " 1",  "1 ",    "+1",
                                        "0x",  "1e1000", "%s",      "nan", "inf",   "-inf",
                                        "1,0", "1..2",   ".",       "-0",  "size ", "lowest\n"};
  for (size_t i = 0; i < SAMPLE_COUNT(garbage); i++)
    refuses(info->name, garbage[i]);
  char large[5000];
  memset(large, '9', sizeof large);
  large[sizeof large - 1] = '\0';
  refuses(info->name, large);
}

TEST(garbage_is_refused) {
  for_options(check_garbage);
}

static bool is_number(const neap_option_info *info) {
  return !has_choices(info) && info->kind != NEAP_OPTION_ORDER &&
         info->kind != NEAP_OPTION_SWITCH;
}

static void check_range(const neap_option_info *info) {
  char text[64];
  if (!is_number(info)) return;
  snprintf(text, sizeof text, "%" PRId64, info->low);
  if (info->kind != NEAP_OPTION_SECONDS || info->low > 0) takes(info->name, text);
  snprintf(text, sizeof text, "%" PRId64, info->high);
  takes(info->name, text);
  snprintf(text, sizeof text, "%" PRIu64, (uint64_t)info->high + 1);
  refuses(info->name, text);
  refuses(info->name, "-1");
  refuses(info->name, "9223372036854775808");
  refuses(info->name, "18446744073709551617");
  if (info->low == 0) return;
  snprintf(text, sizeof text, "%" PRId64, info->low - 1);
  refuses(info->name, text);
}

TEST(numbers_outside_their_range_are_rejected) {
  for_options(check_range);
}

static void check_fractions(const neap_option_info *info) {
  if (!is_number(info)) return;
  if (info->kind == NEAP_OPTION_SECONDS || info->kind == NEAP_OPTION_RATIO) {
    takes(info->name, "0.5");
    takes(info->name, "0.000001");
    refuses(info->name, "0.5x");
    refuses(info->name, "0,5");
    refuses(info->name, "-0.5");
    refuses(info->name, "0.5.5");
  } else {
    refuses(info->name, "1.5");
    refuses(info->name, "2.0");
  }
}

TEST(only_fractions_have_a_point) {
  for_options(check_fractions);
}

static void check_choices(const neap_option_info *info) {
  for (size_t i = 0; i < info->choice_count; i++) {
    char wrong[128];
    takes(info->name, info->choices[i]);
    snprintf(wrong, sizeof wrong, "%sx", info->choices[i]);
    refuses(info->name, wrong);
    snprintf(wrong, sizeof wrong, "%.*s", (int)strlen(info->choices[i]) - 1, info->choices[i]);
    refuses(info->name, wrong);
    wrong[0] = (char)(info->choices[i][0] - 'a' + 'A');
    refuses(info->name, wrong);
  }
}

TEST(only_exact_spellings_of_choices_are_accepted) {
  for_options(check_choices);
}

TEST(lists_are_names_between_commas) {
  takes("disable", "twins,boundaries");
  takes("disable", "boundaries,boundaries");
  refuses("disable", "twins,");
  refuses("disable", ",twins");
  refuses("disable", "twins,,boundaries");
  refuses("disable", "twins, boundaries");
  refuses("disable", "twins,boards"); /* the search cannot do without them */
}

static void expect_size(const char *text, neap_size wanted) {
  neap_options *options = make();
  neap_size size = -7;
  neap_error error;
  assert_ok(neap_options_set(options, "capacity", text, &error), &error);
  assert_true(neap_options_number(options, "capacity", &size));
  assert_int_equal(size, wanted);
  neap_options_free(options);
}

TEST(byte_counts_are_read_in_every_form) {
  expect_size("4096", 4096);
  expect_size("4096B", 4096);
  expect_size("4096b", 4096);
  expect_size("0x1000", 4096);
  expect_size("0X1F", 31);
  expect_size("0x7fffffffffffffff", NEAP_MAX);
  expect_size("0x0000000000000000000010", 16);
  static const char *const binary[] = {"3K", "3k", "3KiB", "3kib", "3Kib"};
  for (size_t i = 0; i < SAMPLE_COUNT(binary); i++)
    expect_size(binary[i], 3 * 1024);
  expect_size("9m", 9 * 1024 * 1024);
  expect_size("9MiB", 9 * 1024 * 1024);
  expect_size("9MB", 9000000);
  expect_size("9mb", 9000000);
  expect_size("3kB", 3000);
  expect_size("2G", INT64_C(1) << 31);
  expect_size("2GB", 2000000000);
  expect_size("2TiB", INT64_C(1) << 41);
  expect_size("2tb", INT64_C(2000000000000));
  expect_size("9007199254740991KiB", NEAP_MAX - 1023);
  expect_size("1.5M", 3 * 512 * 1024);
  expect_size("0.25KiB", 256);
  expect_size("2.375k", 2432);
  expect_size("1.234567mb", 1234567);
  expect_size("1.500000kB", 1500);
  expect_size("4096.0B", 4096);
}

TEST(invalid_byte_counts_are_rejected) {
  static const char *const texts[] = {"",      "K",      "B",   "0x",    "0xg", "x10", "4 K",
                                      "4KiBs", "4KBs",   "4iB", "4KK",   "4P",  "4Bi", "-4K",
                                      "+4",    "1.3K",   "4e3", "0x10K", " 4",  "4 ",  "1_000",
                                      "0b1",   "4K\xff", "4\n", "1,024"};
  for (size_t i = 0; i < SAMPLE_COUNT(texts); i++)
    refuses("capacity", texts[i]);
  static const char *const fractions[] = {"1.",     "1.M",   ".5M",    "1.5",    "1.0000001MB",
                                          "0.3kiB", "1..5M", "0x1.8K", "1.5.0M", "8388608.5T"};
  for (size_t i = 0; i < SAMPLE_COUNT(fractions); i++)
    refuses("capacity", fractions[i]);
  refuses("capacity", "9223372036854775808");
  refuses("capacity", "9223372036854775807K");
  refuses("capacity", "9007199254740992KiB");
  refuses("capacity", "0x8000000000000000");
}

TEST(orders_are_checked_at_once) {
  takes("order", "size");
  takes("order", "overlap,-size*duration");
  refuses("order", "weight");
  refuses("order", "size,,duration");
  refuses("order", "size/duration/overlap");
}

/* The message names every engine in full, however many there are. */
static void check_choices_are_listed(const neap_option_info *info) {
  neap_options *options = make();
  neap_error error;
  if (has_choices(info)) {
    assert_error(neap_options_set(options, info->name, "x", &error), NEAP_ERROR_ARGUMENT,
                 &error);
    for (size_t i = 0; i < info->choice_count; i++)
      assert_says(&error, info->choices[i]);
    assert_null(strstr(error.text, "..."));
  }
  neap_options_free(options);
}

TEST(an_unknown_choice_lists_all_of_them) {
  for_options(check_choices_are_listed);
}

TEST(unknown_options_are_refused) {
  static const char *const names[] = {
      "",           "max",        "max-round",  "max-roundss", "--max-rounds",
      "MAX-ROUNDS", "max_rounds", "max-rounds "};
  for (size_t i = 0; i < SAMPLE_COUNT(names); i++) {
    neap_options *options = make();
    neap_error error;
    assert_error(neap_options_set(options, names[i], "1", &error), NEAP_ERROR_ARGUMENT, &error);
    assert_string_equal(error.source, names[i]);
    assert_string_equal(error.text, "unknown option");
    neap_options_free(options);
  }
}

/* ---------------------------------------------------------------- what is set */

/* Seven buffers whose bound no layout reaches, so that the tuner goes on. */
static neap_problem *hard(void) {
  static const struct sample samples[] = {{1, 4, 2, 0}, {2, 3, 2, 0}, {3, 5, 1, 0},
                                          {3, 6, 1, 0}, {4, 6, 1, 0}, {5, 7, 2, 0},
                                          {6, 7, 2, 0}};
  return sample_problem(samples, SAMPLE_COUNT(samples));
}

static neap_report solve(const neap_options *options) {
  neap_problem *problem = hard();
  neap_plan *plan = sample_solve(problem, options);
  neap_report report = sample_report(plan);
  report.run.engine = ""; /* lives as long as the plan */
  neap_plan_free(plan);
  neap_problem_free(problem);
  return report;
}

TEST(a_rejected_value_keeps_the_previous_one) {
  neap_options *options = make();
  neap_error error;
  assert_ok(neap_options_set(options, "engine", "tune", &error), &error);
  assert_ok(neap_options_set(options, "max-rounds", "1", &error), &error);
  assert_ok(neap_options_set(options, "seed", "4711", &error), &error);
  assert_error(neap_options_set(options, "max-rounds", "0", &error), NEAP_ERROR_ARGUMENT,
               &error);
  assert_error(neap_options_set(options, "seed", "x", &error), NEAP_ERROR_ARGUMENT, &error);
  assert_error(neap_options_set(options, "engine", "x", &error), NEAP_ERROR_ARGUMENT, &error);
  neap_report report = solve(options);
  assert_int_equal(report.run.rounds, 1);
  assert_int_equal(report.run.stop_reason, NEAP_STOP_ITERATION_CAP);
  assert_int_equal(report.run.seed, 4711);
  neap_options_free(options);
}

TEST(the_last_value_wins) {
  neap_options *options = make();
  neap_error error;
  assert_ok(neap_options_set(options, "engine", "tune", &error), &error);
  assert_ok(neap_options_set(options, "max-rounds", "40", &error), &error);
  assert_ok(neap_options_set(options, "max-rounds", "1", &error), &error);
  assert_int_equal(solve(options).run.rounds, 1);
  neap_options_free(options);
}

TEST(no_options_are_the_defaults) {
  neap_options *options = make();
  neap_report with = solve(options), without = solve(NULL);
  assert_int_equal(with.peak, without.peak);
  assert_int_equal(with.run.rounds, without.run.rounds);
  assert_int_equal(with.run.stop_reason, without.run.stop_reason);
  assert_int_equal(with.run.seed, without.run.seed);
  neap_options_free(options);
}

TEST(numbers_can_be_asked_for) {
  neap_options *options = make();
  int64_t number = 7;
  assert_false(neap_options_number(options, "engine", &number));
  assert_false(neap_options_number(options, "order", &number));
  assert_false(neap_options_number(options, "keep-layouts", &number));
  assert_false(neap_options_number(options, "unknown", &number));
  assert_int_equal(number, 7);
  assert_true(neap_options_number(options, "max-rounds", &number));
  assert_int_equal(number, 1000);
  assert_true(neap_options_number(options, "capacity", &number));
  assert_int_equal(number, -1);
  assert_true(neap_options_number(options, "time-limit", &number));
  assert_int_equal(number, 0);
  assert_int_equal(neap_options_set(options, "time-limit", "1.5", NULL), NEAP_OK);
  assert_true(neap_options_number(options, "time-limit", &number));
  assert_int_equal(number, 1500000);
  neap_options_free(options);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table_is_sorted_and_ends),
      cmocka_unit_test(names_that_scripts_rely_on_exist),
      cmocka_unit_test(every_option_is_described),
      cmocka_unit_test(every_default_is_accepted),
      cmocka_unit_test(garbage_is_refused),
      cmocka_unit_test(numbers_outside_their_range_are_rejected),
      cmocka_unit_test(only_fractions_have_a_point),
      cmocka_unit_test(only_exact_spellings_of_choices_are_accepted),
      cmocka_unit_test(lists_are_names_between_commas),
      cmocka_unit_test(byte_counts_are_read_in_every_form),
      cmocka_unit_test(invalid_byte_counts_are_rejected),
      cmocka_unit_test(orders_are_checked_at_once),
      cmocka_unit_test(an_unknown_choice_lists_all_of_them),
      cmocka_unit_test(unknown_options_are_refused),
      cmocka_unit_test(a_rejected_value_keeps_the_previous_one),
      cmocka_unit_test(the_last_value_wins),
      cmocka_unit_test(no_options_are_the_defaults),
      cmocka_unit_test(numbers_can_be_asked_for),
  };
  return cmocka_run_group_tests_name("api options", tests, NULL, NULL);
}
