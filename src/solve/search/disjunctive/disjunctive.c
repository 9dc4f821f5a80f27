/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * If relations connect buffers of different times, or let them share bytes, there are no valleys to
 * fill: cells are chosen one after another, and a wrong choice shows late.  So this search
 * represents a layout as an orientation of the conflict graph: of any two rectangles that share a
 * column, one lies below the other, or the output of an operator lies over its input as far as its
 * kernel allows.  The peak is the longest path (search/disjunctive/longest_paths).
 *
 * The search decides one pair at a time.  Decisions imply further statements.  A conflict is
 * explained by the statements on two paths or in a cycle; resolving it back to the latest
 * decision yields a clause, which holds from then on (conflict-driven clause learning:
 * Marques-Silva and Sakallah 1999, with the watched literals and activities of Chaff, Moskewicz
 * et al. 2001; with bounds on paths as explanations, Ohrimenko, Stuckey and Codish 2009):
 *
 *     a below b, b below c, c below d      exceed the capacity
 *     clause: b below a, or c below b, or d below c
 *
 * The capacity is always one step below the lowest known layout, so clauses stay true as the
 * capacity falls.  When no orientation is left, that layout is optimal.  Each pair is first
 * tried as in the layout to lower, and later as it was last decided (phase saving), until a
 * restart returns to the lowest layout (best phases: Biere and Fleury 2020).  Variants of the
 * search never return, so that they look elsewhere.
 *
 * A tick is one statement.
 */
#include "search/disjunctive/disjunctive.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/knobs.h"
#include "core/memory.h"
#include "core/sort.h"
#include "search/disjunctive/longest_paths.h"

#define NONE UINT32_MAX

/* How far reasons are followed to find redundant statements (Sorensson and Biere 2009). */
#define DEPTH_MOST 100

/*
 * The layout of a clause in an array of words: this header, then its statements, of which at
 * least one must be true.  The first two statements are watched: a list per statement links the
 * clauses that watch it.
 */
enum { CLAUSE_COUNT, CLAUSE_LEVELS, CLAUSE_NEXT, CLAUSE_STATEMENTS = CLAUSE_NEXT + 2 };

/* The state before a decision, to go back to. */
struct level {
  size_t trail, reasons, changes;
};

struct words {
  uint32_t *items;
  size_t count, capacity;
};

/* What resolving a conflict has found out about a pair. */
enum mark { MARK_NONE, MARK_SEEN, MARK_IMPLIED, MARK_NOT_IMPLIED };

/* The decision about a pair. */
struct decision {
  uint32_t level;
  size_t reason; /* the place of its reason, a list of statements; SIZE_MAX: none */
  enum mark mark;
  bool prefers_second; /* which of its statements to try */
};

struct orienter {
  struct findings findings;
  const struct part *part;
  struct rules rules;
  struct heights heights;
  struct decision *decisions; /* per pair */
  struct activity activity;   /* of pairs; all open ones are offered */
  struct words trail;         /* the statements made, in order */
  struct words reasons;       /* lists of true statements, each preceded by its length */
  struct words clauses;
  struct words learnt;   /* the clause being made */
  struct words conflict; /* true statements that contradict each other */
  struct words record;   /* all clauses learnt, if is_recorded */
  uint32_t *watched;     /* per statement: the first clause that watches it, or NONE */
  bool *is_true;         /* per statement */
  struct level *levels;
  uint32_t level, clause_count, clauses_most, permanent_count;
  size_t next;           /* the first statement of the trail not yet propagated */
  neap_size known;       /* the lowest peak known, from any search */
  neap_offset *offsets;  /* of the lowest layout found */
  const neap_offset *lowest; /* the lowest layout found or offered; NULL: none */
  uint64_t restarts;
  bool is_broken; /* symmetries are broken */
  bool is_short;  /* memory is short */
  bool is_recorded;
  bool returns; /* some restarts begin as in the lowest layout */
};

