/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Short names of buffers: what tells them apart. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/sample.h"
#include "viz/layout/short_names.h"

static const struct example {
  const char *names[5], *expected[5];
} examples[] = {
    /* The beginning and the end that all names share are dropped. */
    {{"net/conv1/out", "net/conv2/out", "net/pool/out", "in"},
     {"conv1", "conv2", "pool", "in"}},
    {{"Plus30_Output_0", "ReLU32_Output_0", "Pooling66_Output_0", "Input3"},
     {"Plus30", "ReLU32", "Pooling66", "Input3"}},
    /* Several parts remain where one is not enough; numbers belong to the part before them. */
    {{"f/10/conv/0/0", "f/10/conv/1/0", "f/11/conv/0/0", "f/11/conv/1/0"},
     {"10/conv/0/0", "10/conv/1/0", "11/conv/0/0", "11/conv/1/0"}},
    /* A part that occurs twice counts once. */
    {{"m/prelu_1/add;m/prelu_1/Relu;m/prelu_1/mul",
      "m/prelu_2/add;m/prelu_2/Relu;m/prelu_2/mul",
      "m/prelu_3/add;m/prelu_3/Relu;m/prelu_3/mul"},
     {"prelu_1", "prelu_2", "prelu_3"}},
    /* The names themselves, where nothing can be dropped. */
    {{"r0", "r1", "data_0"}, {"r0", "r1", "data_0"}},
    {{"conv1", "conv1/bias", "bias"}, {"conv1", "conv1/bias", "bias"}},
    {{"a/b", "b/a", "///"}, {"a/b", "b/a", "///"}},
    {{"lone/name"}, {"name"}},
};

static neap_problem *problem_of(const char *const *names) {
  neap_problem *problem = neap_problem_new();
  assert_non_null(problem);
  for (size_t i = 0; i < 5 && names[i]; i++)
    sample_add(problem, names[i], 0, 10, 100);
  return problem;
}

TEST(short_names_say_what_differs) {
  for (size_t k = 0; k < sizeof examples / sizeof examples[0]; k++) {
    neap_problem *problem = problem_of(examples[k].names);
    struct short_names names;
    assert_int_equal(short_names_init(&names, problem, NULL), NEAP_OK);
    for (size_t i = 0; i < problem->count; i++)
      assert_string_equal(short_names_of(&names, i), examples[k].expected[i]);
    short_names_clear(&names);
    neap_problem_free(problem);
  }
}

/* The characters of random names are few, so that many names have parts in common. */
TEST(short_names_differ) {
  srand(7);
  for (int run = 0; run < 200; run++) {
    neap_problem *problem = neap_problem_new();
    assert_non_null(problem);
    for (int i = 0; i < 40; i++) {
      char name[16];
      int length = 1 + rand() % 14;
      for (int at = 0; at < length; at++)
        name[at] = "ab/_1;."[rand() % 7];
      name[length] = '\0';
      if (names_find(&problem->names, name, (size_t)length) == NAMES_NONE)
        sample_add(problem, name, 0, 10, 100);
    }
    struct short_names names;
    assert_int_equal(short_names_init(&names, problem, NULL), NEAP_OK);
    for (size_t i = 0; i < problem->count; i++) {
      assert_true(short_names_of(&names, i)[0] != '\0');
      for (size_t k = 0; k < i; k++)
        assert_string_not_equal(short_names_of(&names, i), short_names_of(&names, k));
    }
    short_names_clear(&names);
    neap_problem_free(problem);
  }
}

TEST(forms_get_shorter) {
  static const char *const expected[] = {"DEPTHWISE_CONV_2D b_7", "b_7",
                                         "DEPTHWISE_CONV_2D #1",  "DEPTHWISE_CONV #1",
                                         "DEPTHWISE #1",          "#1"};
  neap_problem *problem = neap_problem_new();
  assert_non_null(problem);
  sample_add(problem, "block_6/out", 0, 10, 100);
  neap_buffer buffer = NEAP_BUFFER_INIT;
  const neap_range range = {0, 10};
  buffer.name = "b_7/out";
  buffer.size = 100;
  buffer.ranges = &range;
  buffer.range_count = 1;
  buffer.hint = "DEPTHWISE_CONV_2D";
  assert_int_equal(neap_problem_add(problem, &buffer, NULL), NEAP_OK);
  struct short_names names;
  struct short_forms forms;
  assert_int_equal(short_names_init(&names, problem, NULL), NEAP_OK);
  short_names_forms(&names, 1, &forms);
  assert_int_equal(forms.count, 6);
  assert_int_equal(forms.named, 2);
  for (size_t i = 0; i < forms.count; i++)
    assert_string_equal(forms.text[i], expected[i]);
  short_names_forms(&names, 0, &forms);
  assert_int_equal(forms.count, 2);
  assert_string_equal(forms.text[1], "#0");
  short_names_clear(&names);
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(short_names_say_what_differs),
      cmocka_unit_test(short_names_differ),
      cmocka_unit_test(forms_get_shorter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
