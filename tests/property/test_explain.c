/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explanations against enumeration, on tiny random problems of every kind: the verdict is right, a
 * conflicting set cannot fit, a set that is said to be minimal fits without any one of its buffers,
 * and every listed fix makes the problem fit.  NEAP_LONG in the environment takes twenty times as
 * many problems.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/brute_relations.h"
#include "tests/support/sample.h"

#define USUAL 60

struct exam {
  struct tiny tiny;
  neap_size capacity; /* -1: that of the pools */
  neap_problem *problem;
  neap_explanation *explanation;
  neap_explanation_report report;
};

static enum brute_verdict brute(const struct tiny *tiny, neap_size capacity) {
  struct brute_plan plan;
  struct brute_costs costs;
  return brute_solve(tiny, capacity, &plan, &costs);
}

/* ---------------------------------------------------------------- sets */

/* The problem with only the buffers for which `keeps` is true. */
static struct tiny reduced(const struct tiny *tiny, const bool *keeps) {
  struct tiny small = *tiny;
  size_t places[TINY_BUFFERS];
  small.count = small.relation_count = 0;
  for (size_t i = 0; i < tiny->count; i++) {
    places[i] = small.count;
    if (keeps[i]) small.buffers[small.count++] = tiny->buffers[i];
  }
  for (size_t i = 0; i < tiny->relation_count; i++) {
    neap_relation relation = tiny->relations[i];
    if (!keeps[relation.first] || !keeps[relation.second]) continue;
    relation.first = places[relation.first];
    relation.second = places[relation.second];
    small.relations[small.relation_count++] = relation;
  }
  return small;
}

static bool has_bodies(const struct tiny *tiny) {
  for (size_t i = 0; i < tiny->relation_count; i++)
    if (tiny->relations[i].kind == NEAP_COLOCATION) return true;
  return false;
}

static void check_core(const struct exam *exam) {
  bool keeps[TINY_BUFFERS] = {false};
  size_t buffer;
  for (size_t i = 0; neap_explanation_core_at(exam->explanation, i, &buffer); i++) {
    assert_true(buffer < exam->tiny.count && !keeps[buffer]);
    keeps[buffer] = true;
  }
  struct tiny core = reduced(&exam->tiny, keeps);
  assert_int_equal(core.count, exam->report.core_count);
  assert_true(core.count > 0);
  assert_int_not_equal(brute(&core, exam->report.refused), BRUTE_OPTIMAL);
  if (!exam->report.is_minimal || has_bodies(&exam->tiny)) return;
  for (size_t i = 0; i < exam->tiny.count; i++) {
    if (!keeps[i]) continue;
    keeps[i] = false;
    struct tiny rest = reduced(&exam->tiny, keeps);
    assert_int_not_equal(brute(&rest, exam->report.refused), BRUTE_INFEASIBLE);
    keeps[i] = true;
  }
}

/* ---------------------------------------------------------------- fixes */

static void trim(struct tiny_buffer *buffer, neap_time start, neap_time end) {
  size_t count = 0;
  for (size_t r = 0; r < buffer->range_count; r++) {
    neap_range range = buffer->ranges[r];
    if (range.start < start) range.start = start;
    if (range.end > end) range.end = end;
    if (range.start < range.end) buffer->ranges[count++] = range;
  }
  buffer->range_count = count;
  assert_true(count > 0);
}

static void drop_relation(struct tiny *tiny, size_t index) {
  assert_true(index < tiny->relation_count);
  for (size_t i = index; i + 1 < tiny->relation_count; i++)
    tiny->relations[i] = tiny->relations[i + 1];
  tiny->relation_count--;
}

static void drop_reserved(struct tiny *tiny, size_t index) {
  assert_true(index < tiny->reserved_count);
  for (size_t i = index; i + 1 < tiny->reserved_count; i++)
    tiny->reserved[i] = tiny->reserved[i + 1];
  tiny->reserved_count--;
}

/* Applies a change by its description; false if the tiny problem has no room for it. */
static bool apply(struct tiny *tiny, const neap_change *change, neap_size *capacity) {
  struct tiny_buffer *buffer =
      change->buffer == NEAP_NO_BUFFER ? NULL : &tiny->buffers[change->buffer];
  switch (change->kind) {
  case NEAP_CHANGE_ALIGNMENT:
    assert_true(change->bytes < buffer->alignment);
    buffer->alignment = change->bytes;
    break;
  case NEAP_CHANGE_FIXED:
    buffer->fixed = NEAP_UNPLACED;
    break;
  case NEAP_CHANGE_WINDOW:
    buffer->window_low = 0;
    buffer->window_high = NEAP_MAX;
    break;
  case NEAP_CHANGE_BANK:
    buffer->bank = 0;
    break;
  case NEAP_CHANGE_RELATION:
    drop_relation(tiny, change->index);
    break;
  case NEAP_CHANGE_RESERVED:
    drop_reserved(tiny, change->index);
    break;
  case NEAP_CHANGE_OVERLAP:
    if (tiny->relation_count == TINY_RELATIONS) return false;
    tiny->relations[tiny->relation_count++] =
        (neap_relation){.struct_size = sizeof(neap_relation),
                        .kind = NEAP_OVERLAP,
                        .first = change->buffer,
                        .second = change->other,
                        .bytes = buffer->size - change->bytes};
    break;
  case NEAP_CHANGE_SIZE:
    assert_true(change->bytes > 0 && change->bytes <= buffer->size);
    buffer->size -= change->bytes;
    break;
  case NEAP_CHANGE_END:
    trim(buffer, 0, change->time);
    break;
  case NEAP_CHANGE_START:
    trim(buffer, change->time, NEAP_MAX);
    break;
  case NEAP_CHANGE_CAPACITY:
    if (tiny->pool_count > 0) tiny->pools[change->index].capacity += change->bytes;
    else *capacity += change->bytes;
    break;
  }
  return true;
}

