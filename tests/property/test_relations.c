/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Relations, limits, pools and soft terms against enumeration, on tiny random problems of every
 * kind: the verifier accepts exactly the sound plans, exact search finds and proves the optimum or
 * that there is no plan, and no engine gives an unsound plan.  NEAP_LONG in the environment takes
 * twenty times as many problems.  For whole campaigns, arguments choose what runs:
 *
 *     test_relations [KIND|all [COUNT [FIRST_SEED [SUBJECT,...]]]]
 *
 * A problem that fails is shrunk and printed as an initialiser, so that it can be kept below.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/knobs.h"
#include "core/random.h"
#include "files/json/plan.h"
#include "files/json/problem.h"
#include "tests/support/brute_relations.h"
#include "tests/support/random_problem.h"
#include "tests/support/run.h"
#include "tests/support/sample.h"

/* What is examined. */
enum {
  VERIFIER = 1,
  BOUND = 2,
  EXACT = 4,
  AUTO = 8,
  CAPACITY = 16, /* exact search and auto within capacities */
  SORT = 32,
  TUNE = 64,
  CHECK = 128,   /* what the check of a problem refuses has no plan */
  JSON = 256,    /* writing and reading keeps problem and plan */
  OPTIMUM = 512, /* exact search and auto prove the optimum; otherwise, only the least spill */
  KNOBS = 1024   /* with any values of knobs, plans are sound and claims are true */
};

static const struct {
  const char *name;
  unsigned subject;
} subject_names[] = {{"verifier", VERIFIER}, {"bound", BOUND}, {"exact", EXACT},
                     {"auto", AUTO},         {"sort", SORT},   {"tune", TUNE},
                     {"capacity", CAPACITY}, {"check", CHECK}, {"json", JSON},
                     {"optimum", OPTIMUM},   {"knobs", KNOBS}};

/* What is examined for each kind, and how many problems usually are. */
struct kind_case {
  enum tiny_kind kind;
  unsigned subjects;
  uint64_t usual;
};

/* What does not depend on an engine. */
#define RULES (VERIFIER | CHECK | JSON)
#define HARD (RULES | BOUND | EXACT | AUTO | CAPACITY | SORT | TUNE | OPTIMUM | KNOBS)
/* Among pools, only the least spill is always proven. */
#define POOLED (HARD & ~OPTIMUM)

static struct kind_case kind_cases[TINY_KIND_COUNT] = {
    {TINY_SEPARATIONS, HARD, 200},
    {TINY_EXCLUSIONS, HARD, 200},
    {TINY_OVERLAPS, HARD, 200},
    {TINY_COLOCATIONS, HARD, 200},
    {TINY_BANKS, HARD, 200},
    {TINY_BANK_SEPARATIONS, HARD, 200},
    {TINY_WINDOWS, HARD, 200},
    {TINY_RESERVES, HARD, 200},
    {TINY_FIXED, HARD, 200},
    {TINY_HARD, HARD, 200},
    {TINY_POOLED, POOLED, 200},
    {TINY_HARD_POOLED, POOLED, 200},
    {TINY_PENALTIES, HARD, 200},
    {TINY_MOVES, HARD, 200},
    {TINY_PRICED, HARD & ~CAPACITY, 200},
    {TINY_EVERYTHING, POOLED & ~CAPACITY, 200},
};

/* Arguments of the program. */
static uint64_t given_count, first_seed;
static unsigned given_subjects;

/* ---------------------------------------------------------------- complaints */

/* Why an examination fails; empty if it does not. */
struct complaint {
  const char *format; /* tells apart one kind of failure from another */
  char text[2048];
};

