/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists sets of operators that may have run.  From each set, every next operator either needs
 * as many bytes as the bound, or leads to another set of the list; the set of all operators is
 * never reached.  Chains of operators that end with no more bytes alive than before run at
 * once, as in schedule/sets, which finds the order.  In long lists, flows show which sets are
 * dead ends (schedule/dead_ends).  doc/certificate.md proves that this is sound.  The list
 * begins at the last point before the peak where the set of operators that have run is forced
 * (schedule/split_points).
 *
 * Cost: one visit per set, at most CERTIFY_ORDER_SETS_MOST, each of which tries all
 * operators.  Sizes are in bytes.  Invariant: run_operator and undo_operator are inverses, so
 * the walk needs no copies of its state.
 */
#include "certify/order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash_set.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "schedule/dead_ends.h"
#include "schedule/operator_set.h"
#include "schedule/order_profile.h"
#include "schedule/segment.h"
#include "schedule/split_points.h"

/* A visited set, and how the walk continues from it. */
struct visit {
  size_t set;         /* its number in sets.all */
  size_t chain_begin; /* in sets.chains: the operators that run at once */
  size_t chain_end;
  size_t stop;    /* COSTS_NONE, or an operator that reaches the bound in every order from here */
  bool is_listed; /* reached by the second walk */
};

/* A visited set on the path of the walk. */
struct frame {
  size_t visit;
  size_t next;      /* the operator to try next */
  size_t ran;       /* the operator that the walk took from here; SIZE_MAX if none, or a chain */
  bool is_dead_end; /* no operator could run so far */
};

struct sets {
  const struct order_sets_task *task;
  const struct costs *costs;
  neap_size limit, live;
  size_t words, ran_count;
  uint64_t *ran, hash; /* the operators that ran, and the hash of their set */
  size_t *trail; /* the operators that ran, in order */
  struct frame *frames;
  size_t *frame_ends; /* per frame: the number of operators in its set */
  size_t depth;
  size_t *waits; /* per operator: the number of its predecessors that have not run */
  size_t *left;  /* per value: the number of operators that still have to read it */
  struct share_uses uses;
  uint64_t *all; /* the visited sets, of `words` words each */
  struct visit *visits;
  size_t count, all_capacity, visit_capacity;
  struct hash_set found; /* of the visits */
  size_t *chains;
  size_t chain_count, chain_capacity;
  struct segment segment; /* all operators, for dead_ends */
  struct dead_ends dead_ends;
  bool is_listing; /* the walk passes visited sets again, and lists them */
  bool has_stops, is_short;
};

/* ---------------------------------------------------------------- running operators */

static bool ends_now(const void *state, size_t operator, size_t input) {
  const struct sets *sets = state;
  (void)operator;
  return sets->left[input] == 1;
}

static neap_size moment_of(const struct sets *sets, size_t k) {
  return sets->live + sets->costs->made[k] -
         shares_saved(&sets->costs->shares, k, sets->uses, ends_now, sets);
}

static void run_operator(struct sets *sets, size_t k) {
  assert(!set_has(sets->ran, k) && sets->waits[k] == 0 && sets->ran_count < sets->costs->count);
  const struct costs *costs = sets->costs;
  sets->live += costs->made[k] - costs->dropped[k];
  sets->trail[sets->ran_count] = k;
  if (sets->ran_count++ == 0) sets->live -= costs->unread;
  for (size_t i = costs_begin(&costs->inputs, k); i < costs->inputs.ends[k]; i++)
    if (--sets->left[costs->inputs.items[i]] == 0)
      sets->live -= costs->sizes[costs->inputs.items[i]];
  for (size_t i = costs_begin(&costs->afters, k); i < costs->afters.ends[k]; i++)
    sets->waits[costs->afters.items[i]]--;
  sets->hash ^= hash_member(k);
  set_add(sets->ran, k);
}