static void add_word(struct orienter *orienter, struct words *words, uint32_t word) {
  if (!memory_reserve(&words->items, &words->capacity, words->count + 1, sizeof word))
    orienter->is_short = true;
  else words->items[words->count++] = word;
}

/* ---------------------------------------------------------------- statements */

static bool is_false(const struct orienter *orienter, uint32_t statement) {
  return orienter->is_true[statement ^ 1];
}

static bool is_open(const struct orienter *orienter, uint32_t statement) {
  return !orienter->is_true[statement] && !is_false(orienter, statement);
}

/* Makes a statement true; `reason` is the place of its reason, or SIZE_MAX. */
static void make(struct orienter *orienter, uint32_t statement, size_t reason) {
  struct decision *decision = &orienter->decisions[statement / 2];
  assert(is_open(orienter, statement));
  decision->level = orienter->level;
  decision->reason = reason;
  orienter->is_true[statement] = true;
  add_word(orienter, &orienter->trail, statement);
}

static void decide(struct orienter *orienter, uint32_t statement) {
  orienter->levels[orienter->level++] = (struct level){
      orienter->trail.count, orienter->reasons.count, orienter->heights.change_count};
  make(orienter, statement, SIZE_MAX);
}

/* Undoes all statements above a level. */
static void go_back(struct orienter *orienter, uint32_t level) {
  if (orienter->level <= level) return;
  const struct level *before = &orienter->levels[level];
  while (orienter->trail.count > before->trail) {
    uint32_t statement = orienter->trail.items[--orienter->trail.count];
    orienter->decisions[statement / 2].prefers_second = statement % 2 == 1;
    orienter->is_true[statement] = false;
    activity_offer(&orienter->activity, statement / 2);
  }
  orienter->reasons.count = before->reasons;
  heights_undo(&orienter->heights, before->changes);
  if (orienter->next > before->trail) orienter->next = before->trail;
  orienter->level = level;
}

/* Adds the statements of an explanation. */
static void add_why(struct orienter *orienter, struct words *words) {
  for (uint32_t i = 0; i < orienter->heights.why_count; i++)
    add_word(orienter, words, orienter->heights.why[i]);
}

/* Makes the opposite of a statement true if the statement would need more than the capacity. */
static void exclude(struct orienter *orienter, uint32_t statement) {
  struct heights *heights = &orienter->heights;
  size_t reason = SIZE_MAX;
  if (!is_open(orienter, statement) || !heights_excludes(heights, statement)) return;
  if (orienter->level > 0) { /* without decisions, nobody asks for reasons */
    reason = orienter->reasons.count;
    heights_explain(heights, statement);
    add_word(orienter, &orienter->reasons, heights->why_count);
    add_why(orienter, &orienter->reasons);
  }
  if (!orienter->is_short) make(orienter, statement ^ 1, reason);
}

/* Excludes statements about nodes whose room the last statement has raised. */
static void exclude_changed(struct orienter *orienter, int side) {
  const struct heights *heights = &orienter->heights;
  const struct heights_side *changed = &heights->sides[side];
  for (uint32_t k = 0; k < changed->changed_count; k++) {
    const uint32_t node = changed->changed[k];
    const neap_size space = heights->capacity - changed->room[node];
    for (uint32_t i = heights->arcs_begin[node]; i < heights->arcs_begin[node + 1]; i++)
      if (!heights_has_room(heights, side, &changed->arcs[i], space))
        exclude(orienter, changed->arcs[i].statement);
  }
}

/* ---------------------------------------------------------------- clauses */

static void watch(struct orienter *orienter, uint32_t clause, uint32_t slot) {
  uint32_t *words = orienter->clauses.items + clause;
  uint32_t statement = words[CLAUSE_STATEMENTS + slot];
  words[CLAUSE_NEXT + slot] = orienter->watched[statement];
  orienter->watched[statement] = clause;
}

