/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A fixed rectangle needs no decision.  It takes two things from the others, both known from
 * the start: the offsets at which they would hit it, and bytes of its columns.
 *
 *     column               rectangle of size 3, over this column
 *     9 ┌─────┐
 *     8 │fixed│            cannot begin at 5, 6, 7 or 8: it is barred between 4 and 9
 *     7 └─────┘ ◄── ledge
 *     4
 *     3 ┌─────┐
 *       │fixed│            cannot begin at 0, 1 or 2, either
 *     0 └─────┘
 *
 * Fixed rectangles that touch in a column form one ledge, and barred ranges with no aligned
 * offset between them are merged.  So both lists are short, rarely longer than the number of
 * gaps.
 *
 * Building the lists takes O((n + m) log n), where m counts the columns of all fixed
 * rectangles, and the pairs of a fixed and another rectangle that share a column.
 */
#include "search/boards/global_state.h"

#include <assert.h>
#include <stdlib.h>

#include "core/knobs.h"
#include "core/memory.h"
#include "core/sort.h"

/* Fixed rectangles in ascending order. */
struct pins {
  uint32_t *item;
  uint32_t *place; /* per rectangle: where it is in `item` */
  uint64_t *set;
  uint32_t *met; /* scratch: the places of the pins that one rectangle meets */
  uint32_t count;
};

static bool pins_init(struct pins *pins, const struct part *part) {
  *pins = (struct pins){.item = memory_array(part->count, sizeof *pins->item),
                        .place = memory_array(part->count, sizeof *pins->place),
                        .set = memory_array(part->count / 64 + 1, sizeof *pins->set),
                        .met = memory_array(part->count, sizeof *pins->met)};
  if (!pins->item || !pins->place || !pins->set || !pins->met) return false;
  pins->count = part_list_fixed(part, pins->item);
  for (uint32_t k = 0; k < pins->count; k++) {
    uint32_t pin = pins->item[k];
    pins->place[pin] = k;
    pins->set[pin >> 6] |= UINT64_C(1) << (pin & 63);
  }
  return true;
}

static void pins_clear(struct pins *pins) {
  free(pins->item);
  free(pins->place);
  free(pins->set);
  free(pins->met);
}

/* ---------------------------------------------------------------- columns */

/* The number of columns of all fixed rectangles, each counted once per rectangle. */
static uint64_t count_ledges(const struct part *part) {
  uint64_t count = 0;
  for (size_t i = 0; i < part->count; i++)
    for (size_t s = part_spans_begin(part, i);
         part->fixed[i] != NEAP_UNPLACED && s < part->spans_end[i]; s++)
      count += part->spans[s].end - part->spans[s].first;
  return count;
}

/* Adds the next higher fixed rectangle to a column, or merges it with the ledge below. */
static void add_ledge(struct obstacles *obstacles, size_t *end, uint32_t column,
                      neap_offset bottom, neap_size size) {
  size_t begin = obstacles->ledges_begin[column], k = end[column];
  struct ledge *below = k > begin ? &obstacles->ledges[k - 1] : NULL;
  if (below && below->top > bottom) obstacles->collide = true;
  if (below && below->top == bottom) {
    below->top += size;
    below->above += size;
  } else {
    obstacles->ledges[end[column]++] = (struct ledge){bottom + size, size};
  }
}

/* Compacts the ledges of all columns, and sums up the bytes above each. */
static void close_ranks(struct obstacles *obstacles, const struct part *part,
                        const size_t *ends) {
  size_t used = 0;
  for (uint32_t at = 0; at < part->column_count; at++) {
    size_t begin = obstacles->ledges_begin[at], end = ends[at];
    for (size_t k = end; k-- > begin;)
      if (k + 1 < end) obstacles->ledges[k].above += obstacles->ledges[k + 1].above;
    assert(used <= begin && end <= obstacles->ledges_begin[at + 1]);
    obstacles->ledges_begin[at] = used;
    for (size_t k = begin; k < end; k++)
      obstacles->ledges[used++] = obstacles->ledges[k];
  }
  obstacles->ledges_begin[part->column_count] = used;
}

