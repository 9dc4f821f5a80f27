/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "neap-tool.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- UTF-8 */

/* The number of valid bytes of the text; its length is given if it contains a NUL. */
static void expect_prefix(const char *text, size_t length, size_t wanted) {
  size_t found = text_utf8_prefix(text, length);
  if (found != wanted) {
    char excerpt[TEXT_EXCERPT];
    fail_msg("%s: expected %zu valid bytes, found %zu", text_excerpt(excerpt, text, length),
             wanted, found);
  }
}

static void valid(const char *text) { expect_prefix(text, strlen(text), strlen(text)); }

/* `good` bytes are valid; those after them are not. */
static void invalid(const char *text, size_t good) { expect_prefix(text, strlen(text), good); }

TEST(well_formed_texts_are_valid) {
  valid("");
  valid("plain");
  valid("\x01\x7f");
  valid("\xc2\x80 \xdf\xbf");
  valid("\xe0\xa0\x80 \xed\x9f\xbf \xee\x80\x80 \xef\xbf\xbf");
  valid("\xf0\x90\x80\x80 \xf4\x8f\xbf\xbf");
  expect_prefix("a\0b", 3, 3);
}

TEST(ill_formed_texts_are_valid_up_to_the_fault) {
  invalid("ab\x80", 2);
  invalid("ab\xbf", 2);
  invalid("\xc3", 0);
  invalid("a\xe2\x82", 1);
  invalid("a\xf0\x9f\x98", 1);
  invalid("\xc3(", 0);
  invalid("\xe2\x28\xa1", 0);
  invalid("\xe2\x82\x28", 0);
  invalid("\xf0\x28\x8c\xbc", 0);
  invalid("\xfe", 0);
  invalid("\xff", 0);
}

TEST(overlong_forms_surrogates_and_large_values_are_invalid) {
  invalid("\xc0\xaf", 0);
  invalid("\xc1\xbf", 0);
  invalid("\xe0\x80\xaf", 0);
  invalid("\xe0\x9f\xbf", 0);
  invalid("\xf0\x80\x80\xaf", 0);
  invalid("\xf0\x8f\xbf\xbf", 0);
  invalid("\xed\xa0\x80", 0);
  invalid("\xed\xbf\xbf", 0);
  invalid("\xf4\x90\x80\x80", 0);
  invalid("\xf5\x80\x80\x80", 0);
  invalid("\xf8\x88\x80\x80\x80", 0);
}

/* Bytes beyond the length are ignored. */
TEST(a_character_cut_by_the_length_is_invalid) {
  expect_prefix("a\xc3\xa9", 2, 1);
  expect_prefix("a\xe2\x82\xac", 3, 1);
}

/* ---------------------------------------------------------------- excerpts */

static void expect_excerpt(const char *text, size_t length, const char *wanted) {
  char excerpt[TEXT_EXCERPT];
  assert_ptr_equal(text_excerpt(excerpt, text, length), excerpt);
  assert_string_equal(excerpt, wanted);
}

TEST(short_texts_are_shown_whole) {
  expect_excerpt("", 0, "''");
  expect_excerpt("12x", 3, "'12x'");
  expect_excerpt("caf\xc3\xa9", 5, "'caf\xc3\xa9'");
}

TEST(unprintable_bytes_are_escaped) {
  expect_excerpt("a\0b\n\x1b\x7f", 6, "'a\\x00b\\x0a\\x1b\\x7f'");
  expect_excerpt("\xff\xc3", 2, "'\\xff\\xc3'");
  expect_excerpt("\xc2\x9b\xe2\x80\xae", 5, "'\\xc2\\x9b\\xe2\\x80\\xae'");
}

/*
 * For any text, the excerpt is terminated within its size, is valid UTF-8, begins and ends with
 * a quote, and shows whether it is cut.
 */
static void expect_fitting(const char *text, size_t length) {
  char guarded[TEXT_EXCERPT + 1];
  memset(guarded, 0x5a, sizeof guarded);
  text_excerpt(guarded, text, length);
  size_t written = strlen(guarded);
  assert_true(written < TEXT_EXCERPT);
  assert_int_equal(guarded[TEXT_EXCERPT], 0x5a);
  assert_int_equal(text_utf8_prefix(guarded, written), written);
  assert_true(guarded[0] == '\'' && guarded[written - 1] == '\'');
  if (length > TEXT_EXCERPT) assert_non_null(strstr(guarded, "..."));
}

