/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/runtime_arena.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/memory.h"

/* ---------------------------------------------------------------- records */

static void clear_notes(struct arena_notes *notes) {
  names_clear(&notes->texts);
  free(notes->groups);
}

struct runtime_arena *runtime_arena_new(size_t subgraph_count, const size_t *operator_counts) {
  struct runtime_arena *arena = memory_array(1, sizeof *arena);
  size_t count = 0;
  if (!arena) return NULL;
  arena->subgraph_count = subgraph_count;
  arena->firsts = memory_array(subgraph_count, sizeof *arena->firsts);
  arena->nexts = memory_array(subgraph_count, sizeof *arena->nexts);
  for (size_t s = 0; s < subgraph_count && arena->firsts; s++) {
    arena->firsts[s] = count;
    count += operator_counts[s];
  }
  arena->totals.struct_size = sizeof arena->totals;
  arena->totals.operator_count = count;
  arena->operators = memory_array(count, sizeof *arena->operators);
  arena->records = memory_array(count, sizeof *arena->records);
  arena->order = memory_array(count, sizeof *arena->order);
  if (arena->firsts && arena->nexts && arena->operators && arena->records && arena->order) {
    for (size_t i = 0; i < count; i++)
      arena->order[i] = i;
    return arena;
  }
  runtime_arena_free(arena);
  return NULL;
}

void runtime_arena_free(struct runtime_arena *arena) {
  if (!arena) return;
  free(arena->operators);
  free(arena->records);
  free(arena->order);
  free(arena->firsts);
  free(arena->nexts);
  free(arena->steps);
  clear_notes(&arena->unknown);
  clear_notes(&arena->refused);
  free(arena);
}

/* A copy of a list, which may be empty; NULL if memory is short. */
static void *copy_list(const void *list, size_t count, size_t size) {
  void *copy = memory_array(count, size);
  if (copy && count > 0) memcpy(copy, list, count * size);
  return copy;
}

static bool copy_notes(struct arena_notes *copy, const struct arena_notes *notes) {
  copy->capacity = notes->texts.count;
  copy->groups = copy_list(notes->groups, notes->texts.count, sizeof *copy->groups);
  return copy->groups && names_add_all(&copy->texts, &notes->texts);
}

struct runtime_arena *runtime_arena_copy(const struct runtime_arena *arena) {
  size_t count = arena->totals.operator_count, subgraphs = arena->subgraph_count;
  struct runtime_arena *copy = memory_array(1, sizeof *copy);
  if (!copy) return NULL;
  *copy = *arena;
  copy->unknown = copy->refused = (struct arena_notes){.groups = NULL};
  copy->operators = copy_list(arena->operators, count, sizeof *copy->operators);
  copy->records = copy_list(arena->records, count, sizeof *copy->records);
  copy->order = copy_list(arena->order, count, sizeof *copy->order);
  copy->firsts = copy_list(arena->firsts, subgraphs, sizeof *copy->firsts);
  copy->nexts = copy_list(arena->nexts, subgraphs, sizeof *copy->nexts);
  copy->steps = copy_list(arena->steps, arena->step_count, sizeof *copy->steps);
  copy->step_capacity = arena->step_count;
  if (copy->operators && copy->records && copy->order && copy->firsts && copy->nexts &&
      copy->steps && copy_notes(&copy->unknown, &arena->unknown) &&
      copy_notes(&copy->refused, &arena->refused))
    return copy;
  runtime_arena_free(copy);
  return NULL;
}

bool runtime_arena_add(struct runtime_arena *arena, const struct arena_step *step) {
  if (!memory_reserve(&arena->steps, &arena->step_capacity, arena->step_count + 1,
                      sizeof *arena->steps))
    return false;
  arena->steps[arena->step_count++] = *step;
  return true;
}

bool arena_notes_add(struct arena_notes *notes, const char *text, size_t subgraph,
                     size_t index) {
  size_t length = strlen(text), group = names_find(&notes->texts, text, length);
  if (group == NAMES_NONE) {
    group = notes->texts.count;
    if (!memory_reserve(&notes->groups, &notes->capacity, group + 1, sizeof *notes->groups) ||
        !names_add(&notes->texts, text, length))
      return false;
    notes->groups[group] = (struct arena_group){.subgraph = subgraph, .first = index};
  }
  notes->groups[group].count++;
  return true;
}

