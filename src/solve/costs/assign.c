/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact search for the lightest layout of a few bodies: branch and bound over a finite set of
 * positions.
 *
 * Among the lightest layouts, take one whose sum of positions is least.  In it, no body can
 * move down to its next allowed position, because it would enter the interval of some hard or
 * soft arc.  So each body is at the low end of its range or just where such an interval ends,
 * rounded up to what the body allows.  The interval starts from the ground or from another
 * body, which is also at such a position.  Such a chain of supports contains no body twice, so
 * applying the rule as often as there are bodies gives all positions.  They are few for a few
 * buffers of few sizes: four buffers of a quarter of the capacity have four positions.
 *
 * The argument needs the chain of supports to reach the ground.  It does if each interval ends
 * above the body that it comes from.  Otherwise, bodies may support each other in a cycle,
 * which could move down as a whole by one step, unless its bodies have different steps, or one
 * of them would reach another bank.  Then bodies with a rest in a bank, or with a step that is
 * not the smallest, try all positions up to a ceiling (costs/height_limit), and other bodies
 * also try the positions at which a member begins with a bank, if all these are few.  Multiples
 * of a unit suffice (costs/unit), which then is the step of bodies with smaller ones.
 *
 * The search assigns positions to bodies, one body after another.  It keeps, for every position
 * of every other body, the weight that the position would add (forward checking).  The lower
 * bound is the weight paid so far plus the least addition of each other body.  Positions that
 * can be swapped in every layout, such as equal slots, are tried only once while they are
 * empty.  Weights are those of anneal; one tick is one node.
 */
#include "costs/assign.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/knobs.h"
#include "core/memory.h"

struct variable {
  uint32_t body;
  size_t begin, count; /* a run of assign.values */
  size_t arc_count;
  bool is_assigned;
};

struct value {
  int64_t position;
  neap_size weight;   /* the weight that the value adds to the assigned bodies */
  uint32_t conflicts; /* violated hard arcs to assigned bodies */
  uint32_t kind; /* 0, or equal for values of one variable that can be swapped */
};

struct assign {
  const struct assign_task *task;
  const struct net *net;
  struct variable *variables;
  size_t count;
  struct value *values;
  uint32_t *variable_of; /* per body */
  uint32_t *used;        /* per index of a value: the assigned bodies at that position */
  bool swaps;            /* all variables have the same positions, some of which can be swapped */
  uint64_t nodes;
  neap_size paid, best;
  int64_t *positions;
  bool stopped, open;
};

/* ---------------------------------------------------------------- positions worth trying */

struct closure {
  const struct assign_task *task;
  int64_t **lists; /* per variable, ascending */
  size_t *counts, *capacities;
  size_t total;
  int64_t ceiling, unit; /* of the positions that are tried */
  bool too_many, failed;
};

