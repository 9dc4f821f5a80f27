/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/dimensions.h"

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
