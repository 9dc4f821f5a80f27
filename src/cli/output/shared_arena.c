/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/output/shared_arena.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/output/arena_facts.h"
#include "cli/output/figures.h"
#include "cli/output/messages.h"
#include "cli/output/object.h"

static neap_size head_of(const neap_plan *plan) {
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  return report.peak;
}

static bool arena_of(const struct shared_model *model, neap_arena *arena) {
  *arena = (neap_arena)NEAP_INIT(neap_arena);
  return neap_problem_arena(neap_plan_problem(model->plan), head_of(model->plan), arena);
}

/* Finds the arena of all; returns 0 or an exit code. */
static int share(const struct shared_model *models, size_t count, neap_arena *arena) {
  const neap_problem **problems = malloc(count * sizeof *problems);
  neap_size *heads = malloc(count * sizeof *heads);
  *arena = (neap_arena)NEAP_INIT(neap_arena);
  int code = problems && heads ? 0 : message_memory();
  for (size_t i = 0; i < count && code == 0; i++) {
    problems[i] = neap_plan_problem(models[i].plan);
    heads[i] = head_of(models[i].plan);
  }
  if (code == 0 && !neap_problems_arena(problems, heads, count, arena))
    code = message_usage("only models for --target tflm share an arena, all with the same "
                         "kernels and pointers");
  free(problems);
  free(heads);
  return code;
}

/* The bytes of the smallest arenas of all models together. */
static neap_size sum_apart(const struct shared_model *models, size_t count) {
  neap_size sum = 0;
  neap_arena own;
  for (size_t i = 0; i < count; i++)
    if (arena_of(&models[i], &own)) sum += own.smallest;
  return sum;
}

static bool is_partial(const struct shared_model *models, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (arena_facts_is_partial(neap_plan_problem(models[i].plan))) return true;
  return false;
}

static void print_line(const char *label, const neap_arena *arena, bool is_least) {
  char bytes[FIGURE_SIZE];
  printf("%-8s %s%s: head %" PRId64 ", tail %" PRId64 " bytes", label,
         is_least ? "at least " : "", figure_bytes(bytes, arena->smallest), arena->head,
         arena->tail);
}

int shared_arena_print(const struct shared_model *models, size_t count) {
  neap_arena arena, own;
  char name[FIGURE_NAME_SIZE], bytes[FIGURE_SIZE];
  int code = share(models, count, &arena);
  if (code != 0) return code;
  arena_facts_print_kernels(stdout, neap_plan_problem(models[0].plan));
  for (size_t i = 0; i < count; i++) {
    arena_of(&models[i], &own);
    print_line("model", &own, is_partial(&models[i], 1));
    printf("; %s\n", figure_name(name, models[i].path));
    arena_facts_print_refused(stdout, neap_plan_problem(models[i].plan), "refused  ");
  }
  print_line("shared", &arena, is_partial(models, count));
  printf("; %s less than apart\n",
         figure_bytes(bytes, sum_apart(models, count) - arena.smallest));
  return 0;
}

json_t *shared_arena_object(const neap_problem *first, const neap_arena *arena,
                            bool is_partial) {
  json_t *object = arena_facts_object(first, arena);
  if (object) json_object_set_new(object, "is_lower_bound", json_boolean(is_partial));
  return object;
}

int shared_arena_print_json(const struct shared_model *models, size_t count) {
  json_t *list = json_array();
  neap_arena arena, own;
  int code = share(models, count, &arena);
  for (size_t i = 0; i < count && list && code == 0; i++) {
    arena_of(&models[i], &own);
    list = object_append(
        list, json_pack("{so so}", "input", object_text(models[i].path), "arena",
                        arena_facts_object(neap_plan_problem(models[i].plan), &own)));
  }
  if (code != 0) {
    json_decref(list);
    return code;
  }
  json_t *shared =
      shared_arena_object(neap_plan_problem(models[0].plan), &arena, is_partial(models, count));
  return object_print(json_pack("{so so sI}", "models", list, "arena", shared, "apart",
                                (json_int_t)sum_apart(models, count)));
}
