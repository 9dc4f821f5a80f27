/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds the network of differences (costs/constraint_network.h) of a problem with one arena.
 * Colocated buffers become one body (facts/bodies).  A sweep over the sections adds a hard arc
 * for each pair of buffers that are alive together, unless a relation permits them to share
 * bytes; separations, bank separations and reserved bytes add further hard arcs.  Reuse
 * penalties and earlier offsets become soft arcs.  Last, the arcs are listed under both of
 * their bodies.
 *
 * Positions, sizes and distances are bytes, below FAR.  O(n log n + arcs) time for n spans and
 * relations, O(arcs) memory; NET_MOST_ARCS limits the arcs, of which there can be as many as
 * pairs of buffers.
 */
#include "costs/constraint_network.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "facts/bodies.h"
#include "facts/columns.h"
#include "facts/pair_rules.h"
#include "model/groups.h"

/* Positions stay below this, so that sums of a few of them do not overflow. */
#define FAR (NEAP_MAX / 8)

/* An arc as it is collected: it forbids or prices position(a) - position(b) in (low, high). */
struct raw_arc {
  uint32_t a, b, term;
  bool is_soft;
  int64_t low, high;
};

struct builder {
  struct net *net;
  const struct neap_problem *problem;
  struct raw_arc *arcs;
  size_t arc_count, arc_capacity, hard_count;
  struct pair_rules rules;
  size_t term_capacity, bank_capacity, rest_capacity;
  bool too_large, is_contradictory;
};

void net_clear(struct net *net) {
  free(net->bodies);
  free(net->body_of);
  free(net->shift);
  free(net->members_begin);
  free(net->members);
  free(net->hard_begin);
  free(net->soft_begin);
  free(net->hard);
  free(net->soft);
  free(net->banks);
  free(net->rests);
  free(net->terms);
  *net = (struct net){0};
}

/* ---------------------------------------------------------------- bodies */

/* Numbers the bodies of colocated buffers first, then one body for each other buffer. */
static bool number_bodies(struct net *net, const struct bodies *bodies) {
  size_t count = net->problem->count;
  net->body_of = memory_array(count, sizeof *net->body_of);
  net->shift = memory_array(count, sizeof *net->shift);
  net->members = memory_array(count, sizeof *net->members);
  net->count = bodies->count;
  if (!net->body_of || !net->shift || !net->members) return false;
  for (size_t i = 0; i < count; i++) {
    size_t body = bodies_of(bodies, i);
    net->body_of[i] = (uint32_t)(body == BODIES_NONE ? net->count++ : body);
    if (body != BODIES_NONE) net->shift[i] = bodies->inner[i];
  }
  net->members_begin = memory_array(net->count + 2, sizeof *net->members_begin);
  net->bodies = memory_array(net->count, sizeof *net->bodies);
  if (!net->members_begin || !net->bodies) return false;
  for (size_t i = 0; i < count; i++)
    net->members_begin[net->body_of[i] + 2]++;
  for (size_t b = 0; b < net->count; b++)
    net->members_begin[b + 2] += net->members_begin[b + 1];
  for (size_t i = 0; i < count; i++)
    net->members[net->members_begin[net->body_of[i] + 1]++] = (uint32_t)i;
  assert(net->members_begin[net->count] == count);
  return true;
}

static neap_status find_bodies(struct builder *builder, neap_error *error) {
  struct bodies bodies = {0};
  neap_status status = bodies_init(&bodies, builder->problem, error);
  if (status == NEAP_OK && !number_bodies(builder->net, &bodies)) status = error_memory(error);
  bodies_clear(&bodies);
  return status;
}

/* ---------------------------------------------------------------- positions of a body */

/* Keeps only the positions at which a member is aligned; false if there are none. */
static bool align_body(struct net_body *body, neap_size alignment, neap_offset shift) {
  return residues_meet(&body->steps, alignment, (alignment - shift % alignment) % alignment);
}

