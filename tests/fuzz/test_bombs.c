/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each bomb is rejected or accepted with memory in proportion to the file. It runs in its own
 * process, with a time limit that is only exceeded if something is wrong.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "examples/models/flatten.h"
#include "neap/neap.h"
#include "tests/fuzz/readers.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- texts */

/* Small files that describe, or claim to describe, something huge. */

struct bytes {
  char *text; /* released with free() */
  size_t size, capacity;
};

struct bomb {
  const char *name;
  const char *reader; /* of tests/fuzz/readers */
  void (*make)(struct bytes *bytes);
  bool is_taken;     /* valid, though large; otherwise it is rejected ... */
  const char *words; /* ... with a message that contains these words */
};

#define MANY 100000

/* ---------------------------------------------------------------- text */

static void add(struct bytes *bytes, const char *text, size_t size) {
  if (bytes->size + size > bytes->capacity) {
    bytes->capacity = 2 * (bytes->size + size);
    bytes->text = realloc(bytes->text, bytes->capacity);
    if (!bytes->text) abort();
  }
  memcpy(bytes->text + bytes->size, text, size);
  bytes->size += size;
}

static void bytes_add(struct bytes *bytes, const char *text) { add(bytes, text, strlen(text)); }

static void bytes_repeat(struct bytes *bytes, const char *text, size_t count) {
  for (size_t i = 0; i < count; i++)
    bytes_add(bytes, text);
}

__attribute__((format(printf, 2, 3))) static void bytes_format(struct bytes *bytes,
                                                               const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  bytes_add(bytes, text);
}

/* ---------------------------------------------------------------- CSV */

#define HEADER "id,lower,upper,size\n"
#define FIXED_HEADER "id,lower,upper,size,offset,gaps\n"

static void long_line(struct bytes *bytes) {
  bytes_add(bytes, HEADER);
  bytes_repeat(bytes, "x", 4 << 20);
}

static void long_name(struct bytes *bytes) {
  bytes_add(bytes, HEADER);
  bytes_repeat(bytes, "x", 1 << 19);
  bytes_add(bytes, ",0,1,1\n");
}

static void long_quotes(struct bytes *bytes) {
  bytes_add(bytes, "id,lower,upper,size,hint\na,0,1,1,\"");
  bytes_repeat(bytes, "\"\"", 1 << 18);
  bytes_add(bytes, "\"\n");
}

static void many_columns(struct bytes *bytes) {
  bytes_add(bytes, HEADER);
  bytes_repeat(bytes, "1,", 2 * MANY);
}

static void many_headings(struct bytes *bytes) { bytes_repeat(bytes, "hint,", 2 * MANY); }

static void many_lines(struct bytes *bytes) {
  bytes_add(bytes, HEADER);
  bytes_repeat(bytes, "\n", 4 << 20);
}

static void many_gaps(struct bytes *bytes) {
  bytes_add(bytes, "id,lower,upper,size,gaps\nlong,0,9999999,8,");
  for (int i = 0; i < 60000; i++)
    bytes_format(bytes, "%d-%d ", 3 * i + 1, 3 * i + 2);
  bytes_add(bytes, "\n");
}

/* Each buffer is alive while all, or nearly all, others have gaps. */
static void many_rows_of_gaps(struct bytes *bytes) {
  bytes_add(bytes, FIXED_HEADER);
  for (int row = 0; row < 300; row++) {
    bytes_format(bytes, "b%d,0,99999,1,%d,", row, row);
    for (int i = 0; i < 300; i++)
      bytes_format(bytes, "%d-%d ", 3 * i + 1, 3 * i + 2);
    bytes_add(bytes, "\n");
  }
}

static void many_fixed(struct bytes *bytes) {
  bytes_add(bytes, FIXED_HEADER);
  for (int row = 0; row < MANY; row++)
    bytes_format(bytes, "b%d,0,9,8,%d,\n", row, 8 * row);
}

