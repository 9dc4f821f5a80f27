/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options/choices.h"

#include <stdio.h>
#include <string.h>

#include "neap/planner.h"

static bool set_choice(struct topic_entry *choice, const char *term, const char *text) {
  if (!term) return false;
  *choice = (struct topic_entry){.text = text};
  snprintf(choice->term, sizeof choice->term, "%s", term);
  return true;
}

static bool format_at(const struct option_view *view, size_t index,
                      struct topic_entry *choice) {
  neap_format_info info = NEAP_INIT(neap_format_info);
  for (size_t i = 0; neap_format_at(i, &info); i++)
    if (option_takes_format(view->row, &info) && index-- == 0)
      return set_choice(choice, info.name, info.summary);
  return false;
}

/* An order begins with metrics: the first list under that topic. */
static bool metric_at(size_t index, struct topic_entry *choice) {
  const struct topic *topic = topic_of_option("order");
  for (size_t i = 0; i <= index; i++)
    if (!topic->entry(i, choice) || (i > 0 && choice->heading)) return false;
  return true;
}

static bool planning_at(const char *name, size_t index, struct topic_entry *choice) {
  neap_option_info info = option_planning(name);
  if (info.kind == NEAP_OPTION_ORDER) return metric_at(index, choice);
  return index < info.choice_count &&
         set_choice(choice, info.choices[index], info.summaries[index]);
}

static const char *const schedules[] = {[NEAP_SCHEDULE_KEEP] = "keep",
                                        [NEAP_SCHEDULE_DEPTH_FIRST] = "depth-first",
                                        [NEAP_SCHEDULE_MIN_PEAK] = "min-peak",
                                        [NEAP_SCHEDULE_OPTIMAL] = "optimal"};

static const char *const variables[] = {[NEAP_VARIABLES_PLAN - 1] = "plan",
                                        [NEAP_VARIABLES_RUNTIME - 1] = "runtime"};

#define NAME_AT(names, index) \
  ((index) < sizeof(names) / sizeof *(names) ? (names)[index] : NULL)

bool choice_at(const struct option_view *view, size_t index, struct topic_entry *choice) {
  neap_engine_info engine = NEAP_INIT(neap_engine_info);
  neap_colouring_info colouring = NEAP_INIT(neap_colouring_info);
  neap_target_info target = NEAP_INIT(neap_target_info);
  neap_kernels_info kernels = NEAP_INIT(neap_kernels_info);
  if (!view->row) return planning_at(view->name, index, choice);
  switch (view->row->kind) {
  case OPTION_FORMAT:
  case OPTION_PLAN_FORMAT:
  case OPTION_PROBLEM_FORMAT:
    return format_at(view, index, choice);
  case OPTION_LIST:
    return planning_at(view->name, index, choice);
  case OPTION_ENGINES:
    return neap_engine_at(index, &engine) && set_choice(choice, engine.name, engine.summary);
  case OPTION_SCHEDULE:
    return set_choice(choice, NAME_AT(schedules, index), NULL);
  case OPTION_TARGET:
    return neap_target_at(index, &target) && set_choice(choice, target.name, target.summary);
  case OPTION_VARIABLES:
    return set_choice(choice, NAME_AT(variables, index), NULL);
  case OPTION_KERNELS:
    return neap_kernels_at(index, &kernels) &&
           set_choice(choice, kernels.name, kernels.summary);
  case OPTION_WORD:
    return set_choice(choice, view->row->name_at(index), NULL);
  case OPTION_COLOURING:
    return neap_colouring_at(index, &colouring) &&
           set_choice(choice, colouring.name, colouring.summary);
  default:
    return false;
  }
}

bool choices_are_list(const struct option_view *view) {
  if (view->row) return view->row->kind == OPTION_ENGINES || view->row->kind == OPTION_LIST;
  neap_option_kind kind = option_planning(view->name).kind;
  return kind == NEAP_OPTION_ORDER || kind == NEAP_OPTION_LIST;
}
