/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/bands/search.h"

#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"

neap_status band_search_init(struct band_search *search, const struct band_network *network,
                             const struct band_limits *limits, neap_error *error) {
  *search = (struct band_search){.family = SPLIT_ALL, .limits = *limits};
  neap_status status = band_listing_init(&search->listing, network, limits, error);
  return status == NEAP_OK ? band_paths_init(&search->paths, &search->listing, error) : status;
}

void band_search_clear(struct band_search *search) {
  band_paths_clear(&search->paths);
  band_listing_clear(&search->listing);
}

/* ---------------------------------------------------------------- measuring */

/* How closely pieces are measured. */
enum effort {
  BOUND_LARGE, /* bound the pieces whose tensors could exceed the path's peak */
  BOUND_ALL,
  PLAN_HIGHEST
};

static bool is_due(const struct band_piece *piece, const struct band_path *path,
                   enum effort effort) {
  if (effort == PLAN_HIGHEST) return !piece->is_planned && piece->peak == path->peak;
  if (piece->is_measured) return false;
  return effort == BOUND_ALL || piece->bands > 1 || piece->sum > path->peak;
}

/* A search for one wish. */
struct hunt {
  struct band_search *search;
  const struct band_wish *wish;
  const struct band_measure *measure;
  struct band_found *found;
  struct band_path path;
  neap_size floor, ceiling; /* limits on the peaks of paths, if any */
};

static bool keeps_on(const struct hunt *hunt) {
  return hunt->measure->keep_on(hunt->measure->user);
}

/* Bounds a piece from its steps, because measuring a piece above the path is wasted work. */
static neap_status bound_piece(struct hunt *hunt, struct band_piece *piece, bool *rises,
                               neap_error *error) {
  const neap_size path_peak = hunt->path.peak;
  if (piece->bands == 1 || piece->is_bounded) return NEAP_OK;
  piece->is_bounded = true;
  if (!band_bound_piece(piece, &hunt->search->limits)) return error_memory(error);
  *rises = piece->peak > path_peak;
  return NEAP_OK;
}

static neap_status measure_piece(struct hunt *hunt, struct band_piece *piece, bool plans,
                                 bool *rises, neap_error *error) {
  const neap_size peak = piece->peak;
  const size_t operators = piece->operators;
  bool is_high = false;
  neap_status status = bound_piece(hunt, piece, &is_high, error);
  *rises = *rises || is_high;
  if (status != NEAP_OK || is_high) return status;
  status = hunt->measure->piece(piece, plans, hunt->measure->user, error);
  if (piece->operators != operators) band_paths_settle(&hunt->search->paths, piece);
  if (!plans) piece->is_measured = true;
  if (!plans) hunt->path.peak = larger_of(hunt->path.peak, piece->peak);
  *rises = *rises || piece->peak > peak || piece->operators != operators;
  return status;
}

/* Measures the pieces of the path that are due; *rises: a bound or a count has risen. */
static neap_status measure_path(struct hunt *hunt, enum effort effort, bool *rises,
                                neap_error *error) {
  neap_status status = NEAP_OK;
  *rises = false;
  for (size_t i = 0; i < hunt->path.count && status == NEAP_OK && keeps_on(hunt); i++)
    if (is_due(hunt->path.pieces[i], &hunt->path, effort))
      status = measure_piece(hunt, hunt->path.pieces[i], effort == PLAN_HIGHEST, rises, error);
  return status;
}

/* Plans the path and keeps it if it is better. */
static neap_status try_path(struct hunt *hunt, neap_size *peak, neap_error *error) {
  struct band_found *found = hunt->found;
  neap_size limit = hunt->wish->known > 0 ? hunt->wish->known : NEAP_MAX;
  if (hunt->wish->capacity >= 0) limit = hunt->wish->capacity;
  else if (found->is_found) limit = smaller_of(limit, found->peak);
  neap_status status =
      hunt->measure->path(&hunt->path, limit, peak, hunt->measure->user, error);
  if (status != NEAP_OK) return status;
  bool fits = hunt->wish->capacity < 0 || *peak <= hunt->wish->capacity;
  if (fits && (!found->is_found || *peak < found->peak)) {
    found->macs = hunt->path.macs;
    found->peak = *peak;
    found->is_found = true;
    hunt->measure->keep(hunt->measure->user);
  }
  return status;
}

/*
 * With overlaps, the pieces before and after a cut may need its tensor in different places, so
 * the whole can need more than each piece.  Blames the highest piece in bands; false if there
 * is none.  Where rows may be kept, blames only pieces that keep them: smaller families are
 * searched again for the next wish.
 */
static bool blame(struct band_search *search, const struct band_path *path, neap_size peak) {
  struct band_piece *highest = NULL;
  for (size_t i = 0; i < path->count; i++) {
    struct band_piece *piece = path->pieces[i];
    if (search->family == SPLIT_ALL && band_family_of(piece) != SPLIT_ALL) continue;
    if (piece->bands > 1 && piece->peak < peak && (!highest || piece->peak > highest->peak))
      highest = piece;
  }
  if (!highest) return false;
  if (!highest->is_guess) highest->trusted = highest->peak;
  highest->peak = peak;
  highest->is_guess = search->has_guesses = true;
  return true;
}

