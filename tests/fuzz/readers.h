/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All readers of foreign input in one table, for fuzzers: each gets bytes, and the result goes
 * through all steps after the reader. A new reader is a new row of the table.
 */
#ifndef FUZZ_READERS_H
#define FUZZ_READERS_H

#include "neap/neap-io.h"

/* Bytes in their own memory, followed by a NUL that is not counted. */
struct text {
  char *bytes;
  size_t size;
};

/*
 * One of the three functions reads; it may rewrite the text. `choice` is derived from the text
 * and selects one of the variants that users can choose.
 */
struct reader {
  const char *name;
  /* The folder of its seeds in tests/fuzz/corpus, and the extension of its examples. */
  const char *format;
  neap_status (*problem)(struct text text, uint64_t choice, neap_problem **problem,
                         neap_error *error);
  neap_status (*plan)(struct text text, neap_plan **plan, neap_error *error);
  neap_status (*graph)(struct text text, neap_graph **graph, neap_error *error);
};

/* NULL after the last. */
const struct reader *reader_at(size_t index);

/*
 * Reads a copy of the bytes and uses the result. Returns NULL, or what is wrong with the reader
 * or a later step; that text is valid until the next call.
 */
const char *reader_feed(const struct reader *reader, const char *bytes, size_t size);

/*
 * As reader_feed, but only reads and computes the bound of the problem: for large input.
 * *error says how reading ended.
 */
const char *reader_taste(const struct reader *reader, const char *bytes, size_t size,
                         neap_error *error);

#endif
