/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/run.h"

#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

#include "cli/output/messages.h"
#include "cli/output/number_text.h"
#include "neap-tool.h"
#include "neap/relations.h"

/* ---------------------------------------------------------------- signals */

/* What a signal handler can reach: set and cleared by run_planner in the same thread. */
static neap_planner *_Atomic running;
static volatile sig_atomic_t interrupted; /* the number of the first signal, or 0 */

static void on_signal(int number) {
  if (interrupted) {
    signal(number, SIG_DFL);
    raise(number); /* takes effect when the handler returns */
    return;
  }
  interrupted = number;
  neap_planner *planner = running;
  if (planner) neap_planner_cancel(planner);
}

void run_catch_signals(void) {
  static const int numbers[] = {SIGINT, SIGTERM};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, old;
    sigemptyset(&action.sa_mask);
    sigaction(numbers[i], NULL, &old);
    if (old.sa_handler != SIG_IGN) sigaction(numbers[i], &action, NULL);
  }
}

bool run_interrupted(void) { return interrupted != 0; }

static bool are_missing; /* results */

void run_note_missing(void) { are_missing = true; }

int run_exit_code(int code) {
  bool would_finish = code == EXIT_DONE || code == EXIT_NO_PLAN || code == EXIT_INTERRUPTED;
  if (are_missing && interrupted == SIGINT && would_finish) return EXIT_INTERRUPTED;
  return interrupted == SIGTERM && would_finish ? EXIT_TERMINATED : code;
}

/* ---------------------------------------------------------------- progress */

#define EXCESS_SIZE (2 * FIGURE_SIZE)

/* ", 12 buffers above the bound (area 3456)", or nothing if all end at or below it. */
static const char *describe_excess(const neap_round *round, char text[EXCESS_SIZE]) {
  char count[FIGURE_SIZE];
  text[0] = '\0';
  if (round->excess_count > 0)
    snprintf(text, EXCESS_SIZE, ", %s above the bound (area %" PRId64 ")",
             figure_count(count, round->excess_count, "buffer"), round->excess_area);
  return text;
}

#define CLASSES_SIZE 192

/* The classes and groups of the tuner; "" for a round of sorting, which has none. */
static const char *describe_classes(const neap_round *round, char text[CLASSES_SIZE]) {
  size_t classified = 0;
  for (int risk = 0; risk < NEAP_RISK_COUNT; risk++)
    classified += round->risk[risk];
  text[0] = '\0';
  if (classified > 0)
    snprintf(text, CLASSES_SIZE,
             "; %zu high, %zu medium, %zu low, %zu none; groups tuned: %zu of high and %zu of "
             "medium risk, in %" PRIu64 " orders",
             round->risk[NEAP_RISK_HIGH], round->risk[NEAP_RISK_MEDIUM],
             round->risk[NEAP_RISK_LOW], round->risk[NEAP_RISK_NONE], round->high_groups,
             round->medium_groups, round->group_rounds);
  return text;
}

static void show_round(const neap_round *round, void *user) {
  struct run *run = user;
  char peak[FIGURE_SIZE], excess[EXCESS_SIZE], classes[CLASSES_SIZE];
  run->progress.rounds = round->round;
  if (round->improved) run->progress.peak = round->peak;
  message_detail("round %" PRIu64 ": peak %s%s%s%s", round->round,
                 figure_bytes(peak, round->peak), describe_excess(round, excess),
                 describe_classes(round, classes),
                 round->improved ? "; lower than before" : "");
  if (round->round == 1 && classes[0] != '\0')
    message_detail("classes of risk, groups and their orders: doc/tuner.md, and man 7 "
                   "neap-planning");
}

/* Seconds between updates of the status line: nobody can read faster. */
#define STATUS_EVERY 0.1

bool run_wants_status(double seconds, double *shown) {
  if (!messages_want_status() || seconds - *shown < STATUS_EVERY) return false;
  *shown = seconds;
  return true;
}

#define WORK_SIZE 64

/*
 * The work so far: "round 3", or for the exact search, with millions of nodes a second,
 * "12 restarts, 0.61 M/s".
 */
static void describe_work(const neap_progress *now, char text[WORK_SIZE]) {
  double rate = now->seconds > 0 ? (double)now->ticks / now->seconds : 0;
  if (now->restarts == 0) snprintf(text, WORK_SIZE, "round %" PRIu64, now->rounds);
  else snprintf(text, WORK_SIZE, "%" PRIu64 " restarts, %.2f M/s", now->restarts, rate * 1e-6);
}

static void show_status(const struct run *run) {
  char text[256], peak[FIGURE_SIZE], bound[FIGURE_SIZE], work[WORK_SIZE];
  char found[2 * FIGURE_SIZE + NEAP_GAP_TEXT + 32], gap[NEAP_GAP_TEXT];
  const neap_progress *now = &run->progress;
  if (now->peak == NEAP_UNPLACED)
    snprintf(found, sizeof found, "no plan yet, lower bound %s",
             figure_unit(bound, now->lower_bound));
  else
    snprintf(found, sizeof found, "peak %s, gap %s", figure_unit(peak, now->peak),
             neap_gap_text(figure_gap(now->peak, now->lower_bound), gap));
  describe_work(now, work);
  snprintf(text, sizeof text, "%s%s, %s, %.1f s", run->label, work, found, now->seconds);
  message_status(text);
}

