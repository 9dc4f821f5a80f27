/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pieces between cuts of a network, unchanged and in bands, with simple lower bounds.
 *
 * Bands have equal heights, or balanced ones.  The first band runs before there is any output,
 * and the last one after the input is last needed, so these two can be higher:
 *
 *     input   |################        |     memory over time, in four bands
 *     band    |  +++++  +++  +++  +++++|
 *     output  |      ....________......|
 *
 * Spoilt rows are cut off immediately or stay.  Explicit padding avoids them, either at all
 * inputs that would spoil rows, or only where that takes no more memory.
 *
 * Rows that the next band needs again are computed twice or kept, for all tensors of a segment
 * or only for those with narrow rows.
 *
 * The memory of a single band depends on the overlaps of its tensors, which only a plan
 * shows.  So there are two ways to balance: by the largest tensor, and by the largest pair of an
 * operator's input and output.
 */
#ifndef MODELS_BANDS_PIECES_H
#define MODELS_BANDS_PIECES_H

#include "neap/neap.h"
#include "models/bands/bands.h"

#define SPLIT_BANDS_MAX 32

/* Operators between two cuts; a piece in one band has the original operators. */
struct band_piece {
  struct band_segment segment;
  size_t bands;
  int32_t ends[SPLIT_BANDS_MAX]; /* the row of the output after each band */
  int64_t macs;
  size_t operators;  /* in all bands; a lower bound until the piece is measured */
  neap_size sum;     /* of all its tensors, in one band; NEAP_MAX: not known */
  neap_size peak;    /* a lower bound on any layout, or a guess of the search */
  neap_size trusted; /* the proven bound that a guessed `peak` replaced */
  bool is_bounded, is_measured, is_planned, is_guess;
};

/* The rows of the output that band `index` makes. */
struct band_range band_piece_band(const struct band_piece *piece, size_t index);

/*
 * Finds the rows of the band after band `index`, whose rows are `rows`; keeps nothing after the
 * last one.  Returns false when band_slice does.
 */
bool band_piece_next(const struct band_piece *piece, size_t index, const struct band_rows *rows,
                     struct band_rows *next);

/* The limits on the pieces to list. */
struct band_limits {
  double factor_max; /* of the work of the network */
  neap_size peak;    /* the known peak, which must be lowered */
  /* Whether slices and concatenations share memory with their inputs. */
  bool slices_alias, concatenations_alias;
  bool overlaps; /* outputs may overlap inputs */
  bool (*keep_on)(void *user); /* false ends the listing early; NULL: always true */
  void *user;
};

struct band_listing {
  const struct band_network *network;
  struct band_piece *pieces; /* sorted by their first operator */
  size_t count;
  int64_t macs;      /* of the network as it is */
  size_t length_max; /* operators of a segment */
  bool is_whole;     /* the listing did not end early */
};

/*
 * Lists the pieces of all paths within the limits, unless keep_on ends the listing early; call
 * band_listing_clear in every case.
 */
neap_status band_listing_init(struct band_listing *listing, const struct band_network *network,
                              const struct band_limits *limits, neap_error *error);
void band_listing_clear(struct band_listing *listing);

#endif
