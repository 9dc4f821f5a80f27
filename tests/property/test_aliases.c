/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Concatenations and splits on random graphs: the bound is the most bytes that live tensors cover;
 * a machine that copies only what does not lie in place reads what it should; and the order of
 * operators decides nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts/bodies.h"
#include "model/aliases.h"
#include "model/operators.h"
#include "model/problem.h"
#include "model/values.h"
#include "schedule/costs.h"
#include "tests/support/random_graph.h"
#include "tests/support/run.h"
#include "tests/support/sample.h"

#define TENSORS_MAX 96
#define OPERATORS_MAX 14
#define BYTES_MAX 256

/* ---------------------------------------------------------------- random graphs */

struct maker {
  neap_graph *graph;
  struct dice *dice;
  size_t readable[TENSORS_MAX], count;
};

static size_t add_tensor(struct maker *maker, neap_size bytes) {
  struct dice *dice = maker->dice;
  size_t index = neap_graph_tensor_count(maker->graph);
  char name[24];
  neap_error error;
  neap_tensor tensor = {.struct_size = sizeof(neap_tensor),
                        .bytes = bytes,
                        .alignment = dice_chance(dice, 15) ? 4 : 1,
                        .is_kept = dice_chance(dice, 6),
                        .is_output = dice_chance(dice, 6)};
  assert_true(index < TENSORS_MAX);
  snprintf(name, sizeof name, "t%zu", index);
  assert_ok(neap_graph_add_tensor(maker->graph, name, &tensor, &error), &error);
  return index;
}

static size_t pick(struct maker *maker) {
  /* Recent tensors more often, so that there are parts of parts. */
  size_t back = maker->count < 6 || dice_chance(maker->dice, 30) ? maker->count : 6;
  return maker->readable[maker->count - 1 - dice_roll(maker->dice, back)];
}

static neap_size bytes_of(const struct maker *maker, size_t tensor) {
  return maker->graph->tensors[tensor].bytes;
}

static void link_tensor(struct maker *maker, neap_link link, size_t tensor) {
  neap_error error;
  assert_ok(neap_graph_add_link(maker->graph, link, tensor, &error), &error);
}

static void add_part(struct maker *maker, const neap_part *part) {
  neap_error error;
  assert_ok(neap_graph_add_part(maker->graph, part, &error), &error);
}

/* Perhaps with an input twice, with constants between inputs, or with an input not stated. */
static void add_concat(struct maker *maker) {
  size_t count = 1 + dice_roll(maker->dice, 4), inputs[4];
  neap_size offsets[4], size = 0;
  for (size_t i = 0; i < count; i++) {
    inputs[i] = pick(maker);
    if (dice_chance(maker->dice, 10)) size += 3;
    offsets[i] = size;
    size += bytes_of(maker, inputs[i]);
    if (size > BYTES_MAX) count = i;
  }
  if (dice_chance(maker->dice, 10)) size += 2;
  size_t output = add_tensor(maker, size > BYTES_MAX ? BYTES_MAX : size);
  for (size_t i = 0; i < count; i++)
    link_tensor(maker, NEAP_LINK_INPUT, inputs[i]);
  link_tensor(maker, NEAP_LINK_OUTPUT, output);
  for (size_t i = 0; i < count; i++)
    if (dice_chance(maker->dice, 92))
      add_part(maker, &(neap_part){sizeof(neap_part), i, 0, offsets[i], NEAP_ALIAS_CONCAT});
  maker->readable[maker->count++] = output;
}

static void add_split(struct maker *maker) {
  size_t input = pick(maker), outputs[3], count = 1 + dice_roll(maker->dice, 3);
  neap_size offsets[3], size = bytes_of(maker, input);
  link_tensor(maker, NEAP_LINK_INPUT, input);
  for (size_t o = 0; o < count; o++) {
    offsets[o] = size == 0 ? 0 : (neap_size)dice_roll(maker->dice, (uint32_t)size);
    neap_size rest = size - offsets[o];
    outputs[o] = add_tensor(
        maker, rest == 0 ? 0 : 1 + (neap_size)dice_roll(maker->dice, (uint32_t)rest));
    link_tensor(maker, NEAP_LINK_OUTPUT, outputs[o]);
  }
  for (size_t o = 0; o < count; o++) {
    add_part(maker, &(neap_part){sizeof(neap_part), 0, o, offsets[o], NEAP_ALIAS_SPLIT});
    maker->readable[maker->count++] = outputs[o];
  }
}

