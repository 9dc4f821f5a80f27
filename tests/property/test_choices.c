/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What split and fit prove, against an enumeration: of small networks, every choice of segments and
 * bands is made and planned.  None may need less than a lower bound says, or fit what was proven
 * not to fit.  And searches with different goals keep their promises to each other.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "files/owned.h"
#include "models/bands/search.h"
#include "models/needs.h"
#include "models/open.h"
#include "neap-tool.h"
#include "tests/hosts/tflm/draft.h"
#include "tests/support/bands.h"
#include "tests/support/files.h"
#include "tests/support/tflite_maker.h"

#define PIECES_MAX 8
#define CHOICES_MAX 3000 /* of a network, after which the others are passed over */
#define FACTOR 2.0       /* of work, as in io/split.c */

static struct draft draft;
static unsigned network; /* its seed */
static size_t checked, proofs, whole; /* whole: proofs of which all choices were tried */

/* ---------------------------------------------------------------- networks */

struct shape {
  unsigned height, width, channels;
};

static struct shape shapes[16];
static unsigned count;

static void make(struct shape shape) {
  draft_tensor(&draft, "tensor t%u float32[1,%u,%u,%u]\n", count, shape.height, shape.width,
               shape.channels);
  shapes[count++] = shape;
}

static void add_window(bool is_depthwise) {
  const unsigned x = count - 1, taps = 1 + draft_roll(&draft, 3),
                 stride = 1 + (draft_roll(&draft, 4) == 0);
  struct shape shape = shapes[x];
  shape.height = (shape.height + stride - 1) / stride;
  shape.width = (shape.width + stride - 1) / stride;
  if (!is_depthwise) shape.channels = 1 + draft_roll(&draft, 6);
  draft_tensor(&draft, "constant w%u float32[%u,%u,%u,%u]\nconstant b%u float32[%u]\n", count,
               is_depthwise ? 1 : shape.channels, taps, taps, shapes[x].channels, count,
               shape.channels);
  if (is_depthwise)
    draft_operator(&draft, "DEPTHWISE_CONV_2D t%u w%u b%u -> t%u : 0 %u %u 1 0 1 1\n", x, count,
                   count, count, stride, stride);
  else
    draft_operator(&draft, "CONV_2D t%u w%u b%u -> t%u : 0 %u %u 0 1 1\n", x, count, count,
                   count, stride, stride);
  make(shape);
}

static bool is_alike(unsigned a, unsigned b) {
  return shapes[a].height == shapes[b].height && shapes[a].width == shapes[b].width &&
         shapes[a].channels == shapes[b].channels;
}

static void add_sum(void) {
  const unsigned x = count - 1;
  unsigned y = draft_roll(&draft, count);
  while (!is_alike(x, y))
    y = (y + 1) % count;
  draft_operator(&draft, "ADD t%u t%u -> t%u\n", x, y, count);
  make(shapes[x]);
}

static void make_network(unsigned seed, unsigned operators, unsigned height) {
  draft_init(&draft, seed);
  network = seed;
  count = 0;
  make((struct shape){2 + draft_roll(&draft, height), 1 + draft_roll(&draft, 4),
                      1 + draft_roll(&draft, 4)});
  while (count <= operators) {
    const unsigned kind = draft_roll(&draft, 5);
    if (kind < 3) add_window(kind == 2);
    else if (kind == 3) add_sum();
    else {
      draft_operator(&draft, "RELU t%u -> t%u\n", count - 1, count);
      make(shapes[count - 1]);
    }
  }
  draft_tensor(&draft, "inputs t0\noutputs t%u\n", count - 1);
  draft_write(&draft, "m.tflite");
}

static neap_reading reading_of(unsigned seed) {
  neap_reading reading = NEAP_INIT(neap_reading);
  reading.graph.target = seed % 3 == 0 ? "none" : "tflm";
  reading.graph.liveness.overlap = seed % 2 == 0;
  if (seed % 12 == 0) reading.graph.liveness.aliases = NEAP_ALIAS_CONCAT | NEAP_ALIAS_SPLIT;
  return reading;
}

/* ---------------------------------------------------------------- choices */

/* What was proven. */
struct claim {
  bool is_arena;
  neap_size least;    /* no choice needs less */
  neap_size capacity; /* no choice with less work fits */
  int64_t macs;
};

struct choices {
  const neap_model *source;
  void *model;
  struct band_network network;
  struct band_listing listing;
  const struct claim *claim;
  struct band_piece *path[PIECES_MAX];
  size_t depth, tried;
  neap_options *options;
};

static neap_size need_of(const struct choices *choices, const neap_problem *problem,
                         neap_size peak) {
  return choices->claim->is_arena ? needs_point(problem, peak).arena : peak;
}

