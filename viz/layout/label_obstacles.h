/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines, marks and words that labels must not touch. */
#ifndef VIZ_LAYOUT_LABEL_OBSTACLES_H
#define VIZ_LAYOUT_LABEL_OBSTACLES_H

#include "viz/svg/frame.h"

struct keepouts {
  struct frame *items;
  size_t count, capacity;
  bool failed; /* memory was short, and some are missing */
};

void keepouts_clear(struct keepouts *keepouts);

void keepouts_add(struct keepouts *keepouts, const struct frame *frame);

/* Adds a line, which is level or upright. */
void keepouts_add_line(struct keepouts *keepouts, int x1, int y1, int x2, int y2);

/* Adds words: x is their middle, y their base line. */
void keepouts_add_words(struct keepouts *keepouts, int x, int y, int width, int font_size);

bool keepouts_hit(const struct keepouts *keepouts, const struct frame *frame);

#endif
