/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory operations as CSV: a row for each operation, in the order of execution.
 *
 *     name                whose memory it is
 *     type                alloc or free
 *     size                in bytes; of an allocation
 *     alignment, align    optional; of an allocation, where a field that is empty means 1
 *
 * What a free says of size and alignment is passed over.  The columns may come in any order;
 * written are name, type, size and alignment.
 */
#ifndef FORMATS_OPS_H
#define FORMATS_OPS_H

#include "model/problem.h"

/* `text` is terminated by a NUL at text[size], and is rewritten. */
neap_status ops_read(char *text, size_t size, neap_problem **problem, neap_error *error);

/*
 * Writes the operations that make this problem.  NEAP_ERROR_FORMAT, naming what stands against
 * it, when there are none: operations number time by themselves, so every start and end must be
 * a moment of its own, from 0 on without a break, and buffers must come in order of allocation;
 * gaps, fixed offsets and hints cannot be said.  A buffer that lives to the horizon is not
 * freed.
 */
neap_status ops_write(const struct neap_problem *problem, FILE *stream, neap_error *error);

#endif
