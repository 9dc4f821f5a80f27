/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/blame.h"

#include <string.h>

#include "core/text.h"
#include "facts/relation_text.h"

size_t blame_relation(const neap_problem *problem, const char *message) {
  neap_relation relation = NEAP_INIT(neap_relation);
  for (size_t i = 0; neap_problem_relation_at(problem, i, &relation); i++) {
    char text[RELATION_TEXT];
    if (strstr(message, relation_text(problem, &relation, text))) return i;
  }
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