static size_t place_of(const int64_t *list, size_t count, int64_t position) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (list[middle] < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

static bool add_value(struct closure *closure, size_t variable, int64_t from) {
  const struct net *net = closure->task->net;
  uint32_t body = closure->task->bodies[variable];
  int64_t high = smaller_of(net->bodies[body].high, closure->ceiling);
  if (from > high) return false;
  if (from < net->bodies[body].low) from = net->bodies[body].low;
  int64_t position = net_fit_up(net, body, from);
  if (position > high) return false;
  size_t count = closure->counts[variable];
  size_t place = place_of(closure->lists[variable], count, position);
  assert(place == 0 || closure->lists[variable][place - 1] < position);
  if (place < count && closure->lists[variable][place] == position) return false;
  if (count == ASSIGN_MOST_VALUES || closure->total == ASSIGN_MOST_TOTAL) {
    closure->too_many = true;
    return false;
  }
  if (!memory_reserve(&closure->lists[variable], &closure->capacities[variable], count + 1,
                      sizeof **closure->lists)) {
    closure->failed = true;
    return false;
  }
  int64_t *list = closure->lists[variable];
  memmove(list + place + 1, list + place, (count - place) * sizeof *list);
  list[place] = position;
  closure->counts[variable]++;
  closure->total++;
  return true;
}

/*
 * Adds the ends of the intervals of one variable's arcs as positions; true if any of them is
 * new.
 */
static bool add_ends(struct closure *closure, size_t variable, const struct net_arc *arc,
                     bool is_hard, const uint32_t *variable_of) {
  const struct net *net = closure->task->net;
  bool added = false;
  int64_t low, high;
  if (arc->other == net->count) {
    net_interval(net, arc, is_hard, 0, &low, &high);
    return add_value(closure, variable, high);
  }
  size_t other = variable_of[arc->other];
  for (size_t i = 0; i < closure->counts[other]; i++) {
    net_interval(net, arc, is_hard, closure->lists[other][i], &low, &high);
    added |= add_value(closure, variable, high);
    if (closure->too_many || closure->failed) return false;
  }
  return added;
}

static bool close_once(struct closure *closure, const uint32_t *variable_of) {
  const struct net *net = closure->task->net;
  bool added = false;
  for (size_t v = 0; v < closure->task->count; v++) {
    uint32_t body = closure->task->bodies[v];
    added |= add_value(closure, v, net->bodies[body].low);
    for (size_t a = net->hard_begin[body]; a < net->hard_begin[body + 1]; a++)
      added |= add_ends(closure, v, &net->hard[a], true, variable_of);
    for (size_t a = net->soft_begin[body]; a < net->soft_begin[body + 1]; a++)
      added |= add_ends(closure, v, &net->soft[a], false, variable_of);
    if (closure->too_many || closure->failed) return false;
  }
  return added;
}

/* Adds all multiples of the unit that a variable can have as positions. */
static void add_all(struct closure *closure, size_t variable) {
  int64_t from = closure->task->net->bodies[closure->task->bodies[variable]].low;
  while (add_value(closure, variable, from))
    from = closure->lists[variable][closure->counts[variable] - 1] + closure->unit;
}

/*
 * Whether an arc's interval ends above the position of its other body, so that a body that
 * rests there is above that body.  Alignments and banks can only make it higher.
 */
static bool arc_rises(const struct net *net, const struct net_arc *arc, bool is_hard) {
  if (arc->other == net->count) return true;
  if (!is_hard || arc->term == NET_NO_BANK) return arc->high > 0;
  const struct net_bank *bank = &net->banks[arc->term];
  return bank->other_shift + bank->other_size > bank->shift;
}

static bool all_arcs_rise(const struct assign_task *task) {
  const struct net *net = task->net;
  for (size_t v = 0; v < task->count; v++) {
    uint32_t b = task->bodies[v];
    for (size_t a = net->hard_begin[b]; a < net->hard_begin[b + 1]; a++)
      if (!arc_rises(net, &net->hard[a], true)) return false;
    for (size_t a = net->soft_begin[b]; a < net->soft_begin[b + 1]; a++)
      if (!arc_rises(net, &net->soft[a], false)) return false;
  }
  return true;
}

/* The distance between multiples of the unit at which a body without banks can be. */
static int64_t step_of(const struct closure *closure, const struct net_body *body) {
  return larger_of(body->steps.step, closure->unit);
}

/* The smallest step of the bodies that have no banks, or INT64_MAX. */
static int64_t smallest_step(const struct closure *closure) {
  const struct assign_task *task = closure->task;
  int64_t step = INT64_MAX;
  for (size_t v = 0; v < task->count; v++) {
    const struct net_body *body = &task->net->bodies[task->bodies[v]];
    if (body->last_rest == NET_NO_REST) step = smaller_of(step, step_of(closure, body));
  }
  return step;
}

/* Adds the positions at which a member begins with a bank. */
static void add_bank(struct closure *closure, size_t variable, const struct net_bank *bank) {
  const struct net *net = closure->task->net;
  uint32_t body = closure->task->bodies[variable];
  int64_t high = smaller_of(net->bodies[body].high, closure->ceiling);
  int64_t position = net->bodies[body].low - 1;
  while (!closure->too_many && !closure->failed && position < high) {
    int64_t end = (position + bank->shift) / bank->bytes * bank->bytes + bank->bytes;
    position = net_fit_up(net, body, end - bank->shift);
    if (position <= high) add_value(closure, variable, position);
  }
}

/*
 * Adds the positions at which a body may rest although other bodies of the same step, which
 * support each other, could move down.
 */
static void add_edges(struct closure *closure, size_t variable, int64_t step) {
  const struct net *net = closure->task->net;
  uint32_t body = closure->task->bodies[variable];
  if (net->bodies[body].last_rest != NET_NO_REST ||
      step_of(closure, &net->bodies[body]) != step) {
    add_all(closure, variable);
    return;
  }
  for (size_t a = net->hard_begin[body]; a < net->hard_begin[body + 1]; a++)
    if (net->hard[a].term != NET_NO_BANK)
      add_bank(closure, variable, &net->banks[net->hard[a].term]);
}

/* Adds the positions that bodies need if they can support each other in a cycle. */
static void add_all_edges(struct closure *closure) {
  const struct assign_task *task = closure->task;
  closure->unit = unit_of(task->net, task->bodies, task->count);
  const int64_t step = smallest_step(closure);
  for (size_t v = 0; v < task->count; v++)
    if (!closure->failed && !closure->too_many) add_edges(closure, v, step);
}

static void closure_clear(struct closure *closure) {
  for (size_t v = 0; closure->lists && v < closure->task->count; v++)
    free(closure->lists[v]);
  free(closure->lists);
  free(closure->counts);
  free(closure->capacities);
}

static bool copy_values(struct assign *assign, const struct closure *closure) {
  assign->values = memory_array(closure->total, sizeof *assign->values);
  if (!assign->values) return false;
  size_t next = 0;
  for (size_t v = 0; v < assign->count; v++) {
    assign->variables[v].begin = next;
    assign->variables[v].count = closure->counts[v];
    for (size_t i = 0; i < closure->counts[v]; i++)
      assign->values[next++].position = closure->lists[v][i];
  }
  assert(next == closure->total);
  return true;
}

static enum assign_end find_values(struct assign *assign) {
  size_t count = assign->count;
  struct closure closure = {.task = assign->task,
                            .ceiling = ceiling_of(assign->net, assign->task->bodies, count),
                            .lists = memory_array(count, sizeof *closure.lists),
                            .counts = memory_array(count, sizeof *closure.counts),
                            .capacities = memory_array(count, sizeof *closure.capacities)};
  closure.failed = !closure.lists || !closure.counts || !closure.capacities;
  if (!closure.failed && !all_arcs_rise(assign->task)) add_all_edges(&closure);
  for (size_t length = 0; length < count; length++)
    if (closure.failed || closure.too_many || !close_once(&closure, assign->variable_of)) break;
  enum assign_end end = closure.failed ? ASSIGN_MEMORY : ASSIGN_PROVEN;
  if (closure.too_many) end = ASSIGN_OPEN;
  if (end == ASSIGN_PROVEN && !copy_values(assign, &closure)) end = ASSIGN_MEMORY;
  closure_clear(&closure);
  return end;
}

/* ---------------------------------------------------------------- positions that can be swapped */

/* Whether all variables have the same positions. */
static bool have_same_values(const struct assign *assign) {
  const struct variable *first = &assign->variables[0];
  for (size_t v = 1; v < assign->count; v++) {
    const struct variable *variable = &assign->variables[v];
    if (variable->count != first->count) return false;
    for (size_t i = 0; i < first->count; i++)
      if (assign->values[variable->begin + i].position !=
          assign->values[first->begin + i].position)
        return false;
  }
  return true;
}

static int64_t swapped(int64_t position, int64_t a, int64_t b) {
  if (position == a) return b;
  return position == b ? a : position;
}

/* Whether swapping two positions never changes whether an arc is violated. */
static bool keeps_arc(const struct assign *assign, const struct net_arc *arc, bool is_hard,
                      int64_t a, int64_t b) {
  const struct net *net = assign->net;
  const struct variable *variable = &assign->variables[0];
  bool to_ground = arc->other == net->count;
  for (size_t i = 0; i < variable->count; i++) {
    int64_t p = assign->values[variable->begin + i].position;
    for (size_t k = 0; k < (to_ground ? 1 : variable->count); k++) {
      int64_t q = to_ground ? 0 : assign->values[variable->begin + k].position;
      int64_t q_after = to_ground ? 0 : swapped(q, a, b);
      if (net_hits(net, arc, is_hard, p, q) !=
          net_hits(net, arc, is_hard, swapped(p, a, b), q_after))
        return false;
    }
  }
  return true;
}

static bool can_swap(const struct assign *assign, int64_t a, int64_t b) {
  const struct net *net = assign->net;
  for (size_t v = 0; v < assign->count; v++) {
    uint32_t body = assign->variables[v].body;
    for (size_t i = net->hard_begin[body]; i < net->hard_begin[body + 1]; i++)
      if (!keeps_arc(assign, &net->hard[i], true, a, b)) return false;
    for (size_t i = net->soft_begin[body]; i < net->soft_begin[body + 1]; i++)
      if (!keeps_arc(assign, &net->soft[i], false, a, b)) return false;
  }
  return true;
}

/* Gives values that can be swapped the same kind. */
static void find_swaps(struct assign *assign) {
  struct value *first = assign->values + assign->variables[0].begin;
  size_t count = assign->variables[0].count;
  if (count > ASSIGN_MOST_SWAPPED || !have_same_values(assign)) return;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < i; k++)
      if (can_swap(assign, first[i].position, first[k].position)) {
        if (first[k].kind == 0) first[k].kind = (uint32_t)k + 1;
        first[i].kind = first[k].kind;
        assign->swaps = true;
        break;
      }
  for (size_t v = 1; v < assign->count; v++)
    for (size_t i = 0; i < count; i++)
      assign->values[assign->variables[v].begin + i].kind = first[i].kind;
}

