/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads JSON strictly.  A value comes with its path, so that a message can name `buffers[3].size`;
 * every object lists the keys it may have.
 */
#ifndef FILES_JSON_JSON_H
#define FILES_JSON_JSON_H

#include <jansson.h>

#include "core/names.h"
#include "files/json/document.h"
#include "files/text_builder.h"
#include "model/shapes.h"
#include "neap/neap-io.h"

/* Whether a text begins like JSON. */
bool json_is(const char *text, size_t size, const neap_reading *reading);

static inline struct json_at json_root(json_t *value) {
  return (struct json_at){.value = value};
}

struct json_at json_member(const struct json_at *object, const char *key);
struct json_at json_element(const struct json_at *array, size_t index);

/* Reports NEAP_ERROR_INPUT, beginning with the value's path. */
__attribute__((format(printf, 3, 4))) neap_status json_blame(const struct json_at *at,
                                                             neap_error *error,
                                                             const char *format, ...);

/*
 * Puts the value's path before the text of an error about it, and sets its line and column if the
 * document is known; returns `status`.
 */
neap_status json_place(const struct json_at *at, neap_status status, neap_error *error);

/* json_read_... fail if the value is missing or of another type. */

/* `keys` lists all keys that the object may have, ending in NULL; NULL: any keys. */
neap_status json_read_object(const struct json_at *at, const char *const *keys,
                             neap_error *error);
neap_status json_read_array(const struct json_at *at, size_t *count, neap_error *error);
neap_status json_read_number(const struct json_at *at, int64_t low, int64_t *number,
                             neap_error *error);
neap_status json_read_string(const struct json_at *at, const char **string, neap_error *error);
neap_status json_read_boolean(const struct json_at *at, bool *boolean, neap_error *error);

/* Reads the key `missing` of a root, if it is there: parts of a model that are left out. */
neap_status json_missing_read(const struct json_at *root, struct names *missing,
                              neap_error *error);

/* Appends a list of texts, in brackets. */
void json_texts_append(const struct names *texts, struct row *row);

/* ---------------------------------------------------------------- addresses */

/*
 * Addresses are strings such as "0x20000000", because numbers of 64 bits are not portable.
 * Reads "0x" and up to 16 digits.
 */
neap_status json_address_read(const struct json_at *at, uint64_t *address, neap_error *error);

void json_address_append(uint64_t address, struct row *row);

/* ---------------------------------------------------------------- shapes */

/* The optional keys of a buffer or a tensor. */
#define JSON_SHAPE_KEYS "shape", "dtype"

/* Room for the dimensions of one shape.  Begin with zeroes; released with free(). */
struct json_dimensions {
  neap_size *items;
  size_t capacity;
};

/*
 * Reads the keys of an object; what is missing is unknown.  *shape is valid as long as the
 * document, and until *room is used again.
 */
neap_status json_shape_read(const struct json_at *object, struct json_dimensions *room,
                            struct tensor_shape *shape, neap_error *error);

/* Appends what is known, after other keys. */
void json_shape_append(const struct shapes *shapes, size_t item, struct row *row);

#endif
