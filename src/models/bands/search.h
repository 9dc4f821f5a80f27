/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses which segments of a network to compute in bands, and in how many bands.
 *
 * A cut is a moment between operators at which one tensor alone is still read later.  Between
 * two cuts, operators run as they are, or in bands.  Only the tensor at a cut is in memory
 * there, so the peak of a path over cuts is that of its worst piece, and its work is the sum.
 * A shortest path has the least work of all paths whose pieces stay below a peak.  The lowest
 * peak within a limit of work is the lowest one whose shortest path respects the limit (msf-CNN,
 * arXiv 2505.11483).
 *
 * The peak of a piece begins as a simple lower bound.  Only pieces on the best path are
 * measured, which raises their bounds; then the path is searched again.  Once no bound rises,
 * the whole is planned.  If its peak equals that of the path, no other choice of the family
 * is lower.  If it is higher although no bound can be raised, one piece is assumed to be as
 * high as the whole.  The search then tries other paths, but proves nothing.
 */
#ifndef MODELS_BANDS_SEARCH_H
#define MODELS_BANDS_SEARCH_H

#include "models/bands/pieces.h"

/* ---------------------------------------------------------------- paths */

/*
 * Shortest paths over the cuts of a network, whose edges are pieces.
 *
 * Pieces of one family between the same cuts are a run, sorted by work, so the first piece that
 * stays below a peak is the best one.  Peaks of pieces only rise, so bounds on a run stay
 * valid.
 */

/* Which pieces a search considers; each family contains those before it. */
enum band_family { SPLIT_UNPADDED_ROWS, SPLIT_UNKEPT_ROWS, SPLIT_UNKEPT, SPLIT_ALL };

enum band_family band_family_of(const struct band_piece *piece);

/* A choice for the whole network. */
struct band_path {
  struct band_piece **pieces; /* room for one per operator */
  size_t count, operators;
  int64_t macs;
  neap_size peak; /* the highest of its pieces */
};

struct band_paths {
  const struct band_listing *listing;
  struct band_piece **order; /* the runs, one after the other */
  struct band_run *runs;     /* by their first operator */
  size_t run_count;
  struct band_node *nodes;
};

/* Call band_paths_clear in every case. */
neap_status band_paths_init(struct band_paths *paths, const struct band_listing *listing,
                            neap_error *error);
void band_paths_clear(struct band_paths *paths);

/*
 * The path of a family with the lowest peak, `floor` or more, within a limit of work; false if
 * there is none.
 */
bool band_paths_lowest(struct band_paths *paths, enum band_family family, int64_t macs,
                       neap_size floor, struct band_path *path);

/* The path of a family with the least work up to a peak, if it is within `macs`. */
bool band_paths_least(struct band_paths *paths, enum band_family family, int64_t macs,
                      neap_size peak, struct band_path *path);

/* Discards the bounds on runs.  Call this after peaks have become lower. */
void band_paths_distrust(struct band_paths *paths);

/* Moves a piece whose number of operators has changed to its place in its run. */
void band_paths_settle(struct band_paths *paths, const struct band_piece *piece);

/* ---------------------------------------------------------------- search */

struct band_search {
  struct band_listing listing;
  struct band_paths paths;
  struct band_limits limits;
  bool has_guesses; /* later results prove nothing */
  enum band_family family;
};

/* Lists the pieces of all paths within the limits. */
neap_status band_search_init(struct band_search *search, const struct band_network *network,
                             const struct band_limits *limits, neap_error *error);
void band_search_clear(struct band_search *search);

/* The functions that measure pieces and paths. */
struct band_measure {
  /* Raises the lower bound of a piece; with `plans`, also finds a layout. */
  neap_status (*piece)(struct band_piece *piece, bool plans, void *user, neap_error *error);
  /* Plans the whole, with little effort if its peak turns out to stay far above `limit`. */
  neap_status (*path)(const struct band_path *path, neap_size limit, neap_size *peak,
                      void *user, neap_error *error);
  /* Called when the path that was planned last is the best so far. */
  void (*keep)(void *user);
  bool (*keep_on)(void *user);
  void *user;
};

/* The goal of a search: the lowest peak within `macs`, or the least work within `capacity`. */
struct band_wish {
  int64_t macs;
  neap_size capacity; /* negative: none */
  neap_size known;    /* the peak of another choice within the limits; 0: none */
};

/* The best path. */
struct band_found {
  int64_t macs;
  neap_size peak; /* of its plan */
  bool is_found;
  bool is_proven;  /* the best of the family */
  bool is_refuted; /* no choice of the family is within the limits */
};

/* Searches for the best path; ends early if keep_on returns false. */
neap_status band_search_run(struct band_search *search, const struct band_wish *wish,
                            const struct band_measure *measure, struct band_found *found,
                            neap_error *error);

/*
 * A lower bound on all choices of the family within `macs`, from the pieces measured so far.
 * Forgets guesses.
 */
neap_status band_search_bound(struct band_search *search, int64_t macs, neap_size *least,
                              neap_error *error);

/* ---------------------------------------------------------------- bound */

/*
 * A lower bound on the memory of a piece in bands, from the tensors that are alive while each
 * step of its rewriting runs.  It counts slices and concatenations, which the bounds of
 * pieces.h do not, and needs no copy of the model.
 */

/*
 * Raises the peak of a piece in several bands to this bound.  Where copies alias or outputs may
 * overlap inputs, counts only bytes that cannot be shared.  False if memory is short.
 */
bool band_bound_piece(struct band_piece *piece, const struct band_limits *limits);

#endif
