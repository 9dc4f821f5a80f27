/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Renumbers time so that every allocation and release has a moment of its own.  Because lifetimes
 * are half-open, releases come before allocations at the same moment, and exactly the same buffers
 * overlap as before.
 *
 * O(n log n) time for sorting, O(n) memory.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "model/problem.h"

struct event {
  neap_time time;
  size_t buffer;
  bool is_start;
};

static int by_moment(const void *left, const void *right) {
  const struct event *a = left, *b = right;
  if (a->time != b->time) return a->time < b->time ? -1 : 1;
  if (a->is_start != b->is_start) return a->is_start ? 1 : -1;
  return a->buffer < b->buffer ? -1 : a->buffer > b->buffer;
}

static neap_status refuse_losses(const neap_problem *problem, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  if (problem->relations)
    return error_set(error, NEAP_ERROR_FORMAT,
                     "memory operations cannot hold the problem's relations, pools, windows or "
                     "other constraints");
  for (size_t i = 0; i < problem->count; i++) {
    if (problem->buffers[i].ranges_end - problem_ranges_begin(problem, i) == 1) continue;
    const char *name = problem_name(problem, i);
    return error_set(
        error, NEAP_ERROR_FORMAT,
        "%s has several ranges of time, which one allocation and one release cannot say",
        text_excerpt(excerpt, name, strlen(name)));
  }
  return NEAP_OK;
}

/*
 * All starts and ends in their new order: the position of an event is its new time.  NULL if memory
 * is short.
 */
static struct event *sorted_events(const neap_problem *problem) {
  struct event *events = memory_array(problem->count, 2 * sizeof *events);
  if (!events) return NULL;
  for (size_t i = 0; i < problem->count; i++) {
    events[2 * i] = (struct event){problem->ranges[i].start, i, true};
    events[2 * i + 1] = (struct event){problem->ranges[i].end, i, false};
  }
  qsort(events, 2 * problem->count, sizeof *events, by_moment);
  return events;
}

/* Adds the buffers in order of allocation, as a sequence of operations would list them. */
static neap_status add_retimed(const neap_problem *problem, const struct event *events,
                               neap_range *ranges, neap_problem *made, neap_error *error) {
  for (size_t e = 0; e < 2 * problem->count; e++) {
    neap_range *range = &ranges[events[e].buffer];
    *(events[e].is_start ? &range->start : &range->end) = (neap_time)e;
  }
  for (size_t e = 0; e < 2 * problem->count; e++) {
    if (!events[e].is_start) continue;
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    neap_problem_buffer_at(problem, events[e].buffer, &buffer);
    buffer.ranges = &ranges[events[e].buffer];
    assert(buffer.ranges->start == (neap_time)e && buffer.ranges->end > buffer.ranges->start);
    neap_status status = neap_problem_add(made, &buffer, error);
    if (status != NEAP_OK) return status;
  }
  made->horizon = (neap_time)(2 * problem->count);
  if (!names_add_all(&made->missing, &problem->missing)) return error_memory(error);
  void *memo = problem->memo ? problem->memo_kind->copy(problem->memo) : NULL;
  if (problem->memo && !memo) return error_memory(error);
  problem_set_memo(made, problem->memo_kind, memo);
  return NEAP_OK;
}

neap_status neap_problem_retime(const neap_problem *problem, neap_problem **retimed,
                                neap_error *error) {
  neap_status status = refuse_losses(problem, error);
  if (status != NEAP_OK) return status;
  neap_problem *made = neap_problem_new();
  struct event *events = sorted_events(problem);
  neap_range *ranges = memory_array(problem->count, sizeof *ranges);
  status = made && events && ranges ? add_retimed(problem, events, ranges, made, error)
                                    : error_memory(error);
  free(events);
  free(ranges);
  if (status == NEAP_OK) *retimed = made;
  else neap_problem_free(made);
  return status;
}
