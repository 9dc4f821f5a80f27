/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Colocations are the edges of a graph whose components are the bodies.  A walk over a
 * component sums the distances along its edges, which gives each member an offset; the lowest
 * offset is then shifted to 0.
 */
#include "facts/bodies.h"

#include <assert.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sort.h"
#include "facts/relation_index.h"

struct walk {
  const struct neap_problem *problem;
  struct bodies *bodies;
  struct relation_index links; /* colocations */
};

/* ---------------------------------------------------------------- bodies */

/* Adds everything colocated with a member to its body. */
static bool visit(const struct walk *walk, struct body *body, size_t member) {
  struct bodies *bodies = walk->bodies;
  const struct related related = relation_index_of(&walk->links, member);
  for (size_t r = 0; r < related.count; r++) {
    const neap_relation *relation = related.items[r];
    size_t other = relation_other(relation, member);
    neap_size bytes = relation->first == member ? relation->bytes : -relation->bytes;
    if (bodies->of[other] != BODIES_NONE) continue;
    if (!checked_add(bodies->inner[member], bytes, &bodies->inner[other])) return false;
    bodies->of[other] = bodies->count;
    bodies->members[body->end++] = other;
  }
  return true;
}

/* Shifts the lowest member to offset 0; false if another member then ends above NEAP_MAX. */
static bool settle(const struct walk *walk, const struct body *body) {
  neap_offset *inner = walk->bodies->inner, lowest = NEAP_MAX, end;
  const size_t *members = walk->bodies->members;
  for (size_t m = body->begin; m < body->end; m++)
    if (inner[members[m]] < lowest) lowest = inner[members[m]];
  if (lowest < -NEAP_MAX) return false;
  for (size_t m = body->begin; m < body->end; m++)
    if (!checked_add(inner[members[m]], -lowest, &inner[members[m]]) ||
        !checked_add(inner[members[m]], walk->problem->buffers[members[m]].size, &end))
      return false;
  return true;
}

static void find_bases(const struct walk *walk, struct body *body) {
  body->bases = (struct residues){1, 0};
  for (size_t m = body->begin; m < body->end; m++) {
    size_t member = walk->bodies->members[m];
    neap_size alignment = walk->problem->buffers[member].alignment;
    neap_size beyond = walk->bodies->inner[member] % alignment;
    if (residues_meet(&body->bases, alignment, beyond == 0 ? 0 : alignment - beyond)) continue;
    body->bases.step = 0;
    return;
  }
}

/* Extends the period to a common multiple with a bank. */
static void add_to_period(struct body *body, neap_size bank) {
  struct residues common = {body->period > 0 ? body->period : body->bases.step, 0};
  if (body->period == NEAP_MAX || common.step == 0) return;
  body->period = residues_meet(&common, bank, 0) ? common.step : NEAP_MAX;
}

static void find_periods(const struct walk *walk) {
  const struct bodies *bodies = walk->bodies;
  for (size_t b = 0; b < bodies->count; b++)
    for (size_t m = bodies->items[b].begin; m < bodies->items[b].end; m++) {
      neap_size bank = problem_limits(walk->problem, bodies->members[m])->bank;
      if (bank > 0) add_to_period(&bodies->items[b], bank);
    }
  const neap_relation *relation = NULL;
  while ((relation = problem_next_relation(walk->problem, RELATION_BANKS, relation))) {
    size_t body = bodies->of[relation->first];
    if (body != BODIES_NONE && body == bodies->of[relation->second])
      add_to_period(&bodies->items[body], relation->bytes);
  }
}

/* Makes the body of a colocated buffer that does not belong to one yet. */
static bool make_body(struct walk *walk, size_t first, size_t begin) {
  struct bodies *bodies = walk->bodies;
  struct body *body = &bodies->items[bodies->count];
  *body = (struct body){.begin = begin, .end = begin + 1};
  bodies->members[begin] = first;
  bodies->of[first] = bodies->count;
  for (size_t m = begin; m < body->end; m++)
    if (!visit(walk, body, bodies->members[m])) return false;
  bodies->count++;
  qsort(bodies->members + begin, body->end - begin, sizeof *bodies->members, sort_by_index);
  if (!settle(walk, body)) return false;
  find_bases(walk, body);
  return true;
}

static bool make_bodies(struct walk *walk) {
  size_t begin = 0;
  for (size_t i = 0; i < walk->problem->count; i++) {
    bool is_alone = relation_index_of(&walk->links, i).count == 0;
    if (is_alone || walk->bodies->of[i] != BODIES_NONE) continue;
    if (!make_body(walk, i, begin)) return false;
    begin = walk->bodies->items[walk->bodies->count - 1].end;
  }
  return true;
}

