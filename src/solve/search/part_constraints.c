/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Translates the relations of a problem into the ties of its parts (search/constraint_groups).
 *
 *   1. kinship_init collects bodies, domains, gaps (overlap allowances) and links (bank
 *      separations, and separations if they are not columns), all by the numbers of buffers.
 *   2. kinship_join tells the division into parts which sections must stay together.
 *   3. kinship_tie renumbers links by the rectangles of each part, sorts them by part with a
 *      counting sort, and makes each part's ties.
 *
 * Cost: linear in relations, buffers and parts, apart from the bodies and gaps (model/).  Sizes and
 * offsets are in bytes; parts divide them by their unit afterwards.
 */
#include "search/parts.h"

#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"

/* Lists the links in scope, by the numbers of buffers. */
static neap_status list_others(struct kinship *kinship, const struct neap_problem *problem,
                               neap_error *error) {
  unsigned effects = RELATION_BANKS | (kinship->scope == KINSHIP_ALL ? RELATION_APART : 0);
  const neap_relation *relation = NULL;
  kinship->others =
      memory_array(problem_count_relations(problem, effects), sizeof *kinship->others);
  if (!kinship->others) return error_memory(error);
  while ((relation = problem_next_relation(problem, effects, relation))) {
    neap_size first = problem->buffers[relation->first].size;
    neap_size second = problem->buffers[relation->second].size;
    if (first == 0 || second == 0) continue;
    kinship->others[kinship->other_count++] =
        (struct tie_link){.first = (uint32_t)relation->first,
                          .second = (uint32_t)relation->second,
                          .bank = relation_has(relation, RELATION_BANKS) ? relation->bytes : 0,
                          .first_below = first,
                          .second_below = second};
  }
  return NEAP_OK;
}

neap_status kinship_init(struct kinship *kinship, const struct neap_problem *problem,
                         enum kinship_scope scope, neap_error *error) {
  *kinship = (struct kinship){.scope = scope};
  neap_status status = bodies_init(&kinship->bodies, problem, error);
  if (status == NEAP_OK) status = domains_init(&kinship->domains, problem, error);
  if (status == NEAP_OK && scope == KINSHIP_TIES)
    status = pair_rules_init(&kinship->rules, problem, error);
  if (status == NEAP_OK) status = list_others(kinship, problem, error);
  return status;
}

void kinship_clear(struct kinship *kinship) {
  bodies_clear(&kinship->bodies);
  domains_clear(&kinship->domains);
  pair_rules_clear(&kinship->rules);
  free(kinship->others);
  *kinship = (struct kinship){0};
}

/* ---------------------------------------------------------------- joining sections */

static void join_buffers(const struct sections *sections, size_t first, size_t second,
                         struct disjoint *sets) {
  size_t a = sections_spans_begin(sections, first), b = sections_spans_begin(sections, second);
  if (a < sections->spans_end[first] && b < sections->spans_end[second])
    disjoint_join(sets, sections->spans[a].first, sections->spans[b].first);
}

/* Joins each member with the last member before it that has bytes. */
static void join_body(const struct bodies *bodies, const struct body *body,
                      const struct sections *sections, struct disjoint *sets) {
  size_t last = BODIES_NONE;
  for (size_t k = body->begin; k < body->end; k++) {
    size_t member = bodies->members[k];
    if (sections_spans_begin(sections, member) == sections->spans_end[member]) continue;
    if (last != BODIES_NONE) join_buffers(sections, last, member, sets);
    last = member;
  }
}

void kinship_join(const struct kinship *kinship, const struct sections *sections,
                  struct disjoint *sets) {
  for (size_t b = 0; b < kinship->bodies.count; b++)
    join_body(&kinship->bodies, &kinship->bodies.items[b], sections, sets);
  for (size_t i = 0; i < kinship->other_count; i++)
    join_buffers(sections, kinship->others[i].first, kinship->others[i].second, sets);
}

/* ---------------------------------------------------------------- tying rectangles */

/* The part and the rectangle of each buffer. */
struct addresses {
  uint32_t *rectangle; /* or TIES_NONE */
  uint32_t *part;
};

