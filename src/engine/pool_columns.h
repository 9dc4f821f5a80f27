/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many bytes units take up in the columns of a problem (model/sections), at least, and how many
 * the pools have.  Whatever exceeds a pool in a column cannot be laid out there.
 */
#ifndef ENGINE_POOL_COLUMNS_H
#define ENGINE_POOL_COLUMNS_H

#include "engine/units.h"
#include "model/sections.h"

/* What a unit takes up in a run of columns. */
struct unit_span {
  struct span columns;
  neap_size bytes;
};

struct pool_columns {
  size_t count;            /* of columns */
  struct unit_span *spans; /* unit after unit; disjoint in each */
  size_t *spans_end;       /* per unit */
  size_t pool_count;
  neap_size *rooms; /* per pool: bytes in each column; -1: unlimited */
  neap_size *steps; /* per pool: what a unit takes up is rounded up to a multiple */
};

neap_status pool_columns_init(struct pool_columns *columns, const struct neap_problem *problem,
                              const struct units *units, neap_error *error);
void pool_columns_clear(struct pool_columns *columns);

static inline size_t pool_columns_begin(const struct pool_columns *columns, size_t unit) {
  return unit == 0 ? 0 : columns->spans_end[unit - 1];
}

#endif
