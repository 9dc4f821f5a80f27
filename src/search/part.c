/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * If no buffer lives across the boundary of two sections, the sections before and after can be
 * planned independently:
 *
 *     sections   0  1  2  3  4  5
 *     a          ██████
 *     b             ██████
 *     c                      ████      no buffer crosses from 2 to 3: the parts are 0-2 and 3-5
 *     d                   ██████
 *
 * Within a part, all sizes and fixed offsets are multiples of their
 * greatest common divisor g.  As long as each alignment divides g or is a multiple of it, the
 * offsets that a search has to try are multiples of g, too; dividing by g keeps numbers small.
 *
 * Splitting sorts by counting; with the sections, it takes O(n log n) time and O(n) memory.
 */
#include "search/part.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/disjoint.h"
#include "core/error.h"
#include "core/memory.h"
#include "facts/bound.h"
#include "search/kinship.h"

void part_clear(struct part *part) {
  free(part->arrays);
  free(part->padding);
  ties_free(part->ties);
  *part = (struct part){0};
}

void parts_clear(struct parts *parts) {
  for (size_t i = 0; i < parts->count; i++)
    part_clear(&parts->items[i]);
  free(parts->items);
  *parts = (struct parts){0};
}

/* ---------------------------------------------------------------- the unit */

/*
 * The largest unit that divides all sizes and fixed offsets, and that divides each alignment or
 * is a multiple of it.
 */
static neap_size common_unit(const struct part *part) {
  neap_size unit = 0;
  for (size_t i = 0; i < part->count && unit != 1; i++) {
    unit = common_divisor(part->size[i], unit);
    if (part->fixed[i] != NEAP_UNPLACED) unit = common_divisor(part->fixed[i], unit);
  }
  for (neap_size before = 1; before != unit;) {
    before = unit;
    for (size_t i = 0; i < part->count; i++)
      unit = part_unit_for(unit, part->alignment[i]);
    if (part->ties) unit = ties_unit(part->ties, unit);
  }
  assert(unit > 0);
  return unit;
}

static void take_out_unit(struct part *part) {
  part->unit = common_unit(part);
  assert(part->count > 0);
  if (part->unit == 1) return;
  for (size_t i = 0; i < part->count; i++) {
    assert(part->size[i] % part->unit == 0);
    part->size[i] /= part->unit;
    if (part->fixed[i] != NEAP_UNPLACED) part->fixed[i] /= part->unit;
    part->alignment[i] = part_units_of_alignment(part->unit, part->alignment[i]);
  }
  if (part->ties) ties_scale(part->ties, part->unit);
}

/*
 * The common divisor of all alignments; 1 if the part has fixed rectangles or ties, or if sizes
 * would grow too large.
 */
static neap_size common_alignment(const struct part *part) {
  neap_size common = 0, most = 1;
  if (part->ties || part_is_fixed(part)) return 1;
  for (size_t i = 0; i < part->count && common != 1; i++) {
    common = common_divisor(part->alignment[i], common);
    if (part->alignment[i] > most) most = part->alignment[i];
  }
  return part->unit > NEAP_MAX / 16 / most ? 1 : common;
}

/*
 * Every offset is a multiple of the common divisor of all alignments, so a buffer can never use
 * the rest of the last unit that another buffer ends in.  So sizes can be rounded up to whole
 * units, and equal alignments become 1.  The padding only matters on top of the layout.
 */
static bool round_to_alignment(struct part *part) {
  neap_size common = common_alignment(part);
  if (common == 1) return true;
  part->padding = memory_array(part->count, sizeof *part->padding);
  if (!part->padding) return false;
  for (size_t i = 0; i < part->count; i++) {
    neap_size padded = round_up(part->size[i], common);
    part->padding[i] = padded - part->size[i];
    part->size[i] = padded / common;
    part->alignment[i] /= common;
  }
  part->unit *= common;
  part->steps = common;
  return true;
}

/* ---------------------------------------------------------------- one part */

