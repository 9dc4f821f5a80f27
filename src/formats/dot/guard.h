/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks a DOT text before cgraph allocates memory for what it describes. */
#ifndef FORMATS_DOT_GUARD_H
#define FORMATS_DOT_GUARD_H

#include "neap/neap.h"

/*
 * A short DOT text can ask for a great many edges, as {a b c} -> {d e f} does, or for a value of
 * every attribute at every node.  NEAP_ERROR_INPUT if these are out of proportion to the text, or
 * groups are nested too deeply.  Malformed text passes: cgraph reports what is wrong with it.
 * O(size).
 */
neap_status dot_guard(const char *text, size_t size, neap_error *error);

#endif
