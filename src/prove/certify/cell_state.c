/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the rules of inference of doc/certificate.md, section "layout", on a state with undo.
 * The checker repeats every step, so each function must do exactly what that section states and
 * proves.
 *
 *   - stage_full finds a clique whose stack reaches the claim ("full").
 *   - stage_put makes a child: a rectangle at its low raises each neighbour that cannot lie below
 *     it.
 *   - stage_learn uses the failure of a child: rectangle r, which failed at the floor, fails up to
 *     `wall`, because all rectangles that could lie below r could as well lie above it:
 *
 *         wall   ─ ─ ─ ─ ─ ─             ─ ─ ─ ─ ─ ─
 *                ┌─────────┐             ┌────┬────┐
 *                │    r    │             │ x  │ y  │
 *                ├────┬────┤    ──►      ├────┴────┤
 *                │ x  │ y  │             │    r    │    refuted before
 *         floor  └────┴────┘             └─────────┘
 *
 *   - stage_empty makes the empty cell: the whole clique rises to the next height at which one of
 *     its rectangles can rest on a rectangle outside of it.
 *
 * Cost: a change touches the neighbours of a rectangle and the cliques that hold it; stage_full
 * computes a stack per touched clique.  The tables of neighbours take O(n^2) time and up to O(n^2)
 * memory; certify/layout takes at most 1024 rectangles.
 *
 * Units: offsets in bytes.  Invariants: lows only rise between undos; low[i] is STAGE_GONE if and
 * only if i is not in `left`; `hash` is the hash of `left`; the trail holds the old low of every
 * change, in order.
 */
#include "certify/layout.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash_set.h"
#include "core/memory.h"
#include "model/groups.h"

/* ---------------------------------------------------------------- rectangles */

static uint64_t *set_of(const struct stage *stage, uint64_t *sets, uint32_t at) {
  return sets + (size_t)at * stage->words;
}

static void set_add(uint64_t *set, uint32_t at) { set[at / 64] |= UINT64_C(1) << (at % 64); }

static const struct buffer *buffer_of(const struct stage *stage, uint32_t rectangle) {
  return &stage->items->problem->buffers[stage->buffers[rectangle]];
}

static bool has_relation(const struct neap_problem *problem, uint32_t buffer) {
  for (size_t r = 0; problem->relations && r < problem->relations->count; r++)
    if (problem->relations->items[r].first == buffer ||
        problem->relations->items[r].second == buffer)
      return true;
  const struct relation_group *group = NULL;
  while ((group = problem_next_group(problem, RELATION_ANY, group)))
    if (group_has(problem->relations, group, buffer)) return true;
  return false;
}

static bool have_same_times(const struct neap_problem *problem, uint32_t i, uint32_t j) {
  size_t a = problem_ranges_begin(problem, i), b = problem_ranges_begin(problem, j);
  size_t count = problem->buffers[i].ranges_end - a;
  return problem->buffers[j].ranges_end - b == count &&
         memcmp(problem->ranges + a, problem->ranges + b, count * sizeof *problem->ranges) == 0;
}

/* Whether two buffers can swap places in every layout. */
static bool are_alike(const struct neap_problem *problem, uint32_t i, uint32_t j) {
  const struct buffer *a = &problem->buffers[i], *b = &problem->buffers[j];
  const struct limits *first = problem_limits(problem, i), *second = problem_limits(problem, j);
  return a->size == b->size && a->alignment == b->alignment &&
         a->fixed_offset == NEAP_UNPLACED && b->fixed_offset == NEAP_UNPLACED &&
         first->window_low == second->window_low && first->window_high == second->window_high &&
         first->bank == second->bank && have_same_times(problem, i, j) &&
         !has_relation(problem, i) && !has_relation(problem, j);
}

static bool is_plain_buffer(const struct neap_problem *problem, uint32_t buffer) {
  const struct limits *limits = problem_limits(problem, buffer);
  return problem->buffers[buffer].fixed_offset == NEAP_UNPLACED && limits->window_low == 0 &&
         limits->window_high == NEAP_MAX && limits->bank == 0 &&
         (!problem->relations || problem->relations->reserved_count == 0);
}

