/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory operations as CSV: a row for each operation, in the order of execution.
 *
 *     name, id, buffer    of the buffer
 *     type                alloc or free
 *     size, bytes         of an allocation, in bytes
 *     alignment, align    of an allocation; optional, an empty field means 1
 *
 * Size and alignment of a free are ignored.  The columns may come in any order; name, type, size
 * and alignment are written.
 */
#ifndef FILES_CSV_OPS_H
#define FILES_CSV_OPS_H

#include "model/problem.h"
#include "neap/neap-io.h"

/*
 * Whether a text that is CSV looks like memory operations: its first row has a column for
 * types, and not both ends of lifetimes.
 */
bool ops_is(const char *text, size_t size, const neap_reading *reading);

/* `text` is terminated by a NUL at text[size], and is rewritten. */
neap_status ops_read(char *text, size_t size, const neap_reading *reading,
                     neap_problem **problem, neap_error *error);

/*
 * Writes the operations that build this problem.  NEAP_ERROR_FORMAT: no operations build it.  Time
 * is the number of the operation, so starts and ends must be distinct and cover all times from 0
 * on, and buffers must be in order of allocation.  Gaps, fixed offsets and hints would be lost.  A
 * buffer that is alive to the horizon is not freed.
 */
neap_status ops_write(const struct neap_problem *problem, FILE *stream, neap_error *error);

#endif
