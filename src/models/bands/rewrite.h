/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rewrites the operators of a network so that pieces are computed in bands:
 *
 *     x - slice - conv - depthwise - slice - conv -+
 *     x - slice - conv - depthwise - slice - conv -+- concatenation - y
 *     x - slice - conv - depthwise - slice - conv -+
 *
 * Rows that a band keeps for the next one are a slice of an operator's output:
 *
 *     conv -+------------------ depthwise
 *           +- slice -+
 *     conv -----------+- concatenation - depthwise
 */
#ifndef MODELS_BANDS_REWRITE_H
#define MODELS_BANDS_REWRITE_H

#include "models/bands/pieces.h"
#include "models/operators/steps.h"

/* Pieces that follow each other. */
struct band_pieces {
  struct band_piece *const *items;
  size_t count;
};

/*
 * Lists the rewritten steps, in which a concatenation has at most `parts_max` inputs.  False if
 * memory is short; call steps_clear in every case.
 */
bool band_rewrite(const struct band_network *network, const struct band_pieces *pieces,
                  size_t parts_max, struct steps *steps);

/* Whether the pieces cover the whole network. */
bool band_pieces_cover(const struct band_pieces *pieces, const struct band_network *network);

#endif
