/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A snapshot holds everything that undo restores, one array after another. */
#include "search/boards/board_global.h"

#include <assert.h>
#include <string.h>

struct array {
  void *elements;
  size_t size; /* in bytes */
};

#define ARRAYS 10

static void list_arrays(const struct global_state *state, struct array *arrays) {
  const struct part *part = state->part;
  size_t columns = part->column_count, bodies = part->ties ? part->ties->body_count : 0;
  const struct array all[ARRAYS] = {
      {(void *)(uintptr_t)&state->key, sizeof state->key},
      {(void *)(uintptr_t)&state->left_count, sizeof state->left_count},
      {state->floor, columns * sizeof *state->floor},
      {state->lowest_count, columns * sizeof *state->lowest_count},
      {state->rest, columns * sizeof *state->rest},
      {state->crossing, columns * sizeof *state->crossing},
      {state->tops, columns * sizeof *state->tops},
      {state->low, part->count * sizeof *state->low},
      {state->left, (part->count / 64 + 1) * sizeof *state->left},
      {state->placed, bodies * sizeof *state->placed},
  };
  memcpy(arrays, all, sizeof all);
}

size_t global_snapshot_size(const struct global_state *state) {
  struct array arrays[ARRAYS];
  size_t size = 0;
  list_arrays(state, arrays);
  for (size_t i = 0; i < ARRAYS; i++)
    size += arrays[i].size;
  return size;
}

void global_snapshot_save(const struct global_state *state, void *snapshot) {
  struct array arrays[ARRAYS];
  char *bytes = snapshot;
  assert(state->dirty_count == 0);
  list_arrays(state, arrays);
  for (size_t i = 0; i < ARRAYS; i++) {
    memcpy(bytes, arrays[i].elements, arrays[i].size);
    bytes += arrays[i].size;
  }
}

void global_snapshot_load(struct global_state *state, const void *snapshot) {
  struct array arrays[ARRAYS];
  const char *bytes = snapshot;
  list_arrays(state, arrays);
  for (size_t i = 0; i < ARRAYS; i++) {
    memcpy(arrays[i].elements, bytes, arrays[i].size);
    bytes += arrays[i].size;
  }
  state->change_count = state->dirty_count = 0;
  state->refuting = BOARD_NONE;
}
