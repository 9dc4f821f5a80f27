/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of search methods (METHOD_TABLE). */
#include <assert.h>

#include "search/method.h"

#define ADDRESS(name) &method_##name,
const struct method *const methods[] = {METHOD_TABLE(ADDRESS)};
const size_t method_count = sizeof methods / sizeof *methods;
static_assert(sizeof methods / sizeof *methods <= METHODS_MOST, "rules have no more bits");

uint32_t method_bit(const struct method *method) {
  size_t m = 0;
  while (methods[m] != method)
    m++;
  return UINT32_C(1) << m;
}
