/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Objects in JSON on standard output.  Functions return NULL when memory is short, and accept
 * NULL from each other.
 */
#ifndef CLI_OUTPUT_JSON_H
#define CLI_OUTPUT_JSON_H

#include <jansson.h>

/* A text; bytes that are not UTF-8, for example in a file's name, become '?'. */
json_t *object_text(const char *text);

/* A number, rounded to a millionth. */
json_t *object_real(double value);

/* Appends a new item to a list; releases both if that fails. */
json_t *object_append(json_t *list, json_t *item);

/* Adds a key; releases both if that fails. */
json_t *object_add(json_t *object, const char *key, json_t *value);
json_t *object_add_number(json_t *object, const char *key, json_int_t number);

/* Adds all keys of `other`, and releases it; releases the object if that fails. */
json_t *object_merge(json_t *object, json_t *other);

/* The object as text, to be released with free(); releases the object. */
char *object_dump(json_t *object);

/*
 * Prints the object as one line and releases it.  Returns 0, or the exit code of the message it has
 * printed, which is that memory is short if the object is NULL.
 */
int object_print(json_t *object);

#endif
