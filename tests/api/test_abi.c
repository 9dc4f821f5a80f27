/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Structs of programs that were compiled with other headers: each is placed before a page that
 * cannot be accessed, so that one byte too many ends the test.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "neap/neap-io.h"
#ifdef ENABLE_MODELS
#include "neap/models.h"
#endif
#include "neap/planner.h"
#include "neap/relations.h"
#include "tests/support/sample.h"

static neap_problem *problem, *pooled;
static neap_graph *graph;
static neap_plan *plan, *pooled_plan;
static neap_certificate *certificate;
static neap_explanation *explanation;

/* ---------------------------------------------------------------- structs to fill */

static bool fill_buffer(void *to) { return neap_problem_buffer_at(problem, 0, to); }
static bool fill_relation(void *to) { return neap_problem_relation_at(problem, 0, to); }
static bool fill_pool(void *to) { return neap_problem_pool_at(pooled, 0, to); }
static bool fill_reserved(void *to) { return neap_problem_reserved_at(pooled, 0, to); }
static bool fill_overlap(void *to) { return neap_plan_overlap_at(plan, 0, to); }
static bool fill_pool_report(void *to) { return neap_plan_pool_at(pooled_plan, 0, to); }
static bool fill_bound(void *to) { return neap_problem_bound(problem, to, NULL) == NEAP_OK; }
static bool fill_option(void *to) { return neap_option_at(0, to); }
static bool fill_engine(void *to) { return neap_engine_at(0, to); }
static bool fill_network(void *to) { return neap_network_at(0, to); }
static bool fill_order(void *to) { return neap_problem_order(problem, to); }
static bool fill_operator(void *to) { return neap_problem_operator_at(problem, 0, to); }
static bool fill_runtime(void *to) { return neap_problem_runtime_tensor_at(problem, 0, to); }
static bool fill_round(void *to) { return neap_plan_round_at(plan, 0, to); }
static bool fill_moment(void *to) { return neap_plan_moment_at(plan, 0, to); }
static bool fill_format(void *to) { return neap_format_at(0, to); }
static bool fill_target(void *to) { return neap_target_at(0, to); }
static bool fill_kernels(void *to) { return neap_kernels_at(0, to); }
static bool fill_colouring(void *to) { return neap_colouring_at(0, to); }
static bool fill_fix(void *to) { return neap_explanation_fix_at(explanation, 0, to); }

static bool fill_report(void *to) {
  neap_plan_report(plan, to);
  return true;
}

static bool fill_certificate(void *to) {
  neap_certificate_describe(certificate, to);
  return true;
}

static bool fill_explanation(void *to) {
  neap_explanation_get_report(explanation, to);
  return true;
}

#ifdef ENABLE_MODELS
static neap_model *model;
static neap_problem *model_problem;
static neap_bands *bands;
static neap_fit *fit;

static bool fill_arena(void *to) { return neap_problem_arena(model_problem, 0, to); }
static bool fill_kernel(void *to) {
  return neap_problem_arena_operator_at(model_problem, 0, to);
}
static bool fill_segment(void *to) { return neap_bands_segment_at(bands, 0, to); }
static bool fill_step(void *to) { return neap_fit_step_at(fit, 0, to); }

static bool fill_bands(void *to) {
  neap_bands_get_report(bands, to);
  return true;
}

static bool fill_fit(void *to) {
  neap_fit_get_report(fit, to);
  return true;
}

static void make_models(void) {
  const char *source = getenv("NEAP_SOURCE");
  neap_model_limits limits = NEAP_INIT(neap_model_limits);
  char path[4096];
  neap_error error;
  snprintf(path, sizeof path, "%.3000s/examples/branches.tflite", source ? source : ".");
  limits.capacity = 6144;
  assert_ok(neap_model_open(path, NULL, &model, &error), &error);
  assert_ok(neap_model_problem(model, NULL, &model_problem, &error), &error);
  assert_ok(neap_model_bands(model, NULL, NULL, &bands, &error), &error);
  assert_ok(neap_model_fit(model, &limits, &fit, &error), &error);
}

