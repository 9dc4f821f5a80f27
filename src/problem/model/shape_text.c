/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "neap-tool.h"

#define DIMENSION_TEXT 24

/* "56", or "?" for a dimension that is unknown. */
static int write_dimension(neap_size dimension, char text[DIMENSION_TEXT]) {
  return dimension < 0 ? snprintf(text, DIMENSION_TEXT, "?")
                       : snprintf(text, DIMENSION_TEXT, "%" PRId64, dimension);
}

/*
 * Writes as many dimensions as fit into half of the text, then "x..." if some are left; returns
 * the length.
 */
static size_t write_shape(const neap_buffer *buffer, char text[NEAP_SHAPE_TEXT]) {
  const size_t most = NEAP_SHAPE_TEXT / 2 - sizeof "x...";
  size_t used = 0;
  if (!buffer->shape) return 0;
  if (buffer->rank == 0) return (size_t)snprintf(text, NEAP_SHAPE_TEXT, "scalar");
  for (size_t d = 0; d < buffer->rank; d++) {
    char dimension[DIMENSION_TEXT];
    size_t length = (size_t)write_dimension(buffer->shape[d], dimension);
    if (used + 1 + length > most)
      return used + (size_t)snprintf(text + used, NEAP_SHAPE_TEXT - used, "x...");
    used += (size_t)snprintf(text + used, NEAP_SHAPE_TEXT - used, "%s%s", d > 0 ? "x" : "",
                             dimension);
  }
  return used;
}

const char *neap_shape_text(const neap_buffer *buffer, char text[NEAP_SHAPE_TEXT]) {
  text[0] = '\0';
  size_t used = write_shape(buffer, text);
  if (!buffer->dtype) return text;
  size_t room = NEAP_SHAPE_TEXT - used - 2, length = strlen(buffer->dtype);
  if (length > room) length = text_utf8_prefix(buffer->dtype, room);
  snprintf(text + used, NEAP_SHAPE_TEXT - used, "%s%.*s", used > 0 ? " " : "", (int)length,
           buffer->dtype);
  return text;
}
