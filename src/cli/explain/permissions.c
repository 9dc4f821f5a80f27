/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/explain/permissions.h"

#include <math.h>
#include <stdio.h>

#include "cli/input/splits.h"
#include "cli/output/messages.h"
#include "cli/run.h"

#define SECONDS_EACH 2
#define SECONDS_ALL 6
#define WORK_FACTOR 4 /* instead of the usual 2 */

/* A way to allow more. */
struct row {
  const char *options;
  bool is_onnx, is_tflite;
  bool overlap;
  neap_kernels kernels;
  bool has_work;
};

static const struct row rows[] = {
    {"--overlap", false, true, true, NEAP_KERNELS_DEFAULT, false},
    {"--kernels elementwise --overlap", true, false, true, NEAP_KERNELS_ELEMENTWISE, false},
    {"--kernels cmsis-nn", false, true, false, NEAP_KERNELS_CMSIS_NN, false},
    {"--max-macs 4", true, true, false, NEAP_KERNELS_DEFAULT, true},
    {"--overlap --max-macs 4", false, true, true, NEAP_KERNELS_DEFAULT, true},
    {"--kernels elementwise --overlap --max-macs 4", true, false, true,
     NEAP_KERNELS_ELEMENTWISE, true},
};

/* Whether a row only adds to the command line. */
static bool is_new(const struct row *row, const struct arguments *arguments) {
  const neap_reading *reading = &arguments->reading;
  if (row->overlap && reading->liveness.overlap) return false;
  if (row->kernels != NEAP_KERNELS_DEFAULT && reading->kernels != NEAP_KERNELS_DEFAULT)
    return false;
  return !row->has_work || arguments->max_macs == 0;
}

/* The bytes by which the best step of a fit exceeds its memories. */
static neap_size missing_of(const neap_fit *fit, const neap_model_limits *limits) {
  const neap_size capacities[] = {limits->capacity, limits->second_capacity};
  const neap_fit_step step = splits_best(fit);
  neap_size missing = 0;
  for (size_t i = 0; i < 2; i++)
    if (step.needs[i] > capacities[i]) missing += step.needs[i] - capacities[i];
  return missing;
}

/* Fits with a row; false if the model cannot be read so. */
static bool try_row(const struct row *row, const struct arguments *arguments,
                    const neap_model_limits *limits, double until,
                    struct permission *permission) {
  neap_reading reading = arguments->reading;
  neap_model_limits more = *limits;
  neap_fit_report report = NEAP_INIT(neap_fit_report);
  neap_fit *fit;
  neap_error error;
  reading.warn = NULL;
  reading.liveness.overlap |= row->overlap;
  if (row->kernels != NEAP_KERNELS_DEFAULT) reading.kernels = row->kernels;
  if (row->has_work) more.most_millionths = WORK_FACTOR * INT64_C(1000000);
  more.keep_on = splits_is_early;
  more.user = &until;
  if (splits_fit(arguments->operand, &reading, &more, &fit, &error) != NEAP_OK) return false;
  neap_fit_get_report(fit, &report);
  *permission = (struct permission){row->options, report.fits, missing_of(fit, &more)};
  neap_fit_free(fit);
  return !report.is_refused;
}

/* A row of two options has to be better than each of them. */
static neap_size least_for(const struct row *row, neap_size missing, neap_size least) {
  return row->overlap && row->has_work ? least : missing;
}

static void show_row(const struct row *row, double *shown) {
  char text[128];
  if (!run_wants_status(run_seconds(), shown)) return;
  snprintf(text, sizeof text, "fit: with %s", row->options);
  message_status(text);
}

size_t permissions_find(const struct arguments *arguments, const neap_model_limits *limits,
                        const neap_fit *fit, double until,
                        struct permission found[PERMISSIONS_MOST]) {
  neap_arena arena = NEAP_INIT(neap_arena);
  const bool has_arena = neap_problem_arena(neap_plan_problem(neap_fit_plan(fit)), 0, &arena);
  const neap_size missing = missing_of(fit, limits);
  const double end = fmin(run_seconds() + SECONDS_ALL, until);
  size_t count = 0;
  double shown = 0;
  neap_size least = missing;
  for (size_t i = 0; i < sizeof rows / sizeof *rows && count < PERMISSIONS_MOST; i++) {
    if (least == 0 && rows[i].overlap && rows[i].has_work) continue; /* a part of it suffices */
    if (!(has_arena ? rows[i].is_tflite : rows[i].is_onnx) || !is_new(&rows[i], arguments))
      continue;
    if (run_interrupted() || run_seconds() >= end) break;
    show_row(&rows[i], &shown);
    if (try_row(&rows[i], arguments, limits, fmin(run_seconds() + SECONDS_EACH, end),
                &found[count]) &&
        found[count].missing < least_for(&rows[i], missing, least)) {
      least = found[count].missing < least ? found[count].missing : least;
      count++;
    }
  }
  message_status("");
  return run_interrupted() ? 0 : count;
}