static void describe(struct stage *stage, uint32_t at) {
  assert(at == 0 || stage->buffers[at - 1] < stage->buffers[at]);
  const struct neap_problem *problem = stage->items->problem;
  stage->is_plain[at] = is_plain_buffer(problem, stage->buffers[at]);
  stage->twin[at] = at;
  for (uint32_t other = 0; other < at && stage->twin[at] == at; other++)
    if (are_alike(problem, stage->buffers[other], stage->buffers[at])) stage->twin[at] = other;
}

/* ---------------------------------------------------------------- neighbours */

static bool list_neighbours(struct stage *stage) {
  const struct items *items = stage->items;
  size_t count = 0, capacity = 0;
  for (uint32_t i = 0; i < stage->count; i++) {
    stage->begins[i] = (uint32_t)count;
    stage->is_full[i] = true;
    for (uint32_t j = 0; j < stage->count; j++) {
      uint32_t a = stage->buffers[i], b = stage->buffers[j];
      if (i == j || !items_conflict(items, a, b)) continue;
      if (count == UINT32_MAX ||
          !memory_reserve(&stage->neighbours, &capacity, count + 1, sizeof *stage->neighbours))
        return false;
      stage->neighbours[count++] =
          (struct neighbour){j, items_gap(items, a, b), items_gap(items, b, a)};
      set_add(set_of(stage, stage->near, i), j);
      if (!items_strict(items, a, b)) stage->is_full[i] = false;
    }
  }
  stage->begins[stage->count] = (uint32_t)count;
  assert(count % 2 == 0); /* conflicts are mutual */
  return true;
}

/* ---------------------------------------------------------------- cliques */

static bool joins_set(const struct stage *stage, const uint64_t *set, uint32_t candidate) {
  for (uint32_t i = 0; i < stage->count; i++)
    if (stage_has(set, i) &&
        !items_strict(stage->items, stage->buffers[i], stage->buffers[candidate]))
      return false;
  return true;
}

/* Adds a clique of buffers as a clique of rectangles, extended until it is maximal. */
static bool add_clique(struct stage *stage, const uint32_t *place, const struct clique *from) {
  uint64_t *set = stage->scratch;
  uint32_t count = 0;
  memset(set, 0, stage->words * sizeof *set);
  for (uint32_t i = 0; i < from->count; i++)
    if (place[from->members[i]] < stage->count) {
      set_add(set, place[from->members[i]]);
      count++;
    }
  if (count == 0) return true;
  for (uint32_t i = 0; i < stage->count; i++)
    if (!stage_has(set, i) && joins_set(stage, set, i)) {
      set_add(set, i);
      count++;
    }
  struct clique clique = {memory_array(count, sizeof *clique.members), 0};
  if (!clique.members) return false;
  for (uint32_t i = 0; i < stage->count; i++)
    if (stage_has(set, i)) clique.members[clique.count++] = i;
  assert(clique.count == count);
  stage->cliques[stage->clique_count++] = clique;
  return true;
}

static bool list_cliques(struct stage *stage, const uint32_t *place) {
  const struct items *items = stage->items;
  stage->cliques = memory_array(items->clique_count, sizeof *stage->cliques);
  if (!stage->cliques) return false;
  for (size_t c = 0; c < items->clique_count; c++)
    if (!add_clique(stage, place, &items->cliques[c])) return false;
  stage->clique_count = (uint32_t)cliques_sort(stage->cliques, stage->clique_count);
  return true;
}

static bool index_cliques(struct stage *stage) {
  size_t total = 0;
  for (uint32_t c = 0; c < stage->clique_count; c++)
    total += stage->cliques[c].count;
  stage->of = memory_array(total, sizeof *stage->of);
  stage->is_touched = memory_array(stage->clique_count, sizeof *stage->is_touched);
  if (!stage->of || !stage->is_touched) return false;
  for (uint32_t c = 0; c < stage->clique_count; c++)
    for (uint32_t i = 0; i < stage->cliques[c].count; i++)
      stage->of_begins[stage->cliques[c].members[i] + 1]++;
  for (uint32_t i = 0; i < stage->count; i++)
    stage->of_begins[i + 1] += stage->of_begins[i];
  assert(stage->of_begins[stage->count] == total);
  for (uint32_t c = stage->clique_count; c-- > 0;)
    for (uint32_t i = 0; i < stage->cliques[c].count; i++)
      stage->of[--stage->of_begins[stage->cliques[c].members[i] + 1]] = c;
  /* Entry i + 1 is now the begin of rectangle i, so shift all entries down by one. */
  for (uint32_t i = 0; i < stage->count; i++)
    stage->of_begins[i] = stage->of_begins[i + 1];
  stage->of_begins[stage->count] = (uint32_t)total;
  return true;
}