static bool fill_ledges(struct obstacles *obstacles, const struct part *part,
                        const struct pins *pins) {
  size_t *begin = obstacles->ledges_begin;
  size_t *ends = memory_array(part->column_count, sizeof *ends);
  obstacles->ledges = memory_array((size_t)count_ledges(part), sizeof *obstacles->ledges);
  if (!ends || !obstacles->ledges) {
    free(ends);
    return false;
  }
  for (uint32_t k = 0; k < pins->count; k++)
    for (size_t s = part_spans_begin(part, pins->item[k]); s < part->spans_end[pins->item[k]];
         s++)
      for (uint32_t at = part->spans[s].first; at < part->spans[s].end; at++)
        begin[at + 1]++;
  for (uint32_t at = 0; at < part->column_count; at++) {
    begin[at + 1] += begin[at];
    ends[at] = begin[at];
  }
  for (uint32_t k = 0; k < pins->count; k++) {
    uint32_t pin = pins->item[k];
    for (size_t s = part_spans_begin(part, pin); s < part->spans_end[pin]; s++)
      for (uint32_t at = part->spans[s].first; at < part->spans[s].end; at++)
        add_ledge(obstacles, ends, at, part->fixed[pin], part->size[pin]);
    if (part->fixed[pin] + part->size[pin] > obstacles->peak)
      obstacles->peak = part->fixed[pin] + part->size[pin];
  }
  close_ranks(obstacles, part, ends);
  free(ends);
  return true;
}

/* ---------------------------------------------------------------- rectangles */

/* Adds a barred range to a rectangle, in ascending order of `low`; false if memory is short. */
static bool bar_range(struct obstacles *obstacles, size_t first, neap_size alignment,
                      struct barred range) {
  struct barred *last =
      obstacles->barred_count > first ? &obstacles->barred[obstacles->barred_count - 1] : NULL;
  assert(!last || range.low >= last->low);
  range.high = round_up(range.high, alignment);
  if (last && range.low < last->high) {
    if (range.high > last->high) last->high = range.high;
    return true;
  }
  if (!memory_reserve(&obstacles->barred, &obstacles->barred_capacity,
                      obstacles->barred_count + 1, sizeof *obstacles->barred))
    return false;
  obstacles->barred[obstacles->barred_count++] = range;
  return true;
}

/*
 * Adds the barred ranges of the fixed rectangles that share a column with a rectangle.  They
 * come by ascending offset, and so by ascending `low`, which is the offset minus the
 * rectangle's size.
 */
static bool bar_rectangle(struct obstacles *obstacles, const struct part *part,
                          const struct rectangle_sets *overlaps, struct pins *pins,
                          uint32_t item) {
  struct rectangle_walk walk = rectangle_walk(overlaps, item, pins->set);
  size_t first = obstacles->barred_count;
  uint32_t count = 0, pin;
  while (rectangle_walk_next(&walk, &pin))
    pins->met[count++] = pins->place[pin];
  qsort(pins->met, count, sizeof *pins->met, sort_by_number);
  for (uint32_t k = 0; k < count; k++) {
    pin = pins->item[pins->met[k]];
    struct barred range = {part->fixed[pin] - part->size[item],
                           part->fixed[pin] + part->size[pin]};
    if (!bar_range(obstacles, first, part->alignment[item], range)) return false;
  }
  return true;
}

static bool fill_barred(struct obstacles *obstacles, const struct part *part,
                        const struct rectangle_sets *overlaps, struct pins *pins) {
  for (uint32_t i = 0; i < part->count; i++) {
    obstacles->barred_begin[i] = obstacles->barred_count;
    if (part->fixed[i] == NEAP_UNPLACED && !bar_rectangle(obstacles, part, overlaps, pins, i))
      return false;
  }
  obstacles->barred_begin[part->count] = obstacles->barred_count;
  return true;
}

/* ---------------------------------------------------------------- all */

bool obstacles_init(struct obstacles *obstacles, const struct part *part,
                    const struct rectangle_sets *overlaps) {
  *obstacles = (struct obstacles){.any = false};
  uint64_t ledges = part->ties ? 0 : count_ledges(part);
  if (ledges == 0 || ledges > OBSTACLES_LEDGES_MAX) return true;
  struct pins pins;
  bool done = pins_init(&pins, part);
  obstacles->any = true;
  obstacles->ledges_begin = memory_array((size_t)part->column_count + 1, sizeof(size_t));
  obstacles->barred_begin = memory_array(part->count + 1, sizeof(size_t));
  done = done && obstacles->ledges_begin && obstacles->barred_begin &&
         fill_ledges(obstacles, part, &pins) && fill_barred(obstacles, part, overlaps, &pins);
  pins_clear(&pins);
  if (!done) obstacles_clear(obstacles);
  return done;
}

void obstacles_clear(struct obstacles *obstacles) {
  free(obstacles->ledges_begin);
  free(obstacles->ledges);
  free(obstacles->barred_begin);
  free(obstacles->barred);
  *obstacles = (struct obstacles){.any = false};
}
