/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of pools in a field of a table, separated by spaces or semicolons, the preferred one first.
 * A name that has not appeared before adds a pool to the problem.
 */
#ifndef FORMATS_CSV_POOLS_H
#define FORMATS_CSV_POOLS_H

#include "formats/csv/csv.h"
#include "formats/row.h"
#include "model/problem.h"

/* Release `indices` with free(). */
struct csv_pools {
  size_t *indices;
  size_t count, capacity;
};

/* Reads the names in a field into *pools. */
neap_status csv_pools_read(struct csv_pools *pools, const struct csv *csv, size_t field,
                           neap_problem *problem, neap_error *error);

/*
 * Appends the one pool in a field of a plan to *pools.  If no buffer of a plan has a pool, there are
 * none; otherwise all must have one.
 */
neap_status csv_pools_read_placed(struct csv_pools *pools, const struct csv *csv, size_t field,
                                  neap_problem *problem, neap_error *error);

void csv_pools_append(const neap_problem *problem, const size_t *indices, size_t count,
                      struct row *row);

/*
 * NEAP_ERROR_FORMAT: a name has a separator in it; or, unless it is for a plan, the pools read back
 * would not be those of the problem, because no buffer names one of them or in another order.
 */
neap_status csv_pools_check(const neap_problem *problem, bool is_plan, neap_error *error);

#endif
