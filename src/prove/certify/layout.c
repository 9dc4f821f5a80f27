/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A search like those of src/solve/search, restricted to the rules that doc/certificate.md can
 * state: cells of cliques, independent components, domination by an earlier state, rectangles
 * that could as well lie at the floor (spanning), and twins.  The format leaves the choice of
 * the next clique open: this search takes the one with the fewest children, divided by a weight
 * that grows whenever the clique is full.
 *
 * Restarts with growing limits learn the weights; the run that refutes the root is printed.
 *
 * Cost: each state visits all cliques to choose a cell, and all known states with the same
 * hash.  Offsets are in bytes.  Invariants: stage_undo restores the state after each child; the
 * lines of a refuted state are contiguous, with one line per state, in depth-first order.
 */
#include "certify/layout.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"

#define SLOTS 65536 /* of the hash table of known states */

enum line_kind { LINE_FULL, LINE_PART, LINE_AS, LINE_CELL };

struct line {
  enum line_kind kind;
  bool is_kept;    /* a later line refers to it */
  uint32_t where;  /* a clique, a rectangle, or the line referred to */
  size_t starters; /* of a cell: where its starters begin in search.starters */
  uint32_t count;  /* of a cell: the number of its starters */
};

/* A refuted state. */
struct known {
  uint64_t hash;
  uint32_t line;
  uint32_t next;     /* the next older state of its slot, plus 1, or 0 */
  size_t begin, end; /* its rectangles and lows, in search.lows */
};

struct known_low {
  uint32_t rectangle;
  neap_offset low;
};

struct search {
  struct certify_task *task;
  struct stage stage;
  double *weights; /* per clique */
  uint64_t limit;
  struct line *lines;
  size_t line_count, line_capacity;
  uint32_t *starters;
  size_t starter_count, starter_capacity;
  struct known *known;
  size_t known_count, known_capacity;
  struct known_low *lows;
  size_t low_count, low_capacity;
  uint32_t *slots;
  neap_size least; /* the smallest stack of all full cliques */
  size_t depth;
  bool is_short; /* memory is short */
};

enum answer { ANSWER_REFUTED, ANSWER_FOUND, ANSWER_STOPPED };

/* ---------------------------------------------------------------- lines */

static enum answer run_short(struct search *search) {
  search->is_short = true;
  return ANSWER_STOPPED;
}

static bool add_line(struct search *search, enum line_kind kind, uint32_t where) {
  if (!memory_reserve(&search->lines, &search->line_capacity, search->line_count + 1,
                      sizeof *search->lines)) {
    search->is_short = true;
    return false;
  }
  search->lines[search->line_count++] =
      (struct line){kind, false, where, search->starter_count, 0};
  return true;
}

/* Removes the lines from `count` on, and the known states that refer to them. */
static void cut_lines(struct search *search, size_t count) {
  assert(count <= search->line_count);
  while (search->known_count > 0 && search->known[search->known_count - 1].line >= count) {
    struct known *last = &search->known[--search->known_count];
    assert(search->slots[last->hash % SLOTS] == search->known_count + 1); /* the newest */
    search->slots[last->hash % SLOTS] = last->next;
    search->low_count = last->begin;
  }
  if (search->line_count > count) search->starter_count = search->lines[count].starters;
  search->line_count = count;
}

/* ---------------------------------------------------------------- known states */

static bool is_dominated(const struct search *search, const struct known *known) {
  const struct stage *stage = &search->stage;
  for (size_t i = known->begin; i < known->end; i++)
    if (stage->low[search->lows[i].rectangle] == STAGE_GONE ||
        stage->low[search->lows[i].rectangle] < search->lows[i].low)
      return false;
  return true;
}

static size_t count_left(const struct stage *stage) {
  size_t count = 0;
  for (uint32_t w = 0; w < stage->words; w++)
    count += (size_t)__builtin_popcountll(stage->left[w]);
  return count;
}

