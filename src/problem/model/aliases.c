/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The input of a concatenation is a part of its output, and the output of a split a part of its
 * input.  A part that is placed inside its whole need not be copied.  Tensors connected by such
 * parts, and by views, form a body, in which each has a fixed offset:
 *
 *     a  |-----|                        w = concat(a, b)
 *     b        |--------|               v = concat(w, c)
 *     w  |--------------|
 *     c                 |---|
 *     v  |------------------|
 *
 * No byte of a body may ever be needed for two different contents.  We visit the outputs of
 * operators, sources before copies.  A visited output does not belong to a body yet:
 *
 *   A view, or the output of a split, joins the body of its input and adds no byte to it.
 *
 *   The output of a concatenation is joined with the bodies of its inputs, one after another.
 *   Inputs that already belong to one body, at the right distances, join together.  The bytes
 *   that the body and the output have in common must all be bytes of these inputs, because only
 *   those have the same content in both.  So concat(a, b) and concat(a, b, c) can be in one
 *   body, but not concat(a, b) and concat(a, c).
 *
 * A part that is refused is copied as before.  So one tensor writes each byte.  All other
 * tensors that cover the byte are copies of it, or copies of copies, made while their source is
 * alive.  In any order of the operators, a byte is therefore written once and then kept until
 * nothing needs it.
 *
 * A body is one interval of bytes, because every part is inside its whole.  Bodies are stored
 * as a disjoint-set forest whose links have offsets.  Outputs are visited by their depth and
 * then by number, and larger groups of inputs come first, so the result does not depend on the
 * order of operators.
 */
#include "model/aliases.h"

#include <assert.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/residues.h"

/* The most tensors in a body.  facts/columns later compares them in pairs. */
#define MEMBERS_MOST 512

struct node {
  size_t parent;     /* the tensor itself if it is the root of a body */
  neap_offset shift; /* from the parent's first byte to this tensor's */
  /* For roots only: the bytes of the body, relative to the first byte of the root. */
  neap_offset low, high;
  struct residues places; /* offsets that suit the alignments of all members */
  size_t members;
  bool is_fixed; /* a member's offset is decided elsewhere */
};

enum kind { KIND_VIEW, KIND_SPLIT, KIND_CONCAT };

/* An output that may share bytes with an input, so that it is not copied. */
struct candidate {
  size_t depth, output, input;
  enum kind kind;
  neap_offset offset; /* of the part in the whole */
  neap_size bytes;    /* of the part */
  /* Set for the inputs of a concatenation when it is visited: */
  size_t root;
  neap_offset place; /* of the root in the output */
};

struct forest {
  const struct neap_graph *graph;
  const neap_liveness *options;
  struct node *nodes;
  size_t *depths; /* per tensor: 0 if it copies nothing, else greater than those of its sources */
  struct candidate *candidates;
  size_t count, capacity;
  bool has_parts;
};

/* ---------------------------------------------------------------- the forest */

/* The root of a tensor's body, and where the tensor begins relative to it. */
static size_t find(struct node *nodes, size_t tensor, neap_offset *offset) {
  size_t root = tensor;
  neap_offset total = 0;
  for (; nodes[root].parent != root; root = nodes[root].parent)
    total += nodes[root].shift;
  *offset = total;
  for (size_t at = tensor; at != root;) {
    size_t above = nodes[at].parent;
    neap_offset rest = total - nodes[at].shift;
    nodes[at].parent = root;
    nodes[at].shift = total;
    total = rest;
    at = above;
  }
  return root;
}

static bool is_fixed(const struct neap_graph *graph, const neap_liveness *options,
                     size_t tensor) {
  return graph_is_given(graph, tensor) || !graph_may_overlap(graph, options, tensor) ||
         (graph->pins && graph->pins[tensor].offset != NEAP_UNPLACED);
}

static bool plant(struct forest *forest) {
  size_t count = graph_tensor_count(forest->graph);
  forest->nodes = memory_array(count, sizeof *forest->nodes);
  for (size_t t = 0; forest->nodes && t < count; t++) {
    const neap_tensor *info = &forest->graph->tensors[t];
    forest->nodes[t] = (struct node){.parent = t,
                                     .high = info->bytes,
                                     .places = {info->alignment, 0},
                                     .members = 1,
                                     .is_fixed = is_fixed(forest->graph, forest->options, t)};
  }
  return forest->nodes != NULL;
}

/*
 * Sets *joined to the union of two bodies, with the root of `second` at `shift` from that of
 * `first`; false if the union is too large or its members' constraints have no common offset.
 */
