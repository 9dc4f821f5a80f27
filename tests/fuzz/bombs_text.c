/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "neap/neap.h"
#include "tests/fuzz/bombs.h"

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

void bytes_add(struct bytes *bytes, const char *text) { add(bytes, text, strlen(text)); }

void bytes_repeat(struct bytes *bytes, const char *text, size_t count) {
  for (size_t i = 0; i < count; i++)
    bytes_add(bytes, text);
}

void bytes_format(struct bytes *bytes, const char *format, ...) {
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

const struct bomb bombs_text[] = {
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
    {NULL, NULL, NULL, false, NULL},
};
