/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conflicts between the buffers of a table, as a table of their own:
 *
 *     first,second
 *     a,b
 *     a,c
 *
 * Each row separates two buffers.  Rows may repeat, in either order.  Other columns are ignored.
 */
#ifndef FORMATS_CSV_CONFLICTS_H
#define FORMATS_CSV_CONFLICTS_H

#include "neap/neap-io.h"

/*
 * Adds the conflicts in a file to a problem; the error's source is the path.  NEAP_ERROR_SYSTEM;
 * NEAP_ERROR_INPUT also if there is no buffer with a name.
 */
neap_status csv_conflicts_read(const char *path, neap_problem *problem, neap_error *error);

#endif
