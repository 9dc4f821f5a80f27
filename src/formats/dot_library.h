/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Graphviz' cgraph, kept at the edge: it has one lexer, one place for messages and one table of
 * strings for a whole process, so that whoever works with it holds a lock, from dot_lock or
 * dot_open to dot_unlock.
 *
 * cgraph ends the process where memory is short; that cannot be mended from outside.
 */
#ifndef FORMATS_DOT_LIBRARY_H
#define FORMATS_DOT_LIBRARY_H

#include <cgraph.h>

#include "neap/neap.h"

void dot_lock(void);
void dot_unlock(void);

/*
 * Reads the one graph that a text of `size` bytes, terminated, holds; to be closed with agclose().
 * NEAP_ERROR_INPUT, with the line, where it is not DOT, or has a graph too many.  The lock is held.
 */
neap_status dot_parse(const char *text, size_t size, Agraph_t **graph, neap_error *error);

/* A text that cgraph only reads, in the type that it asks for. */
char *dot_text(const char *text);

/* What is not set, or empty, is NULL; `object` is a graph, a node or an edge. */
const char *dot_attribute(void *object, const char *name);

#endif
