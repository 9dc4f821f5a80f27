/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two buffers conflict if they must not share bytes.  Without relations, the maximal cliques of
 * this conflict graph are the maximal sections, so each clique is a moment in time.  Relations
 * add and remove conflicts, so a column is a clique that need not be a moment:
 *
 *   Exclusion.  Where a and b are alive together but may share bytes, no column may have both.  A
 *   section with such pairs is replaced by columns for its maximal subsets without any:
 *
 *       section {a b x y}, a and b excluded      columns {a x y} {b x y}
 *
 *   A section can have very many such subsets.  Beyond COLUMNS_MOST, columns are chosen
 *   greedily so that every conflicting pair shares a column; this stays sound but may weaken
 *   bounds.
 *
 *   Separation.  Where a and b are never alive together but may not share bytes, a column is
 *   appended that contains both, and further buffers that conflict with each other and with
 *   both.  So one column can cover many separations.  In problems of up to MAXIMAL_UP_TO
 *   buffers it becomes a maximal clique.  If some clique is heavier than every column, it is
 *   appended as the last column (facts/max_clique), which raises the bound.
 *
 * Two colocated buffers whose bytes intersect are excluded; two that have different bytes can
 * stay in one column, where they never collide.
 *
 * Without relations nothing here runs.  Otherwise the cost is O(n log n) plus, for exclusions, the
 * sections that each pair shares, and for separations, a look at the partners of each pair (in
 * problems of up to MAXIMAL_UP_TO buffers: at all buffers).
 */
#include "facts/columns.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/bisection.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "facts/bodies.h"
#include "facts/pair_rules.h"

/* The limit on the columns that replace one section by all of its maximal subsets. */
#define COLUMNS_MOST 64

/* The limit on the subsets examined for one section. */
#define LOOKS_MOST 4096

/* Crowds of more buffers than this are covered greedily, without trying to list all subsets. */
#define LISTED_MOST 64

/* In problems of up to this many buffers, cliques of separations are extended by any buffer. */
#define MAXIMAL_UP_TO 1024

/* Cliques grow from a buffer with more partners than this only if the other one has as many. */
#define PARTNERS_MOST 64

/*
 * The limits on buffers in split sections, and on pairs in crowds that are split.  Pairs of crowds
 * whose buffers all exclude each other count 1 / APART_SHARE.
 */
#define SPLIT_MOST ((size_t)1 << 24)
#define WORK_MOST ((size_t)1 << 25)
#define APART_SHARE 8

/* A buffer in a section or in a column. */
struct entry {
  uint32_t column, buffer;
};

struct entries {
  struct entry *items;
  size_t count, capacity;
};

static bool add_entry(struct entries *entries, uint32_t column, uint32_t buffer) {
  if (!memory_reserve(&entries->items, &entries->capacity, entries->count + 1,
                      sizeof *entries->items))
    return false;
  entries->items[entries->count++] = (struct entry){column, buffer};
  return true;
}

struct columns {
  const struct neap_problem *problem;
  struct sections *sections;
  struct bodies bodies;
  struct pairs excluded, separated;
  struct group_index apart; /* groups of separated buffers */
  uint32_t *places; /* per buffer: its place in the section being split, or UINT32_MAX */
  struct entries split; /* buffers with an excluded partner in the section; by old section */
  struct entries members; /* the buffers of split sections and of separations; by new column */
  uint32_t *begin;        /* per section and one more: its first column */
  neap_range *when;       /* per new column */
  size_t count, when_capacity;
  size_t work;     /* pairs in the crowds that were split */
  bool is_crowded; /* too many buffers have excluded partners at one moment or in total */
  struct budget *budget; /* NULL: none */
  bool is_late;          /* the budget has ended */
};

static void columns_clear(struct columns *columns) {
  bodies_clear(&columns->bodies);
  pairs_clear(&columns->excluded);
  pairs_clear(&columns->separated);
  group_index_clear(&columns->apart);
  free(columns->places);
  free(columns->split.items);
  free(columns->members.items);
  free(columns->begin);
  free(columns->when);
}

/* False at the end of the budget. */
static bool goes_on(struct columns *columns) {
  columns->is_late = columns->budget && !budget_look(columns->budget);
  return !columns->is_late;
}

/* Adds a column; false when memory is short or there are too many. */
static bool add_column(struct columns *columns, neap_range when) {
  if (columns->count >= UINT32_MAX ||
      !memory_reserve(&columns->when, &columns->when_capacity, columns->count + 1,
                      sizeof *columns->when))
    return false;
  columns->when[columns->count++] = when;
  return true;
}