static void check_fixes(const struct exam *exam) {
  neap_fix fix = NEAP_INIT(neap_fix), last = {.struct_size = sizeof(neap_fix), .cost = 0};
  for (size_t i = 0; neap_explanation_fix_at(exam->explanation, i, &fix); i++) {
    struct tiny fixed = exam->tiny;
    neap_size capacity = exam->capacity;
    bool applies = true;
    for (size_t c = 0; c < fix.change_count && applies; c++)
      applies = apply(&fixed, &fix.changes[c], &capacity);
    if (applies && !tiny_has_empty(&fixed) && brute(&fixed, capacity) == BRUTE_INFEASIBLE) {
      print_message("fix %zu: %s\n", i, neap_change_kind_name(fix.changes[0].kind));
      fail();
    }
    last = fix;
  }
  (void)last;
}

/* ---------------------------------------------------------------- verdicts */

static void check_verdict(const struct exam *exam) {
  enum brute_verdict verdict = brute(&exam->tiny, exam->capacity);
  if (exam->report.verdict == NEAP_VERDICT_FITS)
    assert_int_not_equal(verdict, BRUTE_INFEASIBLE);
  if (exam->report.verdict == NEAP_VERDICT_DOES_NOT_FIT)
    assert_int_not_equal(verdict, BRUTE_OPTIMAL);
  if (exam->tiny.pool_count > 0) return;
  assert_int_not_equal(exam->report.verdict, NEAP_VERDICT_UNKNOWN);
  if (exam->report.required > exam->report.available && exam->report.available >= 0)
    assert_int_equal(exam->report.verdict, NEAP_VERDICT_DOES_NOT_FIT);
}

static void check_explanation(struct exam *exam, neap_size capacity) {
  char text[24];
  neap_error error;
  neap_options *options = neap_options_new();
  assert_non_null(options);
  exam->capacity = capacity;
  assert_ok(neap_options_set(options, "max-ticks", "3000000", &error), &error);
  snprintf(text, sizeof text, "%" PRId64, capacity);
  if (capacity >= 0) assert_ok(neap_options_set(options, "capacity", text, &error), &error);
  assert_ok(neap_explain(exam->problem, options, NULL, &exam->explanation, &error), &error);
  exam->report = (neap_explanation_report)NEAP_INIT(neap_explanation_report);
  neap_explanation_get_report(exam->explanation, &exam->report);
  check_verdict(exam);
  if (exam->report.core_count > 0) check_core(exam);
  if (exam->report.verdict != NEAP_VERDICT_FITS) {
    assert_true(exam->report.core_count > 0 || exam->report.verdict == NEAP_VERDICT_UNKNOWN);
    check_fixes(exam);
  }
  neap_explanation_free(exam->explanation);
  neap_options_free(options);
}

/* ---------------------------------------------------------------- problems */

static void examine(enum tiny_kind kind, uint64_t seed) {
  struct exam exam = {.tiny = tiny_random(kind, seed)};
  struct brute_plan plan;
  struct brute_costs costs = {{0}};
  if (tiny_has_empty(&exam.tiny)) return;
  exam.problem = tiny_problem(&exam.tiny);
  if (!exam.problem) return;
  if (neap_problem_check(exam.problem, NULL) == NEAP_OK) {
    bool fits = brute_solve(&exam.tiny, -1, &plan, &costs) == BRUTE_OPTIMAL;
    neap_size peak = costs.of[NEAP_TERM_PEAK];
    check_explanation(&exam, -1);
    if (fits && exam.tiny.pool_count == 0) {
      check_explanation(&exam, peak);
      for (neap_size less = 1; less < 4 && less < peak; less++)
        check_explanation(&exam, peak - less);
    }
  }
  neap_problem_free(exam.problem);
}

TEST(test_kinds) {
  for (int kind = 0; kind < TINY_KIND_COUNT; kind++)
    for (uint64_t seed = 1; seed <= sample_tries(USUAL); seed++) {
      print_message("%s %" PRIu64 "\n", tiny_kind_name((enum tiny_kind)kind), seed);
      examine((enum tiny_kind)kind, seed);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
