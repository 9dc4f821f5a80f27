/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bound: the largest sum of sizes alive at one moment.  The sum is largest in a maximal
 * section (facts/sections), so adding each size at a span's first section and subtracting it
 * after its last gives every sum that matters in one pass.
 *
 * The lower bound goes further.  The end of a fixed buffer is a lower bound by itself, and
 * alignment forces padding into the stack of buffers that are alive in one section.
 *
 * Grids.  Choose any spacing g > 0, and let up(x) and down(x) round to multiples of g.  Climb
 * the stack and watch up(end) of the buffers passed:
 *
 *      g=16  0               16              32              48
 *            |---------------|---------------|---------------|
 *            aaaaaaaaa       bbbbb  cccccc   ddddddddddddd
 *
 * A buffer of size w whose offset x is a multiple of a starts at or above the end of the buffer
 * below it, so up(x) is at least what has been reached so far.  Let e be the greatest common
 * divisor of a and g (the largest e of which both are multiples; g may be a fraction), and W =
 * down(w rounded up to a multiple of e).
 *
 *   Climbing.  x = up(x) - r, where r is a multiple of e and at most g - e.  up(x + w) is
 *   up(x + w'), where w' is w rounded up to a multiple of e, because x and g are multiples of e.
 *   That is up(x) + up(w' - r) >= up(x) + up(w' - (g - e)) = up(x) + down(w').  So the buffer
 *   adds at least W.
 *
 *   The topmost buffer t.  The peak is at least its x + w >= up(x) - (g - e) + w, and up(x) is
 *   at least the sum of the other buffers' W.  So the peak is at least the sum of all W, less
 *   loss(t) = W(t) - w(t) + g - e >= 0.
 *
 * Any buffer of the section might be the topmost, so the bound of a section is the sum of W less
 * the largest loss.  For a buffer with a fixed offset f more is known: it adds exactly up(f + w)
 * - up(f), and its loss as the topmost is up(f + w) - (f + w).  It cannot be the topmost at all if
 * the sum of all W exceeds up(f + w); we compare with the highest fixed end of the problem.
 *
 * Where g divides a, e is g: the buffer counts as its size rounded up to g, and its loss is that
 * padding.  Where all alignments are equal, the grid of that spacing gives the lowest height that
 * the section's stack can have (put the buffer with the most padding on top and the others below
 * it in any order), so no other grid gives more.
 *
 * Where alignments differ, buffers of small alignment fill the padding of others.  A wide grid
 * counts the padding and ignores what fills it, a narrow one does the reverse; the grids between
 * are the compromises.  We try, for each alignment a, spacings of a, a/2, a/3, a/4, a/8 and so
 * on, and take the best result of any grid and section.  Multiplying sizes and alignments by the
 * denominator keeps everything an integer.  The idea is that of dual feasible functions for bin
 * packing (Lueker 1983; Fekete and Schepers 2001), with padding for bins.  On random stacks of up
 * to 6 buffers with alignments of 1 and 2 it always reached the optimum, with 1 and 4 in nine of
 * ten cases, with 1 and 64 in three of four (tests/property/test_bound); reaching it always is
 * NP-hard.
 *
 * Cost.  For a grid: one pass for the sums.  Sections whose sum does not exceed the lower bound so
 * far are closed immediately.  The spans that reach an open section are sorted by loss and, the
 * largest first, close the sections they cover, each of which is visited once.  So a grid costs
 * O(n) if it does not raise the bound, and at most O(n log n).
 */
#include "facts/bound.h"

#include <assert.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "facts/bank_cliques.h"
#include "facts/bodies.h"
#include "facts/columns.h"
#include "facts/domain.h"
#include "facts/flatten.h"
#include "facts/load_curve.h"

/* ---------------------------------------------------------------- moments */

/* Finds where the bound is attained.  Sections that touch count as one range. */
static void locate_bound(const struct sections *sections, const neap_size *load,
                         neap_bound *bound) {
  neap_time last_end = -1;
  for (size_t s = 0; s < sections->moments; s++) {
    neap_range when = sections->when[s];
    if (load[s] != bound->bytes || when.end == last_end) continue; /* a section can have several */
    if (bound->range_count == 0) {
      bound->start = when.start;
      bound->end = when.end;
    } else if (when.start == last_end && bound->range_count == 1) {
      bound->end = when.end;
    }
    if (when.start != last_end) bound->range_count++;
    last_end = when.end;
  }
  assert(bound->range_count > 0 && bound->start < bound->end);
}

static neap_size highest_fixed(const struct buffer *buffers, size_t count) {
  neap_size most = 0;
  for (size_t i = 0; i < count; i++) {
    const struct buffer *buffer = &buffers[i];
    if (buffer->fixed_offset == NEAP_UNPLACED) continue;
    if (buffer->fixed_offset + buffer->size > most) most = buffer->fixed_offset + buffer->size;
  }
  return most;
}

/* ---------------------------------------------------------------- grids */

/* A grid of spacing modulus / scale. */
struct grid {
  neap_size modulus, scale;
};

/* The number of distinct alignments considered, largest first, and the number of grids tried. */
#define ALIGNMENTS_MOST 8
#define GRIDS_MOST 16

struct grids {
  neap_size alignments[ALIGNMENTS_MOST]; /* distinct, descending */
  size_t alignment_count;
  neap_size common; /* the greatest common divisor of all alignments */
  neap_size extent; /* the sum of sizes and alignments, plus the highest fixed end */
  size_t fixed_count;
  struct grid items[GRIDS_MOST];
  size_t count;
};

static void note_alignment(struct grids *grids, neap_size alignment) {
  size_t at = 0;
  while (at < grids->alignment_count && grids->alignments[at] > alignment)
    at++;
  if (at == ALIGNMENTS_MOST ||
      (at < grids->alignment_count && grids->alignments[at] == alignment))
    return;
  if (grids->alignment_count < ALIGNMENTS_MOST) grids->alignment_count++;
  for (size_t i = grids->alignment_count - 1; i > at; i--)
    grids->alignments[i] = grids->alignments[i - 1];
  grids->alignments[at] = alignment;
  assert(at == 0 || grids->alignments[at - 1] > alignment);
}

/* Buffers without spans take up no bytes, so they are skipped. */
static void note_buffers(struct grids *grids, const struct buffer *buffers, size_t count,
                         const struct sections *sections) {
  for (size_t i = 0; i < count; i++) {
    const struct buffer *buffer = &buffers[i];
    if (sections_spans_begin(sections, i) == sections->spans_end[i]) continue;
    grids->extent += buffer->size + (buffer->alignment - 1); /* fits: model/problem */
    if (buffer->fixed_offset != NEAP_UNPLACED) grids->fixed_count++;
    if (buffer->alignment == grids->alignments[0]) continue;
    note_alignment(grids, buffer->alignment);
    grids->common = common_divisor(buffer->alignment, grids->common);
  }
  grids->extent += highest_fixed(buffers, count);
}

/*
 * Whether all sums fit.  A buffer's W is less than its scaled size and alignment, or for a fixed
 * one less than its scaled size and the modulus.
 */
static bool grid_fits(const struct grids *grids, struct grid grid) {
  neap_size room = NEAP_MAX / grid.scale - grids->extent;
  return room > 0 && (uint64_t)grid.modulus < (uint64_t)room / (grids->fixed_count + 2);
}

static void add_grid(struct grids *grids, neap_size alignment, neap_size scale) {
  if (grids->count == GRIDS_MOST) return;
  neap_size common = common_divisor(alignment, scale);
  struct grid grid = {alignment / common, scale / common};
  for (size_t i = 0; i < grids->count; i++)
    if (grids->items[i].modulus == grid.modulus && grids->items[i].scale == grid.scale) return;
  if (grid_fits(grids, grid)) grids->items[grids->count++] = grid;
}

/* The grids to try: none where every offset is allowed for all buffers. */
static void choose_grids(struct grids *grids, const struct buffer *buffers, size_t count,
                         const struct sections *sections) {
  static const neap_size scales[] = {1, 2, 3, 4, 8, 16, 32, 64};
  *grids = (struct grids){0};
  note_buffers(grids, buffers, count, sections);
  if (grids->common > 1) add_grid(grids, grids->common, 1);
  for (size_t s = 0; s < sizeof scales / sizeof *scales; s++)
    for (size_t a = 0; a < grids->alignment_count; a++)
      if (grids->alignments[a] / scales[s] > grids->common)
        add_grid(grids, grids->alignments[a], scales[s]);
}

/* ---------------------------------------------------------------- one grid */

/*
 * What a buffer adds to the stack, and how much of that may be missing if it is the topmost
 * buffer.
 */
struct share {
  neap_size weight, loss;
};

static struct share find_share(const struct buffer *buffer, const struct grid *grid) {
  neap_size size = grid->scale * buffer->size;
  if (buffer->fixed_offset != NEAP_UNPLACED) {
    neap_offset start = grid->scale * buffer->fixed_offset;
    neap_offset end = round_up(start + size, grid->modulus);
    return (struct share){end - round_up(start, grid->modulus), end - (start + size)};
  }
  neap_size rest = buffer->alignment % grid->modulus;
  neap_size step =
      rest == 0 ? grid->modulus : common_divisor(grid->modulus, grid->scale * rest);
  neap_size padded = round_up(size, step), weight = round_down(padded, grid->modulus);
  return (struct share){weight, weight - size + grid->modulus - step};
}

static struct share share_of(const struct buffer *buffer, const struct grid *grid) {
  struct share share = find_share(buffer, grid);
  assert(share.weight >= 0 && share.weight % grid->modulus == 0 && share.loss >= 0);
  return share;
}

static neap_size weight_of(const struct buffer *buffer, const void *grid) {
  return share_of(buffer, grid).weight;
}

/* A span, and the loss of its buffer. */
struct lossy_span {
  neap_size loss;
  struct span span;
};

static int largest_loss_first(const void *left, const void *right) {
  const struct lossy_span *a = left, *b = right;
  return (a->loss < b->loss) - (a->loss > b->loss);
}

/* Arrays for the work on one grid, reused for the next one. */
struct stacks {
  const struct buffer *buffers;
  size_t count;
  const struct sections *sections;
  neap_offset highest_fixed;
  neap_size *load;
  uint32_t *next; /* a disjoint-set forest: an open section points to itself */
  struct lossy_span *spans;
};

/* The first open section from `at` on. */
static uint32_t next_open(uint32_t *next, uint32_t at) {
  while (next[at] != at)
    at = next[at] = next[next[at]];
  return at;
}

/* Opens the sections whose sums are above `low` and at most `high`. */
static void open_sections(struct stacks *stacks, neap_size low, neap_size high) {
  uint32_t count = (uint32_t)stacks->sections->count;
  for (uint32_t s = 0; s <= count; s++)
    stacks->next[s] =
        s < count && (stacks->load[s] <= low || stacks->load[s] > high) ? s + 1 : s;
}

/* Lists the spans that reach an open section, the largest loss first. */
static size_t list_spans(struct stacks *stacks, const struct grid *grid, bool with_fixed) {
  const struct sections *sections = stacks->sections;
  size_t listed = 0, span = 0;
  for (size_t i = 0; i < stacks->count; i++) {
    const struct buffer *buffer = &stacks->buffers[i];
    for (; span < sections->spans_end[i]; span++) {
      struct span at = sections->spans[span];
      if (next_open(stacks->next, at.first) >= at.end) continue;
      if (buffer->fixed_offset != NEAP_UNPLACED && !with_fixed) continue;
      stacks->spans[listed++] = (struct lossy_span){share_of(buffer, grid).loss, at};
    }
  }
  qsort(stacks->spans, listed, sizeof *stacks->spans, largest_loss_first);
  return listed;
}

/* Closes each open section with the largest loss of its buffers, fixed ones included or not. */
static void close_sections(struct stacks *stacks, const struct grid *grid, bool with_fixed,
                           neap_size *lower_bound) {
  uint32_t *next = stacks->next;
  size_t listed = list_spans(stacks, grid, with_fixed);
  for (size_t i = 0; i < listed; i++) {
    struct lossy_span *lossy = &stacks->spans[i];
    for (uint32_t s = next_open(next, lossy->span.first); s < lossy->span.end;
         s = next_open(next, s)) {
      neap_size height = stacks->load[s] - lossy->loss;
      height = height / grid->scale + (height % grid->scale > 0);
      if (height > *lower_bound) *lower_bound = height;
      next[s] = s + 1;
    }
  }
}

static void try_grid(struct stacks *stacks, const struct grid *grid, neap_size *lower_bound) {
  neap_size known;
  if (!checked_mul(*lower_bound, grid->scale, &known)) return; /* no sum is larger: grid_fits */
  neap_size fixed = round_up(stacks->highest_fixed * grid->scale, grid->modulus);
  neap_size most = loads_sum(stacks->buffers, stacks->count, stacks->sections, weight_of, grid,
                             stacks->load);
  assert(known >= 0 && most % grid->modulus == 0);
  if (most <= known) return;
  if (fixed > known) {
    open_sections(stacks, known, fixed);
    close_sections(stacks, grid, true, lower_bound);
  }
  if (most <= fixed) return;
  open_sections(stacks, fixed > known ? fixed : known, NEAP_MAX);
  close_sections(stacks, grid, false, lower_bound);
}

neap_status bound_raise_by_alignment(const struct buffer *buffers, size_t count,
                                     const struct sections *sections, neap_size *lower_bound,
                                     neap_error *error) {
  struct grids grids;
  choose_grids(&grids, buffers, count, sections);
  if (grids.count == 0) return NEAP_OK;
  struct stacks stacks = {.buffers = buffers,
                          .count = count,
                          .sections = sections,
                          .highest_fixed = highest_fixed(buffers, count)};
  stacks.load = memory_array(sections->count + 1, sizeof *stacks.load);
  stacks.next = memory_array(sections->count + 1, sizeof *stacks.next);
  stacks.spans = memory_array(sections->span_count, sizeof *stacks.spans);
  bool ready = stacks.load && stacks.next && stacks.spans;
  for (size_t g = 0; g < grids.count && ready; g++)
    try_grid(&stacks, &grids.items[g], lower_bound);
  free(stacks.load);
  free(stacks.next);
  free(stacks.spans);
  return ready ? NEAP_OK : error_memory(error);
}

/* ---------------------------------------------------------------- of a problem */

static void raise_to(neap_size *most, neap_offset offset, neap_size size) {
  neap_size end;
  if (checked_add(offset, size, &end) && end > *most) *most = end;
}

/* With pools: the highest end that windows force.  Reserved bytes concern only some buffers. */
static neap_size highest_window(const struct neap_problem *problem) {
  neap_size most = 0;
  for (size_t i = 0; i < problem->count; i++)
    raise_to(&most, problem_limits(problem, i)->window_low, problem->buffers[i].size);
  return most;
}

/*
 * The largest end that a buffer or body must have even at its lowest allowed offset; NEAP_MAX
 * if one has no allowed offset, so that there is no plan.
 */
static neap_size highest_alone(const struct bodies *bodies, const struct domains *domains) {
  const struct neap_problem *problem = domains->problem;
  neap_size most = 0;
  for (size_t i = 0; i < problem->count; i++) {
    if (bodies_of(bodies, i) != BODIES_NONE) continue;
    struct domain domain = domains_of(domains, i);
    neap_offset lowest = domain_next(&domain, 0);
    if (lowest == NEAP_UNPLACED) return NEAP_MAX;
    raise_to(&most, lowest, domain.size);
  }
  for (size_t b = 0; b < bodies->count; b++) {
    neap_offset base = bodies_next(bodies, domains, b, 0);
    if (base == NEAP_UNPLACED) return NEAP_MAX;
    for (size_t m = bodies->items[b].begin; m < bodies->items[b].end; m++) {
      size_t member = bodies->members[m];
      neap_size top = bodies->inner[member] + problem->buffers[member].size;
      raise_to(&most, base, top);
    }
  }
  return most;
}

/* Raises a lower bound to what single buffers and bodies force because of their limits. */
static neap_status raise_by_limits(const struct neap_problem *problem, neap_size *lower_bound,
                                   neap_error *error) {
  struct bodies bodies = {0};
  struct domains domains = {0};
  neap_size most = 0;
  neap_status status = NEAP_OK;
  if (problem_pool_count(problem) > 0) {
    most = highest_window(problem);
  } else if (domains_matter(problem) || problem_has(problem, RELATION_JOINS)) {
    status = bodies_init(&bodies, problem, error);
    if (status == NEAP_OK) status = domains_init(&domains, problem, error);
    if (status == NEAP_OK) most = highest_alone(&bodies, &domains);
  }
  domains_clear(&domains);
  bodies_clear(&bodies);
  if (most > *lower_bound) *lower_bound = most;
  return status;
}

/*
 * Raises a lower bound to what relations and limits force.  Bytes that are reserved at all
 * times raise every column by the same amount; bytes that are reserved for only some time are
 * ignored here.
 */
static neap_status raise_by_relations(const struct neap_problem *problem,
                                      const struct pair_rules *rules,
                                      const struct sections *sections, const neap_size *load,
                                      neap_size *lower_bound, neap_error *error) {
  bool is_one_stack = problem_pool_count(problem) < 2;
  neap_status status = NEAP_OK;
  for (size_t s = sections->moments; s < sections->count && is_one_stack; s++)
    if (load[s] > *lower_bound) *lower_bound = load[s];
  if (rules->gap_count > 0 && is_one_stack)
    status = overlap_chains_raise(problem, rules, sections, lower_bound, error);
  if (status == NEAP_OK) status = bank_cliques_raise(problem, lower_bound, error);
  return status == NEAP_OK ? raise_by_limits(problem, lower_bound, error) : status;
}

static neap_size largest_moment(const struct sections *sections, const neap_size *load) {
  neap_size most = 0;
  for (size_t s = 0; s < sections->moments; s++)
    if (load[s] > most) most = load[s];
  return most;
}

static neap_status compute_bounds(const struct neap_problem *problem,
                                  const struct sections *sections, neap_bound *bound,
                                  neap_error *error) {
  *bound = (neap_bound)NEAP_INIT(neap_bound);
  struct pair_rules rules = {0};
  neap_size *load = memory_array(sections->count + 1, sizeof *load);
  if (!load) return error_memory(error);
  neap_status status = problem->relations ? pair_rules_init(&rules, problem, error) : NEAP_OK;
  if (status == NEAP_OK) status = loads_find(problem, &rules, sections, load, error);
  if (status == NEAP_OK) bound->lower_bound = bound->bytes = largest_moment(sections, load);
  if (status == NEAP_OK && problem->relations)
    status = raise_by_relations(problem, &rules, sections, load, &bound->lower_bound, error);
  if (bound->bytes > 0) locate_bound(sections, load, bound);
  bool has_savings = rules.gap_count > 0;
  pair_rules_clear(&rules);
  free(load);
  neap_size fixed = highest_fixed(problem->buffers, problem->count);
  if (fixed > bound->lower_bound) bound->lower_bound = fixed;
  /* With several pools, buffers that are alive together may be in different stacks. */
  if (status == NEAP_OK && !has_savings && problem_pool_count(problem) < 2)
    status = bound_raise_by_alignment(problem->buffers, problem->count, sections,
                                      &bound->lower_bound, error);
  assert(bound->lower_bound >= bound->bytes && bound->lower_bound >= fixed);
  return status;
}

neap_status bound_by_sections(const struct neap_problem *problem,
                              const struct sections *sections, neap_bound *bound,
                              neap_error *error) {
  assert(!problem->relations);
  return compute_bounds(problem, sections, bound, error);
}

static neap_status find_bounds(const neap_problem *problem, struct budget *budget,
                               neap_bound *bound, neap_error *error) {
  struct sections sections;
  neap_status status =
      columns_init_within(&sections, problem, SECTIONS_NONEMPTY, budget, error);
  if (status != NEAP_OK) return status;
  status = compute_bounds(problem, &sections, bound, error);
  sections_clear(&sections);
  return status;
}

/*
 * The flat problem counts the bytes of colocated buffers more exactly, but ignores other
 * constraints.
 */
static neap_status raise_to_flat(const neap_problem *flat, struct budget *budget,
                                 neap_bound *bound, neap_error *error) {
  neap_bound other = NEAP_INIT(neap_bound);
  neap_size lower_bound = bound->lower_bound;
  neap_status status = find_bounds(flat, budget, &other, error);
  if (status != NEAP_OK) return status;
  if (other.bytes > bound->bytes) *bound = other;
  if (other.lower_bound > lower_bound) lower_bound = other.lower_bound;
  bound->lower_bound = lower_bound;
  return NEAP_OK;
}

static neap_status find_all_bounds(const neap_problem *problem, struct budget *budget,
                                   neap_bound *bound, neap_error *error) {
  neap_problem *flat;
  neap_status status = find_bounds(problem, budget, bound, error);
  if (status == NEAP_OK) status = flatten_init(&flat, problem, error);
  if (status != NEAP_OK || !flat) return status;
  status = raise_to_flat(flat, budget, bound, error);
  neap_problem_free(flat);
  return status;
}

neap_status bound_within(const struct neap_problem *problem, struct budget *budget,
                         neap_bound *bound, neap_error *error) {
  neap_bound own = NEAP_INIT(neap_bound);
  neap_status status = find_all_bounds(problem, budget, &own, error);
  if (status != NEAP_OK) return status;
  return SIZED_FILL(bound, own) ? NEAP_OK : sized_refuse(bound, "neap_bound", error);
}

neap_status neap_problem_bound(const neap_problem *problem, neap_bound *bound,
                               neap_error *error) {
  return bound_within(problem, NULL, bound, error);
}
