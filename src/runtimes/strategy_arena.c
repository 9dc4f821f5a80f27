/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TensorFlow Lite's arena on a problem: one execution of everything. */
#include <inttypes.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "runtimes/arena.h"
#include "runtimes/strategy.h"

struct order {
  const struct record *items;
  neap_time begin, end; /* the first first and the last last task */
};

/* What lives throughout comes first, by number; then the largest, then what begins first. */
static int by_urgency(const void *left, const void *right, void *context) {
  const struct order *order = context;
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  const struct record *x = &order->items[a], *y = &order->items[b];
  bool x_whole = x->first == order->begin && x->last == order->end;
  bool y_whole = y->first == order->begin && y->last == order->end;
  if (x_whole != y_whole) return x_whole ? -1 : 1;
  if (!x_whole && x->size != y->size) return x->size > y->size ? -1 : 1;
  if (!x_whole && x->first != y->first) return x->first < y->first ? -1 : 1;
  return a < b ? -1 : a > b;
}

static void sort(const struct records *records, size_t *list) {
  struct order order = {records->items, NEAP_MAX, 0};
  for (size_t r = 0; r < records->count; r++) {
    list[r] = r;
    if (records->items[r].first < order.begin) order.begin = records->items[r].first;
    if (records->items[r].last > order.end) order.end = records->items[r].last;
  }
  if (records->count > 0) qsort_r(list, records->count, sizeof *list, by_urgency, &order);
}

static neap_status fill(const struct strategy_task *task, struct arena *arena,
                        const size_t *list, neap_offset *offsets, neap_error *error) {
  for (size_t i = 0; i < task->records.count; i++) {
    const struct record *record = &task->records.items[list[i]];
    struct arena_record made = {0, record->size, list[i], record->first, record->last};
    if (!budget_tick(task->budget)) return NEAP_NO_PLAN;
    neap_status status = arena_allocate(arena, task->alignment, &made, error);
    if (status != NEAP_OK) return status;
    offsets[list[i]] = made.offset;
  }
  return NEAP_OK;
}

static neap_status plan(const struct strategy_task *task, bool exactly,
                        struct strategy_result *result, neap_error *error) {
  if (task->alignment > ARENA_ALIGNMENT || (task->alignment & (task->alignment - 1)) != 0)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "the arena aligns to powers of two up to %d, found %" PRId64,
                     ARENA_ALIGNMENT, task->alignment);
  struct arena arena = {.measures_exactly = exactly};
  size_t *list = memory_array(task->records.count, sizeof *list);
  if (!list) return error_memory(error);
  sort(&task->records, list);
  neap_status status = fill(task, &arena, list, result->offsets, error);
  result->total = arena.high_water;
  arena_clear(&arena);
  free(list);
  return status;
}

static neap_status plan_arena(const struct strategy_task *task, struct strategy_result *result,
                              neap_error *error) {
  return plan(task, false, result, error);
}

static neap_status plan_mended(const struct strategy_task *task, struct strategy_result *result,
                               neap_error *error) {
  return plan(task, true, result, error);
}

const struct strategy strategies_arena[] = {
    {{"tflite-arena",
      "TFLite: the interpreter's arena, the largest first, each into the smallest gap", true},
     plan_arena},
    {{"tflite-arena-mended", "TFLite's arena with gaps measured as they are compared, aligned",
      true},
     plan_mended},
    {{NULL, NULL, false}, NULL}};
