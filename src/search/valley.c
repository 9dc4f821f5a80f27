/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cell search, valley by valley.
 *
 * Rectangles are only ever put on the skyline, so what lies below it is closed; every layout
 * pushed down as far as it goes can be built like this.  The *slack* of a section is what the
 * capacity leaves it: capacity less floor less the sizes still to come.  Putting a rectangle on
 * a flat floor costs no slack; only bytes given up do, and no section can give up more than its
 * slack.
 *
 *              slack is least here
 *        ┌──┐       │
 *        │  └──┐    ▼  ┌────
 *     ───┘     └──┐ ┌──┘
 *                 └─┘ ◄── valley
 *
 * The search goes to the section of least slack and from there downhill, to a *valley*: a run
 * of equal floor between higher ones.  In it, take the cell just above the floor of one
 * section.  Either it is covered by a rectangle that begins right there, and then lies wholly
 * inside the valley; or it stays empty.
 *
 * So a node's children are the rectangles that fit there, best rank first, and last the empty
 * cell: the floor of that one section is raised to the next height at which anything could
 * begin, the lower wall or the smallest rectangle beside it.  Where nothing fits over a cell at
 * all, the hole is raised to the wall at once. Every pushed-down layout is met on one path
 * only, so exhausting the tree proves that there is none.
 *
 * A node costs O(log n) and the few rectangles looked at, whatever the number of sections:
 * floors are segments (search/skyline), slack and rest live in trees with range updates
 * (search/range_min), and what fits is found by branch and bound (search/candidates).
 *
 * Sections in which the search fails become more urgent: their slack is counted as smaller when
 * the next place to look at is chosen, in this run and in later ones, as in the dom/wdeg rule
 * for constraint search (Boussemart, Hemery, Lecoutre, Sais 2004).
 */
#include "search/valley.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "search/candidates.h"
#include "search/range_min.h"
#include "search/skyline.h"

#define NOTHING UINT32_MAX

/* One range added to, to be taken back. */
struct addition {
  struct span span;
  int64_t value;
  bool is_rest; /* to the rest; otherwise to slack and urgency */
};

enum stage { STAGE_PLACING, STAGE_EMPTY, STAGE_DONE };

/* A node of the tree, on the way from the root to here. */
struct frame {
  struct span valley;
  uint32_t at; /* the section whose cell is decided */
  neap_offset floor;
  uint32_t placed;    /* the rectangle of the child being tried, or NOTHING */
  uint32_t next_rank; /* of the children still to be tried */
  enum stage stage;
  size_t skyline_mark, addition_mark;
};

struct valley {
  const struct part *part;
  struct candidates candidates;
  struct skyline skyline;
  struct range_min slack, rest;
  struct range_min urgency; /* slack less weight */
  int64_t *weights;         /* per section */
  int64_t *numbers;         /* room for one per section */
  uint32_t *ranked;         /* rank to rectangle */
  neap_offset *offsets;
  size_t placed_count;
  neap_size capacity;
  struct frame *frames;
  size_t depth, frame_capacity;
  struct addition *additions;
  size_t addition_count, addition_capacity;
  bool is_new;        /* nothing has been tried since valley_start */
  bool out_of_memory; /* once true, all is over */
};

/* ---------------------------------------------------------------- making */

static bool init(struct valley *valley) {
  const struct part *part = valley->part;
  size_t sections = part->section_count;
  valley->weights = memory_array(sections, sizeof *valley->weights);
  valley->numbers = memory_array(sections, sizeof *valley->numbers);
  valley->ranked = memory_array(part->count, sizeof *valley->ranked);
  valley->offsets = memory_array(part->count, sizeof *valley->offsets);
  return valley->weights && valley->numbers && valley->ranked && valley->offsets &&
         candidates_init(&valley->candidates, part) &&
         skyline_init(&valley->skyline, part->section_count) &&
         range_min_init(&valley->slack, sections) && range_min_init(&valley->rest, sections) &&
         range_min_init(&valley->urgency, sections);
}

struct valley *valley_new(const struct part *part) {
  assert(part->is_simple && part->count >= 1 && part->count < NOTHING);
  struct valley *valley = memory_array(1, sizeof *valley);
  if (!valley) return NULL;
  valley->part = part;
  if (init(valley)) return valley;
  valley_free(valley);
  return NULL;
}

void valley_free(struct valley *valley) {
  if (!valley) return;
  candidates_clear(&valley->candidates);
  skyline_clear(&valley->skyline);
  range_min_clear(&valley->slack);
  range_min_clear(&valley->rest);
  range_min_clear(&valley->urgency);
  free(valley->weights);
  free(valley->numbers);
  free(valley->ranked);
  free(valley->offsets);
  free(valley->frames);
  free(valley->additions);
  free(valley);
}

