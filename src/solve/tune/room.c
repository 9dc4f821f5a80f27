/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One step of large-neighbourhood search (Shaw 1998), by exact search.  The lifetimes of the
 * members cut time into columns; within a column, the same members are alive.  The bytes that
 * other buffers occupy at any time in a column form blocks.  A gap that is too small for every
 * member alive in the column belongs to the block.  Members and blocks form a part for the
 * search (search/part), in which the blocks are fixed:
 *
 *      target ┌────┬─────────┬────┐
 *             │    │  room   ├────┤
 *             ├────┤         │    │ ◄── a block in mid-air
 *             │    ├─────────┼────┤
 *             │    │  block  │    │
 *             └────┴─────────┴────┘
 *               0       1      2      columns
 *
 * One pass over the other buffers, by ascending offset, finds the blocks of all columns.  It
 * takes time linear in the number of columns that each buffer meets; the rest is sorting.
 */
#include "tune/room.h"

#include <assert.h>
#include <stdlib.h>

#include "core/bisection.h"
#include "core/checked.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "core/sort.h"
#include "search/method.h"
#include "search/portfolio.h"

#define NO_COLUMN UINT32_MAX
#define NO_MEMBER UINT32_MAX

/*
 * The bytes of a buffer that stays, or bytes that are reserved during the life of a member.  In
 * bytes, and in units once the unit is chosen.
 */
struct obstacle {
  neap_offset low, high;
  uint32_t buffer;
};

/* A member, or a block that fills a run of columns. */
struct rectangle {
  struct span columns;
  uint32_t member; /* or NO_MEMBER */
  neap_offset low, high;
};

struct column {
  neap_size smallest;    /* the smallest size of a member alive in it */
  neap_size load;        /* the sum of the sizes of these members */
  neap_offset low, high; /* the block under construction */
  neap_size taken;       /* occupied by finished blocks */
};

struct room {
  const struct room_layout *layout;
  const struct room_task *task;
  neap_size unit, capacity; /* bytes; units */
  uint32_t *cuts;           /* the sections at which members' spans begin or end, ascending */
  /* Per cut: the column that begins there; NO_COLUMN if no member is alive. */
  uint32_t *column_at;
  size_t cut_count;
  struct column *columns;
  uint32_t column_count;
  struct obstacle *obstacles;
  size_t obstacle_count;
  struct rectangle *rectangles;
  size_t rectangle_count, rectangle_capacity;
  struct part part;
};

static void room_clear(struct room *room) {
  free(room->cuts);
  free(room->column_at);
  free(room->columns);
  free(room->obstacles);
  free(room->rectangles);
  part_clear(&room->part);
}

static const struct buffer *member_buffer(const struct room *room, size_t member) {
  return &room->layout->problem->buffers[room->task->members[member]];
}

/* The spans of a buffer: from the pointer returned to *end. */
static const struct span *spans_of(const struct room *room, size_t buffer,
                                   const struct span **end) {
  const struct sections *sections = room->layout->sections;
  *end = sections->spans + sections->spans_end[buffer];
  return sections->spans + sections_spans_begin(sections, buffer);
}

/* ---------------------------------------------------------------- columns */

/* The number of cuts before a section. */
static size_t cuts_before(const struct room *room, uint32_t section) {
  struct bisection search = bisection_of(0, room->cut_count);
  while (bisection_open(&search))
    bisection_step(&search, room->cuts[search.middle] < section);
  return search.low;
}

static size_t count_spans(const struct room *room) {
  size_t count = 0;
  const struct span *span, *end;
  for (size_t i = 0; i < room->task->count; i++) {
    span = spans_of(room, room->task->members[i], &end);
    count += (size_t)(end - span);
  }
  return count;
}

