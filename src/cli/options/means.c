/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options/means.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "cli/options/options.h"
#include "neap-tool.h"

static const struct means table[] = {
    {.key = "total", .label = "no reuse"},
    {.key = "given_order",
     .label = "reuse in the given order",
     .step = "as it is, with the best layout",
     .fit_step = NEAP_FIT_LAYOUT},
    {.key = "best_order",
     .option = "--schedule",
     .value = "optimal",
     .step = "in another order of the operators",
     .fit_step = NEAP_FIT_ORDER,
     .is_in_models = true},
    {.key = "in_place", .option = "--in-place", .needs_kernels = true},
    {.key = "overlap",
     .option = "--overlap",
     .kernels = NEAP_KERNELS_REFERENCE,
     .step = "with outputs over inputs",
     .fit_step = NEAP_FIT_OVERLAP,
     .assumed = "no outputs over inputs",
     .is_asked_for = true,
     .inputs = MEANS_TFLITE,
     .needs_kernels = true,
     .is_in_models = true},
    {.key = "overlap",
     .option = "--overlap",
     .kernels = NEAP_KERNELS_ELEMENTWISE,
     .assumed = "no outputs over inputs",
     .is_asked_for = true,
     .inputs = MEANS_OTHER,
     .needs_kernels = true,
     .is_in_models = true},
    {.key = "aliases",
     .option = "--alias",
     .value = "views,concat,split",
     .needs_kernels = true},
    {.option = "--kernels", .value = "cmsis-nn", .is_asked_for = true, .inputs = MEANS_TFLITE},
    {.step = "with head and tail in two memories", .fit_step = NEAP_FIT_POOLS},
    {.key = "bands",
     .option = "--split",
     .value = "--goal peak",
     .step = "in bands of rows or groups of channels",
     .fit_step = NEAP_FIT_BANDS,
     .adds_work = true},
    {.key = "bands_given_order",
     .option = "--schedule keep --split",
     .value = "--goal peak",
     .adds_work = true,
     .keeps_order = true},
    {.option = "--max-work",
     .value = "4",
     .assumed = "at most twice the work",
     .is_asked_for = true,
     .adds_work = true},
};

enum { COUNT = sizeof table / sizeof *table };

const struct means *means_at(size_t index) { return index < COUNT ? &table[index] : NULL; }

bool means_suits(const struct means *means, const neap_problem *problem) {
  neap_arena arena = NEAP_INIT(neap_arena);
  if (means->inputs == MEANS_ANY) return true;
  return neap_problem_arena(problem, 0, &arena) == (means->inputs == MEANS_TFLITE);
}

const char *means_step(neap_fit_means step) {
  size_t i = 0;
  while (!table[i].step || table[i].fit_step != step) {
    i++;
    assert(i < COUNT);
  }
  return table[i].step;
}

/* ---------------------------------------------------------------- texts */

void means_append(char options[MEANS_TEXT], const char *option) {
  size_t used = strlen(options);
  snprintf(options + used, MEANS_TEXT - used, "%s%s", used > 0 ? " " : "", option);
}

/*
 * Whether the kernels of a means have to be named: the command line does not name others, and the
 * target of the problem implies none.
 */
static bool names_kernels(const struct means *means, const neap_problem *problem,
                          const struct arguments *arguments) {
  neap_arena arena = NEAP_INIT(neap_arena);
  return means->kernels != NEAP_KERNELS_DEFAULT &&
         arguments->reading.graph.kernels == NEAP_KERNELS_DEFAULT &&
         !neap_problem_arena(problem, 0, &arena);
}

static bool set_option(const struct means *means, struct arguments *arguments) {
  struct option_list options;
  options_list(arguments->command, &options);
  const struct option_view *view = option_find(&options, means->option + strlen("--"));
  return view && !option_is_set(view, arguments) &&
         option_set(view, means->value, arguments) == 0;
}

bool means_add(const struct means *means, const neap_problem *problem,
               struct arguments *arguments, char options[MEANS_TEXT]) {
  neap_kernels_info kernels = NEAP_INIT(neap_kernels_info);
  const bool has_name = names_kernels(means, problem, arguments) &&
                        neap_kernels_at((size_t)means->kernels - 1, &kernels);
  if (!means->option || !set_option(means, arguments)) return false;
  if (has_name) {
    arguments->reading.graph.kernels = means->kernels;
    means_append(options, "--kernels");
    means_append(options, kernels.name);
  }
  means_append(options, means->option);
  if (means->value) means_append(options, means->value);
  return true;
}
