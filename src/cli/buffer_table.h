/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of `neap info`, for people and as JSON: the largest buffers, and those alive at the bound.
 */
#ifndef CLI_BUFFER_TABLE_H
#define CLI_BUFFER_TABLE_H

#include <jansson.h>
#include <neap/neap.h>
#include <stdio.h>

struct buffer_table {
  const neap_problem *problem;
  const size_t *indices;
  size_t count; /* of the indices to list */
  neap_size bound;
  /*
   * For each of them the bound without it, in a table of those alive at the bound, which also has
   * shares, operators and tensors; NULL for other tables.
   */
  const neap_size *without;
};

void buffer_table_print(FILE *stream, const struct buffer_table *table);

/* A list of objects; NULL if memory is short. */
json_t *buffer_table_json(const struct buffer_table *table);

#endif