/* Adds a buffer to a column of a split section; false when memory is short or they are too many. */
static bool add_member(struct columns *columns, uint32_t column, uint32_t buffer) {
  columns->is_crowded = columns->members.count >= SPLIT_MOST;
  return !columns->is_crowded && add_entry(&columns->members, column, buffer);
}

/* ---------------------------------------------------------------- pairs */

struct pair_list {
  struct pair *items;
  size_t count, capacity;
};

static bool add_pair(struct pair_list *list, size_t first, size_t second) {
  if (!memory_reserve(&list->items, &list->capacity, list->count + 1, sizeof *list->items))
    return false;
  list->items[list->count++] = (struct pair){(uint32_t)first, (uint32_t)second};
  return true;
}

/* Whether two buffers are colocated at bytes that intersect. */
static bool share_bytes(const struct columns *columns, size_t first, size_t second) {
  const struct bodies *bodies = &columns->bodies;
  size_t body = bodies_of(bodies, first);
  return body != BODIES_NONE && body == bodies_of(bodies, second) &&
         bodies_share_bytes(bodies, columns->problem, first, second);
}

/*
 * Lists the excluded and the separated pairs.  Separated buffers that are colocated at the same
 * bytes have an allowance for that; else the problem would contradict itself.
 */
static bool list_rules(const struct columns *columns, const struct pair_rules *rules,
                       struct pair_list *excluded, struct pair_list *separated) {
  for (size_t i = 0; i < rules->count; i++) {
    const struct pair_rule *rule = &rules->items[i];
    bool is_separated = rule->is_separated && !share_bytes(columns, rule->first, rule->second);
    if ((rule->is_excluded && !add_pair(excluded, rule->first, rule->second)) ||
        (is_separated && !add_pair(separated, rule->first, rule->second)))
      return false;
  }
  return true;
}

/* The sections from the first to the last of a buffer. */
static struct span hull_of(const struct sections *sections, size_t buffer) {
  size_t begin = sections_spans_begin(sections, buffer), end = sections->spans_end[buffer];
  if (begin == end) return (struct span){0, 0};
  return (struct span){sections->spans[begin].first, sections->spans[end - 1].end};
}

/* Whether a buffer is alive throughout its hull. */
static bool has_one_span(const struct sections *sections, size_t buffer) {
  return sections->spans_end[buffer] - sections_spans_begin(sections, buffer) == 1;
}

static int by_hull(const void *left, const void *right, void *context) {
  const struct sections *sections = context;
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  uint32_t x = hull_of(sections, a).first, y = hull_of(sections, b).first;
  if (x != y) return x < y ? -1 : 1;
  return a < b ? -1 : a > b;
}

/*
 * Lists those pairs of the members of a body that share bytes, if they may be alive together.  A
 * sweep over time keeps the members whose last section is still to come.
 */
static bool list_body(struct columns *columns, const struct body *body, size_t *sorted,
                      struct pair_list *list) {
  const struct bodies *bodies = &columns->bodies;
  size_t count = body->end - body->begin, open = 0;
  memcpy(sorted, bodies->members + body->begin, count * sizeof *sorted);
  qsort_r(sorted, count, sizeof *sorted, by_hull, columns->sections);
  for (size_t i = 0; i < count; i++) {
    struct span hull = hull_of(columns->sections, sorted[i]);
    size_t kept = 0, sharing = 0;
    for (size_t k = 0; k < open; k++) {
      if (hull_of(columns->sections, sorted[k]).end <= hull.first) continue;
      sorted[kept++] = sorted[k];
      if (!share_bytes(columns, sorted[kept - 1], sorted[i])) continue;
      sharing += has_one_span(columns->sections, sorted[kept - 1]);
      columns->is_crowded = sharing >= PAIR_RULES_CROWD_MOST;
      if (columns->is_crowded || !add_pair(list, sorted[kept - 1], sorted[i])) return false;
    }
    sorted[kept++] = sorted[i]; /* kept <= i */
    open = kept;
  }
  return true;
}

static bool list_colocated(struct columns *columns, struct pair_list *list) {
  const struct bodies *bodies = &columns->bodies;
  if (bodies->count == 0) return true;
  size_t *sorted = memory_array(columns->problem->count, sizeof *sorted);
  bool done = sorted != NULL;
  for (size_t body = 0; body < bodies->count && done; body++)
    done = list_body(columns, &bodies->items[body], sorted, list);
  free(sorted);
  return done;
}

/* Whether a group has two buffers that are colocated at the same bytes: it is no clique then. */
static bool has_shared_bytes(const struct columns *columns,
                             const struct relation_group *group) {
  const size_t *members = columns->problem->relations->members;
  for (size_t i = group->begin; i < group->end && columns->bodies.count > 0; i++)
    for (size_t k = group->begin;
         k < i && bodies_of(&columns->bodies, members[i]) != BODIES_NONE; k++)
      if (share_bytes(columns, members[i], members[k])) return true;
  return false;
}

