/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Problems and plans are read back as they were written, in every format that can express them. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "neap/planner.h"
#include "neap/relations.h"
#include "tests/support/files.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- comparing */

static void convert(const char *from, const char *to) {
  neap_problem *problem = files_read(from);
  files_write(problem, to);
  neap_problem_free(problem);
}

static void expect_same_buffers(const neap_buffer *a, const neap_buffer *b) {
  assert_string_equal(a->name, b->name);
  assert_int_equal(a->size, b->size);
  assert_int_equal(a->alignment, b->alignment);
  assert_int_equal(a->fixed_offset, b->fixed_offset);
  assert_int_equal(a->range_count, b->range_count);
  for (size_t i = 0; i < a->range_count; i++) {
    assert_int_equal(a->ranges[i].start, b->ranges[i].start);
    assert_int_equal(a->ranges[i].end, b->ranges[i].end);
  }
  assert_true(!a->hint == !b->hint);
  if (a->hint) assert_string_equal(a->hint, b->hint);
}

static void expect_same(const neap_problem *left, const neap_problem *right) {
  assert_int_equal(neap_problem_count(left), neap_problem_count(right));
  for (size_t i = 0; i < neap_problem_count(left); i++) {
    neap_buffer a = NEAP_INIT(neap_buffer), b = NEAP_INIT(neap_buffer);
    neap_problem_buffer_at(left, i, &a);
    neap_problem_buffer_at(right, i, &b);
    expect_same_buffers(&a, &b);
  }
}

/* ---------------------------------------------------------------- problems of every kind */

/* Numbers that look random, the same every time (Knuth's MMIX constants). */
static uint64_t next_random(uint64_t *state, uint64_t below) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (*state >> 33) % below;
}

static const char *random_text(uint64_t *random, char *text, size_t number) {
  static const char *const pieces[] = {
      "conv/", ",", "\"",   "\"\"", " ", "\xc3\xa9",        "\\", ";", "'", "\t", "\r",
      "=1",    "-", "\x01", "{",    "]", "\xf0\x9f\x98\x80"};
  size_t length = 0;
  for (uint64_t count = next_random(random, 5); count > 0; count--)
    length +=
        (size_t)sprintf(text + length, "%s", pieces[next_random(random, SAMPLE_COUNT(pieces))]);
  sprintf(text + length, "%zu", number);
  return text;
}

static void add_random(neap_problem *problem, uint64_t *random, neap_offset *floor) {
  char name[64], hint[64];
  neap_range ranges[4];
  neap_buffer buffer = NEAP_BUFFER_INIT;
  neap_error error;
  buffer.name = random_text(random, name, neap_problem_count(problem));
  buffer.size = (neap_size)next_random(random, 1000) * (neap_size)next_random(random, 3);
  if (next_random(random, 2) == 0) buffer.alignment = 1 << next_random(random, 7);
  if (next_random(random, 4) == 0) buffer.hint = random_text(random, hint, 0);
  if (next_random(random, 4) == 0) {
    buffer.fixed_offset = (*floor + buffer.alignment - 1) / buffer.alignment * buffer.alignment;
    *floor = buffer.fixed_offset + buffer.size;
  }
  buffer.range_count = 1 + next_random(random, SAMPLE_COUNT(ranges));
  neap_time time = (neap_time)next_random(random, 100);
  for (size_t i = 0; i < buffer.range_count; i++) {
    ranges[i].start = time;
    ranges[i].end = time += 1 + (neap_time)next_random(random, 20);
    time += 1 + (neap_time)next_random(random, 5);
  }
  buffer.ranges = ranges;
  assert_ok(neap_problem_add(problem, &buffer, &error), &error);
}

static neap_problem *random_problem(uint64_t seed, size_t count) {
  neap_problem *problem = neap_problem_new();
  neap_offset floor = 0;
  assert_non_null(problem);
  for (size_t i = 0; i < count; i++)
    add_random(problem, &seed, &floor);
  return problem;
}

