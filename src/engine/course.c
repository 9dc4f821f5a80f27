/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/course.h"

#include <stdlib.h>

#include "core/memory.h"

bool course_add(struct course *course, const neap_moment *now, bool is_last) {
  const neap_moment *before = course->count > 0 ? &course->moments[course->count - 1] : NULL;
  if (before && !is_last && now->peak == before->peak &&
      now->lower_bound == before->lower_bound)
    return true;
  if (!memory_reserve(&course->moments, &course->capacity, course->count + 1,
                      sizeof *course->moments))
    return false;
  course->moments[course->count++] = *now;
  return true;
}

void course_clear(struct course *course) {
  free(course->moments);
  *course = (struct course){0};
}