/* Watches another statement that is not false, if there is one. */
static bool watch_another(struct orienter *orienter, uint32_t clause, uint32_t slot) {
  uint32_t *words = orienter->clauses.items + clause, *statements = words + CLAUSE_STATEMENTS;
  for (uint32_t k = 2; k < words[CLAUSE_COUNT]; k++) {
    uint32_t statement = statements[k];
    if (is_false(orienter, statement)) continue;
    statements[k] = statements[slot];
    statements[slot] = statement;
    watch(orienter, clause, slot);
    return true;
  }
  return false;
}

/* Appends the opposites of a clause's statements, except one, to `words`. */
static void add_opposites(struct orienter *orienter, uint32_t clause, uint32_t except,
                          struct words *words) {
  const uint32_t *from = orienter->clauses.items + clause;
  for (uint32_t k = 0; k < from[CLAUSE_COUNT]; k++)
    if (from[CLAUSE_STATEMENTS + k] != except)
      add_word(orienter, words, from[CLAUSE_STATEMENTS + k] ^ 1);
}

/* Makes the only statement of a clause that is not false true (unit propagation). */
static void make_last(struct orienter *orienter, uint32_t clause, uint32_t statement) {
  size_t reason = orienter->reasons.count;
  add_word(orienter, &orienter->reasons, orienter->clauses.items[clause + CLAUSE_COUNT] - 1);
  add_opposites(orienter, clause, statement, &orienter->reasons);
  if (!orienter->is_short) make(orienter, statement, reason);
}

/*
 * Visits the clauses that watch a statement which has become false.  Returns false on a
 * conflict.
 */
static bool visit_clauses(struct orienter *orienter, uint32_t failed) {
  uint32_t *from = &orienter->watched[failed];
  while (*from != NONE && !orienter->is_short) {
    uint32_t clause = *from, *words = orienter->clauses.items + clause;
    uint32_t slot = words[CLAUSE_STATEMENTS] == failed ? 0 : 1;
    uint32_t other = words[CLAUSE_STATEMENTS + 1 - slot], next = words[CLAUSE_NEXT + slot];
    if (!orienter->is_true[other] && watch_another(orienter, clause, slot)) {
      *from = next;
      continue;
    }
    if (is_false(orienter, other)) {
      orienter->conflict.count = 0;
      add_opposites(orienter, clause, NONE, &orienter->conflict);
      return false;
    }
    if (!orienter->is_true[other]) make_last(orienter, clause, other);
    from = &words[CLAUSE_NEXT + slot];
  }
  return true;
}

/* Propagates until nothing follows; false on a conflict, or if memory is short. */
static bool conclude(struct orienter *orienter, struct budget *budget) {
  struct heights *heights = &orienter->heights;
  while (orienter->next < orienter->trail.count && !orienter->is_short) {
    uint32_t statement = orienter->trail.items[orienter->next++];
    budget_spend(budget, 1);
    if (!heights_state(heights, statement)) {
      orienter->is_short = orienter->is_short || heights->failed;
      orienter->conflict.count = 0;
      add_why(orienter, &orienter->conflict);
      return false;
    }
    exclude_changed(orienter, HEIGHTS_BELOW);
    exclude_changed(orienter, HEIGHTS_ABOVE);
    if (!visit_clauses(orienter, statement ^ 1)) return false;
  }
  return !orienter->is_short;
}

/* ---------------------------------------------------------------- learning */

static uint32_t level_of(const struct orienter *orienter, uint32_t statement) {
  return orienter->decisions[statement / 2].level;
}

/*
 * Marks statements and adds those of lower levels to the clause; returns the number of newly
 * marked statements of the present level.
 */
