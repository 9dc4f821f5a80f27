/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The container is a segment tree over sections (Bentley 1977).  A buffer's span is the union
 * of O(log n) *canonical* nodes; the O(log n) nodes above them are covered partly.
 *
 *                      [        1        ]              a span over the leaves x:
 *                  [   2   ]        [   3   ]           canonical: 5 and 12
 *                [ 4 ]   [ 5 ]    [ 6 ]   [ 7 ]         partly:    2 3 6 and 1
 *                8   9  10   11  12  13  14  15
 *                        x   x    x
 *
 * Each node has two sets of bytes.  `across` has the bytes of the buffers for which the node is
 * canonical.  `within` has the bytes of all buffers alive at some time in the node, a union
 * over time.  A buffer that overlaps a span is stored either at a node that the span covers
 * partly, and `across` of that node has its bytes, or at or below a canonical node of the span,
 * and `within` has its bytes.  So O(log n) sets contain all bytes taken during a span.
 *
 * The union over time of a good layout is nearly solid: it has few pieces, however many buffers
 * it consists of.  A search finds the lowest free range by leaping: it tries an offset in one
 * set after another, sets with the most pieces first.  If a piece is in the way, it leaps above
 * the piece and starts again with the first set; it stops when all sets agree.  Sets are only
 * read upwards, each from its own position.  A search costs at most leaps times sets, usually
 * far less, because most leaps are in the first sets; it never visits individual neighbours in
 * time.  (A union of intervals per node of a segment tree is folklore; the tuner's trials are
 * undone with a log of replaced pieces.)
 *
 * The sets `across` of single nodes are sparse, so searches leap back and forth between them:
 * 627 times per buffer in a heap trace of a million buffers, although the union of these sets
 * has only 10 gaps that are large enough but not free.  So the top of the tree, its *crown*,
 * keeps unions: `across` of a node there also has the bytes that its ancestors have across
 * them.  A search then reads one set of the crown for each end of a span.  In return, a buffer
 * must be added to all nodes of the crown that it covers, so the crown is as deep as possible
 * while these are few on average.  (Leaps in that trace: 69 per buffer.)
 *
 *     crown          [        1        ]
 *                [   2   ]        [   3   ]        3 has the bytes of 3 and 1
 *              --------------------------------
 *                [ 4 ]   [ 5 ]    [ 6 ]   [ 7 ]    6 has its own
 *
 * Buckets (place/buckets) replace the lowest levels of the tree, which then has one leaf per
 * bucket.  If a bucket would be too long, the tree continues below its leaf down to the
 * sections.
 */
#include "place/container.h"

#include <assert.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/checks.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "core/tree.h"

/* A node with its two sets has the size of a cache line and never straddles two. */
#define CACHE_LINE 64

static unsigned depth_of(size_t node) {
  assert(node > 0);
  return 63 - (unsigned)__builtin_clzll(node);
}

/* The number of nodes at `height` above the leaves that a span covers. */
static uint64_t covered_nodes(struct span span, unsigned height) {
  uint64_t first = (span.first + ((uint64_t)1 << height) - 1) >> height,
           end = span.end >> height;
  return first < end ? end - first : 0;
}

/* The number of nodes at `depth` that the spans of a sample cover. */
static uint64_t count_copies(const struct sections *sections, size_t leaves, unsigned depth,
                             size_t stride) {
  uint64_t copies = 0;
  for (size_t s = 0; s < sections->span_count; s += stride)
    copies += covered_nodes(sections->spans[s], depth_of(leaves) - depth);
  return copies;
}

/*
 * The greatest crown depth at which buffers are added to at most CONTAINER_CROWN_COPIES nodes
 * on average.
 */
static unsigned choose_crown(const struct sections *sections, size_t leaves) {
  const size_t stride = sections->span_count / CONTAINER_CROWN_SAMPLE + 1;
  const size_t most = CONTAINER_CROWN_COPIES * (sections->span_count / stride);
  uint64_t copies = 0;
  unsigned crown = 0;
  if (leaves < CONTAINER_CROWN_LEAVES) return crown;
  while (leaves >> (crown + 1) != 0 &&
         (copies += count_copies(sections, leaves, crown + 1, stride)) <= most)
    crown++;
  return crown;
}