static bool fit(const struct forest *forest, size_t first, size_t second, neap_offset shift,
                struct node *joined) {
  const struct node *moved = &forest->nodes[second];
  neap_offset low, high, size;
  neap_size step = moved->places.step, rest = (moved->places.rest - shift % step) % step;
  *joined = forest->nodes[first];
  joined->members += moved->members;
  joined->is_fixed = joined->is_fixed || moved->is_fixed;
  if (!checked_add(moved->low, shift, &low) || !checked_add(moved->high, shift, &high))
    return false;
  if (low < joined->low) joined->low = low;
  if (high > joined->high) joined->high = high;
  return joined->members <= MEMBERS_MOST && checked_add(joined->high, -joined->low, &size) &&
         residues_meet(&joined->places, step, rest < 0 ? rest + step : rest) &&
         joined->places.step < NEAP_MAX;
}

/* Joins two bodies, if there is a place for both; the larger one keeps its root. */
static bool join(struct forest *forest, size_t first, size_t second, neap_offset shift) {
  struct node *nodes = forest->nodes, joined;
  if (nodes[first].members < nodes[second].members) {
    size_t larger = second;
    second = first;
    first = larger;
    shift = -shift;
  }
  if (!fit(forest, first, second, shift, &joined)) return false;
  nodes[first] = joined;
  nodes[second].parent = first;
  nodes[second].shift = shift;
  return true;
}

/* ---------------------------------------------------------------- candidates */

static bool add_candidate(struct forest *forest, struct candidate candidate) {
  size_t *depth = &forest->depths[candidate.output];
  if (candidate.bytes == 0) return true;
  if (!memory_reserve(&forest->candidates, &forest->capacity, forest->count + 1,
                      sizeof candidate))
    return false;
  forest->candidates[forest->count++] = candidate;
  if (*depth <= forest->depths[candidate.input]) *depth = forest->depths[candidate.input] + 1;
  return true;
}

/*
 * Where a target rounded sizes up, a part may exceed its original extent only by padding, and
 * only if that padding coincides with padding at the end of the whole.
 */
static bool is_inside(const struct neap_graph *graph, size_t p, size_t inner, size_t whole) {
  const struct graph_extent *extent = &graph->extents[p];
  neap_size bytes = graph->tensors[inner].bytes, end;
  neap_offset offset = graph->parts[p].offset;
  return (bytes == extent->bytes || offset + extent->bytes == extent->whole) &&
         checked_add(offset, bytes, &end) && end <= graph->tensors[whole].bytes;
}

static bool list_parts(struct forest *forest, const struct graph_operator *node) {
  const struct neap_graph *graph = forest->graph;
  for (size_t p = node->parts_begin; p < node->parts_end; p++) {
    const neap_part *part = &graph->parts[p];
    size_t input = graph->links[node->inputs.begin + part->input];
    size_t output = graph->links[node->outputs.begin + part->output];
    bool is_concat = part->alias == NEAP_ALIAS_CONCAT;
    size_t inner = is_concat ? input : output, whole = is_concat ? output : input;
    if (!(forest->options->aliases & part->alias) || !is_inside(graph, p, inner, whole))
      continue;
    forest->has_parts = true;
    if (!add_candidate(forest, (struct candidate){.output = output,
                                                  .input = input,
                                                  .kind = is_concat ? KIND_CONCAT : KIND_SPLIT,
                                                  .offset = part->offset,
                                                  .bytes = graph->tensors[inner].bytes}))
      return false;
  }
  return true;
}

static bool list_views(struct forest *forest, const struct graph_operator *node) {
  const struct neap_graph *graph = forest->graph;
  for (size_t p = node->pairs_begin; p < node->pairs_end; p++) {
    const neap_in_place *pair = &graph->pairs[p];
    size_t input = graph->links[node->inputs.begin + pair->input];
    size_t output = graph->links[node->outputs.begin + pair->output];
    if (!pair->is_view || !aliases_pair_applies(forest->options, pair) ||
        !graph_may_share(graph, forest->options, input, output))
      continue;
    if (!add_candidate(forest, (struct candidate){.output = output,
                                                  .input = input,
                                                  .kind = KIND_VIEW,
                                                  .bytes = graph->tensors[output].bytes}))
      return false;
  }
  return true;
}

/* Operators are in an order in which sources come before copies, so one pass finds all depths. */
static bool list_candidates(struct forest *forest) {
  forest->depths = memory_array(graph_tensor_count(forest->graph), sizeof *forest->depths);
  if (!forest->depths) return false;
  for (size_t k = 0; k < forest->graph->operator_count; k++) {
    const struct graph_operator *node = &forest->graph->operators[k];
    if (!list_views(forest, node) || !list_parts(forest, node)) return false;
  }
  for (size_t c = 0; c < forest->count; c++)
    forest->candidates[c].depth = forest->depths[forest->candidates[c].output];
  return true;
}

