/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decides whether some order has at most `limit` bytes alive at every moment.  The bytes alive
 * after a set of operators depend only on the set, so a depth-first search over sets is enough.
 *
 *   Free operators.  An operator that fits below the limit and leaves no more bytes alive than
 *   before runs immediately.  Moving it to the front of any continuation makes no later moment
 *   larger: its outputs are no larger than the values that it ends, and inputs end no later for
 *   any other operator, so other operators share no fewer bytes.  (If operators mix ways to
 *   share, this does not hold, and no operator is free.)  The same holds for a chain, in which
 *   each operator needs the one before it, if more bytes are alive than before until the chain
 *   ends: no part of the chain leaves fewer bytes alive than the whole.
 *
 *   Failures.  A set after which no order stays within a limit is remembered.  It fails for this
 *   limit and for all lower ones.  Sets with equal hashes are compared in full, because a proof
 *   rests on them.
 *
 *   Dead ends.  Where nothing fits, minimum cuts show how far the search must go back
 *   (schedule/dead_ends).  All sets up to there fail.
 *
 *   Limits.  The search looks for orders below the best known one.  It first tries limits part
 *   of the way down to the lower bound, at first halfway, with little work for each, because
 *   low limits leave few sets to visit.  Then it tries the limit just below the best order.  If
 *   no order exists within a limit, every order must run one of the operators that did not fit,
 *   so the smallest such moment is a new lower bound.
 *
 * Visiting a set takes time linear in its ready operators and their values.
 */
#include "schedule/sets.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash_set.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "schedule/operator_cuts.h"
#include "schedule/operator_set.h"

/* A ready operator: the most bytes alive while it runs, and the bytes alive after it. */
struct move {
  size_t k;
  neap_size moment, live;
};

/* A visited set, with the moves that are still to be tried. */
struct frame {
  size_t begin; /* the number of operators that ran before this visit */
  size_t move_begin, move_next, move_end;
};

/* Sets of operators after which no order stays within the limit. */
struct failures {
  size_t words; /* of a set */
  size_t most;  /* the number of sets that the allowed memory has room for */
  struct hash_set found;
  uint64_t *sets; /* `words` each */
  size_t capacity;
};

struct sets {
  const struct segment *segment;
  size_t words; /* of a set */
  uint64_t *ran, *ready;
  uint64_t hash;    /* of the operators that ran */
  size_t *waits;    /* per operator: predecessors that have not run */
  size_t *left;     /* per value: readers that have not run */
  neap_size *gains; /* per operator: the bytes that end with it if it runs next */
  struct share_uses uses;
  neap_size live, limit;
  neap_size next;     /* the least moment met that exceeded the limit */
  size_t *trail;      /* the operators that ran, in order */
  neap_size *moments; /* the bytes alive while each ran */
  size_t ran_count;
  struct frame *frames;
  size_t *frame_ends; /* per frame: the number of operators in its set, with free ones */
  size_t frame_count;
  struct move *moves;
  size_t move_count, move_capacity;
  struct failures failures;
  struct dead_ends dead_ends;
  struct sets_observer observer;
  bool is_short; /* memory is short, or the observer stopped the search */
};

/* ---------------------------------------------------------------- failures */

static void failures_init(struct failures *failures, size_t words, size_t bytes) {
  /* Arrays double, so half of their memory may be empty; a set has at most three slots. */
  size_t of_set = words * sizeof(uint64_t) + 3 * sizeof(struct hash_slot);
  *failures = (struct failures){.words = words, .most = bytes / 2 / of_set};
  if (failures->most > UINT32_MAX - 1) failures->most = UINT32_MAX - 1;
}

static void failures_clear(struct failures *failures) {
  hash_set_clear(&failures->found);
  free(failures->sets);
}

static bool failures_has(const struct failures *failures, const uint64_t *set, uint64_t hash) {
  size_t number, probe = 0, words = failures->words;
  while ((number = hash_set_next(&failures->found, hash, &probe)) != HASH_SET_NONE)
    if (memcmp(failures->sets + number * words, set, words * sizeof *set) == 0) return true;
  return false;
}

/* Remembers a set if there is room. */
static void failures_add(struct failures *failures, const uint64_t *set, uint64_t hash) {
  size_t count = failures->found.count, words = failures->words;
  if (count == failures->most || !hash_set_reserve(&failures->found, count + 1) ||
      !memory_reserve(&failures->sets, &failures->capacity, count + 1, words * sizeof *set) ||
      failures_has(failures, set, hash))
    return;
  memcpy(failures->sets + count * words, set, words * sizeof *set);
  hash_set_add(&failures->found, hash, count);
}