/* No position reaches a second bank of 2 * FAR bytes, so banks need not be larger. */
static bool add_rest(struct builder *builder, struct net_body *body, struct net_rest rest) {
  struct net *net = builder->net;
  if (!memory_reserve(&net->rests, &builder->rest_capacity, net->rest_count + 1,
                      sizeof *net->rests))
    return false;
  if (rest.bank > 2 * FAR) rest.bank = 2 * FAR;
  rest.before = body->last_rest;
  net->rests[net->rest_count] = rest;
  body->last_rest = net->rest_count++;
  return true;
}

static bool bound_body(const struct net *net, struct net_body *body, size_t member) {
  const struct neap_problem *problem = net->problem;
  const struct buffer *buffer = &problem->buffers[member];
  const struct limits *limits = problem_limits(problem, member);
  neap_offset shift = net->shift[member];
  neap_offset low = limits->window_low - shift;
  neap_offset high =
      (limits->window_high < FAR ? limits->window_high : FAR) - buffer->size - shift;
  if (buffer->fixed_offset != NEAP_UNPLACED) low = high = buffer->fixed_offset - shift;
  if (low > body->window_low) body->window_low = low;
  if (high < body->window_high) body->window_high = high;
  if (shift + buffer->size > body->extent) body->extent = shift + buffer->size;
  return align_body(body, buffer->alignment, shift) && body->window_low <= body->window_high;
}

/* If steps are longer than FAR, at most one position is left, which becomes the window. */
static void simplify_steps(struct net_body *body) {
  if (body->steps.step < FAR) return;
  if (body->steps.rest > body->window_low) body->window_low = body->steps.rest;
  if (body->steps.rest < body->window_high) body->window_high = body->steps.rest;
  body->steps = (struct residues){1, 0};
}

/* Limits a body by one of its members; false without memory. */
static bool add_limits(struct builder *builder, struct net_body *body, size_t member) {
  const struct net *net = builder->net;
  neap_size bank = problem_limits(net->problem, member)->bank;
  builder->is_contradictory |= !bound_body(net, body, member);
  struct net_rest rest = {.bank = bank,
                          .spare = bank - net->problem->buffers[member].size,
                          .shift = net->shift[member]};
  return bank == 0 || add_rest(builder, body, rest);
}

static bool bound_bodies(struct builder *builder) {
  struct net *net = builder->net;
  for (size_t b = 0; b < net->count; b++) {
    struct net_body *body = &net->bodies[b];
    *body = (struct net_body){.window_high = FAR, .steps = {1, 0}, .last_rest = NET_NO_REST};
    for (size_t m = net->members_begin[b]; m < net->members_begin[b + 1]; m++)
      if (!add_limits(builder, body, net->members[m])) return false;
    simplify_steps(body);
    body->low = body->window_low;
    body->high = body->window_high;
  }
  return true;
}

bool net_limit(struct net *net, neap_size capacity) {
  bool fits = true;
  for (size_t b = 0; b < net->count; b++) {
    struct net_body *body = &net->bodies[b];
    neap_size top = capacity < FAR ? capacity - body->extent : FAR;
    body->high = top < body->window_high ? top : body->window_high;
    body->low = net_fit_up(net, b, body->window_low);
    if (body->low <= body->high) body->high = net_fit_down(net, b, body->high);
    fits &= body->low <= body->high;
  }
  return fits;
}

static int64_t align_up(const struct net_body *body, int64_t from) {
  assert(body->steps.rest >= 0 && body->steps.rest < body->steps.step);
  int64_t below = (from - body->steps.rest) % body->steps.step;
  if (below < 0) below += body->steps.step;
  return below == 0 ? from : from + (body->steps.step - below);
}

static int64_t align_down(const struct net_body *body, int64_t from) {
  int64_t below = (from - body->steps.rest) % body->steps.step;
  if (below < 0) below += body->steps.step;
  return from - below;
}

