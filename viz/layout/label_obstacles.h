/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines, marks and words that labels must not touch. */
#ifndef VIZ_LAYOUT_LABEL_OBSTACLES_H
#define VIZ_LAYOUT_LABEL_OBSTACLES_H

#include "viz/svg/frame.h"

struct label_obstacles {
  struct frame *items;
  size_t count, capacity;
  bool failed; /* memory was short, and some are missing */
};

void avoid_clear(struct label_obstacles *keepouts);

void avoid_add(struct label_obstacles *keepouts, const struct frame *frame);

/* Adds a line, which is level or upright. */
void avoid_add_line(struct label_obstacles *keepouts, int x1, int y1, int x2, int y2);

/* Adds words: x is their middle, y their base line. */
void avoid_add_words(struct label_obstacles *keepouts, int x, int y, int width, int font_size);

bool avoid_hit(const struct label_obstacles *keepouts, const struct frame *frame);

#endif
