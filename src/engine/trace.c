/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trace records the problem that a planner gets, not the calls that built the problem.  So one
 * place covers programs that read files, build graphs or call neap_solve, and a trace needs no
 * other file.  A trace omits names, which planning ignores, and operators, orders and targets.
 */
#include "engine/planner.h"

#ifdef NEAP_TRACES

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/options.h"
#include "neap/graph.h"
#include "neap/relations.h"

/*
 * The slots of a trace (tests/fuzz/call_table.h), one per live planner; further planners are
 * skipped.
 */
#define SLOTS 8

static struct {
  pthread_mutex_t lock;
  FILE *file;
  const neap_planner *planners[SLOTS];
} trace = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local unsigned steps; /* the steps that this thread is in */

__attribute__((constructor)) static void open_trace(void) {
  const char *path = getenv("NEAP_TRACE");
  if (!path) return;
  trace.file = fopen(path, "w");
  if (trace.file) return;
  perror(path);
  exit(2);
}

/* Begins a record; returns the planner's slot (NULL: a free slot), or SLOTS if it has none. */
static unsigned begin(const neap_planner *planner) {
  unsigned slot = 0;
  pthread_mutex_lock(&trace.lock);
  while (slot < SLOTS && trace.planners[slot] != planner)
    slot++;
  return slot;
}

static void end(void) {
  fflush(trace.file);
  pthread_mutex_unlock(&trace.lock);
}

/* ---------------------------------------------------------------- problems */

static void write_pools(unsigned slot, const neap_problem *problem) {
  neap_pool pool = NEAP_INIT(neap_pool);
  for (size_t i = 0; neap_problem_pool_at(problem, i, &pool); i++)
    fprintf(trace.file, "pool %u %zu %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", slot,
            i, pool.capacity, pool.alignment, pool.cost, pool.base);
}

static void write_buffer(unsigned slot, const neap_buffer *buffer) {
  for (size_t i = 0; i < buffer->range_count; i++)
    fprintf(trace.file, "range %" PRId64 " %" PRId64 "\n", buffer->ranges[i].start,
            buffer->ranges[i].end);
  for (size_t i = 0; i < buffer->pool_count; i++)
    fprintf(trace.file, "choice %zu\n", buffer->pools[i]);
  fprintf(trace.file, "buffer %u", slot);
  const int64_t numbers[] = {buffer->size,        buffer->alignment,   buffer->fixed_offset,
                             buffer->window_low,  buffer->window_high, buffer->bank,
                             buffer->near_offset, buffer->move_cost};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    fprintf(trace.file, " %" PRId64, numbers[i]);
  putc('\n', trace.file);
}

static void write_relations(unsigned slot, const neap_problem *problem) {
  neap_relation relation = NEAP_INIT(neap_relation);
  neap_reserved reserved = NEAP_INIT(neap_reserved);
  for (size_t i = 0; neap_problem_relation_at(problem, i, &relation); i++)
    fprintf(trace.file, "relate %u %d %zu %zu %" PRId64 "\n", slot, (int)relation.kind,
            relation.first, relation.second, relation.bytes);
  for (size_t i = 0; neap_problem_reserved_at(problem, i, &reserved); i++)
    fprintf(trace.file, "reserve %u %zu %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n",
            slot, reserved.pool, reserved.low, reserved.high, reserved.when.start,
            reserved.when.end);
}

/* The names of buffers are their numbers; those of other tensors follow. */
static void write_runtime_tensors(unsigned slot, const neap_problem *problem) {
  neap_runtime_tensor tensor = NEAP_INIT(neap_runtime_tensor);
  for (size_t i = 0; neap_problem_runtime_tensor_at(problem, i, &tensor); i++) {
    size_t number = neap_problem_count(problem) + i;
    if (tensor.is_buffer) neap_problem_find(problem, tensor.name, &number);
    fprintf(trace.file, "runtime %u %zu %" PRId64 "\n", slot, number, tensor.size);
  }
}

