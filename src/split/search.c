/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "split/search.h"

#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"

neap_status split_search_init(struct split_search *search, const struct split_network *network,
                              const struct split_limits *limits, neap_error *error) {
  *search = (struct split_search){.family = SPLIT_ALL};
  return split_listing_init(&search->listing, network, limits, error);
}

void split_search_clear(struct split_search *search) { split_listing_clear(&search->listing); }

/* ---------------------------------------------------------------- paths */

/* The least work from the beginning to each cut, and the piece that ends there. */
struct node {
  int64_t macs;
  size_t operators;
  struct split_piece *by;
};

#define FAR INT64_MAX

static bool is_nearer(const struct node *from, const struct split_piece *piece,
                      const struct node *to) {
  int64_t macs = from->macs + piece->macs;
  return macs < to->macs ||
         (macs == to->macs && from->operators + piece->operators < to->operators);
}

static enum split_family family_of(const struct split_piece *piece) {
  if (piece->segment.kept_row_max > 0) return SPLIT_ALL;
  if (piece->segment.network->axis == SPLIT_CHANNELS) return SPLIT_UNKEPT;
  return piece->segment.padding_max > 0 ? SPLIT_UNKEPT_ROWS : SPLIT_UNPADDED_ROWS;
}

/* Whether there is a path of pieces up to `peak`; its work is that of the last node. */
static bool find_nodes(const struct split_search *search, neap_size peak, struct node *nodes) {
  size_t count = search->listing.network->operator_count;
  for (size_t at = 0; at <= count; at++)
    nodes[at] = (struct node){at == 0 ? 0 : FAR, 0, NULL};
  for (size_t p = 0; p < search->listing.count; p++) {
    struct split_piece *piece = &search->listing.pieces[p];
    const struct node *from = &nodes[piece->segment.first];
    struct node *to = &nodes[piece->segment.end];
    if (piece->peak > peak || from->macs == FAR || !is_nearer(from, piece, to) ||
        family_of(piece) > search->family)
      continue;
    *to = (struct node){from->macs + piece->macs, from->operators + piece->operators, piece};
  }
  return nodes[count].macs != FAR;
}

static void follow(const struct split_search *search, const struct node *nodes,
                   struct split_path *path) {
  size_t at = search->listing.network->operator_count;
  path->count = path->operators = 0;
  path->macs = path->peak = 0;
  for (size_t k = at; k > 0; k = nodes[k].by->segment.first)
    path->count++;
  for (size_t i = path->count; i-- > 0; at = nodes[at].by->segment.first) {
    struct split_piece *piece = nodes[at].by;
    path->pieces[i] = piece;
    path->macs += piece->macs;
    path->operators += piece->operators;
    if (piece->peak > path->peak) path->peak = piece->peak;
  }
}

static int compare_peaks(const void *a, const void *b) {
  neap_size one = *(const neap_size *)a, other = *(const neap_size *)b;
  return (one > other) - (one < other);
}

struct finder {
  struct split_search *search;
  struct node *nodes;
  neap_size *peaks; /* of all pieces, sorted */
};

/* The lowest peak from `floor` on for which a path is within the limit of work. */
static bool find_path(struct finder *finder, const struct split_wish *wish, neap_size floor,
                      struct split_path *path) {
  const struct split_search *search = finder->search;
  size_t low = 0, high = search->listing.count;
  for (size_t p = 0; p < search->listing.count; p++)
    finder->peaks[p] = search->listing.pieces[p].peak;
  qsort(finder->peaks, search->listing.count, sizeof *finder->peaks, compare_peaks);
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (finder->peaks[middle] >= floor &&
        find_nodes(search, finder->peaks[middle], finder->nodes) &&
        finder->nodes[search->listing.network->operator_count].macs <= wish->macs)
      high = middle;
    else low = middle + 1;
  }
  if (low == search->listing.count) return false;
  find_nodes(search, finder->peaks[low], finder->nodes);
  follow(search, finder->nodes, path);
  return true;
}

/* The least work of a path up to `peak`, if it is within `macs`. */
static bool find_least_work(struct finder *finder, neap_size peak, int64_t macs,
                            struct split_path *path) {
  if (!find_nodes(finder->search, peak, finder->nodes)) return false;
  follow(finder->search, finder->nodes, path);
  return path->macs <= macs;
}

/* ---------------------------------------------------------------- measuring */

/* How closely pieces are measured. */
enum effort {
  BOUND_LARGE, /* those whose tensors could exceed the peak of the path */
  BOUND_ALL,
  PLAN_HIGHEST,
  PLAN_BANDS /* and the highest */
};

static bool is_due(const struct split_piece *piece, const struct split_path *path,
                   enum effort effort) {
  if (effort >= PLAN_HIGHEST)
    return piece->planned == 0 &&
           (piece->peak == path->peak || (effort == PLAN_BANDS && piece->bands > 1));
  if (piece->is_measured) return false;
  return effort == BOUND_ALL || piece->bands > 1 || piece->sum > path->peak;
}

/* Measures the pieces of a path that are due; *rises: a bound or a count is higher now. */
static neap_status measure_path(struct split_path *path, enum effort effort,
                                const struct split_measure *measure, bool *rises,
                                neap_error *error) {
  neap_status status = NEAP_OK;
  bool plans = effort >= PLAN_HIGHEST;
  *rises = false;
  for (size_t i = 0; i < path->count && status == NEAP_OK && measure->keep_on(measure->user);
       i++) {
    struct split_piece *piece = path->pieces[i];
    neap_size peak = piece->peak;
    size_t operators = piece->operators;
    if (!is_due(piece, path, effort)) continue;
    status = measure->piece(piece, plans, measure->user, error);
    if (!plans) piece->is_measured = true;
    *rises = *rises || piece->peak > peak || piece->operators != operators;
    if (!plans) path->peak = larger_of(path->peak, piece->peak);
  }
  return status;
}

