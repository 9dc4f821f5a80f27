/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A buffer waits until a buffer placed after it overlaps it in time, that is, as long as it is
 * the newest buffer in all of its sections.  So each section is painted with its newest buffer:
 *
 *     placed so far:  a a a . b b b b        a and b wait
 *     next is c:          c c c              c meets a and b
 *     now:            a a c c c b b b        only c waits
 *
 * A run is a maximal row of sections of one colour.  It is either a whole span of a waiting
 * buffer, or a remnant of a span whose buffer no longer waits.  Painting a span removes the
 * runs that begin in it and adds at most two, so it costs O(1) amortised operations on an
 * ordered set.
 */
#include "place/state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* The colour of sections not painted yet; other colours are buffer + 1. */
#define BLANK 0

/* Stands for the colour of a section at which no run begins. */
#define NO_RUN UINT32_MAX

/* A change: the old colour of a section, or a buffer that began or ceased to wait. */
struct waiting_change {
  uint32_t at, old;
  bool is_buffer;
};

bool waiting_init(struct waiting *waiting, const struct sections *sections,
                  size_t buffer_count) {
  *waiting = (struct waiting){.sections = sections};
  waiting->colours = memory_array((size_t)sections->count + 1, sizeof *waiting->colours);
  waiting->waits = memory_array(buffer_count, sizeof *waiting->waits);
  if (waiting->colours && waiting->waits &&
      index_set_init(&waiting->runs, (size_t)sections->count + 1)) {
    index_set_add(&waiting->runs, 0);
    return true;
  }
  waiting_clear(waiting);
  return false;
}

void waiting_clear(struct waiting *waiting) {
  index_set_clear(&waiting->runs);
  free(waiting->colours);
  free(waiting->waits);
  free(waiting->changes);
  free(waiting->met);
  *waiting = (struct waiting){0};
}

void waiting_reset(struct waiting *waiting, size_t buffer_count) {
  for (size_t at; (at = index_set_above(&waiting->runs, 0)) != INDEX_NONE;)
    index_set_remove(&waiting->runs, at);
  waiting->colours[0] = BLANK;
  memset(waiting->waits, 0, buffer_count * sizeof *waiting->waits);
  waiting->change_count = waiting->met_count = 0;
  waiting->logging = false;
}

/* ---------------------------------------------------------------- changes */

static bool log_change(struct waiting *waiting, struct waiting_change change) {
  if (!waiting->logging) return true;
  if (!memory_reserve(&waiting->changes, &waiting->change_capacity, waiting->change_count + 1,
                      sizeof *waiting->changes))
    return false;
  waiting->changes[waiting->change_count++] = change;
  return true;
}

static uint32_t run_at(const struct waiting *waiting, uint32_t at) {
  return index_set_has(&waiting->runs, at) ? waiting->colours[at] : NO_RUN;
}

static void set_run(struct waiting *waiting, uint32_t at, uint32_t colour) {
  if (colour == NO_RUN) {
    index_set_remove(&waiting->runs, at);
    return;
  }
  index_set_add(&waiting->runs, at);
  waiting->colours[at] = colour;
}

static bool change_run(struct waiting *waiting, uint32_t at, uint32_t colour) {
  struct waiting_change change = {at, run_at(waiting, at), false};
  if (!log_change(waiting, change)) return false;
  set_run(waiting, at, colour);
  return true;
}

/* Makes a buffer wait, or stop waiting. */
static bool change_waits(struct waiting *waiting, size_t buffer, bool waits) {
  assert(waiting->waits[buffer] != waits);
  if (!log_change(waiting, (struct waiting_change){(uint32_t)buffer, 0, true})) return false;
  waiting->waits[buffer] = waits;
  return true;
}

void waiting_undo(struct waiting *waiting, size_t change_count) {
  assert(change_count <= waiting->change_count);
  while (waiting->change_count > change_count) {
    struct waiting_change old = waiting->changes[--waiting->change_count];
    if (old.is_buffer) waiting->waits[old.at] = !waiting->waits[old.at];
    else set_run(waiting, old.at, old.old);
  }
}

/* ---------------------------------------------------------------- painting */

/* Paints over a run of a colour.  If its buffer was still waiting, the buffer is met. */
static bool wipe(struct waiting *waiting, uint32_t colour) {
  if (colour == BLANK || !waiting->waits[colour - 1]) return true;
  if (!memory_reserve(&waiting->met, &waiting->met_capacity, waiting->met_count + 1,
                      sizeof *waiting->met))
    return false;
  waiting->met[waiting->met_count++] = colour - 1;
  return change_waits(waiting, colour - 1, false);
}

/* Splits a run so that a run begins at a section, without changing its colour. */
static bool cut_run(struct waiting *waiting, uint32_t at) {
  if (index_set_has(&waiting->runs, at)) return true;
  return change_run(waiting, at, waiting->colours[index_set_below(&waiting->runs, at)]);
}

static bool paint_span(struct waiting *waiting, struct span span, uint32_t colour) {
  if (!cut_run(waiting, span.first) || !cut_run(waiting, span.end) ||
      !wipe(waiting, waiting->colours[span.first]))
    return false;
  for (size_t at; (at = index_set_above(&waiting->runs, span.first)) < span.end;)
    if (!wipe(waiting, waiting->colours[at]) || !change_run(waiting, (uint32_t)at, NO_RUN))
      return false;
  return change_run(waiting, span.first, colour);
}

bool waiting_meet(struct waiting *waiting, size_t next) {
  waiting->met_count = 0;
  for (size_t s = sections_spans_begin(waiting->sections, next);
       s < waiting->sections->spans_end[next]; s++)
    if (!paint_span(waiting, waiting->sections->spans[s], (uint32_t)next + 1)) return false;
  return change_waits(waiting, next, true);
}
