/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

neap_status error_at(neap_error *error, neap_status status, size_t line, size_t column,
                     const char *format, ...) {
  if (!error) return status;
  va_list arguments;
  va_start(arguments, format);
  error->status = status;
  error->line = line;
  error->column = column;
  error->source[0] = '\0';
  vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  return status;
}

neap_status error_copy(neap_error *error, const neap_error *from) {
  if (error) *error = *from;
  return from->status;
}

neap_status error_memory(neap_error *error) {
  return error_set(error, NEAP_ERROR_MEMORY, "out of memory");
}

void error_append(neap_error *error, const char *between, const char *name) {
  static const char cut[] = "...";
  if (!error) return;
  const size_t used = strlen(error->text), room = sizeof error->text - used;
  const bool is_cut = used >= strlen(cut) && strcmp(error->text + used - strlen(cut), cut) == 0;
  if (is_cut || room < sizeof cut) return;
  /* Unless this name is the last, leave room for ", ...". */
  if (strlen(between) + strlen(name) + strlen(between) + sizeof cut > room)
    snprintf(error->text + used, room, "%s%s", between, cut);
  else snprintf(error->text + used, room, "%s%s", between, name);
}

neap_status error_in_file(neap_error *error, neap_status status, const char *source) {
  if (status != NEAP_OK && error && error->source[0] == '\0')
    snprintf(error->source, sizeof error->source, "%s", source);
  return status;
}

neap_status error_system(neap_error *error, const char *source, const char *what) {
  int code = errno;
  if (!error) return NEAP_ERROR_SYSTEM;
  return error_in_file(
      error, error_set(error, NEAP_ERROR_SYSTEM, "%s: %s", what, strerror(code)), source);
}