static void undo_operator(struct sets *sets, size_t k) {
  assert(set_has(sets->ran, k) && sets->waits[k] == 0 && sets->ran_count > 0);
  const struct costs *costs = sets->costs;
  sets->hash ^= hash_member(k);
  set_remove(sets->ran, k);
  for (size_t i = costs_begin(&costs->afters, k); i < costs->afters.ends[k]; i++)
    sets->waits[costs->afters.items[i]]++;
  for (size_t i = costs_begin(&costs->inputs, k); i < costs->inputs.ends[k]; i++)
    if (sets->left[costs->inputs.items[i]]++ == 0)
      sets->live += costs->sizes[costs->inputs.items[i]];
  if (--sets->ran_count == 0) sets->live += costs->unread;
  sets->live -= costs->made[k] - costs->dropped[k];
}

static bool is_ready(const struct sets *sets, size_t k) {
  return sets->waits[k] == 0 && !set_has(sets->ran, k);
}

static bool is_possible(const struct sets *sets, size_t k) {
  return is_ready(sets, k) && moment_of(sets, k) <= sets->limit;
}

/* ---------------------------------------------------------------- chains */

static bool add_chain(struct sets *sets, size_t k) {
  if (!memory_reserve(&sets->chains, &sets->chain_capacity, sets->chain_count + 1,
                      sizeof *sets->chains)) {
    sets->is_short = true;
    return false;
  }
  sets->chains[sets->chain_count++] = k;
  return true;
}

/*
 * Of the successors of k that are ready, finds the one after which the least bytes are alive.
 */
static bool next_in_chain(struct sets *sets, size_t k, size_t *next) {
  const struct costs_lists *afters = &sets->costs->afters;
  neap_size best = NEAP_MAX;
  for (size_t i = costs_begin(afters, k); i < afters->ends[k]; i++) {
    size_t other = afters->items[i];
    if (!is_possible(sets, other)) continue;
    run_operator(sets, other);
    if (sets->live < best) {
      best = sets->live;
      *next = other;
    }
    undo_operator(sets, other);
  }
  return best < NEAP_MAX;
}

/*
 * Runs a chain from k until no more bytes are alive than before it; if that fails, undoes it.
 */
static bool run_chain(struct sets *sets, size_t k) {
  size_t begin = sets->chain_count;
  neap_size live = sets->ran_count == 0 ? sets->live - sets->costs->unread : sets->live;
  bool goes_on = is_possible(sets, k);
  while (goes_on && add_chain(sets, k)) {
    run_operator(sets, k);
    if (sets->live <= live) return true;
    goes_on =
        sets->chain_count - begin < CERTIFY_ORDER_CHAIN_MOST && next_in_chain(sets, k, &k);
  }
  while (sets->chain_count > begin)
    undo_operator(sets, sets->chains[--sets->chain_count]);
  return false;
}

/* ---------------------------------------------------------------- visited sets */

static const uint64_t *set_at(const struct sets *sets, size_t visit) {
  assert(visit < sets->count);
  return sets->all + sets->visits[visit].set * sets->words;
}

/* The visit of the present set, or HASH_SET_NONE. */
static size_t find_visit(const struct sets *sets) {
  size_t visit, probe = 0;
  while ((visit = hash_set_next(&sets->found, sets->hash, &probe)) != HASH_SET_NONE)
    if (memcmp(set_at(sets, visit), sets->ran, sets->words * sizeof *sets->ran) == 0) break;
  return visit;
}

/* Adds the present set; false if memory is short. */
static bool add_visit(struct sets *sets) {
  if (!hash_set_reserve(&sets->found, sets->count + 1) ||
      !memory_reserve(&sets->all, &sets->all_capacity, (sets->count + 1) * sets->words,
                      sizeof *sets->all) ||
      !memory_reserve(&sets->visits, &sets->visit_capacity, sets->count + 1,
                      sizeof *sets->visits)) {
    sets->is_short = true;
    return false;
  }
  memcpy(sets->all + sets->count * sets->words, sets->ran, sets->words * sizeof *sets->ran);
  sets->visits[sets->count] = (struct visit){sets->count, 0, 0, COSTS_NONE, false};
  hash_set_add(&sets->found, sets->hash, sets->count++);
  return true;
}

/* ---------------------------------------------------------------- frames */

static bool has_chain(const struct sets *sets, const struct frame *frame) {
  const struct visit *visit = &sets->visits[frame->visit];
  return visit->chain_end > visit->chain_begin;
}