/* Lists the separated pairs of those groups that are no cliques. */
static bool list_groups(const struct columns *columns, struct pair_list *separated) {
  const struct relation_group *group = NULL;
  const struct buffer *buffers = columns->problem->buffers;
  while ((group = problem_next_group(columns->problem, RELATION_APART, group))) {
    const size_t *members = columns->problem->relations->members;
    if (!has_shared_bytes(columns, group)) continue;
    for (size_t i = group->begin; i < group->end; i++)
      for (size_t k = group->begin; k < i; k++)
        if (buffers[members[i]].size > 0 && buffers[members[k]].size > 0 &&
            !share_bytes(columns, members[i], members[k]) &&
            !add_pair(separated, members[i], members[k]))
          return false;
  }
  return true;
}

static neap_status refuse(const struct columns *columns, neap_error *error) {
  if (columns->is_late)
    return error_set(error, NEAP_NO_PLAN, "%s", budget_end_text(columns->budget->end));
  return columns->is_crowded ? pair_rules_refuse_crowd(error) : error_memory(error);
}

static neap_status index_pairs(struct columns *columns, neap_error *error) {
  struct pair_list excluded = {0}, separated = {0};
  struct pair_rules rules;
  size_t count = columns->problem->count;
  neap_status status = pair_rules_init(&rules, columns->problem, error);
  if (status == NEAP_OK &&
      !(list_rules(columns, &rules, &excluded, &separated) &&
        list_colocated(columns, &excluded) && list_groups(columns, &separated) &&
        group_index_init(&columns->apart, columns->problem, RELATION_APART) &&
        pairs_init(&columns->excluded, count, excluded.items, excluded.count) &&
        pairs_init(&columns->separated, count, separated.items, separated.count)))
    status = refuse(columns, error);
  pair_rules_clear(&rules);
  free(excluded.items);
  free(separated.items);
  return status;
}

/* ---------------------------------------------------------------- sections to be split */

/* Runs of sections that a buffer shares with others. */
struct runs {
  struct span *items;
  size_t count, capacity;
};

static bool add_run(struct runs *runs, struct span run) {
  if (!memory_reserve(&runs->items, &runs->capacity, runs->count + 1, sizeof *runs->items))
    return false;
  runs->items[runs->count++] = run;
  return true;
}

static bool add_split(struct columns *columns, uint32_t section, uint32_t buffer) {
  columns->is_crowded = columns->split.count >= SPLIT_MOST;
  return !columns->is_crowded && add_entry(&columns->split, section, buffer);
}

static int by_first(const void *left, const void *right) {
  const struct span *a = left, *b = right;
  return a->first < b->first ? -1 : a->first > b->first;
}

/* Lists the sections that a buffer shares with partners, each once; false if they are too many. */
static bool list_shared_sections(struct columns *columns, uint32_t buffer, struct runs *runs) {
  const struct pairs *excluded = &columns->excluded;
  if (excluded->begin[buffer] == excluded->begin[buffer + 1]) return true;
  if (!goes_on(columns)) return false;
  runs->count = 0;
  for (size_t k = excluded->begin[buffer]; k < excluded->begin[buffer + 1]; k++) {
    struct common common = sections_common(columns->sections, buffer, excluded->others[k]);
    struct span run;
    while (common_next(&common, &run))
      if (!add_run(runs, run)) return false;
  }
  if (runs->count > 1) qsort(runs->items, runs->count, sizeof *runs->items, by_first);
  uint32_t from = 0;
  for (size_t r = 0; r < runs->count; r++)
    for (from = (uint32_t)larger_of(from, runs->items[r].first); from < runs->items[r].end;
         from++)
      if (!add_split(columns, from, buffer)) return false;
  return true;
}

static int by_column(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  if (a->column != b->column) return a->column < b->column ? -1 : 1;
  return a->buffer < b->buffer ? -1 : a->buffer > b->buffer;
}

static int by_buffer(const void *left, const void *right) {
  const struct entry *a = left, *b = right;
  if (a->buffer != b->buffer) return a->buffer < b->buffer ? -1 : 1;
  return a->column < b->column ? -1 : a->column > b->column;
}

/* Sorts entries and drops repetitions. */
static void tidy_entries(struct entries *entries,
                         int compare(const void *left, const void *right)) {
  if (entries->count == 0) return;
  qsort(entries->items, entries->count, sizeof *entries->items, compare);
  size_t used = 1;
  for (size_t i = 1; i < entries->count; i++)
    if (compare(&entries->items[i - 1], &entries->items[i]) != 0)
      entries->items[used++] = entries->items[i];
  entries->count = used;
}

