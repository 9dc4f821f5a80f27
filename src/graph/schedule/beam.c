/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Beam search (B. T. Lowerre, The Harpy speech recognition system, 1976) for an order of operators,
 * over the sets of the dynamic program of B. H. Ahn et al.  (schedule/beam_windows).  A state is a
 * set of operators that have run, together with everything they depend on.  Layer n holds the
 * states of n operators; of each layer, the beam keeps the `width` best by peak so far and bytes
 * alive.  Width 1 is greedy, and if no state was dropped the order is optimal.  States with the
 * same operators have the same bytes alive, so only the one with the lowest peak is kept.
 *
 * An operator runs at once if it does not raise the peak and leaves no more bytes alive than
 * before: running it later could only keep more bytes alive in the meantime.  Peaks up to the
 * floor count as equal.
 *
 * With noise, each seed makes the beam prefer other states.
 *
 * Sets are sorted by a 64-bit hash and compared if their hashes are equal.
 *
 * A layer takes O(width * ready operators) moves, each linear in the readers of its values; the
 * work is counted and limited.  Memory: two bits per operator for each state of the layers in use.
 */
#include "schedule/beam.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash_set.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "schedule/operator_set.h"

#define NONE SIZE_MAX

struct state {
  neap_size live, peak;
  uint64_t cost;   /* the bytes alive, with noise */
  uint64_t hash;   /* of the set */
  size_t count;    /* of operators in it */
  size_t step;     /* the last operator run, or NONE */
  uint64_t sets[]; /* the operators that have run, then those ready to run */
};

struct step {
  size_t before, k;
};

/* A possible next state: `from` after running k. */
struct move {
  const struct state *from;
  size_t k;
  neap_size live, peak;
  uint64_t cost, hash;
};

struct layer {
  struct state **states;
  size_t count, capacity;
};

struct beam {
  const struct beam_task *task;
  const struct segment *segment;
  size_t words;         /* of a set */
  struct layer *layers; /* by number of operators that have run */
  struct step *steps;
  size_t step_count, step_capacity;
  struct move *moves;
  size_t move_count, move_capacity;
  struct share_uses uses;
  size_t work;
  bool has_dropped;
};

/* ---------------------------------------------------------------- sets */

static size_t state_size(const struct beam *beam) {
  return sizeof(struct state) + 2 * beam->words * sizeof(uint64_t);
}

/* ---------------------------------------------------------------- running an operator */

/* Whether a value ends when k runs: all its other readers have run. */
static bool ends_with(const struct segment *segment, const struct state *state, size_t k,
                      size_t value, size_t *work) {
  size_t r = costs_begin(&segment->readers, value), end = segment->readers.ends[value];
  for (; r < end; r++, ++*work) {
    size_t reader = segment->readers.items[r];
    if (reader != k && !set_has(state->sets, reader)) return false;
  }
  return true;
}

static neap_size freed_by(struct beam *beam, const struct state *state, size_t k) {
  const struct segment *segment = beam->segment;
  neap_size freed = segment->dropped[k];
  for (size_t i = costs_begin(&segment->inputs, k); i < segment->inputs.ends[k]; i++) {
    size_t value = segment->inputs.items[i];
    if (ends_with(segment, state, k, value, &beam->work)) freed += segment->sizes[value];
  }
  return freed;
}

/* An operator that may run next. */
struct trial {
  struct beam *beam;
  const struct state *state;
};

static bool ends_in_trial(const void *state, size_t operator, size_t input) {
  const struct trial *trial = state;
  return ends_with(trial->beam->segment, trial->state, operator, input, &trial->beam->work);
}

static neap_size shared_by(struct beam *beam, const struct state *state, size_t k) {
  struct trial trial = {beam, state};
  return shares_saved(&beam->segment->shares, k, beam->uses, ends_in_trial, &trial);
}