/* ---------------------------------------------------------------- the search */

/*
 * Adds (or, with sign -1, removes) the conflicts and weights that a body at a position causes
 * for the values of unassigned bodies.
 */
static void spread(struct assign *assign, size_t index, int64_t position, int sign) {
  const struct net *net = assign->net;
  uint32_t body = assign->variables[index].body;
  for (size_t a = net->hard_begin[body]; a < net->hard_begin[body + 1]; a++) {
    const struct net_arc *arc = &net->hard[a];
    if (arc->other == net->count) continue;
    const struct variable *other = &assign->variables[assign->variable_of[arc->other]];
    for (size_t i = other->begin; !other->is_assigned && i < other->begin + other->count; i++)
      if (net_hits(net, arc, true, position, assign->values[i].position))
        assign->values[i].conflicts += (uint32_t)sign;
  }
  for (size_t a = net->soft_begin[body]; a < net->soft_begin[body + 1]; a++) {
    const struct net_arc *arc = &net->soft[a];
    if (arc->other == net->count) continue;
    const struct variable *other = &assign->variables[assign->variable_of[arc->other]];
    neap_size weight = assign->task->weights[arc->term] * sign;
    for (size_t i = other->begin; !other->is_assigned && i < other->begin + other->count; i++)
      if (net_hits(net, arc, false, position, assign->values[i].position))
        assign->values[i].weight += weight;
  }
}