static bool list_split(struct columns *columns) {
  struct runs runs = {0};
  bool done = true;
  for (uint32_t i = 0; i < columns->problem->count && done; i++)
    done = list_shared_sections(columns, i, &runs);
  free(runs.items);
  tidy_entries(&columns->split, by_column);
  return done;
}

/* ---------------------------------------------------------------- splitting one section */

/* The buffers of a section that have an excluded partner there, numbered by their places. */
struct crowd {
  struct columns *columns;
  const struct entry *items;
  uint32_t count;
  struct pairs excluded; /* of places; only those of the crowd */
  neap_range when;
  size_t columns_before; /* columns->count */
  size_t members_before; /* columns->members.count */
  uint32_t *chosen;      /* a subset without excluded pairs */
  uint32_t chosen_count;
  uint32_t *blocks; /* per place: excluded partners that are chosen, plus 1 if it is chosen */
  bool *covered;    /* per pair of places: whether a column has both */
  size_t looks;     /* subsets examined */
  bool failed;      /* memory is short */
  bool overfull;    /* more maximal subsets than COLUMNS_MOST, or LOOKS_MOST exceeded */
};

/*
 * Lists the excluded pairs of the crowd, from the shorter list: partners, or buffers of the crowd.
 */
static bool list_partners(const struct crowd *crowd, uint32_t place, struct pair_list *list) {
  const struct pairs *excluded = &crowd->columns->excluded;
  uint32_t buffer = crowd->items[place].buffer;
  size_t begin = excluded->begin[buffer], end = excluded->begin[buffer + 1];
  if (end - begin > crowd->count) {
    for (uint32_t other = 0; other < place; other++)
      if (pairs_has(excluded, buffer, crowd->items[other].buffer) &&
          !add_pair(list, place, other))
        return false;
    return true;
  }
  for (size_t k = begin; k < end; k++) {
    uint32_t other = crowd->columns->places[excluded->others[k]];
    if (other < place && !add_pair(list, place, other)) return false;
  }
  return true;
}

/* Numbers the excluded pairs of the crowd by places. */
static bool number_partners(struct crowd *crowd) {
  struct pair_list list = {0};
  uint32_t *places = crowd->columns->places;
  bool done = true;
  for (uint32_t place = 0; place < crowd->count; place++)
    places[crowd->items[place].buffer] = place;
  for (uint32_t place = 0; place < crowd->count && done; place++)
    done = list_partners(crowd, place, &list);
  for (uint32_t place = 0; place < crowd->count; place++)
    places[crowd->items[place].buffer] = UINT32_MAX;
  done = done && pairs_init(&crowd->excluded, crowd->count, list.items, list.count);
  free(list.items);
  return done;
}

/*
 * Adds `one` (1, or UINT32_MAX for -1) to the blocks of a buffer and of all its excluded
 * partners.
 */
static void add_blocks(struct crowd *crowd, uint32_t place, uint32_t one) {
  const struct pairs *excluded = &crowd->excluded;
  crowd->blocks[place] += one;
  for (size_t k = excluded->begin[place]; k < excluded->begin[place + 1]; k++)
    crowd->blocks[excluded->others[k]] += one;
}

static void choose(struct crowd *crowd, uint32_t place) {
  assert(crowd->blocks[place] == 0);
  crowd->chosen[crowd->chosen_count++] = place;
  add_blocks(crowd, place, 1);
}

static void drop_last(struct crowd *crowd) {
  add_blocks(crowd, crowd->chosen[--crowd->chosen_count], UINT32_MAX);
}

/* Turns the chosen subset into a column. */
static void take_subset(struct crowd *crowd) {
  struct columns *columns = crowd->columns;
  uint32_t column = (uint32_t)columns->count;
  crowd->failed = crowd->failed || !add_column(columns, crowd->when);
  for (uint32_t i = 0; i < crowd->chosen_count && !crowd->failed; i++)
    crowd->failed = !add_member(columns, column, crowd->items[crowd->chosen[i]].buffer);
}

static bool is_maximal(const struct crowd *crowd) {
  for (uint32_t place = 0; place < crowd->count; place++)
    if (crowd->blocks[place] == 0) return false;
  return true;
}

/* Whether a buffer has an excluded partner at a higher place. */
static bool excludes_later(const struct crowd *crowd, uint32_t place) {
  const struct pairs *excluded = &crowd->excluded;
  size_t end = excluded->begin[place + 1];
  return end > excluded->begin[place] && excluded->others[end - 1] > place;
}

/*
 * Lists all maximal subsets that contain the chosen ones, and no others, of the first `next`
 * buffers.
 */