/* Makes an output of the size of its first input, as a view or perhaps in place. */
static void add_unary(struct maker *maker, bool is_view) {
  size_t input = pick(maker), output = add_tensor(maker, bytes_of(maker, input));
  neap_error error;
  link_tensor(maker, NEAP_LINK_INPUT, input);
  link_tensor(maker, NEAP_LINK_OUTPUT, output);
  assert_ok(neap_graph_add_pair(maker->graph,
                                &(neap_in_place){sizeof(neap_in_place), 0, 0, is_view}, &error),
            &error);
  maker->readable[maker->count++] = output;
}

static void add_plain(struct maker *maker) {
  size_t output = add_tensor(maker, (neap_size)dice_roll(maker->dice, 20));
  for (size_t i = dice_roll(maker->dice, 3); i-- > 0;)
    link_tensor(maker, NEAP_LINK_INPUT, pick(maker));
  link_tensor(maker, NEAP_LINK_OUTPUT, output);
  maker->readable[maker->count++] = output;
}

static neap_graph *random_parts(struct dice *dice) {
  struct maker maker = {.graph = neap_graph_new(), .dice = dice};
  size_t operators = 2 + dice_roll(dice, OPERATORS_MAX - 1);
  assert_non_null(maker.graph);
  for (size_t i = 0; i < 2; i++) {
    maker.readable[maker.count++] = add_tensor(&maker, 5 + (neap_size)dice_roll(dice, 8));
    maker.graph->tensors[i].is_input = true;
  }
  for (size_t k = 0; k < operators; k++) {
    neap_error error;
    assert_ok(neap_graph_add_operator(maker.graph, "op", &error), &error);
    size_t kind = dice_roll(dice, 100);
    if (kind < 30) add_concat(&maker);
    else if (kind < 45) add_split(&maker);
    else if (kind < 55) add_unary(&maker, true);
    else if (kind < 70) add_unary(&maker, false);
    else add_plain(&maker);
  }
  return maker.graph;
}

static neap_liveness random_options(struct dice *dice, bool in_place) {
  static const unsigned aliases[] = {NEAP_ALIAS_CONCAT, NEAP_ALIAS_SPLIT,
                                     NEAP_ALIAS_CONCAT | NEAP_ALIAS_SPLIT,
                                     NEAP_ALIAS_VIEWS | NEAP_ALIAS_CONCAT | NEAP_ALIAS_SPLIT};
  return (neap_liveness){.in_place = in_place && dice_chance(dice, 50),
                         .aliases = aliases[dice_roll(dice, 4)],
                         .keep_all = dice_chance(dice, 4),
                         .no_inputs = dice_chance(dice, 10),
                         .no_outputs = dice_chance(dice, 10)};
}

static neap_problem *problem_of(const neap_graph *graph, const neap_liveness *options) {
  neap_problem *problem = sample_graph_problem(graph, options);
  return problem;
}

/* ---------------------------------------------------------------- the bound */

static bool is_alive(const struct neap_problem *problem, size_t buffer, neap_time moment) {
  for (size_t r = problem_ranges_begin(problem, buffer);
       r < problem->buffers[buffer].ranges_end; r++)
    if (problem->ranges[r].start <= moment && moment < problem->ranges[r].end) return true;
  return false;
}

