/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ONNX models with long skips, which make runs of operators that no single tensor separates: neap
 * reads all that it writes in bands, parts of models as well as whole ones, and finds the peak
 * there that it had planned.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "neap-tool.h"
#include "neap/neap-io.h"
#include "tests/support/bands.h"
#include "tests/support/files.h"
#include "tests/support/onnx_maker.h"
#include "tests/support/sample.h"

#define MEASURED_MAX 60
#define SEGMENT_MAX 64 /* as in split/pieces.c */

static uint64_t state;

static unsigned roll(unsigned count) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)((state >> 33) % count);
}

struct text {
  char bytes[1 << 14];
  size_t length, tensors;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *text, const char *format,
                                                      ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text->bytes + text->length, sizeof text->bytes - text->length, format,
                         arguments);
  va_end(arguments);
  text->length += (size_t)length;
  assert_true(text->length < sizeof text->bytes);
}

static void put_operator(struct text *text) {
  if (roll(3) == 0)
    put(text, "Conv t%zu w -> t%zu kernel_shape=[3,3] pads=[1,1,1,1] group=4\n", text->tensors,
        text->tensors + 1);
  else put(text, "Relu t%zu -> t%zu\n", text->tensors, text->tensors + 1);
  text->tensors++;
}

/* A run of operators under a skip, which may have one more within. */
static void put_skip(struct text *text, unsigned length) {
  const size_t begin = text->tensors;
  const unsigned inner = roll(4) > 0 ? 0 : length / 2;
  for (unsigned i = inner; i < length; i++)
    put_operator(text);
  if (inner > 0) put_skip(text, inner);
  put(text, "Add t%zu t%zu -> t%zu\n", text->tensors, begin, text->tensors + 1);
  text->tensors++;
}

static void make_model(struct text *text) {
  put(text, "opset 16\ninput t0 float[1,4,16,8]\nconstant w float[4,1,3,3]\n");
  for (unsigned parts = 1 + roll(3); parts > 0; parts--) {
    for (unsigned i = roll(4); i > 0; i--)
      put_operator(text);
    put_skip(text, SEGMENT_MAX - 4 + roll(12));
  }
  for (unsigned i = roll(3); i > 0; i--)
    put_operator(text);
  put(text, "output t%zu\n", text->tensors);
}

static bool keep_on(const neap_bands_progress *progress, void *user) {
  (void)user;
  return progress->measured < MEASURED_MAX;
}

static void check_model(const char *text) {
  neap_bands *split = NULL;
  neap_error error;
  neap_bands_report report = NEAP_INIT(neap_bands_report);
  neap_reading reading = NEAP_INIT(neap_reading);
  neap_model_limits limits = bands_limits(NEAP_BANDS_PEAK, 0);
  limits.keep_on = keep_on;
  onnx_make_file(text, NULL, "model.onnx");
  assert_ok(bands_find("model.onnx", &reading, &limits, &split, &error), &error);
  neap_bands_get_report(split, &report);
  assert_ok(neap_bands_write(split, NULL, "split.onnx", &error), &error);
  neap_problem *problem = files_read("split.onnx");
  neap_bound bound = NEAP_INIT(neap_bound);
  assert_ok(neap_problem_bound(problem, &bound, &error), &error);
  assert_true(bound.lower_bound <= report.after.peak);
  neap_problem_free(problem);
  neap_bands_free(split);
}

TEST(long_skips_can_be_written_and_read) {
  const uint64_t count = sample_tries(100);
  struct text *text = malloc(sizeof *text);
  assert_non_null(text);
  for (unsigned seed = 0; seed < count; seed++) {
    state = seed;
    *text = (struct text){.length = 0};
    make_model(text);
    check_model(text->bytes);
  }
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {FILES_CASE(long_skips_can_be_written_and_read)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
