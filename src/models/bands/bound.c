/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/bands/search.h"

#include <stdlib.h>

#include "core/checked.h"
#include "core/memory.h"
#include "models/bands/rewrite.h"

/* A tensor of the rewritten network. */
struct use {
  neap_size bytes;
  size_t last; /* the step after its last reader; 0: it has none, or is released */
};

struct ledger {
  const struct band_segment *segment;
  const struct band_limits *limits;
  const struct steps *made;
  struct use *uses; /* of new tensors, then of the segment's input and output */
  neap_size alive, most;
};

static struct use *use_of(const struct ledger *ledger, size_t tensor) {
  const size_t old = ledger->made->old_count;
  if (tensor >= old) return &ledger->uses[tensor - old];
  return &ledger->uses[ledger->made->tensor_count + (tensor != ledger->segment->input)];
}

/* Whether the output of a step lies in another tensor. */
static bool is_aliased(const struct band_limits *limits, const struct step *step) {
  return (step->kind == STEP_SLICE && limits->slices_alias) ||
         (step->kind == STEP_CONCATENATION && limits->concatenations_alias);
}

static neap_size old_bytes(const struct ledger *ledger, size_t tensor) {
  const struct band_tensor *old = &ledger->segment->network->tensors[tensor];
  return old->is_elsewhere ? 0 : old->height * old->row_bytes;
}

static void list_uses(struct ledger *ledger) {
  const struct steps *made = ledger->made;
  for (size_t t = 0; t < made->tensor_count; t++)
    ledger->uses[t].bytes = made->tensors[t].rows *
                            ledger->segment->network->tensors[made->tensors[t].like].row_bytes;
  use_of(ledger, ledger->segment->input)->bytes = old_bytes(ledger, ledger->segment->input);
  use_of(ledger, ledger->segment->output)->bytes = old_bytes(ledger, ledger->segment->output);
  for (size_t s = 0; s < made->count; s++) {
    const struct step *step = &made->items[s];
    if (is_aliased(ledger->limits, step)) use_of(ledger, step->output)->bytes = 0;
    for (size_t l = 0; l < step->link_count; l++)
      use_of(ledger, made->links[step->links + l])->last = s + 1;
  }
}

/* Releases the inputs of a step that no later step reads, and returns their bytes. */
static neap_size release_inputs(struct ledger *ledger, size_t s) {
  const struct step *step = &ledger->made->items[s];
  neap_size sum = 0;
  for (size_t l = 0; l < step->link_count; l++) {
    struct use *use = use_of(ledger, ledger->made->links[step->links + l]);
    if (use->last == s + 1) sum += use->bytes;
    if (use->last == s + 1) use->last = 0;
  }
  return sum;
}

static void run_step(struct ledger *ledger, size_t s) {
  const struct step *step = &ledger->made->items[s];
  const struct band_segment *segment = ledger->segment;
  const neap_size made = use_of(ledger, step->output)->bytes;
  const neap_size released = release_inputs(ledger, s), before = ledger->alive;
  neap_size padded = 0;
  bool overlaps = ledger->limits->overlaps;
  if (step->kind == STEP_BANDED) {
    padded = band_padded_bytes(segment, &step->rows, step->like - segment->first);
    overlaps |= segment->network->operators[step->like].rule.kind == SPLIT_POINTWISE;
  }
  ledger->alive += made - released;
  neap_size most = larger_of(before, ledger->alive);
  if (overlaps) most = larger_of(most, before - released + padded);
  else most = padded > 0 ? most + padded : before + made;
  ledger->most = larger_of(ledger->most, most);
}

static neap_size most_alive(struct ledger *ledger) {
  list_uses(ledger);
  ledger->alive = use_of(ledger, ledger->segment->input)->bytes;
  for (size_t s = 0; s < ledger->made->count; s++)
    run_step(ledger, s);
  return ledger->most;
}

bool band_bound_piece(struct band_piece *piece, const struct band_limits *limits) {
  struct band_piece *const items[] = {piece};
  const struct band_pieces pieces = {items, 1};
  struct steps made;
  struct ledger ledger = {.segment = &piece->segment, .limits = limits, .made = &made};
  bool fits = band_rewrite(piece->segment.network, &pieces, SPLIT_BANDS_MAX, &made);
  if (fits) ledger.uses = memory_array(made.tensor_count + 2, sizeof *ledger.uses);
  if (ledger.uses) piece->peak = larger_of(piece->peak, most_alive(&ledger));
  free(ledger.uses);
  steps_clear(&made);
  return fits && ledger.uses;
}