static void write_problem(unsigned slot, const neap_problem *problem) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  neap_term order[NEAP_TERM_COUNT];
  fprintf(trace.file, "problem %u\n", slot);
  write_pools(slot, problem);
  for (size_t i = 0; neap_problem_buffer_at(problem, i, &buffer); i++)
    write_buffer(slot, &buffer);
  write_relations(slot, problem);
  write_runtime_tensors(slot, problem);
  neap_problem_objective(problem, order);
  fprintf(trace.file, "terms %u", slot);
  for (size_t i = 0; i < NEAP_TERM_COUNT; i++)
    fprintf(trace.file, " %d", (int)order[i]);
  putc('\n', trace.file);
}

/* ---------------------------------------------------------------- options */

static void write_list(const neap_option_info *info, int64_t set) {
  const char *comma = "";
  for (size_t i = 0; i < info->choice_count; i++) {
    if ((set >> i & 1) == 0) continue;
    fprintf(trace.file, "%s%s", comma, info->choices[i]);
    comma = ",";
  }
}

static void write_value(const neap_option_info *info, int64_t value) {
  switch (info->kind) {
  case NEAP_OPTION_CHOICE:
    fputs(info->choices[value], trace.file);
    break;
  case NEAP_OPTION_LIST:
    write_list(info, value);
    break;
  case NEAP_OPTION_SWITCH:
    fputs(value ? "yes" : "no", trace.file);
    break;
  case NEAP_OPTION_SECONDS:
  case NEAP_OPTION_RATIO:
    fprintf(trace.file, "%" PRId64 ".%06" PRId64, value / OPTION_MILLIONTHS,
            value % OPTION_MILLIONTHS);
    break;
  default:
    fprintf(trace.file, "%" PRId64, value);
  }
}

static void write_order(unsigned slot, const struct order_spec *order) {
  static const char *const signs[] = {
      [COMBINE_SINGLE] = "", [COMBINE_SUM] = "+", [COMBINE_PRODUCT] = "*", [COMBINE_RATIO] = "/"};
  fprintf(trace.file, "set %u order ", slot);
  for (size_t k = 0; k < order->key_count; k++) {
    const struct order_key *key = &order->keys[k];
    fprintf(trace.file, "%s%s", k > 0 ? "," : "", key->ascending ? "-" : "");
    for (size_t m = 0; m < key->metric_count; m++)
      fprintf(trace.file, "%s%s", m > 0 ? signs[key->combine] : "",
              metric_name(key->metrics[m]));
  }
  putc('\n', trace.file);
}

/* Writes the options that differ from their defaults. */
static void write_options(unsigned slot, const neap_options *options) {
  struct neap_options usual;
  option_table_set_defaults(&usual);
  fprintf(trace.file, "defaults %u\n", slot);
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    neap_option_info info = NEAP_INIT(neap_option_info);
    if (!neap_option_at(i, &info) || options->value[i] == usual.value[i]) continue;
    fprintf(trace.file, "set %u %s ", slot, info.name);
    write_value(&info, options->value[i]);
    putc('\n', trace.file);
  }
  if (options->order_given) write_order(slot, &options->order);
}

/* ---------------------------------------------------------------- planners */

void trace_planner(const neap_planner *planner, const neap_problem *problem,
                   const neap_options *options) {
  if (!trace.file || steps > 0) return;
  unsigned slot = begin(NULL);
  if (slot < SLOTS) {
    trace.planners[slot] = planner;
    write_problem(slot, problem);
    write_options(slot, options);
    fprintf(trace.file, "planner %u %u %u\n", slot, slot, slot);
  }
  end();
}

void trace_step_begin(const neap_planner *planner) {
  if (trace.file && steps == 0) {
    unsigned slot = begin(planner);
    if (slot < SLOTS) fprintf(trace.file, "step %u 1\n", slot);
    end();
  }
  steps++;
}

void trace_step_end(void) { steps--; }

void trace_plan(const neap_planner *planner) {
  if (!trace.file) return;
  unsigned slot = begin(planner);
  if (slot < SLOTS) fprintf(trace.file, "take %u %u\nfree-plan %u\n", slot, slot, slot);
  end();
}

void trace_free(const neap_planner *planner) {
  if (!trace.file) return;
  unsigned slot = begin(planner);
  if (slot < SLOTS) {
    trace.planners[slot] = NULL;
    fprintf(trace.file, "free-planner %u\nfree-options %u\nfree-problem %u\n", slot, slot, slot);
  }
  end();
}

#endif
