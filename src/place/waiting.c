/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A buffer waits until a buffer placed after it overlaps it in time, that is, as long as it is
 * the newest one in all of its sections.  So each section is painted with its newest buffer:
 *
 *     placed so far:  a a a . b b b b        a and b wait
 *     next is c:          c c c              c meets a and b
 *     now:            a a c c c b b b        only c waits
 *
 * The colours are in a segment tree whose nodes have one colour or are mixed.  A span's run of
 * equal colour is either all sections of a waiting buffer or what is left of one that no longer
 * waits.  Painting a span removes the runs under it and adds at most two ends of others, so each
 * costs O(log n) amortised.
 */
#include "place/waiting.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/tree.h"

/* An old value: the colour of a node or (is_left) the number of a buffer's sections left. */
struct waiting_change {
  uint32_t at, old;
  bool is_left;
};

bool waiting_init(struct waiting *waiting, const struct sections *sections,
                  size_t buffer_count) {
  *waiting =
      (struct waiting){.sections = sections, .leaves = (uint32_t)tree_leaves(sections->count)};
  waiting->shown = memory_array(2 * (size_t)waiting->leaves, sizeof *waiting->shown);
  waiting->left = memory_array(buffer_count, sizeof *waiting->left);
  if (waiting->shown && waiting->left) return true;
  waiting_clear(waiting);
  return false;
}

void waiting_clear(struct waiting *waiting) {
  free(waiting->shown);
  free(waiting->left);
  free(waiting->changes);
  free(waiting->met);
  *waiting = (struct waiting){0};
}

void waiting_reset(struct waiting *waiting, size_t buffer_count) {
  memset(waiting->shown, 0, 2 * (size_t)waiting->leaves * sizeof *waiting->shown);
  memset(waiting->left, 0, buffer_count * sizeof *waiting->left);
  waiting->change_count = waiting->met_count = 0;
  waiting->logging = false;
}

static bool log_change(struct waiting *waiting, struct waiting_change change) {
  if (!waiting->logging) return true;
  if (!memory_reserve(&waiting->changes, &waiting->change_capacity, waiting->change_count + 1,
                      sizeof *waiting->changes))
    return false;
  waiting->changes[waiting->change_count++] = change;
  return true;
}

static bool change_value(struct waiting *waiting, bool is_left, size_t at, uint32_t value) {
  uint32_t *place = is_left ? &waiting->left[at] : &waiting->shown[at];
  if (!log_change(waiting, (struct waiting_change){(uint32_t)at, *place, is_left}))
    return false;
  *place = value;
  return true;
}

static uint32_t section_total(const struct waiting *waiting, size_t buffer) {
  uint32_t total = 0;
  for (size_t s = sections_spans_begin(waiting->sections, buffer);
       s < waiting->sections->spans_end[buffer]; s++)
    total += waiting->sections->spans[s].end - waiting->sections->spans[s].first;
  return total;
}

/* Paints over `count` sections with `colour`. If their buffer was still waiting, it is met. */
static bool wipe_colour(struct waiting *waiting, uint32_t colour, uint32_t count) {
  assert(colour >= 1);
  size_t owner = colour - 1;
  uint32_t left = waiting->left[owner];
  assert(count <= left && left <= section_total(waiting, owner));
  if (left == section_total(waiting, owner)) {
    if (!memory_reserve(&waiting->met, &waiting->met_capacity, waiting->met_count + 1,
                        sizeof *waiting->met))
      return false;
    waiting->met[waiting->met_count++] = owner;
  }
  return change_value(waiting, true, owner, left - count);
}

/* Wipes every colour shown at or below a node of `length` sections. */
static bool wipe_below(struct waiting *waiting, size_t node, uint32_t length) {
  if (waiting->shown[node] != 0) return wipe_colour(waiting, waiting->shown[node], length);
  if (length == 1) return true;
  return wipe_below(waiting, tree_left(node), length / 2) &&
         wipe_below(waiting, tree_right(node), length / 2);
}

static bool paint_span(struct waiting *waiting, size_t node, uint32_t begin, uint32_t length,
                       struct span span, uint32_t colour) {
  if (span.first >= begin + length || span.end <= begin) return true;
  if (span.first <= begin && begin + length <= span.end)
    return wipe_below(waiting, node, length) && change_value(waiting, false, node, colour);
  assert(length > 1); /* a leaf is covered or not */
  uint32_t above = waiting->shown[node], half = length / 2;
  if (above != 0 && !(change_value(waiting, false, tree_left(node), above) &&
                      change_value(waiting, false, tree_right(node), above) &&
                      change_value(waiting, false, node, 0)))
    return false;
  return paint_span(waiting, tree_left(node), begin, half, span, colour) &&
         paint_span(waiting, tree_right(node), begin + half, half, span, colour);
}

bool waiting_meet(struct waiting *waiting, size_t next) {
  assert(waiting->left[next] == 0);
  waiting->met_count = 0;
  for (size_t s = sections_spans_begin(waiting->sections, next);
       s < waiting->sections->spans_end[next]; s++)
    if (!paint_span(waiting, 1, 0, waiting->leaves, waiting->sections->spans[s],
                    (uint32_t)next + 1))
      return false;
  return change_value(waiting, true, next, section_total(waiting, next));
}

void waiting_undo(struct waiting *waiting, size_t change_count) {
  assert(change_count <= waiting->change_count);
  while (waiting->change_count > change_count) {
    struct waiting_change old = waiting->changes[--waiting->change_count];
    *(old.is_left ? &waiting->left[old.at] : &waiting->shown[old.at]) = old.old;
  }
}