struct container_shape container_shape_for(const struct sections *sections) {
  struct container_shape shape = {.bucket_height = buckets_height(sections),
                                  .bucket_most = CONTAINER_BUCKET_MOST};
  size_t leaves = tree_leaves(sections->count);
  unsigned depths = depth_of(leaves) - shape.bucket_height;
  shape.crown = choose_crown(sections, leaves);
  if (shape.crown > depths) shape.crown = depths;
  return shape;
}

/* Numbers the trees of unusable buckets; false if memory is short. */
static bool number_deep(struct container *container, size_t *deep_count) {
  const struct buckets *buckets = &container->buckets;
  *deep_count = 0;
  for (size_t b = 0; b < buckets->count; b++) {
    if (buckets_usable(buckets, b)) continue;
    if (!container->deep)
      container->deep = memory_array(buckets->count, sizeof *container->deep);
    if (!container->deep) return false;
    container->deep[b] = (uint32_t)++ * deep_count;
  }
  return true;
}

bool container_init(struct container *container, const struct sections *sections,
                    struct container_shape shape) {
  size_t deep_count;
  *container = (struct container){.leaves = tree_leaves(sections->count), .shape = shape};
  if (!buckets_init(&container->buckets, sections, shape.bucket_height, shape.bucket_most) ||
      !number_deep(container, &deep_count))
    return false;
  container->node_count =
      2 * ((container->leaves >> shape.bucket_height) + (deep_count << shape.bucket_height));
  container->memory = memory_array(container->node_count + 1, sizeof *container->nodes);
  if (!container->memory) return false;
  size_t beyond = (uintptr_t)container->memory % CACHE_LINE;
  container->nodes =
      (void *)((char *)container->memory + (beyond == 0 ? 0 : CACHE_LINE - beyond));
  return true;
}

void container_clear(struct container *container) {
  for (size_t node = 0; container->nodes && node < container->node_count; node++) {
    pieces_clear(&container->nodes[node].across);
    pieces_clear(&container->nodes[node].within);
  }
  buckets_clear(&container->buckets);
  free(container->deep);
  free(container->memory);
  pieces_log_clear(&container->log);
  *container = (struct container){0};
}

void container_reset(struct container *container) {
  for (size_t node = 0; node < container->node_count; node++)
    container->nodes[node].across.count = container->nodes[node].within.count = 0;
  buckets_reset(&container->buckets);
  container->log.change_count = container->log.replaced_count = 0;
  container->logging = false;
}

/* ---------------------------------------------------------------- the nodes of a span */

/* At most two canonical and two partly covered nodes per level, on 33 levels. */
#define NODES_MAX 66

struct nodes {
  struct cut cut; /* the parts held by buckets instead of nodes */
  size_t canonical[NODES_MAX], partly[NODES_MAX]; /* partly: the lowest first */
  unsigned char partly_ends[NODES_MAX];           /* the ends of the span that each contains */
  size_t canonical_count, partly_count;
};

#define FIRST_END 1
#define LAST_END 2

static void add_partly(struct nodes *nodes, size_t node, unsigned ends) {
  nodes->partly[nodes->partly_count] = node;
  nodes->partly_ends[nodes->partly_count++] = (unsigned char)ends;
}

static struct container_node *node_at(const struct container *container, size_t node) {
  const unsigned height = container->shape.bucket_height;
  const size_t buckets = container->leaves >> height;
  if (node < 2 * buckets) return &container->nodes[node];
  unsigned below = depth_of(node) - depth_of(buckets);
  size_t bucket = (node >> below) - buckets, deep = container->deep[bucket];
  assert(deep > 0);
  size_t inner = ((size_t)1 << below) + (node - ((node >> below) << below));
  return &container->nodes[2 * (buckets + ((deep - 1) << height)) + inner];
}

static void find_canonical(const struct container *container, struct span span,
                           struct nodes *nodes) {
  struct tree_cover cover = {span.first + container->leaves, span.end + container->leaves};
  for (size_t node; (node = tree_cover_next(&cover)) != 0;)
    nodes->canonical[nodes->canonical_count++] = node;
  assert(nodes->canonical_count <= NODES_MAX);
}