static bool find_cuts(struct room *room) {
  size_t most = 2 * count_spans(room), kept = 0;
  room->cuts = memory_array(most, sizeof *room->cuts);
  room->column_at = memory_array(most, sizeof *room->column_at);
  room->columns = memory_array(most, sizeof *room->columns);
  if (!room->cuts || !room->column_at || !room->columns) return false;
  const struct span *end;
  for (size_t i = 0; i < room->task->count; i++)
    for (const struct span *span = spans_of(room, room->task->members[i], &end); span < end;
         span++) {
      room->cuts[room->cut_count++] = span->first;
      room->cuts[room->cut_count++] = span->end;
    }
  qsort(room->cuts, room->cut_count, sizeof *room->cuts, sort_by_number);
  for (size_t i = 0; i < room->cut_count; i++)
    if (kept == 0 || room->cuts[i] != room->cuts[kept - 1]) room->cuts[kept++] = room->cuts[i];
  room->cut_count = kept;
  return true;
}

/* Numbers the columns.  A column lies between two cuts if a member is alive there. */
static bool number_columns(struct room *room) {
  int32_t *alive = memory_array(room->cut_count, sizeof *alive), sum = 0;
  if (!alive) return false;
  const struct span *end;
  for (size_t i = 0; i < room->task->count; i++)
    for (const struct span *span = spans_of(room, room->task->members[i], &end); span < end;
         span++) {
      alive[cuts_before(room, span->first)]++;
      alive[cuts_before(room, span->end)]--;
    }
  for (size_t cut = 0; cut < room->cut_count; cut++) {
    sum += alive[cut];
    room->column_at[cut] = sum > 0 ? room->column_count++ : NO_COLUMN;
  }
  assert(sum == 0);
  free(alive);
  return true;
}

/* The columns of a member's span. */
static struct span columns_of(const struct room *room, const struct span *span) {
  return (struct span){room->column_at[cuts_before(room, span->first)],
                       room->column_at[cuts_before(room, span->end) - 1] + 1};
}

static void measure_columns(struct room *room) {
  const struct span *end;
  for (uint32_t c = 0; c < room->column_count; c++)
    room->columns[c].smallest = NEAP_MAX;
  for (size_t i = 0; i < room->task->count; i++) {
    neap_size size = member_buffer(room, i)->size / room->unit;
    for (const struct span *span = spans_of(room, room->task->members[i], &end); span < end;
         span++) {
      struct span columns = columns_of(room, span);
      for (uint32_t c = columns.first; c < columns.end; c++) {
        room->columns[c].load += size;
        if (size < room->columns[c].smallest) room->columns[c].smallest = size;
      }
    }
  }
}

/* ---------------------------------------------------------------- obstacles */

/* Lists the buffers alive at some time in a column; members and repetitions are included. */
static bool find_neighbours(const struct room *room, struct buffer_list *found) {
  size_t most = ROOM_OBSTACLES_MAX + room->task->count;
  for (size_t cut = 0; cut + 1 < room->cut_count; cut++) {
    if (room->column_at[cut] == NO_COLUMN) continue;
    size_t end = cut + 1;
    while (room->column_at[end] != NO_COLUMN)
      end++; /* the last cut begins no column */
    struct span window = {room->cuts[cut], room->cuts[end]};
    if (!neighbours_find(room->layout->neighbours, window, most, found)) return false;
    cut = end;
  }
  return true;
}

/* Adds the part of an obstacle below the target; the rest is not in the way. */
static void add_obstacle(struct room *room, uint32_t buffer, neap_offset low,
                         neap_offset high) {
  if (high > room->task->target) high = room->task->target;
  if (low < high)
    room->obstacles[room->obstacle_count++] = (struct obstacle){low, high, buffer};
}

static int by_low(const void *left, const void *right) {
  const struct obstacle *a = left, *b = right;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  return a->buffer < b->buffer ? -1 : a->buffer > b->buffer;
}

static void add_neighbour(struct room *room, uint32_t buffer) {
  neap_offset low = room->layout->offsets[buffer];
  add_obstacle(room, buffer, low, low + room->layout->problem->buffers[buffer].size);
}