/* The bytes that live buffers cover at a moment, byte by byte in bodies. */
static neap_size count_alive(const struct neap_problem *problem, const struct bodies *bodies,
                             neap_time moment) {
  neap_size sum = 0;
  for (size_t i = 0; i < problem->count; i++)
    if (bodies_of(bodies, i) == BODIES_NONE && is_alive(problem, i, moment))
      sum += problem->buffers[i].size;
  for (size_t b = 0; b < bodies->count; b++) {
    bool covered[16 * BYTES_MAX] = {false};
    for (size_t m = bodies->items[b].begin; m < bodies->items[b].end; m++) {
      size_t member = bodies->members[m];
      for (neap_size byte = 0; byte < problem->buffers[member].size; byte++) {
        neap_offset at = bodies->inner[member] + byte;
        assert_true(at < 16 * BYTES_MAX);
        if (is_alive(problem, member, moment)) covered[at] = true;
      }
    }
    for (size_t at = 0; at < 16 * BYTES_MAX; at++)
      sum += covered[at];
  }
  return sum;
}

static neap_size most_alive(const struct neap_problem *problem) {
  struct bodies bodies;
  neap_size most = 0;
  neap_error error;
  assert_ok(bodies_init(&bodies, problem, &error), &error);
  for (neap_time moment = 0; moment < problem->horizon; moment++) {
    neap_size sum = count_alive(problem, &bodies, moment);
    if (sum > most) most = sum;
  }
  bodies_clear(&bodies);
  return most;
}

static neap_size cost_of(const neap_graph *graph, const neap_liveness *options) {
  struct costs costs = {0};
  struct costs_walk walk;
  size_t order[OPERATORS_MAX + 2];
  neap_error error;
  assert_ok(costs_init(&costs, graph, options, &error), &error);
  assert_true(costs_walk_init(&walk, &costs));
  for (size_t k = 0; k < costs.count; k++)
    order[k] = k;
  neap_size peak = costs_walk_peak(&walk, order);
  costs_walk_clear(&walk);
  costs_clear(&costs);
  return peak;
}

TEST(the_bound_is_what_live_tensors_cover) {
  struct dice dice = {71};
  size_t aliased = 0, divided = 0;
  for (int round = 0; round < 3000; round++) {
    neap_graph *graph = random_parts(&dice);
    neap_liveness options = random_options(&dice, true);
    neap_problem *problem = problem_of(graph, &options);
    neap_error error;
    neap_aliased saved;
    assert_ok(neap_problem_check(problem, &error), &error);
    const neap_bound bound = sample_bound(problem);
    neap_problem_aliased(problem, &saved);
    aliased += saved.operators > 0;
    divided += problem->relations != NULL;
    assert_true(bound.bytes == most_alive(problem));
    assert_true(cost_of(graph, &options) == bound.bytes);
    neap_problem_free(problem);
    neap_graph_free(graph);
  }
  assert_true(aliased > 1000 && divided > 1000);
}

/* ---------------------------------------------------------------- a machine */

/* What a byte should contain: a byte of a tensor that is no copy. */
struct cell {
  size_t tensor;
  neap_offset byte;
};

struct machine {
  const neap_graph *graph;
  const neap_liveness *options;
  const struct neap_problem *problem;
  const neap_plan *plan;
  struct cell arena[64 * BYTES_MAX];
  struct cell contents[TENSORS_MAX][BYTES_MAX];
  size_t buffers[TENSORS_MAX]; /* SIZE_MAX: not in the arena */
  struct aliases aliases;
};

static bool is_equal(struct cell a, struct cell b) {
  return a.tensor == b.tensor && a.byte == b.byte;
}

static size_t link_of(const neap_graph *graph, struct graph_links links, size_t position) {
  return graph->links[links.begin + position];
}

