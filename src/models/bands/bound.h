/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A lower bound on the memory of a piece in bands, from the tensors that are alive while each step of its rewriting
 * runs.  It counts slices and concatenations, which the bounds of pieces.h do not, and needs no copy of the model.
 */
#ifndef MODELS_BANDS_BOUND_H
#define MODELS_BANDS_BOUND_H

#include "models/bands/pieces.h"

/*
 * Raises the peak of a piece in several bands to this bound.  Where copies alias or outputs may overlap inputs, only what
 * cannot share bytes counts.  False if memory is short.
 */
bool split_bound_piece(struct split_piece *piece, const struct split_limits *limits);

#endif