/* How long to plan if a signal has stopped the search for an order: the layout is still missing. */
#define GRACE_SECONDS 1

static void show_progress(const neap_progress *progress, void *user) {
  struct run *run = user;
  run->progress = *progress;
  if (run->is_late && progress->seconds - run->earlier >= GRACE_SECONDS)
    neap_planner_cancel(running);
  if (run_wants_status(progress->seconds, &run->shown)) show_status(run);
}

static void show_order(const neap_order_progress *progress) {
  char text[256], bound[FIGURE_SIZE], other[FIGURE_SIZE];
  bool has_layout = progress->peak != NEAP_UNPLACED;
  snprintf(text, sizeof text, "order: bound %s, %s %s, %.1f s",
           figure_unit(bound, progress->bound), has_layout ? "peak" : "proven",
           figure_unit(other, has_layout ? progress->peak : progress->lower_bound),
           progress->seconds);
  message_status(text);
}

bool run_watch_order(const neap_order_progress *progress, void *user) {
  run_catch_signals();
  if (run_wants_status(progress->seconds, user)) show_order(progress);
  return !interrupted;
}

/* ---------------------------------------------------------------- the run */

double run_seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static neap_status step_to_end(neap_planner *planner, neap_error *error) {
  neap_status status = NEAP_OK;
  bool done = false;
  while (status == NEAP_OK && !done)
    status = neap_planner_step(planner, &done, error);
  return status;
}

void run_limit_memory(int64_t bytes) {
  rlim_t most = (rlim_t)bytes;
  if (bytes > 0) setrlimit(RLIMIT_DATA, &(struct rlimit){most, most});
}

/* Takes the best plan so far, if there is one, of a run that ended for lack of memory. */
static neap_status rescue_plan(const neap_planner *planner, neap_plan **plan,
                               const neap_error *error) {
  if (neap_planner_plan(planner, plan, NULL) != NEAP_OK) return error->status;
  message_warning("memory ran out; this is the best plan so far, and --memory-limit or more "
                  "memory may give a better one");
  return NEAP_OK;
}

static neap_status set_number(neap_options *options, const char *name, int64_t number,
                              neap_error *error) {
  char text[32];
  snprintf(text, sizeof text, "%" PRId64, number);
  return neap_options_set(options, name, text, error);
}

/* One sorted layout, which takes only seconds for a million buffers; a second signal ends it. */
static neap_status solve_sorted(const struct run *run, neap_options *options, neap_plan **plan,
                                neap_error *error) {
  int64_t capacity = -1;
  neap_options_number(run->options, "capacity", &capacity);
  neap_status status = neap_options_set(options, "engine", "sort", error);
  if (status == NEAP_OK) status = set_number(options, "max-rounds", 1, error);
  if (status == NEAP_OK && capacity >= 0)
    status = set_number(options, "capacity", capacity, error);
  if (status == NEAP_OK) status = neap_solve(run->problem, options, plan, error);
  if (status != NEAP_OK) return status;
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(*plan, &report);
  neap_history history = {.struct_size = sizeof(neap_history),
                          .engine = "sort",
                          .lower_bound = report.lower_bound,
                          .stop_reason = NEAP_STOP_CANCELLED,
                          .rounds = report.run.rounds,
                          .seed = report.run.seed,
                          .seconds = report.run.seconds};
  return neap_plan_set_history(*plan, &history, error);
}

/*
 * Makes a layout if a signal ended a run that had none.  With pools there is no plan, since
 * choosing them takes as long as the run.
 */
static neap_status plan_sorted(const struct run *run, neap_plan **plan, neap_error *error) {
  neap_pool pool = NEAP_INIT(neap_pool);
  if (neap_problem_pool_at(run->problem, 0, &pool)) return NEAP_NO_PLAN;
  neap_options *options = neap_options_new();
  if (!options) return NEAP_NO_PLAN; /* which *error already explains */
  if (messages_want_status())
    message_status("interrupted: making a sorted layout; Ctrl-C again ends neap at once");
  neap_status status = solve_sorted(run, options, plan, error);
  message_status("");
  neap_options_free(options);
  return status;
}

