/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>

#include "tests/vectors/replay.h"

const json_t *member(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  if (!value) fail_msg("the case has no \"%s\"", key);
  return value;
}

int64_t member_integer(const json_t *object, const char *key) {
  const json_t *value = member(object, key);
  if (!json_is_integer(value)) fail_msg("\"%s\" is no integer", key);
  return json_integer_value(value);
}

const char *member_text(const json_t *object, const char *key) {
  const json_t *value = member(object, key);
  if (!json_is_string(value)) fail_msg("\"%s\" is no string", key);
  return json_string_value(value);
}

const json_t *member_array(const json_t *object, const char *key) {
  const json_t *value = member(object, key);
  if (!json_is_array(value)) fail_msg("\"%s\" is no array", key);
  return value;
}

int64_t element_integer(const json_t *array, size_t index) {
  const json_t *value = json_array_get(array, index);
  if (!json_is_integer(value)) fail_msg("element %zu is no integer", index);
  return json_integer_value(value);
}

void expect_integers(const json_t *expected, const int64_t *found, size_t count,
                     const char *what) {
  if (json_array_size(expected) != count)
    fail_msg("%s: expected %zu numbers, found %zu", what, json_array_size(expected), count);
  for (size_t i = 0; i < count; i++) {
    int64_t wanted = element_integer(expected, i);
    if (found[i] != wanted)
      fail_msg("%s[%zu]: expected %" PRId64 ", found %" PRId64, what, i, wanted, found[i]);
  }
}

static void add_rectangle(neap_problem *problem, const json_t *rectangle) {
  neap_range range = {member_integer(rectangle, "start"), member_integer(rectangle, "end")};
  neap_buffer buffer = NEAP_BUFFER_INIT;
  buffer.name = member_text(rectangle, "name");
  buffer.size = member_integer(rectangle, "size");
  buffer.alignment = member_integer(rectangle, "align");
  buffer.ranges = &range;
  buffer.range_count = 1;
  neap_error error;
  assert_ok(neap_problem_add(problem, &buffer, &error), &error);
}

neap_problem *vector_problem(const json_t *vector) {
  const json_t *rectangles = member_array(vector, "rectangles");
  neap_problem *problem = neap_problem_new();
  assert_non_null(problem);
  for (size_t i = 0; i < json_array_size(rectangles); i++)
    add_rectangle(problem, json_array_get(rectangles, i));
  return problem;
}

int64_t *vector_integers(const json_t *array) {
  assert_true(json_is_array(array));
  size_t count = json_array_size(array);
  int64_t *numbers = test_calloc(count + 1, sizeof *numbers);
  for (size_t i = 0; i < count; i++)
    numbers[i] = json_is_null(json_array_get(array, i)) ? -1 : element_integer(array, i);
  return numbers;
}

size_t *vector_sizes(const json_t *array) {
  size_t count = json_array_size(array);
  size_t *numbers = test_calloc(count + 1, sizeof *numbers);
  for (size_t i = 0; i < count; i++)
    numbers[i] = (size_t)element_integer(array, i);
  return numbers;
}

void expect_optional(const json_t *expected, const int64_t *found, size_t count, int64_t none,
                     const char *what) {
  assert_int_equal(json_array_size(expected), count);
  for (size_t i = 0; i < count; i++) {
    const json_t *wanted = json_array_get(expected, i);
    int64_t value = json_is_null(wanted) ? none : json_integer_value(wanted);
    if (found[i] != value)
      fail_msg("%s[%zu]: expected %" PRId64 ", found %" PRId64, what, i, value, found[i]);
  }
}

void expect_sizes(const json_t *expected, const size_t *found, size_t count, const char *what) {
  int64_t *numbers = test_calloc(count + 1, sizeof *numbers);
  for (size_t i = 0; i < count; i++)
    numbers[i] = (int64_t)found[i];
  expect_integers(expected, numbers, count, what);
  test_free(numbers);
}

size_t *vector_order(const neap_problem *problem, const json_t *array) {
  size_t count = neap_problem_count(problem);
  assert_int_equal(json_array_size(array), count);
  size_t *order = test_calloc(count + 1, sizeof *order);
  bool *seen = test_calloc(count + 1, sizeof *seen);
  for (size_t i = 0; i < count; i++) {
    int64_t buffer = element_integer(array, i);
    assert_in_range(buffer, 0, count - 1);
    assert_false(seen[buffer]);
    seen[buffer] = true;
    order[i] = (size_t)buffer;
  }
  test_free(seen);
  return order;
}
