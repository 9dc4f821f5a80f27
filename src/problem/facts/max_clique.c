/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Buffers that conflict pairwise need the sum of their sizes, even if no column contains them
 * all:
 *
 *     columns   {a b x}  {b c y}  {a c z}        a, b and c conflict in pairs: a + b + c
 *
 * The heaviest clique of a graph is found by branch and bound (Babel 1994; Kumlander 2004).
 * The candidates to join a clique are coloured so that no two of the same colour conflict.  At
 * most one candidate of each colour can join, so the sum of the largest sizes of the colours
 * limits what the clique can still gain.  A candidate needs no branch if its colour and those
 * before it cannot beat the best known clique:
 *
 *     colour    1      2      3
 *               8 5    6 6    4 1       the clique can gain 8 + 6 + 4 bytes; if the best known
 *               ─────────►              one has 14 more than it, only colour 3 needs a branch
 *
 * Initially, the best known clique is the heaviest column.  Usually no clique is heavier, and
 * one colouring proves it.  In large problems, only the heaviest column and the buffers that
 * conflict with its largest buffer are considered.  Beyond WORK_MOST, the search ends with the
 * best clique so far.
 */
#include "facts/columns.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "facts/load_curve.h"

/* The largest number of buffers considered. */
#define MEMBERS_MOST 512

/* The limit on words of sets read; reading them takes some milliseconds. */
#define WORK_MOST (UINT64_C(1) << 21)

/* A candidate, and the most that a clique can gain from it and the candidates before it. */
struct coloured {
  uint32_t vertex;
  neap_size most;
};

/* Vertices are numbered by descending size. */
struct graph {
  uint32_t *buffers; /* per vertex */
  neap_size *sizes;
  uint32_t count, words;
  uint64_t *near; /* per vertex: the set of vertices that it conflicts with */
  neap_size best; /* the weight to beat */
  uint64_t *best_set;
  bool is_beaten; /* `best_set` weighs `best`; otherwise, a column does */
  uint64_t *set;  /* the present clique */
  uint64_t work;
  bool failed; /* memory is short */
};

static void graph_clear(struct graph *graph) {
  free(graph->buffers);
  free(graph->sizes);
  free(graph->near);
  free(graph->best_set);
  free(graph->set);
}

static void toggle(uint64_t *set, uint32_t vertex) {
  set[vertex / 64] ^= UINT64_C(1) << vertex % 64;
}

static bool has(const uint64_t *set, uint32_t vertex) {
  return set[vertex / 64] >> vertex % 64 & 1;
}

static const uint64_t *near_of(const struct graph *graph, uint32_t vertex) {
  return graph->near + (size_t)vertex * graph->words;
}

/* ---------------------------------------------------------------- the search */

/*
 * Moves a maximal set of candidates without conflicts, largest first, from `left` to the list;
 * returns the list's end.
 */
static size_t take_colour(struct graph *graph, uint64_t *left, uint64_t *free_of,
                          neap_size before, struct coloured *list, size_t count) {
  neap_size most = 0;
  memcpy(free_of, left, graph->words * sizeof *left);
  for (uint32_t w = 0; w < graph->words; w++)
    while (free_of[w]) {
      uint32_t vertex = w * 64 + (uint32_t)__builtin_ctzll(free_of[w]);
      const uint64_t *near = near_of(graph, vertex);
      if (most == 0) most = graph->sizes[vertex];
      list[count++] = (struct coloured){vertex, before + most};
      toggle(left, vertex);
      toggle(free_of, vertex);
      for (uint32_t k = w; k < graph->words; k++)
        free_of[k] &= ~near[k];
      graph->work += graph->words - w;
    }
  return count;
}

/* Colours the candidates; `most` ascends in the list.  Returns their number. */
static size_t colour(struct graph *graph, const uint64_t *candidates, uint64_t *scratch,
                     struct coloured *list) {
  uint64_t *left = scratch, *free_of = scratch + graph->words;
  size_t count = 0, before;
  memcpy(left, candidates, graph->words * sizeof *left);
  do {
    before = count;
    count =
        take_colour(graph, left, free_of, count > 0 ? list[count - 1].most : 0, list, count);
  } while (count > before);
  return count;
}

static void note_clique(struct graph *graph, neap_size weight) {
  if (weight <= graph->best) return;
  graph->best = weight;
  graph->is_beaten = true;
  memcpy(graph->best_set, graph->set, graph->words * sizeof *graph->set);
}

static void extend(struct graph *graph, uint64_t *candidates, uint32_t room, neap_size weight);

/* Branches on the coloured candidates, those with the highest limits first. */
static void try_candidates(struct graph *graph, uint64_t *candidates, uint64_t *next,
                           const struct coloured *list, size_t count, neap_size weight) {
  for (size_t i = count; i-- > 0 && weight + list[i].most > graph->best;) {
    if (graph->failed || graph->work > WORK_MOST) return;
    const uint64_t *near = near_of(graph, list[i].vertex);
    for (uint32_t w = 0; w < graph->words; w++)
      next[w] = candidates[w] & near[w];
    toggle(graph->set, list[i].vertex);
    extend(graph, next, (uint32_t)i, weight + graph->sizes[list[i].vertex]);
    toggle(graph->set, list[i].vertex);
    toggle(candidates, list[i].vertex);
  }
}

/*
 * Extends the present clique by candidates, at most `room`, and records the heaviest clique
 * found.
 */
static void extend(struct graph *graph, uint64_t *candidates, uint32_t room, neap_size weight) {
  note_clique(graph, weight);
  if (room == 0) return;
  uint64_t *scratch = memory_scratch(2 * (size_t)graph->words, sizeof *scratch);
  struct coloured *list = memory_scratch(room, sizeof *list);
  graph->failed = graph->failed || !scratch || !list;
  if (!graph->failed) {
    size_t count = colour(graph, candidates, scratch, list);
    assert(count <= room);
    try_candidates(graph, candidates, scratch, list, count, weight);
  }
  free(scratch);
  free(list);
}