/* All at one offset, one after another in time, and the last one over the first. */
static void many_fixed_at_one(struct bytes *bytes) {
  bytes_add(bytes, FIXED_HEADER);
  for (int row = 0; row < MANY; row++)
    bytes_format(bytes, "b%d,%d,%d,8,0,\n", row, row, row + 1);
  bytes_add(bytes, "last,0,1,8,7,\n");
}

static void same_names(struct bytes *bytes) {
  bytes_add(bytes, HEADER);
  bytes_repeat(bytes, "same,0,1,1\n", MANY);
}

static void huge_sizes(struct bytes *bytes) {
  bytes_add(bytes, HEADER);
  for (int row = 0; row < MANY; row++)
    bytes_format(bytes, "b%d,0,9223372036854775807,%" PRId64 "\n", row, INT64_MAX / MANY - 1);
}

static void sizes_that_overflow(struct bytes *bytes) {
  bytes_add(bytes, HEADER);
  for (int row = 0; row < MANY; row++)
    bytes_format(bytes, "b%d,0,1,9223372036854775\n", row);
}

static void times_far_apart(struct bytes *bytes) {
  bytes_add(bytes, HEADER);
  for (int row = 0; row < 1000; row++)
    bytes_format(bytes, "b%d,%" PRId64 ",%" PRId64 ",8\n", row, row * (INT64_MAX / 1000),
                 (row + 1) * (INT64_MAX / 1000) - row % 7);
}

/* ---------------------------------------------------------------- memory operations */

static void name_again(struct bytes *bytes) {
  bytes_add(bytes, "name,type,size\n");
  bytes_repeat(bytes, "a,alloc,8\na,free,0\n", MANY);
}

/* Names that the numbering of repeated names would produce. */
static void numbered_names(struct bytes *bytes) {
  bytes_add(bytes, "name,type,size\n");
  for (int i = 0; i < MANY; i++)
    bytes_format(bytes, "a#%d,alloc,8\n", i + 1);
  bytes_repeat(bytes, "a,alloc,8\na,free,0\n", MANY);
}

static void never_freed(struct bytes *bytes) {
  bytes_add(bytes, "name,type,size\n");
  for (int i = 0; i < MANY; i++)
    bytes_format(bytes, "b%d,alloc,8\n", i);
}

/* ---------------------------------------------------------------- JSON */

#define PROBLEM "{\"format\": \"neap-problem\", \"version\": 1, \"buffers\": ["

static void deep_arrays(struct bytes *bytes) { bytes_repeat(bytes, "[", MANY); }

static void deep_objects(struct bytes *bytes) { bytes_repeat(bytes, "{\"a\":", MANY); }

static void deep_buffer(struct bytes *bytes) {
  bytes_add(bytes, PROBLEM);
  bytes_repeat(bytes, "[", MANY);
  bytes_repeat(bytes, "]", MANY);
  bytes_add(bytes, "]}");
}

static void wide_arrays(struct bytes *bytes) {
  bytes_add(bytes, "{\"format\": [");
  bytes_repeat(bytes, "[],", MANY);
  bytes_add(bytes, "[]]}");
}

static void many_commas(struct bytes *bytes) {
  bytes_add(bytes, PROBLEM);
  bytes_repeat(bytes, ",", 4 << 20);
}

static void open_string(struct bytes *bytes) {
  bytes_add(bytes, PROBLEM "{\"name\": \"");
  bytes_repeat(bytes, "\\\"", 1 << 20);
}

static void many_keys(struct bytes *bytes) {
  bytes_add(bytes, "{");
  for (int i = 0; i < MANY; i++)
    bytes_format(bytes, "\"k%d\": 0, ", i);
  bytes_add(bytes, "\"format\": 0}");
}

static void long_number(struct bytes *bytes) {
  bytes_add(bytes, PROBLEM "{\"size\": ");
  bytes_repeat(bytes, "9", 1 << 20);
  bytes_add(bytes, "}]}");
}