static void free_models(void) {
  neap_fit_free(fit);
  neap_bands_free(bands);
  neap_problem_free(model_problem);
  neap_model_free(model);
}
#endif

static const struct {
  const char *name;
  size_t size;
  bool (*fill)(void *to);
  bool cannot_fail;
} fills[] = {
    {"neap_buffer", sizeof(neap_buffer), fill_buffer, false},
    {"neap_relation", sizeof(neap_relation), fill_relation, false},
    {"neap_pool", sizeof(neap_pool), fill_pool, false},
    {"neap_reserved", sizeof(neap_reserved), fill_reserved, false},
    {"neap_overlap", sizeof(neap_overlap), fill_overlap, false},
    {"neap_pool_report", sizeof(neap_pool_report), fill_pool_report, false},
    {"neap_bound", sizeof(neap_bound), fill_bound, false},
    {"neap_option_info", sizeof(neap_option_info), fill_option, false},
    {"neap_engine_info", sizeof(neap_engine_info), fill_engine, false},
    {"neap_network_info", sizeof(neap_network_info), fill_network, false},
    {"neap_operator_order", sizeof(neap_operator_order), fill_order, false},
    {"neap_operator_info", sizeof(neap_operator_info), fill_operator, false},
    {"neap_runtime_tensor", sizeof(neap_runtime_tensor), fill_runtime, false},
    {"neap_round", sizeof(neap_round), fill_round, false},
    {"neap_moment", sizeof(neap_moment), fill_moment, false},
    {"neap_fix", sizeof(neap_fix), fill_fix, false},
    {"neap_format_info", sizeof(neap_format_info), fill_format, false},
    {"neap_target_info", sizeof(neap_target_info), fill_target, false},
    {"neap_kernels_info", sizeof(neap_kernels_info), fill_kernels, false},
    {"neap_colouring_info", sizeof(neap_colouring_info), fill_colouring, false},
    {"neap_report", sizeof(neap_report), fill_report, true},
    {"neap_certificate_info", sizeof(neap_certificate_info), fill_certificate, true},
    {"neap_explanation_report", sizeof(neap_explanation_report), fill_explanation, true},
#ifdef ENABLE_MODELS
    {"neap_arena", sizeof(neap_arena), fill_arena, false},
    {"neap_arena_operator", sizeof(neap_arena_operator), fill_kernel, false},
    {"neap_bands_segment", sizeof(neap_bands_segment), fill_segment, false},
    {"neap_fit_step", sizeof(neap_fit_step), fill_step, false},
    {"neap_bands_report", sizeof(neap_bands_report), fill_bands, true},
    {"neap_fit_report", sizeof(neap_fit_report), fill_fit, true},
#endif
};

/* ---------------------------------------------------------------- structs to read */

/* What a program passes; the pointers in it stay valid. */
static const neap_range range = {0, 2};
static const neap_time starts[] = {0}, ends[] = {2};
static const neap_size sizes[] = {8};
static const size_t given[] = {0};
static const neap_buffer buffer = {.struct_size = sizeof buffer,
                                   .name = "new",
                                   .size = 8,
                                   .alignment = 1,
                                   .fixed_offset = NEAP_UNPLACED,
                                   .ranges = &range,
                                   .range_count = 1,
                                   .window_high = NEAP_MAX,
                                   .near_offset = NEAP_UNPLACED,
                                   .move_cost = -1};
static const neap_arrays arrays = {sizeof arrays, 1, starts, ends, sizes, NULL, NULL};
static const neap_relation relation = {sizeof relation, NEAP_SEPARATION, 0, 1, 0, NULL};
static const neap_pool pool = {sizeof pool, "pool", -1, 1, 0, -1};
static const neap_reserved reserved = {sizeof reserved, 0, 100, 200, {0, NEAP_MAX}};
static const neap_tensor tensor = {.struct_size = sizeof tensor, .bytes = 8, .alignment = 1};
static const neap_in_place pair = {sizeof pair, 0, 0, false};
static const neap_allowance allowance = {sizeof allowance, 0, 0, 0};
static const neap_part part = {sizeof part, 0, 0, 0, NEAP_ALIAS_CONCAT};
static const neap_operator_order order = {
    .struct_size = sizeof order, .given = given, .count = 1, .given_bound = 8, .lower_bound = 8};