static int compare(int64_t a, int64_t b) { return (a > b) - (a < b); }

/*
 * If the last part of one tensor is the first of the next one, and so on, their body would
 * climb through the memory like stairs:
 *
 *     |-------|
 *           |-------|
 *                 |-------|
 *
 * Such parts are small where bands keep rows for the next band, and copying them leaves each
 * tensor free.
 */
static bool are_stairs(const struct neap_graph *graph, const struct candidate *from,
                       const struct candidate *to) {
  const neap_size source = graph->tensors[from->input].bytes;
  const neap_size whole = graph->tensors[to->output].bytes;
  return from->offset > to->offset && source - from->offset < whole - to->offset;
}

/* Drops parts at both ends that would make stairs. */
static bool drop_stairs(struct forest *forest) {
  size_t *split = memory_array(graph_tensor_count(forest->graph), sizeof *split), left = 0;
  if (!split) return false;
  for (size_t c = 0; c < forest->count; c++)
    if (forest->candidates[c].kind == KIND_SPLIT) split[forest->candidates[c].output] = c + 1;
  for (size_t c = 0; c < forest->count; c++) {
    struct candidate *to = &forest->candidates[c];
    if (to->kind != KIND_CONCAT || split[to->input] == 0) continue;
    struct candidate *from = &forest->candidates[split[to->input] - 1];
    if (are_stairs(forest->graph, from, to)) from->bytes = to->bytes = 0;
  }
  for (size_t c = 0; c < forest->count; c++)
    if (forest->candidates[c].bytes > 0) forest->candidates[left++] = forest->candidates[c];
  forest->count = left;
  free(split);
  return true;
}

/* By depth, then by output; the candidates of an output: views first, then by offset. */
static int by_output(const void *left, const void *right) {
  const struct candidate *a = left, *b = right;
  if (a->depth != b->depth) return a->depth < b->depth ? -1 : 1;
  if (a->output != b->output) return a->output < b->output ? -1 : 1;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  if (a->offset != b->offset) return compare(a->offset, b->offset);
  if (a->bytes != b->bytes) return compare(b->bytes, a->bytes);
  return a->input < b->input ? -1 : a->input > b->input;
}

/* ---------------------------------------------------------------- views and splits */

/* Places an output inside the body of its input; false if that is impossible. */
static bool lay_into_input(struct forest *forest, const struct candidate *candidate) {
  neap_offset offset;
  const struct node *nodes = forest->nodes;
  size_t body = find(forest->nodes, candidate->input, &offset);
  if (candidate->kind == KIND_SPLIT &&
      (nodes[body].is_fixed || nodes[candidate->output].is_fixed))
    return false;
  neap_offset shift = offset + candidate->offset;
  assert(body != candidate->output);
  return join(forest, body, candidate->output, shift);
}

/* ---------------------------------------------------------------- concatenations */

/*
 * Inputs of a concatenation that belong to one body, at the right distances: the candidates
 * from `begin` to `end`.
 */
struct group {
  size_t begin, end;
  neap_size bytes;
};

/* By body, then by the distance of its root from the output, then by offset. */
static int by_body(const void *left, const void *right) {
  const struct candidate *a = left, *b = right;
  if (a->root != b->root) return a->root < b->root ? -1 : 1;
  if (a->place != b->place) return compare(a->place, b->place);
  return compare(a->offset, b->offset);
}

/* The largest group first; among equals, the one whose first input is lower in the output. */
static int by_bytes(const void *left, const void *right, void *context) {
  const struct group *a = left, *b = right;
  const struct candidate *candidates = context;
  if (a->bytes != b->bytes) return compare(b->bytes, a->bytes);
  return compare(candidates[a->begin].offset, candidates[b->begin].offset);
}

/* Keeps the first of several inputs that overlap in the output.  Returns how many are left. */
static size_t drop_overlaps(struct candidate *items, size_t count) {
  size_t used = 0;
  for (size_t i = 0; i < count; i++)
    if (used == 0 || items[i].offset >= items[used - 1].offset + items[used - 1].bytes)
      items[used++] = items[i];
  return used;
}

static size_t find_groups(struct forest *forest, struct candidate *items, size_t count,
                          struct group *groups) {
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    neap_offset offset;
    items[i].root = find(forest->nodes, items[i].input, &offset);
    items[i].place = items[i].offset - offset;
  }
  qsort(items, count, sizeof *items, by_body);
  for (size_t i = 0; i < count; i++) {
    if (i == 0 || items[i].root != items[i - 1].root || items[i].place != items[i - 1].place)
      groups[used++] = (struct group){i, i, 0};
    groups[used - 1].end = i + 1;
    groups[used - 1].bytes += items[i].bytes;
  }
  qsort_r(groups, used, sizeof *groups, by_bytes, items);
  return used;
}

