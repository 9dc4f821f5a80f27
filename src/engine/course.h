/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The course of a run: the moments of its improvements. */
#ifndef ENGINE_COURSE_H
#define ENGINE_COURSE_H

#include "neap/neap.h"

/* Initialise the struct with zeroes. */
struct course {
  neap_moment *moments;
  size_t count, capacity;
};

/*
 * Adds a moment if it is the first or the last, or better than the previous one.  False if memory
 * runs out.
 */
bool course_add(struct course *course, const neap_moment *now, bool is_last);

void course_clear(struct course *course);

#endif