/* Finds the ancestors of the span's first and last leaf that reach beyond it. */
static void find_partly(const struct container *container, struct span span,
                        struct nodes *nodes) {
  const size_t first = span.first + container->leaves, end = span.end + container->leaves;
  const unsigned height = container->shape.bucket_height;
  const bool in_buckets = nodes->cut.at_first && nodes->cut.at_end;
  for (unsigned level = in_buckets ? height : 1; first >> level != 0; level++) {
    size_t left = first >> level, right = (end - 1) >> level;
    if (!(level < height && nodes->cut.at_first) &&
        (left << level < first || (left + 1) << level > end))
      add_partly(nodes, left, left == right ? FIRST_END | LAST_END : FIRST_END);
    if (!(level < height && nodes->cut.at_end) && right != left && (right + 1) << level > end)
      add_partly(nodes, right, LAST_END);
  }
  assert(nodes->partly_count <= NODES_MAX);
}

static void find_nodes(const struct container *container, struct span span,
                       struct nodes *nodes) {
  assert(span.first < span.end && span.end <= container->leaves);
  buckets_cut(&container->buckets, span, &nodes->cut);
  nodes->canonical_count = nodes->partly_count = 0;
  if (container->buckets.is_whole) return; /* the tree is empty */
  find_canonical(container, nodes->cut.rest, nodes);
  find_partly(container, span, nodes);
}

static bool is_above(size_t node, size_t other) {
  return node <= other && other >> (depth_of(other) - depth_of(node)) == node;
}

/*
 * Drops each node of the crown that is above another listed one, whose set includes its bytes.
 */
static void drop_higher(const struct container *container, struct nodes *nodes) {
  size_t in_crown = 0, kept;
  while (in_crown < nodes->partly_count &&
         depth_of(nodes->partly[in_crown]) > container->shape.crown)
    in_crown++;
  kept = in_crown;
  for (size_t i = in_crown; i < nodes->partly_count; i++) {
    bool has_other = false;
    for (size_t k = in_crown; k < kept && !has_other; k++)
      has_other = is_above(nodes->partly[i], nodes->partly[k]);
    if (!has_other) nodes->partly[kept++] = nodes->partly[i];
  }
  nodes->partly_count = kept;
}

static enum pieces_result insert(struct container *container, struct pieces *set,
                                 struct piece taken) {
  return pieces_insert(set, taken, container->logging ? &container->log : NULL);
}

static bool take(struct container *container, struct pieces *set, struct piece taken) {
  return insert(container, set, taken) != PIECES_SHORT_OF_MEMORY;
}

/* Takes bytes throughout a node, and in all nodes below it in the crown. */
static bool take_across(struct container *container, size_t node, struct piece taken) {
  struct container_node *at = node_at(container, node);
  if (!take(container, &at->across, taken) || !take(container, &at->within, taken))
    return false;
  size_t first = tree_left(node), end = tree_left(node + 1);
  for (; depth_of(first) <= container->shape.crown;
       first = tree_left(first), end = tree_left(end))
    for (size_t below = first; below < end; below++)
      if (!take(container, &container->nodes[below].across, taken)) return false;
  return true;
}

/*
 * Takes bytes within the partly covered nodes, the lowest first.  `within` of a node includes
 * that of each node below it, so once a node already has the bytes, the nodes above it can be
 * skipped.  In a heap trace of a million buffers, 9 of 17 nodes remain, and the skipped ones
 * have the longest sets.
 */
static bool take_partly(struct container *container, const struct nodes *nodes,
                        struct piece taken) {
  unsigned done = 0;
  for (size_t i = 0; i < nodes->partly_count; i++) {
    if (nodes->partly_ends[i] & done) continue;
    struct pieces *within = &node_at(container, nodes->partly[i])->within;
    switch (insert(container, within, taken)) {
    case PIECES_SHORT_OF_MEMORY:
      return false;
    case PIECES_ADDED:
      break;
    case PIECES_THERE:
      done |= nodes->partly_ends[i];
    }
  }
  return true;
}

bool container_take(struct container *container, const struct span *spans, size_t span_count,
                    struct piece taken) {
  struct nodes nodes;
  for (size_t s = 0; s < span_count; s++) {
    find_nodes(container, spans[s], &nodes);
    for (unsigned p = 0; p < nodes.cut.part_count; p++)
      buckets_take(&container->buckets, &nodes.cut.parts[p], taken);
    for (size_t i = 0; i < nodes.canonical_count; i++)
      if (!take_across(container, nodes.canonical[i], taken)) return false;
    if (!take_partly(container, &nodes, taken)) return false;
  }
  return true;
}