static uint32_t mark(struct orienter *orienter, const uint32_t *statements, size_t count) {
  uint32_t here = 0;
  for (size_t i = 0; i < count; i++) {
    struct decision *decision = &orienter->decisions[statements[i] / 2];
    assert(orienter->is_true[statements[i]]);
    if (decision->mark != MARK_NONE || decision->level == 0) continue;
    decision->mark = MARK_SEEN;
    activity_raise(&orienter->activity, statements[i] / 2);
    if (decision->level == orienter->level) here++;
    else add_word(orienter, &orienter->learnt, statements[i] ^ 1);
  }
  return here;
}

static bool is_implied(struct orienter *orienter, uint32_t statement, uint32_t depth);

/* Whether statements of the clause imply a true statement by its reasons. */
static bool is_needless(struct orienter *orienter, uint32_t statement, uint32_t depth) {
  const size_t reason = orienter->decisions[statement / 2].reason;
  if (reason == SIZE_MAX || depth == DEPTH_MOST) return false;
  const uint32_t *from = orienter->reasons.items + reason;
  for (uint32_t i = 1; i <= from[0]; i++)
    if (!is_implied(orienter, from[i], depth + 1)) return false;
  return true;
}

/* Whether the clause has a statement, implies it, or needs no decision for it. */
static bool is_implied(struct orienter *orienter, uint32_t statement, uint32_t depth) {
  struct decision *decision = &orienter->decisions[statement / 2];
  if (decision->level == 0) return true;
  if (decision->mark == MARK_NONE)
    decision->mark = is_needless(orienter, statement, depth) ? MARK_IMPLIED : MARK_NOT_IMPLIED;
  return decision->mark != MARK_NOT_IMPLIED;
}

/*
 * Resolves the conflict back to the first unique implication point of the present level,
 * marking statements on the way.  The opposite of that statement comes first in the clause.
 */
static void resolve(struct orienter *orienter) {
  struct words *learnt = &orienter->learnt;
  size_t at = orienter->trail.count;
  learnt->count = 0;
  add_word(orienter, learnt, 0);
  uint32_t open = mark(orienter, orienter->conflict.items, orienter->conflict.count), statement;
  for (;;) {
    do {
      assert(at > 0);
      statement = orienter->trail.items[--at];
    } while (orienter->decisions[statement / 2].mark != MARK_SEEN);
    if (--open == 0 || orienter->is_short) break;
    const uint32_t *from = orienter->reasons.items + orienter->decisions[statement / 2].reason;
    open += mark(orienter, from + 1, from[0]);
  }
  if (!orienter->is_short) learnt->items[0] = statement ^ 1;
}

/*
 * Drops redundant statements from the clause, and puts a statement of the highest level second.
 */
static void tidy(struct orienter *orienter) {
  struct words *learnt = &orienter->learnt;
  size_t used = 1;
  for (size_t i = 1; i < learnt->count; i++)
    if (!is_needless(orienter, learnt->items[i], 0)) learnt->items[used++] = learnt->items[i];
  for (size_t i = 2; i < used; i++) {
    uint32_t statement = learnt->items[i];
    if (level_of(orienter, statement) <= level_of(orienter, learnt->items[1])) continue;
    learnt->items[i] = learnt->items[1];
    learnt->items[1] = statement;
  }
  learnt->count = used;
}

static void forget_marks(struct orienter *orienter) {
  for (uint32_t p = 0; p < orienter->heights.pair_count; p++)
    orienter->decisions[p].mark = MARK_NONE;
}

/* The number of levels in the clause; a clause with fewer levels is more useful. */
static uint32_t count_levels(struct orienter *orienter) {
  const struct words *learnt = &orienter->learnt;
  uint32_t levels = 0;
  for (size_t i = 0; i < learnt->count; i++) {
    bool is_new = true;
    for (size_t k = 0; k < i && is_new; k++)
      is_new = level_of(orienter, learnt->items[k]) != level_of(orienter, learnt->items[i]);
    levels += is_new;
  }
  return levels;
}

