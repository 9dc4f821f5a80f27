/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/timeline.h"

#include <assert.h>
#include <stdlib.h>

#include "core/memory.h"

bool timeline_add(struct timeline *timeline, const neap_moment *now, bool is_last) {
  const neap_moment *before =
      timeline->count > 0 ? &timeline->moments[timeline->count - 1] : NULL;
  assert(!before || (now->ticks >= before->ticks && now->rounds >= before->rounds));
  assert(!before || now->lower_bound >= before->lower_bound);
  if (before && !is_last && now->peak == before->peak &&
      now->excess_area == before->excess_area && now->lower_bound == before->lower_bound)
    return true;
  if (!memory_reserve(&timeline->moments, &timeline->capacity, timeline->count + 1,
                      sizeof *timeline->moments))
    return false;
  timeline->moments[timeline->count++] = *now;
  return true;
}

void timeline_clear(struct timeline *timeline) {
  free(timeline->moments);
  *timeline = (struct timeline){0};
}