static void many_lifetimes(struct bytes *bytes) {
  bytes_add(bytes, PROBLEM "{\"name\": \"a\", \"size\": 8, \"lifetimes\": [[0, 1]");
  for (int i = 1; i < MANY; i++)
    bytes_format(bytes, ", [%d, %d]", 2 * i, 2 * i + 1);
  bytes_add(bytes, "]}]}");
}

#define GRAPH "{\"format\": \"neap-graph\", \"version\": 1, \"tensors\": ["

/* One operator that reads many tensors and may work in place of any of them. */
static void many_pairs(struct bytes *bytes) {
  bytes_add(bytes, GRAPH);
  for (int i = 0; i < MANY; i++)
    bytes_format(bytes, "{\"name\": \"%d\", \"bytes\": 1}, ", i);
  bytes_add(bytes, "{\"name\": \"y\", \"bytes\": 1}], \"operators\": [{\"inputs\": [");
  for (int i = 0; i < MANY; i++)
    bytes_format(bytes, "%s\"%d\"", i ? ", " : "", i);
  bytes_add(bytes, "], \"outputs\": [\"y\"], \"in_place\": [[0, 0]");
  for (int i = 1; i < MANY; i++)
    bytes_format(bytes, ", [%d, 0]", i);
  bytes_add(bytes, "]}], \"outputs\": [\"y\"], \"inputs\": [");
  for (int i = 0; i < MANY; i++)
    bytes_format(bytes, "%s\"%d\"", i ? ", " : "", i);
  bytes_add(bytes, "]}");
}

/* A chain of views, each of the previous one. */
static void many_views(struct bytes *bytes) {
  bytes_add(bytes, GRAPH "{\"name\": \"0\", \"bytes\": 1}");
  for (int i = 1; i < MANY / 2; i++)
    bytes_format(bytes, ", {\"name\": \"%d\", \"bytes\": 1}", i);
  bytes_add(bytes, "], \"inputs\": [], \"outputs\": [], \"operators\": "
                   "[{\"inputs\": [], \"outputs\": [\"0\"]}");
  for (int i = 1; i < MANY / 2; i++)
    bytes_format(bytes, ", {\"inputs\": [\"%d\"], \"outputs\": [\"%d\"], \"views\": [[0, 0]]}",
                 i - 1, i);
  bytes_add(bytes, "]}");
}

static void add_dimensions(struct bytes *bytes, size_t pairs) {
  bytes_add(bytes, GRAPH "{\"name\": \"x\", \"dtype\": \"f64\", \"shape\": [");
  bytes_repeat(bytes, "0, 4294967296, ", pairs);
  bytes_add(bytes, "1]}], \"operators\": [], \"inputs\": [], \"outputs\": []}");
}

static void many_dimensions(struct bytes *bytes) { add_dimensions(bytes, MANY); }

static void elements_that_overflow(struct bytes *bytes) {
  add_dimensions(bytes, NEAP_RANK_MAX / 2 - 1);
}

/* ---------------------------------------------------------------- models */

/*
 * Models whose tables are referenced many times, form cycles, or claim more than they contain.
 */

#define TENSOR_COUNT 300000

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
  add_many(&draft, draft.subgraph.field[TENSORS], TENSOR_COUNT, "0");
  finish(&draft, bytes);
}

static void one_long_name(struct bytes *bytes) {
  struct draft draft;
  start(&draft);
  struct flatten_table tensor =
      add_many(&draft, draft.subgraph.field[TENSORS], TENSOR_COUNT, "4004");
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
  add_many(&draft, draft.subgraph.field[OPERATORS], TENSOR_COUNT, "4");
  finish(&draft, bytes);
}

