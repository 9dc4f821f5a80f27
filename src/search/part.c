/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where no buffer lives on from one section to the next, the sections before and after can be
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

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "model/bound.h"

void part_clear(struct part *part) {
  free(part->buffer);
  free(part->size);
  free(part->alignment);
  free(part->fixed);
  free(part->spans);
  free(part->spans_end);
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
  for (size_t i = 0; i < part->count; i++) {
    unit = common_divisor(part->size[i], unit);
    if (part->fixed[i] != NEAP_UNPLACED) unit = common_divisor(part->fixed[i], unit);
  }
  for (neap_size before = 0; before != unit;) {
    before = unit;
    for (size_t i = 0; i < part->count; i++)
      unit = part_unit_for(unit, part->alignment[i]);
  }
  assert(unit > 0);
  return unit;
}

static void take_out_unit(struct part *part) {
  part->unit = common_unit(part);
  assert(part->count > 0);
  for (size_t i = 0; i < part->count; i++) {
    assert(part->size[i] % part->unit == 0);
    part->size[i] /= part->unit;
    if (part->fixed[i] != NEAP_UNPLACED) part->fixed[i] /= part->unit;
    part->alignment[i] = part_units_of_alignment(part->unit, part->alignment[i]);
  }
}

/*
 * If all buffers have the same alignment, every offset is a multiple of it, and no buffer can use
 * the rest of the last unit that another one reaches into.  So sizes may be rounded up to whole
 * units, which makes the part simple.  All that is lost is the padding of the topmost buffer.
 * Small parts are searched without rounding.
 */
#define ROUNDED_FROM 2048

static void round_to_alignment(struct part *part) {
  neap_size alignment = part->alignment[0];
  if (part->count < ROUNDED_FROM || alignment == 1 || part->unit > NEAP_MAX / 16 / alignment)
    return;
  for (size_t i = 0; i < part->count; i++)
    if (part->alignment[i] != alignment || part->fixed[i] != NEAP_UNPLACED ||
        part->spans_end[i] - part_spans_begin(part, i) != 1)
      return;
  for (size_t i = 0; i < part->count; i++) {
    neap_size padded = round_up(part->size[i], alignment);
    neap_size padding = (padded - part->size[i]) * part->unit;
    if (padding > part->padding) part->padding = padding;
    part->size[i] = padded / alignment;
    part->alignment[i] = 1;
  }
  part->unit *= alignment;
}

/* ---------------------------------------------------------------- one part */

/* Raises the lower bound by what the alignments force; simple parts have none. */
static neap_status raise_by_alignment(struct part *part, neap_error *error) {
  struct sections sections = {.count = part->column_count,
                              .span_count = part->spans_end[part->count - 1],
                              .spans = part->spans,
                              .spans_end = part->spans_end};
  struct buffer *buffers = memory_array(part->count, sizeof *buffers);
  if (!buffers) return error_memory(error);
  for (size_t i = 0; i < part->count; i++)
    buffers[i] = (struct buffer){
        .size = part->size[i], .alignment = part->alignment[i], .fixed_offset = part->fixed[i]};
  neap_status status =
      bound_raise_by_alignment(buffers, part->count, &sections, &part->lower_bound, error);
  free(buffers);
  return status;
}

static neap_status measure_part(struct part *part, neap_error *error) {
  neap_size *load = memory_array(part->column_count + 1, sizeof *load);
  if (!load) return error_memory(error);
  part->is_simple = true;
  for (size_t i = 0; i < part->count; i++) {
    for (size_t s = part_spans_begin(part, i); s < part->spans_end[i]; s++) {
      load[part->spans[s].first] += part->size[i];
      load[part->spans[s].end] -= part->size[i];
    }
    bool is_fixed = part->fixed[i] != NEAP_UNPLACED;
    part->extent += part->size[i] + (part->alignment[i] - 1);
    if (is_fixed && part->fixed[i] + part->size[i] > part->lower_bound)
      part->lower_bound = part->fixed[i] + part->size[i];
    if (part->spans_end[i] - part_spans_begin(part, i) != 1) part->has_gaps = true;
    if (is_fixed || part->has_gaps || part->alignment[i] != 1) part->is_simple = false;
  }
  /* The lower bound covers what is fixed.  A part as high as this is not searched. */
  if (!checked_add(part->extent, part->lower_bound, &part->extent)) part->extent = NEAP_MAX;
  neap_size sum = 0;
  for (uint32_t s = 0; s < part->column_count; s++) {
    sum += load[s];
    assert(sum > 0); /* every column holds a rectangle */
    if (sum > part->lower_bound) part->lower_bound = sum;
  }
  free(load);
  return part->is_simple ? NEAP_OK : raise_by_alignment(part, error);
}