/*
 * The first line that refutes a state with the same rectangles, each with a low at or below its
 * present one.
 */
static uint32_t find_known(const struct search *search) {
  uint64_t hash = search->stage.hash;
  size_t left = count_left(&search->stage);
  uint32_t found = UINT32_MAX;
  for (uint32_t at = search->slots[hash % SLOTS]; at > 0; at = search->known[at - 1].next) {
    const struct known *known = &search->known[at - 1];
    if (known->hash == hash && known->end - known->begin == left && known->line < found &&
        is_dominated(search, known))
      found = known->line;
  }
  return found;
}

/* Records that a line refutes the present state, if there is room. */
static bool note_known(struct search *search, uint32_t line) {
  assert(line < search->line_count);
  struct stage *stage = &search->stage;
  size_t left = count_left(stage);
  if ((search->low_count + left) * sizeof *search->lows > LAYOUT_STATE_BYTES) return true;
  if (!memory_reserve(&search->lows, &search->low_capacity, search->low_count + left + 1,
                      sizeof *search->lows) ||
      !memory_reserve(&search->known, &search->known_capacity, search->known_count + 1,
                      sizeof *search->known))
    return false;
  struct known known = {stage->hash, line, search->slots[stage->hash % SLOTS],
                        search->low_count, search->low_count + left};
  for (uint32_t i = 0; i < stage->count; i++)
    if (stage->low[i] != STAGE_GONE)
      search->lows[search->low_count++] = (struct known_low){i, stage->low[i]};
  assert(search->low_count == known.end);
  search->known[search->known_count++] = known;
  search->slots[stage->hash % SLOTS] = (uint32_t)search->known_count;
  return true;
}

/* ---------------------------------------------------------------- which cell */

/* Whether no neighbour of a starter could still lie below it. */
static bool is_flat(const struct stage *stage, const uint32_t *starters, uint32_t count,
                    neap_offset floor) {
  for (uint32_t s = 0; s < count; s++)
    for (uint32_t k = stage->begins[starters[s]]; k < stage->begins[starters[s] + 1]; k++) {
      const struct neighbour *near = &stage->neighbours[k];
      neap_offset low = stage->low[near->other];
      if (low != STAGE_GONE && low + near->below <= floor) return false;
    }
  return true;
}

static double cost_of(struct search *search, uint32_t clique, neap_offset floor,
                      uint32_t starters) {
  const struct stage *stage = &search->stage;
  neap_size sum = floor;
  for (uint32_t i = 0; i < stage->cliques[clique].count; i++) {
    uint32_t member = stage->cliques[clique].members[i];
    if (stage->low[member] != STAGE_GONE)
      sum += stage->items->problem->buffers[stage->buffers[member]].size;
  }
  double children = starters + (sum < search->task->target - 1 ? 1 : 0);
  return children / search->weights[clique];
}

/* The first clique with the same starters. */
static uint32_t first_alike(struct search *search, uint32_t clique, neap_offset floor,
                            const uint32_t *starters, uint32_t count, uint32_t *scratch) {
  const struct stage *stage = &search->stage;
  uint32_t one = starters[0];
  assert(count > 0 && count <= stage->count);
  for (uint32_t k = stage->of_begins[one]; k < stage->of_begins[one + 1]; k++) {
    uint32_t other = stage->of[k];
    if (other == clique) break;
    if (stage_floor(stage, other) == floor &&
        stage_starters(stage, other, floor, scratch) == count &&
        memcmp(scratch, starters, count * sizeof *starters) == 0)
      return other;
  }
  return clique;
}

/*
 * Chooses a clique and appends its starters; false if memory is short or no clique can be
 * chosen.
 */
