/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Models whose tables are referenced many times, form cycles, or claim more than they contain.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/flatten.h"
#include "tests/fuzz/bombs.h"

#define MANY 300000

enum { CODES = 1, SUBGRAPHS = 2, BUFFERS = 4, METADATA = 6 };            /* of a model */
enum { TENSORS = 0, INPUTS = 1, OPERATORS = 3 };                         /* of a subgraph */
enum { SHAPE = 0, NAME = 3, OPERATOR_INPUTS = 1, OPERATOR_OUTPUTS = 2 }; /* of its items */

struct draft {
  struct flatten out;
  struct flatten_table root, subgraph;
};

/* A root and an empty subgraph. */
static void start(struct draft *draft) {
  *draft = (struct draft){0};
  size_t head = flatten_take(&draft->out, 8, 8);
  draft->root = flatten_table(&draft->out, "4444404");
  memcpy(draft->out.bytes + head + 4, "TFL3", 4);
  flatten_lead(&draft->out, head, draft->root.at);
  size_t list = flatten_vector(&draft->out, draft->root.field[SUBGRAPHS], 1, 4, 4);
  draft->subgraph = flatten_table(&draft->out, "4444");
  flatten_lead(&draft->out, list, draft->subgraph.at);
}

/* Makes all unset references point to an empty list. */
static void finish(struct draft *draft, struct bytes *bytes) {
  size_t nothing = flatten_take(&draft->out, 4, 4);
  for (size_t i = 0; i < FLATTEN_FIELDS; i++) {
    const size_t fields[] = {draft->root.field[i], draft->subgraph.field[i]};
    for (size_t f = 0; f < 2; f++)
      if (fields[f] && memcmp(draft->out.bytes + fields[f], "\0\0\0\0", 4) == 0)
        flatten_lead(&draft->out, fields[f], nothing);
  }
  if (draft->out.failed) abort();
  *bytes = (struct bytes){(char *)draft->out.bytes, draft->out.size, draft->out.size};
}

/* A list of `count` references to one table, whose field widths are `widths`. */
static struct flatten_table add_many(struct draft *draft, size_t at, size_t count,
                                     const char *widths) {
  size_t list = flatten_vector(&draft->out, at, count, 4, 4);
  struct flatten_table table = flatten_table(&draft->out, widths);
  for (size_t i = 0; i < count; i++)
    flatten_lead(&draft->out, list + 4 * i, table.at);
  return table;
}

static void many_tensors(struct bytes *bytes) {
  struct draft draft;
  start(&draft);
  add_many(&draft, draft.subgraph.field[TENSORS], MANY, "0");
  finish(&draft, bytes);
}

static void one_long_name(struct bytes *bytes) {
  struct draft draft;
  start(&draft);
  struct flatten_table tensor = add_many(&draft, draft.subgraph.field[TENSORS], MANY, "4004");
  size_t name = flatten_vector(&draft.out, tensor.field[NAME], 1 << 20, 1, 4);
  memset(draft.out.bytes + name, 'x', 1 << 20);
  size_t shape = flatten_vector(&draft.out, tensor.field[SHAPE], 1, 4, 4);
  flatten_put(&draft.out, shape, 1, 4);
  finish(&draft, bytes);
}

/*
 * The last tensor has the name of the first, so it needs a number.  Its own number is taken, and
 * so are those that counting on would give.  All tensors are inputs, so that all are planned.
 */
static void names_that_are_taken(struct bytes *bytes) {
  enum { LAST = 300 };
  struct draft draft;
  start(&draft);
  size_t list = flatten_vector(&draft.out, draft.subgraph.field[TENSORS], LAST + 1, 4, 4);
  size_t inputs = flatten_vector(&draft.out, draft.subgraph.field[INPUTS], LAST + 1, 4, 4);
  for (size_t t = 0; t <= LAST; t++) {
    struct flatten_table tensor = flatten_table(&draft.out, "0004");
    char name[16] = "x";
    if (t < LAST && t > 0) snprintf(name, sizeof name, "x#%zu", LAST + t - 1);
    if (t >= '0' && t < 0x80) snprintf(name, sizeof name, "x#30%c", (int)t);
    flatten_lead(&draft.out, list + 4 * t, tensor.at);
    flatten_text(&draft.out, tensor.field[NAME], name);
    flatten_put(&draft.out, inputs + 4 * t, t, 4);
  }
  finish(&draft, bytes);
}