/* ---------------------------------------------------------------- running operators */

/* The only reader of a value that has not run yet. */
static size_t last_reader(const struct sets *sets, size_t value) {
  const struct costs_lists *readers = &sets->segment->readers;
  size_t r = costs_begin(readers, value);
  while (set_has(sets->ran, readers->items[r]))
    r++;
  assert(r < readers->ends[value]);
  return readers->items[r];
}

/* Adds a value's bytes to the gain of its last reader, or subtracts them. */
static void change_gain(struct sets *sets, size_t value, int sign) {
  sets->gains[last_reader(sets, value)] += sign * sets->segment->sizes[value];
}

static void read_inputs(struct sets *sets, size_t k) {
  const struct costs_lists *inputs = &sets->segment->inputs;
  for (size_t i = costs_begin(inputs, k); i < inputs->ends[k]; i++) {
    size_t value = inputs->items[i];
    assert(sets->left[value] > 0);
    if (--sets->left[value] == 1) change_gain(sets, value, 1);
  }
}

static void unread_inputs(struct sets *sets, size_t k) {
  const struct costs_lists *inputs = &sets->segment->inputs;
  for (size_t i = costs_begin(inputs, k); i < inputs->ends[k]; i++) {
    size_t value = inputs->items[i];
    if (sets->left[value]++ == 1) change_gain(sets, value, -1);
  }
}

static void run_move(struct sets *sets, const struct move *move) {
  const struct costs_lists *afters = &sets->segment->afters;
  size_t k = move->k;
  assert(set_has(sets->ready, k) && !set_has(sets->ran, k));
  sets->trail[sets->ran_count] = k;
  sets->moments[sets->ran_count++] = move->moment;
  sets->live = move->live;
  sets->hash ^= hash_member(k);
  set_add(sets->ran, k);
  set_remove(sets->ready, k);
  read_inputs(sets, k);
  for (size_t i = costs_begin(afters, k); i < afters->ends[k]; i++)
    if (--sets->waits[afters->items[i]] == 0) set_add(sets->ready, afters->items[i]);
}

/*
 * The change of the bytes alive by the operator that ran last; its inputs already count as
 * read.
 */
static neap_size change_of_live(const struct sets *sets, size_t k) {
  const struct segment *segment = sets->segment;
  neap_size change = segment->made[k] - segment->dropped[k] - sets->gains[k];
  return sets->ran_count == 1 ? change - segment->unread : change;
}

static void undo_last(struct sets *sets) {
  const struct costs_lists *afters = &sets->segment->afters;
  size_t k = sets->trail[sets->ran_count - 1];
  for (size_t i = costs_begin(afters, k); i < afters->ends[k]; i++)
    if (sets->waits[afters->items[i]]++ == 0) set_remove(sets->ready, afters->items[i]);
  sets->live -= change_of_live(sets, k);
  unread_inputs(sets, k);
  set_add(sets->ready, k);
  set_remove(sets->ran, k);
  sets->hash ^= hash_member(k);
  sets->ran_count--;
}

static void undo_to(struct sets *sets, size_t count) {
  while (sets->ran_count > count)
    undo_last(sets);
}

/* ---------------------------------------------------------------- the observer */

/* Tells why no order goes on from the set of operators that have run. */
static void tell(struct sets *sets, enum sets_reason reason, const size_t *operators,
                 size_t count) {
  struct sets_failure failure = {sets->ran, sets->hash, reason, operators, count};
  if (!sets->observer.note(sets->observer.context, &failure)) sets->is_short = true;
}

/* Tells that the operators that ran after the first `begin` were a free chain. */
static void tell_chain(struct sets *sets, size_t begin) {
  const size_t *chain = sets->trail + begin;
  size_t count = sets->ran_count - begin;
  for (size_t i = 0; i < count; i++) {
    set_remove(sets->ran, chain[i]);
    sets->hash ^= hash_member(chain[i]);
  }
  tell(sets, SETS_CHAIN, chain, count);
  for (size_t i = 0; i < count; i++) {
    set_add(sets->ran, chain[i]);
    sets->hash ^= hash_member(chain[i]);
  }
}

