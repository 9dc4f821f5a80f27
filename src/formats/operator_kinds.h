/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What operators allow, by the names that frameworks give them. */
#ifndef FORMATS_OPERATOR_KINDS_H
#define FORMATS_OPERATOR_KINDS_H

#include <stdbool.h>

/*
 * Case does not matter, nor do `_` at the end, which frameworks write for in place, and what
 * comes before the last `::` or `.` of a name.
 */

/* Each element of the output is made of those at the same place in the inputs. */
bool operator_is_element_wise(const char *name);

/* The output is the input's data under another shape. */
bool operator_is_view(const char *name);

#endif