/* A rest of a body that a position violates, or NULL; *found is the remainder at this position. */
static const struct net_rest *wrong_rest(const struct net *net, const struct net_body *body,
                                         int64_t position, int64_t *found) {
  for (size_t r = body->last_rest; r != NET_NO_REST; r = net->rests[r].before) {
    const struct net_rest *rest = &net->rests[r];
    *found = (position + rest->shift) % rest->bank;
    if (*found > rest->spare) return rest;
  }
  return NULL;
}

int64_t net_fit_up(const struct net *net, size_t index, int64_t from) {
  const struct net_body *body = &net->bodies[index];
  const struct net_rest *rest;
  int64_t found, position = align_up(body, from < 0 ? 0 : from);
  while (position <= body->high && (rest = wrong_rest(net, body, position, &found)))
    position = align_up(body, position + (rest->bank - found));
  return position;
}

int64_t net_fit_down(const struct net *net, size_t index, int64_t from) {
  const struct net_body *body = &net->bodies[index];
  const struct net_rest *rest;
  int64_t found, position = align_down(body, from);
  while (position >= body->window_low && position >= 0 &&
         (rest = wrong_rest(net, body, position, &found)))
    position = align_down(body, position - (found - rest->spare));
  return position;
}

/* ---------------------------------------------------------------- arcs */

static bool add_arc(struct builder *builder, struct raw_arc arc) {
  if (!arc.is_soft && ++builder->hard_count > NET_MOST_ARCS) builder->too_large = true;
  if (!memory_reserve(&builder->arcs, &builder->arc_capacity, builder->arc_count + 1,
                      sizeof *builder->arcs))
    return false;
  builder->arcs[builder->arc_count++] = arc;
  return true;
}

/* Adds an arc: for buffers a and b, offset(b) - offset(a) must not be in (-down, up). */
static bool add_gaps(struct builder *builder, uint32_t a, uint32_t b, neap_size up,
                     neap_size down, bool is_soft, uint32_t term) {
  const struct net *net = builder->net;
  neap_offset apart = net->shift[a] - net->shift[b];
  struct raw_arc arc = {.a = net->body_of[b],
                        .b = net->body_of[a],
                        .term = term,
                        .is_soft = is_soft,
                        .low = apart - down,
                        .high = apart + up};
  return add_arc(builder, arc);
}

/*
 * Adds the arc of two buffers whose lifetimes overlap or that are separated, unless relations
 * permit sharing.
 */
static bool add_conflict(struct builder *builder, uint32_t a, uint32_t b, bool together) {
  const struct neap_problem *problem = builder->problem;
  const struct pair_rule *rule = pair_rules_find(&builder->rules, a, b);
  uint32_t low = a < b ? a : b, high = a < b ? b : a;
  if (builder->net->body_of[a] == builder->net->body_of[b]) return true;
  bool is_separated = pair_rules_separate(&builder->rules, rule, a, b);
  if (rule && rule->is_excluded && !is_separated) return true;
  /* A separated pair gets its arc from the separation, only once. */
  if (is_separated && together) return true;
  neap_size up = rule ? rule->first_below : problem->buffers[low].size;
  neap_size down = rule ? rule->second_below : problem->buffers[high].size;
  return add_gaps(builder, low, high, up, down, false, NET_NO_BANK);
}

struct live_span {
  uint32_t first, end, buffer;
};

static int by_first(const void *left, const void *right) {
  const struct live_span *a = left, *b = right;
  if (a->first != b->first) return a->first < b->first ? -1 : 1;
  return a->buffer < b->buffer ? -1 : a->buffer > b->buffer;
}

/* Sweeps over the sections: each span conflicts with the spans that are alive when it begins. */
static bool meet_spans(struct builder *builder, struct live_span *spans, size_t count,
                       struct live_span *alive) {
  size_t alive_count = 0;
  for (size_t s = 0; s < count && !builder->too_large; s++) {
    size_t kept = 0;
    for (size_t i = 0; i < alive_count; i++) {
      if (alive[i].end <= spans[s].first) continue;
      alive[kept++] = alive[i];
      if (alive[i].buffer != spans[s].buffer &&
          !add_conflict(builder, alive[i].buffer, spans[s].buffer, true))
        return false;
    }
    alive[kept] = spans[s];
    alive_count = kept + 1;
  }
  return true;
}

