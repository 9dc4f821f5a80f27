/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads files without changing the order of operators. */
#ifndef FILES_IO_READ_H
#define FILES_IO_READ_H

#include "neap/neap-io.h"

/*
 * Like neap_problem_read.  If `orders` is not NULL, it names the member that asks for an order:
 * NEAP_ERROR_ARGUMENT names it if the problem has no graph to reorder.
 */
neap_status read_problem_with(const char *path, const neap_reading *reading, const char *orders,
                              neap_problem **problem, neap_error *error);

#endif