static bool addresses_init(struct addresses *addresses, const struct neap_problem *problem,
                           const struct parts *parts) {
  addresses->rectangle = memory_array(problem->count, sizeof *addresses->rectangle);
  addresses->part = memory_array(problem->count, sizeof *addresses->part);
  if (!addresses->rectangle || !addresses->part) return false;
  for (size_t i = 0; i < problem->count; i++)
    addresses->rectangle[i] = TIES_NONE;
  for (size_t p = 0; p < parts->count; p++)
    for (uint32_t i = 0; i < parts->items[p].count; i++) {
      assert(addresses->rectangle[parts->items[p].buffer[i]] == TIES_NONE);
      addresses->rectangle[parts->items[p].buffer[i]] = i;
      addresses->part[parts->items[p].buffer[i]] = (uint32_t)p;
    }
  return true;
}

/* The links of all parts, those of part 0 first. */
struct links {
  struct tie_link *items;
  size_t *end; /* per part */
};

/* Whether two buffers share a column. */
static bool share_column(const struct addresses *addresses, const struct parts *parts,
                         uint32_t first, uint32_t second) {
  return addresses->part[first] == addresses->part[second] &&
         part_meet(&parts->items[addresses->part[first]], addresses->rectangle[first],
                   addresses->rectangle[second]);
}

/*
 * Makes the link number `index`: first the gaps, then the others.  False if the two buffers of
 * a gap share no column.
 */
static bool link_at(const struct kinship *kinship, const struct neap_problem *problem,
                    const struct addresses *addresses, const struct parts *parts, size_t index,
                    struct tie_link *link) {
  if (index >= kinship->rules.count) {
    *link = kinship->others[index - kinship->rules.count];
    return true;
  }
  const struct pair_rule *rule = &kinship->rules.items[index];
  *link = (struct tie_link){rule->first,
                            rule->second,
                            rule->first_below,
                            rule->second_below,
                            0,
                            pair_rule_saving(rule, problem->buffers[rule->first].size,
                                             problem->buffers[rule->second].size)};
  return rule->has_gap && share_column(addresses, parts, rule->first, rule->second);
}

/* Sorts the links by part, by counting. */
static bool links_init(struct links *links, const struct kinship *kinship,
                       const struct neap_problem *problem, const struct addresses *addresses,
                       const struct parts *parts) {
  size_t count = kinship->rules.count + kinship->other_count;
  struct tie_link link;
  links->items = memory_array(count, sizeof *links->items);
  links->end = memory_array(parts->count + 1, sizeof *links->end);
  if (!links->items || !links->end) return false;
  for (size_t i = 0; i < count; i++)
    if (link_at(kinship, problem, addresses, parts, i, &link))
      links->end[addresses->part[link.first] + 1]++;
  for (size_t p = 0; p < parts->count; p++)
    links->end[p + 1] += links->end[p];
  for (size_t i = 0; i < count; i++) {
    if (!link_at(kinship, problem, addresses, parts, i, &link)) continue;
    size_t part = addresses->part[link.first];
    link.first = addresses->rectangle[link.first];
    link.second = addresses->rectangle[link.second];
    links->items[links->end[part]++] = link;
  }
  return true;
}

/* Sets the fixed offsets of rectangles that ties fix. */
static void fix_rectangles(struct part *part) {
  for (uint32_t i = 0; part->ties && i < part->count; i++)
    part->fixed[i] = ties_fixed(part->ties, i);
}

neap_status kinship_tie(const struct kinship *kinship, const struct neap_problem *problem,
                        struct parts *parts, neap_error *error) {
  struct addresses addresses = {0};
  struct links links = {0};
  bool ready = addresses_init(&addresses, problem, parts) &&
               links_init(&links, kinship, problem, &addresses, parts);
  neap_status status = ready ? NEAP_OK : error_memory(error);
  for (size_t p = 0; p < parts->count && status == NEAP_OK; p++) {
    struct part *part = &parts->items[p];
    size_t begin = p == 0 ? 0 : links.end[p - 1];
    struct ties_source source = {.problem = problem,
                                 .bodies = &kinship->bodies,
                                 .domains = &kinship->domains,
                                 .buffers = part->buffer,
                                 .count = part->count,
                                 .rectangle_of = addresses.rectangle,
                                 .links = links.items + begin,
                                 .link_count = links.end[p] - begin};
    status = ties_new(&part->ties, &source, error);
    fix_rectangles(part);
  }
  free(addresses.rectangle);
  free(addresses.part);
  free(links.items);
  free(links.end);
  return status;
}
