/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bytes that an operator's outputs share with inputs that end with it, in place or by
 * overlap, counted as liveness and the bound count them.
 */
#ifndef SCHEDULE_SHARES_H
#define SCHEDULE_SHARES_H

#include <stdbool.h>
#include <stddef.h>

#include "neap/neap.h"

/*
 * An output that may share bytes with an input.  In-place shares come first, in the order of
 * the graph's pairs.  The others are sorted by output; each pair of values occurs once.
 */
struct share {
  size_t input;                        /* a value */
  size_t output;                       /* its number among the operator's outputs with shares */
  neap_size bytes;                     /* the most that they can share */
  neap_size input_bytes, output_bytes; /* their sizes */
  bool in_place; /* the output takes the input's bytes: neither has further shares */
};

/* The shares of operator k end at ends[k]. */
struct shares {
  size_t *ends;
  struct share *items;
};

static inline size_t shares_begin(const struct shares *shares, size_t k) {
  return k == 0 ? 0 : shares->ends[k - 1];
}

/* Whether an input ends with the operator. */
typedef bool share_ends(const void *state, size_t operator, size_t input);

/* The bytes already shared, per value and per output of the operator; all 0 at first. */
struct share_uses {
  neap_size *inputs, *outputs;
};

/*
 * `outputs` is the largest number of one operator.  False if memory is short; clear it even
 * then.
 */
bool share_uses_init(struct share_uses *uses, size_t values, size_t outputs);
void share_uses_clear(struct share_uses *uses);

#define SHARE_TAKEN NEAP_MAX /* shared in place */

static inline neap_size share_least(neap_size a, neap_size b) { return a < b ? a : b; }

static inline neap_size shares_in_place(const struct share *shares, size_t count,
                                        struct share_uses uses, share_ends *ends,
                                        const void *state, size_t operator) {
  neap_size saved = 0;
  for (size_t i = 0; i < count && shares[i].in_place; i++) {
    const struct share *share = &shares[i];
    if (uses.inputs[share->input] > 0 || uses.outputs[share->output] > 0 ||
        !ends(state, operator, share->input))
      continue;
    uses.inputs[share->input] = uses.outputs[share->output] = SHARE_TAKEN;
    saved += share->bytes;
  }
  return saved;
}

/* An output cannot share more bytes than it has, and neither can an input. */
static inline neap_size shares_overlapping(const struct share *shares, size_t count,
                                           struct share_uses uses, share_ends *ends,
                                           const void *state, size_t operator) {
  neap_size by_input = 0, by_output = 0;
  for (size_t i = 0; i < count; i++) {
    const struct share *share = &shares[i];
    if (share->in_place || !ends(state, operator, share->input)) continue;
    neap_size *input = &uses.inputs[share->input], *output = &uses.outputs[share->output];
    if (*input == SHARE_TAKEN || *output == SHARE_TAKEN) continue;
    neap_size of_input = share_least(share->bytes, share->input_bytes - *input);
    neap_size of_output = share_least(share->bytes, share->output_bytes - *output);
    *input += of_input;
    *output += of_output;
    by_input += of_input;
    by_output += of_output;
  }
  return share_least(by_input, by_output);
}

/* The bytes that operator k saves while it runs.  Leaves all uses 0. */
static inline neap_size shares_saved(const struct shares *shares, size_t k,
                                     struct share_uses uses, share_ends *ends,
                                     const void *state) {
  size_t begin = shares_begin(shares, k), count = shares->ends[k] - begin;
  if (count == 0) return 0;
  const struct share *items = shares->items + begin;
  neap_size saved = shares_in_place(items, count, uses, ends, state, k);
  saved += shares_overlapping(items, count, uses, ends, state, k);
  for (size_t i = 0; i < count; i++)
    uses.inputs[items[i].input] = uses.outputs[items[i].output] = 0;
  return saved;
}

#endif