TEST(long_texts_are_cut) {
  static const char *const patterns[] = {"x",    "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80",
                                         "\x01", "\xff"};
  char text[400];
  for (size_t p = 0; p < SAMPLE_COUNT(patterns); p++)
    for (size_t lead = 0; lead < 8; lead++) {
      size_t length = 0, step = strlen(patterns[p]);
      while (length < lead)
        text[length++] = 'a';
      while (length + step <= sizeof text) {
        memcpy(text + length, patterns[p], step);
        length += step;
        expect_fitting(text, length);
      }
    }
}

/* ---------------------------------------------------------------- numbers */

static void expect_number(const char *text, int64_t wanted) {
  int64_t number = -7;
  assert_int_equal(text_number(text, strlen(text), &number), TEXT_NUMBER_OK);
  assert_true(number == wanted);
}

TEST(digits_are_read_as_numbers) {
  expect_number("0", 0);
  expect_number("7", 7);
  expect_number("007", 7);
  expect_number("1234567890", 1234567890);
  expect_number("9223372036854775807", INT64_MAX);
  expect_number("00000000000000000000000009223372036854775807", INT64_MAX);
}

TEST(other_texts_are_rejected_with_a_reason) {
  static const struct {
    const char *text;
    enum text_number why;
  } table[] = {
      {"", TEXT_NUMBER_EMPTY},
      {"-1", TEXT_NUMBER_SIGN},
      {"+1", TEXT_NUMBER_SIGN},
      {"-", TEXT_NUMBER_SIGN},
      {"1.5", TEXT_NUMBER_FRACTION},
      {"1.", TEXT_NUMBER_FRACTION},
      {".5", TEXT_NUMBER_RUBBISH},
      {"12x", TEXT_NUMBER_RUBBISH},
      {"0x10", TEXT_NUMBER_RUBBISH},
      {"1e3", TEXT_NUMBER_RUBBISH},
      {" 1", TEXT_NUMBER_RUBBISH},
      {"1 ", TEXT_NUMBER_RUBBISH},
      {"1,000", TEXT_NUMBER_RUBBISH},
      {"\xd9\xa1", TEXT_NUMBER_RUBBISH},
      {"9223372036854775808", TEXT_NUMBER_LARGE},
      {"18446744073709551616", TEXT_NUMBER_LARGE},
      {"99999999999999999999999999999999", TEXT_NUMBER_LARGE},
      {"99999999999999999999999999999999x", TEXT_NUMBER_RUBBISH},
  };
  for (size_t i = 0; i < SAMPLE_COUNT(table); i++) {
    int64_t number = -7;
    enum text_number why = text_number(table[i].text, strlen(table[i].text), &number);
    if (why != table[i].why) fail_msg("\"%s\" gives %d", table[i].text, (int)why);
    assert_true(text_number_problem(why)[0] != '\0');
  }
  assert_string_equal(text_number_problem(TEXT_NUMBER_OK), "");
}

TEST(a_number_ends_with_its_length) {
  int64_t number;
  assert_int_equal(text_number("123456", 3, &number), TEXT_NUMBER_OK);
  assert_int_equal(number, 123);
  assert_int_equal(text_number("12\0", 3, &number), TEXT_NUMBER_RUBBISH);
}

/* ---------------------------------------------------------------- byte counts */

static void expect_bytes(int64_t bytes, const char *wanted) {
  char text[TEXT_BYTES];
  assert_ptr_equal(text_bytes(text, bytes), text);
  assert_string_equal(text, wanted);
}

TEST(byte_counts_have_a_unit) {
  expect_bytes(0, "0 B");
  expect_bytes(1, "1 B");
  expect_bytes(1023, "1023 B");
  expect_bytes(1024, "1.00 KiB");
  expect_bytes(1536, "1.50 KiB");
  expect_bytes(1048576, "1.00 MiB");
  expect_bytes(INT64_C(5) << 30, "5.00 GiB");
  expect_bytes(INT64_C(3) << 40, "3.00 TiB");
  expect_bytes(INT64_C(3) << 50, "3.00 PiB");
  expect_bytes(INT64_C(1) << 60, "1.00 EiB");
  expect_bytes(INT64_MAX, "8.00 EiB");
}

