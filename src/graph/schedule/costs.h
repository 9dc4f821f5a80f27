/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The costs of orders of a graph's operators: dependences, and the bytes that each operator
 * allocates, shares and frees.  Bytes are counted per value (model/values), so views and other
 * aliases cost nothing.
 */
#ifndef SCHEDULE_COSTS_H
#define SCHEDULE_COSTS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/graph.h"
#include "neap/neap.h"

/* ---------------------------------------------------------------- shares */

/*
 * The bytes that an operator's outputs share with inputs that end with it, in place or by
 * overlap, counted as liveness and the bound count them.
 */

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
 * `outputs` is the largest number of outputs with shares of one operator.  False if memory is
 * short; clear it even then.
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

/* The bytes shared by overlap: neither an output nor an input shares more bytes than it has. */
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

/*
 * An upper bound on the bytes that operator k saves, whichever of the inputs that may end do
 * end: each output shares at most its size.  (If all of them end, k may save less than if some
 * do, because an output that takes an input in place overlaps no other.)  Leaves all uses 0.
 */
neap_size shares_most_saved(const struct shares *shares, size_t k, struct share_uses uses,
                            share_ends *may_end, const void *state);

/* ---------------------------------------------------------------- costs */

/* A list of numbers per operator: the list of operator k ends at ends[k]. */
struct costs_lists {
  size_t *ends, *items;
};

static inline size_t costs_begin(const struct costs_lists *lists, size_t k) {
  return k == 0 ? 0 : lists->ends[k - 1];
}

/*
 * Copies the lists of `owners` owners, at least one, with room for `more` items.  False if
 * memory is short; clear even then.
 */
bool costs_lists_copy(struct costs_lists *copy, const struct costs_lists *lists, size_t owners,
                      size_t more);

/* Copies the lists to others, which have room for them. */
void costs_lists_assign(struct costs_lists *to, const struct costs_lists *from, size_t owners);

/*
 * Makes operator `after` depend on `before`, in the lists of `count` operators, which have room
 * for one more item.
 */
void costs_lists_depend(struct costs_lists *befores, struct costs_lists *afters, size_t count,
                        size_t before, size_t after);

void costs_lists_clear(struct costs_lists *lists);

enum costs_life {
  COSTS_STARTS = 1, /* alive before the first operator */
  COSTS_STAYS = 2   /* alive after the last operator */
};

#define COSTS_NONE SIZE_MAX

struct costs {
  size_t count; /* operators; their numbers are a topological order */
  /*
   * Per operator, each once: the operators that must run before it, and those that must run
   * after it.
   */
  struct costs_lists befores, afters;
  /* Per operator, each once: the values that it reads and that can end. */
  struct costs_lists inputs;
  /* Per value, each once: the operators that read it, also if it stays. */
  struct costs_lists readers;
  struct shares shares;
  neap_size *sizes;     /* per value; 0 if it is not planned */
  size_t *maker;        /* per value: an operator or COSTS_NONE */
  unsigned char *lives; /* per value: a sum of costs_life */
  neap_size *made;      /* per operator: the bytes of all that it makes */
  neap_size *dropped;   /* per operator: the bytes of its outputs that are never read */
  neap_size at_start;   /* bytes alive before the first operator */
  neap_size unread;     /* of at_start: the bytes that end with the first operator */
  size_t edge_count; /* the number of dependences, which is the length of befores */
  size_t value_count, share_count;
  size_t output_count; /* the largest number of outputs with shares of one operator */
  /* An operator with several such outputs shares in place and by overlap: if another of its
     inputs ends with it, it may share fewer bytes. */
  bool mixes_shares;
};

/* The graph's liveness must have been checked.  Begin with zeroes; clear even on failure. */
neap_status costs_init(struct costs *costs, const struct neap_graph *graph,
                       const neap_liveness *options, neap_error *error);
void costs_clear(struct costs *costs);

/* A walk through an order, which tracks the bytes alive. */
struct costs_walk {
  const struct costs *costs;
  size_t *left; /* per value that can end: the operators that still have to read it */
  struct share_uses uses;
  neap_size live, peak; /* the bytes alive now, and their maximum so far */
  size_t passed;        /* the operators passed */
};

/* False if memory is short; clear even then. */
bool costs_walk_init(struct costs_walk *walk, const struct costs *costs);
void costs_walk_clear(struct costs_walk *walk);

/* Restarts the walk. */
void costs_walk_start(struct costs_walk *walk);

/* Continues the walk with operator k. */
void costs_walk_pass(struct costs_walk *walk, size_t k);

/* Restarts the walk and passes the first `count` operators of an order. */
void costs_walk_to(struct costs_walk *walk, const size_t *order, size_t count);

/*
 * The maximum of bytes alive over an order of all operators, which is the bound of the
 * resulting problem.
 */
neap_size costs_walk_peak(struct costs_walk *walk, const size_t *order);

#endif
