/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Suggests which columns of a table have the roles that are missing, from words in their names: "Birth" is
 * a start, "Size (B)" a size.  Only for messages: neap never reads a column because of such a guess.
 */
#ifndef FORMATS_CSV_SUGGEST_H
#define FORMATS_CSV_SUGGEST_H

#include "formats/csv/columns.h"

#define SUGGEST_TEXT 320

/*
 * Writes the option that gives each role in `missing` a column of the header that has no role yet, as
 * "; try --columns lower=from,upper=to".  A role for which no column suggests itself gets NAME.  "" if no column
 * suggests itself for any.  Returns `text`.
 */
const char *suggest_columns(char text[SUGGEST_TEXT], const struct csv *csv,
                            const struct columns *columns, const bool missing[ROLE_COUNT]);

#endif