/* Adds a clause of at least two statements; returns its place. */
static uint32_t add_clause(struct orienter *orienter, const uint32_t *statements, size_t count,
                           uint32_t levels) {
  struct words *clauses = &orienter->clauses;
  uint32_t clause = (uint32_t)clauses->count;
  const uint32_t header[CLAUSE_STATEMENTS] = {(uint32_t)count, levels, NONE, NONE};
  for (size_t i = 0; i < CLAUSE_STATEMENTS; i++)
    add_word(orienter, clauses, header[i]);
  for (size_t i = 0; i < count; i++)
    add_word(orienter, clauses, statements[i]);
  if (orienter->is_short) return clause;
  watch(orienter, clause, 0);
  watch(orienter, clause, 1);
  orienter->clause_count++;
  return clause;
}

/* A height beyond the higher of two intervals of the same nodes is also beyond the lower. */
static void add_ladders(struct orienter *orienter) {
  const struct heights *heights = &orienter->heights;
  for (uint32_t p = 1; p < heights->pair_count; p++) {
    const struct heights_pair *pair = &heights->pairs[p], *before = pair - 1;
    if (pair->first != before->first || pair->second != before->second || pair->bank > 0 ||
        before->bank > 0)
      continue;
    add_clause(orienter, (const uint32_t[]){2 * p + 1, 2 * (p - 1)}, 2, 0);
    orienter->permanent_count++;
  }
}

static void record_clause(struct orienter *orienter) {
  const struct words *learnt = &orienter->learnt;
  add_word(orienter, &orienter->record, (uint32_t)learnt->count);
  for (size_t i = 0; i < learnt->count; i++) {
    const struct heights *heights = &orienter->heights;
    const uint32_t statement = learnt->items[i];
    const struct heights_collision any = heights_collision_at(
        heights, statement, heights_collisions_begin(heights, statement / 2));
    add_word(orienter, &orienter->record, any.first);
    add_word(orienter, &orienter->record, any.second);
  }
}

/* Learns from the conflict; false if it depends on no decision. */
static bool learn(struct orienter *orienter) {
  const struct words *conflict = &orienter->conflict;
  uint32_t highest = 0;
  for (size_t i = 0; i < conflict->count; i++)
    if (level_of(orienter, conflict->items[i]) > highest)
      highest = level_of(orienter, conflict->items[i]);
  if (highest == 0) return false;
  go_back(orienter, highest);
  resolve(orienter);
  if (orienter->is_short) return true;
  tidy(orienter);
  forget_marks(orienter);
  if (orienter->is_recorded) record_clause(orienter);
  const struct words *learnt = &orienter->learnt;
  uint32_t levels = count_levels(orienter);
  go_back(orienter, learnt->count > 1 ? level_of(orienter, learnt->items[1]) : 0);
  if (learnt->count > 1) {
    uint32_t clause = add_clause(orienter, learnt->items, learnt->count, levels);
    if (!orienter->is_short) make_last(orienter, clause, learnt->items[0]);
  } else make(orienter, learnt->items[0], SIZE_MAX);
  activity_fade(&orienter->activity);
  return true;
}

/* ---------------------------------------------------------------- forgetting clauses */

static int most_useful_first(const void *left, const void *right, void *context) {
  const uint32_t *words = context;
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  const uint32_t *first = words + a, *second = words + b;
  if (first[CLAUSE_LEVELS] != second[CLAUSE_LEVELS])
    return first[CLAUSE_LEVELS] < second[CLAUSE_LEVELS] ? -1 : 1;
  if (first[CLAUSE_COUNT] != second[CLAUSE_COUNT])
    return first[CLAUSE_COUNT] < second[CLAUSE_COUNT] ? -1 : 1;
  return a < b ? -1 : a > b;
}

static uint32_t length_of(const uint32_t *clause) {
  return CLAUSE_STATEMENTS + clause[CLAUSE_COUNT];
}