TEST(tables_and_json_represent_everything) {
  for (uint64_t seed = 0; seed < 50; seed++) {
    neap_problem *problem = random_problem(seed, seed);
    files_write(problem, "a.csv");
    convert("a.csv", "b.json");
    convert("b.json", "c.csv");
    convert("c.csv", "d.json");
    neap_problem *csv = files_read("c.csv"), *json = files_read("d.json");
    expect_same(problem, csv);
    expect_same(problem, json);
    files_expect_same("a.csv", "c.csv");
    files_expect_same("b.json", "d.json");
    neap_problem_free(csv);
    neap_problem_free(json);
    neap_problem_free(problem);
  }
}

/* ---------------------------------------------------------------- constraints */

static const char *const pool_names[] = {"sram", "dram", "flash"};

static void add_limited(neap_problem *problem, uint64_t *random) {
  char name[32];
  static const size_t lists[][3] = {{0, 1, 2}, {1, 2, 0}, {1, 0, 2}};
  neap_range range = {(neap_time)next_random(random, 9), 9 + (neap_time)next_random(random, 9)};
  neap_buffer buffer = NEAP_BUFFER_INIT;
  neap_error error;
  sprintf(name, "b%zu", neap_problem_count(problem));
  buffer.name = name;
  buffer.size = 1 + (neap_size)next_random(random, 100);
  buffer.ranges = &range;
  buffer.range_count = 1;
  if (next_random(random, 3) == 0) buffer.window_low = (neap_offset)next_random(random, 99);
  if (next_random(random, 3) == 0)
    buffer.window_high = 10000 + (neap_offset)next_random(random, 99);
  if (next_random(random, 3) == 0) buffer.near_offset = (neap_offset)next_random(random, 99);
  if (next_random(random, 2) == 0) buffer.move_cost = 1 + (neap_size)next_random(random, 9);
  if (next_random(random, 2) == 0) {
    buffer.pools = lists[next_random(random, SAMPLE_COUNT(lists))];
    buffer.pool_count = 1 + next_random(random, 3);
  }
  assert_ok(neap_problem_add(problem, &buffer, &error), &error);
}

/* Adds relations between buffers, at most one per pair, so that none contradict each other. */
static void add_relations(neap_problem *problem, uint64_t *random) {
  static const neap_relation_kind kinds[] = {NEAP_SEPARATION, NEAP_EXCLUSION, NEAP_OVERLAP,
                                             NEAP_BANK_SEPARATION, NEAP_REUSE_PENALTY};
  for (size_t i = 0; i + 1 < neap_problem_count(problem); i++) {
    neap_relation relation = {.struct_size = sizeof(neap_relation),
                              .kind = kinds[next_random(random, SAMPLE_COUNT(kinds))],
                              .first = i,
                              .second = i + 1};
    char reason[64];
    neap_error error;
    bool has_number = relation.kind != NEAP_SEPARATION && relation.kind != NEAP_EXCLUSION;
    if (has_number) relation.bytes = 128 + (neap_size)next_random(random, 50);
    if (next_random(random, 2) == 0) relation.reason = random_text(random, reason, i);
    assert_ok(neap_problem_relate(problem, &relation, &error), &error);
  }
}

static neap_problem *constrained_problem(uint64_t seed, size_t count) {
  neap_problem *problem = neap_problem_new();
  neap_term order[] = {NEAP_TERM_REUSE, NEAP_TERM_PEAK, NEAP_TERM_MOVED, NEAP_TERM_SPILL};
  neap_error error;
  assert_non_null(problem);
  for (size_t i = 0; i < SAMPLE_COUNT(pool_names); i++) {
    neap_pool pool = {sizeof(neap_pool),
                      pool_names[i],
                      (neap_size)next_random(&seed, 9999) - 1,
                      1 + (neap_size)next_random(&seed, 2),
                      (neap_offset)next_random(&seed, 2),
                      (neap_size)next_random(&seed, 3) - 1};
    assert_ok(neap_problem_add_pool(problem, &pool, &error), &error);
  }
  for (size_t i = 0; i < count; i++)
    add_limited(problem, &seed);
  add_relations(problem, &seed);
  neap_reserved reserved = {sizeof(neap_reserved), next_random(&seed, 3), 4, 8, {0, NEAP_MAX}};
  if (next_random(&seed, 2) == 0) reserved.when.end = 5;
  assert_ok(neap_problem_reserve(problem, &reserved, &error), &error);
  if (next_random(&seed, 2) == 0)
    assert_ok(neap_problem_set_objective(problem, order, &error), &error);
  return problem;
}

