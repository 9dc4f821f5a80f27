/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/near.h"

#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "cli/problems.h"
#include "neap/relations.h"

/* Gives each buffer the offset that the plan has for its name; counts those that it has. */
static int set_offsets(const neap_plan *plan, neap_problem *problem, size_t *known) {
  const neap_problem *before = neap_plan_problem(plan);
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  neap_error error;
  *known = 0;
  for (size_t i = 0; neap_problem_buffer_at(before, i, &buffer); i++) {
    size_t index;
    if (!neap_problem_find(problem, buffer.name, &index)) continue;
    ++*known;
    if (neap_problem_set_near(problem, index, neap_plan_offset(plan, i), -1, &error) != NEAP_OK)
      return message_error(&error);
  }
  return 0;
}

/* "weights=0": sets what it costs to move one buffer. */
static int set_cost(const neap_plan *plan, const char *text, neap_problem *problem) {
  const char *equals = strrchr(text, '=');
  neap_size cost;
  neap_error error;
  size_t index, earlier;
  if (!equals || equals == text || !neap_size_read(equals + 1, &cost))
    return message_usage("--move-cost: expected NAME=COST, such as weights=4096, found '%.40s'",
                         text);
  char *name = strndup(text, (size_t)(equals - text));
  if (!name) return message_memory();
  bool found = neap_problem_find(problem, name, &index) &&
               neap_problem_find(neap_plan_problem(plan), name, &earlier);
  int code = found ? 0
                   : message_usage("--move-cost: no buffer '%.40s' is in both INPUT and the "
                                   "earlier plan",
                                   name);
  if (found && neap_problem_set_near(problem, index, neap_plan_offset(plan, earlier), cost,
                                     &error) != NEAP_OK)
    code = message_error(&error);
  free(name);
  return code;
}

/* Puts moves right before the peak, unless they come earlier; the other terms keep their order. */
static int put_moves_first(neap_problem *problem) {
  neap_term order[NEAP_TERM_COUNT], sorted[NEAP_TERM_COUNT];
  neap_error error;
  size_t count = 0;
  bool is_listed = false;
  neap_problem_objective(problem, order);
  for (size_t i = 0; i < NEAP_TERM_COUNT; i++) {
    bool is_move = order[i] == NEAP_TERM_MOVED;
    if (order[i] == NEAP_TERM_PEAK && !is_listed) sorted[count++] = NEAP_TERM_MOVED;
    is_listed |= is_move || order[i] == NEAP_TERM_PEAK;
    if (!is_move || count == i) sorted[count++] = order[i];
  }
  if (neap_problem_set_objective(problem, sorted, &error) == NEAP_OK) return 0;
  return message_error(&error);
}

int near_apply(const struct arguments *arguments, neap_problem *problem) {
  neap_plan *plan = NULL;
  size_t known = 0;
  if (!arguments->near) return 0;
  int code = problems_read_plan(arguments, arguments->near, &plan);
  if (code == 0) code = set_offsets(plan, problem, &known);
  if (code == 0 && known == 0)
    message_warning("--near: %s has no buffer of the same name as one in %s", arguments->near,
                    arguments->operand);
  for (size_t i = 0; code == 0 && i < arguments->move_costs.count; i++)
    code = set_cost(plan, arguments->move_costs.items[i], problem);
  if (code == 0 && arguments->keep_peak) code = put_moves_first(problem);
  neap_plan_free(plan);
  return code;
}