/* Plans a path and keeps it if it is better. */
static neap_status try_path(const struct split_path *path, const struct split_wish *wish,
                            const struct split_measure *measure, struct split_found *found,
                            neap_size *peak, neap_error *error) {
  neap_status status = measure->path(path, peak, measure->user, error);
  if (status != NEAP_OK) return status;
  bool fits = wish->capacity < 0 || *peak <= wish->capacity;
  if (fits && (!found->is_found || *peak < found->peak)) {
    found->macs = path->macs;
    found->peak = *peak;
    found->is_found = true;
    measure->keep(measure->user);
  }
  return status;
}

/* Takes pieces that keep rows to be as high as their layouts, where these are above the path; false if none is. */
static bool guess(struct split_search *search, const struct split_path *path) {
  bool rises = false;
  for (size_t i = 0; i < path->count; i++) {
    struct split_piece *piece = path->pieces[i];
    if (family_of(piece) != SPLIT_ALL || piece->planned <= path->peak ||
        piece->planned <= piece->peak)
      continue;
    piece->peak = piece->planned;
    search->has_guesses = rises = true;
  }
  return rises;
}

/*
 * With overlaps, a tensor at a cut may have to lie elsewhere for the piece before it than for the one after it, so that
 * the whole needs more than each piece.  Blames the highest piece in bands; false if there is none.  Where rows may be
 * kept, only pieces that keep them, since smaller families are searched again for the next wish.
 */
static bool blame(struct split_search *search, const struct split_path *path, neap_size peak) {
  struct split_piece *highest = NULL;
  for (size_t i = 0; i < path->count; i++) {
    struct split_piece *piece = path->pieces[i];
    if (search->family == SPLIT_ALL && family_of(piece) != SPLIT_ALL) continue;
    if (piece->bands > 1 && piece->peak < peak && (!highest || piece->peak > highest->peak))
      highest = piece;
  }
  if (!highest) return false;
  highest->peak = peak;
  search->has_guesses = true;
  return true;
}

/* How often the whole is planned before the best so far has to do. */
#define TRIES_MAX 12

static bool next_path(struct finder *finder, const struct split_wish *wish, neap_size ceiling,
                      struct split_path *path) {
  if (wish->capacity >= 0) return find_least_work(finder, ceiling, wish->macs, path);
  return find_path(finder, wish, 0, path);
}

static neap_status run(struct finder *finder, const struct split_wish *wish,
                       const struct split_measure *measure, struct split_path *path,
                       struct split_found *found, neap_error *error) {
  const enum effort planning = finder->search->family == SPLIT_ALL ? PLAN_BANDS : PLAN_HIGHEST;
  neap_size peak, ceiling = wish->capacity;
  bool rises = false;
  for (size_t tries = 0; tries < TRIES_MAX && measure->keep_on(measure->user);) {
    if (!next_path(finder, wish, ceiling, path)) {
      found->is_refuted =
          !found->is_found && ceiling == wish->capacity && !finder->search->has_guesses;
      return NEAP_OK;
    }
    neap_status status = measure_path(path, BOUND_LARGE, measure, &rises, error);
    if (status != NEAP_OK) return status;
    if (rises || !measure->keep_on(measure->user)) continue;
    status = try_path(path, wish, measure, found, &peak, error);
    if (status != NEAP_OK) return status;
    bool is_best = wish->capacity >= 0 ? peak <= wish->capacity : peak <= path->peak;
    /* The first path within a capacity has the least work; later ones may have more than they need. */
    if (is_best)
      found->is_proven =
          !finder->search->has_guesses && (wish->capacity < 0 || ceiling == wish->capacity);
    if (is_best) return NEAP_OK;
    tries++;
    status = measure_path(path, BOUND_ALL, measure, &rises, error);
    if (status == NEAP_OK && !rises)
      status = measure_path(path, planning, measure, &rises, error);
    if (status != NEAP_OK) return status;
    if (rises || guess(finder->search, path)) continue;
    if (wish->capacity < 0 &&
        (finder->search->family < SPLIT_UNKEPT || !blame(finder->search, path, peak)))
      return NEAP_OK;
    if (wish->capacity >= 0) ceiling = path->peak - 1;
  }
  return NEAP_OK;
}

neap_status split_search_run(struct split_search *search, const struct split_wish *wish,
                             const struct split_measure *measure, struct split_found *found,
                             neap_error *error) {
  size_t count = search->listing.network->operator_count;
  struct finder finder = {.search = search};
  struct split_path path = {NULL, 0, 0, 0, 0};
  finder.nodes = memory_array(count + 1, sizeof *finder.nodes);
  finder.peaks = memory_array(search->listing.count + 1, sizeof *finder.peaks);
  path.pieces = memory_array(count + 1, sizeof *path.pieces);
  *found = (struct split_found){.is_found = false};
  neap_status status = finder.nodes && finder.peaks && path.pieces
                           ? run(&finder, wish, measure, &path, found, error)
                           : error_memory(error);
  free(finder.nodes);
  free(finder.peaks);
  free(path.pieces);
  return status;
}