static void expect_same_limits(const neap_problem *left, const neap_problem *right) {
  neap_buffer a = NEAP_INIT(neap_buffer), b = NEAP_INIT(neap_buffer);
  for (size_t i = 0; neap_problem_buffer_at(left, i, &a); i++) {
    neap_problem_buffer_at(right, i, &b);
    assert_int_equal(a.window_low, b.window_low);
    assert_int_equal(a.window_high, b.window_high);
    assert_int_equal(a.near_offset, b.near_offset);
    assert_int_equal(a.move_cost, b.move_cost);
    assert_int_equal(a.pool_count, b.pool_count);
    for (size_t p = 0; p < a.pool_count; p++)
      assert_int_equal(a.pools[p], b.pools[p]);
  }
}

static void expect_same_pools(const neap_problem *left, const neap_problem *right) {
  neap_pool a = NEAP_INIT(neap_pool), b = NEAP_INIT(neap_pool);
  for (size_t i = 0; neap_problem_pool_at(left, i, &a); i++) {
    assert_true(neap_problem_pool_at(right, i, &b));
    assert_string_equal(a.name, b.name);
    assert_int_equal(a.capacity, b.capacity);
    assert_int_equal(a.alignment, b.alignment);
    assert_int_equal(a.base, b.base);
    assert_int_equal(a.cost, b.cost);
  }
  neap_reserved one = NEAP_INIT(neap_reserved), other = NEAP_INIT(neap_reserved);
  assert_true(neap_problem_reserved_at(left, 0, &one));
  assert_true(neap_problem_reserved_at(right, 0, &other));
  assert_memory_equal(&one, &other, sizeof one);
}

/* The next relation of a kind from `index` on. */
static bool next_relation(const neap_problem *problem, neap_relation_kind kind, size_t *index,
                          neap_relation *relation) {
  while (neap_problem_relation_at(problem, (*index)++, relation))
    if (relation->kind == kind) return true;
  return false;
}

/* The relations of each kind keep their order. */
static void expect_same_relations(const neap_problem *left, const neap_problem *right) {
  for (int kind = 0; kind < NEAP_RELATION_KIND_COUNT; kind++) {
    neap_relation a = NEAP_INIT(neap_relation), b = NEAP_INIT(neap_relation);
    size_t i = 0, j = 0;
    while (next_relation(left, (neap_relation_kind)kind, &i, &a)) {
      assert_true(next_relation(right, (neap_relation_kind)kind, &j, &b));
      assert_int_equal(a.first, b.first);
      assert_int_equal(a.second, b.second);
      assert_int_equal(a.bytes, b.bytes);
      assert_true(!a.reason == !b.reason);
      if (a.reason) assert_string_equal(a.reason, b.reason);
    }
    assert_false(next_relation(right, (neap_relation_kind)kind, &j, &b));
  }
}

TEST(json_represents_all_constraints) {
  for (uint64_t seed = 0; seed < 50; seed++) {
    neap_problem *problem = constrained_problem(seed, 1 + seed);
    neap_term order[NEAP_TERM_COUNT], read[NEAP_TERM_COUNT];
    files_write(problem, "a.json");
    convert("a.json", "b.json");
    files_expect_same("a.json", "b.json");
    neap_problem *again = files_read("b.json");
    expect_same(problem, again);
    expect_same_limits(problem, again);
    expect_same_pools(problem, again);
    expect_same_relations(problem, again);
    neap_problem_objective(problem, order);
    neap_problem_objective(again, read);
    assert_memory_equal(order, read, sizeof order);
    neap_problem_free(again);
    neap_problem_free(problem);
  }
}

/* A sequence of operations on a few names, of which some are never freed. */
static void make_operations(const char *path, uint64_t seed, size_t count) {
  bool live[6] = {false};
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("name,type,size,alignment\n", file);
  size_t made = 0, number[6] = {0};
  for (size_t i = 0; i < count; i++) {
    size_t slot = next_random(&seed, 6);
    if (live[slot]) {
      fprintf(file, "t%zu,free,0,0\n", number[slot]);
    } else {
      number[slot] = made++;
      fprintf(file, "t%zu,alloc,%d,%d\n", number[slot], (int)next_random(&seed, 5000),
              1 << next_random(&seed, 8));
    }
    live[slot] = !live[slot];
  }
  assert_int_equal(fclose(file), 0);
}

