/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Graphviz' cgraph, contained: a process has one lexer, one message handler and one table of
 * strings, so callers hold a lock from dot_library_lock to dot_library_unlock.
 *
 * cgraph ends the process if memory is short; no caller can prevent that.
 */
#ifndef FILES_DOT_LIBRARY_H
#define FILES_DOT_LIBRARY_H

#include <cgraph.h>

#include "neap/neap.h"

void dot_library_lock(void);
void dot_library_unlock(void);

/*
 * Reads the one graph in a terminated text of `size` bytes; the caller holds the lock and
 * closes the graph with agclose().  NEAP_ERROR_INPUT, with the line: it is not DOT, or has
 * several graphs.
 */
neap_status dot_library_parse(const char *text, size_t size, Agraph_t **graph,
                              neap_error *error);

/* Casts away const for cgraph's parameters, which it only reads. */
char *dot_library_text(const char *text);

/* An attribute of a graph, a node or an edge; NULL if it is not set, or empty. */
const char *dot_library_attribute(void *object, const char *name);

#endif
