/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/output/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/messages.h"

#define DIGITS JSON_REAL_PRECISION(15)

json_t *object_text(const char *text) {
  json_t *string = json_string(text);
  if (string) return string;
  char *ascii = strdup(text);
  if (!ascii) return NULL;
  for (char *at = ascii; *at; at++)
    if ((unsigned char)*at >= 0x80) *at = '?';
  string = json_string(ascii);
  free(ascii);
  return string;
}

json_t *object_real(double value) {
  char text[512];
  snprintf(text, sizeof text, "%.6f", value);
  return json_real(strtod(text, NULL));
}

/* Releases the object unless the change to it succeeded. */
static json_t *keep_if(bool good, json_t *object) {
  if (good) return object;
  json_decref(object);
  return NULL;
}

json_t *object_append(json_t *list, json_t *item) {
  return keep_if(json_array_append_new(list, item) == 0, list);
}

json_t *object_add(json_t *object, const char *key, json_t *value) {
  return keep_if(json_object_set_new(object, key, value) == 0, object);
}

json_t *object_add_number(json_t *object, const char *key, json_int_t number) {
  return object_add(object, key, json_integer(number));
}

json_t *object_merge(json_t *object, json_t *other) {
  bool good = other && json_object_update(object, other) == 0;
  json_decref(other);
  return keep_if(good, object);
}

char *object_dump(json_t *object) {
  char *text = object ? json_dumps(object, DIGITS) : NULL;
  json_decref(object);
  return text;
}

int object_print(json_t *object) {
  bool good = object && json_dumpf(object, stdout, DIGITS) == 0;
  json_decref(object);
  if (good) putchar('\n');
  /* A failed write is reported when the program ends, as for all results. */
  return good || ferror(stdout) ? 0 : message_memory();
}