TEST(operations_round_trip_through_json) {
  for (uint64_t seed = 0, tries = sample_tries(100); seed < tries; seed++) {
    make_operations("a.ops", seed, seed);
    convert("a.ops", "b.json");
    convert("b.json", "c.ops");
    files_expect_same("a.ops", "c.ops");
  }
}

/*
 * A table does not say whether the last operation frees the last buffer to end or leaves it alive.
 */
TEST(operations_round_trip_through_tables) {
  size_t exact = 0;
  for (uint64_t seed = 0, tries = sample_tries(100); seed < tries; seed++) {
    make_operations("a.ops", seed, seed);
    convert("a.ops", "b.csv");
    convert("b.csv", "c.ops");
    neap_problem *before = files_read("a.ops"), *after = files_read("c.ops");
    expect_same(before, after);
    if (neap_problem_horizon(before) == neap_problem_horizon(after)) {
      files_expect_same("a.ops", "c.ops");
      exact++;
    }
    neap_problem_free(before);
    neap_problem_free(after);
  }
  assert_true(exact > sample_tries(50));
}

TEST(examples_round_trip) {
  const char *source = getenv("NEAP_SOURCE");
  char path[4096];
  size_t count = 0;
  if (!source) skip();
  snprintf(path, sizeof path, "%s/examples", source);
  DIR *entries = opendir(path);
  if (!entries) skip();
  for (const struct dirent *entry; (entry = readdir(entries));) {
    const char *ending = strrchr(entry->d_name, '.');
    if (!ending || (strcmp(ending, ".csv") != 0 && strcmp(ending, ".ops") != 0)) continue;
    char again[32];
    snprintf(path, sizeof path, "%s/examples/%s", source, entry->d_name);
    snprintf(again, sizeof again, "again%s", ending);
    convert(path, "a.json");
    convert("a.json", again);
    files_expect_same(path, again);
    count++;
  }
  closedir(entries);
  assert_true(count > 0);
}

TEST(offsets_in_files_can_be_ignored) {
  files_make("a.csv", "id,lower,upper,size,offset\na,0,1,8,0\nb,0,1,8,4\n"); /* they collide */
  files_make("a.json",
             "{\"format\":\"neap-problem\",\"version\":1,\"buffers\":[{\"name\":\"a\","
             "\"size\":8,\"lifetimes\":[[0,1]],\"fixed_offset\":64}]}");
  files_make("a.ops", "name,type,size\na,alloc,8\n");
  static const char *const paths[] = {"a.csv", "a.json", "a.ops"};
  const neap_reading anew = {.struct_size = sizeof(neap_reading), .replan = true};
  for (size_t i = 0; i < SAMPLE_COUNT(paths); i++) {
    neap_problem *problem = NULL;
    neap_error error;
    assert_ok(neap_problem_read(paths[i], &anew, &problem, &error), &error);
    neap_buffer buffer = sample_buffer(problem, 0);
    assert_int_equal(buffer.fixed_offset, NEAP_UNPLACED);
    neap_problem_free(problem);
  }
}

/* ---------------------------------------------------------------- plans */

static void expect_same_rounds(const neap_plan *left, const neap_plan *right) {
  size_t i = 0;
  neap_round a = NEAP_INIT(neap_round), b = NEAP_INIT(neap_round);
  for (; neap_plan_round_at(left, i, &a); i++) {
    assert_true(neap_plan_round_at(right, i, &b));
    assert_int_equal(a.round, b.round);
    assert_int_equal(a.peak, b.peak);
    assert_int_equal(a.excess_area, b.excess_area);
    assert_int_equal(a.excess_count, b.excess_count);
    assert_memory_equal(a.risk, b.risk, sizeof a.risk);
    assert_int_equal(a.high_groups, b.high_groups);
    assert_int_equal(a.medium_groups, b.medium_groups);
    assert_int_equal(a.group_rounds, b.group_rounds);
    assert_int_equal(a.improved, b.improved);
  }
  assert_false(neap_plan_round_at(right, i, &b));
}