/* Makes the choice of the path, and bounds it; plans it only if that decides nothing. */
static void check_choice(struct choices *choices, int64_t macs) {
  const struct band_pieces pieces = {choices->path, choices->depth};
  const struct claim *claim = choices->claim;
  const neap_size wanted =
      macs < claim->macs ? larger_of(claim->least, claim->capacity + 1) : claim->least;
  struct band_copy copy;
  neap_graph *graph;
  neap_problem *problem;
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_error error;
  choices->tried++;
  assert_ok(
      choices->source->format->copy(choices->model, &choices->network, &pieces, &copy, &error),
      &error);
  assert_ok(choices->source->format->read(copy.bytes, copy.size, &choices->source->reading,
                                          &graph, &error),
            &error);
  assert_ok(adopt_graph(graph, &choices->source->reading, &problem, &error), &error);
  assert_ok(neap_problem_bound(problem, &bound, &error), &error);
  if (need_of(choices, problem, bound.lower_bound) < wanted) {
    neap_plan *plan;
    neap_report report = NEAP_INIT(neap_report);
    assert_ok(neap_solve(problem, choices->options, &plan, &error), &error);
    neap_plan_report(plan, &report);
    if (need_of(choices, problem, report.peak) < wanted)
      fail_msg("network %u: a choice needs %lld bytes, but %lld are proven", network,
               (long long)need_of(choices, problem, report.peak), (long long)wanted);
    neap_plan_free(plan);
  }
  neap_problem_free(problem);
  free(copy.bytes);
}

static void try_from(struct choices *choices, size_t at, int64_t macs) {
  const int64_t most = (int64_t)(FACTOR * (double)choices->listing.macs);
  if (macs > most || choices->tried >= CHOICES_MAX) return;
  if (at == choices->network.operator_count) {
    check_choice(choices, macs);
    return;
  }
  for (size_t p = 0; p < choices->listing.count; p++) {
    struct band_piece *piece = &choices->listing.pieces[p];
    if (piece->segment.first != at) continue;
    assert_true(choices->depth < PIECES_MAX);
    choices->path[choices->depth++] = piece;
    try_from(choices, piece->segment.end, macs + piece->macs);
    choices->depth--;
  }
}

/* Lists all pieces, however high they are. */
static void check_claim(const neap_model *source, const struct claim *claim) {
  static struct choices choices;
  const neap_liveness *liveness = &source->reading.graph.liveness;
  const struct band_limits limits = {FACTOR,
                                     NEAP_MAX / 4,
                                     liveness->aliases & NEAP_ALIAS_SPLIT,
                                     liveness->aliases & NEAP_ALIAS_CONCAT,
                                     source->reading.graph.liveness.overlap,
                                     NULL,
                                     NULL};
  neap_error error;
  choices = (struct choices){.source = source, .claim = claim};
  choices.options = model_options(200000, &error);
  assert_non_null(choices.options);
  assert_ok(source->format->open(source->text, source->size, &source->reading, &choices.model,
                                 &choices.network, &error),
            &error);
  assert_ok(band_listing_init(&choices.listing, &choices.network, &limits, &error), &error);
  try_from(&choices, 0, 0);
  checked += choices.tried;
  proofs++;
  whole += choices.tried < CHOICES_MAX;
  band_listing_clear(&choices.listing);
  band_network_clear(&choices.network);
  source->format->close(choices.model);
  neap_options_free(choices.options);
}

/* ---------------------------------------------------------------- what is proven */

static neap_status find(const neap_reading *reading, const neap_model_limits *limits,
                        neap_bands_report *report) {
  neap_bands *split = NULL;
  neap_error error;
  neap_status status = bands_find("m.tflite", reading, limits, &split, &error);
  if (status == NEAP_OK) neap_bands_get_report(split, report);
  else assert_true(status == NEAP_INFEASIBLE || status == NEAP_NO_PLAN);
  neap_bands_free(split);
  return status;
}

static void check_capacity(const neap_model *source, neap_size capacity) {
  const neap_model_limits limits = bands_limits(NEAP_BANDS_WORK, capacity);
  neap_bands_report report = NEAP_INIT(neap_bands_report);
  neap_status status = find(&source->reading, &limits, &report);
  struct claim claim = {.capacity = -1};
  if (status == NEAP_INFEASIBLE) claim.least = capacity + 1;
  if (status == NEAP_OK && report.is_proven && report.is_split) claim.macs = report.after.macs;
  if (status == NEAP_OK) claim.capacity = capacity;
  if (claim.least > 0 || claim.macs > 0) check_claim(source, &claim);
}

