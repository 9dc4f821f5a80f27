/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks a DOT text before cgraph allocates memory for what it describes. */
#ifndef FILES_DOT_GUARD_H
#define FILES_DOT_GUARD_H

#include "neap/neap.h"

/*
 * A short DOT text can ask for a great many edges, as {a b c} -> {d e f} does, or for a value of
 * every attribute at every node.  NEAP_ERROR_INPUT if these are out of proportion to the text, or
 * groups are nested too deeply.  Malformed text passes: cgraph reports what is wrong with it.
 * O(size).
 */
neap_status dot_guard(const char *text, size_t size, neap_error *error);

/*
 * The line of edge `nth`, from 0, between two nodes, or if `to` is NULL, of the first mention of a
 * node; 0 if the line is uncertain, as for edges of groups.  O(size).
 */
size_t dot_guard_line(const char *text, size_t size, const char *from, const char *to,
                      size_t nth);

#endif
