/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A list of separated or excluded buffers that is kept as a group means the same as its pairs: the
 * same bounds, contradictions and sound plans, and each pair is a relation to callers of the API.
 */
#include <stdlib.h>
#include <string.h>

#include "files/json/problem.h"
#include "model/groups.h"
#include "tests/support/random_problem.h"
#include "tests/support/sample.h"
#include "tests/support/work.h"

#define MEMBERS (GROUP_PAIRS_MOST + 8)

/* Adds a list to one problem as a group, and to the other as pairs. */
static void relate(neap_problem *grouped, neap_problem *paired, neap_relation_kind kind,
                   const size_t *members, size_t count) {
  neap_relation relation = {.struct_size = sizeof relation, .kind = kind, .reason = "list"};
  neap_error error;
  assert_ok(problem_relate_all(grouped, &relation, members, count, &error), &error);
  for (size_t i = 0; i < count; i++)
    for (size_t k = i + 1; k < count; k++) {
      relation.first = members[i];
      relation.second = members[k];
      assert_ok(neap_problem_relate(paired, &relation, &error), &error);
    }
}

static void expect_same_relations(const neap_problem *grouped, const neap_problem *paired) {
  neap_relation a = NEAP_INIT(neap_relation), b = NEAP_INIT(neap_relation);
  size_t count = 0;
  for (int kind = 0; kind < NEAP_RELATION_KIND_COUNT; kind++)
    assert_int_equal(neap_problem_relation_count(grouped, (neap_relation_kind)kind),
                     neap_problem_relation_count(paired, (neap_relation_kind)kind));
  for (; neap_problem_relation_at(grouped, count, &a); count++) {
    bool found = false;
    for (size_t k = 0; neap_problem_relation_at(paired, k, &b) && !found; k++)
      found = a.kind == b.kind && a.first == b.first && a.second == b.second;
    assert_true(found);
  }
  assert_false(neap_problem_relation_at(paired, count, &b));
}

/* Random offsets are sound for both problems or for none. */
static void expect_same_verdicts(const neap_problem *grouped, const neap_problem *paired,
                                 struct dice *dice) {
  size_t count = neap_problem_count(grouped);
  neap_offset *offsets = calloc(count + 1, sizeof *offsets);
  for (int trial = 0; trial < 8; trial++) {
    neap_plan *a = NULL, *b = NULL;
    neap_error error;
    neap_offset high = 0;
    for (size_t i = 0; i < count; i++) {
      neap_buffer buffer = NEAP_INIT(neap_buffer);
      neap_problem_buffer_at(grouped, i, &buffer);
      offsets[i] = trial == 0 ? high : (neap_offset)dice_roll(dice, 64 << trial);
      high += buffer.size;
    }
    neap_status status = neap_plan_new(grouped, offsets, &a, &error);
    assert_int_equal(status, neap_plan_new(paired, offsets, &b, &error));
    neap_plan_free(a);
    neap_plan_free(b);
  }
  free(offsets);
}

static void expect_same_plans(const neap_problem *grouped, const neap_problem *paired) {
  neap_options *options = neap_options_new();
  neap_bound a = NEAP_INIT(neap_bound), b = NEAP_INIT(neap_bound);
  neap_plan *plan, *checked;
  neap_error error;
  assert_int_equal(neap_problem_bound(grouped, &a, &error),
                   neap_problem_bound(paired, &b, &error));
  assert_int_equal(a.bytes, b.bytes);
  assert_int_equal(a.lower_bound, b.lower_bound);
  work_set(options, "max-ticks", "2000");
  assert_ok(neap_solve(grouped, options, &plan, &error), &error);
  assert_ok(neap_plan_new(paired, neap_plan_offsets(plan), &checked, &error), &error);
  neap_plan_free(checked);
  neap_plan_free(plan);
  assert_ok(neap_solve(paired, options, &plan, &error), &error);
  assert_ok(neap_plan_new(grouped, neap_plan_offsets(plan), &checked, &error), &error);
  neap_plan_free(checked);
  neap_plan_free(plan);
  neap_options_free(options);
}

/* Written and read again, a problem has the same relations. */
static void expect_return(const neap_problem *grouped) {
  char *text;
  size_t size;
  neap_problem *read;
  neap_error error;
  FILE *stream = open_memstream(&text, &size);
  assert_ok(json_problem_write(grouped, stream, &error), &error);
  assert_int_equal(fclose(stream), 0);
  assert_ok(
      json_problem_read(text, size, &(neap_reading)NEAP_INIT(neap_reading), &read, &error),
      &error);
  expect_same_relations(grouped, read);
  free(text);
  neap_problem_free(read);
}

static void add_relations(neap_problem *grouped, neap_problem *paired, struct dice *dice,
                          size_t count) {
  size_t *order = calloc(count, sizeof *order);
  for (size_t lists = 1 + dice_roll(dice, 2); lists > 0; lists--) {
    neap_relation_kind kind = dice_chance(dice, 50) ? NEAP_SEPARATION : NEAP_EXCLUSION;
    for (size_t i = 0; i < count; i++)
      order[i] = i;
    dice_shuffle(dice, order, count);
    relate(grouped, paired, kind, order, GROUP_PAIRS_MOST + 1 + dice_roll(dice, 7));
  }
  if (dice_chance(dice, 30))
    relate(grouped, paired, dice_chance(dice, 50) ? NEAP_SEPARATION : NEAP_EXCLUSION, order, 2);
  neap_relation joint = {.struct_size = sizeof joint, .kind = NEAP_COLOCATION, .bytes = 4};
  neap_error error;
  joint.first = order[0];
  joint.second = order[1];
  if (dice_chance(dice, 30)) {
    assert_ok(neap_problem_relate(grouped, &joint, &error), &error);
    assert_ok(neap_problem_relate(paired, &joint, &error), &error);
  }
  free(order);
}

TEST(groups_mean_their_pairs) {
  const uint64_t count = sample_tries(400);
  size_t checked = 0;
  for (uint64_t seed = 0; seed < count; seed++) {
    struct dice dice = {seed};
    struct instance instance =
        instance_random(seed, 3 * MEMBERS, WITH_GAPS | WITH_ZEROS | WITH_ALIGNMENTS);
    neap_problem *grouped = instance_problem(&instance), *paired = instance_problem(&instance);
    neap_error error;
    if (instance.count >= MEMBERS) {
      add_relations(grouped, paired, &dice, instance.count);
      expect_same_relations(grouped, paired);
      neap_status status = neap_problem_check(grouped, &error);
      assert_int_equal(status, neap_problem_check(paired, &error));
      expect_same_verdicts(grouped, paired, &dice);
      if (status == NEAP_OK) expect_same_plans(grouped, paired);
      if (status == NEAP_OK) expect_return(grouped);
      checked += status == NEAP_OK;
    }
    neap_problem_free(grouped);
    neap_problem_free(paired);
    instance_free(&instance);
  }
  assert_true(checked > count / 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(groups_mean_their_pairs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
