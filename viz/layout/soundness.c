/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verifier stops at the first fault, but a drawing of an unsound plan should show how broken
 * it is.  So if the plan fails, a second pass counts all collisions and lists the earliest ones:
 * O((n + listed) log n) time, in which `listed` is limited, because there can be n^2 / 2 of them.
 * A plan may also be unsound without a collision, such as by a misaligned offset; then the
 * drawing shows only the verifier's fault.
 */
#include "viz/layout/soundness.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "viz/svg/number.h"

/* Whether the list is complete, up to the limit. */
static bool is_consistent(const struct collisions *collisions) {
  return collisions->count ==
         (collisions->total < SOUNDNESS_LISTED ? collisions->total : SOUNDNESS_LISTED);
}

neap_status soundness_init(struct soundness *soundness, const struct neap_plan *plan,
                           neap_error *error) {
  *soundness = (struct soundness){0};
  neap_status status = neap_plan_verify(plan, -1, &soundness->fault);
  soundness->sound = status == NEAP_OK;
  if (status == NEAP_ERROR_UNSOUND) {
    const struct placement placement = {plan->problem, plan->offsets, plan->pools};
    status = collide_all(&placement, SOUNDNESS_LISTED, &soundness->collisions, error);
    assert(status != NEAP_OK || is_consistent(&soundness->collisions));
    if (status == NEAP_OK)
      status = verify_relations_all(plan, SOUNDNESS_BROKEN, &soundness->broken, error);
  } else if (status != NEAP_OK && error) {
    *error = soundness->fault;
  }
  return status;
}

void soundness_clear(struct soundness *soundness) {
  free(soundness->collisions.items);
  free(soundness->broken.items);
  *soundness = (struct soundness){0};
}

neap_range soundness_span(const struct neap_problem *problem, const neap_collision *collision) {
  if (collision->when.end > 0) return collision->when;
  neap_range a = problem_hull(problem, collision->first),
             b = problem_hull(problem, collision->second);
  return (neap_range){a.start < b.start ? a.start : b.start, a.end > b.end ? a.end : b.end};
}

const char *soundness_count(const struct soundness *soundness, char text[SOUNDNESS_COUNT]) {
  char number[NUMBER_TEXT];
  uint64_t total = soundness->collisions.total;
  text[0] = '\0';
  if (total > 0)
    snprintf(text, SOUNDNESS_COUNT, "%s collision%s", number_grouped(number, (int64_t)total),
             total == 1 ? "" : "s");
  return text;
}

/* Writes "a and b" with shortened names; returns the length, which may exceed `room`. */
static size_t name_pair(const struct neap_plan *plan, const neap_collision *collision,
                        char *text, size_t room) {
  char first[TEXT_EXCERPT], second[TEXT_EXCERPT];
  const char *a = problem_name(plan->problem, collision->first);
  const char *b = problem_name(plan->problem, collision->second);
  int size = snprintf(text, room, "%s and %s", text_excerpt(first, a, strlen(a)),
                      text_excerpt(second, b, strlen(b)));
  return size < 0 ? room : (size_t)size;
}

#define MORE 16 /* bytes for ", and 1,000 more" */
#define ROOM_LEAST 64

const char *soundness_text(const struct soundness *soundness, const struct neap_plan *plan,
                           char *text, size_t room) {
  const struct collisions *collisions = &soundness->collisions;
  char pair[2 * TEXT_EXCERPT + 8], number[NUMBER_TEXT];
  size_t used = 0, named = 0;
  assert(!soundness->sound && room >= ROOM_LEAST);
  if (collisions->total == 0) {
    snprintf(text, room, "%s", soundness->fault.text);
    return text;
  }
  for (text[0] = '\0'; named < collisions->count; named++) {
    size_t length = name_pair(plan, &collisions->items[named], pair, sizeof pair);
    size_t after = collisions->total - named > 1 ? MORE : 0;
    if (named > 0 && used + 2 + length + after >= room) break;
    snprintf(text + used, room - used, "%s%s", named > 0 ? ", " : "", pair);
    used = strlen(text);
  }
  if (named < collisions->total)
    snprintf(text + used, room - used, ", and %s more",
             number_grouped(number, (int64_t)(collisions->total - named)));
  return text;
}
