/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All sizes and fixed offsets of a part are multiples of their greatest common divisor g.  As
 * long as each alignment divides g or is a multiple of it, the offsets that a search has to try
 * are also multiples of g; dividing by g keeps numbers small.
 */
#include "search/part.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "facts/bound.h"

void part_clear(struct part *part) {
  free(part->arrays);
  free(part->padding);
  ties_free(part->ties);
  *part = (struct part){0};
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
      unit = unit_for_alignment(unit, part->alignment[i]);
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
    part->alignment[i] = alignment_in_units(part->alignment[i], part->unit);
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

static neap_status measure(struct part *part, neap_error *error) {
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

neap_status part_finish(struct part *part, neap_error *error) {
  take_out_unit(part);
  return round_to_alignment(part) ? measure(part, error) : error_memory(error);
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