bool part_allocate(struct part *part, size_t count, size_t span_count) {
  part->buffer = memory_array(count, sizeof *part->buffer);
  part->size = memory_array(count, sizeof *part->size);
  part->alignment = memory_array(count, sizeof *part->alignment);
  part->fixed = memory_array(count, sizeof *part->fixed);
  part->spans = memory_array(span_count, sizeof *part->spans);
  part->spans_end = memory_array(count, sizeof *part->spans_end);
  return part->buffer && part->size && part->alignment && part->fixed && part->spans &&
         part->spans_end;
}

static void add_buffer(struct part *part, const struct neap_problem *problem,
                       const struct sections *sections, size_t buffer, uint32_t origin) {
  const struct buffer *from = &problem->buffers[buffer];
  size_t item = part->count++, used = item == 0 ? 0 : part->spans_end[item - 1];
  assert(from->size > 0 && from->alignment >= 1);
  part->buffer[item] = buffer;
  part->size[item] = from->size;
  part->alignment[item] = from->alignment;
  part->fixed[item] = from->fixed_offset;
  for (size_t s = sections_spans_begin(sections, buffer); s < sections->spans_end[buffer]; s++)
    part->spans[used++] =
        (struct span){sections->spans[s].first - origin, sections->spans[s].end - origin};
  part->spans_end[item] = used;
  assert(used > part_spans_begin(part, item));
  assert(part->spans[used - 1].end <= part->column_count);
}

/* ---------------------------------------------------------------- all parts */

/* The parts that the sections are divided into. */
struct division {
  uint32_t *part_of;    /* per section: its part */
  uint32_t *first;      /* per part: its first section */
  size_t *buffer_count; /* per part */
  size_t *span_count;
  size_t count;
};

static void division_clear(struct division *division) {
  free(division->part_of);
  free(division->first);
  free(division->buffer_count);
  free(division->span_count);
}

/* A part ends where no buffer, gaps included, crosses from a section to the next. */
static bool divide_sections(struct division *division, const struct neap_problem *problem,
                            const struct sections *sections) {
  size_t count = sections->count;
  uint32_t *crossing = memory_array(count + 1, sizeof *crossing);
  division->part_of = memory_array(count, sizeof *division->part_of);
  division->first = memory_array(count, sizeof *division->first);
  division->buffer_count = memory_array(count, sizeof *division->buffer_count);
  division->span_count = memory_array(count, sizeof *division->span_count);
  if (!crossing || !division->part_of || !division->first || !division->buffer_count ||
      !division->span_count) {
    free(crossing);
    return false;
  }
  for (size_t i = 0; i < problem->count; i++) {
    size_t begin = sections_spans_begin(sections, i), end = sections->spans_end[i];
    if (begin == end) continue;
    crossing[sections->spans[begin].first]++;
    crossing[sections->spans[end - 1].end - 1]--;
  }
  uint32_t crossed = 0; /* from the section before to this one */
  for (uint32_t s = 0; s < count; s++) {
    if (crossed == 0) division->first[division->count++] = s;
    division->part_of[s] = (uint32_t)division->count - 1;
    crossed += crossing[s];
  }
  assert(crossed == 0 && (count == 0 || division->count > 0));
  free(crossing);
  return true;
}

/* The section in which a buffer's life begins; UINT32_MAX if it never holds a byte. */
static uint32_t first_section(const struct sections *sections, size_t buffer) {
  size_t begin = sections_spans_begin(sections, buffer);
  return begin == sections->spans_end[buffer] ? UINT32_MAX : sections->spans[begin].first;
}

/* Sorts the buffers that live somewhere into `order`, by counting; `place` is zeroed. */
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
    add_buffer(&parts->items[part], problem, sections, order[k], division->first[part]);
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
    uint32_t end = p + 1 < division->count ? division->first[p + 1] : (uint32_t)sections->count;
    parts->items[p].column_count = end - division->first[p];
    if (!part_allocate(&parts->items[p], division->buffer_count[p], division->span_count[p]))
      return false;
  }
  return add_buffers(parts, division, problem, sections);
}

static neap_status split_problem(struct parts *parts, const struct neap_problem *problem,
                                 const struct sections *sections, neap_error *error) {
  struct division division = {0};
  bool done = divide_sections(&division, problem, sections) &&
              fill_parts(parts, &division, problem, sections);
  division_clear(&division);
  if (!done) return error_memory(error);
  for (size_t p = 0; p < parts->count; p++) {
    take_out_unit(&parts->items[p]);
    round_to_alignment(&parts->items[p]);
    neap_status status = measure_part(&parts->items[p], error);
    if (status != NEAP_OK) return status;
  }
  return NEAP_OK;
}

neap_status parts_init(struct parts *parts, const struct neap_problem *problem,
                       neap_error *error) {
  *parts = (struct parts){0};
  struct sections sections;
  neap_status status = sections_init(&sections, problem, SECTIONS_NONEMPTY, error);
  if (status != NEAP_OK) return status;
  status = split_problem(parts, problem, &sections, error);
  sections_clear(&sections);
  if (status != NEAP_OK) parts_clear(parts);
  return status;
}
