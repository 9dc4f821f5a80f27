/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The course of a run: the moments at which something had improved. */
#ifndef ENGINE_COURSE_H
#define ENGINE_COURSE_H

#include "neap/neap.h"

/* Begin with a zeroed struct. */
struct course {
  neap_moment *moments;
  size_t count, capacity;
};

/*
 * Adds a moment, if it is the first or the last one or better than the one before.  False when
 * memory is short.
 */
bool course_add(struct course *course, const neap_moment *now, bool is_last);

void course_clear(struct course *course);

#endif
