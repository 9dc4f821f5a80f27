/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The minimum number of bytes that units take up in the columns of a problem (facts/sections),
 * and the room of the pools.  Units that exceed a pool's room in a column have no layout there.
 */
#ifndef POOLS_POOL_COLUMNS_H
#define POOLS_POOL_COLUMNS_H

#include "facts/sections.h"
#include "pools/units.h"

/* The bytes of a unit in a run of columns. */
struct unit_span {
  struct span columns;
  neap_size bytes;
};

struct pool_columns {
  size_t count;            /* of columns */
  struct unit_span *spans; /* unit after unit; disjoint within a unit */
  size_t *spans_end;       /* per unit */
  size_t pool_count;
  neap_size *rooms; /* per pool: the bytes available in each column; -1: unlimited */
  neap_size *steps; /* per pool: the bytes of a unit are rounded up to a multiple of this */
};

neap_status pool_columns_init(struct pool_columns *columns, const struct neap_problem *problem,
                              const struct units *units, neap_error *error);
void pool_columns_clear(struct pool_columns *columns);

static inline size_t pool_columns_begin(const struct pool_columns *columns, size_t unit) {
  return unit == 0 ? 0 : columns->spans_end[unit - 1];
}

#endif