/* Moves a clause to the end of those kept so far, which begins no later than the clause. */
static void keep_clause(struct orienter *orienter, uint32_t place) {
  struct words *clauses = &orienter->clauses;
  const uint32_t kept = (uint32_t)clauses->count, length = length_of(clauses->items + place);
  memmove(clauses->items + kept, clauses->items + place, length * sizeof *clauses->items);
  clauses->count += length;
  watch(orienter, kept, 0);
  watch(orienter, kept, 1);
}

/* Keeps the more useful half of the clauses, or all of them if memory is short. */
static void drop_clauses(struct orienter *orienter) {
  struct words *clauses = &orienter->clauses;
  uint32_t count = 0, *places = memory_array(orienter->clause_count, sizeof *places);
  orienter->clauses_most += ORIENTER_MORE_CLAUSES;
  if (!places) return;
  for (size_t at = 0; at < clauses->count; at += length_of(clauses->items + at))
    places[count++] = (uint32_t)at;
  qsort_r(places, count, sizeof *places, most_useful_first, clauses->items);
  /* Permanent clauses, of 0 levels, come first. */
  const uint32_t least = orienter->permanent_count;
  orienter->clause_count = count / 2 > least ? count / 2 : least;
  qsort(places, orienter->clause_count, sizeof *places, sort_by_number);
  for (uint32_t s = 0; s < 2 * orienter->heights.pair_count; s++)
    orienter->watched[s] = NONE;
  clauses->count = 0;
  for (uint32_t i = 0; i < orienter->clause_count; i++)
    keep_clause(orienter, places[i]);
  free(places);
}

/* ---------------------------------------------------------------- symmetries */

static bool are_twins(const struct heights *heights, uint32_t first, uint32_t second) {
  uint32_t a = heights->columns_begin[first], b = heights->columns_begin[second];
  uint32_t count = heights->columns_begin[first + 1] - a;
  return heights_size(heights, first) == heights_size(heights, second) &&
         heights->own[first] == heights->own[second] &&
         heights->alignment[first] == heights->alignment[second] &&
         heights->is_regular[first] && heights->is_regular[second] &&
         heights->columns_begin[second + 1] - b == count &&
         memcmp(heights->columns + a, heights->columns + b, count * sizeof(uint32_t)) == 0;
}

/* A statement of the open pair with the highest activity; NONE if all pairs are decided. */
static uint32_t most_active(struct orienter *orienter) {
  size_t pair;
  while ((pair = activity_highest(&orienter->activity)) != ACTIVITY_NONE) {
    const uint32_t statement = (uint32_t)(2 * pair) + orienter->decisions[pair].prefers_second;
    if (is_open(orienter, statement)) return statement;
    activity_withdraw(&orienter->activity, pair);
  }
  return NONE;
}

/*
 * Equal rectangles can be swapped, so they are stacked in ascending order.  If there are no
 * equal ones, any layout can be turned upside down, so one pair can be oriented freely.
 */
static void break_symmetries(struct orienter *orienter) {
  const struct heights *heights = &orienter->heights;
  const struct part *part = orienter->part;
  orienter->is_broken = true;
  if (!orienter->rules.twins || part->ties) return;
  for (uint32_t i = 1; i < part->count; i++)
    for (uint32_t k = i; k-- > 0;) {
      if (!are_twins(heights, k, i)) continue;
      make(orienter, 2 * heights->pair_of[k * part->count + i], SIZE_MAX); /* k is the first */
      break;
    }
  if (orienter->trail.count == 0 && !part_is_constrained(part) && !part->padding &&
      most_active(orienter) != NONE)
    make(orienter, most_active(orienter), SIZE_MAX);
}

/* ---------------------------------------------------------------- making */