/* Finds a chain to run at once, and runs it. */
static void run_first_chain(struct sets *sets, struct visit *visit) {
  visit->chain_begin = visit->chain_end = sets->chain_count;
  for (size_t k = 0; k < sets->costs->count && visit->chain_end == visit->chain_begin; k++)
    if (run_chain(sets, k)) visit->chain_end = sets->chain_count;
}

static void run_known_chain(struct sets *sets, const struct visit *visit) {
  for (size_t i = visit->chain_begin; i < visit->chain_end; i++)
    run_operator(sets, sets->chains[i]);
}

/* Enters the present set, unless the walk has passed it, or memory is short. */
static bool enter(struct sets *sets) {
  struct frame *frame = &sets->frames[sets->depth];
  size_t known = find_visit(sets), end = sets->ran_count;
  bool is_known = known != HASH_SET_NONE;
  if (is_known != sets->is_listing || (!is_known && !add_visit(sets))) return false;
  *frame = (struct frame){is_known ? known : sets->count - 1, 0, SIZE_MAX, true};
  struct visit *visit = &sets->visits[frame->visit];
  if (visit->is_listed) return false;
  visit->is_listed = sets->is_listing;
  if (sets->is_listing) run_known_chain(sets, visit);
  else run_first_chain(sets, visit);
  if (has_chain(sets, frame) || visit->stop != COSTS_NONE) frame->next = sets->costs->count;
  sets->frame_ends[sets->depth++] = end;
  return true;
}

static void leave(struct sets *sets) {
  const struct frame *frame = &sets->frames[--sets->depth];
  const struct visit *visit = &sets->visits[frame->visit];
  if (frame->ran != SIZE_MAX) undo_operator(sets, frame->ran);
  for (size_t i = visit->chain_end; i > visit->chain_begin; i--)
    undo_operator(sets, sets->chains[i - 1]);
}

/* Runs the next possible operator after a set; false if there is none. */
static bool go_on(struct sets *sets, struct frame *frame) {
  if (frame->ran != SIZE_MAX) undo_operator(sets, frame->ran);
  frame->ran = SIZE_MAX;
  while (frame->next < sets->costs->count && !is_possible(sets, frame->next))
    frame->next++;
  if (frame->next >= sets->costs->count) return false;
  frame->is_dead_end = false;
  frame->ran = frame->next++;
  run_operator(sets, frame->ran);
  return true;
}

/* ---------------------------------------------------------------- dead ends */

static void note_dead_end(struct sets *sets) {
  for (size_t k = 0; k < sets->costs->count; k++)
    if (is_ready(sets, k)) dead_ends_note(&sets->dead_ends, k);
}

/*
 * Whether a flow shows that an operator reaches the bound in every order that goes on from a
 * visited set.
 */
static bool stops(struct sets *sets, size_t visit, size_t k, struct lines *lines) {
  const struct order_sets_task *task = sets->task;
  struct flow_claim claim = {.costs = sets->costs,
                             .values = task->values,
                             .k = k,
                             .ran = set_at(sets, visit),
                             .bound = task->bound,
                             .budget = task->budget};
  bool is_proven;
  if (!flow_prove(&claim, lines, &is_proven)) sets->is_short = true;
  return !sets->is_short && is_proven;
}

/*
 * Leaves all sets up to the first of them that must fail, if any is found, and notes which
 * operator shows that.
 */
static bool go_back(struct sets *sets) {
  struct dead_ends_path path = {sets->trail, sets->frame_ends, sets->depth};
  struct dead_end found;
  if (sets->is_listing || !dead_ends_is_due(&sets->dead_ends)) return false;
  struct lines unused = {0};
  if (!dead_ends_find(&sets->dead_ends, &path, sets->limit, sets->task->budget, &found))
    sets->is_short = true;
  if (sets->is_short || found.at == path.count) return false;
  bool is_shown = stops(sets, sets->frames[found.at].visit, found.k, &unused);
  lines_clear(&unused);
  while (is_shown && sets->depth > found.at) {
    struct visit *visit = &sets->visits[sets->frames[sets->depth - 1].visit];
    leave(sets);
    visit->stop = found.k;
    visit->chain_end = visit->chain_begin;
  }
  sets->has_stops = sets->has_stops || is_shown;
  return is_shown;
}