static const neap_operator_info operator_info = {.struct_size = sizeof operator_info};
static const neap_history history = {.struct_size = sizeof history, .engine = "mine"};
static const neap_certifying certifying = {.struct_size = sizeof certifying};
static const neap_explaining explaining = {.struct_size = sizeof explaining, .no_fixes = true};
static const neap_reading reading = {.struct_size = sizeof reading, .format = "json"};
static const neap_writing writing = {.struct_size = sizeof writing, .format = "json"};
static const neap_text_style style = {.struct_size = sizeof style, .columns = 60, .lines = 12};

static neap_problem *fresh(void) {
  const struct sample samples[] = {{0, 2, 8, 0}, {1, 3, 8, 0}};
  return sample_problem(samples, 2);
}

/* A graph whose last operator has an input and an output. */
static neap_graph *fresh_graph(void) {
  neap_graph *made = neap_graph_new();
  neap_error error;
  assert_ok(neap_graph_add_tensor(made, "x", &tensor, &error), &error);
  assert_ok(neap_graph_add_tensor(made, "y", &tensor, &error), &error);
  assert_ok(neap_graph_add_operator(made, "Relu", &error), &error);
  assert_ok(neap_graph_add_link(made, NEAP_LINK_INPUT, 0, &error), &error);
  assert_ok(neap_graph_add_link(made, NEAP_LINK_OUTPUT, 1, &error), &error);
  return made;
}

/* NAME(from, error): calls CALL with `from` and an object that is made for it. */
#define READ_WITH(name, type, make, release, call)               \
  static neap_status name(const void *from, neap_error *error) { \
    type *made = make;                                           \
    neap_status status = call;                                   \
    release(made);                                               \
    return status;                                               \
  }
#define READ_PROBLEM(name, call) READ_WITH(name, neap_problem, fresh(), neap_problem_free, call)
#define READ_GRAPH(name, call) READ_WITH(name, neap_graph, fresh_graph(), neap_graph_free, call)

READ_PROBLEM(read_buffer, neap_problem_add(made, from, error))
READ_PROBLEM(read_arrays, neap_problem_add_arrays(made, from, error))
READ_PROBLEM(read_relation, neap_problem_relate(made, from, error))
READ_PROBLEM(read_pool, neap_problem_add_pool(made, from, error))
READ_PROBLEM(read_reserved, neap_problem_reserve(made, from, error))
READ_PROBLEM(read_order, neap_problem_set_order(made, from, error))
READ_PROBLEM(read_operator, neap_problem_add_operator(made, from, error))
READ_GRAPH(read_tensor, neap_graph_add_tensor(made, "z", from, error))
READ_GRAPH(read_pair, neap_graph_add_pair(made, from, error))
READ_GRAPH(read_allowance, neap_graph_add_allowance(made, from, error))
READ_GRAPH(read_part, neap_graph_add_part(made, from, error))

static neap_status read_history(const void *from, neap_error *error) {
  return neap_plan_set_history(pooled_plan, from, error);
}

/* A list of one round, as a part of a history. */
static neap_status read_round(const void *from, neap_error *error) {
  const neap_history one = {
      .struct_size = sizeof one, .engine = "mine", .round_list = from, .round_count = 1};
  return neap_plan_set_history(pooled_plan, &one, error);
}

static neap_status read_moment(const void *from, neap_error *error) {
  const neap_history one = {
      .struct_size = sizeof one, .engine = "mine", .moments = from, .moment_count = 1};
  return neap_plan_set_history(pooled_plan, &one, error);
}

static neap_status read_certifying(const void *from, neap_error *error) {
  neap_certificate *made = NULL;
  neap_status status = neap_certify(problem, NULL, from, &made, error);
  neap_certificate_free(made);
  return status;
}