/* Adds the conflicts and weights that arcs to the ground cause. */
static void spread_ground(struct assign *assign) {
  const struct net *net = assign->net;
  for (size_t v = 0; v < assign->count; v++) {
    const struct variable *variable = &assign->variables[v];
    uint32_t body = variable->body;
    for (size_t i = variable->begin; i < variable->begin + variable->count; i++) {
      struct value *value = &assign->values[i];
      for (size_t a = net->hard_begin[body]; a < net->hard_begin[body + 1]; a++)
        if (net->hard[a].other == net->count &&
            net_hits(net, &net->hard[a], true, value->position, 0))
          value->conflicts++;
      for (size_t a = net->soft_begin[body]; a < net->soft_begin[body + 1]; a++)
        if (net->soft[a].other == net->count &&
            net_hits(net, &net->soft[a], false, value->position, 0))
          value->weight += assign->task->weights[net->soft[a].term];
    }
  }
}

/*
 * The least weight that a variable adds, and its number of values without conflicts; -1 if it
 * has none.
 */
static neap_size least_of(const struct assign *assign, const struct variable *variable,
                          size_t *left) {
  neap_size least = -1;
  *left = 0;
  for (size_t i = variable->begin; i < variable->begin + variable->count; i++) {
    const struct value *value = &assign->values[i];
    if (value->conflicts > 0) continue;
    ++*left;
    if (least < 0 || value->weight < least) least = value->weight;
  }
  return least;
}