/* Tells which moves were tried.  They are put after the trail, which has room for them. */
static void tell_moves(struct sets *sets, const struct frame *frame) {
  size_t *operators = sets->trail + sets->ran_count;
  for (size_t i = frame->move_begin; i < frame->move_end; i++)
    operators[i - frame->move_begin] = sets->moves[i].k;
  tell(sets, SETS_MOVES, operators, frame->move_end - frame->move_begin);
}

/* ---------------------------------------------------------------- moves */

static bool ends_now(const void *state, size_t operator, size_t input) {
  const struct sets *sets = state;
  (void)operator;
  return sets->left[input] == 1;
}

static struct move find_move(const struct sets *sets, size_t k) {
  const struct segment *segment = sets->segment;
  neap_size all = sets->live + segment->made[k];
  neap_size saved = shares_saved(&segment->shares, k, sets->uses, ends_now, sets);
  neap_size after = all - segment->dropped[k] - sets->gains[k];
  if (sets->ran_count == 0) after -= segment->unread;
  return (struct move){k, all - saved, after};
}

/* Finds the next ready operator from `from` on; false if there is none. */
static bool next_ready(const struct sets *sets, size_t from, size_t *found) {
  size_t w = from / SET_WORD;
  if (w >= sets->words) return false;
  uint64_t word = sets->ready[w] & UINT64_MAX << (from % SET_WORD);
  while (word == 0)
    if (++w == sets->words) return false;
    else word = sets->ready[w];
  *found = w * SET_WORD + (size_t)__builtin_ctzll(word);
  return true;
}

/* The bytes alive, without those that end with the first operator, whichever operator that is. */
static neap_size live_without_unread(const struct sets *sets) {
  return sets->ran_count == 0 ? sets->live - sets->segment->unread : sets->live;
}

/*
 * Finds, among the operators that waited only for k, the one that leaves the fewest bytes
 * alive.
 */
static bool next_in_chain(const struct sets *sets, size_t k, struct move *best) {
  const struct costs_lists *afters = &sets->segment->afters;
  bool is_found = false;
  for (size_t i = costs_begin(afters, k); i < afters->ends[k]; i++) {
    if (sets->waits[afters->items[i]] > 0) continue;
    struct move move = find_move(sets, afters->items[i]);
    if (move.moment > sets->limit || (is_found && move.live >= best->live)) continue;
    *best = move;
    is_found = true;
  }
  return is_found;
}

/* Runs a chain that begins with operator k if it is free; false if no free chain was found. */
static bool run_chain(struct sets *sets, size_t k) {
  size_t begin = sets->ran_count;
  neap_size live = live_without_unread(sets);
  struct move move = find_move(sets, k);
  if (move.moment > sets->limit) return false;
  run_move(sets, &move);
  for (size_t length = 1; sets->live > live; length++) {
    if (length == SETS_CHAIN_MOST || !next_in_chain(sets, move.k, &move)) {
      undo_to(sets, begin);
      return false;
    }
    run_move(sets, &move);
  }
  if (sets->observer.note) tell_chain(sets, begin);
  return true;
}

/* Runs free operators and chains until there are none left. */
static void run_free(struct sets *sets) {
  bool has_run = !sets->segment->mixes_shares;
  while (has_run) {
    has_run = false;
    for (size_t k = 0; next_ready(sets, k, &k); k++)
      if (run_chain(sets, k)) has_run = true;
  }
}

static int by_live(const void *left, const void *right) {
  const struct move *a = left, *b = right;
  if (a->live != b->live) return a->live > b->live ? -1 : 1;
  if (a->moment != b->moment) return a->moment > b->moment ? -1 : 1;
  return a->k > b->k ? -1 : a->k < b->k;
}

static void note_dead_end(struct sets *sets) {
  for (size_t k = 0; next_ready(sets, k, &k); k++)
    dead_ends_note(&sets->dead_ends, k);
}

/* Appends the moves within the limit, the best last. */
static bool list_moves(struct sets *sets, struct frame *frame) {
  frame->move_begin = sets->move_count;
  for (size_t k = 0; next_ready(sets, k, &k); k++) {
    struct move move = find_move(sets, k);
    if (move.moment > sets->limit) {
      if (move.moment < sets->next) sets->next = move.moment;
      continue;
    }
    if (!memory_reserve(&sets->moves, &sets->move_capacity, sets->move_count + 1,
                        sizeof *sets->moves))
      return false;
    sets->moves[sets->move_count++] = move;
  }
  frame->move_end = frame->move_next = sets->move_count;
  if (frame->move_end == frame->move_begin) note_dead_end(sets);
  else
    qsort(sets->moves + frame->move_begin, frame->move_end - frame->move_begin,
          sizeof *sets->moves, by_live);
  return true;
}