/* Raises the lower bound to account for alignments and fixed offsets. */
static neap_status raise_by_alignment(struct part *part, neap_error *error) {
  struct sections sections = {.count = part->column_count,
                              .span_count = part->spans_end[part->count - 1],
                              .spans = part->spans,
                              .spans_end = part->spans_end};
  struct buffer *buffers = memory_array(part->count, sizeof *buffers);
  if (!buffers) return error_memory(error);
  for (size_t i = 0; i < part->count; i++) {
    /* A body may fix a rectangle at an impossible offset; the search refutes that. */
    bool is_sound = part->fixed[i] >= 0 && part->fixed[i] % part->alignment[i] == 0;
    buffers[i] = (struct buffer){.size = part_end(part, i, 0),
                                 .alignment = part->alignment[i] * part->steps,
                                 .fixed_offset = is_sound ? part->fixed[i] : NEAP_UNPLACED};
  }
  neap_status status =
      bound_raise_by_alignment(buffers, part->count, &sections, &part->lower_bound, error);
  free(buffers);
  return status;
}

/*
 * Subtracts from the load of each column the bytes that its rectangles can share; returns
 * whether any can.
 */
static bool subtract_savings(const struct part *part, neap_size *load) {
  const struct ties *ties = part->ties;
  bool has_savings = false;
  for (uint32_t i = 0; i < part->count; i++)
    for (size_t k = ties->partners_begin[i]; k < ties->partners_begin[i + 1]; k++) {
      const struct tie_partner *partner = &ties->partners[k];
      if (partner->other < i || partner->saving == 0) continue;
      has_savings = true;
      struct common common = part_common(part, i, partner->other);
      struct span span;
      while (common_next(&common, &span))
        for (uint32_t at = span.first; at < span.end; at++)
          load[at] = load[at] > partner->saving ? load[at] - partner->saving : 0;
    }
  return has_savings;
}

static neap_status measure_part(struct part *part, neap_error *error) {
  neap_size *load = memory_array(part->column_count + 1, sizeof *load);
  if (!load) return error_memory(error);
  part->is_simple = part->is_relaxed || !part->ties;
  part->has_gaps = !part->is_simple;
  part->is_unaligned = true;
  bool any_fixed = false;
  for (size_t i = 0; i < part->count; i++) {
    for (size_t s = part_spans_begin(part, i); s < part->spans_end[i]; s++) {
      load[part->spans[s].first] += part_end(part, i, 0);
      load[part->spans[s].end] -= part_end(part, i, 0);
    }
    bool is_fixed = part->fixed[i] != NEAP_UNPLACED;
    part->extent += (part->size[i] + (part->alignment[i] - 1)) * part->steps;
    if (is_fixed && part->fixed[i] + part->size[i] > part->lower_bound)
      part->lower_bound = part->fixed[i] + part->size[i];
    if (part->spans_end[i] - part_spans_begin(part, i) != 1) part->has_gaps = true;
    any_fixed = any_fixed || is_fixed;
    if (part->alignment[i] != 1) part->is_unaligned = false;
  }
  if (part->has_gaps || (part->ties && (any_fixed || !part->is_unaligned)))
    part->is_simple = false;
  /*
   * The lower bound covers fixed rectangles.  A part with an extent of NEAP_MAX is not
   * searched.
   */
  neap_size tied = part->ties ? ties_extent(part->ties) : 0;
  if (!checked_add(part->extent, part->lower_bound, &part->extent) ||
      !checked_add(part->extent, tied, &part->extent))
    part->extent = NEAP_MAX;
  neap_size sum = 0;
  for (uint32_t s = 0; s < part->column_count; s++) {
    load[s] = sum += load[s];
    assert(sum > 0); /* every column holds a rectangle */
  }
  bool has_savings = part->ties && subtract_savings(part, load);
  for (uint32_t s = 0; s < part->column_count; s++)
    if (load[s] > part->lower_bound) part->lower_bound = load[s];
  free(load);
  bool is_plain = part->is_simple && part->is_unaligned && !part->padding && !any_fixed;
  return is_plain || has_savings ? NEAP_OK : raise_by_alignment(part, error);
}