neap_status run_planner(struct run *run, neap_plan **plan, neap_error *error) {
  neap_planner *planner;
  neap_operator_order order = NEAP_INIT(neap_operator_order);
  double started = run_seconds();
  run->earlier = run->orders && neap_problem_order(run->problem, &order) ? order.seconds : 0;
  neap_status status =
      run->orders ? neap_planner_new_ordered(run->problem, run->options, &planner, error)
                  : neap_planner_new(run->problem, run->options, &planner, error);
  if (status != NEAP_OK) return status;
  neap_planner_on_progress(planner, show_progress, run);
  neap_planner_on_round(planner, show_round, run);
  run->progress.peak = NEAP_UNPLACED;
  running = planner;
  run->is_late = interrupted != 0;
  status = step_to_end(planner, error);
  message_status("");
  if (status == NEAP_OK) status = neap_planner_plan(planner, plan, error);
  else if (status == NEAP_ERROR_MEMORY) status = rescue_plan(planner, plan, error);
  running = NULL;
  neap_planner_free(planner);
  if (status == NEAP_NO_PLAN && interrupted && run->needs_plan && run->progress.rounds == 0)
    status = plan_sorted(run, plan, error);
  run->progress.seconds = run->earlier + run_seconds() - started;
  return status;
}

/* ---------------------------------------------------------------- pools of one size */

/*
 * A runtime that limits the size of an allocation needs several objects.  How few suffice? At
 * least the bound divided by the size of one, rounded up; each number from there on is planned
 * until one suffices.  If all smaller ones are proven not to, it is the least.
 */

static int refuse_chunks(const char *source, neap_error *error) {
  error->status = NEAP_ERROR_INPUT;
  error->line = error->column = 0;
  snprintf(error->source, sizeof error->source, "%s", source);
  return message_error(error);
}

int chunks_begin(struct chunks *chunks, const char *source) {
  neap_error error;
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  neap_pool pool = NEAP_INIT(neap_pool);
  if (neap_problem_pool_at(chunks->problem, 0, &pool))
    return message_usage("--max-chunk makes pools, but the problem has pools already");
  for (size_t i = 0; neap_problem_buffer_at(chunks->problem, i, &buffer); i++) {
    if (buffer.size <= chunks->bytes || chunks->allows_larger) continue;
    snprintf(error.text, sizeof error.text,
             "'%.200s' has %" PRId64 " bytes, more than --max-chunk allows (%" PRId64
             "); --own-chunks gives it a pool of its own",
             buffer.name, buffer.size, chunks->bytes);
    return refuse_chunks(source, &error);
  }
  return 0;
}

static neap_status add_pool(struct chunks *chunks, const char *kind, size_t number,
                            neap_size capacity, neap_error *error) {
  char name[32];
  neap_pool pool = NEAP_POOL_INIT;
  snprintf(name, sizeof name, "%s%zu", kind, number);
  pool.name = name;
  pool.capacity = capacity;
  pool.cost = 0;
  return neap_problem_add_pool(chunks->problem, &pool, error);
}

static neap_status add_chunk(struct chunks *chunks, neap_error *error) {
  neap_status status = add_pool(chunks, "chunk", chunks->count, chunks->bytes, error);
  if (status == NEAP_OK) chunks->count++;
  return status;
}

/* Adds a pool for each buffer that is larger than a chunk; *bytes is what they hold together. */
static neap_status add_larger(struct chunks *chunks, neap_size *bytes, neap_error *error) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  neap_status status = NEAP_OK;
  *bytes = 0;
  for (size_t i = 0; status == NEAP_OK && neap_problem_buffer_at(chunks->problem, i, &buffer);
       i++) {
    if (buffer.size <= chunks->bytes) continue;
    status = add_pool(chunks, "large", chunks->larger++, buffer.size, error);
    *bytes = buffer.size > NEAP_MAX - *bytes ? NEAP_MAX : *bytes + buffer.size;
  }
  return status;
}

/* Adds as many chunks as the bound needs beside the larger ones, and at least one. */
static neap_status add_first(struct chunks *chunks, neap_error *error) {
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_size larger = 0;
  neap_status status = neap_problem_bound(chunks->problem, &bound, error);
  if (status == NEAP_OK) status = add_larger(chunks, &larger, error);
  if (status != NEAP_OK) return status;
  bound.bytes = bound.bytes > larger ? bound.bytes - larger : 0;
  neap_size needed = bound.bytes / chunks->bytes + (bound.bytes % chunks->bytes > 0);
  chunks->least = needed > 1 ? (size_t)needed : 1;
  while (status == NEAP_OK && chunks->count < chunks->least)
    status = add_chunk(chunks, error);
  return status;
}

neap_status chunks_plan(struct chunks *chunks, struct run *run, neap_plan **plan,
                        neap_error *error) {
  bool is_proven = true;
  neap_status status = add_first(chunks, error);
  while (status == NEAP_OK) {
    status = run_planner(run, plan, error);
    bool fails = status == NEAP_INFEASIBLE || status == NEAP_NO_PLAN;
    if (!fails || run_interrupted() || chunks->count >= neap_problem_count(chunks->problem))
      break;
    is_proven = is_proven && status == NEAP_INFEASIBLE;
    if (is_proven) chunks->least = chunks->count + 1;
    message_detail("%zu %s not suffice", chunks->count,
                   status == NEAP_INFEASIBLE ? "chunks do" : "chunks seem to");
    status = add_chunk(chunks, error);
  }
  return status;
}