/* ---------------------------------------------------------------- one limit */

enum answer { ANSWER_FOUND, ANSWER_NONE, ANSWER_UNKNOWN };

/*
 * Visits the set of operators that have run, of which `begin` ran before this visit.
 * ANSWER_FOUND if all have run, ANSWER_NONE if no order continues, ANSWER_UNKNOWN if moves are
 * left to try.
 */
static enum answer visit(struct sets *sets, size_t begin) {
  struct frame *frame = &sets->frames[sets->frame_count];
  run_free(sets);
  if (sets->ran_count == sets->segment->count) return ANSWER_FOUND;
  frame->begin = begin;
  sets->frame_ends[sets->frame_count] = sets->ran_count;
  if (failures_has(&sets->failures, sets->ran, sets->hash)) {
    undo_to(sets, begin);
    return ANSWER_NONE;
  }
  sets->frame_count++;
  if (!list_moves(sets, frame)) sets->is_short = true;
  return ANSWER_UNKNOWN;
}

/*
 * Leaves a set after which no order stays within the limit: because operator *cut exceeds it in
 * every order, or, if `cut` is NULL, because every move fails.
 */
static void leave(struct sets *sets, const size_t *cut) {
  struct frame *frame = &sets->frames[--sets->frame_count];
  undo_to(sets, sets->frame_ends[sets->frame_count]);
  if (sets->observer.note && cut) tell(sets, SETS_CUT, cut, 1);
  else if (sets->observer.note) tell_moves(sets, frame);
  /* The successor of a set with a single move is remembered instead of the set. */
  if (cut || frame->move_end - frame->move_begin != 1)
    failures_add(&sets->failures, sets->ran, sets->hash);
  sets->move_count = frame->move_begin;
  undo_to(sets, frame->begin);
}

/* Leaves all sets up to the first of them that must fail. */
static void go_back(struct sets *sets, struct budget *budget) {
  struct dead_ends_path path = {sets->trail, sets->frame_ends, sets->frame_count};
  struct dead_end found;
  if (!dead_ends_find(&sets->dead_ends, &path, sets->limit, budget, &found)) {
    sets->is_short = true;
    return;
  }
  if (found.at < path.count && found.bytes < sets->next) sets->next = found.bytes;
  while (sets->frame_count > found.at)
    leave(sets, &found.k);
}

/* Searches for an order within the limit. */
static enum answer search_limit(struct sets *sets, neap_size limit, struct budget *budget) {
  undo_to(sets, 0);
  sets->frame_count = sets->move_count = 0;
  sets->limit = limit;
  sets->next = NEAP_MAX;
  assert(sets->live <= limit);
  enum answer answer = visit(sets, 0);
  while (answer != ANSWER_FOUND && sets->frame_count > 0) {
    struct frame *frame = &sets->frames[sets->frame_count - 1];
    if (sets->is_short || !budget_tick(budget)) return ANSWER_UNKNOWN;
    if (frame->move_next == frame->move_begin) {
      leave(sets, NULL);
      continue;
    }
    size_t begin = sets->ran_count;
    assert(begin == sets->frame_ends[sets->frame_count - 1]);
    run_move(sets, &sets->moves[--frame->move_next]);
    answer = visit(sets, begin);
    if (answer == ANSWER_UNKNOWN && dead_ends_is_due(&sets->dead_ends)) go_back(sets, budget);
  }
  return answer == ANSWER_FOUND ? ANSWER_FOUND : ANSWER_NONE;
}

/* ---------------------------------------------------------------- all limits */

/* Copies the order that was found. */
static bool take_order(struct sets *sets, struct sets_result *result) {
  size_t count = sets->segment->count;
  if (!result->order) result->order = memory_array(count, sizeof *result->order);
  if (!result->order) return false;
  memcpy(result->order, sets->trail, count * sizeof *result->order);
  neap_size peak = sets->segment->at_start;
  for (size_t i = 0; i < count; i++)
    if (sets->moments[i] > peak) peak = sets->moments[i];
  assert(peak < result->peak);
  result->peak = peak;
  return true;
}

/* Records that no order exists within the limit. */
static void note_none(const struct sets *sets, struct sets_result *result) {
  neap_size next = sets->next < result->peak ? sets->next : result->peak;
  assert(next > sets->limit || next == result->peak);
  if (next > result->least) result->least = next;
}