static bool choose_cell(struct search *search, uint32_t *clique, uint32_t *count) {
  const struct stage *stage = &search->stage;
  double best = 1e300;
  uint32_t chosen = UINT32_MAX;
  if (!memory_reserve(&search->starters, &search->starter_capacity,
                      search->starter_count + 2 * stage->count, sizeof *search->starters)) {
    search->is_short = true;
    return false;
  }
  uint32_t *starters = search->starters + search->starter_count;
  for (uint32_t c = 0; c < stage->clique_count; c++) {
    neap_offset floor = stage_floor(stage, c);
    if (floor == STAGE_GONE) continue;
    uint32_t found = stage_starters(stage, c, floor, starters);
    assert(found > 0 && found <= stage->count); /* some member lies at the floor */
    double cost = cost_of(search, c, floor, found);
    if (cost >= best || !is_flat(stage, starters, found, floor)) continue;
    best = cost;
    chosen = c;
  }
  if (chosen == UINT32_MAX) return false;
  neap_offset floor = stage_floor(stage, chosen);
  *count = stage_starters(stage, chosen, floor, starters);
  *clique = first_alike(search, chosen, floor, starters, *count, starters + stage->count);
  assert(stage_floor(stage, *clique) == floor);
  search->starter_count += *count;
  return true;
}

/* ---------------------------------------------------------------- the walk */

static enum answer refute(struct search *search);

/* Refutes the child that the stage is in, then undoes it. */
static enum answer try_child(struct search *search, size_t trail) {
  assert(trail <= search->stage.trail_count);
  enum answer answer = refute(search);
  stage_undo(&search->stage, trail);
  return answer;
}

/* Marks the starters that have risen because they failed. */
static void touch_starters(struct search *search, size_t begin, uint32_t count) {
  for (uint32_t s = 0; s < count; s++)
    stage_touch(&search->stage, search->starters[begin + s]);
}

static enum answer refute_cell(struct search *search, uint32_t clique, size_t begin,
                               uint32_t count, neap_offset floor) {
  struct stage *stage = &search->stage;
  assert(begin + count <= search->starter_count);
  for (uint32_t s = 0; s < count; s++) {
    uint32_t starter = search->starters[begin + s];
    size_t trail = stage->trail_count;
    bool is_needed;
    touch_starters(search, begin, s);
    if (!stage_put(stage, starter)) return run_short(search);
    enum answer answer = try_child(search, trail);
    if (answer != ANSWER_REFUTED) return answer;
    if (!stage_learn(stage, starter, floor, &is_needed)) return run_short(search);
    if (!is_needed) return ANSWER_REFUTED;
  }
  touch_starters(search, begin, count);
  if (!stage_empty(stage, clique, floor)) return run_short(search);
  return refute(search);
}

/* Writes a cell, and refutes its children. */
static enum answer open_cell(struct search *search) {
  struct stage *stage = &search->stage;
  uint32_t clique, count, line = (uint32_t)search->line_count;
  size_t begin = search->starter_count, trail = stage->trail_count;
  if (!choose_cell(search, &clique, &count))
    return search->is_short ? ANSWER_STOPPED : ANSWER_FOUND;
  if (!add_line(search, LINE_CELL, clique)) return ANSWER_STOPPED;
  search->lines[line].starters = begin;
  search->lines[line].count = count;
  enum answer answer = refute_cell(search, clique, begin, count, stage_floor(stage, clique));
  stage_undo(stage, trail);
  if (answer == ANSWER_REFUTED && !note_known(search, line)) return run_short(search);
  return answer;
}

/* Tries to refute one component; the others may have layouts. */
static enum answer refute_part(struct search *search, const uint64_t *component) {
  struct stage *stage = &search->stage;
  size_t trail = stage->trail_count, lines = search->line_count;
  uint32_t first = UINT32_MAX;
  bool done = true;
  for (uint32_t i = 0; i < stage->count && done; i++) {
    if (!stage_has(stage->left, i)) continue;
    if (!stage_has(component, i)) done = stage_remove(stage, i);
    else if (first == UINT32_MAX) first = i;
  }
  if (!done) return run_short(search);
  assert(first != UINT32_MAX); /* a component has a rectangle that is left */
  if (!add_line(search, LINE_PART, first)) return ANSWER_STOPPED;
  enum answer answer = try_child(search, trail);
  if (answer == ANSWER_FOUND) cut_lines(search, lines);
  return answer;
}