bool part_allocate(struct part *part, size_t count, size_t span_count) {
  part->steps = 1;
  const struct memory_part parts[] = {{&part->buffer, count, sizeof *part->buffer},
                                      {&part->size, count, sizeof *part->size},
                                      {&part->alignment, count, sizeof *part->alignment},
                                      {&part->fixed, count, sizeof *part->fixed},
                                      {&part->spans, span_count, sizeof *part->spans},
                                      {&part->spans_end, count, sizeof *part->spans_end}};
  part->arrays = memory_block(parts, sizeof parts / sizeof *parts);
  return part->arrays != NULL;
}

static void add_buffer(struct part *part, const struct neap_problem *problem,
                       const struct sections *sections, size_t buffer, const uint32_t *column) {
  const struct buffer *from = &problem->buffers[buffer];
  size_t item = part->count++, used = item == 0 ? 0 : part->spans_end[item - 1];
  assert(from->size > 0 && from->alignment >= 1);
  part->buffer[item] = buffer;
  part->size[item] = from->size;
  part->alignment[item] = from->alignment;
  part->fixed[item] = from->fixed_offset;
  for (size_t s = sections_spans_begin(sections, buffer); s < sections->spans_end[buffer]; s++)
    part->spans[used++] =
        (struct span){column[sections->spans[s].first], column[sections->spans[s].end - 1] + 1};
  part->spans_end[item] = used;
  assert(used > part_spans_begin(part, item));
  assert(part->spans[used - 1].end <= part->column_count);
}

/* ---------------------------------------------------------------- for the searches */

static int by_fixed_offset(const void *left, const void *right, void *context) {
  const struct part *part = context;
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  if (part->fixed[a] != part->fixed[b]) return part->fixed[a] < part->fixed[b] ? -1 : 1;
  return a < b ? -1 : a > b;
}

uint32_t part_list_fixed(const struct part *part, uint32_t *items) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < part->count; i++)
    if (part->fixed[i] != NEAP_UNPLACED) items[count++] = i;
  qsort_r(items, count, sizeof *items, by_fixed_offset, (void *)(uintptr_t)part);
  return count;
}

void part_add_up(const struct part *part, bool is_fixed, neap_size *sums) {
  assert(!part->has_gaps);
  memset(sums, 0, part->column_count * sizeof *sums);
  for (size_t i = 0; i < part->count; i++) {
    if ((part->fixed[i] != NEAP_UNPLACED) != is_fixed) continue;
    sums[part->spans[i].first] += part->size[i];
    if (part->spans[i].end < part->column_count) sums[part->spans[i].end] -= part->size[i];
  }
  for (uint32_t at = 1; at < part->column_count; at++)
    sums[at] += sums[at - 1];
}

/* ---------------------------------------------------------------- all parts */

/* The division of sections into parts. */
struct division {
  void *arrays;           /* the block of all that follow */
  uint32_t *part_of;      /* per section: its part */
  uint32_t *column;       /* per section: its number in its part */
  uint32_t *column_count; /* per part */
  size_t *buffer_count;   /* per part */
  size_t *span_count;
  size_t count;
};

static bool division_init(struct division *division, size_t section_count) {
  const struct memory_part parts[] = {
      {&division->buffer_count, section_count, sizeof *division->buffer_count},
      {&division->span_count, section_count, sizeof *division->span_count},
      {&division->part_of, section_count, sizeof *division->part_of},
      {&division->column, section_count, sizeof *division->column},
      {&division->column_count, section_count, sizeof *division->column_count}};
  division->arrays = memory_block(parts, sizeof parts / sizeof *parts);
  return division->arrays != NULL;
}

