/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Proves that an order of operators is optimal by flows (certify/flow, certify/rules) or by listing sets of operators that
 * may have run.
 * From each set, every next operator either needs as many bytes as the bound, or leads to
 * another set of the list; the set of all operators is never reached.  Chains of operators that
 * end with no more bytes alive than before run at once, as in schedule/sets, which finds the
 * order; doc/certificate.md proves that this is sound.  The list begins at the last point
 * before the peak where the set of operators that have run is forced (schedule/parting).
 *
 * Cost: one visit per set, at most CERTIFY_ORDER_SETS_MOST, each of which tries all
 * operators.  Sizes are in bytes.  Invariant: run_operator and undo_operator are inverses, so
 * the walk needs no copies of its state.
 */
#include "certify/order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "certify/flow.h"
#include "certify/rules.h"
#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "schedule/costs.h"
#include "schedule/operator_set.h"
#include "schedule/parting.h"

/* A visited set, and how the walk continues from it. */
struct visit {
  size_t set;         /* its number in sets.all */
  size_t chain_begin; /* in sets.chains: the operators that run at once */
  size_t chain_end;
};

struct sets {
  const struct costs *costs;
  struct certify_task *task;
  neap_size limit, live;
  size_t words, ran_count;
  uint64_t *ran;
  size_t *waits; /* per operator: the number of its predecessors that have not run */
  size_t *left;  /* per value: the number of operators that still have to read it */
  struct share_uses uses;
  uint64_t *all; /* the visited sets, of `words` words each */
  struct visit *visits;
  size_t count, all_capacity, visit_capacity;
  size_t *slots; /* of a hash table: a visit plus 1 */
  size_t slot_mask;
  size_t *chains;
  size_t chain_count, chain_capacity;
  bool is_short;
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
  if (sets->ran_count++ == 0) sets->live -= costs->unread;
  for (size_t i = costs_begin(&costs->inputs, k); i < costs->inputs.ends[k]; i++)
    if (--sets->left[costs->inputs.items[i]] == 0)
      sets->live -= costs->sizes[costs->inputs.items[i]];
  for (size_t i = costs_begin(&costs->afters, k); i < costs->afters.ends[k]; i++)
    sets->waits[costs->afters.items[i]]--;
  set_add(sets->ran, k);
}