static void expect_same_reports(const neap_plan *left, const neap_plan *right) {
  neap_report a = NEAP_INIT(neap_report), b = NEAP_INIT(neap_report);
  neap_plan_report(left, &a);
  neap_plan_report(right, &b);
  assert_int_equal(a.buffers, b.buffers);
  assert_int_equal(a.bound, b.bound);
  assert_int_equal(a.lower_bound, b.lower_bound);
  assert_int_equal(a.peak, b.peak);
  assert_true(a.gap_percent >= b.gap_percent && a.gap_percent <= b.gap_percent);
  assert_int_equal(a.outcome, b.outcome);
  assert_int_equal(a.run.stop_reason, b.run.stop_reason);
  assert_string_equal(a.run.engine, b.run.engine);
  assert_int_equal(a.run.rounds, b.run.rounds);
  assert_int_equal(a.run.seed, b.run.seed);
  assert_int_equal(a.capacity, b.capacity);
}

static void expect_same_offsets(const neap_plan *left, const neap_plan *right) {
  size_t count = neap_problem_count(neap_plan_problem(left));
  assert_int_equal(neap_problem_count(neap_plan_problem(right)), count);
  for (size_t i = 0; i < count; i++) {
    assert_int_equal(neap_plan_offset(left, i), neap_plan_offset(right, i));
  }
}

static void expect_same_risks(const neap_plan *left, const neap_plan *right) {
  for (size_t i = 0; i < neap_problem_count(neap_plan_problem(left)); i++)
    assert_int_equal(neap_plan_risk(left, i), neap_plan_risk(right, i));
}

TEST(json_represents_all_of_a_plan) {
  for (uint64_t seed = 1; seed < 20; seed++) {
    neap_problem *problem = random_problem(seed, 5 * seed);
    neap_plan *plan = files_solve(problem);
    neap_error error;
    if (seed % 2) assert_ok(neap_plan_set_base(plan, UINT64_MAX - (1 << 24), &error), &error);
    if (seed % 3) assert_ok(neap_plan_set_capacity(plan, NEAP_MAX / 4, &error), &error);
    files_write_plan(plan, "a.json");
    neap_plan *again = files_read_plan("a.json");
    expect_same(problem, neap_plan_problem(again));
    expect_same_offsets(plan, again);
    expect_same_risks(plan, again);
    expect_same_reports(plan, again);
    expect_same_rounds(plan, again);
    assert_ok(neap_plan_verify(again, -1, &error), &error);
    files_write_plan(again, "b.json");
    files_expect_same("a.json", "b.json");
    neap_problem *alone = files_read("a.json");
    expect_same(problem, alone);
    neap_problem_free(alone);
    neap_plan_free(again);
    neap_plan_free(plan);
    neap_problem_free(problem);
  }
}

TEST(tables_list_the_offsets_of_a_plan) {
  for (uint64_t seed = 1; seed < 20; seed++) {
    neap_problem *problem = random_problem(seed, 5 * seed);
    neap_plan *plan = files_solve(problem);
    neap_error error;
    files_write_plan(plan, "a.csv");
    neap_plan *again = files_read_plan("a.csv");
    expect_same_offsets(plan, again);
    assert_ok(neap_plan_verify(again, -1, &error), &error);
    files_write(problem, "p.json");
    neap_problem *anew;
    const neap_reading replan = {.struct_size = sizeof(neap_reading), .replan = true};
    assert_ok(neap_problem_read("p.json", &replan, &anew, &error), &error);
    expect_same(anew, neap_plan_problem(again));
    neap_problem_free(anew);
    /* Read as a problem, the same table has only fixed buffers, and thus one plan. */
    neap_problem *fixed = files_read("a.csv");
    neap_plan *only = files_solve(fixed);
    expect_same_offsets(plan, only);
    files_write_plan(only, "b.csv");
    files_expect_same("a.csv", "b.csv");
    neap_plan_free(only);
    neap_problem_free(fixed);
    neap_plan_free(again);
    neap_plan_free(plan);
    neap_problem_free(problem);
  }
}

