/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tries reasons from the shortest to the longest: `load`, `column`, `banks`, then clauses about
 * pairs.
 *
 * Cost: `load` and `column` take time close to linear; the search for clauses is limited by
 * task->max_states, REASON_WORDS_MOST and the budget.  Sizes are in bytes.  Invariant:
 * task->least is 0 until a reason succeeds, and from then on at least task->target.
 */
#include "certify/reasons.h"

#include <stdlib.h>

#include "certify/certificate.h"
#include "certify/conflicts.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "facts/columns.h"
#include "facts/load_curve.h"
#include "facts/subset.h"
#include "search/disjunctive/disjunctive.h"
#include "search/parts.h"

/* ---------------------------------------------------------------- pairs */

/*
 * The clauses that search/disjunctive/disjunctive learns on the way to a contradiction are the
 * proof: a program with the same propagation can check them one after another.
 */

/* The common divisor of all alignments; all offsets are multiples of it. */
static neap_size common_alignment(const struct certify_task *task, const struct part *part) {
  neap_size common = 0;
  for (size_t i = 0; i < part->count; i++)
    common = common_divisor(task->problem->buffers[part->buffer[i]].alignment, common);
  return common;
}

/* Whether the part rounds sizes up to exactly the common alignment, as the proof does. */
static bool rounds_alike(const struct certify_task *task, const struct part *part) {
  if (part->ties) return true;
  neap_size common = common_alignment(task, part);
  for (size_t i = 0; i < part->count; i++) {
    neap_size size = task->problem->buffers[part->buffer[i]].size;
    if (round_up(size, common) != part->size[i] * part->unit) return false;
  }
  return true;
}

/* The target in steps of a part; no layout reaches one above the extent. */
static neap_size target_in(const struct certify_task *task, const struct part *part) {
  neap_size step = part_step(part);
  return round_up(task->target, step) / step;
}

/* Whether a proof can express the part: the checker gives up on offsets in too many pieces. */
static bool suits(const struct certify_task *task, const struct part *part) {
  const struct ties *ties = part->ties;
  return (!ties || ties->hole_count <= REASON_HOLES_MOST) && rounds_alike(task, part);
}

static size_t members_of(const struct part *part, uint32_t column) {
  size_t count = 0;
  for (size_t i = 0; i < part->count; i++)
    count += part_is_in(part, i, column);
  return count;
}

static void print_columns(const struct certify_task *task, const struct part *part) {
  for (uint32_t c = 0; c < part->column_count; c++) {
    if (members_of(part, c) < 2) continue;
    lines_word(task->proof, "clique");
    for (size_t i = 0; i < part->count; i++)
      if (part_is_in(part, i, c))
        lines_number(task->proof, certify_number(task, part->buffer[i]));
    lines_end(task->proof);
  }
}

static void print_clauses(const struct certify_task *task, const struct part *part,
                          const uint32_t *words, size_t count) {
  for (size_t at = 0; at < count; at += 1 + 2 * words[at]) {
    assert(at + 2 * words[at] < count); /* a clause is a length and that many pairs */
    lines_word(task->proof, "below");
    for (uint32_t i = 1; i <= 2 * words[at]; i++)
      lines_number(task->proof, certify_number(task, part->buffer[words[at + i]]));
    lines_end(task->proof);
  }
}

static void begin_proof(const struct certify_task *task, size_t clauses) {
  lines_word(task->proof, "pairs");
  lines_number(task->proof, (int64_t)clauses);
  lines_end(task->proof);
}

static size_t count_clauses(const uint32_t *words, size_t count) {
  size_t clauses = 0;
  for (size_t at = 0; at < count; at += 1 + 2 * words[at])
    clauses++;
  return clauses;
}

static void print_proof(const struct certify_task *task, const struct part *part,
                        const struct orienter *orienter) {
  size_t count;
  const uint32_t *words = orienter_clauses(orienter, &count);
  begin_proof(task, count_clauses(words, count));
  print_columns(task, part);
  print_clauses(task, part, words, count);
}

/* Restarts until the target is refuted, a layout is found, or a limit is reached. */
static enum verdict search(const struct certify_task *task, struct orienter *orienter,
                           neap_size target) {
  const struct turn turn = {.capacity = target - 1, .goal = target - 1};
  enum verdict verdict = VERDICT_OPEN;
  for (size_t count = 0; verdict == VERDICT_OPEN && count < REASON_WORDS_MOST;) {
    verdict = method_disjunctive.step(orienter, &turn, task->budget);
    const uint32_t *words = orienter_clauses(orienter, &count);
    if (verdict == VERDICT_OPEN && count_clauses(words, count) >= task->max_states) break;
  }
  return verdict;
}

