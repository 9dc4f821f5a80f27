/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/layout/constraint_text.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "facts/relation_text.h"

static void describe_limits(const struct neap_problem *problem, size_t buffer, char *text,
                            size_t room) {
  const struct limits *limits = problem_limits(problem, buffer);
  size_t used = 0;
  text[0] = '\0';
  if (limits->window_high < NEAP_MAX)
    snprintf(text, room, "\nwindow [%" PRId64 ", %" PRId64 ")", limits->window_low,
             limits->window_high);
  else if (limits->window_low > 0)
    snprintf(text, room, "\nwindow from %" PRId64, limits->window_low);
  used = strlen(text);
  if (limits->bank > 0)
    snprintf(text + used, room - used, "\nwithin a bank of %" PRId64 " bytes", limits->bank);
  used = strlen(text);
  if (limits->near_offset != NEAP_UNPLACED)
    snprintf(text + used, room - used, "\nearlier offset %" PRId64, limits->near_offset);
}

#define NAMED 4 /* relations; RELATION_TEXT each */
static_assert(BONDS_TEXT >= NAMED * RELATION_TEXT + 512, "room for all lines");

void constraint_text(const struct relation_index *bonds, const struct neap_problem *problem,
                     size_t buffer, char text[BONDS_TEXT]) {
  static const char article[] = "the ";
  char words[RELATION_TEXT];
  const struct related related = relation_index_of(bonds, buffer);
  describe_limits(problem, buffer, text, BONDS_TEXT);
  for (size_t r = 0; r < NAMED && r < related.count; r++) {
    size_t used = strlen(text);
    relation_text(problem, related.items[r], words);
    snprintf(text + used, BONDS_TEXT - used, "\n%s", words + sizeof article - 1);
  }
  size_t used = strlen(text);
  if (related.count > NAMED)
    snprintf(text + used, BONDS_TEXT - used, "\nand %zu more relations", related.count - NAMED);
}
