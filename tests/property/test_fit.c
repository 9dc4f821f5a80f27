/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * neap_model_fit is never worse than what it is made of: on random networks with branches, it fits
 * each arena that a plan, another order, overlaps, bands, or several of these reach.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/checked.h"
#include "neap/models.h"
#include "tests/hosts/tflm/draft.h"
#include "tests/support/files.h"

#define TENSORS_MAX 24

static struct draft draft;

/* ---------------------------------------------------------------- networks */

static struct tensor {
  unsigned height, channels;
  bool is_read;
} tensors[TENSORS_MAX];
static unsigned count;

static void make(unsigned height, unsigned channels) {
  draft_tensor(&draft, "tensor t%u float32[1,%u,4,%u]\n", count, height, channels);
  tensors[count++] = (struct tensor){height, channels, false};
}

static unsigned read_some(void) {
  const unsigned recent = count > 3 && draft_roll(&draft, 3) > 0 ? count - 3 : 0;
  const unsigned x = recent + draft_roll(&draft, count - recent);
  tensors[x].is_read = true;
  return x;
}

static void add_convolution(void) {
  const unsigned x = read_some(), taps = 1 + draft_roll(&draft, 3),
                 stride = 1 + (draft_roll(&draft, 3) == 0),
                 channels = 1 + draft_roll(&draft, 40);
  draft_tensor(&draft, "constant w%u float32[%u,%u,%u,%u]\nconstant b%u float32[%u]\n", count,
               channels, taps, taps, tensors[x].channels, count, channels);
  draft_operator(&draft, "CONV_2D t%u w%u b%u -> t%u : 0 1 %u 0 1 1\n", x, count, count, count,
                 stride);
  make((tensors[x].height + stride - 1) / stride, channels);
}

static void add_sum(void) {
  const unsigned x = read_some();
  unsigned y = draft_roll(&draft, count);
  while (tensors[y].height != tensors[x].height || tensors[y].channels != tensors[x].channels)
    y = (y + 1) % count;
  tensors[y].is_read = true;
  draft_operator(&draft, "ADD t%u t%u -> t%u\n", x, y, count);
  make(tensors[x].height, tensors[x].channels);
}

/* What nothing reads is an output. */
static void make_network(unsigned seed) {
  draft_init(&draft, seed);
  const unsigned operators = 3 + draft_roll(&draft, TENSORS_MAX - 5);
  count = 0;
  make(8 + draft_roll(&draft, 40), 1 + draft_roll(&draft, 8));
  while (count <= operators) {
    if (draft_roll(&draft, 4) > 0) add_convolution();
    else add_sum();
  }
  draft_tensor(&draft, "inputs t0\noutputs");
  for (unsigned i = 1; i < count; i++)
    if (!tensors[i].is_read) draft_tensor(&draft, " t%u", i);
  draft_tensor(&draft, "\n");
  draft_write(&draft, "m.tflite");
}

/* ---------------------------------------------------------------- what others reach */

static neap_model *open_with(bool overlap) {
  neap_reading reading = NEAP_INIT(neap_reading);
  neap_model *model;
  neap_error error;
  reading.graph.liveness.overlap = overlap;
  assert_ok(neap_model_open("m.tflite", &reading, &model, &error), &error);
  return model;
}

static neap_size plan_arena(const neap_model *model, neap_schedule schedule) {
  const neap_scheduling scheduling = {.schedule = schedule, .max_ticks = 2000000};
  neap_report report = NEAP_INIT(neap_report);
  neap_arena arena = NEAP_INIT(neap_arena);
  neap_options *options = neap_options_new();
  neap_plan *plan;
  neap_error error;
  assert_ok(neap_options_set(options, "max-ticks", "200000", &error), &error);
  assert_ok(neap_model_plan(model, &scheduling, options, &plan, &error), &error);
  neap_plan_report(plan, &report);
  assert_true(neap_problem_arena(neap_plan_problem(plan), report.peak, &arena));
  neap_plan_free(plan);
  neap_options_free(options);
  return arena.smallest;
}

static neap_size bands_arena(const neap_model *model, neap_schedule schedule) {
  const neap_scheduling scheduling = {.schedule = schedule, .max_ticks = 2000000};
  neap_bands_report report = NEAP_INIT(neap_bands_report);
  neap_bands *bands;
  neap_error error;
  assert_ok(neap_model_bands(model, &scheduling, NULL, &bands, &error), &error);
  neap_bands_get_report(bands, &report);
  neap_bands_free(bands);
  return report.after.arena;
}

static neap_size fit_arena(const neap_model *model, neap_size capacity, bool *fits) {
  neap_model_limits limits = NEAP_INIT(neap_model_limits);
  neap_fit_report report = NEAP_INIT(neap_fit_report);
  neap_fit_step step = NEAP_INIT(neap_fit_step);
  neap_fit *fit;
  neap_error error;
  limits.capacity = capacity;
  assert_ok(neap_model_fit(model, &limits, &fit, &error), &error);
  neap_fit_get_report(fit, &report);
  assert_true(neap_fit_step_at(fit, report.best, &step));
  *fits = report.fits;
  neap_fit_free(fit);
  return step.need.arena;
}

/* ---------------------------------------------------------------- the comparison */

static void check_network(unsigned seed) {
  static const neap_schedule schedules[] = {NEAP_SCHEDULE_KEEP, NEAP_SCHEDULE_OPTIMAL};
  const bool overlaps[] = {false, true};
  neap_size best = NEAP_MAX;
  bool fits;
  make_network(seed);
  for (unsigned allowed = 0; allowed < 2; allowed++) {
    neap_model *model = open_with(overlaps[allowed]);
    for (unsigned i = 0; i < 2; i++) {
      const neap_size plan = plan_arena(model, schedules[i]),
                      bands = bands_arena(model, schedules[i]);
      if (bands > plan) fail_msg("network %u: bands need %ld, a plan %ld", seed, bands, plan);
      best = smaller_of(best, bands);
    }
    const neap_size smallest = fit_arena(model, 16, &fits);
    if (smallest > best)
      fail_msg("network %u, %s: %ld in vain, %ld is found", seed, overlaps[allowed], smallest,
               best);
    fit_arena(model, best, &fits);
    if (!fits) fail_msg("network %u, %s: nothing fits %ld", seed, overlaps[allowed], best);
    neap_model_free(model);
  }
}

/* NEAP_LONG is how many networks to check. */
TEST(fit_is_never_worse_than_its_parts) {
  const char *text = getenv("NEAP_LONG");
  const int64_t networks = text && *text      ? larger_of(strtol(text, NULL, 10), 1000)
                           : sample_is_full() ? 12
                                              : 4;
  for (unsigned seed = 1; seed <= networks; seed++)
    check_network(seed);
}

int main(void) {
  const struct CMUnitTest tests[] = {FILES_CASE(fit_is_never_worse_than_its_parts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
