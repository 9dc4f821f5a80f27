/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of a sweep as a table or as CSV. */
#ifndef CLI_SWEEP_PRINT_H
#define CLI_SWEEP_PRINT_H

#include "cli/sweep.h"

/* "optimal", "feasible", "infeasible" or "unknown". */
const char *sweep_status(const struct outcome *outcome);

/* Prints a table, and a line that names the best setting. */
void sweep_print_table(const struct sweep *sweep);
void sweep_print_csv(const struct sweep *sweep);

#endif