static void list_subsets(struct crowd *crowd, uint32_t next) {
  if (crowd->failed || crowd->overfull) return;
  if (next == crowd->count) {
    crowd->overfull = ++crowd->looks > LOOKS_MOST;
    if (crowd->overfull || !is_maximal(crowd)) return;
    crowd->overfull = crowd->columns->count - crowd->columns_before == COLUMNS_MOST;
    if (!crowd->overfull) take_subset(crowd);
    return;
  }
  bool joins = crowd->blocks[next] == 0;
  if (joins) {
    choose(crowd, next);
    list_subsets(crowd, next + 1);
    drop_last(crowd);
  }
  /* A buffer without excluded partners later is in every maximal subset that it can join. */
  if (!joins || excludes_later(crowd, next)) list_subsets(crowd, next + 1);
}

static bool *pair_of(const struct crowd *crowd, uint32_t first, uint32_t second) {
  return &crowd->covered[(size_t)first * crowd->count + second];
}

/* A pseudo-random bit that depends on the place and on the number of the subset. */
static bool is_preferred(const struct crowd *crowd, uint32_t place) {
  uint64_t subset = crowd->columns->count - crowd->columns_before;
  uint64_t mixed = (subset << 32 | place) * UINT64_C(0x9e3779b97f4a7c15);
  return (mixed ^ mixed >> 29) >> 40 & 1;
}

/*
 * Extends the chosen subset by all buffers that can join it, makes it a column and marks its
 * pairs as covered.  A random half of the buffers joins first, so that a few subsets cover
 * nearly all pairs.
 */
static void cover_subset(struct crowd *crowd) {
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t place = 0; place < crowd->count; place++)
      if (crowd->blocks[place] == 0 && (pass == 1 || is_preferred(crowd, place)))
        choose(crowd, place);
  take_subset(crowd);
  for (uint32_t i = 0; i < crowd->chosen_count; i++)
    for (uint32_t k = 0; k < crowd->chosen_count; k++)
      *pair_of(crowd, crowd->chosen[i], crowd->chosen[k]) = true;
  while (crowd->chosen_count > 0)
    drop_last(crowd);
}

/* Adds subsets until every buffer, and every pair that is not excluded, is in one of them. */
static void cover_greedily(struct crowd *crowd) {
  crowd->columns->count = crowd->columns_before;
  crowd->columns->members.count = crowd->members_before;
  for (uint32_t i = 0; i < crowd->count; i++)
    for (uint32_t k = 0; k <= i && !crowd->failed; k++) {
      if (*pair_of(crowd, i, k) || pairs_has(&crowd->excluded, i, k)) continue;
      choose(crowd, i);
      if (k != i) choose(crowd, k);
      cover_subset(crowd);
      while (crowd->chosen_count > 0)
        drop_last(crowd);
    }
}

static bool split_crowd(struct crowd *crowd) {
  crowd->chosen = memory_array(crowd->count, sizeof *crowd->chosen);
  crowd->blocks = memory_array(crowd->count, sizeof *crowd->blocks);
  crowd->covered = memory_array((size_t)crowd->count * crowd->count, sizeof *crowd->covered);
  if (!crowd->chosen || !crowd->blocks || !crowd->covered || !number_partners(crowd))
    return false;
  crowd->overfull = crowd->count > LISTED_MOST;
  list_subsets(crowd, 0);
  if (crowd->overfull) cover_greedily(crowd);
  return !crowd->failed;
}

/* The last crowd that was split, and its columns. */
struct last_split {
  const struct entry *items;
  size_t count;
  size_t members_begin, members_end, first_column, columns_end;
};

static bool is_same_crowd(const struct last_split *last, const struct entry *items,
                          size_t count) {
  if (last->count != count) return false;
  for (size_t i = 0; i < count; i++)
    if (last->items[i].buffer != items[i].buffer) return false;
  return true;
}

/* Splits a section as the last one, which has the same crowd. */
static bool split_again(struct columns *columns, const struct last_split *last,
                        uint32_t section) {
  uint32_t from = (uint32_t)columns->count;
  for (size_t c = last->first_column; c < last->columns_end; c++)
    if (!add_column(columns, columns->sections->when[section])) return false;
  for (size_t m = last->members_begin; m < last->members_end; m++) {
    struct entry member = columns->members.items[m];
    uint32_t column = from + (member.column - (uint32_t)last->first_column);
    if (!add_member(columns, column, member.buffer)) return false;
  }
  return true;
}

/* Whether a buffer is excluded from all others of a crowd, whose buffers ascend. */
static bool excludes_all(const struct pairs *excluded, uint32_t buffer,
                         const struct entry *items, size_t count) {
  size_t k = excluded->begin[buffer];
  for (size_t i = 0; i < count; i++) {
    if (items[i].buffer == buffer) continue;
    while (k < excluded->begin[buffer + 1] && excluded->others[k] < items[i].buffer)
      k++;
    if (k == excluded->begin[buffer + 1] || excluded->others[k] != items[i].buffer)
      return false;
  }
  return true;
}