/*
 * Bounds the weight of all layouts below a node, or returns -1 if there are none.  Chooses the
 * next variable: one with few values below the best weight and with many arcs.
 */
static neap_size bound_node(const struct assign *assign, size_t *next) {
  neap_size bound = assign->paid;
  for (size_t v = 0; v < assign->count; v++) {
    size_t left;
    if (assign->variables[v].is_assigned) continue;
    neap_size least = least_of(assign, &assign->variables[v], &left);
    if (least < 0) return -1;
    bound += least;
  }
  double best = -1;
  for (size_t v = 0; bound < assign->best && v < assign->count; v++) {
    const struct variable *variable = &assign->variables[v];
    size_t left, cheap = 0;
    if (variable->is_assigned) continue;
    neap_size least = least_of(assign, variable, &left);
    for (size_t i = variable->begin; i < variable->begin + variable->count; i++)
      if (assign->values[i].conflicts == 0 &&
          bound - least + assign->values[i].weight < assign->best)
        cheap++;
    double value = (double)(variable->arc_count + 1) / (double)(cheap * cheap);
    if (value > best) {
      best = value;
      *next = v;
    }
  }
  return bound;
}

static void keep_layout(struct assign *assign, int64_t *at) {
  assign->best = assign->paid;
  assert(assign->paid >= 0);
  for (size_t v = 0; v < assign->count; v++)
    assign->positions[assign->variables[v].body] = at[v];
}

/*
 * Whether an earlier value of the same kind is empty, too, so that its subtree stands for this
 * one.
 */
static bool is_repeated(const struct assign *assign, const struct variable *variable,
                        size_t i) {
  const struct value *values = assign->values + variable->begin;
  if (!assign->swaps || values[i].kind == 0 || assign->used[i] > 0) return false;
  for (size_t k = 0; k < i; k++)
    if (values[k].kind == values[i].kind && assign->used[k] == 0) return true;
  return false;
}

static void search(struct assign *assign, size_t assigned, int64_t *at);

static void try_value(struct assign *assign, size_t index, size_t i, size_t assigned,
                      int64_t *at) {
  struct variable *variable = &assign->variables[index];
  struct value value = assign->values[variable->begin + i];
  assert(!variable->is_assigned && value.conflicts == 0 && assigned < assign->count);
  variable->is_assigned = true;
  assign->paid += value.weight;
  assign->used[i]++;
  at[index] = value.position;
  spread(assign, index, value.position, 1);
  search(assign, assigned + 1, at);
  spread(assign, index, value.position, -1);
  assert(assign->used[i] > 0 && assign->paid >= value.weight);
  assign->used[i]--;
  assign->paid -= value.weight;
  variable->is_assigned = false;
}