/* Joins neighbouring sections if a buffer, gaps included, lives across their boundary. */
static bool join_neighbours(const struct neap_problem *problem, const struct sections *sections,
                            struct disjoint *sets) {
  uint32_t *crossing = memory_array(sections->count + 1, sizeof *crossing);
  if (!crossing) return false;
  for (size_t i = 0; i < problem->count; i++) {
    size_t begin = sections_spans_begin(sections, i), end = sections->spans_end[i];
    if (begin == end) continue;
    /* Columns of separations have no order in time, so with relations gaps do not count. */
    size_t step = problem->relations ? 1 : end - begin;
    for (size_t s = begin; s < end; s += step) {
      crossing[sections->spans[s].first]++;
      crossing[sections->spans[s + step - 1].end - 1]--;
      disjoint_join(sets, sections->spans[begin].first, sections->spans[s].first);
    }
  }
  uint32_t crossed = 0; /* from the section before to this one */
  for (uint32_t s = 0; s < sections->count; s++) {
    if (crossed > 0) disjoint_join(sets, s - 1, s);
    crossed += crossing[s];
  }
  assert(crossed == 0);
  free(crossing);
  return true;
}

/* Numbers the groups of sections as parts, by their first sections. */
static void number_parts(struct division *division, size_t section_count,
                         struct disjoint *sets) {
  for (uint32_t s = 0; s < section_count; s++) {
    uint32_t first = disjoint_first(sets, s);
    if (first == s) division->part_of[s] = (uint32_t)division->count++;
    else division->part_of[s] = division->part_of[first];
    division->column[s] = division->column_count[division->part_of[s]]++;
  }
}

/*
 * Divides the sections: a part ends where no buffer crosses a boundary and no relation connects
 * the sections.
 */
static bool divide_sections(struct division *division, const struct neap_problem *problem,
                            const struct sections *sections, const struct kinship *kinship) {
  struct disjoint sets;
  bool done = disjoint_init(&sets, sections->count) &&
              division_init(division, sections->count) &&
              join_neighbours(problem, sections, &sets);
  if (done && kinship) kinship_join(kinship, sections, &sets);
  if (done) number_parts(division, sections->count, &sets);
  disjoint_clear(&sets);
  return done;
}

/* The section in which a buffer's life begins; UINT32_MAX if it never holds a byte. */
static uint32_t first_section(const struct sections *sections, size_t buffer) {
  size_t begin = sections_spans_begin(sections, buffer);
  return begin == sections->spans_end[buffer] ? UINT32_MAX : sections->spans[begin].first;
}

/* Sorts the buffers with sections into `order`, by counting; `place` is zeroed. */
static void sort_by_first_section(const struct neap_problem *problem,
                                  const struct sections *sections, size_t *order,
                                  size_t *place) {
  for (size_t i = 0; i < problem->count; i++)
    if (first_section(sections, i) != UINT32_MAX) place[first_section(sections, i) + 1]++;
  for (size_t s = 0; s < sections->count; s++)
    place[s + 1] += place[s];
  for (size_t i = 0; i < problem->count; i++)
    if (first_section(sections, i) != UINT32_MAX)
      order[place[first_section(sections, i)]++] = i;
}

static bool add_buffers(struct parts *parts, const struct division *division,
                        const struct neap_problem *problem, const struct sections *sections) {
  size_t *order = memory_array(problem->count, sizeof *order);
  size_t *place = memory_array(sections->count + 1, sizeof *place);
  bool made = order && place;
  if (made) sort_by_first_section(problem, sections, order, place);
  size_t total = made && sections->count > 0 ? place[sections->count - 1] : 0;
  for (size_t k = 0; k < total; k++) {
    uint32_t part = division->part_of[first_section(sections, order[k])];
    add_buffer(&parts->items[part], problem, sections, order[k], division->column);
  }
  free(order);
  free(place);
  return made;
}

