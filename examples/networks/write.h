/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef NETWORKS_WRITE_H
#define NETWORKS_WRITE_H

#include <stdio.h>

#include "graph.h"

/* Each writes a finished graph; the stream's owner checks whether all of it arrived. */

/* One row per tensor: id, lower, upper (exclusive), size. Time counts operators. */
void write_csv(FILE *stream, const struct graph *g, int64_t alignment);

/* One row per operation: name, type, size, alignment. Inputs are allocated first; then each
 * operator allocates its output and frees what it was the last to read. Outputs stay. */
void write_ops(FILE *stream, const struct graph *g, int64_t alignment);

/* A digraph of operators: edges are tensors, with their shapes. */
void write_dot(FILE *stream, const struct graph *g, int64_t alignment);

/* A graph of operators as neap reads it, with the inputs of each concatenation as parts of its output:
 * channels come first, so that those of an input follow each other. */
void write_json(FILE *stream, const struct graph *g, int64_t alignment);

#endif
