/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/layout/bonds.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "facts/relation_text.h"

/* ---------------------------------------------------------------- which a buffer has */

/* Counts at the place of each buffer, sums up, then fills from the back. */
static void sort_by_buffer(struct bonds *bonds, const struct neap_problem *problem) {
  const struct relations *relations = problem->relations;
  for (size_t i = 0; i < relations->count; i++) {
    bonds->ends[relations->items[i].first]++;
    bonds->ends[relations->items[i].second]++;
  }
  for (size_t b = 1; b < problem->count; b++)
    bonds->ends[b] += bonds->ends[b - 1];
  size_t *next = bonds->ends; /* begins where the buffer's items do once all are filled in */
  for (size_t i = relations->count; i-- > 0;) {
    bonds->items[--next[relations->items[i].first]] = i;
    bonds->items[--next[relations->items[i].second]] = i;
  }
  for (size_t b = 0; b < problem->count; b++)
    bonds->ends[b] = b + 1 < problem->count ? bonds->ends[b + 1] : 2 * relations->count;
}

neap_status bonds_init(struct bonds *bonds, const struct neap_problem *problem,
                       neap_error *error) {
  *bonds = (struct bonds){0};
  if (!problem->relations) return NEAP_OK;
  bonds->ends = memory_array(problem->count, sizeof *bonds->ends);
  bonds->items = memory_array(2 * problem->relations->count, sizeof *bonds->items);
  if (!bonds->ends || !bonds->items) return error_memory(error);
  sort_by_buffer(bonds, problem);
  return NEAP_OK;
}

void bonds_clear(struct bonds *bonds) {
  free(bonds->ends);
  free(bonds->items);
  *bonds = (struct bonds){0};
}

static size_t begin_of(const struct bonds *bonds, size_t buffer) {
  return buffer == 0 ? 0 : bonds->ends[buffer - 1];
}

const neap_relation *bonds_find(const struct bonds *bonds, const struct neap_problem *problem,
                                neap_relation_kind kind, size_t a, size_t b) {
  for (size_t i = begin_of(bonds, a); i < bonds->ends[a]; i++) {
    const neap_relation *relation = &problem->relations->items[bonds->items[i]];
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
static_assert(BONDS_TEXT >= NAMED * RELATION_TEXT + 512, "room for all lines");

void bonds_describe(const struct bonds *bonds, const struct neap_problem *problem,
                    size_t buffer, char text[BONDS_TEXT]) {
  static const char article[] = "the ";
  char words[RELATION_TEXT];
  describe_limits(problem, buffer, text, BONDS_TEXT);
  if (!bonds->ends) return;
  size_t begin = begin_of(bonds, buffer), end = bonds->ends[buffer];
  for (size_t i = begin; i < end && i < begin + NAMED; i++) {
    size_t used = strlen(text);
    relation_text(problem, &problem->relations->items[bonds->items[i]], words);
    snprintf(text + used, BONDS_TEXT - used, "\n%s", words + sizeof article - 1);
  }
  size_t used = strlen(text);
  if (end - begin > NAMED)
    snprintf(text + used, BONDS_TEXT - used, "\nand %zu more relations", end - begin - NAMED);
}
