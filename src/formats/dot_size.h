/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes that an edge or a node of a DOT file says its tensor has. */
#ifndef FORMATS_DOT_SIZE_H
#define FORMATS_DOT_SIZE_H

#include "formats/dot_library.h"

/*
 * Of the attribute that reading->dot_size names; where that is NULL, of the first that is there
 * of `bytes`, `size`, `shape` and, of an edge, `label`, the last two if they have a shape in them:
 * nodes are drawn in shapes, too.  A shape is a list of
 * dimensions in brackets or parentheses, or numbers with x between them; its elements are of type
 * `dtype`, otherwise of the type that is named in the same text, otherwise of 4 bytes.
 *
 * *bytes is NEAP_UNPLACED where nothing says it.  NEAP_ERROR_INPUT, to be completed by the caller
 * with whom it is about.
 */
neap_status dot_size(void *object, const neap_reading *reading, neap_size *bytes,
                     neap_error *error);

#endif
