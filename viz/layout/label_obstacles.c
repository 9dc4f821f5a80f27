/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/layout/label_obstacles.h"

#include <stdlib.h>

#include "core/memory.h"

#define BREADTH (SVG_PIXEL * 3 / 2) /* on either side of a line */

void avoid_clear(struct label_obstacles *keepouts) {
  free(keepouts->items);
  *keepouts = (struct label_obstacles){0};
}

void avoid_add(struct label_obstacles *keepouts, const struct frame *frame) {
  if (!memory_reserve(&keepouts->items, &keepouts->capacity, keepouts->count + 1,
                      sizeof *keepouts->items))
    keepouts->failed = true;
  else keepouts->items[keepouts->count++] = *frame;
}

void avoid_add_line(struct label_obstacles *keepouts, int x1, int y1, int x2, int y2) {
  avoid_add(keepouts,
            &(struct frame){(x1 < x2 ? x1 : x2) - BREADTH, (y1 < y2 ? y1 : y2) - BREADTH,
                            (x1 < x2 ? x2 : x1) + BREADTH, (y1 < y2 ? y2 : y1) + BREADTH});
}

void avoid_add_words(struct label_obstacles *keepouts, int x, int y, int width, int font_size) {
  avoid_add(keepouts,
            &(struct frame){x - width / 2, y - font_size, x + width / 2, y + font_size / 4});
}

bool avoid_hit(const struct label_obstacles *keepouts, const struct frame *frame) {
  for (size_t i = 0; i < keepouts->count; i++) {
    const struct frame *item = &keepouts->items[i];
    if (item->left < frame->right && frame->left < item->right && item->top < frame->bottom &&
        frame->top < item->bottom)
      return true;
  }
  return false;
}
