/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A look at a text in DOT before cgraph takes memory for what it describes. */
#ifndef FORMATS_DOT_GUARD_H
#define FORMATS_DOT_GUARD_H

#include "neap/neap.h"

/*
 * A few words in DOT can ask for a great many edges, as {a b c} -> {d e f} does, or for as many
 * values at every node as there are names of attributes.  NEAP_ERROR_INPUT where these are out of
 * proportion to the text, or groups nested too deeply.  What is malformed passes: cgraph says what
 * is wrong with it.  O(size).
 */
neap_status dot_guard(const char *text, size_t size, neap_error *error);

#endif
