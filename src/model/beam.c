/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A state is a set of operators that have run, closed under what comes before.  States are gone
 * through by their number of operators, and of each number a limited width is kept, the best by
 * peak so far and bytes alive: width 1 is greedy, and where nothing had to be dropped the order is
 * the best of all.  Two states with the same operators have the same bytes alive, so that the one
 * with the lower peak stands for both.
 *
 * An operator that takes no more room than the peak so far, or than something else takes anyway,
 * and leaves no more alive than it found, is run at once: whatever else runs first, it would find
 * no less, leave no more, and free no less later.
 *
 * Sets are compared by a hash of 64 bits: should two collide, a state is lost and nothing else.
 */
#include "model/beam.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

#define WORD 64
#define NONE SIZE_MAX
#define WORK_OF_MOVE 12 /* units that it takes to sort one in */

struct state {
  neap_size live, peak;
  uint64_t hash;   /* of the set */
  size_t count;    /* of operators in it */
  size_t step;     /* the last, or NONE */
  uint64_t sets[]; /* who has run, then who may run next */
};

struct step {
  size_t before, k;
};

/* A state to be: `from` with k run. */
struct move {
  const struct state *from;
  size_t k;
  neap_size live, peak;
  uint64_t hash;
};

struct layer {
  struct state **states;
  size_t count, capacity;
};

struct beam {
  const struct beam_task *task;
  const struct segment *segment;
  size_t words;         /* of a set */
  struct layer *layers; /* by how many have run */
  struct step *steps;
  size_t step_count, step_capacity;
  struct move *moves;
  size_t move_count, move_capacity;
  size_t work;
  bool has_dropped;
};

/* ---------------------------------------------------------------- sets */

static bool has(const uint64_t *set, size_t k) { return set[k / WORD] >> (k % WORD) & 1; }

static void put(uint64_t *set, size_t k) { set[k / WORD] |= (uint64_t)1 << (k % WORD); }

static void take(uint64_t *set, size_t k) { set[k / WORD] &= ~((uint64_t)1 << (k % WORD)); }