static bool fill_parts(struct parts *parts, struct division *division,
                       const struct neap_problem *problem, const struct sections *sections) {
  for (size_t i = 0; i < problem->count; i++) {
    uint32_t section = first_section(sections, i);
    if (section == UINT32_MAX) continue;
    uint32_t part = division->part_of[section];
    division->buffer_count[part]++;
    division->span_count[part] += sections->spans_end[i] - sections_spans_begin(sections, i);
  }
  parts->items = memory_array(division->count, sizeof *parts->items);
  if (!parts->items) return false;
  for (size_t p = 0; p < division->count; p++) {
    parts->count++;
    parts->items[p].column_count = division->column_count[p];
    if (!part_allocate(&parts->items[p], division->buffer_count[p], division->span_count[p]))
      return false;
  }
  return add_buffers(parts, division, problem, sections);
}

static neap_status finish_parts(struct parts *parts, const struct neap_problem *problem,
                                const struct kinship *kinship, neap_error *error) {
  neap_status status = kinship ? kinship_tie(kinship, problem, parts, error) : NEAP_OK;
  for (size_t p = 0; p < parts->count && status == NEAP_OK; p++) {
    parts->items[p].is_relaxed = kinship && kinship->scope == KINSHIP_ALL;
    take_out_unit(&parts->items[p]);
    status = round_to_alignment(&parts->items[p]) ? measure_part(&parts->items[p], error)
                                                  : error_memory(error);
  }
  return status;
}

static neap_status split_problem(struct parts *parts, const struct neap_problem *problem,
                                 const struct sections *sections, const struct kinship *kinship,
                                 neap_error *error) {
  struct division division = {0};
  bool done = divide_sections(&division, problem, sections, kinship) &&
              fill_parts(parts, &division, problem, sections);
  free(division.arrays);
  return done ? finish_parts(parts, problem, kinship, error) : error_memory(error);
}

/*
 * Splits a problem by sections; `kinship` holds the relations that sections do not express, or
 * is NULL.
 */
static neap_status init_by_sections(struct parts *parts, const struct neap_problem *problem,
                                    const struct sections *sections,
                                    const struct kinship *kinship, neap_error *error) {
  *parts = (struct parts){0};
  neap_status status = split_problem(parts, problem, sections, kinship, error);
  if (status != NEAP_OK) parts_clear(parts);
  return status;
}

static neap_status init_parts(struct parts *parts, const struct neap_problem *problem,
                              const struct neap_problem *sectioned,
                              const struct kinship *kinship, neap_error *error) {
  *parts = (struct parts){0};
  struct sections sections;
  neap_status status = sections_init(&sections, sectioned, SECTIONS_NONEMPTY, error);
  if (status != NEAP_OK) return status;
  status = init_by_sections(parts, problem, &sections, kinship, error);
  sections_clear(&sections);
  return status;
}

neap_status parts_init_by_sections(struct parts *parts, const struct neap_problem *problem,
                                   const struct sections *sections, neap_error *error) {
  assert(!problem->relations);
  return init_by_sections(parts, problem, sections, NULL, error);
}

neap_status parts_init(struct parts *parts, const struct neap_problem *problem,
                       neap_error *error) {
  if (!problem->relations) return init_parts(parts, problem, problem, NULL, error);
  struct kinship kinship;
  neap_status status = kinship_init(&kinship, problem, KINSHIP_TIES, error);
  if (status == NEAP_OK) status = init_parts(parts, problem, problem, &kinship, error);
  kinship_clear(&kinship);
  return status;
}

static bool are_simple(const struct parts *parts) {
  for (size_t p = 0; p < parts->count; p++)
    if (!parts->items[p].is_simple) return false;
  return true;
}

neap_status parts_relax(struct parts *parts, const struct neap_problem *problem,
                        bool *is_possible, neap_error *error) {
  struct neap_problem bare = *problem;
  struct kinship kinship;
  bare.relations = NULL;
  neap_status status = kinship_init(&kinship, problem, KINSHIP_ALL, error);
  if (status == NEAP_OK) status = init_parts(parts, problem, &bare, &kinship, error);
  kinship_clear(&kinship);
  *is_possible = status == NEAP_OK && are_simple(parts);
  if (status == NEAP_OK && !*is_possible) parts_clear(parts);
  return status;
}
