/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/commands/commands.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/input/bands.h"
#include "cli/input/files.h"
#include "cli/output/json.h"
#include "cli/output/messages.h"
#include "cli/output/number_text.h"
#include "cli/output/results.h"
#include "cli/output/runtime_arena.h"
#include "cli/output/shared_arena.h"
#include "cli/run.h"
#include "neap-tool.h"

/* Stands for the name of a model, without its ending, in the name of a file to write. */
#define NAME '%'

struct group {
  const struct arguments *arguments;
  size_t count;
  neap_model **models;
  neap_fit **fits;
  const neap_plan **plans; /* of the fits */
  char **paths;     /* of the new files; NULL: none is written */
  neap_arena arena; /* that all models share */
};

/* ---------------------------------------------------------------- fitting */

static bool is_refused(const struct group *group) {
  neap_fit_report report = NEAP_INIT(neap_fit_report);
  for (size_t i = 0; i < group->count; i++) {
    neap_fit_get_report(group->fits[i], &report);
    if (report.is_refused) return true;
  }
  return false;
}

static neap_size missing_of(const struct group *group) {
  return group->arena.smallest - group->arguments->capacity;
}

static bool does_fit(const struct group *group) {
  return missing_of(group) <= 0 && !is_refused(group) &&
         !shared_arena_is_partial(group->plans, group->count);
}

static int open_all(struct group *group) {
  neap_error error;
  for (size_t i = 0; i < group->count; i++)
    if (neap_model_open(group->arguments->operands[i], &group->arguments->reading,
                        &group->models[i], &error) != NEAP_OK)
      return message_error(&error);
  return 0;
}

static int fit_all(struct group *group) {
  const struct arguments *arguments = group->arguments;
  neap_error error;
  struct splits_clock clock;
  const neap_model_limits limits = splits_how(arguments, arguments->capacity, &clock);
  run_catch_signals();
  neap_status status = neap_models_fit((const neap_model *const *)group->models, group->count,
                                       &limits, group->fits, &error);
  message_status("");
  if (status != NEAP_OK) return message_error(&error);
  if (run_interrupted()) message_warning("interrupted: this is the best so far");
  for (size_t i = 0; i < group->count; i++)
    group->plans[i] = neap_fit_plan(group->fits[i]);
  return shared_arena_find(group->plans, group->count, &group->arena);
}

/* ---------------------------------------------------------------- results */

/* The name of the new file of a model, to be released with free(). */
static char *output_of(const char *pattern, const char *model) {
  const char *base = files_last_part(model), *ending = strrchr(base, '.'),
             *place = strchr(pattern, NAME);
  const size_t length = ending ? (size_t)(ending - base) : strlen(base);
  char *path = malloc(strlen(pattern) + length + 1);
  if (path)
    sprintf(path, "%.*s%.*s%s", (int)(place - pattern), pattern, (int)length, base, place + 1);
  return path;
}

/* Names the new files, which differ from each other and from all models. */
static int name_outputs(struct group *group) {
  const struct arguments *arguments = group->arguments;
  int code = 0;
  if (!arguments->tflite) return 0;
  group->paths = calloc(group->count, sizeof *group->paths);
  if (!group->paths) return message_memory();
  for (size_t i = 0; i < group->count; i++) {
    group->paths[i] = output_of(arguments->tflite, arguments->operands[i]);
    if (!group->paths[i]) return message_memory();
  }
  for (size_t i = 0; i < group->count && code == 0; i++)
    code = files_check(arguments->operands[i], (const char *const *)group->paths, group->count);
  return code;
}

static void print_summary(const struct group *group) {
  char bytes[FIGURE_SIZE], name[FIGURE_NAME_SIZE];
  const neap_size missing = missing_of(group);
  const char *least = shared_arena_is_partial(group->plans, group->count) ? "at least " : "";
  printf("arena    %s\n", figure_bytes(bytes, group->arguments->capacity));
  arena_facts_print_kernels(stdout, neap_plan_problem(group->plans[0]));
  for (size_t i = 0; i < group->count; i++) {
    const neap_fit_step step = splits_best(group->fits[i]);
    printf("model    %s: head %" PRId64 ", tail %" PRId64 " bytes; %s, by %s\n",
           figure_bytes(bytes, step.need.arena), step.need.peak, step.need.tail,
           figure_name(name, group->arguments->operands[i]), neap_fit_means_name(step.means));
    arena_facts_print_refused(stdout, neap_plan_problem(group->plans[i]), "refused  ");
  }
  printf("shared   %s%s: head %" PRId64 ", tail %" PRId64 " bytes\n", least,
         figure_bytes(bytes, group->arena.smallest), group->arena.head, group->arena.tail);
  printf("%-8s %s%s\n",
         missing > 0       ? "missing"
         : does_fit(group) ? "fits"
                           : "unknown",
         figure_bytes(bytes, missing > 0 ? missing : -missing), missing > 0 ? "" : " to spare");
}