/* The bytes alive at the start that end with the first operator, whichever operator that is. */
static neap_size unread_in(const struct beam *beam, const struct state *state) {
  return state->count == 0 ? beam->segment->unread : 0;
}

/* The noise depends on the set alone, so that equal sets cost the same. */
static uint64_t cost_of(const struct beam_task *task, neap_size live, uint64_t hash) {
  uint64_t noise = task->noise > 0 ? hash_member(hash ^ task->seed) % (uint64_t)task->noise : 0;
  return (uint64_t)live + noise;
}

static struct move find_move(struct beam *beam, const struct state *state, size_t k) {
  neap_size all = state->live + beam->segment->made[k];
  neap_size most = all - shared_by(beam, state, k);
  neap_size live = all - freed_by(beam, state, k) - unread_in(beam, state);
  uint64_t hash = state->hash ^ hash_member(k);
  beam->work++;
  return (struct move){
      state, k, live, most > state->peak ? most : state->peak, cost_of(beam->task, live, hash),
      hash};
}

static void admit_if_ready(struct beam *beam, struct state *state, size_t k) {
  const struct costs_lists *befores = &beam->segment->befores;
  for (size_t i = costs_begin(befores, k); i < befores->ends[k]; i++, beam->work++)
    if (!set_has(state->sets, befores->items[i])) return;
  assert(!set_has(state->sets, k));
  set_add(state->sets + beam->words, k);
}

/* Updates a state by running the move's operator, which is ready in it. */
static bool run_operator(struct beam *beam, struct state *state, const struct move *move) {
  const struct costs_lists *afters = &beam->segment->afters;
  if (!memory_reserve(&beam->steps, &beam->step_capacity, beam->step_count + 1,
                      sizeof *beam->steps))
    return false;
  beam->steps[beam->step_count] = (struct step){state->step, move->k};
  assert(set_has(state->sets + beam->words, move->k) && !set_has(state->sets, move->k));
  assert(move->live >= 0 && move->peak >= state->peak && move->peak >= move->live);
  state->step = beam->step_count++;
  state->live = move->live;
  state->cost = move->cost;
  state->peak = move->peak;
  state->hash = move->hash;
  state->count++;
  set_add(state->sets, move->k);
  set_remove(state->sets + beam->words, move->k);
  for (size_t i = costs_begin(afters, move->k); i < afters->ends[move->k]; i++)
    admit_if_ready(beam, state, afters->items[i]);
  return true;
}

/* Visits every operator that is ready; stops when `visit` returns false. */
typedef bool visit_move(struct beam *beam, const struct move *move, void *user);

static bool visit_moves(struct beam *beam, const struct state *state, visit_move *visit,
                        void *user) {
  for (size_t w = 0; w < beam->words; w++)
    for (uint64_t rest = state->sets[beam->words + w]; rest != 0; rest &= rest - 1) {
      size_t k = w * SET_WORD + (size_t)__builtin_ctzll(rest);
      struct move move = find_move(beam, state, k);
      if (!visit(beam, &move, user)) return false;
    }
  return true;
}

/* Stops at the first move that costs nothing, and stores it. */
static bool find_free(struct beam *beam, const struct move *move, void *user) {
  neap_size live = move->from->live - unread_in(beam, move->from);
  if (move->peak > move->from->peak || move->live > live) return true;
  *(struct move *)user = *move;
  return false;
}

static bool run_free_operators(struct beam *beam, struct state *state) {
  struct move move;
  while (!visit_moves(beam, state, find_free, &move))
    if (!run_operator(beam, state, &move)) return false;
  return true;
}

/* ---------------------------------------------------------------- layers */

/* Puts the state into its layer, which then owns it; on failure, the state is freed. */
static bool keep_state(struct beam *beam, struct state *state) {
  assert(state->count <= beam->segment->count);
  struct layer *layer = &beam->layers[state->count];
  if (!memory_reserve(&layer->states, &layer->capacity, layer->count + 1,
                      sizeof *layer->states)) {
    free(state);
    return false;
  }
  layer->states[layer->count++] = state;
  return true;
}