/* The next value by weight, then index; `after` is the one tried last, SIZE_MAX at first. */
static size_t next_value(const struct assign *assign, const struct variable *variable,
                         size_t after) {
  const struct value *values = assign->values + variable->begin;
  size_t best = SIZE_MAX;
  for (size_t i = 0; i < variable->count; i++) {
    if (values[i].conflicts > 0 || is_repeated(assign, variable, i)) continue;
    if (after != SIZE_MAX && (values[i].weight < values[after].weight ||
                              (values[i].weight == values[after].weight && i <= after)))
      continue;
    if (best == SIZE_MAX || values[i].weight < values[best].weight) best = i;
  }
  return best;
}

static void search(struct assign *assign, size_t assigned, int64_t *at) {
  if (assigned == assign->count) {
    if (assign->paid < assign->best) keep_layout(assign, at);
    return;
  }
  if (!budget_tick(assign->task->budget)) assign->stopped = true;
  else if (++assign->nodes > assign->task->most_nodes) assign->open = true;
  size_t next = 0;
  if (assign->stopped || assign->open) return;
  neap_size bound = bound_node(assign, &next);
  if (bound < 0 || bound >= assign->best) return;
  struct variable *variable = &assign->variables[next];
  size_t left;
  neap_size rest = bound - least_of(assign, variable, &left);
  assert(left > 0 && rest >= assign->paid);
  for (size_t i = next_value(assign, variable, SIZE_MAX); i != SIZE_MAX;
       i = next_value(assign, variable, i)) {
    if (rest + assign->values[variable->begin + i].weight >= assign->best) break;
    try_value(assign, next, i, assigned, at);
    if (assign->stopped || assign->open) break;
  }
}

/* ---------------------------------------------------------------- making */

static bool allocate(struct assign *assign) {
  const struct net *net = assign->net;
  assign->variables = memory_array(assign->count, sizeof *assign->variables);
  assign->variable_of = memory_array(net->count, sizeof *assign->variable_of);
  assign->used = memory_array(ASSIGN_MOST_VALUES, sizeof *assign->used);
  if (!assign->variables || !assign->variable_of || !assign->used) return false;
  for (size_t v = 0; v < assign->count; v++) {
    uint32_t body = assign->task->bodies[v];
    assign->variable_of[body] = (uint32_t)v;
    assign->variables[v] =
        (struct variable){.body = body,
                          .arc_count = net->hard_begin[body + 1] - net->hard_begin[body] +
                                       net->soft_begin[body + 1] - net->soft_begin[body]};
  }
  return true;
}

static enum assign_end run(struct assign *assign) {
  int64_t *at = memory_array(assign->count, sizeof *at);
  if (!at) return ASSIGN_MEMORY;
  find_swaps(assign);
  spread_ground(assign);
  search(assign, 0, at);
  free(at);
  if (assign->stopped) return ASSIGN_STOPPED;
  return assign->open ? ASSIGN_OPEN : ASSIGN_PROVEN;
}

enum assign_end assign_solve(const struct assign_task *task, int64_t *positions,
                             neap_size *weight, bool *was_searched) {
  struct assign assign = {.task = task,
                          .net = task->net,
                          .count = task->count,
                          .best = *weight,
                          .positions = positions};
  if (task->count == 0 || *weight == 0) return ASSIGN_PROVEN;
  if (task->count > ASSIGN_MOST_TOTAL) return ASSIGN_OPEN;
  enum assign_end end = allocate(&assign) ? find_values(&assign) : ASSIGN_MEMORY;
  *was_searched = end == ASSIGN_PROVEN;
  if (*was_searched) end = run(&assign);
  *weight = assign.best;
  free(assign.variables);
  free(assign.values);
  free(assign.variable_of);
  free(assign.used);
  return end;
}
