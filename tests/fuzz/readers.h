/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All that reads what others wrote, in one table, for fuzzers: bytes go in, and what comes out is
 * taken through everything behind the reader.  A new reader is a line of the table.
 */
#ifndef FUZZ_READERS_H
#define FUZZ_READERS_H

#include "neap/neap.h"

/* Bytes in memory of their own, with a NUL behind them that is not counted. */
struct text {
  char *bytes;
  size_t size;
};

/*
 * One of the three reads.  They may rewrite the text.  `choice` is made of the text, the same
 * every time, and takes ways that a user may choose among.
 */
struct reader {
  const char *name;
  const char *format; /* the folder of its seeds in tests/fuzz/corpus, the ending of examples */
  neap_status (*problem)(struct text text, uint64_t choice, neap_problem **problem,
                         neap_error *error);
  neap_status (*plan)(struct text text, neap_plan **plan, neap_error *error);
  neap_status (*graph)(struct text text, neap_graph **graph, neap_error *error);
};

/* NULL past the last. */
const struct reader *reader_at(size_t index);

/*
 * Reads the bytes, of which it makes a copy, and works with the result.  Returns NULL, or what is
 * wrong with the reader or with what is behind it; that text may hold until the next call.
 */
const char *reader_feed(const struct reader *reader, const char *bytes, size_t size);

/*
 * The same, but only reads, and computes the bound of the problem: for large inputs.  *error says
 * how reading ended.
 */
const char *reader_taste(const struct reader *reader, const char *bytes, size_t size,
                         neap_error *error);

#endif