/* ---------------------------------------------------------------- the walk */

enum answer { ANSWER_REFUTED, ANSWER_FOUND, ANSWER_STOPPED };

static bool is_at_end(const struct sets *sets) {
  return sets->is_short || sets->count > CERTIFY_ORDER_SETS_MOST ||
         !budget_tick(sets->task->budget);
}

/* Moves to the set after the chain or the next operator of a frame; false if there is no other. */
static bool move_on(struct sets *sets, bool is_entered) {
  struct frame *frame = &sets->frames[sets->depth - 1];
  if (is_entered && has_chain(sets, frame)) return true;
  if (go_on(sets, frame)) return true;
  if (frame->is_dead_end && !has_chain(sets, frame)) note_dead_end(sets);
  return false;
}

/* Visits all sets that can be reached from the present set below the bound. */
static enum answer walk_sets(struct sets *sets) {
  sets->depth = 0;
  bool is_entered = enter(sets);
  while (sets->depth > 0) {
    if (is_at_end(sets)) return ANSWER_STOPPED;
    if (sets->ran_count == sets->costs->count) return ANSWER_FOUND;
    if (is_entered && go_back(sets)) {
      is_entered = false;
    } else if (move_on(sets, is_entered)) {
      if (sets->ran_count == sets->costs->count) return ANSWER_FOUND;
      is_entered = enter(sets);
    } else {
      leave(sets);
      is_entered = false;
    }
  }
  return ANSWER_REFUTED;
}

/* ---------------------------------------------------------------- the text */

/* Compares sets as numbers in which operator k is the bit of 2^k. */
static int by_set(const void *left, const void *right, void *context) {
  const struct sets *sets = context;
  const uint64_t *a = sets->all + ((const struct visit *)left)->set * sets->words;
  const uint64_t *b = sets->all + ((const struct visit *)right)->set * sets->words;
  for (size_t w = sets->words; w-- > 0;)
    if (a[w] != b[w]) return a[w] < b[w] ? -1 : 1;
  return 0;
}

/* False if memory is short, or if a flow is missing. */
static bool print_visit(struct lines *lines, struct sets *sets, size_t at) {
  const struct visit *visit = &sets->visits[at];
  size_t length = visit->chain_end - visit->chain_begin;
  if (sets->has_stops && !visit->is_listed) return true;
  lines_word(lines, visit->stop != COSTS_NONE ? "stop" : length > 0 ? "run" : "set");
  lines_set(lines, set_at(sets, at), sets->words);
  if (visit->stop != COSTS_NONE) lines_number(lines, (int64_t)visit->stop);
  if (length > 0) lines_list(lines, sets->chains + visit->chain_begin, length);
  lines_end(lines);
  return visit->stop == COSTS_NONE || stops(sets, at, visit->stop, lines);
}

static bool print_sets(struct lines *lines, struct sets *sets) {
  bool is_whole = true;
  qsort_r(sets->visits, sets->count, sizeof *sets->visits, by_set, sets);
  for (size_t i = 0; i < sets->count && is_whole; i++)
    is_whole = print_visit(lines, sets, i);
  return is_whole;
}

/* ---------------------------------------------------------------- the whole */

/* Puts the walk where the first operators have run. */
static void restart(struct sets *sets, size_t begin) {
  const struct costs *costs = sets->costs;
  memset(sets->ran, 0, sets->words * sizeof *sets->ran);
  sets->hash = 0;
  sets->live = costs->at_start;
  sets->ran_count = 0;
  for (size_t k = 0; k < costs->count; k++)
    sets->waits[k] = costs->befores.ends[k] - costs_begin(&costs->befores, k);
  for (size_t v = 0; v < costs->value_count; v++)
    sets->left[v] = costs->readers.ends[v] - costs_begin(&costs->readers, v);
  for (size_t k = 0; k < begin; k++)
    run_operator(sets, k);
  assert(sets->ran_count == begin);
}

/*
 * Walks from where the first operators have run.  After dead ends, some visited sets are no
 * longer reached, so a second walk lists those that are.
 */