static neap_status prove_part(struct certify_task *task, const struct part *part,
                              neap_error *error) {
  void *orienter = NULL;
  if (!suits(task, part)) return NEAP_OK;
  enum verdict verdict = VERDICT_MEMORY;
  if (orienter_new(part, target_in(task, part), &orienter))
    verdict = orienter ? search(task, orienter, target_in(task, part)) : VERDICT_OPEN;
  if (verdict == VERDICT_REFUTED) {
    task->least = task->target;
    print_proof(task, part, orienter);
  }
  method_disjunctive.free(orienter);
  return verdict == VERDICT_MEMORY ? error_memory(error) : NEAP_OK;
}

/* Whether one buffer cannot lie below another one, whatever the peak. */
static bool cannot_lie_below(const struct items *items, uint32_t below, uint32_t above) {
  bool is_scattered = false;
  neap_offset low = items_place(items, below, 0, &is_scattered);
  if (is_scattered || low >= ITEMS_NOWHERE) return false;
  neap_offset from = low + items_gap(items, below, above);
  return items_place(items, above, from, &is_scattered) >= ITEMS_NOWHERE && !is_scattered;
}

/* Lists buffers that cannot be moved up as far as one likes; returns their number. */
static size_t list_limited(const struct neap_problem *problem, uint32_t *limited) {
  size_t count = 0;
  for (uint32_t i = 0; i < problem->count; i++)
    if (problem->buffers[i].fixed_offset != NEAP_UNPLACED ||
        problem_limits(problem, i)->window_high < NEAP_MAX)
      limited[count++] = i;
  return count;
}

/*
 * Above the extents, layouts could be pushed down, so there is none only if limits contradict each
 * other: finds two buffers of which none can be the lower one.
 */
static neap_status contradiction_prove(struct certify_task *task, const struct items *items,
                                       neap_error *error) {
  uint32_t *limited = memory_array(task->problem->count, sizeof *limited);
  if (!limited) return error_memory(error);
  size_t count = list_limited(task->problem, limited);
  for (size_t i = 0; count <= REASON_LIMITED_MOST && i < count && task->least == 0; i++)
    for (size_t k = 0; k < i && task->least == 0; k++) {
      uint32_t a = limited[i], b = limited[k];
      if (!items_conflict(items, a, b) || !cannot_lie_below(items, a, b) ||
          !cannot_lie_below(items, b, a))
        continue;
      begin_proof(task, 0);
      task->least = task->target;
    }
  free(limited);
  return NEAP_OK;
}

/* Tries each part.  Sets *is_beyond if the target is above an extent. */
static neap_status prove_parts(struct certify_task *task, bool *is_beyond, neap_error *error) {
  struct parts parts = {0};
  neap_status status = parts_init(&parts, task->problem, error);
  for (size_t p = 0; p < parts.count && status == NEAP_OK && task->least == 0; p++) {
    const struct part *part = &parts.items[p];
    if (target_in(task, part) > part->extent) *is_beyond = true;
    else status = prove_part(task, part, error);
  }
  parts_clear(&parts);
  return status;
}

/* Lists the buffers that have a column in a window; returns their number. */
static size_t list_window(const struct sections *sections, size_t buffers, struct span window,
                          size_t *listed) {
  size_t count = 0;
  for (size_t i = 0, s = 0; i < buffers; i++) {
    bool meets = false;
    for (; s < sections->spans_end[i]; s++)
      meets |= spans_meet(sections->spans[s], window);
    if (meets) listed[count++] = i;
  }
  return count;
}

/* Tries some of the buffers alone: what is proven of these holds for the whole problem. */
static neap_status prove_some(struct certify_task *task, const struct subset_choice *some,
                              neap_error *error) {
  struct certify_task inner = *task;
  struct subset subset;
  bool is_beyond = false;
  neap_status status = subset_init(&subset, task->problem, some, error);
  if (status != NEAP_OK) return status;
  for (size_t i = 0; i < some->count; i++)
    subset.originals[i] = (size_t)certify_number(task, subset.originals[i]);
  inner.problem = subset.problem;
  inner.originals = subset.originals;
  status = prove_parts(&inner, &is_beyond, error);
  task->least = inner.least;
  subset_clear(&subset);
  return status;
}

/*
 * If a problem is too large, a few columns around the highest one may do.  Relations that tie
 * buffers together across columns do not suit.
 */