/* ---------------------------------------------------------------- changing and going back */

static void apply(struct valley *valley, struct addition addition) {
  struct span span = addition.span;
  range_min_add(addition.is_rest ? &valley->rest : &valley->slack, span.first, span.end,
                addition.value);
  if (!addition.is_rest) range_min_add(&valley->urgency, span.first, span.end, addition.value);
}

static void add(struct valley *valley, struct span span, int64_t value, bool is_rest) {
  if (!memory_reserve(&valley->additions, &valley->addition_capacity,
                      valley->addition_count + 1, sizeof *valley->additions)) {
    valley->out_of_memory = true;
    return;
  }
  struct addition addition = {span, value, is_rest};
  valley->additions[valley->addition_count++] = addition;
  apply(valley, addition);
}

static void set_floor(struct valley *valley, struct span span, neap_offset height) {
  if (!skyline_set(&valley->skyline, span, height)) valley->out_of_memory = true;
}

/* Takes back the child that a node is trying. */
static void retract(struct valley *valley, struct frame *frame) {
  skyline_undo(&valley->skyline, frame->skyline_mark);
  while (valley->addition_count > frame->addition_mark) {
    struct addition addition = valley->additions[--valley->addition_count];
    addition.value = -addition.value;
    apply(valley, addition);
  }
  if (frame->placed == NOTHING) return;
  candidates_restore(&valley->candidates, frame->placed);
  valley->placed_count--;
  frame->placed = NOTHING;
}

/* What a section costs that could not give up as much as it had to: more urgent next time. */
static void blame(struct valley *valley, uint32_t section) {
  int64_t step = valley->capacity / 16 + 1;
  if (valley->weights[section] < RANGE_MIN_FAR / 8) valley->weights[section] += step;
}

/* Gives up the bytes of `span` up to `height`; false when some section cannot afford it. */
static bool give_up(struct valley *valley, struct span span, neap_offset floor,
                    neap_offset height) {
  if (height >= SKYLINE_WALL) {
    blame(valley, span.first);
    return false;
  }
  int64_t least;
  size_t tightest = range_min_in(&valley->slack, span.first, span.end, &least);
  if (least < height - floor) {
    blame(valley, (uint32_t)tightest);
    return false;
  }
  add(valley, span, floor - height, false);
  set_floor(valley, span, height);
  return true;
}

/* Sections of `span` in which nothing is left to come become walls. */
static void close_finished(struct valley *valley, struct span span) {
  int64_t least;
  for (;;) {
    uint32_t at = (uint32_t)range_min_in(&valley->rest, span.first, span.end, &least);
    if (least > 0 || valley->out_of_memory) return;
    struct span done = {at, at + 1};
    while (done.end < span.end && range_min_at(&valley->rest, done.end) == 0)
      done.end++;
    add(valley, done, RANGE_MIN_FAR, true);
    add(valley, done, RANGE_MIN_FAR, false);
    set_floor(valley, done, SKYLINE_WALL);
  }
}

static void place(struct valley *valley, struct frame *frame, uint32_t item) {
  struct span span = valley->part->spans[item];
  neap_size size = valley->part->size[item];
  frame->placed = item;
  valley->offsets[item] = frame->floor;
  candidates_remove(&valley->candidates, item);
  valley->placed_count++;
  add(valley, span, -size, true);
  set_floor(valley, span, frame->floor + size);
  close_finished(valley, span);
}

/* ---------------------------------------------------------------- where to look */

/* From the segment of `at` downhill to a valley. */
static struct span descend(const struct valley *valley, uint32_t at) {
  const struct skyline *skyline = &valley->skyline;
  struct span here = {skyline_start(skyline, at), skyline_end(skyline, at)};
  for (;;) {
    neap_offset floor = skyline->floor[here.first];
    neap_offset left = skyline_left_of(skyline, here.first);
    neap_offset right = skyline_right_of(skyline, here.end);
    if (left > floor && right > floor) return here;
    if (left <= right) {
      here.end = here.first;
      here.first = skyline_start(skyline, here.first - 1);
    } else {
      here.first = here.end;
      here.end = skyline_end(skyline, here.first);
    }
  }
}

/* The lower of a valley's walls. */
static neap_offset wall_of(const struct valley *valley, struct span span) {
  neap_offset left = skyline_left_of(&valley->skyline, span.first);
  neap_offset right = skyline_right_of(&valley->skyline, span.end);
  return left < right ? left : right;
}

static bool push(struct valley *valley, struct span span, uint32_t at) {
  if (!memory_reserve(&valley->frames, &valley->frame_capacity, valley->depth + 1,
                      sizeof *valley->frames)) {
    valley->out_of_memory = true;
    return false;
  }
  valley->frames[valley->depth++] = (struct frame){
      .valley = span,
      .at = at,
      .floor = valley->skyline.floor[span.first],
      .placed = NOTHING,
      .skyline_mark = valley->skyline.change_count,
      .addition_mark = valley->addition_count,
  };
  return true;
}