void container_undo(struct container *container, size_t change_count) {
  pieces_undo(&container->log, change_count);
}

void container_untake(struct container *container, const struct span *spans, size_t span_count,
                      struct piece taken) {
  struct cut cut;
  for (size_t s = 0; s < span_count; s++) {
    buckets_cut(&container->buckets, spans[s], &cut);
    for (unsigned p = 0; p < cut.part_count; p++)
      buckets_untake(&container->buckets, &cut.parts[p], taken);
  }
}

/* ---------------------------------------------------------------- fetching */

/*
 * GCC treats a function that only prefetches as free of effects and drops calls to it, so these
 * functions must be inlined.
 */
#define FETCHING static inline __attribute__((always_inline)) void

FETCHING fetch_memory(const void *memory, size_t size) {
  for (size_t at = 0; at < size; at += CACHE_LINE)
    __builtin_prefetch((const char *)memory + at);
}

/*
 * Prefetches the beginning of a set, where most searches start, and the middle, where a
 * bisection starts.
 */
FETCHING fetch_pieces(const struct pieces *set) {
  if (!set->items) return;
  __builtin_prefetch(set->items);
  __builtin_prefetch(set->items + set->count / 2);
}

FETCHING fetch_bucket(const struct buckets *buckets, size_t bucket,
                      enum container_fetched what) {
  if (buckets->height == 0) return;
  if (what == CONTAINER_NODES) {
    __builtin_prefetch(&buckets->begin[bucket]);
    __builtin_prefetch(&buckets->used[bucket]);
  } else {
    fetch_memory(buckets->entries + buckets->begin[bucket],
                 buckets->used[bucket] * sizeof *buckets->entries);
  }
}

/* Prefetches the data read for a span that begins or ends in a section. */
FETCHING fetch_end(const struct container *container, size_t section,
                   enum container_fetched what) {
  size_t node = (container->leaves + section) >> container->shape.bucket_height;
  fetch_bucket(&container->buckets, section >> container->shape.bucket_height, what);
  for (unsigned level = 0; level < CONTAINER_FETCHED_LEVELS && node > 0;
       level++, node = tree_parent(node)) {
    const struct container_node *at = &container->nodes[node];
    if (what == CONTAINER_NODES) {
      __builtin_prefetch(at);
    } else {
      fetch_pieces(&at->within);
      fetch_pieces(&at->across);
    }
  }
}

void container_fetch(const struct container *container, const struct span *spans,
                     size_t span_count, enum container_fetched what) {
  if (span_count == 0) return;
  fetch_end(container, spans[0].first, what);
  fetch_end(container, spans[span_count - 1].end - 1, what);
}

/* ---------------------------------------------------------------- looking */

static void add_items(struct view *view, const struct piece *items, uint32_t count) {
  if (count == 0) return;
  assert(view->count < view->capacity);
  view->next[view->count] = items[0].low;
  view->sets[view->count++] = (struct view_set){items, count, 0};
}

static void add_to_view(struct view *view, const struct pieces *set) {
  add_items(view, pieces_items(set), set->count);
}

/*
 * Sets with many pieces first: most leaps are over their pieces, and after a leap the search
 * restarts with the first set.  In a trace of 300,000 buffers with lifetimes of all lengths, a
 * search visits 363 sets; if it continued with the next set after a leap, it would visit 1675.
 */
static void sort_sets(struct view *view) {
  for (size_t i = 1; i < view->count; i++) {
    struct view_set set = view->sets[i];
    neap_offset next = view->next[i];
    size_t to = i;
    for (; to > 0 && view->sets[to - 1].count < set.count; to--) {
      view->sets[to] = view->sets[to - 1];
      view->next[to] = view->next[to - 1];
    }
    view->sets[to] = set;
    view->next[to] = next;
  }
}

static bool reserve_sets(struct view *view, size_t count) {
  return memory_reserve(&view->sets, &view->capacity, count, sizeof *view->sets) &&
         memory_reserve(&view->next, &view->next_capacity, count, sizeof *view->next);
}

/*
 * Makes room for the pieces that the buckets of some spans can have; the array must not move
 * later.
 */
static bool reserve_collected(const struct container *container, size_t span_count,
                              struct view *view) {
  size_t most = 2 * span_count * ((size_t)container->buckets.largest + 1);
  return memory_reserve(&view->collected, &view->collected_capacity, most,
                        sizeof *view->collected);
}