static bool exclude_each_other(const struct columns *columns, const struct entry *items,
                               size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!excludes_all(&columns->excluded, items[i].buffer, items, count)) return false;
  return true;
}

/* Each buffer of a crowd gets a column of its own. */
static bool split_apart(struct columns *columns, const struct entry *items, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!add_member(columns, (uint32_t)columns->count, items[i].buffer) ||
        !add_column(columns, columns->sections->when[items[i].column]))
      return false;
  return true;
}

/* False when memory is short or the crowd is too large. */
static bool split_anew(struct columns *columns, const struct entry *items, size_t count) {
  size_t pairs = count * count;
  columns->work += pairs / APART_SHARE;
  columns->is_crowded = count > PAIR_RULES_CROWD_MOST || columns->work > WORK_MOST;
  if (columns->is_crowded) return false;
  if (exclude_each_other(columns, items, count)) return split_apart(columns, items, count);
  columns->work += pairs;
  struct crowd crowd = {.columns = columns,
                        .items = items,
                        .count = (uint32_t)count,
                        .when = columns->sections->when[items[0].column],
                        .columns_before = columns->count,
                        .members_before = columns->members.count};
  bool done = split_crowd(&crowd);
  free(crowd.chosen);
  free(crowd.blocks);
  free(crowd.covered);
  pairs_clear(&crowd.excluded);
  assert(!done || columns->count > crowd.columns_before);
  return done;
}

static bool split_section(struct columns *columns, struct last_split *last,
                          const struct entry *items, size_t count) {
  if (!goes_on(columns)) return false;
  if (is_same_crowd(last, items, count)) return split_again(columns, last, items[0].column);
  *last = (struct last_split){.items = items,
                              .count = count,
                              .members_begin = columns->members.count,
                              .first_column = columns->count};
  bool done = split_anew(columns, items, count);
  last->members_end = columns->members.count;
  last->columns_end = columns->count;
  return done;
}

/* Numbers the columns of all sections. */
static bool number_columns(struct columns *columns) {
  const struct sections *sections = columns->sections;
  const struct entries *split = &columns->split;
  columns->begin = memory_array(sections->count + 1, sizeof *columns->begin);
  columns->places = memory_array(columns->problem->count, sizeof *columns->places);
  if (!columns->begin || !columns->places) return false;
  for (size_t i = 0; i < columns->problem->count; i++)
    columns->places[i] = UINT32_MAX;
  size_t next = 0;
  struct last_split last = {0};
  for (uint32_t s = 0; s < sections->count; s++) {
    size_t from = next;
    columns->begin[s] = (uint32_t)columns->count;
    while (next < split->count && split->items[next].column == s)
      next++;
    bool done = next == from ? add_column(columns, sections->when[s])
                             : split_section(columns, &last, split->items + from, next - from);
    if (!done) return false;
  }
  columns->begin[sections->count] = (uint32_t)columns->count;
  return true;
}

/* ---------------------------------------------------------------- separations */

/* Whether two buffers conflict.  The spans still have the old section numbers. */
static bool do_conflict(const struct columns *columns, uint32_t first, uint32_t second) {
  if (pairs_has(&columns->separated, first, second) ||
      (group_index_share(&columns->apart, first, second) &&
       !share_bytes(columns, first, second)))
    return true;
  return sections_meet(columns->sections, first, second) &&
         !pairs_has(&columns->excluded, first, second);
}

/* A clique that covers separations. */
struct clique {
  uint32_t *members;
  size_t count, capacity;
};

/* Adds a buffer to a clique if it conflicts with all members; false when memory is short. */
static bool extend_clique(const struct columns *columns, struct clique *clique,
                          uint32_t buffer) {
  for (size_t i = 0; i < clique->count; i++)
    if (clique->members[i] == buffer || !do_conflict(columns, clique->members[i], buffer))
      return true;
  if (!memory_reserve(&clique->members, &clique->capacity, clique->count + 1,
                      sizeof *clique->members))
    return false;
  clique->members[clique->count++] = buffer;
  return true;
}

/*
 * Appends a column for a clique; its time reaches from the members' first start to their last
 * end.
 */
static bool append_clique(struct columns *columns, const struct clique *clique) {
  neap_range when = problem_hull(columns->problem, clique->members[0]);
  uint32_t column = (uint32_t)columns->count;
  for (size_t i = 0; i < clique->count; i++) {
    neap_range hull = problem_hull(columns->problem, clique->members[i]);
    when = (neap_range){smaller_of(when.start, hull.start), larger_of(when.end, hull.end)};
    if (!add_entry(&columns->members, column, clique->members[i])) return false;
  }
  return add_column(columns, when);
}