/*
 * Goes to the next cell to decide and opens a node for it; false when it is clear by then that
 * there is no way on.
 */
static bool open_node(struct valley *valley) {
  while (valley->placed_count < valley->part->count) {
    uint32_t at = (uint32_t)range_min_first(&valley->urgency);
    struct span span = descend(valley, at);
    int64_t least;
    if (at < span.first || at >= span.end)
      at = (uint32_t)range_min_in(&valley->urgency, span.first, span.end, &least);
    if (candidates_best(&valley->candidates, span, at, 0) != CANDIDATES_NONE)
      return push(valley, span, at);
    struct span hole = candidates_hole(&valley->candidates, span, at);
    if (!give_up(valley, hole, valley->skyline.floor[span.first], wall_of(valley, span)))
      return false;
    if (valley->out_of_memory) return false;
  }
  return true;
}

/* ---------------------------------------------------------------- the tree */

/*
 * Leaves the cell empty: the next height is the wall, or where something beside the section
 * ends.
 */
static bool leave_empty(struct valley *valley, const struct frame *frame) {
  neap_offset height = wall_of(valley, frame->valley);
  neap_size beside = candidates_smallest(&valley->candidates, frame->valley, frame->at);
  if (beside < height - frame->floor) height = frame->floor + beside;
  return give_up(valley, (struct span){frame->at, frame->at + 1}, frame->floor, height);
}

/* Tries the next child of the last node; false when it fails at once. */
static bool try_child(struct valley *valley, struct frame *frame) {
  if (frame->stage == STAGE_PLACING) {
    uint32_t rank =
        candidates_best(&valley->candidates, frame->valley, frame->at, frame->next_rank);
    if (rank != CANDIDATES_NONE) {
      frame->next_rank = rank + 1;
      place(valley, frame, valley->ranked[rank]);
      return true;
    }
    frame->stage = STAGE_EMPTY;
  }
  frame->stage = STAGE_DONE;
  return leave_empty(valley, frame);
}

static enum verdict conclude(const struct valley *valley, enum verdict verdict) {
  return valley->out_of_memory ? VERDICT_MEMORY : verdict;
}

enum verdict valley_run(struct valley *valley, uint64_t failures, struct budget *budget) {
  if (valley->is_new) {
    valley->is_new = false;
    if (range_min_least(&valley->slack) < 0 || !open_node(valley))
      return conclude(valley, VERDICT_REFUTED);
  }
  while (valley->depth > 0) {
    if (valley->out_of_memory) return VERDICT_MEMORY;
    if (valley->placed_count == valley->part->count) return VERDICT_FOUND;
    struct frame *frame = &valley->frames[valley->depth - 1];
    retract(valley, frame);
    if (failures == 0) return VERDICT_OPEN;
    if (!budget_tick(budget)) return VERDICT_STOPPED;
    if (frame->stage == STAGE_DONE) {
      valley->depth--;
      continue;
    }
    if (!try_child(valley, frame) || !open_node(valley)) failures--;
  }
  return conclude(valley, VERDICT_REFUTED);
}

static void fill_rest(struct valley *valley) {
  const struct part *part = valley->part;
  memset(valley->numbers, 0, part->section_count * sizeof *valley->numbers);
  for (size_t i = 0; i < part->count; i++) {
    valley->numbers[part->spans[i].first] += part->size[i];
    if (part->spans[i].end < part->section_count)
      valley->numbers[part->spans[i].end] -= part->size[i];
  }
  for (size_t s = 1; s < part->section_count; s++)
    valley->numbers[s] += valley->numbers[s - 1];
  range_min_fill(&valley->rest, valley->numbers);
}

void valley_start(struct valley *valley, neap_size capacity, const uint32_t *rank) {
  size_t sections = valley->part->section_count;
  skyline_undo(&valley->skyline, 0);
  valley->addition_count = valley->depth = valley->placed_count = 0;
  valley->capacity = capacity;
  valley->is_new = true;
  fill_rest(valley);
  for (size_t s = 0; s < sections; s++)
    valley->numbers[s] = capacity - valley->numbers[s];
  range_min_fill(&valley->slack, valley->numbers);
  for (size_t s = 0; s < sections; s++)
    valley->numbers[s] -= valley->weights[s];
  range_min_fill(&valley->urgency, valley->numbers);
  candidates_fill(&valley->candidates, rank);
  for (uint32_t i = 0; i < valley->part->count; i++)
    valley->ranked[rank[i]] = i;
}

const neap_offset *valley_offsets(const struct valley *valley) { return valley->offsets; }