/*
 * Tries one limit with at most `visits` visits; 0: as many as the budget allows.  Sets that
 * failed at a lower limit are forgotten.
 */
static enum answer try_limit(struct sets *sets, const struct sets_task *task, neap_size limit,
                             uint64_t visits, struct sets_result *result) {
  struct budget part;
  if (limit > sets->limit) hash_set_empty(&sets->failures.found);
  if (visits > 0) budget_init_within(&part, task->budget, visits);
  enum answer answer = search_limit(sets, limit, visits > 0 ? &part : task->budget);
  if (visits > 0) budget_look(&part);
  if (answer == ANSWER_FOUND && !take_order(sets, result)) sets->is_short = true;
  if (answer == ANSWER_NONE) note_none(sets, result);
  return answer;
}

static bool is_over(const struct sets *sets, const struct sets_task *task,
                    const struct sets_result *result) {
  return sets->is_short || task->budget->end != BUDGET_LEFT || result->peak <= result->least ||
         result->peak <= task->floor;
}

static void search_all(struct sets *sets, const struct sets_task *task,
                       struct sets_result *result) {
  neap_size share = 2; /* the limit is 1 / share of the way down to the lower bound */
  uint64_t visits = SETS_VISITS_FIRST;
  while (!is_over(sets, task, result)) {
    neap_size least = result->least > task->floor ? result->least : task->floor;
    neap_size step = (result->peak - 1 - least) / share;
    enum answer answer =
        try_limit(sets, task, result->peak - 1 - step, step > 0 ? visits : 0, result);
    if (answer != ANSWER_UNKNOWN || step == 0) continue;
    share = share > NEAP_MAX / 2 ? NEAP_MAX : share * 2;
    visits *= SETS_VISITS_FACTOR;
  }
}

static void find_first(struct sets *sets) {
  const struct segment *segment = sets->segment;
  sets->live = segment->at_start;
  for (size_t k = 0; k < segment->count; k++) {
    sets->waits[k] = segment->befores.ends[k] - costs_begin(&segment->befores, k);
    if (sets->waits[k] == 0) set_add(sets->ready, k);
  }
  for (size_t v = 0; v < segment->value_count; v++) {
    sets->left[v] = segment->readers.ends[v] - costs_begin(&segment->readers, v);
    if (sets->left[v] == 1) change_gain(sets, v, 1);
  }
}

static bool make_room(struct sets *sets, uint64_t patience) {
  size_t count = sets->segment->count, values = sets->segment->value_count;
  sets->words = set_words(count);
  sets->ran = memory_array(sets->words, sizeof *sets->ran);
  sets->ready = memory_array(sets->words, sizeof *sets->ready);
  sets->waits = memory_array(count, sizeof *sets->waits);
  sets->left = memory_array(values, sizeof *sets->left);
  sets->gains = memory_array(count, sizeof *sets->gains);
  bool has_uses = share_uses_init(&sets->uses, values, sets->segment->output_count);
  sets->trail = memory_array(count, sizeof *sets->trail);
  sets->moments = memory_array(count, sizeof *sets->moments);
  sets->frames = memory_array(count + 1, sizeof *sets->frames);
  sets->frame_ends = memory_array(count + 1, sizeof *sets->frame_ends);
  bool has_ends = dead_ends_init(&sets->dead_ends, sets->segment, patience);
  return sets->ran && sets->ready && sets->waits && sets->left && sets->gains && has_uses &&
         sets->trail && sets->moments && sets->frames && sets->frame_ends && has_ends;
}

static void sets_clear(struct sets *sets) {
  failures_clear(&sets->failures);
  free(sets->ran);
  free(sets->ready);
  free(sets->waits);
  free(sets->left);
  free(sets->gains);
  share_uses_clear(&sets->uses);
  free(sets->trail);
  free(sets->moments);
  free(sets->frames);
  free(sets->frame_ends);
  dead_ends_clear(&sets->dead_ends);
  free(sets->moves);
}

bool sets_search(const struct sets_task *task, struct sets_result *result) {
  struct sets sets = {.segment = task->segment, .limit = NEAP_MAX, .observer = task->observer};
  *result = (struct sets_result){.peak = task->peak, .least = task->segment->at_start};
  bool has_room = make_room(&sets, task->patience);
  if (has_room) {
    failures_init(&sets.failures, sets.words, task->memory);
    find_first(&sets);
    search_all(&sets, task, result);
  }
  sets_clear(&sets);
  return has_room && !sets.is_short;
}
