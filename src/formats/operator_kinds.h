/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds of operators, by the names that frameworks use. */
#ifndef FORMATS_OPERATOR_KINDS_H
#define FORMATS_OPERATOR_KINDS_H

#include <stdbool.h>

/*
 * Ignores case, everything up to the last `::` or `.`, and trailing underscores, with which
 * frameworks mark variants that work in place.
 */

/* Each element of the output depends on those at the same position of the inputs only. */
bool operator_is_element_wise(const char *name);

/* The output is the input's data in another shape. */
bool operator_is_view(const char *name);

#endif
