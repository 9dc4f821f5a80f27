/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small problems for tests, built in one call; and cmocka with the headers that must precede
 * it.
 */
#ifndef SUPPORT_SAMPLE_H
#define SUPPORT_SAMPLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "neap/neap-io.h"
#include "neap/relations.h"

/*
 * Runs a test for each row of a table, whose first member is the name of the case, and then the
 * other tests of a group.
 */
int sample_run(const char *group, const struct CMUnitTest *others, size_t other_count,
               CMUnitTestFunction test, const void *rows, size_t row_count, size_t row_size);

/* Whether NEAP_FULL or NEAP_LONG in the environment wants what a short run leaves out. */
bool sample_is_full(void);

/* How often a test tries something: a quarter in short runs, and twenty times with NEAP_LONG=1. */
uint64_t sample_tries(uint64_t usual);

/* A buffer with one range of time. */
struct sample {
  neap_time start, end;
  neap_size size;
  neap_size alignment; /* 0 stands for 1 */
};

/* Begins a test that needs no state: TEST(name) { ... } */
#define TEST(name) static void name(void **test_state __attribute__((unused)))

#define SAMPLE_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Buffers b0, b1, ...; released with neap_problem_free. */
neap_problem *sample_problem(const struct sample *samples, size_t count);

void sample_add(neap_problem *problem, const char *name, neap_time start, neap_time end,
                neap_size size);
void sample_add_fixed(neap_problem *problem, const char *name, neap_time start, neap_time end,
                      neap_size size, neap_offset offset);
void sample_add_gapped(neap_problem *problem, const char *name, const neap_range *ranges,
                       size_t range_count, neap_size size);

/* Alive in [0, 9), with the other members of `buffer`. */
void sample_add_buffer(neap_problem *problem, const char *name, neap_buffer buffer);
void sample_relate(neap_problem *problem, neap_relation_kind kind, size_t first, size_t second,
                   neap_size bytes);

/*
 * Buffers a, b, c, ..., separated by spaces. "8%4@10[2,30)/16:3-5" has 8 bytes, an alignment, a
 * fixed offset, a window, a bank and a range of time; without one, it is alive in [0, 9).
 * Relations, such as "overlap a b 4", are separated by commas; "fine" expects that nothing is
 * contradicted so far.
 */
neap_problem *sample_read(const char *buffers);
void sample_read_relations(neap_problem *problem, const char *relations);

/* Calls of the library that must give NEAP_OK; plans and problems are released by the caller. */
neap_problem *sample_graph_problem(const neap_graph *graph, const neap_liveness *liveness);
neap_buffer sample_buffer(const neap_problem *problem, size_t index);
neap_bound sample_bound(const neap_problem *problem);
neap_plan *sample_plan(const neap_problem *problem, const neap_offset *offsets);
neap_report sample_report(const neap_plan *plan);

neap_plan *sample_solve(const neap_problem *problem, const neap_options *options);

/* The buffer of this name must be alive during [start, end) alone. */
void sample_expect_times(const neap_problem *problem, const char *name, neap_time start,
                         neap_time end);

/*
 * A perfect packing of 400 pieces whose sizes have been doubled, plus 1, so that an exact search is
 * busy for long.
 */
neap_problem *sample_hard(void);

/* The call must give NEAP_OK; otherwise the case fails with the text of *error. */
#define assert_ok(call, error)                                                 \
  do {                                                                         \
    neap_status status_ = (call);                                              \
    if (status_ != NEAP_OK)                                                    \
      fail_msg("%s: %s: %s", #call, neap_status_name(status_), (error)->text); \
  } while (0)

/* The call must fail with `status` and fill *error: status and one line of text. */
#define assert_error(call, expected, error)                                        \
  do {                                                                             \
    (error)->text[0] = '\0';                                                       \
    neap_status status_ = (call);                                                  \
    if (status_ != (expected))                                                     \
      fail_msg("%s: expected %s, found %s: %s", #call, neap_status_name(expected), \
               neap_status_name(status_), (error)->text);                          \
    sample_check_error(error, expected, __FILE__, __LINE__);                       \
  } while (0)

void sample_check_error(const neap_error *error, neap_status status, const char *file,
                        int line);

/* The text of the error must contain `words`. */
#define assert_says(error, words) sample_check_says(error, words, __FILE__, __LINE__)

void sample_check_says(const neap_error *error, const char *words, const char *file, int line);

#endif