static neap_status windows_prove(struct certify_task *task, neap_error *error) {
  const struct neap_problem *problem = task->problem;
  struct sections sections;
  uint32_t highest;
  neap_size load;
  if (problem_has(problem, RELATION_JOINS | RELATION_GAP)) return NEAP_OK;
  neap_status status = columns_init(&sections, problem, SECTIONS_NONEMPTY, error);
  if (status != NEAP_OK) return status;
  size_t *listed = memory_array(problem->count, sizeof *listed);
  if (!listed || !loads_heaviest(problem, &sections, &highest, &load))
    status = error_memory(error);
  for (uint32_t reach = 1; status == NEAP_OK && reach < sections.count; reach *= 2) {
    const struct span window = {highest > reach ? highest - reach : 0, highest + reach + 1};
    size_t count = list_window(&sections, problem->count, window, listed);
    if (count > HEIGHTS_COUNT_MOST || !budget_tick(task->budget)) break;
    status = prove_some(task, &(struct subset_choice){listed, count, 0, false}, error);
    if (task->least > 0) break;
  }
  free(listed);
  sections_clear(&sections);
  return status;
}

/* Proves task->target and sets task->least, if few clauses about a small part suffice. */
static neap_status pairs_prove(struct certify_task *task, const struct items *items,
                               neap_error *error) {
  bool is_beyond = false;
  neap_status status = prove_parts(task, &is_beyond, error);
  if (status != NEAP_OK || task->least > 0) return status;
  return is_beyond ? contradiction_prove(task, items, error) : windows_prove(task, error);
}

/* ---------------------------------------------------------------- columns */

/* The reason `column`: pairwise strict buffers need that many bytes. */

struct column {
  const struct items *items;
  struct item_low *all; /* the buffers listed */
  size_t count;
  struct item_low *some; /* a subset of `all`, for a trial */
  bool is_strict;        /* so are all buffers that share a column */
};

static neap_size height_without(struct column *column, size_t left_out) {
  assert(left_out == SIZE_MAX || left_out < column->count);
  size_t count = 0;
  for (size_t i = 0; i < column->count; i++)
    if (i != left_out) column->some[count++] = column->all[i];
  return items_stack(column->items, column->some, count);
}

/* Lists a buffer, unless its offsets are too scattered or it may share bytes with one listed. */
static void list(struct column *column, uint32_t buffer) {
  bool is_scattered = false;
  for (size_t i = 0; i < column->count && !column->is_strict; i++)
    if (!items_strict(column->items, column->all[i].buffer, buffer)) return;
  neap_offset low = items_place(column->items, buffer, 0, &is_scattered);
  if (!is_scattered) column->all[column->count++] = (struct item_low){low, buffer};
}

/* Drops buffers without which the height stays the same. */
static void shrink(struct column *column, neap_size height) {
  for (size_t i = column->count; i-- > 0;) {
    if (height_without(column, i) < height) continue;
    for (size_t k = i + 1; k < column->count; k++)
      column->all[k - 1] = column->all[k];
    column->count--;
  }
  assert(column->count > 0 && height_without(column, SIZE_MAX) >= height);
}

static void print_column(struct certify_task *task, const struct column *column,
                         neap_size height) {
  assert(height >= task->target && task->target > 0);
  lines_word(task->proof, "column");
  for (size_t i = 0; i < column->count; i++)
    lines_number(task->proof, certify_number(task, column->all[i].buffer));
  lines_end(task->proof);
  task->least = height;
}

/*
 * Tries a buffer that can be nowhere, or that has 0 bytes: it is in no clique but may have a high
 * lowest offset.
 */
static void try_alone(struct certify_task *task, struct column *column, uint32_t buffer) {
  bool is_scattered = false;
  neap_offset low = items_place(column->items, buffer, 0, &is_scattered);
  bool is_of_columns = task->problem->buffers[buffer].size > 0 && low < ITEMS_NOWHERE;
  if (is_scattered || is_of_columns || low < task->target) return;
  column->all[0] = (struct item_low){low, buffer};
  column->count = 1;
  print_column(task, column, low);
}

static int by_number(const void *left, const void *right) {
  const struct item_low *a = left, *b = right;
  return (a->buffer > b->buffer) - (a->buffer < b->buffer);
}

/* Tries the buffers that are listed. */
static void try_listed(struct certify_task *task, struct column *column) {
  qsort(column->all, column->count, sizeof *column->all, by_number);
  neap_size height = height_without(column, SIZE_MAX);
  if (height < task->target || height >= ITEMS_NOWHERE) return;
  shrink(column, height);
  print_column(task, column, height);
}

/*
 * Tries a column.  If some of its buffers may share bytes, each of them starts a set of its own, to
 * which every other one is added that must not share bytes with those before.
 */
static void try_column(struct certify_task *task, struct column *column,
                       const uint32_t *members, size_t count) {
  for (size_t first = 0; first < (column->is_strict ? 1 : count) && task->least == 0; first++) {
    column->count = 0;
    list(column, members[first]);
    for (size_t i = 0; i < count; i++)
      if (i != first) list(column, members[i]);
    try_listed(task, column);
  }
}