/* ---------------------------------------------------------------- making */

static bool make_room(struct stage *stage) {
  size_t count = stage->count;
  stage->words = (uint32_t)((count + 63) / 64);
  stage->begins = memory_array(count + 1, sizeof *stage->begins);
  stage->of_begins = memory_array(count + 1, sizeof *stage->of_begins);
  stage->near = memory_array(count * stage->words, sizeof *stage->near);
  stage->is_full = memory_array(count, sizeof *stage->is_full);
  stage->is_plain = memory_array(count, sizeof *stage->is_plain);
  stage->twin = memory_array(count, sizeof *stage->twin);
  stage->low = memory_array(count, sizeof *stage->low);
  stage->left = memory_array(stage->words, sizeof *stage->left);
  stage->stack = memory_array(count, sizeof *stage->stack);
  stage->scratch = memory_array(stage->words, sizeof *stage->scratch);
  return stage->begins && stage->of_begins && stage->near && stage->is_full &&
         stage->is_plain && stage->twin && stage->low && stage->left && stage->stack &&
         stage->scratch;
}

static void start(struct stage *stage) {
  for (uint32_t i = 0; i < stage->count; i++) {
    describe(stage, i);
    set_add(stage->left, i);
    stage->hash ^= hash_member(i);
    stage->low[i] = items_place(stage->items, stage->buffers[i], 0, &stage->is_scattered);
  }
  for (uint32_t c = 0; c < stage->clique_count; c++)
    stage->is_touched[c] = true;
}

bool stage_init(struct stage *stage, const struct items *items, const bool *wanted) {
  size_t all = items->problem->count;
  stage->items = items;
  stage->buffers = memory_array(all, sizeof *stage->buffers);
  uint32_t *place = memory_array(all, sizeof *place);
  bool done = stage->buffers && place;
  for (uint32_t i = 0; done && i < all; i++) {
    place[i] = wanted[i] ? stage->count : UINT32_MAX;
    if (wanted[i]) stage->buffers[stage->count++] = i;
  }
  done = done && make_room(stage) && list_neighbours(stage) && list_cliques(stage, place) &&
         index_cliques(stage);
  free(place);
  if (done) start(stage);
  return done;
}

void stage_clear(struct stage *stage) {
  free(stage->buffers);
  free(stage->begins);
  free(stage->neighbours);
  free(stage->near);
  free(stage->is_full);
  free(stage->is_plain);
  free(stage->twin);
  for (uint32_t c = 0; c < stage->clique_count; c++)
    free(stage->cliques[c].members);
  free(stage->cliques);
  free(stage->of_begins);
  free(stage->of);
  free(stage->low);
  free(stage->left);
  free(stage->is_touched);
  free(stage->trail);
  free(stage->stack);
  free(stage->scratch);
}

/* ---------------------------------------------------------------- changes */

static bool note_change(struct stage *stage, uint32_t rectangle) {
  assert(rectangle < stage->count);
  if (!memory_reserve(&stage->trail, &stage->trail_capacity, stage->trail_count + 1,
                      sizeof *stage->trail))
    return false;
  stage->trail[stage->trail_count++] = (struct stage_change){rectangle, stage->low[rectangle]};
  return true;
}

void stage_touch(struct stage *stage, uint32_t rectangle) {
  for (uint32_t k = stage->of_begins[rectangle]; k < stage->of_begins[rectangle + 1]; k++)
    stage->is_touched[stage->of[k]] = true;
}

bool stage_raise(struct stage *stage, uint32_t rectangle, neap_offset low) {
  assert(low >= stage->low[rectangle] && stage->low[rectangle] != STAGE_GONE);
  if (low == stage->low[rectangle]) return true;
  if (!note_change(stage, rectangle)) return false;
  stage->low[rectangle] = low;
  stage_touch(stage, rectangle);
  return true;
}

