/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the rows of each tensor that a part of a network needs to compute a band of its output.
 * The same rules hold along the channels, where bands are groups of channels.
 */
#ifndef MODELS_BANDS_BANDS_H
#define MODELS_BANDS_BANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "neap/neap.h"

struct band_range {
  int64_t begin, end;
};

/* How many rows are in a range; none if it ends before it begins. */
static inline int64_t band_rows_in(struct band_range range) {
  return range.end > range.begin ? range.end - range.begin : 0;
}

enum band_kind {
  SPLIT_NONE,      /* no bands: the operator runs as a whole */
  SPLIT_POINTWISE, /* row i depends on row i of each input */
  SPLIT_WINDOW,    /* row i depends on up to `reach` rows from i * stride - top on */
  SPLIT_PAD,       /* rows are added before and after the input */
  SPLIT_RESIZE,    /* each input row becomes `stride` rows */
  SPLIT_OUTPUTS    /* each row is made from the whole input, with weights of its own */
};

/* How the rows of an operator's output depend on those of its inputs. */
struct band_rule {
  enum band_kind kind;
  int64_t reach, stride; /* of a window, whose reach counts its dilation */
  bool is_same;          /* padded to make height / stride rows, also in a band */
  /* Of SAME windows: the input can be padded explicitly instead, with rows of side_bytes more. */
  bool is_paddable;
  int64_t side_bytes;
  /* Of SPLIT_PAD, and of windows that are not SAME: rows added only at the borders of the whole. */
  int64_t before, after;
  /* Of SPLIT_RESIZE: rows lie between two input rows; the centres of the pixels correspond. */
  bool is_linear, is_half_pixel;
};

#define SPLIT_NO_TENSOR SIZE_MAX

struct band_tensor {
  int64_t height, row_bytes; /* 0: the tensor has no rows to split */
  size_t made, read;         /* the operators after its maker, and after its last reader */
  bool is_output;
  bool is_elsewhere; /* outside the planned memory */
};

#define SPLIT_INPUTS 10

struct band_operator {
  struct band_rule rule;
  size_t inputs[SPLIT_INPUTS], input_count; /* without constants; only if splittable */
  size_t output;
  int64_t macs; /* multiply-accumulates of the whole */
};

enum band_axis { SPLIT_ROWS, SPLIT_CHANNELS };

struct band_network {
  struct band_tensor *tensors;
  struct band_operator *operators; /* in the order in which they run */
  size_t *places; /* of the operators in the model's list; NULL: the model has only these */
  size_t tensor_count, operator_count;
  enum band_axis axis;
  struct band_network
      *channels; /* the network along its channels; NULL: their rules are unknown */
};

/* A network along one of its axes. */
const struct band_network *band_network_along(const struct band_network *network,
                                              enum band_axis axis);

/*
 * Copies to the network along the channels when tensors are made and read, which is the same for
 * both axes.
 */
void band_network_copy_uses(struct band_network *network);

/*
 * Sums the network's multiply-accumulates.  NEAP_ERROR_FORMAT: the sum, or the bytes of all
 * tensors, exceed 2^53, beyond which sums over bands might overflow.
 */
neap_status band_network_sum(const struct band_network *network, int64_t *macs,
                             neap_error *error);

/* Releases the contents of a network, but not the network itself. */
void band_network_clear(struct band_network *network);

/* The operators [first, end), which take only `input` from outside and give only `output` to it. */
struct band_segment {
  const struct band_network *network;
  size_t first, end, input, output;
  /* Spoilt rows stay unless they must be cut off or no later operator spoils any. */
  bool keeps_spoilt;
  /*
   * Inputs are padded explicitly where that saves rows, and the input and its padded copy have at
   * most so many bytes together.
   */
  int64_t padding_max;
  /* The widest rows, in bytes, that are kept from band to band; 0: none are kept. */
  int64_t kept_row_max;
};

/*
 * The rows of an operator in a band: those given of all inputs, and of its output those made and
 * those exact.
 */
struct band_rows {
  struct band_range given, made, exact;
  struct band_range wanted, wanted_exact; /* the rows of both that later operators need */
  /* Exact output rows that are taken from the band before, at the top of this one; often none. */
  struct band_range kept;
  /* Explicit padding replaces SAME: padding rows above and below the given rows. */
  bool is_padded;
  int64_t above, below;
};

/*
 * Fills rows[k] for operator first + k of the segment, so that the last one makes rows `band`
 * of the output.  An operator that gets fewer rows than an input has needs a slice.  `before`
 * has the rows of the band before, from which rows may be kept; NULL: there is none.  False if
 * strides or borders rule out all rows.  O(operators).
 */
bool band_slice(const struct band_segment *segment, struct band_range band,
                const struct band_rows *before, struct band_rows *rows);

/* Finds the rows that `rule` makes from given rows; false if they are not rows of the whole. */
bool band_rows_made(const struct band_rule *rule, int64_t height, int64_t made_height,
                    struct band_range given, struct band_range *made);

/* The rows of `made` that are computed from exact rows alone. */
struct band_range band_rows_exact(const struct band_rule *rule, int64_t height,
                                  struct band_range exact, struct band_range made);

/*
 * The bytes of the explicitly padded input of operator k of a segment, which has `rows`; 0: its
 * input is not padded.
 */
int64_t band_padded_bytes(const struct band_segment *segment, const struct band_rows *rows,
                          size_t k);

/* The bytes of the rows of operator k's output that are kept from the band before. */
int64_t band_kept_bytes(const struct band_segment *segment, const struct band_rows *rows,
                        size_t k);

/* The work of a band; rows that are computed again count again. */
int64_t band_band_macs(const struct band_segment *segment, const struct band_rows *rows);

/* The rows that a tensor of the segment has in a band; all rows of the segment's input. */
struct band_range band_rows_of(const struct band_segment *segment, const struct band_rows *rows,
                               size_t tensor);

#endif
