/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/error_place.h"

#include <string.h>

#include "core/text.h"
#include "facts/relation_text.h"
#include "model/groups.h"

/* Whether a message describes a relation. */
static bool describes(const neap_problem *problem, const neap_relation *relation,
                      const char *message) {
  char text[RELATION_TEXT];
  return strstr(message, relation_text(problem, relation, text)) != NULL;
}

/* Whether a message describes a pair of a group.  It names just a few buffers. */
static bool describes_pair(const neap_problem *problem, const struct relation_group *group,
                           const char *message) {
  const size_t *members = problem->relations->members;
  size_t named[8], count = 0;
  for (size_t m = group->begin; m < group->end && count < 8; m++) {
    char excerpt[TEXT_EXCERPT];
    if (strstr(message, problem_excerpt(problem, members[m], excerpt)))
      named[count++] = members[m];
  }
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < count; k++) {
      neap_relation relation = group->relation;
      relation.first = named[i];
      relation.second = named[k];
      if (i != k && describes(problem, &relation, message)) return true;
    }
  return false;
}

size_t blame_relation(const neap_problem *problem, const char *message) {
  const struct relations *relations = problem->relations;
  const struct relation_group *group = NULL;
  for (size_t i = 0; relations && i < relations->count; i++)
    if (describes(problem, &relations->items[i], message)) return i;
  while ((group = problem_next_group(problem, RELATION_ANY, group)))
    if (describes_pair(problem, group, message)) return group_first_pair(relations, group);
  return BLAME_NONE;
}

size_t blame_buffer(const neap_problem *problem, const char *message) {
  for (size_t i = 0; i < problem->count; i++) {
    const char *name = problem_name(problem, i);
    char excerpt[TEXT_EXCERPT];
    text_excerpt(excerpt, name, strlen(name));
    if (strncmp(message, excerpt, strlen(excerpt)) == 0) return i;
  }
  return BLAME_NONE;
}