static bool make_state(struct beam *beam, const struct move *move) {
  struct state *state = malloc(state_size(beam));
  if (!state) return false;
  beam->work += 2 * beam->words;
  memcpy(state, move->from, state_size(beam));
  if (!run_operator(beam, state, move) || !run_free_operators(beam, state)) {
    free(state);
    return false;
  }
  return keep_state(beam, state);
}

static int by_worth(const void *left, const void *right) {
  const struct move *a = left, *b = right;
  if (a->peak != b->peak) return a->peak < b->peak ? -1 : 1;
  if (a->cost != b->cost) return a->cost < b->cost ? -1 : 1;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  return 0;
}

static int by_set(const void *left, const void *right) {
  const struct move *a = left, *b = right;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  return by_worth(left, right);
}

/* Whether both moves lead to the same set of operators. */
static bool is_same_move(const struct beam *beam, const struct move *a, const struct move *b) {
  if (a->hash != b->hash) return false;
  for (size_t w = 0; w < beam->words; w++) {
    uint64_t sets[2] = {a->from->sets[w], b->from->sets[w]};
    if (a->k / SET_WORD == w) set_add(&sets[0], a->k % SET_WORD);
    if (b->k / SET_WORD == w) set_add(&sets[1], b->k % SET_WORD);
    if (sets[0] != sets[1]) return false;
  }
  return true;
}

/* Keeps the best move to each set, and the best `width` of these moves. */
static void choose_moves(struct beam *beam) {
  size_t kept = 0;
  if (beam->move_count == 0) return;
  qsort(beam->moves, beam->move_count, sizeof *beam->moves, by_set);
  for (size_t m = 0; m < beam->move_count; m++) {
    const struct move *move = &beam->moves[m], *best = &beam->moves[kept > 0 ? kept - 1 : 0];
    bool is_same = kept > 0 && is_same_move(beam, move, best);
    assert(!is_same || (move->live == best->live && move->peak >= best->peak));
    if (!is_same) beam->moves[kept++] = *move;
  }
  qsort(beam->moves, kept, sizeof *beam->moves, by_worth);
  if (kept > beam->task->width) beam->has_dropped = true;
  beam->move_count = kept > beam->task->width ? beam->task->width : kept;
}

static bool add_move(struct beam *beam, const struct move *move, void *user) {
  (void)user;
  if (move->peak >= beam->task->limit) return true;
  if (!memory_reserve(&beam->moves, &beam->move_capacity, beam->move_count + 1,
                      sizeof *beam->moves))
    return false;
  beam->moves[beam->move_count++] = *move;
  beam->work += BEAM_WORK_OF_MOVE;
  return true;
}

static int by_state(const void *left, const void *right) {
  const struct state *a = *(struct state *const *)left, *b = *(struct state *const *)right;
  if (a->peak != b->peak) return a->peak < b->peak ? -1 : 1;
  if (a->cost != b->cost) return a->cost < b->cost ? -1 : 1;
  return a->hash < b->hash ? -1 : a->hash > b->hash;
}

static int by_state_set(const void *left, const void *right) {
  const struct state *a = *(struct state *const *)left, *b = *(struct state *const *)right;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  return by_state(left, right);
}

static bool is_same_state(const struct beam *beam, const struct state *a,
                          const struct state *b) {
  return a->hash == b->hash && memcmp(a->sets, b->sets, beam->words * sizeof *a->sets) == 0;
}

/*
 * Keeps the best state for each set, which several layers may have reached, and the best
 * `width` of these states.
 */
