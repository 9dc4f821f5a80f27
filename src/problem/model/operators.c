/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/operators.h"

#include <stdlib.h>

#include "core/memory.h"

static bool lists_init(struct operator_lists *lists, size_t count, size_t links) {
  lists->ends = memory_array(count, sizeof *lists->ends);
  lists->items = memory_array(links, sizeof *lists->items);
  return lists->ends && lists->items;
}

static void lists_clear(struct operator_lists *lists) {
  free(lists->ends);
  free(lists->items);
}

struct operators *operators_new(size_t count, size_t buffer_count, size_t links) {
  struct operators *made = memory_array(1, sizeof *made);
  if (!made) return NULL;
  made->count = count;
  made->buffer_count = buffer_count;
  made->devices = memory_array(count, sizeof *made->devices);
  made->roles = memory_array(buffer_count, sizeof *made->roles);
  if (lists_init(&made->inputs, count, links) && lists_init(&made->outputs, count, links) &&
      lists_init(&made->temporaries, count, links) && made->devices && made->roles)
    return made;
  operators_free(made);
  return NULL;
}

void operators_free(struct operators *operators) {
  if (!operators) return;
  lists_clear(&operators->inputs);
  lists_clear(&operators->outputs);
  lists_clear(&operators->temporaries);
  free(operators->devices);
  free(operators->roles);
  free(operators);
}
