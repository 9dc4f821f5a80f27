/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions return NULL when memory is short; jansson's accept it from each other. */
#include "cli/sweep_json.h"

#include <stdio.h>

#include "cli/summary.h"
#include "cli/sweep_print.h"

/* ---------------------------------------------------------------- settings */

static json_t *value_json(const struct factor *factor, size_t value) {
  if (factor->kind == FACTOR_WHOLE) return json_integer((json_int_t)factor->numbers[value]);
  if (factor->kind == FACTOR_DECIMAL) return summary_real(factor->numbers[value]);
  return json_string(factor->texts[value]);
}

static json_t *setting_json(const struct design *design, size_t setting) {
  json_t *object = json_object();
  for (size_t i = 0; i < design->factor_count && object; i++) {
    const struct factor *factor = &design->factors[i];
    json_t *value = value_json(factor, design_value(design, setting, i));
    if (json_object_set_new(object, factor->name, value) == 0) continue;
    json_decref(object);
    object = NULL;
  }
  return object;
}

/* Adds a key; releases the object if that fails. */
static json_t *add_key(json_t *object, const char *key, json_t *value) {
  if (!object) {
    json_decref(value);
    return NULL;
  }
  if (json_object_set_new(object, key, value) == 0) return object;
  json_decref(object);
  return NULL;
}

/* Adds all keys of `other`, and releases it. */
static json_t *add_keys(json_t *object, json_t *other) {
  bool good = object && other && json_object_update(object, other) == 0;
  json_decref(other);
  if (good) return object;
  json_decref(object);
  return NULL;
}

/* ---------------------------------------------------------------- runs and statistics */

static json_t *run_json(const struct outcome *outcome) {
  const neap_report *report = &outcome->report;
  if (outcome->status != NEAP_OK)
    return json_pack("{sn ss}", "peak", "status", sweep_status(outcome));
  return json_pack("{sI so ss ss sI so sI}", "peak", (json_int_t)report->peak, "gap_percent",
                   summary_real(report->gap_percent), "status", sweep_status(outcome),
                   "stop_reason", neap_stop_reason_name(report->stop_reason), "rounds",
                   (json_int_t)report->rounds, "seconds", summary_real(report->seconds),
                   "ticks", (json_int_t)outcome->ticks);
}

static json_t *add_spread(json_t *object, const char *quantity, const struct spread *spread) {
  const struct {
    const char *name;
    double value;
  } parts[] = {{"median", spread->median},
               {"min", spread->min},
               {"q1", spread->q1},
               {"q3", spread->q3},
               {"max", spread->max}};
  char key[64];
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    snprintf(key, sizeof key, "%s_%s", quantity, parts[i].name);
    object = add_key(object, key, summary_real(parts[i].value));
  }
  return object;
}

static json_t *statistics_json(const struct sweep *sweep, size_t setting) {
  const struct statistics *statistics = &sweep->statistics[setting];
  json_t *object = json_pack("{sI sI}", "plans", (json_int_t)statistics->plans, "optimal",
                             (json_int_t)statistics->optimal);
  if (statistics->plans == 0) return object;
  object = add_spread(object, "peak", &statistics->peak);
  object = add_spread(object, "gap_percent", &statistics->gap_percent);
  object = add_spread(object, "seconds", &statistics->seconds);
  object = add_key(object, "rounds_median", summary_real(statistics->rounds));
  return add_key(object, "ticks_median", summary_real(statistics->ticks));
}

static json_t *seed_json(const struct sweep *sweep, size_t setting, size_t seed) {
  json_t *object = json_pack("{sI}", "seed", (json_int_t)sweep->design.seeds[seed]);
  return add_keys(object, run_json(&sweep_outcomes(sweep, setting)[seed]));
}

static json_t *runs_json(const struct sweep *sweep, size_t setting) {
  json_t *list = json_array();
  for (size_t i = 0; i < sweep->design.seed_count; i++)
    list = summary_append(list, seed_json(sweep, setting, i));
  return list;
}

/* ---------------------------------------------------------------- the whole */

/* With one seed, its keys are those of the run. */
static json_t *point_json(const struct sweep *sweep, size_t setting) {
  const struct design *design = &sweep->design;
  const struct factor *first = &design->factors[0];
  json_t *limit = value_json(first, design_value(design, setting, 0));
  json_t *point = json_pack("{so}", "limit", limit);
  if (design->seed_count == 1) {
    point = add_keys(point, run_json(sweep_outcomes(sweep, setting)));
    return add_key(point, "setting", setting_json(design, setting));
  }
  point = add_key(point, "setting", setting_json(design, setting));
  point = add_keys(point, statistics_json(sweep, setting));
  return add_key(point, "runs", runs_json(sweep, setting));
}

static json_t *points_json(const struct sweep *sweep) {
  json_t *list = json_array();
  for (size_t i = 0; i < sweep->done; i++)
    list = summary_append(list, point_json(sweep, i));
  return list;
}

static json_t *best_json(const struct sweep *sweep) {
  size_t best = statistics_best(sweep->statistics, sweep->done);
  if (best == sweep->done) return json_null();
  json_t *object = json_pack("{so}", "setting", setting_json(&sweep->design, best));
  return add_keys(object, statistics_json(sweep, best));
}

static json_t *options_json(const struct design *design) {
  json_t *list = json_array();
  for (size_t i = 0; i < design->factor_count; i++)
    list = summary_append(list, json_string(design->factors[i].name));
  return list;
}

static json_t *seeds_json(const struct design *design) {
  json_t *list = json_array();
  for (size_t i = 0; i < design->seed_count; i++)
    list = summary_append(list, json_integer((json_int_t)design->seeds[i]));
  return list;
}

int sweep_print_json(const struct sweep *sweep) {
  const struct design *design = &sweep->design;
  json_t *object = json_pack(
      "{so sI sI sI ss so so}", "input", summary_text(sweep->arguments->operand), "buffers",
      (json_int_t)neap_problem_count(sweep->problem), "bound", (json_int_t)sweep->bound.bytes,
      "lower_bound", (json_int_t)sweep->bound.lower_bound, "option", design->factors[0].name,
      "options", options_json(design), "seeds", seeds_json(design));
  object = add_key(object, "points", points_json(sweep));
  return summary_json(add_key(object, "best", best_json(sweep)));
}