/* ---------------------------------------------------------------- the graph */

static bool is_in(const struct sections *sections, size_t buffer, uint32_t column) {
  return spans_contain(sections->spans + sections_spans_begin(sections, buffer),
                       sections->spans + sections->spans_end[buffer], column);
}

/*
 * Lists all buffers of at least one byte; if too many, only the largest buffer of the heaviest
 * column and the buffers that conflict with it.
 */
static bool list_buffers(struct graph *graph, const struct sections *sections,
                         const struct neap_problem *problem, uint32_t column) {
  graph->buffers = memory_array(problem->count, sizeof *graph->buffers);
  if (!graph->buffers) return false;
  size_t largest = SIZE_MAX, count = 0;
  bool is_large = problem->count > MEMBERS_MOST;
  for (size_t i = 0; i < problem->count && is_large; i++)
    if (is_in(sections, i, column) &&
        (largest == SIZE_MAX || problem->buffers[i].size > problem->buffers[largest].size))
      largest = i;
  for (uint32_t i = 0; i < problem->count; i++)
    if (problem->buffers[i].size > 0 && (!is_large || sections_meet(sections, i, largest)))
      graph->buffers[count++] = i;
  if (count > 0)
    qsort_r(graph->buffers, count, sizeof *graph->buffers, columns_larger_first,
            (void *)(uintptr_t)problem);
  graph->count = (uint32_t)(count < MEMBERS_MOST ? count : MEMBERS_MOST);
  return true;
}

static bool link_buffers(struct graph *graph, const struct sections *sections,
                         const struct neap_problem *problem) {
  graph->words = graph->count / 64 + 1;
  graph->sizes = memory_array(graph->count, sizeof *graph->sizes);
  graph->near = memory_array((size_t)graph->count * graph->words, sizeof *graph->near);
  graph->set = memory_array(graph->words, sizeof *graph->set);
  graph->best_set = memory_array(graph->words, sizeof *graph->best_set);
  if (!graph->sizes || !graph->near || !graph->set || !graph->best_set) return false;
  for (uint32_t i = 0; i < graph->count; i++) {
    graph->sizes[i] = problem->buffers[graph->buffers[i]].size;
    for (uint32_t k = 0; k < i; k++) {
      if (!sections_meet(sections, graph->buffers[i], graph->buffers[k])) continue;
      toggle(graph->near + (size_t)i * graph->words, k);
      toggle(graph->near + (size_t)k * graph->words, i);
    }
  }
  return true;
}

static bool search_all(struct graph *graph) {
  uint64_t *candidates = memory_array(graph->words, sizeof *candidates);
  if (!candidates) return false;
  for (uint32_t i = 0; i < graph->count; i++)
    toggle(candidates, i);
  extend(graph, candidates, graph->count, 0);
  free(candidates);
  return !graph->failed;
}

/* ---------------------------------------------------------------- the column */

static void mark_members(const struct graph *graph, bool *is_member) {
  for (uint32_t i = 0; i < graph->count; i++)
    if (has(graph->best_set, i)) is_member[graph->buffers[i]] = true;
}

/* Gives each member a span of the new column, which is the last. */
static void add_spans(struct sections *sections, const struct neap_problem *problem,
                      const bool *is_member, struct span *spans) {
  uint32_t column = (uint32_t)sections->count;
  size_t used = 0, span = 0;
  neap_range when = {NEAP_MAX, 0};
  for (size_t i = 0; i < problem->count; i++) {
    for (; span < sections->spans_end[i]; span++)
      spans[used++] = sections->spans[span];
    sections->spans_end[i] = is_member[i] ? used + 1 : used;
    if (!is_member[i]) continue;
    neap_range hull = problem_hull(problem, i);
    if (hull.start < when.start) when.start = hull.start;
    if (hull.end > when.end) when.end = hull.end;
    spans[used++] = (struct span){column, column + 1};
    if (spans[used - 2].end != column) continue;
    spans[used - 2].end++; /* the runs touch, so they become one */
    sections->spans_end[i] = --used;
  }
  free(sections->spans);
  sections->spans = spans;
  sections->span_count = used;
  sections->when[sections->count++] = when;
}

static bool append(const struct graph *graph, struct sections *sections,
                   const struct neap_problem *problem) {
  bool *is_member = memory_array(problem->count, sizeof *is_member);
  struct span *spans = memory_array(sections->span_count + graph->count, sizeof *spans);
  neap_range *when = memory_array(sections->count + 1, sizeof *when);
  if (is_member && spans && when) {
    memcpy(when, sections->when, sections->count * sizeof *when);
    free(sections->when);
    sections->when = when;
    mark_members(graph, is_member);
    add_spans(sections, problem, is_member, spans);
    free(is_member);
    return true;
  }
  free(is_member);
  free(spans);
  free(when);
  return false;
}

neap_status heaviest_append(struct sections *sections, const struct neap_problem *problem,
                            neap_error *error) {
  struct graph graph = {0};
  uint32_t column;
  if (sections->count == 0 || sections->count >= UINT32_MAX) return NEAP_OK;
  bool done = loads_heaviest(problem, sections, &column, &graph.best) &&
              list_buffers(&graph, sections, problem, column) &&
              link_buffers(&graph, sections, problem) && search_all(&graph);
  if (done && graph.is_beaten) done = append(&graph, sections, problem);
  graph_clear(&graph);
  return done ? NEAP_OK : error_memory(error);
}