/* ---------------------------------------------------------------- making */

static bool allocate(struct walk *walk) {
  struct bodies *bodies = walk->bodies;
  size_t count = walk->problem->count;
  size_t colocations = problem_count_relations(walk->problem, RELATION_JOINS);
  /*
   * Each body has at least one colocation, and each further colocation adds at most one member.
   */
  bodies->items = memory_array(colocations, sizeof *bodies->items);
  bodies->members = memory_array(2 * colocations, sizeof *bodies->members);
  bodies->of = memory_array(count, sizeof *bodies->of);
  bodies->inner = memory_array(count, sizeof *bodies->inner);
  if (!bodies->items || !bodies->members || !bodies->of || !bodies->inner ||
      !relation_index_init(&walk->links, walk->problem, RELATION_JOINS))
    return false;
  for (size_t i = 0; i < count; i++)
    bodies->of[i] = BODIES_NONE;
  return true;
}

neap_status bodies_init(struct bodies *bodies, const struct neap_problem *problem,
                        neap_error *error) {
  struct walk walk = {.problem = problem, .bodies = bodies};
  neap_status status = NEAP_OK;
  *bodies = (struct bodies){0};
  if (!problem_has(problem, RELATION_JOINS)) return NEAP_OK;
  if (!allocate(&walk)) status = error_memory(error);
  if (status == NEAP_OK) {
    if (!make_bodies(&walk))
      status = error_set(error, NEAP_ERROR_INPUT,
                         "the offsets of colocated buffers differ by 2^63 bytes or more");
    else find_periods(&walk);
  }
  relation_index_clear(&walk.links);
  if (status != NEAP_OK) bodies_clear(bodies);
  return status;
}

void bodies_clear(struct bodies *bodies) {
  free(bodies->items);
  free(bodies->members);
  free(bodies->of);
  free(bodies->inner);
  *bodies = (struct bodies){0};
}

/* ---------------------------------------------------------------- offsets */

/*
 * The end of a search that begins at `from`: a body without an allowed offset up to here has
 * none at all.  It is one period above `from` and above all windows, fixed offsets and holes,
 * beyond which nothing changes.
 */
static neap_offset end_of_search(const struct bodies *bodies, const struct domains *domains,
                                 const struct body *body, neap_offset from) {
  neap_offset low = from, end;
  if (body->period == 0) return NEAP_MAX;
  for (size_t m = body->begin; m < body->end; m++) {
    struct domain domain = domains_of(domains, bodies->members[m]);
    if (domain.window_low > low) low = domain.window_low;
    if (domain.fixed > low) low = domain.fixed;
    if (domain.hole_count > 0 && domain.holes[domain.hole_count - 1].high > low)
      low = domain.holes[domain.hole_count - 1].high;
  }
  return checked_add(low, body->period, &end) ? end : NEAP_MAX;
}

bool bodies_share_bytes(const struct bodies *bodies, const struct neap_problem *problem,
                        size_t a, size_t b) {
  const neap_offset *inner = bodies->inner;
  neap_size a_size = problem->buffers[a].size, b_size = problem->buffers[b].size;
  return a_size > 0 && b_size > 0 && inner[a] < inner[b] + b_size &&
         inner[b] < inner[a] + a_size;
}

/*
 * Asks one member after another for its next allowed offset, and raises the base to it.  Ends
 * when all members agree.  Banks may never agree, so the search also ends once every constraint
 * has repeated.
 */
neap_offset bodies_next(const struct bodies *bodies, const struct domains *domains, size_t body,
                        neap_offset from) {
  const struct body *asked = &bodies->items[body];
  size_t count = asked->end - asked->begin;
  neap_offset base = from;
  if (asked->bases.step == 0) return NEAP_UNPLACED;
  neap_offset last = end_of_search(bodies, domains, asked, from);
  for (size_t agreed = 0, m = 0; agreed < count; m = m + 1 < count ? m + 1 : 0) {
    size_t member = bodies->members[asked->begin + m];
    neap_offset inner = bodies->inner[member], wanted;
    if (base > last) return NEAP_UNPLACED;
    struct domain domain = domains_of(domains, member);
    if (!residues_next(&asked->bases, base, &base) || !checked_add(base, inner, &wanted))
      return NEAP_UNPLACED;
    neap_offset next = domain_next(&domain, wanted);
    if (next == NEAP_UNPLACED) return NEAP_UNPLACED;
    agreed = next == wanted ? agreed + 1 : 0;
    base = next - inner;
  }
  return base;
}