static neap_status read_explaining(const void *from, neap_error *error) {
  neap_explanation *made = NULL;
  neap_status status = neap_explain(problem, NULL, from, &made, error);
  neap_explanation_free(made);
  return status;
}

static neap_status read_reading(const void *from, neap_error *error) {
  neap_problem *made = NULL;
  neap_status status = neap_problem_read("abi.tmp", from, &made, error);
  neap_problem_free(made);
  return status;
}

static neap_status read_writing(const void *from, neap_error *error) {
  return neap_plan_write(plan, "abi.tmp", from, error);
}

static neap_status read_style(const void *from, neap_error *error) {
  FILE *stream = fopen("/dev/null", "w");
  assert_non_null(stream);
  neap_status status = neap_plan_draw_text(plan, NULL, from, stream, error);
  fclose(stream);
  return status;
}

#ifdef ENABLE_MODELS
static const neap_model_limits limits = {.struct_size = sizeof limits, .capacity = 6144};

static neap_status read_limits(const void *from, neap_error *error) {
  neap_fit *made = NULL;
  neap_status status = neap_model_fit(model, from, &made, error);
  neap_fit_free(made);
  return status;
}
#endif

static const neap_round a_round = {.struct_size = sizeof a_round, .round = 1};
static const neap_moment a_moment = {.struct_size = sizeof a_moment, .ticks = 1};

