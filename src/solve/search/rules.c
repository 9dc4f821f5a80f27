/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/rules.h"

#include <assert.h>
#include <stddef.h>

static const struct {
  const char *name, *summary;
  size_t member;
} prunings[] = {
    {"components", "solve independent parts separately when they appear during the search",
     offsetof(struct rules, components)},
    {"refuted", "keep a table of refuted states", offsetof(struct rules, refuted)},
    {"twins", "treat equal rectangles as interchangeable", offsetof(struct rules, twins)},
    {"weights", "prefer sections that have caused failures", offsetof(struct rules, weights)},
};
static_assert(sizeof prunings / sizeof *prunings == RULES_COUNT, "each rule has a row");

bool rules_at(size_t index, const char **name, const char **summary) {
  if (index >= RULES_COUNT) return false;
  *name = prunings[index].name;
  *summary = prunings[index].summary;
  return true;
}

struct rules rules_without(uint64_t set) {
  struct rules rules = RULES_ALL;
  for (size_t i = 0; i < RULES_COUNT; i++)
    *(bool *)((char *)&rules + prunings[i].member) = !(set >> i & 1);
  return rules;
}
