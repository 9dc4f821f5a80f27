/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/output/shared_arena.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "cli/output/json.h"
#include "cli/output/messages.h"
#include "cli/output/number_text.h"
#include "cli/output/runtime_arena.h"

static neap_size head_of(const neap_plan *plan) {
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  return report.peak;
}

static bool arena_of(const neap_plan *plan, neap_arena *arena) {
  *arena = (neap_arena)NEAP_INIT(neap_arena);
  return neap_problem_arena(neap_plan_problem(plan), head_of(plan), arena);
}

int shared_arena_find(const neap_plan *const *plans, size_t count, neap_arena *arena) {
  *arena = (neap_arena)NEAP_INIT(neap_arena);
  if (neap_plans_arena(plans, count, arena)) return 0;
  return message_usage("only models for --target tflm share an arena, all with the same "
                       "kernels and pointers");
}

bool shared_arena_is_partial(const neap_plan *const *plans, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (arena_facts_is_partial(neap_plan_problem(plans[i]))) return true;
  return false;
}

/* The bytes of the smallest arenas of all models together. */
static neap_size sum_apart(const neap_plan *const *plans, size_t count) {
  neap_size sum = 0;
  neap_arena own;
  for (size_t i = 0; i < count; i++)
    if (arena_of(plans[i], &own)) sum += own.smallest;
  return sum;
}

static void print_line(const char *label, const neap_arena *arena, bool is_least) {
  char bytes[FIGURE_SIZE];
  printf("%-8s %s%s: head %" PRId64 ", tail %" PRId64 " bytes", label,
         is_least ? "at least " : "", figure_bytes(bytes, arena->smallest), arena->head,
         arena->tail);
}

int shared_arena_print(const char *const *paths, const neap_plan *const *plans, size_t count) {
  neap_arena arena, own;
  char name[FIGURE_NAME_SIZE], bytes[FIGURE_SIZE];
  int code = shared_arena_find(plans, count, &arena);
  if (code != 0) return code;
  arena_facts_print_kernels(stdout, neap_plan_problem(plans[0]));
  for (size_t i = 0; i < count; i++) {
    arena_of(plans[i], &own);
    print_line("model", &own, shared_arena_is_partial(&plans[i], 1));
    printf("; %s\n", figure_name(name, paths[i]));
    arena_facts_print_refused(stdout, neap_plan_problem(plans[i]), "refused  ");
  }
  print_line("shared", &arena, shared_arena_is_partial(plans, count));
  printf("; %s less than apart\n",
         figure_bytes(bytes, sum_apart(plans, count) - arena.smallest));
  return 0;
}

json_t *shared_arena_object(const neap_plan *const *plans, size_t count,
                            const neap_arena *arena) {
  json_t *object = arena_facts_object(neap_plan_problem(plans[0]), arena);
  const bool is_partial = shared_arena_is_partial(plans, count);
  if (object) json_object_set_new(object, "is_lower_bound", json_boolean(is_partial));
  return object;
}

int shared_arena_print_json(const char *const *paths, const neap_plan *const *plans,
                            size_t count) {
  json_t *list = json_array();
  neap_arena arena, own;
  int code = shared_arena_find(plans, count, &arena);
  for (size_t i = 0; i < count && list && code == 0; i++) {
    arena_of(plans[i], &own);
    list =
        object_append(list, json_pack("{so so}", "input", object_text(paths[i]), "arena",
                                      arena_facts_object(neap_plan_problem(plans[i]), &own)));
  }
  if (code != 0) {
    json_decref(list);
    return code;
  }
  json_t *shared = shared_arena_object(plans, count, &arena);
  return object_print(json_pack("{so so sI}", "models", list, "arena", shared, "apart",
                                (json_int_t)sum_apart(plans, count)));
}