/* All buffers by descending size, to extend cliques with; empty if there are too many. */
struct largest {
  uint32_t *buffers;
  size_t count;
};

int columns_larger_first(const void *left, const void *right, void *problem) {
  const struct buffer *buffers = ((const struct neap_problem *)problem)->buffers;
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  if (buffers[a].size != buffers[b].size) return buffers[a].size > buffers[b].size ? -1 : 1;
  return a < b ? -1 : a > b;
}

static bool largest_init(struct largest *largest, const struct neap_problem *problem) {
  *largest = (struct largest){0};
  if (problem->count > MAXIMAL_UP_TO) return true;
  largest->buffers = memory_array(problem->count, sizeof *largest->buffers);
  if (!largest->buffers) return false;
  for (uint32_t i = 0; i < problem->count; i++)
    if (problem->buffers[i].size > 0) largest->buffers[largest->count++] = i;
  qsort_r(largest->buffers, largest->count, sizeof *largest->buffers, columns_larger_first,
          (void *)(uintptr_t)problem);
  return true;
}

static size_t degree(const struct pairs *pairs, uint32_t buffer) {
  return pairs->begin[buffer + 1] - pairs->begin[buffer];
}

/*
 * Extends the clique of one separation greedily: by partners of `first` (of `second` if it has far
 * fewer, so that a star of separations takes linear time), then by the largest buffers.  False when
 * memory is short.
 */
static bool grow_clique(const struct columns *columns, const struct largest *largest,
                        uint32_t first, uint32_t second, struct clique *clique) {
  const struct pairs *separated = &columns->separated;
  clique->count = 0;
  bool done = extend_clique(columns, clique, first) && extend_clique(columns, clique, second);
  if (degree(separated, first) > PARTNERS_MOST && degree(separated, second) < PARTNERS_MOST)
    first = second;
  for (size_t k = separated->begin[first]; done && k < separated->begin[first + 1]; k++)
    done = extend_clique(columns, clique, separated->others[k]);
  for (size_t i = 0; done && i < largest->count; i++)
    done = extend_clique(columns, clique, largest->buffers[i]);
  return done;
}

/* Marks those separations of the clique's members that the clique covers. */
static void mark_covered(const struct columns *columns, const struct clique *clique,
                         bool *covered) {
  const struct pairs *separated = &columns->separated;
  for (size_t i = 0; i < clique->count; i++) {
    uint32_t member = clique->members[i];
    for (size_t j = 0; j < clique->count; j++) {
      struct bisection search =
          bisection_of(separated->begin[member], separated->begin[member + 1]);
      while (bisection_open(&search))
        bisection_step(&search, separated->others[search.middle] < clique->members[j]);
      if (search.low < separated->begin[member + 1] &&
          separated->others[search.low] == clique->members[j])
        covered[search.low] = true;
    }
  }
}

/* Appends a column for each group that is a clique, extended by the largest buffers. */
static bool append_groups(struct columns *columns, const struct largest *largest,
                          struct clique *clique) {
  const struct relation_group *group = NULL;
  const struct neap_problem *problem = columns->problem;
  bool done = true;
  while (done && (group = problem_next_group(problem, RELATION_APART, group))) {
    const size_t *members = problem->relations->members;
    if (has_shared_bytes(columns, group)) continue;
    done = memory_reserve(&clique->members, &clique->capacity, group_size(group),
                          sizeof *clique->members);
    clique->count = 0;
    for (size_t m = group->begin; m < group->end && done; m++)
      if (problem->buffers[members[m]].size > 0)
        clique->members[clique->count++] = (uint32_t)members[m];
    for (size_t i = 0; i < largest->count && done; i++)
      done = extend_clique(columns, clique, largest->buffers[i]);
    done = done && (clique->count < 2 || append_clique(columns, clique));
  }
  return done;
}

static bool append_separations(struct columns *columns) {
  const struct pairs *separated = &columns->separated;
  size_t count = columns->problem->count;
  bool *covered = memory_array(separated->begin[count], sizeof *covered);
  struct largest largest;
  struct clique clique = {0};
  bool done = largest_init(&largest, columns->problem) && covered &&
              append_groups(columns, &largest, &clique);
  for (uint32_t i = 0; i < count && done; i++)
    for (size_t k = separated->begin[i]; k < separated->begin[i + 1] && done; k++) {
      uint32_t other = separated->others[k];
      if (covered[k] || other < i || sections_meet(columns->sections, i, other)) continue;
      done = goes_on(columns) && grow_clique(columns, &largest, i, other, &clique) &&
             append_clique(columns, &clique);
      mark_covered(columns, &clique, covered);
    }
  free(covered);
  free(clique.members);
  free(largest.buffers);
  return done;
}

