/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of search methods (METHOD_TABLE). */
#include <assert.h>

#include "search/method.h"

#define ADDRESS(name) &method_##name,
const struct method *const methods[] = {METHOD_TABLE(ADDRESS)};
const size_t method_count = sizeof methods / sizeof *methods;
static_assert(sizeof methods / sizeof *methods <= METHODS_MOST, "rules have no more bits");

size_t method_rule_count(void) { return RULES_COUNT + method_count - 1; }

bool method_rule_at(size_t index, const char **name, const char **summary) {
  if (index < RULES_COUNT) return rules_at(index, name, summary);
  if (index >= method_rule_count()) return false;
  *name = methods[index - RULES_COUNT]->name;
  *summary = methods[index - RULES_COUNT]->summary;
  return true;
}

struct rules method_rules_without(uint64_t set) {
  struct rules rules = rules_without(set);
  /* The boards, which come last, are always used. */
  uint32_t all = (UINT32_C(1) << (method_count - 1)) - 1;
  rules.disabled = (uint32_t)(set >> RULES_COUNT) & all;
  return rules;
}

uint32_t method_bit(const struct method *method) {
  size_t m = 0;
  while (methods[m] != method)
    m++;
  return UINT32_C(1) << m;
}
