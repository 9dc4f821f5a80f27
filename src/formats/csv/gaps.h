/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The column `gaps`: when, within its lifetime, a buffer is not alive.  "3-5 8-9" are two gaps,
 * ascending, [3, 5) and [8, 9); if the end of the lifetime is inclusive, so are theirs: [3, 6) and
 * [8, 10).
 */
#ifndef FORMATS_CSV_GAPS_H
#define FORMATS_CSV_GAPS_H

#include "formats/csv/csv.h"
#include "formats/row.h"

/*
 * The ranges that remain of a lifetime.  Begin with a zeroed struct; ranges are released with free().
 */
struct gaps {
  neap_range *ranges;
  size_t count, capacity;
};

/* Replaces the ranges in `gaps` by `life` without the gaps in field `field`. */
neap_status gaps_read(struct gaps *gaps, const struct csv *csv, size_t field, neap_range life,
                      bool inclusive, neap_error *error);

/* Appends the gaps between the ranges. */
void gaps_write(struct row *row, const neap_range *ranges, size_t count, bool inclusive);

#endif