static neap_status add_lifetimes(struct builder *builder, neap_error *error) {
  struct sections sections = {0};
  neap_status status = columns_init(&sections, builder->problem, SECTIONS_NONEMPTY, error);
  if (status != NEAP_OK) return status;
  size_t count = sections.span_count;
  struct live_span *spans = memory_array(count, sizeof *spans);
  struct live_span *alive = memory_array(count + 1, sizeof *alive);
  bool ready = spans && alive;
  for (size_t i = 0; ready && i < builder->problem->count; i++)
    for (size_t s = sections_spans_begin(&sections, i); s < sections.spans_end[i]; s++)
      spans[s] =
          (struct live_span){sections.spans[s].first, sections.spans[s].end, (uint32_t)i};
  if (ready && count > 1) qsort(spans, count, sizeof *spans, by_first);
  ready = ready && meet_spans(builder, spans, count, alive);
  free(spans);
  free(alive);
  sections_clear(&sections);
  return ready ? NEAP_OK : error_memory(error);
}

/* Separates the banks of two members of one body. */
static bool add_inner_banks(struct builder *builder, const neap_relation *item) {
  const struct net *net = builder->net;
  size_t low = item->first, high = item->second;
  if (net->shift[low] > net->shift[high]) low = item->second, high = item->first;
  neap_size gap = net->shift[high] - net->shift[low] - net->problem->buffers[low].size;
  builder->is_contradictory |= gap < 0;
  struct net_rest rest = {.bank = item->bytes, .spare = gap, .shift = net->shift[high]};
  return add_rest(builder, &net->bodies[net->body_of[low]], rest);
}

static bool add_bank_separation(struct builder *builder, const neap_relation *item) {
  struct net *net = builder->net;
  const struct buffer *buffers = builder->problem->buffers;
  size_t a = item->first, b = item->second;
  if (buffers[a].size == 0 || buffers[b].size == 0) return true;
  if (net->body_of[a] == net->body_of[b]) return add_inner_banks(builder, item);
  if (!memory_reserve(&net->banks, &builder->bank_capacity, net->bank_count + 2,
                      sizeof *net->banks))
    return false;
  struct net_bank bank = {item->bytes, net->shift[a], net->shift[b], buffers[a].size,
                          buffers[b].size};
  net->banks[net->bank_count] = bank;
  net->banks[net->bank_count + 1] =
      (struct net_bank){item->bytes, bank.other_shift, bank.shift, bank.other_size, bank.size};
  struct raw_arc arc = {.a = net->body_of[a],
                        .b = net->body_of[b],
                        .term = (uint32_t)net->bank_count,
                        .low = -FAR,
                        .high = FAR};
  net->bank_count += 2;
  return add_arc(builder, arc);
}

static bool add_term(struct builder *builder, struct net_term term) {
  struct net *net = builder->net;
  if (!memory_reserve(&net->terms, &builder->term_capacity, net->term_count + 1,
                      sizeof *net->terms))
    return false;
  net->terms[net->term_count++] = term;
  return true;
}

static bool add_penalty(struct builder *builder, const neap_relation *item, size_t index) {
  struct net *net = builder->net;
  uint32_t a = (uint32_t)item->first, b = (uint32_t)item->second;
  neap_size up = builder->problem->buffers[a].size, down = builder->problem->buffers[b].size;
  if (item->bytes == 0 || up == 0 || down == 0) return true;
  if (net->body_of[a] == net->body_of[b]) {
    neap_offset apart = net->shift[b] - net->shift[a];
    if (-down < apart && apart < up &&
        !checked_add(net->base_reuse, item->bytes, &net->base_reuse))
      net->base_reuse = NEAP_MAX;
    return true;
  }
  struct net_term term = {item->bytes, NEAP_TERM_REUSE, index};
  return add_term(builder, term) &&
         add_gaps(builder, a, b, up, down, true, (uint32_t)(net->term_count - 1));
}

