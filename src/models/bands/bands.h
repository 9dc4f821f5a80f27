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
  SPLIT_NONE,      /* it is computed as a whole */
  SPLIT_POINTWISE, /* row i depends on rows i of all inputs */
  SPLIT_WINDOW,    /* on rows i * stride - top .. i * stride - top + reach, where they exist */
  SPLIT_PAD,       /* rows are added before and after those of the input */
  SPLIT_RESIZE,    /* `stride` rows are made for each row of the input */
  SPLIT_OUTPUTS    /* each row is made of the whole input, by weights of its own */
};

/* How the rows of an operator's output depend on those of its inputs. */
struct band_rule {
  enum band_kind kind;
  int64_t reach, stride; /* of a window, whose reach counts its dilation */
  bool is_same; /* padded so that there are height / stride rows, in a band, too */
  /*
   * Of SAME windows: a tensor with all the padding, whose rows have side_bytes more, would do
   * instead.
   */
  bool is_paddable;
  int64_t side_bytes;
  /*
   * Of SPLIT_PAD, and of windows that are not SAME: rows added at the borders of the whole
   * alone.
   */
  int64_t before, after;
  /* Of SPLIT_RESIZE: rows lie between two of the input; the centres of the pixels correspond. */
  bool is_linear, is_half_pixel;
};

#define SPLIT_NO_TENSOR SIZE_MAX

struct band_tensor {
  int64_t height, row_bytes; /* 0: it has no rows to split */
  size_t made, read; /* the operator after the one that makes it, and after its last reader */
  bool is_output;
  bool is_elsewhere; /* not in the memory that is planned */
};

#define SPLIT_INPUTS 10

struct band_operator {
  struct band_rule rule;
  size_t inputs[SPLIT_INPUTS], input_count; /* without constants; only where it can be split */
  size_t output;
  int64_t macs; /* multiply-accumulates of the whole */
};

enum band_axis { SPLIT_ROWS, SPLIT_CHANNELS };

struct band_network {
  struct band_tensor *tensors;
  struct band_operator *operators; /* in the order in which they run */
  size_t *places; /* of the operators in the list of the model; NULL: it has only these */
  size_t tensor_count, operator_count;
  enum band_axis axis;
  struct band_network
      *channels; /* the same along the channels; NULL: nothing is known of them */
};

/* A network along one of its axes. */
const struct band_network *band_network_along(const struct band_network *network,
                                              enum band_axis axis);

/*
 * Tells the network along the channels when tensors are made and read, which is the same for
 * both axes.
 */
void band_network_copy_uses(struct band_network *network);

/*
 * Sums its multiply-accumulates.  NEAP_ERROR_FORMAT: they, or the bytes of all tensors, exceed
 * 2^53, beyond which sums over bands might overflow.
 */
neap_status band_network_sum(const struct band_network *network, int64_t *macs,
                             neap_error *error);

/* Releases the contents of a network, but not the network itself. */
void band_network_clear(struct band_network *network);

/* The operators [first, end), which read nothing but `input` and of which only `output` is read. */
struct band_segment {
  const struct band_network *network;
  size_t first, end, input, output;
  /* Spoilt rows stay, unless they must go or no later operator spoils any. */
  bool keeps_spoilt;
  /*
   * Inputs are padded explicitly where that saves rows and the padded input needs no more with
   * the one before it.
   */
  int64_t padding_max;
  /*
   * The widest rows, in bytes, that are kept from band to band; 0: none are.
   */
  int64_t kept_row_max;
};

/*
 * Rows of an operator in a band: those given of all inputs, and those made and exact of its
 * output.
 */
struct band_rows {
  struct band_range given, made, exact;
  struct band_range wanted,
      wanted_exact; /* the least that later operators need of made, exact */
  /* Exact rows of the output that the band before has made, where this one's begin; often none. */
  struct band_range kept;
  /* Explicit padding takes the place of SAME: rows above and below those given. */
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

/* The rows that operator `rule` makes of given ones; false if they are not rows of the whole. */
bool band_rows_made(const struct band_rule *rule, int64_t height, int64_t made_height,
                    struct band_range given, struct band_range *made);

/* Those of `made` that are computed from exact rows alone. */
struct band_range band_rows_exact(const struct band_rule *rule, int64_t height,
                                  struct band_range exact, struct band_range made);

/*
 * The bytes of the explicitly padded input of operator k of a segment, which has `rows`; 0:
 * there is none.
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