/* Tries to refute one of several components.  Sets *is_whole if there is only one. */
static enum answer refute_parts(struct search *search, bool *is_whole) {
  struct stage *stage = &search->stage;
  *is_whole = false;
  uint64_t *done = memory_array(stage->words, 2 * sizeof *done);
  if (!done) return run_short(search);
  uint64_t *component = done + stage->words;
  size_t left = count_left(stage);
  enum answer answer = ANSWER_FOUND;
  for (uint32_t i = 0; i < stage->count && answer == ANSWER_FOUND && !*is_whole; i++) {
    if (!stage_has(stage->left, i) || stage_has(done, i)) continue;
    *is_whole = stage_component(stage, i, component) == left;
    for (uint32_t w = 0; w < stage->words; w++)
      done[w] |= component[w];
    if (!*is_whole) answer = refute_part(search, component);
  }
  free(done);
  return answer;
}

static enum answer refute_open(struct search *search) {
  bool is_whole;
  uint32_t known = find_known(search);
  if (known != UINT32_MAX) {
    search->lines[known].is_kept = true;
    return add_line(search, LINE_AS, known) ? ANSWER_REFUTED : ANSWER_STOPPED;
  }
  enum answer answer = refute_parts(search, &is_whole);
  return is_whole ? open_cell(search) : answer;
}

/* Refutes the present state, or finds that there is a layout. */
static enum answer refute(struct search *search) {
  neap_size need = 0;
  uint32_t full = stage_full(&search->stage, search->task->target, &need);
  if (search->stage.is_scattered || search->line_count >= search->limit ||
      search->depth == LAYOUT_DEPTH_MOST || !budget_tick(search->task->budget))
    return ANSWER_STOPPED;
  if (full != UINT32_MAX) {
    search->weights[full] += 1;
    assert(need >= search->task->target);
    if (need < search->least) search->least = need;
    return add_line(search, LINE_FULL, full) ? ANSWER_REFUTED : ANSWER_STOPPED;
  }
  search->depth++;
  enum answer answer = refute_open(search);
  assert(search->depth > 0 && search->depth <= LAYOUT_DEPTH_MOST);
  search->depth--;
  return answer;
}

/* ---------------------------------------------------------------- the text */

/* Numbers the cliques and lines that are referred to, from 1 in order; 0 for the rest. */
static void number_used(const struct search *search, uint32_t *cliques, uint32_t *kept) {
  uint32_t used = 0;
  for (size_t i = 0; i < search->line_count; i++) {
    const struct line *line = &search->lines[i];
    assert(line->kind != LINE_AS || (line->where < i && search->lines[line->where].is_kept));
    if (line->kind == LINE_FULL || line->kind == LINE_CELL) cliques[line->where] = 1;
    if (line->is_kept) kept[i] = ++used;
  }
  used = 0;
  for (uint32_t c = 0; c < search->stage.clique_count; c++)
    if (cliques[c] > 0) cliques[c] = ++used;
}

static void print_rectangles(const struct search *search, const uint32_t *rectangles,
                             uint32_t count) {
  struct lines *lines = search->task->proof;
  for (uint32_t i = 0; i < count; i++)
    lines_number(lines, certify_number(search->task, search->stage.buffers[rectangles[i]]));
  lines_end(lines);
}

