/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds problems from memory operations.  The time of an operation is its position in the
 * sequence: a buffer allocated by operation t and freed by operation u is alive in [t, u).  Buffers
 * that are never freed are alive to the end of the sequence.
 *
 * A name may be allocated again after it was freed.  The first buffer keeps the name; later ones
 * are called name#1, name#2, ...
 *
 * O(n) time with hashed names, O(n) memory.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "model/problem.h"

/* The state of a name at a point in the sequence. */
struct use {
  size_t stays; /* allocations so far */
  size_t live;  /* the buffer alive, counted from 1 over all buffers; 0: none */
};

struct stay {
  size_t operation; /* the operation that allocates it */
  size_t name;
  size_t number; /* among the buffers of its name, from 0 */
  neap_time end;
};

struct walk {
  const neap_operation *operations;
  size_t count;
  struct names names;
  struct use *uses;
  size_t use_capacity;
  struct stay *stays;
  size_t stay_count;
};

static neap_status refuse_operation(size_t at, const char *what, const char *name,
                                    neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  return error_at(error, NEAP_ERROR_INPUT, at + 1, 0, "%s %s", what,
                  text_excerpt(excerpt, name, strlen(name)));
}

/* The number of a name, new or old; NAMES_NONE when memory is short. */
static size_t name_number(struct walk *walk, const char *name) {
  size_t length = strlen(name);
  size_t number = names_find(&walk->names, name, length);
  if (number != NAMES_NONE) return number;
  number = walk->names.count;
  if (!memory_reserve(&walk->uses, &walk->use_capacity, number + 1, sizeof *walk->uses) ||
      !names_add(&walk->names, name, length))
    return NAMES_NONE;
  walk->uses[number] = (struct use){0};
  return number;
}

static neap_status apply_operation(struct walk *walk, size_t at, neap_error *error) {
  const neap_operation *operation = &walk->operations[at];
  size_t name = name_number(walk, operation->name);
  if (name == NAMES_NONE) return error_memory(error);
  struct use *use = &walk->uses[name];
  assert(use->live <= walk->stay_count && walk->stay_count <= at);
  if (!operation->is_alloc) {
    if (use->live == 0) {
      const char *what =
          use->stays ? "expected the name of a live buffer to free, found one freed before:"
                     : "expected the name of a live buffer to free, found one never allocated:";
      return refuse_operation(at, what, operation->name, error);
    }
    walk->stays[use->live - 1].end = (neap_time)at;
    use->live = 0;
    return NEAP_OK;
  }
  if (use->live != 0)
    return refuse_operation(
        at, "expected a name that is not live to allocate, found a live one:", operation->name,
        error);
  walk->stays[walk->stay_count++] =
      (struct stay){at, name, use->stays++, (neap_time)walk->count};
  use->live = walk->stay_count;
  return NEAP_OK;
}

static neap_status add_stay(const struct walk *walk, const struct stay *stay,
                            neap_problem *problem, neap_error *error) {
  const neap_operation *operation = &walk->operations[stay->operation];
  neap_range range = {(neap_time)stay->operation, stay->end};
  assert(range.start < range.end);
  neap_buffer buffer = NEAP_BUFFER_INIT;
  buffer.name = operation->name;
  buffer.size = operation->size;
  buffer.alignment = operation->alignment;
  buffer.ranges = &range;
  buffer.range_count = 1;
  char *numbered = NULL;
  if (stay->number > 0) {
    size_t room = strlen(operation->name) + 24;
    numbered = memory_array(room, 1);
    if (!numbered) return error_memory(error);
    snprintf(numbered, room, "%s#%zu", operation->name, stay->number);
    buffer.name = numbered;
  }
  neap_status status = neap_problem_add(problem, &buffer, error);
  free(numbered);
  if (status != NEAP_OK && error) error->line = stay->operation + 1;
  return status;
}

static neap_status build_problem(struct walk *walk, neap_problem *problem, neap_error *error) {
  walk->stays = memory_array(walk->count, sizeof *walk->stays);
  if (!walk->stays) return error_memory(error);
  for (size_t at = 0; at < walk->count; at++) {
    neap_status status = apply_operation(walk, at, error);
    if (status != NEAP_OK) return status;
  }
  for (size_t i = 0; i < walk->stay_count; i++) {
    neap_status status = add_stay(walk, &walk->stays[i], problem, error);
    if (status != NEAP_OK) return status;
  }
  problem->horizon = (neap_time)walk->count;
  return NEAP_OK;
}

neap_status neap_problem_from_operations(const neap_operation *operations, size_t count,
                                         neap_problem **problem, neap_error *error) {
  neap_problem *made = neap_problem_new();
  if (!made) return error_memory(error);
  struct walk walk = {.operations = operations, .count = count};
  neap_status status = build_problem(&walk, made, error);
  names_clear(&walk.names);
  free(walk.uses);
  free(walk.stays);
  if (status == NEAP_OK) *problem = made;
  else neap_problem_free(made);
  return status;
}