static void choose_states(struct beam *beam, struct layer *layer) {
  size_t kept = 0;
  qsort(layer->states, layer->count, sizeof(struct state *), by_state_set);
  for (size_t s = 0; s < layer->count; s++) {
    struct state *state = layer->states[s];
    struct state *best = kept > 0 ? layer->states[kept - 1] : NULL;
    bool is_same = best && is_same_state(beam, best, state);
    assert(!is_same || (state->live == best->live && state->peak >= best->peak));
    if (is_same) free(state);
    else layer->states[kept++] = state;
  }
  qsort(layer->states, kept, sizeof(struct state *), by_state);
  for (; kept > beam->task->width; beam->has_dropped = true)
    free(layer->states[--kept]);
  layer->count = kept;
}

static void clear_layer(struct layer *layer) {
  for (size_t s = 0; s < layer->count; s++)
    free(layer->states[s]);
  free(layer->states);
  *layer = (struct layer){NULL, 0, 0};
}

/* ---------------------------------------------------------------- the pass */

static bool make_first_layer(struct beam *beam) {
  const struct segment *segment = beam->segment;
  struct state *state = calloc(1, state_size(beam));
  if (!state) return false;
  state->live = segment->at_start;
  state->peak = state->live > beam->task->floor ? state->live : beam->task->floor;
  state->step = NONE;
  for (size_t k = 0; k < segment->count; k++)
    if (costs_begin(&segment->befores, k) == segment->befores.ends[k])
      set_add(state->sets + beam->words, k);
  if (run_free_operators(beam, state)) return keep_state(beam, state);
  free(state);
  return false;
}

static bool expand_layer(struct beam *beam, struct layer *layer) {
  beam->move_count = 0;
  choose_states(beam, layer);
  for (size_t s = 0; s < layer->count; s++)
    if (!visit_moves(beam, layer->states[s], add_move, NULL)) return false;
  choose_moves(beam);
  for (size_t m = 0; m < beam->move_count; m++)
    if (!make_state(beam, &beam->moves[m])) return false;
  clear_layer(layer);
  return true;
}

static bool take_order(const struct beam *beam, const struct state *state,
                       struct beam_result *result) {
  size_t at = beam->segment->count;
  result->order = memory_array(beam->segment->count, sizeof *result->order);
  if (!result->order) return false;
  result->peak = state->peak;
  for (size_t step = state->step; step != NONE; step = beam->steps[step].before)
    result->order[--at] = beam->steps[step].k;
  assert(at == 0 && state->count == beam->segment->count);
  return true;
}

static bool has_work(const struct beam *beam) {
  return beam->work <= beam->task->work && budget_look(beam->task->budget);
}

static bool search_layers(struct beam *beam, struct beam_result *result) {
  size_t count = beam->segment->count;
  struct layer *last = &beam->layers[count];
  if (!make_first_layer(beam)) return false;
  for (size_t l = 0; l < count && has_work(beam); l++)
    if (beam->layers[l].count > 0 && !expand_layer(beam, &beam->layers[l])) return false;
  result->work = beam->work;
  result->is_complete = !beam->has_dropped && has_work(beam);
  if (last->count == 0) return true;
  choose_states(beam, last);
  return last->states[0]->peak >= beam->task->limit ||
         take_order(beam, last->states[0], result);
}

bool beam_run(const struct beam_task *task, struct beam_result *result) {
  size_t count = task->segment->count;
  struct beam beam = {.task = task, .segment = task->segment};
  *result = (struct beam_result){.order = NULL};
  beam.words = set_words(count);
  beam.layers = memory_array(count + 1, sizeof *beam.layers);
  bool has_uses =
      share_uses_init(&beam.uses, task->segment->value_count, task->segment->output_count);
  bool is_done = beam.layers && has_uses && search_layers(&beam, result);
  for (size_t l = 0; beam.layers && l <= count; l++)
    clear_layer(&beam.layers[l]);
  free(beam.layers);
  free(beam.steps);
  free(beam.moves);
  share_uses_clear(&beam.uses);
  return is_done;
}