/* Moves on to the next path, whose peak cannot be lower than this one's, as bounds only rise. */
static bool next_path(struct hunt *hunt) {
  struct band_paths *paths = &hunt->search->paths;
  const enum band_family family = hunt->search->family;
  const int64_t macs = hunt->wish->macs;
  if (hunt->wish->capacity >= 0)
    return band_paths_least(paths, family, macs, hunt->ceiling, &hunt->path);
  if (!band_paths_lowest(paths, family, macs, hunt->floor, &hunt->path)) return false;
  hunt->floor = hunt->path.peak;
  return true;
}

/* Measures paths until one has the peak that its pieces predict; false if there is none. */
static neap_status find_measured(struct hunt *hunt, bool *is_found, neap_error *error) {
  bool rises = true;
  neap_status status = NEAP_OK;
  *is_found = false;
  while (status == NEAP_OK && rises && keeps_on(hunt)) {
    if (!next_path(hunt)) {
      hunt->found->is_refuted = !hunt->found->is_found &&
                                hunt->ceiling == hunt->wish->capacity &&
                                !hunt->search->has_guesses;
      return NEAP_OK;
    }
    status = measure_path(hunt, BOUND_LARGE, &rises, error);
  }
  *is_found = status == NEAP_OK && !rises && keeps_on(hunt);
  return status;
}

/*
 * Learns from a path whose plan is too high: raises the bounds of its pieces, or blames one;
 * *goes_on is false if nothing is left to try.
 */
static neap_status learn(struct hunt *hunt, neap_size peak, bool *goes_on, neap_error *error) {
  neap_status status = measure_path(hunt, BOUND_ALL, goes_on, error);
  if (status == NEAP_OK && !*goes_on) status = measure_path(hunt, PLAN_HIGHEST, goes_on, error);
  if (status != NEAP_OK || *goes_on) return status;
  *goes_on = true;
  if (hunt->wish->capacity >= 0) hunt->ceiling = hunt->path.peak - 1;
  else
    *goes_on = hunt->search->family >= SPLIT_UNKEPT && blame(hunt->search, &hunt->path, peak);
  return NEAP_OK;
}

/* The limit on plans of the whole; then the best one so far must suffice. */
#define TRIES_MAX 12

static neap_status run(struct hunt *hunt, neap_error *error) {
  const struct band_wish *wish = hunt->wish;
  neap_size peak = 0;
  bool goes_on = true;
  for (size_t tries = 0; tries < TRIES_MAX && goes_on; tries++) {
    neap_status status = find_measured(hunt, &goes_on, error);
    if (status != NEAP_OK || !goes_on) return status;
    status = try_path(hunt, &peak, error);
    if (status != NEAP_OK) return status;
    bool is_best = wish->capacity >= 0 ? peak <= wish->capacity : peak <= hunt->path.peak;
    /*
     * The first path that fits a capacity has the least work; later ones may have more than needed.
     */
    if (is_best)
      hunt->found->is_proven =
          !hunt->search->has_guesses && (wish->capacity < 0 || hunt->ceiling == wish->capacity);
    if (is_best) return NEAP_OK;
    status = learn(hunt, peak, &goes_on, error);
    if (status != NEAP_OK) return status;
  }
  return NEAP_OK;
}

static struct band_piece **pieces_of(const struct band_search *search) {
  return memory_array(search->listing.network->operator_count + 1, sizeof(struct band_piece *));
}

neap_status band_search_run(struct band_search *search, const struct band_wish *wish,
                            const struct band_measure *measure, struct band_found *found,
                            neap_error *error) {
  struct hunt hunt = {.search = search,
                      .wish = wish,
                      .measure = measure,
                      .found = found,
                      .ceiling = wish->capacity};
  *found = (struct band_found){.is_found = false};
  hunt.path.pieces = pieces_of(search);
  neap_status status = hunt.path.pieces ? run(&hunt, error) : error_memory(error);
  free(hunt.path.pieces);
  return status;
}

static void forget_guesses(struct band_search *search) {
  for (size_t p = 0; p < search->listing.count; p++) {
    struct band_piece *piece = &search->listing.pieces[p];
    if (piece->is_guess) piece->peak = piece->trusted;
    piece->is_guess = false;
  }
  band_paths_distrust(&search->paths);
  search->has_guesses = false;
}

neap_status band_search_bound(struct band_search *search, int64_t macs, neap_size *least,
                              neap_error *error) {
  struct band_path path = {.pieces = pieces_of(search)};
  if (!path.pieces) return error_memory(error);
  forget_guesses(search);
  *least = search->limits.peak;
  if (band_paths_lowest(&search->paths, search->family, macs, 0, &path))
    *least = smaller_of(*least, path.peak);
  free(path.pieces);
  return NEAP_OK;
}