bool stage_remove(struct stage *stage, uint32_t rectangle) {
  assert(stage->low[rectangle] != STAGE_GONE && stage_has(stage->left, rectangle));
  if (!note_change(stage, rectangle)) return false;
  stage->low[rectangle] = STAGE_GONE;
  stage->left[rectangle / 64] ^= UINT64_C(1) << (rectangle % 64);
  stage->hash ^= hash_member(rectangle);
  stage_touch(stage,
              rectangle); /* without a small buffer on top, the clique's stack may be higher */
  return true;
}

void stage_undo(struct stage *stage, size_t trail_count) {
  while (stage->trail_count > trail_count) {
    struct stage_change change = stage->trail[--stage->trail_count];
    assert(change.low != STAGE_GONE && change.low <= ITEMS_NOWHERE);
    if (stage->low[change.rectangle] == STAGE_GONE) {
      set_add(stage->left, change.rectangle);
      stage->hash ^= hash_member(change.rectangle);
    }
    assert(stage_has(stage->left, change.rectangle));
    stage->low[change.rectangle] = change.low;
  }
}

static neap_offset place(struct stage *stage, uint32_t rectangle, neap_offset at) {
  assert(at >= 0);
  return items_place(stage->items, stage->buffers[rectangle], at, &stage->is_scattered);
}

/* ---------------------------------------------------------------- conclusions */

static neap_size need_of(struct stage *stage, uint32_t clique) {
  size_t count = 0;
  for (uint32_t i = 0; i < stage->cliques[clique].count; i++) {
    uint32_t member = stage->cliques[clique].members[i];
    if (stage->low[member] != STAGE_GONE)
      stage->stack[count++] = (struct item_low){stage->low[member], stage->buffers[member]};
  }
  return items_stack(stage->items, stage->stack, count);
}

uint32_t stage_full(struct stage *stage, neap_size target, neap_size *need) {
  uint32_t found = UINT32_MAX;
  for (uint32_t c = 0; c < stage->clique_count; c++) {
    if (!stage->is_touched[c]) continue;
    stage->is_touched[c] = false;
    if (found != UINT32_MAX) continue;
    *need = need_of(stage, c);
    if (*need >= target) found = c;
  }
  return found;
}

bool stage_put(struct stage *stage, uint32_t rectangle) {
  neap_offset floor = stage->low[rectangle];
  assert(floor >= 0);
  if (!stage_remove(stage, rectangle)) return false;
  for (uint32_t k = stage->begins[rectangle]; k < stage->begins[rectangle + 1]; k++) {
    const struct neighbour *near = &stage->neighbours[k];
    neap_offset low = stage->low[near->other];
    if (low == STAGE_GONE || low >= floor + near->above || low + near->below <= floor) continue;
    if (!stage_raise(stage, near->other, place(stage, near->other, floor + near->above)))
      return false;
  }
  return true;
}

/* Whether a rectangle below `by` could be moved above it while `by` moves down. */
static bool may_move_up(const struct stage *stage, uint32_t rectangle, uint32_t by) {
  const uint64_t *own = stage->near + (size_t)rectangle * stage->words;
  const uint64_t *other = stage->near + (size_t)by * stage->words;
  if (!stage->is_plain[rectangle] ||
      buffer_of(stage, by)->size % buffer_of(stage, rectangle)->alignment != 0)
    return false;
  for (uint32_t w = 0; w < stage->words; w++) {
    uint64_t others = own[w] & stage->left[w] & ~other[w];
    if (w == by / 64) others &= ~(UINT64_C(1) << (by % 64));
    if (others != 0) return false;
  }
  return true;
}

bool stage_learn(struct stage *stage, uint32_t rectangle, neap_offset floor, bool *is_needed) {
  assert(stage->low[rectangle] == floor);
  neap_offset wall = stage->is_full[rectangle] ? ITEMS_NOWHERE : floor;
  for (uint32_t k = stage->begins[rectangle]; k < stage->begins[rectangle + 1]; k++) {
    uint32_t other = stage->neighbours[k].other;
    neap_offset low = stage->low[other];
    if (low == STAGE_GONE || low >= wall) continue;
    if (low < floor || !may_move_up(stage, other, rectangle)) wall = low;
  }
  *is_needed = wall < ITEMS_NOWHERE;
  if (!*is_needed) return true;
  return stage_raise(stage, rectangle,
                     place(stage, rectangle, (wall > floor ? wall : floor) + 1));
}