/* What operators make: their own bytes, or copies. */
static void find_contents(struct machine *machine) {
  const neap_graph *graph = machine->graph;
  for (size_t t = 0; t < neap_graph_tensor_count(graph); t++)
    for (neap_offset b = 0; b < BYTES_MAX; b++)
      machine->contents[t][b] = (struct cell){t, b};
  for (size_t k = 0; k < graph->operator_count; k++) {
    const struct graph_operator *node = &graph->operators[k];
    for (size_t p = node->parts_begin; p < node->parts_end; p++) {
      const neap_part *part = &graph->parts[p];
      bool is_concat = part->alias == NEAP_ALIAS_CONCAT;
      size_t input = link_of(graph, node->inputs, part->input);
      size_t output = link_of(graph, node->outputs, part->output);
      struct cell *to = machine->contents[output], *from = machine->contents[input];
      neap_size bytes = graph->tensors[is_concat ? input : output].bytes;
      for (neap_size b = 0; b < bytes; b++)
        to[is_concat ? part->offset + b : b] = from[is_concat ? b : part->offset + b];
    }
    for (size_t p = node->pairs_begin; p < node->pairs_end; p++)
      if (graph->pairs[p].is_view)
        memcpy(machine->contents[link_of(graph, node->outputs, 0)],
               machine->contents[link_of(graph, node->inputs, 0)], sizeof machine->contents[0]);
  }
}

/* A tensor without a buffer of its name shares that of an input of its producer, by the pairs. */
static void find_buffers(struct machine *machine) {
  const neap_graph *graph = machine->graph;
  for (size_t t = 0; t < neap_graph_tensor_count(graph); t++) {
    const char *name = names_text(&graph->names, t);
    size_t found = names_find(&machine->problem->names, name, strlen(name));
    machine->buffers[t] = found == NAMES_NONE ? SIZE_MAX : found;
  }
  for (size_t k = 0; k < graph->operator_count; k++) {
    const struct graph_operator *node = &graph->operators[k];
    for (size_t p = node->parts_begin; p < node->parts_end; p++) {
      size_t input = link_of(graph, node->inputs, graph->parts[p].input);
      size_t output = link_of(graph, node->outputs, graph->parts[p].output);
      if (machine->buffers[output] == SIZE_MAX &&
          graph_is_planned(graph, machine->options, output) &&
          aliases_is_same(&machine->aliases, graph, input, output))
        machine->buffers[output] = machine->buffers[input];
    }
    for (size_t p = node->pairs_begin; p < node->pairs_end; p++) {
      size_t input = link_of(graph, node->inputs, 0), output = link_of(graph, node->outputs, 0);
      if (machine->buffers[output] == SIZE_MAX &&
          graph_is_planned(graph, machine->options, output))
        machine->buffers[output] = machine->buffers[input];
    }
  }
}

static struct cell *place_of(struct machine *machine, size_t tensor) {
  if (machine->buffers[tensor] == SIZE_MAX) return NULL;
  neap_offset offset = neap_plan_offset(machine->plan, machine->buffers[tensor]);
  assert_true(offset + machine->graph->tensors[tensor].bytes <= 64 * BYTES_MAX);
  return &machine->arena[offset];
}

static void expect(struct machine *machine, size_t tensor) {
  const struct cell *place = place_of(machine, tensor);
  for (neap_size b = 0; place && b < machine->graph->tensors[tensor].bytes; b++)
    assert_true(is_equal(place[b], machine->contents[tensor][b]));
}

/* Whether a byte of an output lies where an input has it, so that nothing writes it. */
static bool is_kept(struct machine *machine, const struct graph_operator *node, size_t output,
                    neap_offset byte) {
  const neap_graph *graph = machine->graph;
  const struct cell *place = place_of(machine, output);
  for (size_t p = node->parts_begin; p < node->parts_end; p++) {
    const neap_part *part = &graph->parts[p];
    size_t input = link_of(graph, node->inputs, part->input);
    bool is_concat = part->alias == NEAP_ALIAS_CONCAT;
    neap_size bytes = graph->tensors[is_concat ? input : output].bytes;
    neap_offset in = is_concat ? byte - part->offset : byte + part->offset;
    if (link_of(graph, node->outputs, part->output) != output || !place_of(machine, input) ||
        byte < (is_concat ? part->offset : 0) || byte >= (is_concat ? part->offset : 0) + bytes)
      continue;
    if (place_of(machine, input) + in == place + byte) return true;
  }
  return false;
}

/* Writes what does not lie in place. */
static void make(struct machine *machine, const struct graph_operator *node, size_t output) {
  struct cell *place = place_of(machine, output);
  for (neap_size b = 0; place && b < machine->graph->tensors[output].bytes; b++)
    if (!is_kept(machine, node, output, b)) place[b] = machine->contents[output][b];
}