/* Numbers that look random, by a bijection (S. Vigna's splitmix64). */
static uint64_t mark(size_t k) {
  uint64_t x = ((uint64_t)k + 1) * UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static size_t state_size(const struct beam *beam) {
  return sizeof(struct state) + 2 * beam->words * sizeof(uint64_t);
}

/* ---------------------------------------------------------------- running an operator */

/* What ends when k runs: what no other reader is left of. */
static neap_size freed_by(struct beam *beam, const struct state *state, size_t k) {
  const struct segment *segment = beam->segment;
  neap_size freed = segment->dropped[k];
  for (size_t i = schedule_begin(&segment->inputs, k); i < segment->inputs.ends[k]; i++) {
    size_t tensor = segment->inputs.items[i], r = schedule_begin(&segment->readers, tensor);
    size_t end = segment->readers.ends[tensor];
    for (; r < end; r++, beam->work++) {
      size_t reader = segment->readers.items[r];
      if (reader != k && !has(state->sets, reader)) break;
    }
    if (r == end) freed += segment->sizes[tensor];
  }
  return freed;
}

static struct move find_move(struct beam *beam, const struct state *state, size_t k) {
  neap_size most = state->live + beam->segment->made[k];
  beam->work++;
  return (struct move){state, k, most - freed_by(beam, state, k),
                       most > state->peak ? most : state->peak, state->hash ^ mark(k)};
}

static void admit(struct beam *beam, struct state *state, size_t k) {
  const struct schedule_lists *befores = &beam->segment->befores;
  for (size_t i = schedule_begin(befores, k); i < befores->ends[k]; i++, beam->work++)
    if (!has(state->sets, befores->items[i])) return;
  put(state->sets + beam->words, k);
}

/* Runs the move's operator in `state`, in which it may run. */
static bool run(struct beam *beam, struct state *state, const struct move *move) {
  const struct schedule_lists *afters = &beam->segment->afters;
  if (!memory_reserve(&beam->steps, &beam->step_capacity, beam->step_count + 1,
                      sizeof *beam->steps))
    return false;
  beam->steps[beam->step_count] = (struct step){state->step, move->k};
  state->step = beam->step_count++;
  state->live = move->live;
  state->peak = move->peak;
  state->hash = move->hash;
  state->count++;
  put(state->sets, move->k);
  take(state->sets + beam->words, move->k);
  for (size_t i = schedule_begin(afters, move->k); i < afters->ends[move->k]; i++)
    admit(beam, state, afters->items[i]);
  return true;
}

/* Calls for every operator that may run; stops at false. */
typedef bool visit_move(struct beam *beam, const struct move *move, void *user);

static bool for_moves(struct beam *beam, const struct state *state, visit_move *visit,
                      void *user) {
  for (size_t w = 0; w < beam->words; w++)
    for (uint64_t rest = state->sets[beam->words + w]; rest != 0; rest &= rest - 1) {
      size_t k = w * WORD + (size_t)__builtin_ctzll(rest);
      struct move move = find_move(beam, state, k);
      if (!visit(beam, &move, user)) return false;
    }
  return true;
}

/* Keeps the move and stops, if it costs nothing. */
static bool find_free(struct beam *beam, const struct move *move, void *user) {
  neap_size peak = move->from->peak > beam->task->floor ? move->from->peak : beam->task->floor;
  if (move->peak > peak || move->live > move->from->live) return true;
  *(struct move *)user = *move;
  return false;
}

static bool run_free(struct beam *beam, struct state *state) {
  struct move move;
  while (!for_moves(beam, state, find_free, &move))
    if (!run(beam, state, &move)) return false;
  return true;
}

/* ---------------------------------------------------------------- layers */

/* Puts the state where it belongs; takes it. */
static bool keep(struct beam *beam, struct state *state) {
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
  if (!run(beam, state, move) || !run_free(beam, state)) {
    free(state);
    return false;
  }
  return keep(beam, state);
}

static int by_worth(const void *left, const void *right) {
  const struct move *a = left, *b = right;
  if (a->peak != b->peak) return a->peak < b->peak ? -1 : 1;
  if (a->live != b->live) return a->live < b->live ? -1 : 1;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  return 0;
}

static int by_set(const void *left, const void *right) {
  const struct move *a = left, *b = right;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  return by_worth(left, right);
}

/* Of moves that lead to one set the best, and of those the best `width`. */
static void choose_moves(struct beam *beam) {
  size_t kept = 0;
  if (beam->move_count == 0) return;
  qsort(beam->moves, beam->move_count, sizeof *beam->moves, by_set);
  for (size_t m = 0; m < beam->move_count; m++)
    if (m == 0 || beam->moves[m].hash != beam->moves[m - 1].hash)
      beam->moves[kept++] = beam->moves[m];
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
  beam->work += WORK_OF_MOVE;
  return true;
}

static int by_state(const void *left, const void *right) {
  const struct state *a = *(struct state *const *)left, *b = *(struct state *const *)right;
  if (a->peak != b->peak) return a->peak < b->peak ? -1 : 1;
  if (a->live != b->live) return a->live < b->live ? -1 : 1;
  return a->hash < b->hash ? -1 : a->hash > b->hash;
}

static int by_state_set(const void *left, const void *right) {
  const struct state *a = *(struct state *const *)left, *b = *(struct state *const *)right;
  if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
  return by_state(left, right);
}

/* Several ways may have led here, over layers of their own: the best of each set, then of all. */
static void choose_states(struct beam *beam, struct layer *layer) {
  size_t kept = 0;
  qsort(layer->states, layer->count, sizeof(struct state *), by_state_set);
  for (size_t s = 0; s < layer->count; s++) {
    struct state *state = layer->states[s];
    if (kept > 0 && layer->states[kept - 1]->hash == state->hash) free(state);
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

static bool begin(struct beam *beam) {
  const struct segment *segment = beam->segment;
  struct state *state = calloc(1, state_size(beam));
  if (!state) return false;
  state->live = state->peak = segment->at_start;
  state->step = NONE;
  for (size_t k = 0; k < segment->count; k++)
    if (schedule_begin(&segment->befores, k) == segment->befores.ends[k])
      put(state->sets + beam->words, k);
  if (run_free(beam, state)) return keep(beam, state);
  free(state);
  return false;
}

static bool go_on(struct beam *beam, struct layer *layer) {
  beam->move_count = 0;
  choose_states(beam, layer);
  for (size_t s = 0; s < layer->count; s++)
    if (!for_moves(beam, layer->states[s], add_move, NULL)) return false;
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
  return true;
}

static bool pass(struct beam *beam, struct beam_result *result) {
  size_t count = beam->segment->count;
  struct layer *last = &beam->layers[count];
  if (!begin(beam)) return false;
  for (size_t l = 0; l < count && beam->work <= beam->task->work; l++)
    if (beam->layers[l].count > 0 && !go_on(beam, &beam->layers[l])) return false;
  result->work = beam->work;
  result->is_complete = !beam->has_dropped && beam->work <= beam->task->work;
  if (last->count == 0) return true;
  choose_states(beam, last);
  return last->states[0]->peak >= beam->task->limit ||
         take_order(beam, last->states[0], result);
}

bool beam_run(const struct beam_task *task, struct beam_result *result) {
  size_t count = task->segment->count;
  struct beam beam = {.task = task, .segment = task->segment};
  *result = (struct beam_result){.order = NULL};
  beam.words = (count + WORD - 1) / WORD;
  beam.layers = memory_array(count + 1, sizeof *beam.layers);
  bool is_done = beam.layers && pass(&beam, result);
  for (size_t l = 0; beam.layers && l <= count; l++)
    clear_layer(&beam.layers[l]);
  free(beam.layers);
  free(beam.steps);
  free(beam.moves);
  return is_done;
}
