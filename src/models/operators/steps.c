/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/operators/steps.h"

#include <stdlib.h>

#include "core/memory.h"

size_t steps_add_tensor(struct steps *steps, const struct step_tensor *tensor) {
  if (!memory_reserve(&steps->tensors, &steps->tensor_capacity, steps->tensor_count + 1,
                      sizeof *steps->tensors)) {
    steps->is_short = true;
    return 0;
  }
  steps->tensors[steps->tensor_count] = *tensor;
  return steps->old_count + steps->tensor_count++;
}

void steps_add(struct steps *steps, const struct step *step, const size_t *links,
               size_t count) {
  if (!memory_reserve(&steps->items, &steps->capacity, steps->count + 1,
                      sizeof *steps->items) ||
      !memory_reserve(&steps->links, &steps->link_capacity, steps->link_count + count,
                      sizeof *steps->links)) {
    steps->is_short = true;
    return;
  }
  struct step *added = &steps->items[steps->count++];
  *added = *step;
  added->links = steps->link_count;
  added->link_count = count;
  for (size_t i = 0; i < count; i++)
    steps->links[steps->link_count++] = links[i];
}

void steps_clear(struct steps *steps) {
  free(steps->tensors);
  free(steps->items);
  free(steps->links);
  free(steps->vanished);
}