static void complain(struct complaint *complaint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void complain(struct complaint *complaint, const char *format, ...) {
  va_list arguments;
  if (complaint->format) return;
  complaint->format = format;
  va_start(arguments, format);
  vsnprintf(complaint->text, sizeof complaint->text, format, arguments);
  va_end(arguments);
}

/* A tiny problem, what neap makes of it, and what enumeration finds. */
struct exam {
  const struct tiny *tiny;
  unsigned subjects;
  uint64_t variant; /* chooses among options that must not matter */
  bool is_limited;  /* engines get few ticks */
  neap_problem *problem;
  enum brute_verdict verdict;
  struct brute_plan plan;
  struct brute_costs costs;
  struct complaint complaint;
};

/* ---------------------------------------------------------------- the verifier */

static neap_plan *as_plan(struct exam *exam, const struct brute_plan *brute) {
  neap_plan *plan = NULL;
  neap_error error;
  if (neap_plan_new(exam->problem, brute->offsets, &plan, &error) != NEAP_OK) {
    complain(&exam->complaint, "neap_plan_new: %s", error.text);
    return NULL;
  }
  if (exam->tiny->pool_count > 0 && neap_plan_set_pools(plan, brute->pools, &error) != NEAP_OK)
    complain(&exam->complaint, "neap_plan_set_pools: %s", error.text);
  return plan;
}

static void complain_of_plan(struct exam *exam, const struct brute_plan *brute,
                             neap_size capacity, const char *text) {
  char offsets[128];
  size_t length = 0;
  for (size_t i = 0; i < exam->tiny->count; i++)
    length += (size_t)snprintf(offsets + length, sizeof offsets - length, " %zu:%" PRId64,
                               brute->pools[i], brute->offsets[i]);
  complain(&exam->complaint, "capacity %" PRId64 ", plan (pool:offset)%s: %s", capacity,
           offsets, text);
}

/* The verifier and the definition must agree. */
static void compare_verdicts(struct exam *exam, const struct brute_plan *brute,
                             neap_size capacity) {
  neap_plan *plan = as_plan(exam, brute);
  neap_error error = {0};
  if (!plan) return;
  bool is_sound = brute_is_sound(exam->tiny, brute, capacity);
  neap_status status = neap_plan_verify(plan, capacity, &error);
  if (is_sound && status != NEAP_OK) complain_of_plan(exam, brute, capacity, error.text);
  if (!is_sound && status != NEAP_ERROR_UNSOUND)
    complain_of_plan(exam, brute, capacity, "an unsound plan is accepted");
  neap_plan_free(plan);
}

static void change_one(struct dice *dice, const struct tiny *tiny, struct brute_plan *plan) {
  size_t index = dice_roll(dice, tiny->count);
  if (tiny->pool_count > 1 && dice_chance(dice, 30))
    plan->pools[index] = dice_roll(dice, tiny->pool_count);
  else plan->offsets[index] = (neap_offset)dice_roll(dice, 20);
}

static struct brute_plan any_plan(struct dice *dice, const struct tiny *tiny) {
  struct brute_plan plan = {{0}, {0}};
  for (size_t i = 0; i < tiny->count; i++) {
    plan.offsets[i] = (neap_offset)dice_roll(dice, 16);
    if (tiny->pool_count > 0) plan.pools[i] = dice_roll(dice, tiny->pool_count);
  }
  return plan;
}

static void examine_verifier(struct exam *exam) {
  const struct tiny *tiny = exam->tiny;
  struct dice dice = {tiny->count + 1000 * tiny->relation_count};
  for (size_t i = 0; i < 4; i++) {
    struct brute_plan plan = any_plan(&dice, tiny);
    compare_verdicts(exam, &plan, -1);
  }
  if (exam->verdict != BRUTE_OPTIMAL) return;
  compare_verdicts(exam, &exam->plan, -1);
  for (size_t i = 0; i < 20; i++) {
    struct brute_plan plan = exam->plan;
    neap_size capacity = -1;
    if (tiny->pool_count == 0 && dice_chance(&dice, 30))
      capacity = (neap_size)dice_roll(&dice, 20);
    change_one(&dice, tiny, &plan);
    if (dice_chance(&dice, 20)) change_one(&dice, tiny, &plan);
    compare_verdicts(exam, &plan, capacity);
  }
}

/* ---------------------------------------------------------------- JSON */

typedef neap_status write_json(const void *object, FILE *stream, neap_error *error);

static neap_status write_problem(const void *object, FILE *stream, neap_error *error) {
  return json_problem_write(object, stream, error);
}

static neap_status write_plan(const void *object, FILE *stream, neap_error *error) {
  return json_plan_write(object, stream, error);
}

/* What is written, to be released with free(); NULL if it cannot be. */
static char *written(struct exam *exam, write_json *write, const void *object) {
  char *text = NULL;
  size_t size = 0;
  neap_error error;
  FILE *stream = open_memstream(&text, &size);
  assert_non_null(stream);
  neap_status status = write(object, stream, &error);
  fclose(stream);
  if (status == NEAP_OK) return text;
  complain(&exam->complaint, "cannot write JSON: %s", error.text);
  free(text);
  return NULL;
}

/* Finds the next relation of a kind, from *index on, and moves *index past it. */
static bool next_of_kind(const neap_problem *problem, neap_relation_kind kind, size_t *index,
                         neap_relation *relation) {
  while (neap_problem_relation_at(problem, (*index)++, relation))
    if (relation->kind == kind) return true;
  return false;
}

/* JSON lists relations by kind, each kind in its order. */
static bool has_relations(const struct tiny *tiny, const neap_problem *problem) {
  size_t next[NEAP_RELATION_KIND_COUNT] = {0};
  for (size_t i = 0; i < tiny->relation_count; i++) {
    const neap_relation *given = &tiny->relations[i];
    neap_relation relation = NEAP_INIT(neap_relation);
    if (!next_of_kind(problem, given->kind, &next[given->kind], &relation) ||
        relation.first != given->first || relation.second != given->second ||
        relation.bytes != given->bytes)
      return false;
  }
  return true;
}

/* Whether a problem that was read back has the pools and reserved bytes it had. */
static bool has_pools(const struct tiny *tiny, const neap_problem *problem) {
  for (size_t i = 0; i < tiny->pool_count; i++) {
    const neap_pool *given = &tiny->pools[i];
    neap_pool pool = NEAP_INIT(neap_pool);
    if (!neap_problem_pool_at(problem, i, &pool) || strcmp(pool.name, given->name) != 0 ||
        pool.capacity != given->capacity || pool.alignment != given->alignment ||
        pool.base != given->base || pool.cost != given->cost)
      return false;
  }
  for (size_t i = 0; i < tiny->reserved_count; i++) {
    const neap_reserved *given = &tiny->reserved[i];
    neap_reserved reserved = NEAP_INIT(neap_reserved);
    if (!neap_problem_reserved_at(problem, i, &reserved) || reserved.pool != given->pool ||
        reserved.low != given->low || reserved.high != given->high ||
        reserved.when.start != given->when.start || reserved.when.end != given->when.end)
      return false;
  }
  return true;
}

static bool has_buffers(const struct tiny *tiny, const neap_problem *problem) {
  for (size_t i = 0; i < tiny->count; i++) {
    const struct tiny_buffer *given = &tiny->buffers[i];
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    if (!neap_problem_buffer_at(problem, i, &buffer) || buffer.size != given->size ||
        buffer.alignment != given->alignment || buffer.fixed_offset != given->fixed ||
        buffer.range_count != given->range_count || buffer.window_low != given->window_low ||
        buffer.window_high != given->window_high || buffer.bank != given->bank ||
        buffer.pool_count != given->pool_count)
      return false;
    if (given->pool_count > 0 &&
        memcmp(buffer.pools, given->pools, given->pool_count * sizeof buffer.pools[0]) != 0)
      return false;
    neap_size cost = given->move_cost < 0 ? given->size : given->move_cost;
    bool is_near = given->near_offset != NEAP_UNPLACED && cost > 0;
    if (is_near && (buffer.near_offset != given->near_offset || buffer.move_cost != cost))
      return false;
  }
  return true;
}

static bool has_objective(const struct tiny *tiny, const neap_problem *problem) {
  neap_term order[NEAP_TERM_COUNT];
  neap_problem_objective(problem, order);
  return memcmp(order, tiny->objective, sizeof order) == 0;
}

static void examine_json_problem(struct exam *exam) {
  neap_problem *again = NULL;
  neap_error error;
  char *text = written(exam, write_problem, exam->problem);
  if (!text) return;
  if (json_problem_read(text, strlen(text), &(neap_reading)NEAP_INIT(neap_reading), &again,
                        &error) != NEAP_OK)
    complain(&exam->complaint, "cannot read JSON: %s in %s", error.text, text);
  else if (!has_relations(exam->tiny, again) || !has_pools(exam->tiny, again) ||
           !has_buffers(exam->tiny, again))
    complain(&exam->complaint, "JSON does not keep %s", text);
  else if (!has_objective(exam->tiny, again))
    complain(&exam->complaint, "JSON does not keep the objective: %s", text);
  neap_problem_free(again);
  free(text);
}

static void examine_json_plan(struct exam *exam) {
  neap_plan *plan = exam->verdict == BRUTE_OPTIMAL ? as_plan(exam, &exam->plan) : NULL;
  neap_plan *again = NULL;
  neap_error error;
  char *text = plan ? written(exam, write_plan, plan) : NULL;
  if (text && json_plan_read(text, strlen(text), &(neap_reading)NEAP_INIT(neap_reading), &again,
                             &error) != NEAP_OK)
    complain(&exam->complaint, "cannot read a plan in JSON: %s in %s", error.text, text);
  for (size_t i = 0; again && i < exam->tiny->count; i++)
    if (neap_plan_offset(again, i) != exam->plan.offsets[i] ||
        neap_plan_pool(again, i) != exam->plan.pools[i])
      complain(&exam->complaint, "JSON does not keep the plan: %s", text);
  neap_plan_free(again);
  neap_plan_free(plan);
  free(text);
}

/* ---------------------------------------------------------------- bounds */

static bool is_first(const struct tiny *tiny, neap_term term) {
  for (size_t i = 0; i < NEAP_TERM_COUNT; i++) {
    if (tiny->objective[i] == term) return true;
    if (tiny->objective[i] != NEAP_TERM_SPILL || tiny->pool_count > 0) return false;
  }
  return false;
}

static void examine_bound(struct exam *exam) {
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_error error;
  if (neap_problem_bound(exam->problem, &bound, &error) != NEAP_OK)
    complain(&exam->complaint, "neap_problem_bound: %s", error.text);
  else if (exam->verdict == BRUTE_OPTIMAL && bound.lower_bound > exam->costs.of[NEAP_TERM_PEAK])
    complain(&exam->complaint,
             "neap_problem_bound: lower bound %" PRId64 " above the optimum %" PRId64,
             bound.lower_bound, exam->costs.of[NEAP_TERM_PEAK]);
  else if (bound.bytes > bound.lower_bound)
    complain(&exam->complaint,
             "neap_problem_bound: bound %" PRId64 " above the lower bound %" PRId64,
             bound.bytes, bound.lower_bound);
}

/* ---------------------------------------------------------------- engines */

static struct brute_plan as_brute(const struct tiny *tiny, const neap_plan *plan) {
  struct brute_plan brute = {{0}, {0}};
  for (size_t i = 0; i < tiny->count; i++) {
    brute.offsets[i] = neap_plan_offset(plan, i);
    brute.pools[i] = neap_plan_pool(plan, i);
  }
  return brute;
}

/* The report must agree with the plan, and no lower bound may be above the optimum. */
static void check_report(struct exam *exam, const char *engine, const neap_plan *plan,
                         const struct brute_costs *costs, const struct brute_costs *best) {
  neap_report report = sample_report(plan);
  const struct {
    const char *name;
    neap_term term;
    neap_size value, lower_bound;
  } terms[] = {
      {"peak", NEAP_TERM_PEAK, report.peak, report.lower_bound},
      {"spilled bytes", NEAP_TERM_SPILL, report.costs.spilled_bytes,
       report.costs.spilled_lower_bound},
      {"reuse cost", NEAP_TERM_REUSE, report.costs.reuse, report.costs.reuse_lower_bound},
      {"moved bytes", NEAP_TERM_MOVED, report.costs.moved_bytes,
       report.costs.moved_lower_bound},
  };
  for (size_t i = 0; i < SAMPLE_COUNT(terms); i++) {
    neap_size value = costs->of[terms[i].term];
    if (terms[i].value != value)
      complain(&exam->complaint, "%s: reports %s %" PRId64 ", but the plan has %" PRId64,
               engine, terms[i].name, terms[i].value, value);
    if (terms[i].lower_bound > value)
      complain(&exam->complaint, "%s: lower bound %" PRId64 " above %s %" PRId64, engine,
               terms[i].lower_bound, terms[i].name, value);
    /* With pools, the bounds of the peak are sums for the pools that were chosen. */
    bool is_proven = terms[i].term != NEAP_TERM_PEAK || exam->tiny->pool_count == 0;
    if (is_proven && is_first(exam->tiny, terms[i].term) &&
        terms[i].lower_bound > best->of[terms[i].term])
      complain(&exam->complaint, "%s: lower bound %" PRId64 " above the least %s, %" PRId64,
               engine, terms[i].lower_bound, terms[i].name, best->of[terms[i].term]);
  }
  if (report.bound > report.lower_bound)
    complain(&exam->complaint, "%s: bound %" PRId64 " above the lower bound %" PRId64, engine,
             report.bound, report.lower_bound);
  bool is_best = memcmp(costs, best, sizeof *costs) == 0;
  if (report.outcome == NEAP_OPTIMAL && !is_best)
    complain(&exam->complaint,
             "%s: claims to be optimal with spill %" PRId64 " peak %" PRId64 " reuse %" PRId64
             " moved %" PRId64 ", but %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
             " is possible",
             engine, costs->of[0], costs->of[1], costs->of[2], costs->of[3], best->of[0],
             best->of[1], best->of[2], best->of[3]);
}

/* Whether a plan was found and it is what it says. */
static bool check_plan(struct exam *exam, const char *engine, const neap_plan *plan,
                       neap_size capacity, const struct brute_costs *best) {
  struct brute_plan brute = as_brute(exam->tiny, plan);
  struct brute_costs costs = brute_costs_of(exam->tiny, &brute);
  if (!brute_is_sound(exam->tiny, &brute, capacity)) {
    complain(&exam->complaint, "%s: an unsound plan", engine);
    complain_of_plan(exam, &brute, capacity, engine);
    return false;
  }
  check_report(exam, engine, plan, &costs, best);
  return true;
}

/*
 * An option of an engine, such as a switch of one rule of the search, that changes neither what is
 * sound nor what is optimal; often none.
 */
static const char *const *option_of(const char *engine, uint64_t variant) {
  static const char *const options[][3] = {
      {"exact", "disable", "components"},  {"exact", "disable", "refuted"},
      {"exact", "disable", "coarsening"},  {"exact", "disable", "twins"},
      {"exact", "disable", "weights"},     {"exact", "disable", "boundaries"},
      {"exact", "threads", "2"},           {"exact", "seed", "7"},
      {"sort", "place", "drop"},           {"sort", "place", "tight"},
      {"sort", "place", "best-fit"},       {"sort", "order", "size"},
      {"sort", "order", "-size*duration"}, {"tune", "rearrange", "auto"},
      {"tune", "rearrange", "offenders"},  {"tune", "rearrange", "top"},
      {"tune", "rearrange", "metrics"},    {"tune", "rearrange", "search"},
      {"tune", "rearrange", "exhaustive"}, {"tune", "place", "tight"},
  };
  size_t found[SAMPLE_COUNT(options)], count = 0;
  for (size_t i = 0; i < SAMPLE_COUNT(options); i++)
    if (strcmp(options[i][0], engine) == 0) found[count++] = i;
  uint64_t choice = variant % (2 * count + 1);
  return choice < count ? &options[found[choice]][1] : NULL;
}

static neap_status solve(struct exam *exam, const char *engine, neap_size capacity,
                         neap_plan **plan, neap_error *error) {
  char text[32];
  snprintf(text, sizeof text, "%" PRId64, capacity);
  const char *pairs[9] = {"engine", engine};
  size_t used = 2;
  const char *const *option = option_of(engine, exam->variant);
  for (size_t i = 0; option && i < 2; i++)
    pairs[used++] = option[i];
  if (capacity >= 0) {
    pairs[used++] = "capacity";
    pairs[used++] = text;
  }
  if (exam->is_limited) {
    pairs[used++] = "max-ticks";
    pairs[used++] = "1000";
  }
  assert_true(used < SAMPLE_COUNT(pairs));
  neap_options *options = run_options(pairs);
  *plan = NULL;
  *error = (neap_error){0};
  neap_status status = neap_solve(exam->problem, options, plan, error);
  neap_options_free(options);
  return status;
}

static void check_optimum(struct exam *exam, const char *engine, const neap_plan *plan,
                          const struct brute_costs *best) {
  neap_size spill = best->of[NEAP_TERM_SPILL], peak = best->of[NEAP_TERM_PEAK];
  neap_report report = sample_report(plan);
  if (exam->subjects & OPTIMUM && report.outcome != NEAP_OPTIMAL)
    complain(&exam->complaint,
             "%s: not proven optimal: peak %" PRId64 ", best %" PRId64 "; lower bound %" PRId64,
             engine, report.peak, peak, report.lower_bound);
  if (is_first(exam->tiny, NEAP_TERM_SPILL) && report.costs.spilled_bytes != spill)
    complain(&exam->complaint, "%s: spills %" PRId64 ", but %" PRId64 " is possible", engine,
             report.costs.spilled_bytes, spill);
}

/* An engine that searches to the end must find the optimum and say so, or refute. */
static void check_proof(struct exam *exam, const char *engine, neap_size capacity,
                        enum brute_verdict verdict, const struct brute_costs *best) {
  neap_plan *plan;
  neap_error error;
  neap_status status = solve(exam, engine, capacity, &plan, &error);
  neap_status expected = verdict == BRUTE_INFEASIBLE ? NEAP_INFEASIBLE : NEAP_OK;
  if (status != expected)
    complain(&exam->complaint, "%s, capacity %" PRId64 ": expected %s, found %s: %s", engine,
             capacity, neap_status_name(expected), neap_status_name(status), error.text);
  else if (plan && check_plan(exam, engine, plan, capacity, best) && capacity < 0)
    check_optimum(exam, engine, plan, best);
  neap_plan_free(plan);
}

/* An engine that does not search may fail to find a plan. */
static void check_attempt(struct exam *exam, const char *engine) {
  neap_plan *plan;
  neap_error error;
  neap_status status = solve(exam, engine, -1, &plan, &error);
  if (status == NEAP_INFEASIBLE && exam->verdict != BRUTE_INFEASIBLE)
    complain(&exam->complaint, "%s: wrongly infeasible: %s", engine, error.text);
  else if (status != NEAP_OK && status != NEAP_INFEASIBLE && status != NEAP_NO_PLAN)
    complain(&exam->complaint, "%s: %s: %s", engine, neap_status_name(status), error.text);
  else if (plan && exam->verdict == BRUTE_INFEASIBLE)
    complain(&exam->complaint, "%s: a plan, although there is none", engine);
  else if (plan) check_plan(exam, engine, plan, -1, &exam->costs);
  neap_plan_free(plan);
}

/* Around the peak of the best plan, there are plans above and none below. */
static void check_capacities(struct exam *exam, const char *engine) {
  if (exam->tiny->pool_count > 0) return;
  neap_size peak = exam->costs.of[NEAP_TERM_PEAK];
  if (exam->verdict == BRUTE_INFEASIBLE) peak = (neap_size)(exam->variant % 40);
  for (neap_size capacity = peak > 0 ? peak - 1 : 0; capacity <= peak; capacity++) {
    struct brute_plan plan;
    struct brute_costs costs = exam->costs;
    enum brute_verdict verdict = brute_solve(exam->tiny, capacity, &plan, &costs);
    check_proof(exam, engine, capacity, verdict, &costs);
  }
}

/* ---------------------------------------------------------------- knobs */

#ifdef NEAP_CHECKS

/* Knobs change how much is found, so nothing has to be. */
static void examine_knobs(struct exam *exam) {
  static const char *const engines[] = {"exact", "auto", "sort", "tune"};
  struct random random;
  assert_true(random_init(&random, exam->variant));
  knobs_draw(&random);
  exam->is_limited = true;
  for (size_t i = 0; i < SAMPLE_COUNT(engines); i++)
    check_attempt(exam, engines[i]);
  exam->is_limited = false;
  knobs_set("");
  random_clear(&random);
}

#else

static void examine_knobs(struct exam *exam) { (void)exam; }

#endif

/* ---------------------------------------------------------------- one problem */

static void examine_engines(struct exam *exam, unsigned subjects) {
  if (subjects & EXACT) check_proof(exam, "exact", -1, exam->verdict, &exam->costs);
  if (subjects & AUTO) check_proof(exam, "auto", -1, exam->verdict, &exam->costs);
  if (subjects & CAPACITY && subjects & EXACT) check_capacities(exam, "exact");
  if (subjects & CAPACITY && subjects & AUTO) check_capacities(exam, "auto");
  if (subjects & SORT) check_attempt(exam, "sort");
  if (subjects & TUNE) check_attempt(exam, "tune");
}

/* How many problems there were of each verdict. */
struct tally {
  uint64_t optimal, infeasible, unknown, refused, contradictory;
};

/* What neap refuses must have no plan, and engines must also refuse it. */
static void examine_refused(struct exam *exam, struct tally *tally, unsigned subjects) {
  if (brute_is_contradictory(exam->tiny)) {
    tally->contradictory++;
    return;
  }
  tally->refused++;
  exam->verdict = brute_solve(exam->tiny, -1, &exam->plan, &exam->costs);
  if (subjects & CHECK && exam->verdict == BRUTE_OPTIMAL) {
    neap_error error = {.text = "a buffer or relation was refused"};
    if (exam->problem) neap_problem_check(exam->problem, &error);
    complain_of_plan(exam, &exam->plan, -1, error.text);
  }
  neap_plan *plan;
  neap_error error;
  if (exam->problem && subjects & EXACT &&
      solve(exam, "exact", -1, &plan, &error) != NEAP_ERROR_INPUT)
    complain(&exam->complaint, "a problem that the check refuses is solved");
}

/* What an examination is about. */
struct topic {
  unsigned subjects;
  uint64_t variant;
  const char *format; /* while a problem is shrunk: how it fails */
};

static void examine(const struct tiny *tiny, const struct topic *topic, struct tally *tally,
                    struct complaint *complaint) {
  struct exam exam = {.tiny = tiny,
                      .subjects = topic->subjects,
                      .variant = topic->variant,
                      .problem = tiny_problem(tiny)};
  neap_error error;
  if (!exam.problem || neap_problem_check(exam.problem, &error) != NEAP_OK) {
    examine_refused(&exam, tally, topic->subjects);
  } else {
    exam.verdict = brute_solve(tiny, -1, &exam.plan, &exam.costs);
    tally->optimal += exam.verdict == BRUTE_OPTIMAL;
    tally->infeasible += exam.verdict == BRUTE_INFEASIBLE;
    tally->unknown += exam.verdict == BRUTE_UNKNOWN;
    if (topic->subjects & VERIFIER) examine_verifier(&exam);
    if (topic->subjects & JSON) examine_json_problem(&exam);
    if (topic->subjects & JSON) examine_json_plan(&exam);
    if (topic->subjects & BOUND) examine_bound(&exam);
    if (exam.verdict != BRUTE_UNKNOWN) examine_engines(&exam, topic->subjects);
    if (topic->subjects & KNOBS && exam.verdict != BRUTE_UNKNOWN) examine_knobs(&exam);
  }
  *complaint = exam.complaint;
  neap_problem_free(exam.problem);
}

static bool still_fails(const struct tiny *tiny, const void *context) {
  const struct topic *topic = context;
  struct tally tally = {0};
  struct complaint complaint;
  examine(tiny, topic, &tally, &complaint);
  return complaint.format && complaint.format == topic->format;
}

static void print_json(const struct tiny *tiny) {
  neap_problem *problem = tiny_problem(tiny);
  neap_error error;
  if (problem) json_problem_write(problem, stderr, &error);
  neap_problem_free(problem);
}

/* Shrinks a problem that fails, and shows it. */
static void report_failure(struct tiny *tiny, enum tiny_kind kind, uint64_t seed,
                           struct topic *topic, const struct complaint *complaint) {
  struct complaint last;
  struct tally tally = {0};
  print_error("%s, seed %" PRIu64 ": %s\n", tiny_kind_name(kind), seed, complaint->text);
  topic->format = complaint->format;
  tiny_shrink(tiny, still_fails, topic);
  examine(tiny, topic, &tally, &last);
  const char *const *option = option_of("exact", topic->variant);
  print_error("shrunk: %s (exact: %s %s)\n", last.text, option ? option[0] : "no option",
              option ? option[1] : "");
  tiny_print(tiny, stderr);
  print_json(tiny);
}

/* ---------------------------------------------------------------- all problems */

static uint64_t count_of(const struct kind_case *kind_case) {
  return given_count > 0 ? given_count : sample_tries(kind_case->usual);
}

static void engines_agree_with_enumeration(void **state) {
  const struct kind_case *kind_case = *state;
  struct tally tally = {0};
  uint64_t count = count_of(kind_case), failed = 0;
  struct topic topic = {.subjects = given_subjects ? given_subjects : kind_case->subjects};
  for (uint64_t i = 0; i < count && failed < 3; i++) {
    struct tiny tiny = tiny_random(kind_case->kind, first_seed + i);
    struct complaint complaint;
    topic.variant = first_seed + i;
    examine(&tiny, &topic, &tally, &complaint);
    if (!complaint.format) continue;
    report_failure(&tiny, kind_case->kind, first_seed + i, &topic, &complaint);
    failed++;
  }
  print_message("%s: %" PRIu64 " optimal, %" PRIu64 " infeasible, %" PRIu64 " refused, %" PRIu64
                " contradictory, %" PRIu64 " unknown\n",
                tiny_kind_name(kind_case->kind), tally.optimal, tally.infeasible, tally.refused,
                tally.contradictory, tally.unknown);
  assert_int_equal(failed, 0);
  assert_true(100 * tally.unknown <= count);
}

/* ---------------------------------------------------------------- problems that once failed */

#define ANYWHERE .alignment = 1, .fixed = NEAP_UNPLACED, .near_offset = NEAP_UNPLACED
#define ALIVE .ranges = {{0, 1}}, .range_count = 1
#define IN_ORDER \
  .objective = {NEAP_TERM_SPILL, NEAP_TERM_PEAK, NEAP_TERM_REUSE, NEAP_TERM_MOVED}

static const struct {
  unsigned subjects;
  struct tiny tiny;
} kept[] = {
    /* No sorted order has room, so exact search has no layout to start from. */
    {HARD,
     {IN_ORDER, .count = 2,
      .buffers = {{ANYWHERE, ALIVE, .size = 5, .window_high = 10},
                  {ANYWHERE, ALIVE, .size = 6, .window_high = 10}}}},
    /* A body is fixed higher than one period of its banks, and has no bytes. */
    {HARD,
     {IN_ORDER, .count = 2,
      .buffers = {{.alignment = 1,
                   .fixed = 9,
                   .near_offset = -1,
                   .move_cost = -1,
                   ALIVE,
                   .window_high = NEAP_MAX,
                   .bank = 6},
                  {ANYWHERE, ALIVE, .window_high = NEAP_MAX}},
      .relation_count = 1,
      .relations = {{sizeof(neap_relation), NEAP_COLOCATION, 1, 0, -4, NULL}}}},
    /* A pool's capacity is above all windows, which have no room. */
    {HARD,
     {IN_ORDER, .pool_count = 1, .pools = {{sizeof(neap_pool), "p0", 14, 1, 0, -1}}, .count = 2,
      .buffers = {{ANYWHERE, ALIVE, .size = 3, .window_high = 6},
                  {ANYWHERE, ALIVE, .size = 4, .window_high = 6}}}},
    /* Where relations let members share bytes, a group may be lower than its members' sum. */
    {HARD,
     {IN_ORDER, .count = 3,
      .buffers = {{ANYWHERE, ALIVE, .size = 4, .window_high = NEAP_MAX},
                  {ANYWHERE, ALIVE, .size = 4, .window_high = NEAP_MAX},
                  {ANYWHERE, ALIVE, .size = 3, .window_high = NEAP_MAX}},
      .relation_count = 2,
      .relations = {{sizeof(neap_relation), NEAP_COLOCATION, 0, 1, 1, NULL},
                    {sizeof(neap_relation), NEAP_EXCLUSION, 0, 2, 0, NULL}}}},
    /* The alignment of a pool leaves no offset in the window. */
    {RULES | BOUND | EXACT | AUTO,
     {IN_ORDER, .pool_count = 2,
      .pools = {{sizeof(neap_pool), "p0", -1, 4, 0, -1},
                {sizeof(neap_pool), "p1", -1, 1, 0, -1}},
      .count = 2,
      .buffers = {{ANYWHERE, ALIVE, .size = 2, .window_low = 2, .window_high = 5, .pools = {0},
                   .pool_count = 1},
                  {ANYWHERE, ALIVE, .size = 2, .window_low = 2, .window_high = 5}}}},
    /* Members of a body are in separate banks only at some of its offsets. */
    {HARD,
     {IN_ORDER, .count = 2,
      .buffers = {{ALIVE, .size = 1, .alignment = 1, .fixed = NEAP_UNPLACED,
                   .window_high = NEAP_MAX, .near_offset = 5, .move_cost = 3},
                  {ANYWHERE, ALIVE, .size = 1, .window_high = NEAP_MAX}},
      .relation_count = 2,
      .relations = {{sizeof(neap_relation), NEAP_COLOCATION, 1, 0, 4, NULL},
                    {sizeof(neap_relation), NEAP_BANK_SEPARATION, 1, 0, 6, NULL}}}},
    /* Alignments that do not fit on one stack fit in two pools. */
    {RULES | BOUND,
     {IN_ORDER, .pool_count = 2,
      .pools = {{sizeof(neap_pool), "p0", -1, 1, 0, -1},
                {sizeof(neap_pool), "p1", -1, 1, 0, -1}},
      .count = 2,
      .buffers = {{ALIVE, .size = 1, .alignment = 3, .fixed = NEAP_UNPLACED, .pools = {1},
                   .pool_count = 1, .window_high = NEAP_MAX, .near_offset = NEAP_UNPLACED},
                  {ALIVE, .size = 1, .alignment = 3, .fixed = NEAP_UNPLACED,
                   .window_high = NEAP_MAX, .near_offset = NEAP_UNPLACED}}}},
    /* The banks of a body never agree. */
    {HARD,
     {IN_ORDER, .count = 2,
      .buffers = {{ANYWHERE, ALIVE, .size = 3, .bank = 4, .window_high = NEAP_MAX},
                  {ANYWHERE, ALIVE, .size = 3, .bank = 4, .window_high = NEAP_MAX}},
      .relation_count = 1,
      .relations = {{sizeof(neap_relation), NEAP_COLOCATION, 0, 1, 2, NULL}}}},
    /* Two bodies could support each other at ever higher positions. */
    {HARD,
     {.objective = {NEAP_TERM_SPILL, NEAP_TERM_MOVED, NEAP_TERM_PEAK, NEAP_TERM_REUSE},
      .count = 3,
      .buffers = {{ANYWHERE, ALIVE, .size = 1, .window_high = NEAP_MAX},
                  {ALIVE, .size = 1, .alignment = 1, .fixed = NEAP_UNPLACED,
                   .window_high = NEAP_MAX, .near_offset = 4, .move_cost = 3},
                  {ALIVE, .size = 2, .alignment = 1, .fixed = 3, .window_high = NEAP_MAX,
                   .near_offset = NEAP_UNPLACED}}}},
    /* A body with another alignment keeps off another buffer on one side only. */
    {HARD,
     {.objective = {NEAP_TERM_REUSE, NEAP_TERM_MOVED, NEAP_TERM_PEAK, NEAP_TERM_SPILL},
      .count = 3,
      .buffers = {{ALIVE, .size = 1, .alignment = 3, .fixed = NEAP_UNPLACED,
                   .window_high = NEAP_MAX, .near_offset = 4, .move_cost = 2},
                  {ANYWHERE, ALIVE, .size = 1, .window_high = NEAP_MAX},
                  {ALIVE, .size = 1, .alignment = 1, .fixed = NEAP_UNPLACED,
                   .window_high = NEAP_MAX, .near_offset = 8, .move_cost = 4}},
      .relation_count = 2,
      .relations = {{sizeof(neap_relation), NEAP_COLOCATION, 0, 2, 0, NULL},
                    {sizeof(neap_relation), NEAP_OVERLAP, 2, 1, 0, NULL}}}},
    /* Bytes are reserved without an upper end above others. */
    {HARD,
     {IN_ORDER, .count = 2,
      .buffers = {{ANYWHERE, .ranges = {{0, 1}}, .range_count = 1, .size = 2,
                   .window_high = NEAP_MAX},
                  {ANYWHERE, .ranges = {{0, 4}}, .range_count = 1, .size = 1,
                   .window_high = NEAP_MAX}},
      .reserved_count = 3,
      .reserved = {{sizeof(neap_reserved), 0, 5, NEAP_MAX, {1, 2}},
                   {sizeof(neap_reserved), 0, 4, 7, {0, NEAP_MAX}},
                   {sizeof(neap_reserved), 0, 0, 2, {0, NEAP_MAX}}}}},
    /* The least capacity lets a buffer keep its earlier offset, but no higher one. */
    {HARD,
     {.objective = {NEAP_TERM_MOVED, NEAP_TERM_REUSE, NEAP_TERM_PEAK, NEAP_TERM_SPILL},
      .count = 3,
      .buffers = {{ALIVE, .size = 3, .alignment = 3, .fixed = NEAP_UNPLACED,
                   .window_high = NEAP_MAX, .near_offset = NEAP_UNPLACED},
                  {ANYWHERE, ALIVE, .size = 4, .window_high = NEAP_MAX},
                  {.ranges = {{2, 3}},
                   .range_count = 1,
                   .size = 4,
                   .alignment = 1,
                   .fixed = NEAP_UNPLACED,
                   .window_high = NEAP_MAX,
                   .near_offset = 4,
                   .move_cost = 5}}}},
    /* Separated buffers are colocated at the same bytes, which an allowance permits. */
    {HARD,
     {IN_ORDER, .count = 2,
      .buffers = {{ALIVE, .size = 1, .alignment = 4, .fixed = NEAP_UNPLACED,
                   .window_high = NEAP_MAX, .near_offset = NEAP_UNPLACED},
                  {ALIVE, .size = 1, .alignment = 12, .fixed = NEAP_UNPLACED,
                   .window_high = NEAP_MAX, .near_offset = NEAP_UNPLACED}},
      .relation_count = 3,
      .relations = {{sizeof(neap_relation), NEAP_COLOCATION, 1, 0, 0, NULL},
                    {sizeof(neap_relation), NEAP_SEPARATION, 0, 1, 0, NULL},
                    {sizeof(neap_relation), NEAP_OVERLAP, 1, 0, 0, NULL}}}},
    /* A body without bytes has an extent all the same. */
    {HARD,
     {IN_ORDER, .count = 2,
      .buffers = {{ANYWHERE, ALIVE, .window_high = NEAP_MAX},
                  {ANYWHERE, ALIVE, .window_high = NEAP_MAX}},
      .relation_count = 1,
      .relations = {{sizeof(neap_relation), NEAP_COLOCATION, 0, 1, 4, NULL}}}},
};

TEST(problems_that_once_failed_do_not) {
  for (size_t i = 0; i < SAMPLE_COUNT(kept); i++) {
    struct topic topic = {.subjects = kept[i].subjects};
    struct tally tally = {0};
    struct complaint complaint;
    examine(&kept[i].tiny, &topic, &tally, &complaint);
    if (complaint.format) fail_msg("kept problem %zu: %s", i, complaint.text);
  }
}

/* ---------------------------------------------------------------- the enumeration itself */

#define LOW_OFFSETS 13

/* Tries all plans of three buffers with low offsets, without any pruning. */
static bool try_all(const struct tiny *tiny, struct brute_plan *plan, size_t next,
                    struct brute_costs *best) {
  bool found = false;
  if (next == tiny->count) {
    struct brute_costs costs = brute_costs_of(tiny, plan);
    if (!brute_is_sound(tiny, plan, -1)) return false;
    for (size_t i = 0; i < NEAP_TERM_COUNT; i++) {
      neap_term term = tiny->objective[i];
      if (costs.of[term] > best->of[term]) return true;
      if (costs.of[term] < best->of[term]) *best = costs;
    }
    return true;
  }
  for (size_t p = 0; p < (tiny->pool_count == 0 ? 1 : tiny->pool_count); p++)
    for (neap_offset at = 0; at < LOW_OFFSETS; at++) {
      plan->pools[next] = p;
      plan->offsets[next] = at;
      found |= try_all(tiny, plan, next + 1, best);
    }
  return found;
}

static bool is_low(const struct tiny *tiny, const struct brute_plan *plan) {
  for (size_t i = 0; i < tiny->count; i++)
    if (plan->offsets[i] >= LOW_OFFSETS) return false;
  return true;
}

/* Pruning, sets and bodies must not change what is best. */
static void check_enumeration(const struct tiny *tiny) {
  struct brute_plan plan, tried;
  struct brute_costs costs, best;
  for (size_t i = 0; i < NEAP_TERM_COUNT; i++)
    best.of[i] = NEAP_MAX;
  enum brute_verdict verdict = brute_solve(tiny, -1, &plan, &costs);
  bool found = try_all(tiny, &tried, 0, &best);
  if (verdict != BRUTE_OPTIMAL) {
    assert_false(found);
  } else if (is_low(tiny, &plan)) {
    assert_true(found);
    assert_memory_equal(&costs, &best, sizeof best);
  } else if (found) {
    for (size_t i = 0; i < NEAP_TERM_COUNT; i++) {
      neap_term term = tiny->objective[i];
      assert_true(best.of[term] >= costs.of[term]);
      if (best.of[term] > costs.of[term]) break;
    }
  }
}

TEST(enumeration_agrees_with_trying_everything) {
  for (size_t kind = 0; kind < TINY_KIND_COUNT; kind++)
    for (uint64_t seed = 0, wanted = getenv("NEAP_LONG") ? 400 : 20; wanted > 0; seed++) {
      struct tiny tiny = tiny_random((enum tiny_kind)kind, UINT64_C(1000000000) + seed);
      if (tiny.count > 3 || tiny.pool_count > 2) continue;
      check_enumeration(&tiny);
      wanted--;
    }
}

/* ---------------------------------------------------------------- arguments */

static unsigned read_subjects(const char *text) {
  unsigned subjects = 0;
  for (size_t i = 0; i < SAMPLE_COUNT(subject_names); i++)
    if (strstr(text, subject_names[i].name)) subjects |= subject_names[i].subject;
  return subjects;
}

int main(int count, char **arguments) {
  struct CMUnitTest tests[TINY_KIND_COUNT + 2];
  size_t chosen = 0;
  bool is_all = count < 2 || strcmp(arguments[1], "all") == 0;
  for (size_t k = 0; k < TINY_KIND_COUNT; k++) {
    const char *name = tiny_kind_name(kind_cases[k].kind);
    if (!is_all && strcmp(arguments[1], name) != 0) continue;
    tests[chosen++] = (struct CMUnitTest){.name = name,
                                          .test_func = engines_agree_with_enumeration,
                                          .initial_state = &kind_cases[k]};
  }
  if (count < 2)
    tests[chosen++] = (struct CMUnitTest)cmocka_unit_test(problems_that_once_failed_do_not);
  if (count < 2)
    tests[chosen++] =
        (struct CMUnitTest)cmocka_unit_test(enumeration_agrees_with_trying_everything);
  if (count > 2) given_count = strtoull(arguments[2], NULL, 10);
  if (count > 3) first_seed = strtoull(arguments[3], NULL, 10);
  if (count > 4) given_subjects = read_subjects(arguments[4]);
  return _cmocka_run_group_tests("relations", tests, chosen, NULL, NULL);
}
