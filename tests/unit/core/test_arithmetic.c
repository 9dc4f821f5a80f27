/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arithmetic that must not overflow: sizes of memory and wide numbers. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/uint256.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- sizes of memory */

static void expect_zero(const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    assert_int_equal(((const unsigned char *)bytes)[i], 0);
}

/* Below and above the size up to which freed blocks are kept at hand. */
TEST(arrays_are_zeroed_whatever_was_there) {
  static const size_t sizes[] = {0, 1, 24, 1023, 1024, 1025, 100000};
  for (size_t i = 0; i < SAMPLE_COUNT(sizes); i++)
    for (int again = 0; again < 2; again++) {
      char *array = memory_array(sizes[i], 1);
      assert_non_null(array);
      expect_zero(array, sizes[i]);
      memset(array, 1, sizes[i]);
      free(array);
    }
}

TEST(sizes_that_overflow_are_refused) {
  char *array;
  const struct memory_part product[] = {{&array, SIZE_MAX / 2, 4}};
  const struct memory_part sum[] = {{&array, SIZE_MAX - 40, 1}, {&array, 100, 1}};
  assert_null(memory_array(SIZE_MAX / 2, 4));
  assert_null(memory_scratch(SIZE_MAX / 2, 4));
  assert_null(memory_block(product, 1));
  assert_null(memory_block(sum, 2));
}

TEST(parts_of_a_block_are_apart_aligned_and_zeroed) {
  char *bytes, *none;
  uint64_t *numbers;
  long double *wide;
  const struct memory_part parts[] = {
      {&bytes, 3, 1}, {&none, 0, 1}, {&numbers, 5, sizeof *numbers}, {&wide, 2, sizeof *wide}};
  void *block = memory_block(parts, SAMPLE_COUNT(parts));
  assert_non_null(block);
  expect_zero(bytes, 3);
  expect_zero(numbers, 5 * sizeof *numbers);
  expect_zero(wide, 2 * sizeof *wide);
  assert_int_equal((uintptr_t)numbers % _Alignof(uint64_t), 0);
  assert_int_equal((uintptr_t)wide % _Alignof(long double), 0);
  assert_true(bytes + 3 <= (char *)numbers && (char *)(numbers + 5) <= (char *)wide);
  memset(wide, 1, 2 * sizeof *wide);
  free(block);
}

/* ---------------------------------------------------------------- wide numbers */

#define TOP ((wide_half)1 << 127)
#define ALL_ONES (~(wide_half)0)

static void expect(struct uint256 found, wide_half high, wide_half low) {
  assert_true(found.high == high);
  assert_true(found.low == low);
}

TEST(small_products_stay_in_the_low_half) {
  expect(uint256_product(0, 0), 0, 0);
  expect(uint256_product(0, ALL_ONES), 0, 0);
  expect(uint256_product(1, ALL_ONES), 0, ALL_ONES);
  expect(uint256_product(ALL_ONES, 1), 0, ALL_ONES);
  expect(uint256_product(123456789, 987654321), 0, (wide_half)121932631112635269);
  expect(uint256_product(UINT64_MAX, UINT64_MAX), 0, (wide_half)UINT64_MAX * UINT64_MAX);
}

TEST(powers_of_two_add_their_exponents) {
  for (unsigned a = 0; a < 128; a++)
    for (unsigned b = 0; b < 128; b++) {
      unsigned sum = a + b;
      expect(uint256_product((wide_half)1 << a, (wide_half)1 << b),
             sum >= 128 ? (wide_half)1 << (sum - 128) : 0, sum < 128 ? (wide_half)1 << sum : 0);
    }
}

/* (2^128 - 1)^2 = 2^256 - 2^129 + 1 has every possible carry. */
TEST(the_largest_product_is_exact) {
  expect(uint256_product(ALL_ONES, ALL_ONES), ALL_ONES - 1, 1);
  expect(uint256_product(ALL_ONES, 2), 1, ALL_ONES - 1);
  expect(uint256_product(TOP, 2), 1, 0);
}

/*
 * (a + 1) * b is b more than a * b, including the carry into the high half; and factors may be
 * swapped.
 */
TEST(products_distribute) {
  wide_half a = 1, b = 3;
  for (int i = 0; i < 20000; i++) {
    a = a * 0xda942042e4dd58b5 + 0x9e3779b97f4a7c15;
    b = b * 0xd1342543de82ef95 + (a >> 64);
    if (a == ALL_ONES) continue;
    struct uint256 product = uint256_product(a, b), more = uint256_product(a + 1, b);
    expect(more, product.high + (product.low + b < b), product.low + b);
    expect(uint256_product(b, a), product.high, product.low);
  }
}

TEST(a_half_becomes_the_low_half) {
  expect(uint256_from(0), 0, 0);
  expect(uint256_from(ALL_ONES), 0, ALL_ONES);
}

TEST(comparing_looks_at_the_high_half_first) {
  static const struct uint256 ascending[] = {{0, 0}, {0, 1},   {0, ALL_ONES},   {1, 0},
                                             {1, 5}, {TOP, 0}, {TOP, ALL_ONES}, {ALL_ONES, 0}};
  int count = (int)SAMPLE_COUNT(ascending);
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) {
      int found = uint256_compare(&ascending[i], &ascending[j]);
      assert_int_equal((found > 0) - (found < 0), (i > j) - (i < j));
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrays_are_zeroed_whatever_was_there),
      cmocka_unit_test(sizes_that_overflow_are_refused),
      cmocka_unit_test(parts_of_a_block_are_apart_aligned_and_zeroed),
      cmocka_unit_test(small_products_stay_in_the_low_half),
      cmocka_unit_test(powers_of_two_add_their_exponents),
      cmocka_unit_test(the_largest_product_is_exact),
      cmocka_unit_test(products_distribute),
      cmocka_unit_test(a_half_becomes_the_low_half),
      cmocka_unit_test(comparing_looks_at_the_high_half_first),
  };
  return cmocka_run_group_tests_name("arithmetic", tests, NULL, NULL);
}
