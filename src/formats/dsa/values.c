/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "formats/dsa/reader.h"

neap_status reader_within(const struct json_at *at, neap_status status, neap_error *error) {
  return status == NEAP_ERROR_INPUT ? json_place(at, status, error) : status;
}

neap_status reader_array(const struct json_at *object, const char *key, struct json_at *array,
                         size_t *count, neap_error *error) {
  *array = json_member(object, key);
  return json_read_array(array, count, error);
}

neap_status reader_number(const struct json_at *object, const char *key, int64_t low,
                          int64_t *number, neap_error *error) {
  struct json_at at = json_member(object, key);
  return json_read_number(&at, low, number, error);
}

neap_status reader_string(const struct json_at *object, const char *key, const char **string,
                          neap_error *error) {
  struct json_at at = json_member(object, key);
  return json_read_string(&at, string, error);
}

neap_status reader_choice(const struct json_at *at, const char *const *names, size_t *index,
                          neap_error *error) {
  const char *name;
  neap_status status = json_read_string(at, &name, error);
  if (status != NEAP_OK) return status;
  for (size_t i = 0; names[i]; i++)
    if (strcmp(names[i], name) == 0) {
      *index = i;
      return NEAP_OK;
    }
  char excerpt[TEXT_EXCERPT];
  status = json_blame(at, error, "unknown name %s; expected one of",
                      text_excerpt(excerpt, name, strlen(name)));
  for (size_t i = 0; names[i]; i++)
    error_append(error, i > 0 ? ", " : " ", names[i]);
  return status;
}

neap_status reader_id(const struct json_at *at, uint32_t *id, neap_error *error) {
  int64_t number = 0;
  neap_status status = json_read_number(at, 0, &number, error);
  if (status == NEAP_OK && number > UINT32_MAX)
    status = json_blame(at, error, "expected a number below 2^32, found %" PRId64, number);
  *id = (uint32_t)number;
  return status;
}

neap_status reader_find(const struct reader *reader, const struct ids *ids,
                        const struct json_at *at, size_t *index, neap_error *error) {
  uint32_t id;
  neap_status status = reader_id(at, &id, error);
  if (status != NEAP_OK || ids_find(ids, id, index)) return status;
  return json_blame(at, error, "expected the id of a %s, found %" PRIu32,
                    ids == &reader->pools ? "pool" : "buffer", id);
}