bool container_view(const struct container *container, const struct span *spans,
                    size_t span_count, struct view *view) {
  struct nodes nodes;
  size_t collected = 0;
  view->count = 0;
  if (!reserve_collected(container, span_count, view)) return false;
  for (size_t s = 0; s < span_count; s++) {
    find_nodes(container, spans[s], &nodes);
    drop_higher(container, &nodes);
    if (!reserve_sets(view, view->count + nodes.canonical_count + nodes.partly_count +
                                nodes.cut.part_count))
      return false;
    for (size_t i = nodes.canonical_count; i-- > 0;)
      add_to_view(view, &node_at(container, nodes.canonical[i])->within);
    for (size_t i = nodes.partly_count; i-- > 0;)
      add_to_view(view, &node_at(container, nodes.partly[i])->across);
    for (unsigned p = 0; p < nodes.cut.part_count; p++) {
      struct piece *items = view->collected + collected;
      uint32_t count = buckets_collect(&container->buckets, &nodes.cut.parts[p], items);
      add_items(view, items + 1, count);
      collected += count + 1;
    }
  }
  sort_sets(view);
  return true;
}

void view_clear(struct view *view) {
  free(view->sets);
  free(view->next);
  free(view->collected);
  *view = (struct view){0};
}

void view_rewind(struct view *view) {
  for (size_t s = 0; s < view->count; s++) {
    view->sets[s].at = 0;
    view->next[s] = view->sets[s].items[0].low;
  }
}

/* Moves the position in a set to its first piece above `offset`. */
static inline void advance_above(struct view *view, size_t s, neap_offset offset) {
  struct view_set *set = &view->sets[s];
  set->at = pieces_above(set->items, set->count, set->at, offset);
  view->next[s] = set->at < set->count ? set->items[set->at].low : NEAP_MAX;
}

/* Whether all of the bytes are free in every set. */
static bool is_free(const struct view *view, neap_offset low, neap_offset high) {
  for (size_t s = 0; s < view->count; s++)
    for (size_t i = 0; i < view->sets[s].count; i++)
      if (view->sets[s].items[i].low < high && low < view->sets[s].items[i].high) return false;
  return true;
}

/* Leaps over the pieces of one set that are in the way of `size` bytes. */
static inline neap_offset leap(struct view *view, size_t s, neap_offset offset, neap_size size,
                               neap_size alignment) {
  advance_above(view, s, offset);
  while (view->next[s] < offset + size) {
    offset = round_up(view->sets[s].items[view->sets[s].at].high, alignment);
    advance_above(view, s, offset);
  }
  return offset;
}

/* The first set whose next piece begins below `end`; view->count if there is none. */
static inline size_t first_below(const struct view *view, size_t from, neap_offset end) {
  const neap_offset *next = view->next;
  size_t at = from;
  while (at < view->count && next[at] >= end)
    at++;
  return at;
}

neap_offset view_lowest(struct view *view, neap_offset from, neap_size size,
                        neap_size alignment) {
  assert(from >= 0 && size >= 1 && alignment >= 1);
  neap_offset offset = round_up(from, alignment);
  size_t at = first_below(view, 0, offset + size);
  while (at < view->count) {
    neap_offset tried = offset;
    offset = leap(view, at, offset, size, alignment);
    /* After a leap, pieces of earlier sets may be in the way. */
    at = first_below(view, offset != tried ? 0 : at + 1, offset + size);
  }
  assert(offset >= from);
  assert_slowly(offset % alignment == 0 && is_free(view, offset, offset + size));
  return offset;
}

neap_offset view_free_until(const struct view *view) {
  neap_offset end = NEAP_MAX;
  for (size_t s = 0; s < view->count; s++)
    if (view->next[s] < end) end = view->next[s];
  return end;
}

neap_offset view_free_from(const struct view *view) {
  neap_offset from = 0;
  for (size_t s = 0; s < view->count; s++) {
    const struct view_set *set = &view->sets[s];
    if (set->at > 0 && set->items[set->at - 1].high > from) from = set->items[set->at - 1].high;
  }
  return from;
}

neap_offset view_top(const struct view *view) {
  neap_offset top = 0;
  for (size_t i = 0; i < view->count; i++) {
    neap_offset high = view->sets[i].items[view->sets[i].count - 1].high;
    if (high > top) top = high;
  }
  return top;
}
