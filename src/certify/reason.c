/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reasons are tried from the shortest to the longest.  Searches of the whole problem and of weaker
 * ones take turns, each time with more states, because none of them is always the shorter.  Clauses about
 * pairs come after the first turn.
 */
#include "certify/reason.h"

#include "certify/column.h"
#include "certify/layout.h"
#include "certify/load.h"
#include "certify/pairs.h"
#include "certify/weaker.h"

#define FIRST_STATES 4000
#define GROWTH 5

neap_status reason_find_load(struct certify_task *task, neap_error *error) {
  neap_time moment;
  task->kind = NEAP_CERTIFICATE_LOAD;
  neap_status status = load_find(task->problem, task->target, &moment, &task->least, error);
  if (status != NEAP_OK || task->least == 0) return status;
  lines_word(task->proof, "load");
  lines_number(task->proof, moment);
  for (size_t i = 0; i < task->problem->count; i++)
    if (load_has(task->problem, i, moment)) lines_number(task->proof, certify_number(task, i));
  lines_end(task->proof);
  return NEAP_OK;
}

static bool goes_on(const struct certify_task *task) {
  return task->least == 0 && task->budget->end == BUDGET_LEFT;
}

static neap_status try_layouts(struct certify_task *task, const struct items *items,
                               neap_error *error) {
  struct weaker weaker;
  bool is_whole_open = true;
  uint64_t states = FIRST_STATES;
  neap_status status = weaker_init(&weaker, task->problem, error);
  task->kind = NEAP_CERTIFICATE_LAYOUT;
  while (status == NEAP_OK && goes_on(task)) {
    if (states > task->max_states) states = task->max_states;
    if (is_whole_open) status = layout_prove(task, items, states, error);
    if (task->has_layout) is_whole_open = false; /* weaker problems have layouts, too */
    if (status == NEAP_OK && is_whole_open && goes_on(task))
      status = weaker_prove(&weaker, task, states, error);
    if (status == NEAP_OK && states == FIRST_STATES && goes_on(task))
      status = pairs_prove(task, error);
    if (states == task->max_states || !is_whole_open) break;
    states *= GROWTH;
  }
  weaker_clear(&weaker);
  return status;
}

neap_status reason_find(struct certify_task *task, neap_error *error) {
  struct items items = {0};
  neap_size target = task->target;
  task->least = 0;
  if (target == 0) return NEAP_OK; /* no peak is below 0 */
  neap_status status = target < CERTIFY_NEVER ? reason_find_load(task, error) : NEAP_OK;
  task->is_large = !items_suit(task->problem);
  if (status != NEAP_OK || task->least > 0 || task->is_large) return status;
  if (target >= ITEMS_NOWHERE) {
    if (task->plan) return NEAP_OK;
    task->target = ITEMS_NOWHERE;
  }
  task->kind = NEAP_CERTIFICATE_COLUMN;
  status = items_init(&items, task->problem, error);
  if (status == NEAP_OK) status = column_prove(task, &items, error);
  if (status == NEAP_OK && task->least == 0) status = try_layouts(task, &items, error);
  items_clear(&items);
  task->target = target;
  if (task->least >= ITEMS_NOWHERE) task->least = CERTIFY_NEVER;
  return status;
}