static void run_machine(struct machine *machine) {
  const neap_graph *graph = machine->graph;
  const struct graph_operator none = {0};
  for (size_t t = 0; t < 2; t++)
    make(machine, &none, t);
  for (size_t k = 0; k < graph->operator_count; k++) {
    const struct graph_operator *node = &graph->operators[k];
    for (size_t i = node->inputs.begin; i < node->inputs.end; i++)
      expect(machine, graph->links[i]);
    for (size_t i = node->outputs.begin; i < node->outputs.end; i++)
      make(machine, node, graph->links[i]);
    for (size_t i = node->outputs.begin; i < node->outputs.end; i++)
      expect(machine, graph->links[i]);
  }
  for (size_t t = 0; t < neap_graph_tensor_count(graph); t++)
    if (graph_stays(graph, machine->options, t)) expect(machine, t);
}

TEST(contents_are_kept_while_needed) {
  struct dice dice = {72};
  static struct machine machine;
  for (int round = 0; round < 2000; round++) {
    neap_graph *graph = random_parts(&dice);
    neap_liveness options = random_options(&dice, true);
    neap_problem *problem = problem_of(graph, &options);
    neap_plan *plan = run_plan(problem, (const char *const[]){"max-ticks", "2000", NULL});
    neap_error error;
    machine =
        (struct machine){.graph = graph, .options = &options, .problem = problem, .plan = plan};
    assert_ok(aliases_init(&machine.aliases, graph, &options, &error), &error);
    find_contents(&machine);
    find_buffers(&machine);
    run_machine(&machine);
    aliases_clear(&machine.aliases);
    neap_plan_free(plan);
    neap_problem_free(problem);
    neap_graph_free(graph);
  }
}

/* ---------------------------------------------------------------- other orders */

/* Puts the operators into a random order that keeps all dependences. */
static void shuffle(neap_graph *graph, struct dice *dice) {
  struct graph_operator operators[OPERATORS_MAX + 2];
  bool is_made[TENSORS_MAX] = {true, true}, ran[OPERATORS_MAX + 2] = {false};
  memcpy(operators, graph->operators, graph->operator_count * sizeof *operators);
  for (size_t at = 0; at < graph->operator_count;) {
    size_t k = dice_roll(dice, (uint32_t)graph->operator_count);
    bool is_ready = !ran[k];
    for (size_t i = operators[k].inputs.begin; i < operators[k].inputs.end; i++)
      is_ready = is_ready && is_made[graph->links[i]];
    if (!is_ready) continue;
    for (size_t i = operators[k].outputs.begin; i < operators[k].outputs.end; i++)
      is_made[graph->links[i]] = true;
    ran[k] = true;
    graph->operators[at++] = operators[k];
  }
}

TEST(the_order_decides_nothing) {
  struct dice dice = {73};
  for (int round = 0; round < 2000; round++) {
    neap_graph *graph = random_parts(&dice);
    neap_liveness options = random_options(&dice, true);
    struct aliases before = {0}, after = {0};
    neap_error error;
    assert_ok(aliases_init(&before, graph, &options, &error), &error);
    shuffle(graph, &dice);
    assert_ok(aliases_init(&after, graph, &options, &error), &error);
    for (size_t t = 0; t < neap_graph_tensor_count(graph); t++) {
      assert_int_equal(aliases_body(&before, t), aliases_body(&after, t));
      assert_true(aliases_offset(&before, t) == aliases_offset(&after, t));
    }
    neap_problem *problem = problem_of(graph, &options);
    const neap_bound bound = sample_bound(problem);
    assert_true(cost_of(graph, &options) == bound.bytes);
    neap_problem_free(problem);
    aliases_clear(&before);
    aliases_clear(&after);
    neap_graph_free(graph);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_bound_is_what_live_tensors_cover),
      cmocka_unit_test(contents_are_kept_while_needed),
      cmocka_unit_test(the_order_decides_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