static int print_json(const struct group *group) {
  json_t *list = json_array();
  for (size_t i = 0; i < group->count && list; i++) {
    const neap_fit_step step = splits_best(group->fits[i]);
    list = object_append(
        list,
        json_pack("{so ss sI sI sI}", "input", object_text(group->arguments->operands[i]),
                  "means", neap_fit_means_name(step.means), "peak", (json_int_t)step.need.peak,
                  "tail", (json_int_t)step.need.tail, "arena", (json_int_t)step.need.arena));
  }
  return object_print(
      json_pack("{sI sb so so}", "capacity", (json_int_t)group->arguments->capacity, "fits",
                (int)does_fit(group), "models", list, "arena",
                shared_arena_object(group->plans, group->count, &group->arena)));
}

static int conclude(const struct group *group) {
  neap_error error = {.status = is_refused(group) ? NEAP_INFEASIBLE : NEAP_NO_PLAN};
  if (does_fit(group)) return 0;
  snprintf(error.text, sizeof error.text, "%s",
           is_refused(group)        ? "the runtime refuses an operator of these models"
           : missing_of(group) <= 0 ? "unknown whether it fits: the models have operators of "
                                      "unknown kernels"
                                    : "no layouts, orders and bands were found with which the "
                                      "models fit together");
  return message_error(&error);
}

static int write_all(const struct group *group) {
  neap_error error;
  int code = 0;
  for (size_t i = 0; i < group->count && code == 0; i++)
    if (group->paths && does_fit(group))
      code = message_written(group->paths[i],
                             neap_fit_write(group->fits[i], group->paths[i], &error), &error);
  if (code != 0) return code;
  if (group->arguments->json) return print_json(group);
  if (!group->arguments->quiet) print_summary(group);
  return 0;
}

/* ---------------------------------------------------------------- the whole */

static int check(const struct arguments *arguments) {
  if (arguments->pools.count > 0 || arguments->capacity < 0)
    return message_usage("fit: several models share one arena, so it needs --arena BYTES");
  if (arguments->html || arguments->header)
    return message_usage("fit: --html and --header are for one model");
  if (arguments->tflite && !strchr(arguments->tflite, NAME))
    return message_usage("--output: for several models, use a name with %%, which stands for "
                         "that of each, such as fits/%%.tflite");
  for (size_t i = 0; i < arguments->operand_count; i++)
    if (files_is_standard(arguments->operands[i]))
      return message_usage("fit copies models, so each must be a file, not '-'");
  int code = splits_check(arguments, "fit");
  return code == 0 ? results_check_json(arguments) : code;
}

int fit_shared_run(const struct arguments *arguments) {
  struct group group = {.arguments = arguments, .count = arguments->operand_count};
  int code = check(arguments);
  if (code != 0) return code;
  group.models = calloc(group.count, sizeof *group.models);
  group.fits = calloc(group.count, sizeof *group.fits);
  group.plans = calloc(group.count, sizeof *group.plans);
  code = group.models && group.fits && group.plans ? name_outputs(&group) : message_memory();
  if (code == 0) code = open_all(&group);
  if (code == 0) code = fit_all(&group);
  if (code == 0) code = write_all(&group);
  if (code == 0) code = conclude(&group);
  for (size_t i = 0; i < group.count; i++) {
    if (group.fits) neap_fit_free(group.fits[i]);
    if (group.models && group.models[i]) neap_model_free(group.models[i]);
    if (group.paths) free(group.paths[i]);
  }
  free(group.paths);
  free(group.fits);
  free(group.plans);
  free(group.models);
  return code;
}