static bool is_member(const struct clique *clique, uint32_t rectangle) {
  for (uint32_t i = 0; i < clique->count; i++)
    if (clique->members[i] == rectangle) return true;
  return false;
}

/* The least offset above `floor` at which a rectangle can be the lowest of its clique. */
static neap_offset next_start(struct stage *stage, const struct clique *clique,
                              uint32_t rectangle, neap_offset floor) {
  neap_offset least = ITEMS_NOWHERE;
  if (bodies_of(&stage->items->bodies, stage->buffers[rectangle]) != BODIES_NONE)
    return place(stage, rectangle, floor + 1);
  for (uint32_t k = stage->begins[rectangle]; k < stage->begins[rectangle + 1]; k++) {
    const struct neighbour *near = &stage->neighbours[k];
    neap_offset low = stage->low[near->other];
    if (low == STAGE_GONE || low + near->below >= least || is_member(clique, near->other))
      continue;
    least = low + near->below > floor ? low + near->below : floor + 1;
  }
  return least >= ITEMS_NOWHERE ? ITEMS_NOWHERE : place(stage, rectangle, least);
}

bool stage_empty(struct stage *stage, uint32_t index, neap_offset floor) {
  assert(index < stage->clique_count && floor >= 0);
  const struct clique *clique = &stage->cliques[index];
  neap_offset least = ITEMS_NOWHERE;
  for (uint32_t i = 0; i < clique->count; i++) {
    uint32_t member = clique->members[i];
    neap_offset low = stage->low[member];
    if (low == STAGE_GONE) continue;
    if (low <= floor) low = next_start(stage, clique, member, floor);
    if (low < least) least = low;
  }
  for (uint32_t i = 0; i < clique->count; i++) {
    uint32_t member = clique->members[i];
    if (stage->low[member] == STAGE_GONE || stage->low[member] >= least) continue;
    if (!stage_raise(stage, member, place(stage, member, least))) return false;
  }
  return true;
}

/* ---------------------------------------------------------------- questions */

neap_offset stage_floor(const struct stage *stage, uint32_t clique) {
  neap_offset floor = STAGE_GONE;
  for (uint32_t i = 0; i < stage->cliques[clique].count; i++) {
    neap_offset low = stage->low[stage->cliques[clique].members[i]];
    if (low != STAGE_GONE && (floor == STAGE_GONE || low < floor)) floor = low;
  }
  return floor;
}

uint32_t stage_starters(const struct stage *stage, uint32_t clique, neap_offset floor,
                        uint32_t *starters) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < stage->cliques[clique].count; i++) {
    uint32_t member = stage->cliques[clique].members[i];
    bool is_second = stage->low[member] != floor;
    for (uint32_t k = 0; k < count && !is_second; k++)
      is_second = stage->twin[starters[k]] == stage->twin[member];
    if (!is_second) starters[count++] = member;
  }
  return count;
}

uint32_t stage_component(struct stage *stage, uint32_t rectangle, uint64_t *component) {
  uint64_t *todo = stage->scratch;
  uint32_t count = 0;
  memset(component, 0, stage->words * sizeof *component);
  memset(todo, 0, stage->words * sizeof *todo);
  set_add(todo, rectangle);
  for (uint32_t w = 0; w < stage->words;) {
    if (todo[w] == 0) {
      w++;
      continue;
    }
    uint32_t at = w * 64 + (uint32_t)__builtin_ctzll(todo[w]);
    const uint64_t *near = set_of(stage, stage->near, at);
    todo[w] &= todo[w] - 1;
    set_add(component, at);
    count++;
    for (uint32_t v = stage->words; v-- > 0;) {
      uint64_t more = near[v] & stage->left[v] & ~component[v] & ~todo[v];
      todo[v] |= more;
      if (more && v < w) w = v;
    }
  }
  return count;
}