static void check_fit(const neap_model *source, neap_size capacity) {
  const neap_model_limits limits = bands_limits(NEAP_BANDS_ARENA, capacity);
  neap_fit *fit;
  neap_fit_report report = NEAP_INIT(neap_fit_report);
  neap_error error;
  assert_ok(bands_fit("m.tflite", &source->reading, &limits, &fit, &error), &error);
  neap_fit_get_report(fit, &report);
  if (report.is_infeasible)
    check_claim(source,
                &(struct claim){.is_arena = true, .least = capacity + 1, .capacity = -1});
  neap_fit_free(fit);
}

static void check_network(unsigned seed) {
  neap_model *source;
  neap_bands_report lowest = NEAP_INIT(neap_bands_report), smallest = lowest;
  neap_error error;
  make_network(seed, seed % 8 == 0 ? 3 : 1 + seed % 2, 3);
  const neap_reading reading = reading_of(seed);
  assert_ok(neap_model_open("m.tflite", &reading, &source, &error), &error);
  const neap_model_limits peak = bands_limits(NEAP_BANDS_PEAK, 0),
                          arena = bands_limits(NEAP_BANDS_ARENA, 0);
  assert_ok(find(&reading, &peak, &lowest), &error);
  check_claim(source, &(struct claim){.least = lowest.lower_bound, .capacity = -1});
  if (lowest.is_proven) assert_int_equal(lowest.after.peak, lowest.lower_bound);
  check_capacity(source, lowest.after.peak - 1);
  check_capacity(source, lowest.after.peak);
  if (lowest.after.peak < lowest.before.peak)
    check_capacity(source, (lowest.after.peak + lowest.before.peak) / 2);
  if (strcmp(reading.graph.target, "tflm") == 0) {
    assert_ok(find(&reading, &arena, &smallest), &error);
    check_fit(source, smallest.after.arena - 16);
    if (smallest.is_proven)
      check_claim(source, &(struct claim){
                              .is_arena = true, .least = smallest.after.arena, .capacity = -1});
  }
  neap_model_free(source);
}

/* NEAP_LONG is how many networks to check. */
TEST(no_choice_needs_less_than_is_proven) {
  const char *text = getenv("NEAP_LONG");
  const unsigned long long_count = text ? strtoul(text, NULL, 10) : 0;
  const unsigned networks = text && *text ? (unsigned)larger_of((int64_t)long_count, 2000) : 40;
  for (unsigned seed = 1; seed <= networks; seed++)
    check_network(seed);
  print_message("%zu choices for %zu proofs, all choices for %zu\n", checked, proofs, whole);
  assert_true(proofs > networks && 2 * whole > proofs);
}

/* ---------------------------------------------------------------- promises */

static neap_size fit_arena(const neap_reading *reading, neap_size capacity) {
  const neap_model_limits limits = bands_limits(NEAP_BANDS_ARENA, capacity);
  neap_fit *fit;
  neap_fit_report report = NEAP_INIT(neap_fit_report);
  neap_fit_step step = NEAP_INIT(neap_fit_step);
  neap_error error;
  assert_ok(bands_fit("m.tflite", reading, &limits, &fit, &error), &error);
  neap_fit_get_report(fit, &report);
  assert_true(neap_fit_step_at(fit, report.best, &step));
  neap_fit_free(fit);
  return step.need.arena;
}

TEST(goals_keep_their_promises) {
  const unsigned networks = getenv("NEAP_LONG") ? 300 : 12;
  for (unsigned seed = 1; seed <= networks; seed++) {
    neap_bands_report lowest = NEAP_INIT(neap_bands_report), smallest = lowest,
                      fitting = lowest;
    make_network(seed, 4 + seed % 5, 20);
    neap_reading reading = reading_of(seed);
    reading.graph.target = "tflm";
    reading.graph.liveness.aliases = 0;
    neap_model_limits peak = bands_limits(NEAP_BANDS_PEAK, 0);
    const neap_model_limits arena = bands_limits(NEAP_BANDS_ARENA, 0);
    peak.keep_on_curve = true;
    assert_int_equal(find(&reading, &peak, &lowest), NEAP_OK);
    assert_int_equal(find(&reading, &arena, &smallest), NEAP_OK);
    assert_true(smallest.after.arena <= lowest.after.arena);
    const neap_model_limits capacity = bands_limits(NEAP_BANDS_WORK, lowest.after.peak);
    assert_int_equal(find(&reading, &capacity, &fitting), NEAP_OK);
    assert_true(fitting.after.peak <= lowest.after.peak);
    assert_true(fit_arena(&reading, smallest.after.arena) <= smallest.after.arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {FILES_CASE(no_choice_needs_less_than_is_proven),
                                     FILES_CASE(goals_keep_their_promises)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