/* Two tensors, and a list for the operators between them. */
static void add_tensors(struct draft *draft) {
  add_many(draft, draft->subgraph.field[TENSORS], 2, "0");
  add_many(draft, draft->root.field[CODES], 1, "1");
}

static void many_operators(struct bytes *bytes) {
  struct draft draft;
  start(&draft);
  add_tensors(&draft);
  add_many(&draft, draft.subgraph.field[OPERATORS], MANY, "4");
  finish(&draft, bytes);
}

static void one_list_of_inputs(struct bytes *bytes) {
  struct draft draft;
  start(&draft);
  add_tensors(&draft);
  struct flatten_table node = add_many(&draft, draft.subgraph.field[OPERATORS], MANY, "444");
  size_t list = flatten_vector(&draft.out, node.field[OPERATOR_INPUTS], MANY, 4, 4);
  flatten_vector(&draft.out, node.field[OPERATOR_OUTPUTS], 0, 4, 4);
  flatten_put(&draft.out, list, 1, 4);
  finish(&draft, bytes);
}

static void more_than_there_is(struct bytes *bytes) {
  struct draft draft;
  start(&draft);
  size_t list = flatten_vector(&draft.out, draft.subgraph.field[TENSORS], 4, 4, 4);
  flatten_put(&draft.out, list - 4, UINT32_MAX, 4);
  finish(&draft, bytes);
}

/* Each dimension fits in 64 bits, but their product does not. */
static void shape_that_overflows(struct bytes *bytes) {
  struct draft draft;
  start(&draft);
  struct flatten_table tensor = add_many(&draft, draft.subgraph.field[TENSORS], 1, "4");
  size_t shape = flatten_vector(&draft.out, tensor.field[SHAPE], 3, 4, 4);
  for (size_t d = 0; d < 3; d++)
    flatten_put(&draft.out, shape + 4 * d, INT32_MAX, 4);
  finish(&draft, bytes);
}

static void shape_without_end(struct bytes *bytes) {
  struct draft draft;
  start(&draft);
  struct flatten_table tensor = add_many(&draft, draft.subgraph.field[TENSORS], MANY, "4");
  flatten_vector(&draft.out, tensor.field[SHAPE], MANY, 4, 4);
  finish(&draft, bytes);
}

/* A table that is its own field description, and one whose description is far away. */
static void table_in_itself(struct bytes *bytes) {
  struct draft draft;
  start(&draft);
  struct flatten_table tensor = add_many(&draft, draft.subgraph.field[TENSORS], 1, "44");
  flatten_put(&draft.out, tensor.at, 0, 4);
  finish(&draft, bytes);
}

static void table_far_off(struct bytes *bytes) {
  struct draft draft;
  start(&draft);
  struct flatten_table tensor = add_many(&draft, draft.subgraph.field[TENSORS], 1, "44");
  flatten_put(&draft.out, tensor.at, 0x80000000, 4);
  finish(&draft, bytes);
}

/* The subgraph also serves as a tensor, and the root as an operator. */
static void tables_in_a_circle(struct bytes *bytes) {
  struct draft draft;
  start(&draft);
  size_t list = flatten_vector(&draft.out, draft.subgraph.field[TENSORS], 2, 4, 4);
  flatten_lead(&draft.out, list, draft.subgraph.at);
  flatten_lead(&draft.out, list + 4, draft.root.at);
  finish(&draft, bytes);
}

static void many_plans(struct bytes *bytes) {
  struct draft draft;
  start(&draft);
  struct flatten_table entry = add_many(&draft, draft.root.field[METADATA], MANY, "44");
  flatten_text(&draft.out, entry.field[0], "OfflineMemoryAllocation");
  add_many(&draft, draft.root.field[BUFFERS], 1, "0");
  finish(&draft, bytes);
}

/* A plan that claims to be for a billion tensors. */
static void plan_of_many(struct bytes *bytes) {
  struct draft draft;
  start(&draft);
  struct flatten_table entry = add_many(&draft, draft.root.field[METADATA], 1, "44");
  flatten_text(&draft.out, entry.field[0], "OfflineMemoryAllocation");
  struct flatten_table buffer = add_many(&draft, draft.root.field[BUFFERS], 1, "4");
  size_t data = flatten_vector(&draft.out, buffer.field[0], 12, 1, 16);
  flatten_put(&draft.out, data, 1, 4);
  flatten_put(&draft.out, data + 8, 1000000000, 4);
  finish(&draft, bytes);
}

