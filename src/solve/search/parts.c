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
 * Splitting sorts by counting; with the sections, it takes O(n log n) time and O(n) memory.
 */
#include "search/parts.h"

#include <assert.h>
#include <stdlib.h>

#include "core/disjoint.h"
#include "core/error.h"
#include "core/memory.h"
#include "facts/columns.h"
#include "model/groups.h"

void parts_clear(struct parts *parts) {
  for (size_t i = 0; i < parts->count; i++)
    part_clear(&parts->items[i]);
  free(parts->items);
  *parts = (struct parts){0};
}

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
    status = part_finish(&parts->items[p], error);
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
  neap_status status = columns_init(&sections, sectioned, SECTIONS_NONEMPTY, error);
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
  *is_possible = !problem_next_group(problem, RELATION_APART, NULL);
  if (!*is_possible) return NEAP_OK;
  bare.relations = NULL;
  neap_status status = kinship_init(&kinship, problem, KINSHIP_ALL, error);
  if (status == NEAP_OK) status = init_parts(parts, problem, &bare, &kinship, error);
  kinship_clear(&kinship);
  *is_possible = status == NEAP_OK && are_simple(parts);
  if (status == NEAP_OK && !*is_possible) parts_clear(parts);
  return status;
}
