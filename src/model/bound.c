/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bound: the largest sum of sizes alive at one moment.  The sum is largest in a maximal
 * section (model/sections), so sizes added at a span's first section and taken off after its
 * last give every sum that matters in one pass.
 *
 * The lower bound goes two steps further.  A fixed buffer's end is a lower bound by itself.
 * And where g divides all alignments, every offset is a multiple of g: a buffer that is not the
 * topmost takes its size rounded up to g from the others.
 */
#include <assert.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "model/sections.h"

/*
 * The greatest common divisor of the alignments of all buffers that hold a byte; 1 when there
 * are none.
 */
static neap_size common_alignment(const struct neap_problem *problem) {
  neap_size common = 0;
  for (size_t i = 0; i < problem->count && common != 1; i++)
    if (problem->buffers[i].size > 0)
      common = common_divisor(problem->buffers[i].alignment, common);
  return common == 0 ? 1 : common;
}

/*
 * load[s] = the sum, over the buffers alive in section s, of their sizes rounded up to `unit`.
 */
static void measure(const struct neap_problem *problem, const struct sections *sections,
                    neap_size unit, neap_size *load) {
  for (size_t s = 0; s <= sections->count; s++)
    load[s] = 0;
  size_t span = 0;
  for (size_t i = 0; i < problem->count; i++)
    for (; span < sections->spans_end[i]; span++) {
      neap_size size = round_up(problem->buffers[i].size, unit);
      load[sections->spans[span].first] += size;
      load[sections->spans[span].end] -= size;
    }
  for (size_t s = 1; s <= sections->count; s++)
    load[s] += load[s - 1];
}

static neap_size largest(const neap_size *load, size_t count) {
  neap_size most = 0;
  for (size_t s = 0; s < count; s++)
    if (load[s] > most) most = load[s];
  return most;
}

/* Where the bound is attained: sections that touch are one range. */
static void locate(const struct sections *sections, const neap_size *load, neap_bound *bound) {
  neap_time last_end = -1;
  for (size_t s = 0; s < sections->count; s++) {
    if (load[s] != bound->bytes) continue;
    neap_range when = sections->when[s];
    if (bound->range_count == 0) {
      bound->start = when.start;
      bound->end = when.end;
    } else if (when.start == last_end && bound->range_count == 1) {
      bound->end = when.end;
    }
    if (when.start != last_end) bound->range_count++;
    last_end = when.end;
  }
}

static neap_size padding_of(const struct neap_problem *problem, neap_size unit) {
  neap_size most = 0;
  for (size_t i = 0; i < problem->count; i++) {
    neap_size size = problem->buffers[i].size, padding = round_up(size, unit) - size;
    if (padding > most) most = padding;
  }
  return most;
}

static neap_size highest_fixed(const struct neap_problem *problem) {
  neap_size most = 0;
  for (size_t i = 0; i < problem->count; i++) {
    const struct buffer *buffer = &problem->buffers[i];
    if (buffer->fixed_offset == NEAP_UNPLACED) continue;
    if (buffer->fixed_offset + buffer->size > most) most = buffer->fixed_offset + buffer->size;
  }
  return most;
}

static void compute(const struct neap_problem *problem, const struct sections *sections,
                    neap_size *load, neap_bound *bound) {
  measure(problem, sections, 1, load);
  bound->bytes = bound->lower_bound = largest(load, sections->count);
  if (bound->bytes > 0) locate(sections, load, bound);
  neap_size unit = common_alignment(problem);
  if (unit > 1) {
    measure(problem, sections, unit, load);
    neap_size padded = largest(load, sections->count) - padding_of(problem, unit);
    if (padded > bound->lower_bound) bound->lower_bound = padded;
  }
  neap_size fixed = highest_fixed(problem);
  if (fixed > bound->lower_bound) bound->lower_bound = fixed;
}

neap_status neap_problem_bound(const neap_problem *problem, neap_bound *bound,
                               neap_error *error) {
  *bound = (neap_bound){0};
  struct sections sections;
  neap_status status = sections_init(&sections, problem, SECTIONS_NONEMPTY, error);
  if (status != NEAP_OK) return status;
  neap_size *load = memory_array(sections.count + 1, sizeof *load);
  if (load) compute(problem, &sections, load, bound);
  else status = error_memory(error);
  free(load);
  sections_clear(&sections);
  return status;
}
