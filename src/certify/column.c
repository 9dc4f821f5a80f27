/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "certify/column.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"

struct column {
  const struct items *items;
  struct item_low *all; /* the buffers listed */
  size_t count;
  struct item_low *some; /* those being looked at */
};

static neap_size height_without(struct column *column, size_t left_out) {
  size_t count = 0;
  for (size_t i = 0; i < column->count; i++)
    if (i != left_out) column->some[count++] = column->all[i];
  return items_stack(column->items, column->some, count);
}

static void fill(struct column *column, const struct clique *clique) {
  bool is_scattered = false;
  column->count = 0;
  for (uint32_t i = 0; i < clique->count; i++) {
    neap_offset low = items_place(column->items, clique->members[i], 0, &is_scattered);
    if (!is_scattered)
      column->all[column->count++] = (struct item_low){low, clique->members[i]};
    is_scattered = false;
  }
}

/* Drops buffers that are not needed for the height. */
static void shrink(struct column *column, neap_size height) {
  for (size_t i = column->count; i-- > 0;) {
    if (height_without(column, i) < height) continue;
    for (size_t k = i + 1; k < column->count; k++)
      column->all[k - 1] = column->all[k];
    column->count--;
  }
}

static void print_column(struct certify_task *task, const struct column *column,
                         neap_size height) {
  lines_word(task->proof, "column");
  for (size_t i = 0; i < column->count; i++)
    lines_number(task->proof, certify_number(task, column->all[i].buffer));
  lines_end(task->proof);
  task->least = height;
}

/* An empty buffer, which is in no clique, can lie high by itself. */
static void try_empty(struct certify_task *task, struct column *column, uint32_t buffer) {
  bool is_scattered = false;
  neap_offset low = items_place(column->items, buffer, 0, &is_scattered);
  if (is_scattered || low < task->target || low >= ITEMS_NOWHERE) return;
  column->all[0] = (struct item_low){low, buffer};
  column->count = 1;
  print_column(task, column, low);
}

neap_status column_prove(struct certify_task *task, const struct items *items,
                         neap_error *error) {
  struct column column = {.items = items};
  column.all = memory_array(task->problem->count, sizeof *column.all);
  column.some = memory_array(task->problem->count, sizeof *column.some);
  bool has_room = column.all && column.some;
  for (size_t c = 0; has_room && c < items->clique_count && task->least == 0; c++) {
    if (!budget_tick(task->budget)) break;
    fill(&column, &items->cliques[c]);
    neap_size height = height_without(&column, SIZE_MAX);
    if (height < task->target || height >= ITEMS_NOWHERE) continue;
    shrink(&column, height);
    print_column(task, &column, height);
  }
  for (uint32_t i = 0; has_room && i < task->problem->count && task->least == 0; i++)
    if (task->problem->buffers[i].size == 0) try_empty(task, &column, i);
  free(column.all);
  free(column.some);
  return has_room ? NEAP_OK : error_memory(error);
}
