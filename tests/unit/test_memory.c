/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/sample.h"

static void expect_zero(const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    assert_int_equal(((const unsigned char *)bytes)[i], 0);
}

/* Below and above the size up to which freed blocks are kept at hand. */
static void arrays_are_zeroed_whatever_was_there(void **state) {
  (void)state;
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

static void sizes_that_overflow_are_refused(void **state) {
  (void)state;
  char *array;
  const struct memory_part product[] = {{&array, SIZE_MAX / 2, 4}};
  const struct memory_part sum[] = {{&array, SIZE_MAX - 40, 1}, {&array, 100, 1}};
  assert_null(memory_array(SIZE_MAX / 2, 4));
  assert_null(memory_scratch(SIZE_MAX / 2, 4));
  assert_null(memory_block(product, 1));
  assert_null(memory_block(sum, 2));
}

static void parts_of_a_block_are_apart_aligned_and_zeroed(void **state) {
  (void)state;
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arrays_are_zeroed_whatever_was_there),
      cmocka_unit_test(sizes_that_overflow_are_refused),
      cmocka_unit_test(parts_of_a_block_are_apart_aligned_and_zeroed),
  };
  return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
