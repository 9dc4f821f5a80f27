/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/dimensions.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"

neap_status dimensions_check(const neap_reading *reading, const bool *used, const char *known,
                             neap_error *error) {
  for (size_t i = 0; i < reading->dimension_count; i++) {
    const char *name = reading->dimensions[i].name;
    char excerpt[TEXT_EXCERPT];
    if (used[i]) continue;
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "neap_reading.dimensions[%zu]: the input has no free dimension %s%s%s", i,
                     text_excerpt(excerpt, name, strlen(name)), *known ? "; it has " : "",
                     known);
  }
  return NEAP_OK;
}

void dimensions_list(char *list, size_t size, size_t *length, const char *name) {
  char excerpt[TEXT_EXCERPT];
  text_excerpt(excerpt, name, strlen(name));
  const size_t room = size - *length;
  if ((*length > 0 && strstr(list, excerpt)) || strlen(excerpt) + 8 > room) return;
  *length += (size_t)snprintf(list + *length, room, "%s%s", *length > 0 ? ", " : "", excerpt);
}

neap_status dimensions_check_open(const struct names *open, const char *why,
                                  neap_error *error) {
  char list[384], values[320], excerpt[TEXT_EXCERPT];
  size_t listed = 0, length = 0, i = 0;
  if (open->count == 0) return NEAP_OK;
  for (; i < open->count; i++) {
    const char *name = names_text(open, i);
    text_excerpt(excerpt, name, strlen(name));
    if (listed + strlen(excerpt) + 32 > sizeof list ||
        length + strlen(name) + 4 > sizeof values)
      break;
    listed += (size_t)snprintf(list + listed, sizeof list - listed, "%s%s", i > 0 ? ", " : "",
                               excerpt);
    length += (size_t)snprintf(values + length, sizeof values - length, "%s%s=1",
                               i > 0 ? "," : "", name);
  }
  if (i < open->count)
    snprintf(list + listed, sizeof list - listed, " and %zu more", open->count - i);
  return error_set(error, NEAP_ERROR_INPUT,
                   "free dimension%s %s: set %s, for example with neap_reading.dimensions "
                   "%s%s",
                   open->count > 1 ? "s" : "", list, open->count > 1 ? "them" : "it", values,
                   why);
}