static void print_line(const struct search *search, const struct line *line,
                       const uint32_t *cliques, const uint32_t *kept) {
  struct lines *lines = search->task->proof;
  static const char *const names[] = {"full", "part", "as", "cell"};
  lines_word(lines, line->is_kept ? "keep" : names[line->kind]);
  switch (line->kind) {
  case LINE_FULL:
    lines_number(lines, cliques[line->where] - 1);
    break;
  case LINE_PART:
    lines_number(lines, certify_number(search->task, search->stage.buffers[line->where]));
    break;
  case LINE_AS:
    lines_number(lines, kept[line->where] - 1);
    break;
  case LINE_CELL:
    lines_number(lines, cliques[line->where] - 1);
    print_rectangles(search, search->starters + line->starters, line->count);
    return;
  }
  lines_end(lines);
}

static bool print_proof(const struct search *search) {
  const struct stage *stage = &search->stage;
  uint32_t *cliques = memory_array(stage->clique_count, sizeof *cliques);
  uint32_t *kept = memory_array(search->line_count, sizeof *kept);
  if (cliques && kept) {
    number_used(search, cliques, kept);
    for (uint32_t c = 0; c < stage->clique_count; c++)
      if (cliques[c] > 0) {
        lines_word(search->task->proof, "clique");
        print_rectangles(search, stage->cliques[c].members, stage->cliques[c].count);
      }
    for (size_t i = 0; i < search->line_count; i++)
      print_line(search, &search->lines[i], cliques, kept);
  }
  bool done = cliques && kept;
  free(cliques);
  free(kept);
  return done;
}

/* ---------------------------------------------------------------- the whole */

/* Selects the buffers that take part: all with at least one byte. */
static void want_buffers(const struct certify_task *task, bool *wanted) {
  for (size_t i = 0; i < task->problem->count; i++)
    wanted[i] = task->problem->buffers[i].size > 0;
}

static void search_clear(struct search *search) {
  stage_clear(&search->stage);
  free(search->weights);
  free(search->lines);
  free(search->starters);
  free(search->known);
  free(search->lows);
  free(search->slots);
}

static bool search_init(struct search *search, const struct items *items) {
  size_t buffers = items->problem->count;
  bool *wanted = memory_array(buffers, sizeof *wanted);
  if (!wanted) return false;
  want_buffers(search->task, wanted);
  bool done = stage_init(&search->stage, items, wanted);
  free(wanted);
  search->slots = memory_array(SLOTS, sizeof *search->slots);
  search->weights = memory_array(search->stage.clique_count, sizeof *search->weights);
  if (!done || !search->slots || !search->weights) return false;
  for (uint32_t c = 0; c < search->stage.clique_count; c++)
    search->weights[c] = 1;
  return true;
}

/* A run from the root. */
static enum answer run(struct search *search) {
  struct stage *stage = &search->stage;
  cut_lines(search, 0);
  search->starter_count = search->depth = 0;
  assert(search->known_count == 0 && search->low_count == 0 && stage->trail_count == 0);
  search->least = NEAP_MAX;
  for (uint32_t i = 0; i < stage->count; i++)
    stage_touch(stage, i);
  return try_child(search, 0);
}

neap_status layout_prove(struct certify_task *task, const struct items *items, uint64_t states,
                         neap_error *error) {
  struct search search = {.task = task, .limit = LAYOUT_FIRST_LIMIT};
  if (task->problem->count > LAYOUT_RECTANGLES_MOST) return NEAP_OK;
  enum answer answer = ANSWER_STOPPED;
  bool has_room = search_init(&search, items);
  while (has_room && answer == ANSWER_STOPPED && !search.is_short) {
    if (search.limit > states) search.limit = states;
    answer = run(&search);
    if (search.limit == states || task->budget->end != BUDGET_LEFT) break;
    search.limit *= 2;
  }
  task->has_layout = answer == ANSWER_FOUND;
  if (answer == ANSWER_REFUTED) {
    assert(search.line_count > 0 && search.least >= task->target);
    has_room = has_room && print_proof(&search);
    task->least = search.least < ITEMS_NOWHERE ? search.least : task->target;
  }
  has_room = has_room && !search.is_short;
  search_clear(&search);
  return has_room ? NEAP_OK : error_memory(error);
}
