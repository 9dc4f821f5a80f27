/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shortest paths over the cuts of a network, whose edges are pieces.
 *
 * Pieces between the same cuts and of one family are a run, sorted by work, so that the first that stays below
 * a peak is the best of them.  Peaks of pieces only rise, which keeps what is known of a run valid.
 */
#ifndef MODELS_BANDS_PATHS_H
#define MODELS_BANDS_PATHS_H

#include "models/bands/pieces.h"

/* Which pieces a search considers; each family has those before it. */
enum split_family { SPLIT_UNPADDED_ROWS, SPLIT_UNKEPT_ROWS, SPLIT_UNKEPT, SPLIT_ALL };

enum split_family split_family_of(const struct split_piece *piece);

/* A choice for the whole network. */
struct split_path {
  struct split_piece **pieces; /* room for one per operator */
  size_t count, operators;
  int64_t macs;
  neap_size peak; /* the highest of its pieces */
};

struct split_paths {
  const struct split_listing *listing;
  struct split_piece **order; /* the runs, one after the other */
  struct split_run *runs;     /* by their first operator */
  size_t run_count;
  struct split_node *nodes;
};

/* Call split_paths_clear in every case. */
neap_status split_paths_init(struct split_paths *paths, const struct split_listing *listing,
                             neap_error *error);
void split_paths_clear(struct split_paths *paths);

/* The path of a family with the lowest peak, `floor` or more, within a limit of work; false if there is none. */
bool split_paths_lowest(struct split_paths *paths, enum split_family family, int64_t macs,
                        neap_size floor, struct split_path *path);

/* The path of a family with the least work up to a peak, if it is within `macs`. */
bool split_paths_least(struct split_paths *paths, enum split_family family, int64_t macs,
                       neap_size peak, struct split_path *path);

/* Call this after peaks have become lower. */
void split_paths_distrust(struct split_paths *paths);

/* Puts a piece whose number of operators has changed in its place. */
void split_paths_settle(struct split_paths *paths, const struct split_piece *piece);

#endif