TEST(byte_counts_are_rounded_to_the_nearest) {
  expect_bytes(1024 + 5, "1.00 KiB");
  expect_bytes(1024 + 6, "1.01 KiB");
  expect_bytes(1024 + 1018, "1.99 KiB");
  expect_bytes(2048 - 1, "2.00 KiB");
  expect_bytes((INT64_C(3) << 40) / 2, "1.50 TiB");
}

/*
 * Just below a unit, the rounded number may reach 1024 of the smaller unit; it must still be
 * correct.
 */
TEST(byte_counts_just_below_a_unit_are_right) {
  for (unsigned unit = 20; unit <= 60; unit += 10) {
    char text[TEXT_BYTES];
    text_bytes(text, (INT64_C(1) << unit) - 1);
    assert_true(strncmp(text, "1024.00 ", 8) == 0 || strncmp(text, "1.00 ", 5) == 0);
  }
}

/* ---------------------------------------------------------------- gaps */

static void expect_gap(double percent, const char *wanted) {
  char text[NEAP_GAP_TEXT];
  assert_string_equal(neap_gap_text(percent, text), wanted);
}

TEST(gaps_are_never_rounded_to_zero) {
  expect_gap(0, "0 %");
  expect_gap(-15.79, "0 %");
  expect_gap(1e-9, "<0.01 %");
  expect_gap(0.01, "0.01 %");
  expect_gap(0.37, "0.37 %");
  expect_gap(29, "29.00 %");
  expect_gap(999.999, "1,000.00 %");
  expect_gap(12345.678, "12,345.68 %");
  expect_gap(1e6, "1,000,000.00 %");
  expect_gap(4.6e20, ">1,000,000 %");
}

TEST(the_locale_does_not_matter) {
  static const char *const locales[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "C.UTF-8"};
  for (size_t i = 0; i < SAMPLE_COUNT(locales); i++)
    if (setlocale(LC_ALL, locales[i])) expect_bytes(1536, "1.50 KiB");
  setlocale(LC_ALL, "C");
}

/* ---------------------------------------------------------------- lists in errors */

TEST(a_list_in_an_error_is_never_cut_within_a_name) {
  neap_error error;
  error_set(&error, NEAP_ERROR_INPUT, "one of");
  for (int i = 0; i < 1000; i++)
    error_append(&error, i > 0 ? ", " : " ", "name");
  size_t length = strlen(error.text);
  assert_true(length < sizeof error.text);
  assert_true(length > sizeof error.text - 16);
  assert_string_equal(error.text + length - strlen(", name, ..."), ", name, ...");
  error_append(&error, ", ", "a"); /* would fit */
  assert_int_equal(strlen(error.text), length);
  error_append(NULL, ", ", "a");
}

TEST(numbers_are_written_as_digits) {
  static const uint64_t numbers[] = {0, 9, 10, 99, 100, 1048576, UINT64_MAX - 1, UINT64_MAX};
  for (size_t i = 0; i < SAMPLE_COUNT(numbers); i++) {
    char text[TEXT_DECIMAL], wanted[TEXT_DECIMAL];
    snprintf(wanted, sizeof wanted, "%" PRIu64, numbers[i]);
    assert_int_equal(text_decimal(text, numbers[i]), strlen(wanted));
    assert_string_equal(text, wanted);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_are_written_as_digits),
      cmocka_unit_test(well_formed_texts_are_valid),
      cmocka_unit_test(ill_formed_texts_are_valid_up_to_the_fault),
      cmocka_unit_test(overlong_forms_surrogates_and_large_values_are_invalid),
      cmocka_unit_test(a_character_cut_by_the_length_is_invalid),
      cmocka_unit_test(short_texts_are_shown_whole),
      cmocka_unit_test(unprintable_bytes_are_escaped),
      cmocka_unit_test(long_texts_are_cut),
      cmocka_unit_test(digits_are_read_as_numbers),
      cmocka_unit_test(other_texts_are_rejected_with_a_reason),
      cmocka_unit_test(a_number_ends_with_its_length),
      cmocka_unit_test(byte_counts_have_a_unit),
      cmocka_unit_test(byte_counts_are_rounded_to_the_nearest),
      cmocka_unit_test(byte_counts_just_below_a_unit_are_right),
      cmocka_unit_test(gaps_are_never_rounded_to_zero),
      cmocka_unit_test(the_locale_does_not_matter),
      cmocka_unit_test(a_list_in_an_error_is_never_cut_within_a_name),
  };
  return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