static bool init(struct orienter *orienter) {
  if (!heights_init(&orienter->heights, orienter->part, !orienter->is_recorded)) return false;
  const struct heights *heights = &orienter->heights;
  const size_t pairs = heights->pair_count;
  orienter->decisions = memory_array(pairs, sizeof *orienter->decisions);
  orienter->levels = memory_array(pairs, sizeof *orienter->levels);
  orienter->watched = memory_array(2 * pairs, sizeof *orienter->watched);
  orienter->is_true = memory_array(2 * pairs, sizeof *orienter->is_true);
  orienter->offsets = memory_array(orienter->part->count, sizeof *orienter->offsets);
  orienter->findings.offsets = orienter->offsets;
  if (!activity_init(&orienter->activity, pairs) || !orienter->decisions || !orienter->levels ||
      !orienter->watched || !orienter->is_true || !orienter->offsets)
    return false;
  for (size_t p = 0; p < pairs; p++) {
    neap_size first = heights_size(heights, heights->first[heights->pairs[p].first]);
    neap_size second = heights_size(heights, heights->first[heights->pairs[p].second]);
    /* Large pairs first: they have the most consequences. */
    orienter->activity.of[p] =
        (double)(first < second ? first : second) / (double)orienter->part->extent;
    activity_offer(&orienter->activity, p);
    orienter->watched[2 * p] = orienter->watched[2 * p + 1] = NONE;
  }
  add_ladders(orienter);
  return !orienter->is_short;
}

static bool create(const struct method_task *task, bool is_recorded, void **state) {
  const struct part *part = task->part;
  if (!heights_suit(part)) return true;
  struct orienter *orienter = *state = memory_array(1, sizeof *orienter);
  if (!orienter) return false;
  *orienter = (struct orienter){.part = part,
                                .rules = task->rules,
                                .is_recorded = is_recorded,
                                .returns = task->variant == 0,
                                .clauses_most = ORIENTER_CLAUSES_MOST,
                                .known = part->extent + 1,
                                .findings = {.peak = NEAP_MAX, .proven = part->lower_bound}};
  return init(orienter);
}

static bool disjunctive_create(const struct method_task *task, void **state) {
  const struct part *part = task->part;
  /* In other parts, boards find and prove more. */
  bool can_help = part->ties || part->has_gaps || part_is_constrained(part);
  return !can_help || create(task, false, state);
}

static void disjunctive_free(void *state) {
  struct orienter *orienter = state;
  if (!orienter) return;
  struct words *words[] = {&orienter->trail,  &orienter->reasons,  &orienter->clauses,
                           &orienter->learnt, &orienter->conflict, &orienter->record};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    free(words[i]->items);
  heights_clear(&orienter->heights);
  activity_clear(&orienter->activity);
  free(orienter->decisions);
  free(orienter->levels);
  free(orienter->watched);
  free(orienter->is_true);
  free(orienter->offsets);
  free(orienter);
}

bool orienter_new(const struct part *part, neap_size peak, void **state) {
  struct method_task task = {.part = part, .rules = RULES_ALL};
  task.rules.twins = false; /* propagation alone cannot justify broken symmetries */
  if (!create(&task, true, state)) return false;
  struct orienter *orienter = *state;
  if (orienter && peak < orienter->known) orienter->known = peak;
  return true;
}

const uint32_t *orienter_clauses(const struct orienter *orienter, size_t *count) {
  *count = orienter->record.count;
  return orienter->record.items;
}

/* Tries each pair as in the lowest layout first. */
static void prefer_lowest(struct orienter *orienter) {
  const struct heights *heights = &orienter->heights;
  const neap_offset *lowest = orienter->lowest;
  for (uint32_t p = 0; p < heights->pair_count; p++) {
    neap_offset lower = heights_offset_in(heights, heights_lower(heights, 2 * p), lowest);
    neap_offset upper = heights_offset_in(heights, heights_upper(heights, 2 * p), lowest);
    orienter->decisions[p].prefers_second = upper < heights_after(heights, 2 * p, lower);
  }
}

static void disjunctive_guide(void *state, const neap_offset *offsets) {
  struct orienter *orienter = state;
  neap_size peak = part_peak(orienter->part, offsets);
  if (peak >= orienter->known) return;
  orienter->known = peak;
  orienter->lowest = offsets;
  go_back(orienter, 0);
  prefer_lowest(orienter);
}

