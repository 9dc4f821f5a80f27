/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line of text, built in memory and written in one piece.  Begin with a zeroed struct and append;
 * row_write reports if memory was short.
 */
#ifndef FILES_TEXT_BUILDER_H
#define FILES_TEXT_BUILDER_H

#include <stdio.h>

#include "neap/neap.h"

struct row {
  char *text; /* not terminated */
  size_t length, capacity;
  bool failed; /* memory was short */
};

void row_clear(struct row *row);

void row_append(struct row *row, const char *text, size_t length);
void row_string(struct row *row, const char *text);
void row_char(struct row *row, char character);
void row_number(struct row *row, int64_t number);
void row_hex(struct row *row, uint64_t number); /* 0x20000000 */

/* Appends a CSV field, in quotes if it would be read as something else without them. */
void row_csv(struct row *row, const char *text);

/* Appends a JSON string; the text is valid UTF-8. */
void row_json(struct row *row, const char *text);

/* Writes the row and starts a new one.  NEAP_ERROR_MEMORY, NEAP_ERROR_SYSTEM. */
neap_status row_write(struct row *row, FILE *stream, neap_error *error);

#endif
