/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facts/relation_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "model/groups.h"

const char *shift_text(neap_size bytes, char text[SHIFT_TEXT]) {
  const neap_size distance = bytes > 0 ? bytes : -bytes;
  snprintf(text, SHIFT_TEXT, "%" PRId64 " byte%s %s", distance, distance == 1 ? "" : "s",
           bytes > 0 ? "above" : "below");
  return text;
}

static void write_colocation(const neap_relation *relation, const char *first,
                             const char *second, char text[RELATION_TEXT]) {
  char shift[SHIFT_TEXT];
  if (relation->bytes == 0)
    snprintf(text, RELATION_TEXT, "the colocation of %s and %s", first, second);
  else
    snprintf(text, RELATION_TEXT, "the colocation of %s %s %s", second,
             shift_text(relation->bytes, shift), first);
}

static void write_relation(const neap_relation *relation, const char *first, const char *second,
                           char text[RELATION_TEXT]) {
  switch (relation->kind) {
  case NEAP_OVERLAP:
    snprintf(text, RELATION_TEXT, "the overlap that lets %s begin %" PRId64 " bytes above %s",
             second, relation->bytes, first);
    break;
  case NEAP_COLOCATION:
    write_colocation(relation, first, second, text);
    break;
  case NEAP_BANK_SEPARATION:
    snprintf(text, RELATION_TEXT, "the separation of %s and %s by banks of %" PRId64 " bytes",
             first, second, relation->bytes);
    break;
  case NEAP_REUSE_PENALTY:
    snprintf(text, RELATION_TEXT, "the reuse penalty of %s and %s", first, second);
    break;
  default:
    snprintf(text, RELATION_TEXT, "the %s of %s and %s",
             neap_relation_kind_name(relation->kind), first, second);
  }
}

const char *relation_text(const struct neap_problem *problem, const neap_relation *relation,
                          char text[RELATION_TEXT]) {
  char first[TEXT_EXCERPT], second[TEXT_EXCERPT], reason[TEXT_EXCERPT];
  write_relation(relation, problem_excerpt(problem, relation->first, first),
                 problem_excerpt(problem, relation->second, second), text);
  size_t used = strlen(text);
  if (relation->reason)
    snprintf(text + used, RELATION_TEXT - used, " (reason %s)",
             text_excerpt(reason, relation->reason, strlen(relation->reason)));
  return text;
}

bool relation_between(const struct neap_problem *problem, unsigned effects, size_t a, size_t b,
                      neap_relation *found) {
  const neap_relation *relation = NULL;
  const struct relation_group *group = NULL;
  while ((relation = problem_next_relation(problem, effects, relation)))
    if ((relation->first == a && relation->second == b) ||
        (relation->first == b && relation->second == a)) {
      *found = *relation;
      return true;
    }
  while ((group = problem_next_group(problem, effects, group)))
    if (group_has(problem->relations, group, a) && group_has(problem->relations, group, b)) {
      *found = group->relation;
      found->first = a;
      found->second = b;
      return true;
    }
  return false;
}