/* ---------------------------------------------------------------- new spans */

struct spans {
  struct span *items;
  size_t count, capacity;
  size_t begin; /* of the buffer being mapped */
};

static bool add_span(struct spans *spans, uint32_t first, uint32_t end) {
  if (first == end) return true;
  if (spans->count > spans->begin && spans->items[spans->count - 1].end == first) {
    spans->items[spans->count - 1].end = end;
    return true;
  }
  if (!memory_reserve(&spans->items, &spans->capacity, spans->count + 1, sizeof *spans->items))
    return false;
  spans->items[spans->count++] = (struct span){first, end};
  return true;
}

/* A position in the sorted entries; it advances from buffer to buffer. */
struct cursor {
  const struct entries *entries;
  size_t at;
};

static bool cursor_next(struct cursor *cursor, uint32_t buffer, uint32_t below,
                        uint32_t *column) {
  const struct entries *entries = cursor->entries;
  if (cursor->at == entries->count || entries->items[cursor->at].buffer != buffer ||
      entries->items[cursor->at].column >= below)
    return false;
  *column = entries->items[cursor->at++].column;
  return true;
}

/* Maps a run of old sections, some of which were split. */
static bool map_run(const struct columns *columns, struct span run, uint32_t buffer,
                    struct cursor *split, struct cursor *members, struct spans *spans) {
  uint32_t from = run.first, section, column;
  while (cursor_next(split, buffer, run.end, &section)) {
    if (!add_span(spans, columns->begin[from], columns->begin[section])) return false;
    while (cursor_next(members, buffer, columns->begin[section + 1], &column))
      if (!add_span(spans, column, column + 1)) return false;
    from = section + 1;
  }
  return add_span(spans, columns->begin[from], columns->begin[run.end]);
}

static bool map_buffers(struct columns *columns, struct spans *spans) {
  struct sections *sections = columns->sections;
  struct cursor split = {&columns->split, 0}, members = {&columns->members, 0};
  size_t old = 0;
  uint32_t column;
  for (uint32_t i = 0; i < columns->problem->count; i++) {
    spans->begin = spans->count;
    for (; old < sections->spans_end[i]; old++)
      if (!map_run(columns, sections->spans[old], i, &split, &members, spans)) return false;
    while (cursor_next(&members, i, UINT32_MAX, &column))
      if (!add_span(spans, column, column + 1)) return false;
    sections->spans_end[i] = spans->count;
  }
  assert(split.at == columns->split.count && members.at == columns->members.count);
  return true;
}

/* Gives the sections their columns and spans. */
static bool rebuild_sections(struct columns *columns) {
  struct sections *sections = columns->sections;
  struct spans spans = {0};
  tidy_entries(&columns->split, by_buffer);
  tidy_entries(&columns->members, by_buffer);
  if (!map_buffers(columns, &spans)) {
    free(spans.items);
    return false;
  }
  free(sections->spans);
  free(sections->when);
  sections->spans = spans.items;
  sections->span_count = spans.count;
  sections->when = columns->when;
  sections->count = columns->count;
  sections->moments = columns->begin[sections->moments];
  columns->when = NULL;
  return true;
}

static neap_status relate(struct sections *sections, const struct neap_problem *problem,
                          struct budget *budget, neap_error *error) {
  if (!problem_has(problem, RELATION_APART | RELATION_FREES)) return NEAP_OK;
  struct columns columns = {.problem = problem, .sections = sections, .budget = budget};
  neap_status status = bodies_init(&columns.bodies, problem, error);
  if (status == NEAP_OK) status = index_pairs(&columns, error);
  if (status == NEAP_OK && !(list_split(&columns) && number_columns(&columns) &&
                             append_separations(&columns) && rebuild_sections(&columns)))
    status = refuse(&columns, error);
  columns_clear(&columns);
  return status == NEAP_OK ? heaviest_append(sections, problem, error) : status;
}

neap_status columns_init_within(struct sections *sections, const struct neap_problem *problem,
                                enum sections_scope scope, struct budget *budget,
                                neap_error *error) {
  neap_status status = sections_divide(sections, problem, scope, error);
  if (status == NEAP_OK && problem->relations)
    status = relate(sections, problem, budget, error);
  if (status != NEAP_OK) sections_clear(sections);
  return status;
}

neap_status columns_init(struct sections *sections, const struct neap_problem *problem,
                         enum sections_scope scope, neap_error *error) {
  return columns_init_within(sections, problem, scope, NULL, error);
}