/* ---------------------------------------------------------------- sums */

/* Adds `repeat` times `bytes`, each time to a multiple of the alignment. */
static bool add_aligned(neap_size *sum, const struct arena_step *step) {
  neap_size alignment = (neap_size)step->alignment, rest;
  if (step->repeat == 0) return true;
  return checked_add(*sum, step->bytes, sum) && checked_round_up(*sum, alignment, sum) &&
         checked_round_up(step->bytes, alignment, &rest) &&
         checked_mul(rest, step->repeat - 1, &rest) && checked_add(*sum, rest, sum);
}

static bool keep(struct arena_sum *sum, const struct arena_step *step) {
  neap_size before = sum->tail;
  if (!add_aligned(&sum->tail, step) || !add_aligned(&sum->persistent, step)) return false;
  sum->totals->least_tail += step->bytes * step->repeat; /* no more than the tail */
  sum->totals->parts[step->part] += sum->tail - before;
  if (sum->kernel) sum->kernel->persistent += sum->tail - before;
  return true;
}

static bool borrow(struct arena_sum *sum, const struct arena_step *step) {
  neap_size bytes;
  return checked_round_up(sum->borrowed, (neap_size)step->alignment, &sum->borrowed) &&
         checked_mul(step->bytes, step->repeat, &bytes) &&
         checked_add(sum->borrowed, bytes, &sum->borrowed);
}

/* Notes what is in use at this moment. */
static bool note_use(struct arena_sum *sum) {
  neap_size used;
  if (!checked_add(sum->tail, sum->borrowed, &used) ||
      !checked_round_up(used, NEAP_ARENA_STEP, &used))
    return false;
  sum->totals->preparing = larger_of(sum->totals->preparing, used);
  sum->totals->non_persistent = larger_of(sum->totals->non_persistent, sum->borrowed);
  return true;
}

static bool settle(struct arena_sum *sum, const struct arena_step *step) {
  if (!note_use(sum) || !checked_add(sum->list, step->bytes, &sum->list)) return false;
  sum->borrowed = sum->list;
  return note_use(sum);
}

static void sum_steps(struct arena_sum *sum, const struct runtime_arena *arena, size_t begin,
                      size_t end) {
  for (size_t i = begin; i < end && !sum->is_too_large; i++) {
    const struct arena_step *step = &arena->steps[i];
    switch (step->action) {
    case ARENA_KEEP:
      sum->is_too_large = !keep(sum, step);
      break;
    case ARENA_BORROW:
      sum->is_too_large = !borrow(sum, step);
      break;
    case ARENA_SETTLE:
      sum->is_too_large = !settle(sum, step);
      break;
    }
  }
}

/* Sums the steps of all operators, and in `kernels`, unless NULL, the bytes of each kernel. */
static void sum_operators(struct arena_sum *sum, const struct runtime_arena *arena,
                          neap_arena_operator *kernels) {
  for (size_t stage = 0; stage < ARENA_STAGES; stage++)
    for (size_t i = 0; i < arena->totals.operator_count; i++) {
      const struct arena_record *record = &arena->records[arena->order[i]];
      sum->kernel = kernels ? &kernels[arena->order[i]] : NULL;
      sum_steps(sum, arena, record->begins[stage], record->ends[stage]);
    }
  sum->kernel = NULL;
}

static void sum_savings(struct runtime_arena *arena) {
  for (size_t i = 0; i < arena->totals.operator_count; i++) {
    const struct arena_record *record = &arena->records[i];
    if (record->saving == NEAP_ARENA_SAVINGS) continue;
    arena->totals.saving_counts[record->saving]++;
    arena->totals.savings[record->saving] += arena->operators[i].persistent + record->structs;
  }
}

