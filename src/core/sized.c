/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/sized.h"

#include <string.h>

#include "core/error.h"

/* More than any struct has, to recognise a struct_size that was never set. */
#define SIZE_LIMIT 65536

static size_t size_of(const void *structure) {
  size_t size;
  memcpy(&size, structure, sizeof size);
  return size;
}

static bool is_valid(size_t size) { return size >= sizeof(size_t) && size <= SIZE_LIMIT; }

neap_status sized_refuse(const void *to, const char *name, neap_error *error) {
  return error_set(error, NEAP_ERROR_ARGUMENT,
                   "%s: struct_size is %zu; initialise the struct with NEAP_INIT", name,
                   size_of(to));
}

neap_status sized_read(void *own, size_t size, const void *from, const char *name,
                       neap_error *error) {
  size_t given = size_of(from), common = given < size ? given : size;
  if (!is_valid(given)) return sized_refuse(from, name, error);
  for (size_t i = size; i < given; i++)
    if (((const unsigned char *)from)[i] != 0)
      return error_set(error, NEAP_ERROR_ARGUMENT,
                       "%s: sets a member that neap %s does not know", name,
                       NEAP_VERSION_STRING);
  memcpy((char *)own + sizeof size, (const char *)from + sizeof size, common - sizeof size);
  return NEAP_OK;
}

neap_status sized_check_reserved(const size_t *reserved, size_t count, const char *name,
                                 neap_error *error) {
  size_t all = 0;
  for (size_t i = 0; i < count; i++)
    all |= reserved[i];
  if (all == 0) return NEAP_OK;
  return error_set(error, NEAP_ERROR_ARGUMENT,
                   "%s: sets a member that neap %s does not know, or was not initialised", name,
                   NEAP_VERSION_STRING);
}

bool sized_fill(void *to, const void *own, size_t size) {
  size_t wanted = size_of(to), common = wanted < size ? wanted : size;
  if (!is_valid(wanted)) return false;
  memcpy((char *)to + sizeof size, (const char *)own + sizeof size, common - sizeof size);
  memset((char *)to + common, 0, wanted - common);
  return true;
}