/*
 * Joins the output with the body of a group of inputs, if the group's inputs cover all bytes
 * that both have in common.  The inputs do not overlap, so comparing sums of sizes is enough.
 */
static void join_group(struct forest *forest, const struct candidate *items,
                       const struct group *group) {
  const struct candidate *first = &items[group->begin];
  const struct node *nodes = forest->nodes;
  neap_offset at, low, high;
  neap_size size;
  size_t body = find(forest->nodes, first->output, &at);
  const struct node *grown = &nodes[body], *moved = &nodes[first->root];
  neap_offset shift = at + first->place;
  if (body == first->root || moved->parent != first->root || moved->is_fixed ||
      !checked_add(moved->low, shift, &low) || !checked_add(moved->high, shift, &high))
    return;
  if (low < grown->low) low = grown->low;
  if (high > grown->high) high = grown->high;
  if (checked_add(high, -low, &size) && size == group->bytes)
    join(forest, body, first->root, shift);
}

static bool visit_concat(struct forest *forest, struct candidate *items, size_t count) {
  if (forest->nodes[items->output].is_fixed) return true;
  struct group *groups = memory_array(count, sizeof *groups);
  if (!groups) return false;
  count = drop_overlaps(items, count);
  size_t group_count = find_groups(forest, items, count, groups);
  for (size_t g = 0; g < group_count; g++)
    join_group(forest, items, &groups[g]);
  free(groups);
  return true;
}

/* ---------------------------------------------------------------- the whole */

/*
 * Visits all candidates of one output: it joins the first view or split that is possible, else
 * its concatenated inputs.
 */
static bool visit_output(struct forest *forest, struct candidate *items, size_t count) {
  size_t i = 0;
  for (; i < count && items[i].kind != KIND_CONCAT; i++)
    if (lay_into_input(forest, &items[i])) return true;
  return i == count || visit_concat(forest, items + i, count - i);
}

static bool visit_all(struct forest *forest) {
  struct candidate *items = forest->candidates;
  if (!plant(forest)) return false;
  if (forest->count > 0) qsort(items, forest->count, sizeof *items, by_output);
  for (size_t begin = 0, end; begin < forest->count; begin = end) {
    for (end = begin; end < forest->count && items[end].output == items[begin].output; end++)
      ;
    if (!visit_output(forest, items + begin, end - begin)) return false;
  }
  return true;
}

static bool store(struct aliases *aliases, struct forest *forest) {
  size_t count = aliases->count = graph_tensor_count(forest->graph);
  aliases->bodies = memory_array(count, sizeof *aliases->bodies);
  aliases->offsets = memory_array(count, sizeof *aliases->offsets);
  aliases->is_divided = memory_array(count, sizeof *aliases->is_divided);
  if (!aliases->bodies || !aliases->offsets || !aliases->is_divided) return false;
  for (size_t t = 0; t < count; t++) {
    size_t body = find(forest->nodes, t, &aliases->offsets[t]);
    const struct node *root = &forest->nodes[body];
    aliases->bodies[t] = body;
    aliases->offsets[t] -= root->low;
    assert(aliases->offsets[t] >= 0);
    if (forest->graph->tensors[t].bytes != root->high - root->low)
      aliases->is_divided[body] = true;
  }
  return true;
}

neap_status aliases_init(struct aliases *aliases, const struct neap_graph *graph,
                         const neap_liveness *options, neap_error *error) {
  struct forest forest = {.graph = graph, .options = options};
  if (!(options->aliases & (NEAP_ALIAS_CONCAT | NEAP_ALIAS_SPLIT)) || graph->part_count == 0)
    return NEAP_OK;
  bool done = list_candidates(&forest);
  if (done && forest.has_parts)
    done = drop_stairs(&forest) && visit_all(&forest) && store(aliases, &forest);
  free(forest.nodes);
  free(forest.depths);
  free(forest.candidates);
  return done ? NEAP_OK : error_memory(error);
}

void aliases_clear(struct aliases *aliases) {
  free(aliases->bodies);
  free(aliases->offsets);
  free(aliases->is_divided);
  *aliases = (struct aliases){0};
}

bool aliases_pair_applies(const neap_liveness *options, const neap_in_place *pair) {
  return options->in_place || (pair->is_view && options->aliases & NEAP_ALIAS_VIEWS);
}

bool aliases_is_same(const struct aliases *aliases, const struct neap_graph *graph,
                     size_t first, size_t second) {
  return aliases_body(aliases, first) == aliases_body(aliases, second) &&
         aliases_offset(aliases, first) == aliases_offset(aliases, second) &&
         graph->tensors[first].bytes == graph->tensors[second].bytes;
}