/* ---------------------------------------------------------------- searching */

/* The term of Luby's sequence at an index from 1 on. */
static uint64_t luby(uint64_t index) {
  uint64_t power = 1;
  while (2 * power - 1 < index)
    power *= 2;
  return index == 2 * power - 1 ? power : luby(index - (power - 1));
}

/* Sets the capacity and propagates before any decision; false on a conflict. */
static bool begin(struct orienter *orienter, struct budget *budget) {
  struct heights *heights = &orienter->heights;
  go_back(orienter, 0);
  if (heights->capacity == orienter->known - 1) return conclude(orienter, budget);
  heights_reset(heights, orienter->known - 1);
  orienter->next = 0;
  if (heights_exceed(heights)) return false;
  if (!orienter->is_broken) break_symmetries(orienter);
  for (uint32_t s = 0; s < 2 * heights->pair_count; s++)
    exclude(orienter, s);
  return conclude(orienter, budget);
}

static void take_layout(struct orienter *orienter) {
  const neap_size peak = heights_place(&orienter->heights, orienter->offsets);
  assert(peak < orienter->known);
  orienter->findings.peak = orienter->known = peak;
  orienter->lowest = orienter->offsets;
}

/*
 * Decides and learns until a layout is found, none is left, or `conflicts` conflicts have
 * occurred.
 */
static void search(struct orienter *orienter, uint64_t conflicts, struct budget *budget) {
  neap_size *proven = &orienter->findings.proven;
  bool is_possible = begin(orienter, budget);
  if (!is_possible && !orienter->is_short) *proven = orienter->known;
  while (!orienter->is_short && *proven < orienter->known && budget_tick(budget)) {
    uint32_t statement = is_possible ? most_active(orienter) : NONE;
    if (is_possible && statement == NONE) {
      take_layout(orienter);
      return;
    }
    if (is_possible) decide(orienter, statement);
    else if (!learn(orienter)) *proven = orienter->known;
    else if (conflicts-- == 0) return;
    if (*proven < orienter->known) is_possible = conclude(orienter, budget);
  }
}

static void restart(struct orienter *orienter, struct budget *budget) {
  const uint64_t number = ++orienter->restarts;
  if (orienter->returns && orienter->lowest && number % ORIENTER_RETURN_EVERY == 0)
    prefer_lowest(orienter);
  search(orienter, ORIENTER_CONFLICTS * luby(number), budget);
}

/* Searches for a layout lower than any known, whatever the capacity. */
static enum verdict disjunctive_step(void *state, const struct turn *turn,
                                     struct budget *budget) {
  struct orienter *orienter = state;
  if (!budget_tick(budget)) return VERDICT_STOPPED;
  if (orienter->findings.proven < orienter->known) restart(orienter, budget);
  if (orienter->is_short) return VERDICT_MEMORY;
  go_back(orienter, 0);
  if (orienter->clause_count >= orienter->clauses_most) drop_clauses(orienter);
  if (orienter->findings.proven > turn->capacity) return VERDICT_REFUTED;
  if (orienter->findings.peak <= turn->capacity) return VERDICT_FOUND;
  return budget_look(budget) ? VERDICT_OPEN : VERDICT_STOPPED;
}

const struct method method_disjunctive = {
    .name = "disjunctive",
    .summary = "decide which of two buffers lies below and learn from conflicts, where "
               "relations tie them together, or with alignments or fixed offsets",
    .share = {.from = 512, /* without ties, boards prove more in all but small parts */
              .ratio = {[SHARE_TIED] = 8, [SHARE_SMALL] = 8, [SHARE_USUAL] = 0.25}},
    .finds_layouts = true,
    .proves_bounds = true,
    .create = disjunctive_create,
    .free = disjunctive_free,
    .step = disjunctive_step,
    .guide = disjunctive_guide,
};
