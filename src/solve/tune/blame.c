/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Squeaky-wheel optimisation (Joslin and Clements 1999): buffers that cause trouble get more
 * attention, which fades once they stop causing it.  A buffer ends too high because of the
 * buffers that it rests on, so the whole support chain down to offset 0 is blamed:
 *
 *       bound ─ ─ ─ ─┌─────┐─ ─
 *                 ┌──┴──┐ 1│
 *                 │  2  ├──┘
 *              ┌──┴──┐──┘
 *              │  3  │
 *            ──┴─────┴────────
 *
 * As in the activities of SAT solvers (Eén and Sörensson 2003), fading raises the unit of new
 * blame instead of lowering all earlier blame, which takes constant time.
 */
#include "tune/grower.h"

#include <stdlib.h>

#include "core/knobs.h"
#include "core/memory.h"

/* Beyond this unit, all weights are scaled down. */
#define UNIT_MOST 1e100

bool blame_init(struct blame *blame, size_t count) {
  *blame = (struct blame){
      .weights = memory_array(count, sizeof *blame->weights), .unit = 1, .count = count};
  return blame->weights;
}

void blame_clear(struct blame *blame) {
  free(blame->weights);
  free(blame->found.items);
  *blame = (struct blame){0};
}

void blame_fade(struct blame *blame) {
  blame->unit /= BLAME_FADE;
  if (blame->unit <= UNIT_MOST) return;
  for (size_t i = 0; i < blame->count; i++)
    blame->weights[i] /= UNIT_MOST;
  blame->unit /= UNIT_MOST;
}

double blame_of(const struct blame *blame, size_t buffer) {
  return blame->weights[buffer] / blame->unit;
}

/*
 * Finds the buffers that may be alive together with a buffer; if there are too many, finds
 * none.
 */
static bool find_alive(struct blame *blame, const struct room_layout *layout, size_t buffer) {
  const struct sections *sections = layout->sections;
  blame->found.count = 0;
  for (size_t s = sections_spans_begin(sections, buffer); s < sections->spans_end[buffer]; s++)
    if (!neighbours_find(layout->neighbours, sections->spans[s], BLAME_ALIVE_MOST,
                         &blame->found))
      return false;
  if (blame->found.count > BLAME_ALIVE_MOST) blame->found.count = 0;
  return true;
}

/*
 * Finds, among those buffers, the one with the highest end at or below an offset.  Empty
 * buffers support nothing, because an empty buffer would support itself.
 */
static bool find_support(const struct blame *blame, const struct room_layout *layout,
                         neap_offset offset, size_t *support) {
  neap_offset highest = 0;
  for (size_t i = 0; i < blame->found.count; i++) {
    uint32_t other = blame->found.items[i];
    neap_size size = layout->problem->buffers[other].size;
    neap_offset end = layout->offsets[other] + size;
    if (size == 0 || end > offset || end <= highest) continue;
    highest = end;
    *support = other;
  }
  return highest > 0;
}

bool blame_add(struct blame *blame, const struct room_layout *layout, size_t buffer) {
  for (size_t length = 0; length < BLAME_CHAIN_MOST; length++) {
    blame->weights[buffer] += blame->unit;
    if (layout->offsets[buffer] == 0) return true;
    if (!find_alive(blame, layout, buffer)) return false;
    if (!find_support(blame, layout, layout->offsets[buffer], &buffer)) return true;
  }
  return true;
}
