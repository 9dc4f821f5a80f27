/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The size of a tensor, from the attributes of an edge or node in a DOT file. */
#ifndef FILES_DOT_SIZE_H
#define FILES_DOT_SIZE_H

#include "core/names.h"
#include "files/dot/library.h"
#include "neap/neap-io.h"

/*
 * The caller's options, with a mark for each dimension that the file has, and the dimensions
 * without a value, which count as 1.
 */
struct dot_reading {
  const neap_reading *asked;
  bool *used;
  struct names *open;
  const char *text; /* of the file, for the lines of messages */
  size_t size;
};

struct dot_size {
  neap_size bytes;     /* NEAP_UNPLACED: not known */
  neap_size alignment; /* of the element type of a shape; 1 of plain bytes */
};

/*
 * Reads the attribute that reading->asked->dot_size names.  If that is NULL, it reads the first
 * that is present of `bytes`, `size`, `shape` and, on edges, `label`; the last two only if they
 * contain a shape, because nodes also have drawing shapes.  A shape is a list of dimensions in
 * brackets or parentheses, or numbers with x between them.  Its elements have the type in
 * `dtype`, or else the type named in the same text, or else 4 bytes.
 *
 * The size is NEAP_UNPLACED bytes if there is no such attribute.  The caller adds the
 * edge or node to a NEAP_ERROR_INPUT.
 */
neap_status dot_size(void *object, const struct dot_reading *reading, struct dot_size *size,
                     neap_error *error);

#endif
