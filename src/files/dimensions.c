/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/dimensions.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "neap-tool.h"

neap_status dimensions_check(const neap_reading *reading, const bool *used, const char *known,
                             neap_error *error) {
  for (size_t i = 0; i < reading->model.dimension_count; i++) {
    const char *name = reading->model.dimensions[i].name;
    char excerpt[TEXT_EXCERPT];
    if (used[i]) continue;
    return error_set(
        error, NEAP_ERROR_ARGUMENT,
        "neap_reading.model.dimensions[%zu]: the input has no free dimension %s%s%s", i,
        text_excerpt(excerpt, name, strlen(name)), *known ? "; it has " : "", known);
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

/* Whether a message can show the name unescaped, for users to copy. */
static bool is_shown(const char *name) {
  const char *end = name + strlen(name);
  uint32_t code = 0;
  while (name < end && code != NEAP_REPLACEMENT)
    name += text_next(name, (size_t)(end - name), &code);
  return code != NEAP_REPLACEMENT;
}

/* Open dimensions: "'N', 'M'" and "N=1,M=1", with `sizes` instead of 1, unless it is NULL. */
struct listed {
  char names[384], values[320];
};

static void list_open(const struct names *open, const int64_t *sizes, struct listed *list) {
  char excerpt[TEXT_EXCERPT], value[24];
  size_t listed = 0, length = 0, i = 0;
  for (; i < open->count; i++) {
    const char *name = names_text(open, i);
    text_excerpt(excerpt, name, strlen(name));
    if (!is_shown(name)) name = excerpt;
    snprintf(value, sizeof value, "%" PRId64, sizes ? sizes[i] : 1);
    if (listed + strlen(excerpt) + 32 > sizeof list->names ||
        length + strlen(name) + strlen(value) + 3 > sizeof list->values)
      break;
    listed += (size_t)snprintf(list->names + listed, sizeof list->names - listed, "%s%s",
                               i > 0 ? ", " : "", excerpt);
    length += (size_t)snprintf(list->values + length, sizeof list->values - length, "%s%s=%s",
                               i > 0 ? "," : "", name, value);
  }
  if (i < open->count)
    snprintf(list->names + listed, sizeof list->names - listed, " and %zu more",
             open->count - i);
}

neap_status dimensions_check_open(const struct names *open, const char *why,
                                  neap_error *error) {
  struct listed list = {"", ""};
  if (open->count == 0) return NEAP_OK;
  list_open(open, NULL, &list);
  return error_set(
      error, NEAP_ERROR_INPUT,
      "free dimension%s %s: set %s, for example with neap_reading.model.dimensions %s%s",
      open->count > 1 ? "s" : "", list.names, open->count > 1 ? "them" : "it", list.values,
      why);
}

void dimensions_warn_open(const struct names *open, const int64_t *sizes,
                          const neap_reading *reading) {
  struct listed list = {"", ""};
  neap_error warning = {.status = NEAP_OK};
  if (!reading->warn) return;
  list_open(open, sizes, &list);
  snprintf(
      warning.text, sizeof warning.text,
      "free dimension%s %s: planned as in the model, which is neap_reading.model.dimensions %s",
      open->count > 1 ? "s" : "", list.names, list.values);
  reading->warn(&warning, reading->warn_user);
}