/* Subgraph s calls subgraph s + 1 twice, and the last one calls `last` twice. */
static void add_callers(struct draft *draft, size_t count, size_t last) {
  start(draft);
  struct flatten_table code = add_many(draft, draft->root.field[CODES], 1, "1004");
  flatten_put(&draft->out, code.field[0], 118, 1); /* IF */
  size_t list = flatten_vector(&draft->out, draft->root.field[SUBGRAPHS], count, 4, 4);
  for (size_t s = 0; s < count; s++) {
    struct flatten_table subgraph = flatten_table(&draft->out, "4444");
    flatten_lead(&draft->out, list + 4 * s, subgraph.at);
    for (size_t field = 0; field < 3; field++)
      flatten_vector(&draft->out, subgraph.field[field], 0, 4, 4);
    bool calls = s + 1 < count || last < count;
    size_t nodes = flatten_vector(&draft->out, subgraph.field[OPERATORS], calls, 4, 4);
    if (!calls) continue;
    struct flatten_table node = flatten_table(&draft->out, "40014");
    flatten_lead(&draft->out, nodes, node.at);
    struct flatten_table options = flatten_table(&draft->out, "44");
    flatten_put(&draft->out, node.field[3], 92, 1); /* of type IfOptions */
    flatten_lead(&draft->out, node.field[4], options.at);
    for (size_t c = 0; c < 2; c++)
      flatten_put(&draft->out, options.field[c], s + 1 < count ? s + 1 : last, 4);
  }
}

static void calls_that_double(struct bytes *bytes) {
  struct draft draft;
  add_callers(&draft, 50, SIZE_MAX);
  finish(&draft, bytes);
}

static void calls_that_are_deep(struct bytes *bytes) {
  struct draft draft;
  add_callers(&draft, 100000, SIZE_MAX);
  finish(&draft, bytes);
}

static void calls_in_a_circle(struct bytes *bytes) {
  struct draft draft;
  add_callers(&draft, 20, 10);
  finish(&draft, bytes);
}

static void many_subgraphs_of_many_tensors(struct bytes *bytes) {
  struct draft draft;
  start(&draft);
  add_many(&draft, draft.subgraph.field[TENSORS], MANY, "0");
  size_t list = flatten_vector(&draft.out, draft.root.field[SUBGRAPHS], MANY, 4, 4);
  struct flatten_table subgraph = flatten_table(&draft.out, "4444");
  for (size_t s = 0; s < MANY; s++)
    flatten_lead(&draft.out, list + 4 * s, subgraph.at);
  add_many(&draft, subgraph.field[TENSORS], MANY, "0");
  for (size_t field = 1; field < 4; field++)
    flatten_vector(&draft.out, subgraph.field[field], 0, 4, 4);
  finish(&draft, bytes);
}

const struct bomb bombs_model[] = {
    {"300,000 tensors of one table", "tflite", many_tensors, true, NULL},
    {"one name of 300,000 tensors", "tflite", one_long_name, false, "overlap"},
    {"names that are taken", "tflite", names_that_are_taken, true, NULL},
    {"300,000 operators of one table", "tflite", many_operators, true, NULL},
    {"one list of 300,000 operators", "tflite", one_list_of_inputs, false, "overlap"},
    {"four thousand million tensors", "tflite", more_than_there_is, false, "outside the file"},
    {"a product that overflows", "tflite", shape_that_overflows, false, "too many elements"},
    {"300,000 dimensions", "tflite", shape_without_end, false, "dimensions"},
    {"a table in itself", "tflite", table_in_itself, false, "outside the file"},
    {"a table far off", "tflite", table_far_off, false, "outside the file"},
    {"tables in a circle", "tflite", tables_in_a_circle, false, "tensor"},
    {"2^50 calls", "tflite", calls_that_double, false, "too many operators"},
    {"100,000 calls within calls", "tflite", calls_that_are_deep, false, "deep"},
    {"calls in a circle", "tflite", calls_in_a_circle, false, "calls itself"},
    {"300,000 subgraphs of one list", "tflite", many_subgraphs_of_many_tensors, false,
     "overlap"},
    {"300,000 plans", "tflite-plan", many_plans, false, "expected a version"},
    {"a plan of a thousand million", "tflite-plan", plan_of_many, false,
     "expected the offsets"},
    {NULL, NULL, NULL, false, NULL},
};