/* Lists the members of each column; those of column c end at ends[c]. */
static uint32_t *list_members(const struct sections *sections, size_t buffers, size_t *ends) {
  for (size_t s = 0; s < sections->span_count; s++)
    for (uint32_t c = sections->spans[s].first; c < sections->spans[s].end; c++)
      ends[c + 1]++;
  for (size_t c = 0; c < sections->count; c++)
    ends[c + 1] += ends[c];
  uint32_t *members = memory_array(ends[sections->count], sizeof *members);
  for (size_t i = 0, s = 0; i < buffers && members; i++)
    for (; s < sections->spans_end[i]; s++)
      for (uint32_t c = sections->spans[s].first; c < sections->spans[s].end; c++)
        members[ends[c]++] = (uint32_t)i;
  return members;
}

static bool has_few_members(const struct sections *sections) {
  size_t total = 0;
  for (size_t s = 0; s < sections->span_count && total <= REASON_MEMBERS_MOST; s++)
    total += sections->spans[s].end - sections->spans[s].first;
  return 0 < total && total <= REASON_MEMBERS_MOST;
}

static neap_status try_columns(struct certify_task *task, struct column *column,
                               neap_error *error) {
  struct sections sections;
  neap_status status = columns_init(&sections, task->problem, SECTIONS_NONEMPTY, error);
  if (status != NEAP_OK) return status;
  bool is_possible = has_few_members(&sections);
  size_t *ends = memory_array(sections.count + 1, sizeof *ends);
  uint32_t *members =
      ends && is_possible ? list_members(&sections, task->problem->count, ends) : NULL;
  for (size_t c = 0; members && c < sections.count && task->least == 0; c++) {
    size_t begin = c == 0 ? 0 : ends[c - 1];
    if (!budget_tick(task->budget)) break;
    try_column(task, column, members + begin, ends[c] - begin);
  }
  bool has_room = ends && (members || !is_possible);
  free(members);
  free(ends);
  sections_clear(&sections);
  return has_room ? NEAP_OK : error_memory(error);
}

/* Proves task->target and sets task->least, if the stack of some column reaches the target. */
static neap_status column_prove(struct certify_task *task, const struct items *items,
                                neap_error *error) {
  struct column column = {.items = items};
  column.all = memory_array(task->problem->count, sizeof *column.all);
  column.some = memory_array(task->problem->count, sizeof *column.some);
  column.is_strict = items->rules.gap_count == 0 && items->bodies.count == 0;
  bool has_room = column.all && column.some;
  neap_status status = has_room ? try_columns(task, &column, error) : error_memory(error);
  for (uint32_t i = 0; status == NEAP_OK && i < task->problem->count && task->least == 0; i++)
    try_alone(task, &column, i);
  free(column.all);
  free(column.some);
  return status;
}

/* ---------------------------------------------------------------- all reasons */

neap_status reason_find_load(struct certify_task *task, neap_error *error) {
  neap_time moment;
  task->kind = NEAP_CERTIFICATE_LOAD;
  neap_status status = load_find(task->problem, task->target, &moment, &task->least, error);
  if (status != NEAP_OK || task->least == 0) return status;
  assert(task->least >= task->target);
  lines_word(task->proof, "load");
  lines_number(task->proof, moment);
  for (size_t i = 0; i < task->problem->count; i++)
    if (load_has(task->problem, i, moment)) lines_number(task->proof, certify_number(task, i));
  lines_end(task->proof);
  return NEAP_OK;
}

neap_status reason_find(struct certify_task *task, neap_error *error) {
  struct items items = {0};
  neap_size target = task->target;
  task->least = 0;
  if (target == 0) return NEAP_OK; /* no peak is below 0 */
  neap_status status = target < CERTIFY_NEVER ? reason_find_load(task, error) : NEAP_OK;
  task->is_large = !items_suit(task->problem);
  if (status != NEAP_OK || task->least > 0 || task->is_large) return status;
  if (target >= ITEMS_NOWHERE) {
    if (task->plan) return NEAP_OK;
    task->target = ITEMS_NOWHERE;
  }
  task->kind = NEAP_CERTIFICATE_COLUMN;
  status = items_init(&items, task->problem, error);
  if (status == NEAP_OK) status = column_prove(task, &items, error);
  if (status == NEAP_OK && task->least == 0) status = banks_prove(task, &items, error);
  if (status == NEAP_OK && task->least == 0) {
    task->kind = NEAP_CERTIFICATE_PAIRS;
    status = pairs_prove(task, &items, error);
  }
  items_clear(&items);
  task->target = target;
  if (task->least >= ITEMS_NOWHERE) task->least = CERTIFY_NEVER;
  return status;
}