static enum answer walk_from(struct sets *sets, size_t begin) {
  sets->count = sets->chain_count = 0;
  sets->is_listing = sets->has_stops = false;
  hash_set_empty(&sets->found);
  restart(sets, begin);
  enum answer answer = walk_sets(sets);
  if (answer != ANSWER_REFUTED || !sets->has_stops) return answer;
  sets->is_listing = true;
  restart(sets, begin);
  return walk_sets(sets);
}

/*
 * The order of the operators' numbers: what is alive in it, and where it is split
 * (schedule/split_points).
 */
struct given {
  size_t *order;
  struct moment *moments;
  bool *parts;
};

/* Tries each part of the order that reaches the peak, until one is refuted. */
static enum answer refute_sections(struct sets *sets, const struct given *given,
                                   size_t *begin) {
  size_t from = 0, count = sets->costs->count;
  enum answer answer = ANSWER_FOUND;
  for (size_t k = 0; k < count && answer == ANSWER_FOUND && !sets->is_short; k++) {
    if (given->moments[k].bytes > sets->limit) {
      *begin = from;
      answer = walk_from(sets, from);
      while (k < count && !given->parts[k])
        k++;
    }
    if (k < count && given->parts[k]) from = k + 1;
  }
  return answer;
}

static bool look_at(struct given *given, const struct costs *costs) {
  struct costs_walk walk;
  size_t count = costs->count, *place = memory_array(count, sizeof *place);
  given->order = memory_array(count, sizeof *given->order);
  given->moments = memory_array(count, sizeof *given->moments);
  given->parts = memory_array(count, sizeof *given->parts);
  bool has_walk = costs_walk_init(&walk, costs);
  bool has_room = has_walk && place && given->order && given->moments && given->parts;
  for (size_t k = 0; has_room && k < count; k++)
    given->order[k] = k;
  if (has_room) {
    split_points(costs, given->order, place, given->parts);
    moments_find(given->moments, &walk, given->order, count);
  }
  costs_walk_clear(&walk);
  free(place);
  return has_room;
}

static void given_clear(struct given *given) {
  free(given->order);
  free(given->moments);
  free(given->parts);
}

static bool make_room(struct sets *sets, const struct given *given) {
  const struct costs *costs = sets->costs;
  sets->words = set_words(costs->count > 0 ? costs->count : 1);
  sets->ran = memory_array(sets->words, sizeof *sets->ran);
  sets->trail = memory_array(costs->count, sizeof *sets->trail);
  sets->frames = memory_array(costs->count + 1, sizeof *sets->frames);
  sets->frame_ends = memory_array(costs->count + 1, sizeof *sets->frame_ends);
  sets->waits = memory_array(costs->count, sizeof *sets->waits);
  sets->left = memory_array(costs->value_count, sizeof *sets->left);
  bool has_uses = share_uses_init(&sets->uses, costs->value_count, costs->output_count);
  return sets->ran && sets->trail && sets->frames && sets->frame_ends && sets->waits &&
         sets->left && has_uses && segment_init_whole(&sets->segment, costs, given->order) &&
         dead_ends_init(&sets->dead_ends, &sets->segment, CERTIFY_ORDER_PATIENCE);
}

static void sets_clear(struct sets *sets) {
  free(sets->ran);
  free(sets->trail);
  free(sets->frames);
  free(sets->frame_ends);
  free(sets->waits);
  free(sets->left);
  hash_set_clear(&sets->found);
  share_uses_clear(&sets->uses);
  free(sets->all);
  free(sets->visits);
  free(sets->chains);
  dead_ends_clear(&sets->dead_ends);
  segment_clear(&sets->segment);
}

bool order_sets_prove(const struct order_sets_task *task, struct lines *lines, size_t *begin,
                      bool *is_proven) {
  struct sets sets = {.task = task, .costs = task->costs, .limit = task->bound - 1};
  struct given given = {0};
  struct lines found = {0};
  bool has_room = look_at(&given, task->costs) && make_room(&sets, &given);
  *is_proven = has_room && refute_sections(&sets, &given, begin) == ANSWER_REFUTED &&
               !sets.is_short && print_sets(&found, &sets);
  has_room = has_room && !sets.is_short && !found.failed;
  if (has_room && *is_proven) lines_append(lines, &found);
  lines_clear(&found);
  sets_clear(&sets);
  given_clear(&given);
  return has_room && !lines->failed;
}