static bool add_relation(struct builder *builder, const neap_relation *item, size_t index) {
  uint32_t a = (uint32_t)item->first, b = (uint32_t)item->second;
  const struct buffer *buffers = builder->problem->buffers;
  if (relation_has(item, RELATION_APART) && buffers[a].size > 0 && buffers[b].size > 0)
    return add_conflict(builder, a, b, false);
  if (relation_has(item, RELATION_BANKS)) return add_bank_separation(builder, item);
  if (relation_has(item, RELATION_PRICED)) return add_penalty(builder, item, index);
  return true;
}

static bool add_relations(struct builder *builder) {
  const struct relations *relations = builder->problem->relations;
  for (size_t i = 0; i < relations_total(relations); i++) {
    neap_relation relation = relations_at(relations, i);
    if (!add_relation(builder, &relation, i)) return false;
  }
  return true;
}

/* Adds reserved bytes, of which there are usually few. */
static bool add_reserved(struct builder *builder) {
  const struct neap_problem *problem = builder->problem;
  const struct relations *relations = problem->relations;
  struct net *net = builder->net;
  for (size_t r = 0; relations && r < relations->reserved_count; r++) {
    const neap_reserved *item = &relations->reserved[r];
    for (size_t i = 0; i < problem->count; i++) {
      if (problem->buffers[i].size == 0 || !problem_lives_during(problem, i, item->when))
        continue;
      neap_offset high = item->high < FAR ? item->high : FAR;
      neap_offset low = item->low < FAR ? item->low : FAR;
      struct raw_arc arc = {.a = net->body_of[i],
                            .b = (uint32_t)net->count,
                            .term = NET_NO_BANK,
                            .low = low - problem->buffers[i].size - net->shift[i],
                            .high = high - net->shift[i]};
      if (!add_arc(builder, arc)) return false;
    }
  }
  return true;
}

static bool add_near(struct builder *builder, size_t buffer) {
  struct net *net = builder->net;
  const struct limits *limits = problem_limits(builder->problem, buffer);
  if (limits->near_offset == NEAP_UNPLACED || limits->move_cost == 0) return true;
  struct net_term term = {limits->move_cost, NEAP_TERM_MOVED, buffer};
  if (!add_term(builder, term)) return false;
  neap_offset at = (limits->near_offset < FAR ? limits->near_offset : FAR) - net->shift[buffer];
  struct raw_arc arc = {.a = net->body_of[buffer],
                        .b = (uint32_t)net->count,
                        .term = (uint32_t)(net->term_count - 1),
                        .is_soft = true,
                        .low = -2 * FAR,
                        .high = at};
  if (!add_arc(builder, arc)) return false;
  arc.low = at;
  arc.high = 2 * FAR;
  return add_arc(builder, arc);
}