/* Counts the holes in the members' domains: bytes that are reserved while a member is alive. */
static size_t count_holes(const struct room *room) {
  size_t count = 0;
  for (size_t i = 0; i < room->task->count; i++) {
    struct domain domain = domains_of(&room->layout->movable->domains, room->task->members[i]);
    count += domain.hole_count + (domain.window_high < NEAP_MAX ? 1 : 0);
  }
  return count;
}

static void add_holes(struct room *room, uint32_t member) {
  struct domain domain = domains_of(&room->layout->movable->domains, member);
  for (size_t h = 0; h < domain.hole_count; h++)
    add_obstacle(room, member, domain.holes[h].low, domain.holes[h].high);
  if (domain.window_high < NEAP_MAX) add_obstacle(room, member, domain.window_high, NEAP_MAX);
}

/* Lists, by ascending offset, the neighbours that are not members and begin below the target. */
static enum verdict find_obstacles(struct room *room) {
  struct buffer_list found = {0};
  size_t holes = count_holes(room);
  enum verdict verdict = find_neighbours(room, &found) ? VERDICT_FOUND : VERDICT_MEMORY;
  if (verdict == VERDICT_FOUND && found.count + holes > ROOM_OBSTACLES_MAX + room->task->count)
    verdict = VERDICT_OPEN;
  if (verdict == VERDICT_FOUND) {
    room->obstacles = memory_array(found.count + holes, sizeof *room->obstacles);
    if (!room->obstacles) verdict = VERDICT_MEMORY;
  }
  if (verdict == VERDICT_FOUND) {
    qsort(found.items, found.count, sizeof *found.items, sort_by_number);
    size_t member = 0;
    for (size_t i = 0; i < found.count; i++) {
      uint32_t buffer = found.items[i];
      while (member < room->task->count && room->task->members[member] < buffer)
        member++;
      bool is_member = member < room->task->count && room->task->members[member] == buffer;
      if (!is_member && (i == 0 || found.items[i - 1] != buffer)) add_neighbour(room, buffer);
    }
    for (size_t i = 0; holes > 0 && i < room->task->count; i++)
      add_holes(room, room->task->members[i]);
    qsort(room->obstacles, room->obstacle_count, sizeof *room->obstacles, by_low);
  }
  free(found.items);
  return verdict;
}

/* ---------------------------------------------------------------- units */

/*
 * The unit is chosen as for the parts of a problem: it divides all sizes and obstacles, and for
 * each alignment, one divides the other.  Then offsets that are not multiples of the unit need
 * not be tried.
 */
static neap_size common_unit(const struct room *room) {
  neap_size unit = 0;
  for (size_t i = 0; i < room->task->count; i++)
    unit = common_divisor(member_buffer(room, i)->size, unit);
  for (size_t i = 0; i < room->obstacle_count; i++) {
    const struct obstacle *obstacle = &room->obstacles[i];
    unit = common_divisor(unit, obstacle->low);
    if (obstacle->high < room->task->target) unit = common_divisor(unit, obstacle->high);
  }
  for (neap_size before = 0; before != unit;) {
    before = unit;
    for (size_t i = 0; i < room->task->count; i++)
      unit = unit_for_alignment(unit, member_buffer(room, i)->alignment);
  }
  return unit;
}

static void choose_unit(struct room *room) {
  room->unit = common_unit(room);
  room->capacity = room->task->target / room->unit;
  for (size_t i = 0; i < room->obstacle_count; i++) {
    struct obstacle *obstacle = &room->obstacles[i];
    obstacle->low /= room->unit;
    obstacle->high /= room->unit; /* if cut by the target, it ends at the capacity in units */
  }
}

/* ---------------------------------------------------------------- blocks */

static bool add_rectangle(struct room *room, struct rectangle rectangle) {
  if (!memory_reserve(&room->rectangles, &room->rectangle_capacity, room->rectangle_count + 1,
                      sizeof *room->rectangles))
    return false;
  room->rectangles[room->rectangle_count++] = rectangle;
  return true;
}

