/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine `tune`: each step is one round of the iterative tuner. */
#include "engine/engine.h"
#include "tune/tuner.h"

static neap_status tune_start(const struct task *task, void **state, neap_error *error) {
  const struct neap_options *options = task->options;
  const struct rearranger *rearranger = rearranger_at((size_t)options->value[OPTION_REARRANGE]);
  struct tuner_settings settings = {
      .order = options->order,
      .tries_presets = rearranger->repacks && !options->order_given,
      .incumbent = rearranger->repacks ? task->incumbent : NULL,
      .rule = place_rule_at((size_t)options->value[OPTION_PLACE]),
      .rearranger = rearranger,
      .grouping = {(size_t)options->value[OPTION_GROUP_SIZE],
                   options->value[OPTION_GROUP_OVERLAP]},
      .max_rounds = (uint64_t)options->value[OPTION_MAX_ROUNDS],
      .max_group_rounds = (uint64_t)options->value[OPTION_MAX_GROUP_ROUNDS],
      .disabled = (uint64_t)options->value[OPTION_DISABLE],
      .seed = (uint64_t)options->value[OPTION_SEED],
      .bound = task->bound.lower_bound,
      .keeps_moves = options->value[OPTION_KEEP_LAYOUTS] != 0,
  };
  if (!task->incumbent) task_limit_work(task);
  struct tuner *tuner = NULL;
  neap_status status = tuner_new(&tuner, task->problem, &settings, task->budget, error);
  *state = tuner;
  return status;
}

static neap_status tune_step(void *state, struct step *step, neap_error *error) {
  return tuner_step(state, &step->round, &step->has_round, &step->stop, &step->reason, error);
}

static const neap_offset *tune_best(const void *state) { return tuner_best(state); }

static neap_size tune_lower_bound(const void *state) { return tuner_lower_bound(state); }

static void tune_free(void *state) { tuner_free(state); }

static const neap_offset *tune_layout(const void *state) { return tuner_layout(state); }

static void tune_adopt(void *state, const neap_offset *offsets) { tuner_adopt(state, offsets); }

const struct engine engine_tune = {
    .info = {.name = "tune",
             .summary =
                 "sort and place, then repack groups of buffers by exact search and reorder "
                 "those at risk, round by round"},
    .start = tune_start,
    .step = tune_step,
    .best = tune_best,
    .lower_bound = tune_lower_bound,
    .free = tune_free,
    .layout = tune_layout,
    .adopt = tune_adopt,
};