static neap_status collect_arcs(struct builder *builder, neap_error *error) {
  neap_status status = add_lifetimes(builder, error);
  if (status != NEAP_OK) return status;
  if (!add_relations(builder) || !add_reserved(builder)) return error_memory(error);
  for (size_t i = 0; i < builder->problem->count; i++)
    if (!add_near(builder, i)) return error_memory(error);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- arcs by body */

/* Lists an arc under both of its bodies. */
static void enter_arc(const struct raw_arc *raw, size_t *place, struct net_arc *arcs) {
  bool has_bank = !raw->is_soft && raw->term != NET_NO_BANK;
  arcs[place[raw->a]++] = (struct net_arc){raw->b, raw->term, raw->low, raw->high};
  arcs[place[raw->b]++] =
      (struct net_arc){raw->a, raw->term + (has_bank ? 1 : 0), -raw->high, -raw->low};
}

static bool index_arcs(const struct builder *builder, bool is_soft, size_t **begin,
                       struct net_arc **arcs) {
  struct net *net = builder->net;
  size_t total = 0, *place = memory_array(net->count + 2, sizeof *place);
  *begin = memory_array(net->count + 2, sizeof **begin);
  for (size_t i = 0; *begin && i < builder->arc_count; i++) {
    if (builder->arcs[i].is_soft != is_soft) continue;
    (*begin)[builder->arcs[i].a + 1]++;
    (*begin)[builder->arcs[i].b + 1]++;
    total += 2;
  }
  *arcs = memory_array(total, sizeof **arcs);
  bool ready = place && *begin && *arcs;
  for (size_t b = 0; ready && b <= net->count; b++)
    (*begin)[b + 1] += (*begin)[b];
  if (ready) memcpy(place, *begin, (net->count + 2) * sizeof *place);
  for (size_t i = 0; ready && i < builder->arc_count; i++)
    if (builder->arcs[i].is_soft == is_soft) enter_arc(&builder->arcs[i], place, *arcs);
  free(place);
  return ready;
}

static neap_status build(struct builder *builder, neap_error *error) {
  struct net *net = builder->net;
  neap_status status = find_bodies(builder, error);
  if (status != NEAP_OK) return status;
  status = pair_rules_init(&builder->rules, builder->problem, error);
  if (status != NEAP_OK) return status;
  if (!bound_bodies(builder)) return error_memory(error);
  status = collect_arcs(builder, error);
  if (status != NEAP_OK || builder->too_large) return status;
  if (!index_arcs(builder, false, &net->hard_begin, &net->hard) ||
      !index_arcs(builder, true, &net->soft_begin, &net->soft))
    return error_memory(error);
  return NEAP_OK;
}

neap_status net_init(struct net *net, const struct neap_problem *problem, bool *too_large,
                     bool *is_contradictory, neap_error *error) {
  *net = (struct net){.problem = problem};
  struct builder builder = {.net = net, .problem = problem};
  neap_status status = build(&builder, error);
  *too_large = builder.too_large;
  *is_contradictory = builder.is_contradictory;
  free(builder.arcs);
  pair_rules_clear(&builder.rules);
  return status;
}

/* ---------------------------------------------------------------- layouts */

neap_size net_cost(const struct net *net, const int64_t *positions, neap_term kind) {
  neap_size cost = kind == NEAP_TERM_REUSE ? net->base_reuse : 0;
  for (size_t b = 0; b < net->count; b++)
    for (size_t a = net->soft_begin[b]; a < net->soft_begin[b + 1]; a++) {
      const struct net_arc *arc = &net->soft[a];
      const struct net_term *term = &net->terms[arc->term];
      /* each arc is listed twice, so it counts only once */
      if (arc->other > b && term->kind == kind &&
          net_hits(net, arc, false, positions[b], positions[arc->other]))
        cost += term->cost;
    }
  return cost;
}

void net_positions(const struct net *net, const neap_offset *offsets, int64_t *positions) {
  for (size_t i = 0; i < net->problem->count; i++)
    positions[net->body_of[i]] = offsets[i] - net->shift[i];
  positions[net->count] = 0;
}

void net_offsets(const struct net *net, const int64_t *positions, neap_offset *offsets) {
  for (size_t i = 0; i < net->problem->count; i++)
    offsets[i] = positions[net->body_of[i]] + net->shift[i];
}

bool net_is_sound(const struct net *net, const int64_t *positions) {
  for (size_t b = 0; b < net->count; b++) {
    const struct net_body *body = &net->bodies[b];
    if (positions[b] < body->low || positions[b] > body->high) return false;
    if (net_fit_up(net, b, positions[b]) != positions[b]) return false;
    for (size_t a = net->hard_begin[b]; a < net->hard_begin[b + 1]; a++)
      if (net_hits(net, &net->hard[a], true, positions[b], positions[net->hard[a].other]))
        return false;
  }
  return true;
}