static bool finish_block(struct room *room, uint32_t c) {
  struct column *column = &room->columns[c];
  if (column->low == column->high) return true;
  column->taken += column->high - column->low;
  return add_rectangle(room,
                       (struct rectangle){{c, c + 1}, NO_MEMBER, column->low, column->high});
}

/*
 * Adds an obstacle to the block of a column, or begins a new block if a member fits in between.
 */
static bool extend_block(struct room *room, uint32_t c, const struct obstacle *obstacle) {
  struct column *column = &room->columns[c];
  if (obstacle->low - column->high >= column->smallest) {
    if (!finish_block(room, c)) return false;
    column->low = obstacle->low;
    column->high = obstacle->high;
  }
  if (obstacle->high > column->high) column->high = obstacle->high;
  return true;
}

static bool block_span(struct room *room, const struct span *span,
                       const struct obstacle *obstacle) {
  size_t cut = cuts_before(room, span->first + 1);
  if (cut > 0) cut--; /* the column in which the span begins */
  for (; cut + 1 < room->cut_count && room->cuts[cut] < span->end; cut++)
    if (room->column_at[cut] != NO_COLUMN &&
        !extend_block(room, room->column_at[cut], obstacle))
      return false;
  return true;
}

/* Finds the blocks of all columns; VERDICT_REFUTED if the room left in a column is too small. */
static enum verdict find_blocks(struct room *room) {
  const struct span *end;
  for (size_t i = 0; i < room->obstacle_count; i++) {
    const struct obstacle *obstacle = &room->obstacles[i];
    for (const struct span *span = spans_of(room, obstacle->buffer, &end); span < end; span++)
      if (!block_span(room, span, obstacle)) return VERDICT_MEMORY;
  }
  for (uint32_t c = 0; c < room->column_count; c++) {
    struct column *column = &room->columns[c];
    if (room->capacity - column->high < column->smallest) column->high = room->capacity;
    if (!finish_block(room, c)) return VERDICT_MEMORY;
    if (room->capacity - column->taken < column->load) return VERDICT_REFUTED;
  }
  return VERDICT_FOUND;
}

static int by_height(const void *left, const void *right) {
  const struct rectangle *a = left, *b = right;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return a->columns.first < b->columns.first ? -1 : a->columns.first > b->columns.first;
}

/* Joins equal blocks of adjacent columns. */
static void join_blocks(struct room *room) {
  size_t kept = 0;
  if (room->rectangle_count == 0) return;
  qsort(room->rectangles, room->rectangle_count, sizeof *room->rectangles, by_height);
  for (size_t i = 1; i < room->rectangle_count; i++) {
    struct rectangle *last = &room->rectangles[kept], *next = &room->rectangles[i];
    if (last->low == next->low && last->high == next->high &&
        last->columns.end == next->columns.first)
      last->columns.end = next->columns.end;
    else room->rectangles[++kept] = *next;
  }
  room->rectangle_count = kept + 1;
}

/* ---------------------------------------------------------------- the part */

static bool add_members(struct room *room) {
  const struct span *end;
  for (uint32_t i = 0; i < room->task->count; i++) {
    const struct span *span = spans_of(room, room->task->members[i], &end);
    if (!add_rectangle(room, (struct rectangle){columns_of(room, span), i, 0, 0})) return false;
  }
  return true;
}

static int by_first_column(const void *left, const void *right) {
  const struct rectangle *a = left, *b = right;
  if (a->columns.first != b->columns.first) return a->columns.first < b->columns.first ? -1 : 1;
  if (a->member != b->member) return a->member < b->member ? -1 : 1;
  return a->low < b->low ? -1 : a->low > b->low;
}

static void append_block(struct part *part, const struct rectangle *block) {
  size_t item = part->count++, used = part_spans_begin(part, item);
  part->size[item] = block->high - block->low;
  part->alignment[item] = 1;
  part->fixed[item] = block->low;
  part->spans[used++] = block->columns;
  part->spans_end[item] = used;
  part->is_simple = false;
}