static void one_list_of_inputs(struct bytes *bytes) {
  struct draft draft;
  start(&draft);
  add_tensors(&draft);
  struct flatten_table node =
      add_many(&draft, draft.subgraph.field[OPERATORS], TENSOR_COUNT, "444");
  size_t list = flatten_vector(&draft.out, node.field[OPERATOR_INPUTS], TENSOR_COUNT, 4, 4);
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
  struct flatten_table tensor =
      add_many(&draft, draft.subgraph.field[TENSORS], TENSOR_COUNT, "4");
  flatten_vector(&draft.out, tensor.field[SHAPE], TENSOR_COUNT, 4, 4);
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
  struct flatten_table entry = add_many(&draft, draft.root.field[METADATA], TENSOR_COUNT, "44");
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
  add_many(&draft, draft.subgraph.field[TENSORS], TENSOR_COUNT, "0");
  size_t list = flatten_vector(&draft.out, draft.root.field[SUBGRAPHS], TENSOR_COUNT, 4, 4);
  struct flatten_table subgraph = flatten_table(&draft.out, "4444");
  for (size_t s = 0; s < TENSOR_COUNT; s++)
    flatten_lead(&draft.out, list + 4 * s, subgraph.at);
  add_many(&draft, subgraph.field[TENSORS], TENSOR_COUNT, "0");
  for (size_t field = 1; field < 4; field++)
    flatten_vector(&draft.out, subgraph.field[field], 0, 4, 4);
  finish(&draft, bytes);
}

static const struct bomb bombs[] = {
    {"a line without end", "csv-problem", long_line, false, "longer than"},
    {"a long name", "csv-problem", long_name, true, NULL},
    {"a hint of quotes", "csv-problem", long_quotes, true, NULL},
    {"200,000 columns", "csv-problem", many_columns, false, "field"},
    {"200,000 headings", "csv-problem", many_headings, false, "up to 256 columns"},
    {"four million empty lines", "csv-problem", many_lines, true, NULL},
    {"60,000 gaps", "csv-problem", many_gaps, true, NULL},
    {"300 rows of 300 gaps", "csv-problem", many_rows_of_gaps, true, NULL},
    {"100,000 fixed offsets", "csv-problem", many_fixed, true, NULL},
    {"100,000 at one offset", "csv-problem", many_fixed_at_one, false, "collide"},
    {"100,000 of one name", "csv-problem", same_names, false, "duplicate id"},
    {"sizes that just fit", "csv-problem", huge_sizes, true, NULL},
    {"sizes that overflow", "csv-problem", sizes_that_overflow, false, "add up"},
    {"times far apart", "csv-problem", times_far_apart, true, NULL},
    {"a plan without offsets", "csv-plan", many_lines, false, "offset"},
    {"100,000 stays of one name", "ops", name_again, true, NULL},
    {"names like those given", "ops", numbered_names, false, "a#1"},
    {"nothing is freed", "ops", never_freed, true, NULL},
    {"100,000 arrays, nested", "json-problem", deep_arrays, false, "depth"},
    {"100,000 objects, nested", "json-graph", deep_objects, false, "depth"},
    {"a buffer 100,000 deep", "json-plan", deep_buffer, false, "expected"},
    {"100,000 arrays, side by side", "json-problem", wide_arrays, false, "expected"},
    {"four million commas", "json-problem", many_commas, false, "not valid JSON"},
    {"a string without end", "json-plan", open_string, false, "not valid JSON"},
    {"100,000 keys", "json-graph", many_keys, false, "neap-graph"},
    {"a number of a million digits", "json-problem", long_number, false, "not valid JSON"},
    {"100,000 lifetimes", "json-problem", many_lifetimes, true, NULL},
    {"100,000 inputs to share", "json-graph", many_pairs, true, NULL},
    {"50,000 views of views", "json-graph", many_views, true, NULL},
    {"200,001 dimensions", "json-graph", many_dimensions, false, "at most 1024 dimensions"},
    {"a shape that overflows", "json-graph", elements_that_overflow, true, NULL},
    {"300,000 tensors of one table", "tflite", many_tensors, true, NULL},
    {"one name of 300,000 tensors", "tflite", one_long_name, false, "overlap"},
    {"names that are taken", "tflite", names_that_are_taken, true, NULL},
    {"300,000 operators of one table", "tflite", many_operators, true, NULL},
    {"one list of 300,000 operators", "tflite", one_list_of_inputs, false, "overlap"},
    {"four thousand million tensors", "tflite", more_than_there_is, false,
     "beyond the file's end"},
    {"a product that overflows", "tflite", shape_that_overflows, false, "too many elements"},
    {"300,000 dimensions", "tflite", shape_without_end, false, "dimensions"},
    {"a table in itself", "tflite", table_in_itself, false, "beyond the file's end"},
    {"a table far off", "tflite", table_far_off, false, "beyond the file's end"},
    {"tables in a circle", "tflite", tables_in_a_circle, false, "tensor"},
    {"2^50 calls", "tflite", calls_that_double, false, "too many operators"},
    {"100,000 calls within calls", "tflite", calls_that_are_deep, false, "deep"},
    {"calls in a circle", "tflite", calls_in_a_circle, false, "calls itself"},
    {"300,000 subgraphs of one list", "tflite", many_subgraphs_of_many_tensors, false,
     "overlap"},
    {"300,000 plans", "tflite-plan", many_plans, false, "expected a version"},
    {"a plan of a thousand million", "tflite-plan", plan_of_many, false,
     "expected the offsets"},
};