#define READ(type, value, read) \
  { #type, sizeof(type), &(value), read }

/* writing precedes reading, which reads its file. */
static const struct {
  const char *name;
  size_t size;
  const void *value;
  neap_status (*read)(const void *from, neap_error *error);
} reads[] = {
    READ(neap_buffer, buffer, read_buffer),
    READ(neap_arrays, arrays, read_arrays),
    READ(neap_relation, relation, read_relation),
    READ(neap_pool, pool, read_pool),
    READ(neap_reserved, reserved, read_reserved),
    READ(neap_tensor, tensor, read_tensor),
    READ(neap_in_place, pair, read_pair),
    READ(neap_allowance, allowance, read_allowance),
    READ(neap_part, part, read_part),
    READ(neap_operator_order, order, read_order),
    READ(neap_operator_info, operator_info, read_operator),
    READ(neap_history, history, read_history),
    READ(neap_round, a_round, read_round),
    READ(neap_moment, a_moment, read_moment),
    READ(neap_certifying, certifying, read_certifying),
    READ(neap_explaining, explaining, read_explaining),
    READ(neap_writing, writing, read_writing),
    READ(neap_reading, reading, read_reading),
    READ(neap_text_style, style, read_style),
#ifdef ENABLE_MODELS
    READ(neap_model_limits, limits, read_limits),
#endif
};

/* ---------------------------------------------------------------- before a forbidden page */

#define ROOM \
  16384 /* more than twice the largest struct, and a multiple of the size of a page */

static unsigned char *room;

/* The last `size` bytes before the page. */
static void *at_end(size_t size, size_t struct_size, int rest) {
  unsigned char *place = room + ROOM - size;
  memset(place, rest, size);
  memcpy(place, &struct_size, sizeof struct_size);
  return place;
}

static bool all_are(const void *bytes, size_t from, size_t to, unsigned char value) {
  for (size_t i = from; i < to; i++)
    if (((const unsigned char *)bytes)[i] != value) return false;
  return true;
}

/* ---------------------------------------------------------------- tests */

/* Soils the stack of the next call, so that bytes between members show if they are copied. */
static void soil_stack(int value) {
  unsigned char bytes[ROOM];
  memset(bytes, value, sizeof bytes);
  for (size_t i = 0; i < sizeof bytes; i += 64)
    (void)*(volatile unsigned char *)&bytes[i];
}

static bool fill_soiled(size_t index, void *to, int value) {
  soil_stack(value);
  return fills[index].fill(to);
}

TEST(structs_are_filled_up_to_their_size) {
  for (size_t i = 0; i < SAMPLE_COUNT(fills); i++) {
    size_t size = fills[i].size, head = sizeof size;
    unsigned char whole[ROOM];
    memcpy(whole, at_end(size, size, 0xAA), size);
    void *place = at_end(size, size, 0xAA);
    if (!fill_soiled(i, place, 0x11)) fail_msg("%s is not filled", fills[i].name);
    assert_memory_equal(place, &size, head);
    memcpy(whole, place, size);
    for (size_t older = 2 * head; older < size; older += head) {
      place = at_end(older, older, 0xAA);
      if (!fill_soiled(i, place, 0x22))
        fail_msg("%s of %zu bytes is not filled", fills[i].name, older);
      if (memcmp((char *)place + head, whole + head, older - head) != 0)
        fail_msg("%s of %zu bytes has other members", fills[i].name, older);
    }
    place = at_end(size + 40, size + 40, 0xAA);
    assert_true(fill_soiled(i, place, 0x33));
    if (memcmp((char *)place + head, whole + head, size - head) != 0)
      fail_msg("%s: other members, or bytes between them", fills[i].name);
    if (!all_are(place, size, size + 40, 0))
      fail_msg("%s: unknown members stay", fills[i].name);
  }
}

TEST(structs_without_a_size_are_not_filled) {
  const size_t invalid[] = {0, 1, SIZE_MAX};
  for (size_t i = 0; i < SAMPLE_COUNT(fills); i++)
    for (size_t k = 0; k < SAMPLE_COUNT(invalid); k++) {
      void *place = at_end(fills[i].size, invalid[k], 0xAA);
      if (fills[i].fill(place) != fills[i].cannot_fail)
        fail_msg("%s with struct_size %zu", fills[i].name, invalid[k]);
      assert_memory_equal(place, &invalid[k], sizeof invalid[k]);
      assert_true(all_are(place, sizeof(size_t), fills[i].size, 0xAA));
    }
}

TEST(structs_are_read_up_to_their_size) {
  neap_error error;
  for (size_t i = 0; i < SAMPLE_COUNT(reads); i++) {
    size_t size = reads[i].size, longer = size + 40;
    void *place = at_end(size, size, 0);
    memcpy(place, reads[i].value, size);
    if (reads[i].read(place, &error) != NEAP_OK) fail_msg("%s: %s", reads[i].name, error.text);
    place = at_end(longer, longer, 0);
    memcpy((char *)place + sizeof size, (const char *)reads[i].value + sizeof size,
           size - sizeof size);
    if (reads[i].read(place, &error) != NEAP_OK) fail_msg("%s: %s", reads[i].name, error.text);
    room[ROOM - 1] = 1;
    assert_error(reads[i].read(place, &error), NEAP_ERROR_ARGUMENT, &error);
    assert_says(&error, reads[i].name);
  }
}

TEST(structs_without_a_size_are_refused) {
  const size_t invalid[] = {0, 1, SIZE_MAX};
  neap_error error;
  for (size_t i = 0; i < SAMPLE_COUNT(reads); i++)
    for (size_t k = 0; k < SAMPLE_COUNT(invalid); k++) {
      void *place = at_end(reads[i].size, 0, 0);
      memcpy(place, reads[i].value, reads[i].size);
      memcpy(place, &invalid[k], sizeof invalid[k]);
      assert_error(reads[i].read(place, &error), NEAP_ERROR_ARGUMENT, &error);
      assert_says(&error, reads[i].name);
      assert_says(&error, "NEAP_INIT");
    }
}

/* The struct of a program whose neap_buffer ends before `hint`. */
TEST(members_that_a_program_lacks_have_their_defaults) {
  neap_error error;
  neap_problem *made = neap_problem_new();
  neap_buffer found = NEAP_INIT(neap_buffer);
  size_t older = offsetof(neap_buffer, hint);
  void *place = at_end(older, older, 0);
  memcpy((char *)place + sizeof older, (const char *)&buffer + sizeof older,
         older - sizeof older);
  assert_ok(neap_problem_add(made, place, &error), &error);
  assert_true(neap_problem_buffer_at(made, 0, &found));
  assert_int_equal(found.window_high, NEAP_MAX);
  assert_int_equal(found.near_offset, NEAP_UNPLACED);
  neap_problem_free(made);
}

TEST(reserved_members_must_be_zero) {
  static const neap_reading readings[] = {
      {.struct_size = sizeof(neap_reading), .table.reserved = {1}},
      {.struct_size = sizeof(neap_reading), .dot.reserved = {0, 1}},
      {.struct_size = sizeof(neap_reading), .graph.reserved = {0, 0, 1}},
      {.struct_size = sizeof(neap_reading), .model.reserved = {0, 0, 0, 1}}};
  neap_error error;
  neap_problem *made = NULL;
  for (size_t i = 0; i < SAMPLE_COUNT(readings); i++)
    assert_error(neap_problem_read("-", &readings[i], &made, &error), NEAP_ERROR_ARGUMENT,
                 &error);
  const neap_liveness liveness = {.reserved = {0, 0, 0, 1}};
  const neap_scheduling scheduling = {.schedule = NEAP_SCHEDULE_DEPTH_FIRST,
                                      .reserved = {1}};
  assert_error(neap_graph_to_problem(graph, &liveness, &made, &error), NEAP_ERROR_ARGUMENT,
               &error);
  assert_error(neap_graph_reorder(graph, &scheduling, NULL, &error), NEAP_ERROR_ARGUMENT,
               &error);
}

/* ---------------------------------------------------------------- objects for all tests */

static void make_plans(void) {
  const neap_offset offsets[] = {0, 4};
  const neap_history one = {.struct_size = sizeof one,
                            .engine = "mine",
                            .round_list = &a_round,
                            .round_count = 1,
                            .moments = &a_moment,
                            .moment_count = 1};
  neap_error error;
  assert_ok(neap_plan_new(problem, offsets, &plan, &error), &error);
  assert_ok(neap_plan_set_history(plan, &one, &error), &error);
  assert_ok(neap_solve(pooled, NULL, &pooled_plan, &error), &error);
}

static int make_objects(void **state) {
  (void)state;
  neap_error error;
  const neap_relation overlap = {sizeof overlap, NEAP_OVERLAP, 0, 1, 4, NULL};
  room = mmap(NULL, 2 * ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(room != MAP_FAILED && mprotect(room + ROOM, ROOM, PROT_NONE) == 0);
  problem = fresh();
  pooled = neap_problem_new();
  graph = fresh_graph();
  assert_ok(neap_problem_relate(problem, &overlap, &error), &error);
  assert_ok(neap_problem_set_order(problem, &order, &error), &error);
  assert_ok(neap_problem_add_operator(problem, &operator_info, &error), &error);
  assert_ok(neap_problem_add_runtime_tensor(problem, "b0", 8, &error), &error);
  assert_ok(neap_problem_add_pool(pooled, &pool, &error), &error);
  assert_ok(neap_problem_add(pooled, &buffer, &error), &error);
  assert_ok(neap_problem_reserve(pooled, &reserved, &error), &error);
  make_plans();
  assert_ok(neap_certify(problem, NULL, &certifying, &certificate, &error), &error);
  assert_ok(neap_explain(problem, NULL, NULL, &explanation, &error), &error);
#ifdef ENABLE_MODELS
  make_models();
#endif
  return 0;
}

static int free_objects(void **state) {
  (void)state;
#ifdef ENABLE_MODELS
  free_models();
#endif
  neap_explanation_free(explanation);
  neap_certificate_free(certificate);
  neap_plan_free(pooled_plan);
  neap_plan_free(plan);
  neap_graph_free(graph);
  neap_problem_free(pooled);
  neap_problem_free(problem);
  remove("abi.tmp");
  return munmap(room, 2 * ROOM);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(structs_are_filled_up_to_their_size),
      cmocka_unit_test(structs_without_a_size_are_not_filled),
      cmocka_unit_test(structs_are_read_up_to_their_size),
      cmocka_unit_test(structs_without_a_size_are_refused),
      cmocka_unit_test(members_that_a_program_lacks_have_their_defaults),
      cmocka_unit_test(reserved_members_must_be_zero),
  };
  return cmocka_run_group_tests_name("abi", tests, make_objects, free_objects);
}