static void append_member(const struct room *room, struct part *part, uint32_t member) {
  const struct buffer *buffer = member_buffer(room, member);
  size_t item = part->count++, used = part_spans_begin(part, item), begin = used;
  part->size[item] = buffer->size / room->unit;
  part->alignment[item] = alignment_in_units(buffer->alignment, room->unit);
  part->fixed[item] = NEAP_UNPLACED;
  const struct span *end;
  for (const struct span *span = spans_of(room, room->task->members[member], &end); span < end;
       span++)
    part->spans[used++] = columns_of(room, span);
  part->spans_end[item] = used;
  if (used - begin > 1) part->has_gaps = true;
  if (part->alignment[item] > 1) part->is_unaligned = false;
  if (part->has_gaps || !part->is_unaligned) part->is_simple = false;
}

static bool make_part(struct room *room) {
  join_blocks(room);
  size_t span_count = room->rectangle_count + count_spans(room);
  if (!add_members(room)) return false;
  qsort(room->rectangles, room->rectangle_count, sizeof *room->rectangles, by_first_column);
  struct part *part = &room->part;
  if (!part_allocate(part, room->rectangle_count, span_count)) return false;
  part->column_count = room->column_count;
  part->unit = room->unit;
  part->extent = room->capacity;
  part->is_simple = part->is_unaligned = true;
  for (size_t i = 0; i < room->rectangle_count; i++) {
    const struct rectangle *rectangle = &room->rectangles[i];
    part->buffer[i] = i; /* the guide is indexed by rectangle */
    if (rectangle->member == NO_MEMBER) append_block(part, rectangle);
    else append_member(room, part, rectangle->member);
  }
  return true;
}

/* ---------------------------------------------------------------- the search */

static bool is_searchable(const struct room *room) {
  return portfolio_suits(&room->part) &&
         (room->part.is_simple || room->part.count <= ROOM_RECTANGLES_MAX);
}

static enum verdict search_part(struct room *room, struct budget *budget, neap_offset *found) {
  struct portfolio *portfolio =
      portfolio_new((struct method_task){.part = &room->part,
                                         .rules = method_rules_without(room->task->disabled),
                                         .seed = room->task->seed});
  if (!portfolio) return VERDICT_MEMORY;
  enum verdict verdict = VERDICT_OPEN;
  for (uint64_t i = 0; i < room->task->restarts && verdict == VERDICT_OPEN; i++)
    verdict = portfolio_step(portfolio, room->capacity, budget);
  for (size_t i = 0; i < room->part.count && verdict == VERDICT_FOUND; i++)
    if (room->rectangles[i].member != NO_MEMBER)
      found[room->rectangles[i].member] = portfolio_offsets(portfolio)[i] * room->unit;
  portfolio_free(portfolio);
  return verdict;
}

static enum verdict prepare_part(struct room *room) {
  if (!find_cuts(room) || !number_columns(room)) return VERDICT_MEMORY;
  enum verdict verdict = find_obstacles(room);
  if (verdict != VERDICT_FOUND) return verdict;
  choose_unit(room);
  /* Without obstacles, the search itself detects columns without room, even for many members. */
  if (room->obstacle_count > 0) {
    measure_columns(room);
    verdict = find_blocks(room);
  }
  if (verdict != VERDICT_FOUND) return verdict;
  if (!make_part(room)) return VERDICT_MEMORY;
  return is_searchable(room) ? VERDICT_FOUND : VERDICT_OPEN;
}

enum verdict room_search(const struct room_layout *layout, const struct room_task *task,
                         struct budget *budget, neap_offset *found) {
  struct room room = {.layout = layout, .task = task};
  assert(task->count > 0);
  enum verdict verdict = prepare_part(&room);
  budget_spend(budget,
               (room.obstacle_count + 2 * room.rectangle_count) / ROOM_PREPARED_PER_TICK);
  uint64_t before = budget->ticks;
  if (verdict == VERDICT_FOUND) verdict = search_part(&room, budget, found);
  budget_spend(budget, (budget->ticks - before) * (room.part.count / ROOM_RECTANGLES_PER_TICK));
  room_clear(&room);
  return verdict;
}
