/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading JSON strictly.  A value is looked at together with where it stands, so that a message
 * can say `buffers[3].size`; every object says which keys it knows.
 */
#ifndef FORMATS_JSON_H
#define FORMATS_JSON_H

#include <jansson.h>

#include "neap/neap.h"

/*
 * A value and where it stands: under a key of its parent, or in the parent's array.  Lives on
 * the stack.
 */
struct json_at {
  json_t *value; /* NULL when there is none */
  const struct json_at *parent;
  const char *key; /* NULL: by index */
  size_t index;
};

static inline struct json_at json_root(json_t *value) {
  return (struct json_at){value, NULL, NULL, 0};
}

struct json_at json_member(const struct json_at *object, const char *key);
struct json_at json_element(const struct json_at *array, size_t index);

/* NEAP_ERROR_INPUT that begins with where the value stands. */
__attribute__((format(printf, 3, 4))) neap_status json_blame(const struct json_at *at,
                                                             neap_error *error,
                                                             const char *format, ...);

/*
 * Puts where the value stands before the text of an error that came up about it; returns
 * `status`.
 */
neap_status json_place(const struct json_at *at, neap_status status, neap_error *error);

/* Each is an error when the value is missing or something else. */

/* `keys` are all that it may have, ending in NULL. */
neap_status json_read_object(const struct json_at *at, const char *const *keys,
                             neap_error *error);
neap_status json_read_array(const struct json_at *at, size_t *count, neap_error *error);
neap_status json_read_number(const struct json_at *at, int64_t low, int64_t *number,
                             neap_error *error);
neap_status json_read_string(const struct json_at *at, const char **string, neap_error *error);
neap_status json_read_boolean(const struct json_at *at, bool *boolean, neap_error *error);

#endif