static void reset(struct runtime_arena *arena) {
  neap_arena *totals = &arena->totals;
  totals->preparing = totals->least_tail = totals->non_persistent = 0;
  memset(totals->parts, 0, sizeof totals->parts);
  memset(totals->savings, 0, sizeof totals->savings);
  memset(totals->saving_counts, 0, sizeof totals->saving_counts);
  for (size_t i = 0; i < totals->operator_count; i++)
    arena->operators[i].persistent = 0;
}

void runtime_arena_sum(struct runtime_arena *arena) {
  struct arena_sum sum = {.totals = &arena->totals, .persistent = arena->apart};
  reset(arena);
  sum_steps(&sum, arena, 0, arena->opening);
  sum_operators(&sum, arena, arena->operators);
  sum_steps(&sum, arena, arena->closing, arena->step_count);
  if (!sum.is_too_large) sum_savings(arena);
  arena->totals.tail = sum.is_too_large ? NEAP_MAX : sum.tail;
  arena->totals.persistent = sum.is_too_large ? NEAP_MAX : sum.persistent;
}

/* Adds a head to what has been summed up. */
static bool add_head(neap_arena *arena, neap_size head) {
  if (head > NEAP_MAX - arena->tail) return false;
  arena->head = head;
  arena->used = head + arena->tail;
  /* The runtime aligns the end of the arena. */
  if (!checked_round_up(arena->used, NEAP_ARENA_STEP, &arena->smallest)) return false;
  arena->smallest = larger_of(arena->smallest, arena->preparing);
  arena->non_persistent = larger_of(arena->non_persistent, head);
  return checked_round_up(arena->persistent, NEAP_ARENA_STEP, &arena->persistent) &&
         checked_round_up(arena->non_persistent, NEAP_ARENA_STEP, &arena->non_persistent);
}

bool runtime_arena_total(const struct runtime_arena *own, neap_size head, neap_arena *arena) {
  *arena = own->totals;
  return add_head(arena, head);
}

/* Adds the counts of a model that shares an arena. */
static void add_counts(neap_arena *total, const neap_arena *own) {
  total->tensor_count += own->tensor_count;
  total->operator_count += own->operator_count;
  total->scratch_count += own->scratch_count;
  total->variable_count += own->variable_count;
  total->resource_count += own->resource_count;
  total->is_as_written &= own->is_as_written;
  for (size_t i = 0; i < NEAP_ARENA_SAVINGS; i++) {
    total->saving_counts[i] += own->saving_counts[i];
    total->savings[i] += own->savings[i];
  }
}

void runtime_arena_share(struct arena_sum *sum, const struct runtime_arena *arena,
                         neap_size head) {
  neap_arena *totals = sum->totals;
  const bool is_first = totals->struct_size == 0;
  if (is_first) {
    totals->struct_size = sizeof *totals;
    totals->pointer = arena->totals.pointer;
    totals->kernels = arena->totals.kernels;
    totals->version = arena->totals.version;
    totals->has_overlap = arena->totals.has_overlap;
    totals->is_as_written = true;
    sum->persistent = arena->apart;
  }
  sum->list = sum->borrowed = 0; /* the previous model's head is no longer needed */
  sum_steps(sum, arena, is_first ? 0 : arena->shared, arena->opening);
  sum_operators(sum, arena, NULL);
  sum_steps(sum, arena, arena->closing, arena->step_count);
  add_counts(totals, &arena->totals);
  totals->head = larger_of(totals->head, head);
}

bool runtime_arena_share_total(const struct arena_sum *sum) {
  if (sum->is_too_large) return false;
  sum->totals->tail = sum->tail;
  sum->totals->persistent = sum->persistent;
  return add_head(sum->totals, sum->totals->head);
}

/* ---------------------------------------------------------------- another order */

void runtime_arena_begin_order(struct runtime_arena *arena) {
  if (arena->subgraph_count > 0)
    memcpy(arena->nexts, arena->firsts, arena->subgraph_count * sizeof *arena->nexts);
}

void runtime_arena_place(struct runtime_arena *arena, size_t subgraph, size_t index) {
  assert(subgraph < arena->subgraph_count);
  assert(arena->nexts[subgraph] < arena->totals.operator_count);
  arena->order[arena->nexts[subgraph]++] = arena->firsts[subgraph] + index;
}
