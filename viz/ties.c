/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/ties.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "model/relation_text.h"

/* ---------------------------------------------------------------- which a buffer has */

/* Counts at the place of each buffer, sums up, then fills from the back. */
static void sort_by_buffer(struct ties *ties, const struct neap_problem *problem) {
  const struct relations *relations = problem->relations;
  for (size_t i = 0; i < relations->count; i++) {
    ties->ends[relations->items[i].first]++;
    ties->ends[relations->items[i].second]++;
  }
  for (size_t b = 1; b < problem->count; b++)
    ties->ends[b] += ties->ends[b - 1];
  size_t *next = ties->ends; /* begins where the buffer's items do once all are filled in */
  for (size_t i = relations->count; i-- > 0;) {
    ties->items[--next[relations->items[i].first]] = i;
    ties->items[--next[relations->items[i].second]] = i;
  }
  for (size_t b = 0; b < problem->count; b++)
    ties->ends[b] = b + 1 < problem->count ? ties->ends[b + 1] : 2 * relations->count;
}

neap_status ties_init(struct ties *ties, const struct neap_problem *problem,
                      neap_error *error) {
  *ties = (struct ties){0};
  if (!problem->relations) return NEAP_OK;
  ties->ends = memory_array(problem->count, sizeof *ties->ends);
  ties->items = memory_array(2 * problem->relations->count, sizeof *ties->items);
  if (!ties->ends || !ties->items) return error_memory(error);
  sort_by_buffer(ties, problem);
  return NEAP_OK;
}

void ties_clear(struct ties *ties) {
  free(ties->ends);
  free(ties->items);
  *ties = (struct ties){0};
}

static size_t begin_of(const struct ties *ties, size_t buffer) {
  return buffer == 0 ? 0 : ties->ends[buffer - 1];
}

const neap_relation *ties_find(const struct ties *ties, const struct neap_problem *problem,
                               neap_relation_kind kind, size_t a, size_t b) {
  for (size_t i = begin_of(ties, a); i < ties->ends[a]; i++) {
    const neap_relation *relation = &problem->relations->items[ties->items[i]];
    if (relation->kind == kind && (relation->first == b || relation->second == b))
      return relation;
  }
  return NULL;
}

/* ---------------------------------------------------------------- words */

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
static_assert(TIES_TEXT >= NAMED * RELATION_TEXT + 512, "room for all lines");

void ties_describe(const struct ties *ties, const struct neap_problem *problem, size_t buffer,
                   char text[TIES_TEXT]) {
  static const char article[] = "the ";
  char words[RELATION_TEXT];
  describe_limits(problem, buffer, text, TIES_TEXT);
  if (!ties->ends) return;
  size_t begin = begin_of(ties, buffer), end = ties->ends[buffer];
  for (size_t i = begin; i < end && i < begin + NAMED; i++) {
    size_t used = strlen(text);
    relation_text(problem, &problem->relations->items[ties->items[i]], words);
    snprintf(text + used, TIES_TEXT - used, "\n%s", words + sizeof article - 1);
  }
  size_t used = strlen(text);
  if (end - begin > NAMED)
    snprintf(text + used, TIES_TEXT - used, "\nand %zu more relations", end - begin - NAMED);
}