TEST(aligned_tables_are_written) {
  neap_problem *problem = random_problem(3, 12);
  neap_plan *plan = files_solve(problem);
  files_write_plan(plan, "a.txt");
  char *text = files_text("a.txt");
  assert_ptr_equal(strstr(text, "buffers  12\n"), text);
  free(text);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* As neap writes it, with everything that a graph in JSON can have. */
static const char graph_text[] =
    "{\n"
    "  \"format\": \"neap-graph\",\n"
    "  \"version\": 1,\n"
    "  \"inputs\": [\"x\", \"u\", \"q\"],\n"
    "  \"outputs\": [\"p\"],\n"
    "  \"states\": [[\"p\", \"q\"]],\n"
    "  \"tensors\": [\n"
    "    {\"name\": \"x\", \"bytes\": 64},\n"
    "    {\"name\": \"w \\\"1\\\"\", \"bytes\": 9, \"kind\": \"constant\"},\n"
    "    {\"name\": \"y\", \"bytes\": 64, \"alignment\": 16},\n"
    "    {\"name\": \"s\", \"bytes\": 8, \"kind\": \"variable\"},\n"
    "    {\"name\": \"u\", \"bytes\": 0, \"kind\": \"external\"},\n"
    "    {\"name\": \"t\", \"bytes\": 2},\n"
    "    {\"name\": \"v\", \"bytes\": 64, \"keep\": true},\n"
    "    {\"name\": \"z\", \"bytes\": 64},\n"
    "    {\"name\": \"c\", \"bytes\": 128},\n"
    "    {\"name\": \"p\", \"bytes\": 8},\n"
    "    {\"name\": \"q\", \"bytes\": 8}\n"
    "  ],\n"
    "  \"operators\": [\n"
    "    {\"name\": \"CONV\", \"inputs\": [\"x\", \"w \\\"1\\\"\"], \"outputs\": [\"y\"], "
    "\"temporaries\": [\"t\"]},\n"
    "    {\"inputs\": [\"y\", \"s\", \"u\"], \"outputs\": [\"v\"], \"views\": [[0, 0]], "
    "\"device\": 1, \"duration\": 3, \"once\": true},\n"
    "    {\"name\": \"RELU\", \"inputs\": [\"v\"], \"outputs\": [\"z\"], \"in_place\": [[0, "
    "0]], \"overlap\": [[0, 0, 16]]},\n"
    "    {\"inputs\": [\"v\", \"z\"], \"outputs\": [\"c\"], \"concat\": [[0, 0, 0], [1, 0, "
    "64]]},\n"
    "    {\"inputs\": [\"c\"], \"outputs\": [\"p\"], \"split\": [[0, 0, 120]]}\n"
    "  ]\n"
    "}\n";

TEST(graphs_are_written_as_they_were_read) {
  neap_graph *graph;
  neap_error error;
  files_make("a.json", graph_text);
  assert_ok(neap_graph_read("a.json", NULL, &graph, &error), &error);
  assert_ok(neap_graph_write(graph, "b.json", NULL, &error), &error);
  files_expect_same("a.json", "b.json");
  neap_graph_free(graph);
}

TEST(an_empty_graph_is_written) {
  neap_graph *graph = neap_graph_new();
  neap_error error;
  assert_non_null(graph);
  assert_ok(neap_graph_write(graph, "a.json", NULL, &error), &error);
  neap_graph_free(graph);
  assert_ok(neap_graph_read("a.json", NULL, &graph, &error), &error);
  assert_int_equal(neap_graph_tensor_count(graph), 0);
  neap_graph_free(graph);
}

static const struct CMUnitTest tests[] = {
    FILES_CASE(tables_and_json_represent_everything),
    FILES_CASE(json_represents_all_constraints),
    FILES_CASE(operations_round_trip_through_json),
    FILES_CASE(operations_round_trip_through_tables),
    FILES_CASE(examples_round_trip),
    FILES_CASE(offsets_in_files_can_be_ignored),
    FILES_CASE(json_represents_all_of_a_plan),
    FILES_CASE(tables_list_the_offsets_of_a_plan),
    FILES_CASE(aligned_tables_are_written),
    FILES_CASE(graphs_are_written_as_they_were_read),
    FILES_CASE(an_empty_graph_is_written),
};

int main(void) { return cmocka_run_group_tests(tests, NULL, NULL); }