/* ---------------------------------------------------------------- exploding them */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAVE_LIMITS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define HAVE_LIMITS 0
#endif
#endif
#ifndef HAVE_LIMITS
#define HAVE_LIMITS 1
#endif

#define SECONDS 60
#define BYTES_PER_BYTE 160 /* of memory, per byte of the file */
#define BYTES_AT_LEAST ((rlim_t)64 << 20)

static const struct reader *find_reader(const char *name) {
  for (size_t i = 0; reader_at(i); i++)
    if (strcmp(reader_at(i)->name, name) == 0) return reader_at(i);
  fail_msg("there is no reader %s", name);
  return NULL;
}

/* Limits memory to the present size of the process plus room for the file. */
static void limit_memory(size_t size) {
  unsigned long pages = 0;
  FILE *stat = fopen("/proc/self/statm", "r");
  if (!stat || fscanf(stat, "%lu", &pages) != 1) pages = 0;
  if (stat) fclose(stat);
  rlim_t bytes = BYTES_AT_LEAST + (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) +
                 (rlim_t)size * BYTES_PER_BYTE;
  const struct rlimit limit = {bytes, bytes};
  if (HAVE_LIMITS && pages > 0) setrlimit(RLIMIT_AS, &limit);
}

/* NULL, or what is wrong. */
static const char *judge(const struct bomb *bomb, const struct reader *reader,
                         const struct bytes *bytes) {
  static neap_error error;
  const char *complaint = reader_taste(reader, bytes->text, bytes->size, &error);
  if (complaint) return complaint;
  if (bomb->is_taken && error.status != NEAP_OK) return error.text;
  if (!bomb->is_taken && error.status == NEAP_OK) return "it is taken";
  return bomb->is_taken || strstr(error.text, bomb->words) ? NULL : error.text;
}

static void explode(void **state) {
  const struct bomb *bomb = *state;
  const struct reader *reader = find_reader(bomb->reader);
  struct bytes bytes = {0};
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    bomb->make(&bytes);
    alarm(SECONDS);
    limit_memory(bytes.size);
    const char *complaint = judge(bomb, reader, &bytes);
    if (complaint) fprintf(stderr, "%s: %.400s\n", bomb->name, complaint);
    free(bytes.text);
    _exit(complaint != NULL);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  if (WIFSIGNALED(status)) fail_msg("it ended with signal %d", WTERMSIG(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void) {
  struct CMUnitTest tests[SAMPLE_COUNT(bombs)];
  for (size_t i = 0; i < SAMPLE_COUNT(bombs); i++)
    tests[i] =
        (struct CMUnitTest){bombs[i].name, explode, NULL, NULL, (void *)(uintptr_t)&bombs[i]};
  return cmocka_run_group_tests_name("bombs", tests, NULL, NULL);
}