static void undo_operator(struct sets *sets, size_t k) {
  assert(set_has(sets->ran, k) && sets->waits[k] == 0 && sets->ran_count > 0);
  const struct costs *costs = sets->costs;
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
  return sets->waits[k] == 0 && !set_has(sets->ran, k) && moment_of(sets, k) <= sets->limit;
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
    if (!is_ready(sets, other)) continue;
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
  bool goes_on = is_ready(sets, k);
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

static size_t slot_of(const struct sets *sets) {
  uint64_t hash = 0;
  for (size_t w = 0; w < sets->words; w++)
    hash = (hash ^ sets->ran[w]) * UINT64_C(0x9e3779b97f4a7c15) ^ (hash >> 31);
  size_t slot = (size_t)(hash >> 20) & sets->slot_mask;
  while (sets->slots[slot] > 0 && memcmp(set_at(sets, sets->slots[slot] - 1), sets->ran,
                                         sets->words * sizeof *sets->ran) != 0)
    slot = (slot + 1) & sets->slot_mask;
  return slot;
}

/* Adds the present set; false if it is there already, or if memory is short. */
static bool add_visit(struct sets *sets, size_t *visit) {
  size_t slot = slot_of(sets);
  if (sets->slots[slot] > 0) return false;
  if (!memory_reserve(&sets->all, &sets->all_capacity, (sets->count + 1) * sets->words,
                      sizeof *sets->all) ||
      !memory_reserve(&sets->visits, &sets->visit_capacity, sets->count + 1,
                      sizeof *sets->visits)) {
    sets->is_short = true;
    return false;
  }
  memcpy(sets->all + sets->count * sets->words, sets->ran, sets->words * sizeof *sets->ran);
  sets->visits[sets->count] = (struct visit){sets->count, 0, 0};
  *visit = sets->count++;
  sets->slots[slot] = sets->count;
  return true;
}

/* ---------------------------------------------------------------- the walk */

/* A visited set on the path of the walk. */
struct frame {
  size_t visit;
  size_t next; /* the operator to try next */
  size_t ran;  /* the operator that the walk took from here; SIZE_MAX if none, or a chain */
};

/* Enters the present set; false if it has been visited, or if memory is short. */
static bool enter(struct sets *sets, struct frame *frame) {
  size_t visit;
  if (!add_visit(sets, &visit)) return false;
  *frame = (struct frame){visit, 0, SIZE_MAX};
  size_t begin = sets->chain_count;
  for (size_t k = 0; k < sets->costs->count; k++)
    if (run_chain(sets, k)) {
      sets->visits[visit].chain_begin = begin;
      sets->visits[visit].chain_end = sets->chain_count;
      frame->next = sets->costs->count;
      return true;
    }
  return true;
}

static void leave(struct sets *sets, const struct frame *frame) {
  assert(frame->ran == SIZE_MAX); /* its operator has been undone */
  const struct visit *visit = &sets->visits[frame->visit];
  for (size_t i = visit->chain_end; i > visit->chain_begin; i--)
    undo_operator(sets, sets->chains[i - 1]);
}

static bool has_chain(const struct sets *sets, const struct frame *frame) {
  const struct visit *visit = &sets->visits[frame->visit];
  return visit->chain_end > visit->chain_begin;
}

enum answer { ANSWER_REFUTED, ANSWER_FOUND, ANSWER_STOPPED };

/* Runs the next ready operator after a set; false if there is none. */
static bool go_on(struct sets *sets, struct frame *frame) {
  if (frame->ran != SIZE_MAX) undo_operator(sets, frame->ran);
  frame->ran = SIZE_MAX;
  while (frame->next < sets->costs->count && !is_ready(sets, frame->next))
    frame->next++;
  if (frame->next >= sets->costs->count) return false;
  frame->ran = frame->next++;
  run_operator(sets, frame->ran);
  return true;
}

/* Visits all sets that can be reached from the present set below the bound. */
static enum answer walk_sets(struct sets *sets, struct frame *frames) {
  size_t depth = 0;
  if (enter(sets, &frames[0])) depth = 1;
  bool is_entered = depth > 0;
  while (depth > 0) {
    struct frame *frame = &frames[depth - 1];
    assert(depth <= sets->costs->count + 1);
    if (sets->is_short || sets->count > CERTIFY_ORDER_SETS_MOST ||
        !budget_tick(sets->task->budget))
      return ANSWER_STOPPED;
    if (sets->ran_count == sets->costs->count) return ANSWER_FOUND;
    bool is_chain = is_entered && has_chain(sets, frame);
    is_entered = false;
    if (is_chain || (!has_chain(sets, frame) && go_on(sets, frame))) {
      if (sets->ran_count == sets->costs->count) return ANSWER_FOUND;
      if (enter(sets, &frames[depth])) {
        depth++;
        is_entered = true;
      }
      continue;
    }
    leave(sets, frame);
    depth--;
  }
  return ANSWER_REFUTED;
}

static void rewind_to(struct sets *sets, size_t begin) {
  const struct costs *costs = sets->costs;
  memset(sets->ran, 0, sets->words * sizeof *sets->ran);
  sets->live = costs->at_start;
  sets->ran_count = sets->count = sets->chain_count = 0;
  memset(sets->slots, 0, (sets->slot_mask + 1) * sizeof *sets->slots);
  for (size_t k = 0; k < costs->count; k++)
    sets->waits[k] = costs->befores.ends[k] - costs_begin(&costs->befores, k);
  for (size_t v = 0; v < costs->value_count; v++)
    sets->left[v] = costs->readers.ends[v] - costs_begin(&costs->readers, v);
  for (size_t k = 0; k < begin; k++)
    run_operator(sets, k);
  assert(sets->ran_count == begin);
}

/* ---------------------------------------------------------------- the text */

static void print_list(struct lines *lines, const size_t *items, size_t count) {
  if (count == 0) lines_word(lines, "-");
  for (size_t i = 0; i < count; i++)
    lines_number(lines, (int64_t)items[i]);
}

static int64_t maker_of(const struct costs *costs, size_t v) {
  return costs->lives[v] & COSTS_STARTS ? -1 : (int64_t)costs->maker[v];
}

/* The number of readers printed for a value: none if the value stays. */
static size_t reader_count(const struct costs *costs, size_t v) {
  if (costs->lives[v] & COSTS_STAYS) return 0;
  return costs->readers.ends[v] - costs_begin(&costs->readers, v);
}

/* Compares by maker, size, whether the value stays, and readers. */
static int by_value(const void *left, const void *right, void *context) {
  const struct costs *costs = context;
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  const int64_t first[] = {maker_of(costs, a), costs->sizes[a], costs->lives[a] & COSTS_STAYS};
  const int64_t second[] = {maker_of(costs, b), costs->sizes[b], costs->lives[b] & COSTS_STAYS};
  for (size_t i = 0; i < 3; i++)
    if (first[i] != second[i]) return first[i] < second[i] ? -1 : 1;
  const size_t *reads = costs->readers.items + costs_begin(&costs->readers, a);
  const size_t *others = costs->readers.items + costs_begin(&costs->readers, b);
  size_t count = reader_count(costs, a), other_count = reader_count(costs, b);
  for (size_t i = 0; i < count && i < other_count; i++)
    if (reads[i] != others[i]) return reads[i] < others[i] ? -1 : 1;
  if (count != other_count) return count < other_count ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* Sorts the values that take up bytes; numbers[v] is the place of v in `sorted`. */
static size_t sort_values(const struct costs *costs, size_t *sorted, size_t *numbers) {
  size_t count = 0;
  for (size_t v = 0; v < costs->value_count; v++) {
    bool exists = costs->maker[v] != COSTS_NONE || (costs->lives[v] & COSTS_STARTS);
    if (costs->sizes[v] > 0 && exists) sorted[count++] = v;
  }
  if (count > 0) qsort_r(sorted, count, sizeof *sorted, by_value, (void *)(uintptr_t)costs);
  for (size_t i = 0; i < count; i++)
    numbers[sorted[i]] = i;
  return count;
}

/* One line per value: its size, what makes it, whether it ends, and what reads it. */
static void print_values(struct lines *lines, const struct costs *costs, const size_t *sorted,
                         size_t count) {
  for (size_t i = 0; i < count; i++) {
    size_t v = sorted[i], begin = costs_begin(&costs->readers, v);
    lines_word(lines, "value");
    lines_number(lines, costs->sizes[v]);
    lines_optional(lines, maker_of(costs, v), -1);
    lines_word(lines, costs->lives[v] & COSTS_STAYS ? "stays" : "ends");
    print_list(lines, costs->readers.items + begin, reader_count(costs, v));
    lines_end(lines);
  }
}

static void print_operators(struct lines *lines, const struct costs *costs) {
  for (size_t k = 0; k < costs->count; k++) {
    size_t begin = costs_begin(&costs->befores, k);
    lines_word(lines, "operator");
    print_list(lines, costs->befores.items + begin, costs->befores.ends[k] - begin);
    lines_end(lines);
  }
}

static void print_shares(struct lines *lines, const struct costs *costs,
                         const size_t *numbers) {
  for (size_t k = 0; k < costs->count; k++)
    for (size_t i = shares_begin(&costs->shares, k); i < costs->shares.ends[k]; i++) {
      const struct share *share = &costs->shares.items[i];
      lines_word(lines, share->in_place ? "in_place" : "over");
      lines_number(lines, (int64_t)k);
      lines_number(lines, (int64_t)numbers[share->input]);
      lines_number(lines, (int64_t)share->output);
      lines_number(lines, share->bytes);
      lines_number(lines, share->output_bytes);
      lines_end(lines);
    }
}

struct sorting {
  const struct sets *sets;
};

/* Compares sets as numbers in which operator k is the bit of 2^k. */
static int by_set(const void *left, const void *right, void *context) {
  const struct sets *sets = ((const struct sorting *)context)->sets;
  const uint64_t *a = sets->all + ((const struct visit *)left)->set * sets->words;
  const uint64_t *b = sets->all + ((const struct visit *)right)->set * sets->words;
  for (size_t w = sets->words; w-- > 0;)
    if (a[w] != b[w]) return a[w] < b[w] ? -1 : 1;
  return 0;
}

static void print_set(struct lines *lines, const uint64_t *set, size_t words, char *text) {
  static const char digits[] = "0123456789abcdef";
  size_t length = 0;
  for (size_t at = words * 16; at-- > 0;) {
    unsigned digit = (unsigned)(set[at / 16] >> (at % 16 * 4)) & 15;
    if (length > 0 || digit > 0 || at == 0) text[length++] = digits[digit];
  }
  text[length] = '\0';
  lines_word(lines, text);
}

static bool print_sets(struct lines *lines, struct sets *sets) {
  struct sorting sorting = {sets};
  char *text = memory_array(sets->words * 16 + 1, 1);
  if (!text) return false;
  qsort_r(sets->visits, sets->count, sizeof *sets->visits, by_set, &sorting);
  for (size_t i = 0; i < sets->count; i++) {
    const struct visit *visit = &sets->visits[i];
    assert(visit->chain_begin <= visit->chain_end && visit->chain_end <= sets->chain_count);
    size_t length = visit->chain_end - visit->chain_begin;
    lines_word(lines, length > 0 ? "run" : "set");
    print_set(lines, sets->all + visit->set * sets->words, sets->words, text);
    if (length > 0) print_list(lines, sets->chains + visit->chain_begin, length);
    lines_end(lines);
  }
  free(text);
  return true;
}

/* Prints the operators and the values that they make and read; false if memory is short. */
static bool print_graph(struct certify_task *task, const struct costs *costs,
                        const struct flow_values *values, size_t begin) {
  struct lines *lines = task->proof, graph = {0};
  print_values(&graph, costs, values->sorted, values->count);
  print_operators(&graph, costs);
  print_shares(&graph, costs, values->numbers);
  lines_word(lines, "order");
  lines_number(lines, task->order);
  lines_number(lines, (int64_t)begin);
  lines_end(lines);
  lines_append(lines, &graph);
  bool has_room = !graph.failed;
  if (has_room) task->graph_sum = lines_checksum(&graph);
  lines_clear(&graph);
  return has_room && !lines->failed;
}

/* ---------------------------------------------------------------- the whole */

static bool make_room(struct sets *sets) {
  const struct costs *costs = sets->costs;
  sets->words = set_words(costs->count > 0 ? costs->count : 1);
  sets->slot_mask = ((size_t)1 << 20) - 1;
  sets->ran = memory_array(sets->words, sizeof *sets->ran);
  sets->waits = memory_array(costs->count, sizeof *sets->waits);
  sets->left = memory_array(costs->value_count, sizeof *sets->left);
  sets->slots = memory_array(sets->slot_mask + 1, sizeof *sets->slots);
  bool has_uses = share_uses_init(&sets->uses, costs->value_count, costs->output_count);
  return sets->ran && sets->waits && sets->left && sets->slots && has_uses;
}

static void sets_clear(struct sets *sets) {
  free(sets->ran);
  free(sets->waits);
  free(sets->left);
  free(sets->slots);
  share_uses_clear(&sets->uses);
  free(sets->all);
  free(sets->visits);
  free(sets->chains);
}

/*
 * Tries each part of the order (schedule/parting) that reaches the peak, until one is refuted.
 */
static enum answer refute_sections(struct sets *sets, size_t *begin) {
  const struct costs *costs = sets->costs;
  size_t count = costs->count, from = 0;
  size_t *order = memory_array(count, sizeof *order),
         *place = memory_array(count, sizeof *place);
  bool *parts = memory_array(count, sizeof *parts);
  struct frame *frames = memory_array(count + 1, sizeof *frames);
  enum answer answer = ANSWER_FOUND;
  sets->is_short = !order || !place || !parts || !frames;
  for (size_t k = 0; order && k < count; k++)
    order[k] = k;
  if (!sets->is_short) parting_find(costs, order, place, parts);
  for (size_t k = 0; k < count && answer == ANSWER_FOUND && !sets->is_short; k++) {
    rewind_to(sets, k);
    bool is_peak = moment_of(sets, k) > sets->limit;
    if (is_peak) {
      rewind_to(sets, from);
      *begin = from;
      answer = walk_sets(sets, frames);
      while (k < count && !parts[k])
        k++;
    }
    if (k < count && parts[k]) from = k + 1;
  }
  free(order);
  free(place);
  free(parts);
  free(frames);
  return answer;
}

static neap_status prove_by_sets(struct certify_task *task, const struct costs *costs,
                                 const struct flow_values *values, neap_error *error) {
  struct sets sets = {.costs = costs, .task = task, .limit = task->order - 1};
  size_t begin = 0;
  enum answer answer = ANSWER_STOPPED;
  bool has_room = make_room(&sets);
  if (has_room) answer = refute_sections(&sets, &begin);
  if (has_room && !sets.is_short && answer == ANSWER_REFUTED)
    has_room = print_graph(task, costs, values, begin) && print_sets(task->proof, &sets);
  has_room = has_room && !sets.is_short;
  sets_clear(&sets);
  if (!has_room) return error_memory(error);
  if (answer == ANSWER_REFUTED) return NEAP_OK;
  return error_set(error, NEAP_NO_PLAN,
                   "the proof that no order is better takes too many sets");
}

/*
 * Tries a flow at each operator that reaches the peak; none proves more than what is alive in
 * this order.  If that fails, tries rules, each with a flow.
 */
static bool prove_by_flow(struct certify_task *task, const struct costs *costs,
                          const struct flow_values *values, bool *is_proven) {
  struct costs_walk walk;
  struct lines flow = {0};
  bool has_room = costs_walk_init(&walk, costs);
  *is_proven = false;
  for (size_t k = 0; k < costs->count && has_room && !*is_proven; k++) {
    walk.peak = 0;
    costs_walk_pass(&walk, k);
    if (walk.peak == task->order)
      has_room = flow_prove(costs, values, k, task->order, task->budget, &flow, is_proven);
  }
  if (has_room && !*is_proven)
    has_room = rules_prove(costs, values, task->order, task->budget, &flow, is_proven);
  if (has_room && *is_proven) {
    has_room = print_graph(task, costs, values, 0);
    lines_append(task->proof, &flow);
  }
  lines_clear(&flow);
  costs_walk_clear(&walk);
  return has_room;
}

/* Flows are a shorter proof than sets, but may not exist. */
static neap_status prove(struct certify_task *task, const struct costs *costs,
                         neap_error *error) {
  struct flow_values values = {memory_array(costs->value_count, sizeof *values.sorted),
                               memory_array(costs->value_count, sizeof *values.numbers), 0};
  bool is_proven = false, has_room = values.sorted && values.numbers;
  if (has_room) values.count = sort_values(costs, values.sorted, values.numbers);
  has_room = has_room && prove_by_flow(task, costs, &values, &is_proven);
  neap_status status = has_room ? NEAP_OK : error_memory(error);
  if (has_room && !is_proven) status = prove_by_sets(task, costs, &values, error);
  free(values.sorted);
  free(values.numbers);
  return status;
}

neap_status order_prove(struct certify_task *task, neap_error *error) {
  const struct neap_problem *problem = task->problem;
  struct costs costs = {0};
  struct costs_walk walk = {0};
  task->order = 0;
  if (!problem->graph || !problem->order.given || problem->order.lower_bound == 0 ||
      problem->has_kept_names || graph_lead(problem->graph) > 0)
    return NEAP_OK;
  neap_status status = costs_init(&costs, problem->graph, &problem->liveness, error);
  if (status == NEAP_OK && costs.count > 0) {
    size_t *order = memory_array(costs.count, sizeof *order);
    bool has_room = costs_walk_init(&walk, &costs) && order;
    for (size_t k = 0; order && k < costs.count; k++)
      order[k] = k;
    neap_size peak = has_room ? costs_walk_peak(&walk, order) : 0;
    free(order);
    if (!has_room) status = error_memory(error);
    else if (peak > 0 && peak == problem->order.lower_bound && peak > costs.at_start) {
      task->order = peak;
      status = prove(task, &costs, error);
    }
  }
  costs_walk_clear(&walk);
  costs_clear(&costs);
  return status;
}
