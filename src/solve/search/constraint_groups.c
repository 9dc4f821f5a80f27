/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds the ties of a part and converts them to its units.
 *
 *   - Each rectangle gets a copy of its buffer's domain (window, bank, fixed offset, reserved
 *     holes).  All holes lie in one array, so that ties_scale can divide each of them once.
 *   - A body is a rigid group: its members have fixed distances, `delta`, from its base.  Members
 *     of 0 bytes limit the base, too, although they are not rectangles.
 *   - A link becomes two partners, one per rectangle.  A counting sort collects the partners of
 *     rectangle i at partners_begin[i] .. partners_begin[i + 1].  Links within one body are dropped
 *     unless they concern banks, because their distance is given.
 *
 *         base ──┬──────────┬───────────┬──►  offsets
 *                │ delta 0  │ delta 4   │ delta 9      three members of one body
 *
 * Cost: linear in rectangles, members, holes and links; the common divisors add a logarithm.
 *
 * Units: bytes until ties_scale, then units of the part.  ties_unit must have accepted the unit, so
 * that every division is exact.
 *
 * Invariants: body[i] is the body of rectangle i or TIES_NONE; delta[i] is 0 without a body; a
 * body has at least one rectangle; partners come in pairs that mirror each other.
 */
#include "search/constraint_groups.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"

void ties_free(struct ties *ties) {
  if (!ties) return;
  free(ties->domains);
  free(ties->body);
  free(ties->delta);
  free(ties->bodies);
  free(ties->members);
  free(ties->rectangles);
  free(ties->partners_begin);
  free(ties->partners);
  free(ties->holes);
  free(ties);
}

/* ---------------------------------------------------------------- whether there are any */

static bool are_needed(const struct ties_source *source) {
  if (source->link_count > 0) return true;
  for (size_t i = 0; i < source->count; i++) {
    struct domain domain = domains_of(source->domains, source->buffers[i]);
    domain.fixed = NEAP_UNPLACED; /* parts handle fixed offsets themselves */
    if (!domain_is_plain(&domain)) return true;
    if (bodies_of(source->bodies, source->buffers[i]) != BODIES_NONE) return true;
  }
  return false;
}

/* ---------------------------------------------------------------- domains */

/* The domain of a buffer, with holes of its own. */
static struct domain copy_domain(struct ties *ties, const struct ties_source *source,
                                 size_t buffer) {
  struct domain domain = domains_of(source->domains, buffer);
  if (domain.hole_count > 0)
    memcpy(ties->holes + ties->hole_count, domain.holes,
           domain.hole_count * sizeof *domain.holes);
  domain.holes = ties->holes + ties->hole_count;
  ties->hole_count += domain.hole_count;
  return domain;
}

static const size_t *members_of(const struct ties_source *source, size_t body, size_t *count) {
  const struct body *item = &source->bodies->items[body];
  *count = item->end - item->begin;
  return source->bodies->members + item->begin;
}

/* Counts the members of all bodies in the part, and all holes. */
static void count_all(const struct ties_source *source, size_t *members, size_t *holes) {
  *members = *holes = 0;
  for (size_t i = 0; i < source->count; i++) {
    size_t buffer = source->buffers[i], count;
    size_t body = bodies_of(source->bodies, buffer);
    *holes += domains_of(source->domains, buffer).hole_count;
    if (body == BODIES_NONE) continue;
    const size_t *of = members_of(source, body, &count);
    /* Counts a body at its first member that is a rectangle. */
    size_t first = 0;
    while (source->rectangle_of[of[first]] == TIES_NONE)
      first++;
    if (of[first] != buffer) continue;
    *members += count;
    for (size_t k = 0; k < count; k++)
      *holes += domains_of(source->domains, of[k]).hole_count;
  }
}

static bool allocate(struct ties *ties, const struct ties_source *source) {
  size_t members, holes;
  count_all(source, &members, &holes);
  ties->count = source->count;
  ties->domains = memory_array(source->count, sizeof *ties->domains);
  ties->body = memory_array(source->count, sizeof *ties->body);
  ties->delta = memory_array(source->count, sizeof *ties->delta);
  ties->bodies = memory_array(members, sizeof *ties->bodies);
  ties->members = memory_array(members, sizeof *ties->members);
  ties->rectangles = memory_array(members, sizeof *ties->rectangles);
  ties->partners_begin = memory_array(source->count + 1, sizeof *ties->partners_begin);
  ties->partners = memory_array(2 * source->link_count, sizeof *ties->partners);
  ties->holes = memory_array(holes, sizeof *ties->holes);
  return ties->domains && ties->body && ties->delta && ties->bodies && ties->members &&
         ties->rectangles && ties->partners_begin && ties->partners && ties->holes;
}

/* ---------------------------------------------------------------- bodies and partners */

static void add_body(struct ties *ties, const struct ties_source *source, size_t body,
                     size_t *members, size_t *rectangles) {
  size_t count;
  const size_t *of = members_of(source, body, &count);
  struct tie_body *added = &ties->bodies[ties->body_count];
  *added = (struct tie_body){0, *members, *members, *rectangles, *rectangles};
  for (size_t k = 0; k < count; k++) {
    neap_offset delta = source->bodies->inner[of[k]];
    ties->members[added->members_end++] =
        (struct tie_member){of[k], delta, copy_domain(ties, source, of[k])};
    neap_size size = delta + source->problem->buffers[of[k]].size;
    if (size > added->size) added->size = size;
    uint32_t rectangle = source->rectangle_of[of[k]];
    if (rectangle == TIES_NONE) continue;
    ties->body[rectangle] = (uint32_t)ties->body_count;
    ties->delta[rectangle] = delta;
    ties->rectangles[added->rectangles_end++] = rectangle;
  }
  assert(added->rectangles_end > added->rectangles_begin);
  *members = added->members_end;
  *rectangles = added->rectangles_end;
  ties->body_count++;
  ties->has_links = true;
}

static void add_rectangles(struct ties *ties, const struct ties_source *source) {
  size_t members = 0, rectangles = 0;
  for (size_t i = 0; i < source->count; i++)
    ties->body[i] = TIES_NONE;
  for (size_t i = 0; i < source->count; i++) {
    size_t body = bodies_of(source->bodies, source->buffers[i]);
    ties->domains[i] = copy_domain(ties, source, source->buffers[i]);
    if (body != BODIES_NONE && ties->body[i] == TIES_NONE)
      add_body(ties, source, body, &members, &rectangles);
  }
}

static void add_partner(struct ties *ties, size_t at, const struct tie_link *link,
                        bool is_first) {
  ties->partners[at] = (struct tie_partner){
      .other = is_first ? link->second : link->first,
      .above = is_first ? link->second_below : link->first_below,
      .below = is_first ? link->first_below : link->second_below,
      .bank = link->bank,
      .saving = link->saving,
  };
}

/*
 * Whether a link can matter: two members of one body have a given distance, but may still share
 * a bank.
 */
static bool is_open(const struct ties *ties, const struct tie_link *link) {
  return link->bank > 0 || ties->body[link->first] == TIES_NONE ||
         ties->body[link->first] != ties->body[link->second];
}

static bool add_partners(struct ties *ties, const struct ties_source *source) {
  size_t *place = memory_array(source->count + 1, sizeof *place);
  if (!place) return false;
  for (size_t i = 0; i < source->link_count; i++) {
    if (!is_open(ties, &source->links[i])) continue;
    ties->partners_begin[source->links[i].first + 1]++;
    ties->partners_begin[source->links[i].second + 1]++;
    ties->has_links = true;
  }
  for (size_t i = 0; i < source->count; i++)
    ties->partners_begin[i + 1] += ties->partners_begin[i];
  memcpy(place, ties->partners_begin, (source->count + 1) * sizeof *place);
  for (size_t i = 0; i < source->link_count; i++) {
    const struct tie_link *link = &source->links[i];
    if (!is_open(ties, link)) continue;
    add_partner(ties, place[link->first]++, link, true);
    add_partner(ties, place[link->second]++, link, false);
  }
  free(place);
  return true;
}

neap_status ties_new(struct ties **ties, const struct ties_source *source, neap_error *error) {
  *ties = NULL;
  if (!are_needed(source)) return NEAP_OK;
  struct ties *made = memory_array(1, sizeof *made);
  if (!made) return error_memory(error);
  bool done = allocate(made, source);
  if (done) add_rectangles(made, source);
  done = done && add_partners(made, source);
  if (done) *ties = made;
  else ties_free(made);
  return done ? NEAP_OK : error_memory(error);
}

/* ---------------------------------------------------------------- units */

static neap_size unit_of_domain(const struct domain *domain, neap_size unit) {
  if (domain->size > 0) unit = common_divisor(domain->size, unit);
  if (domain->fixed > 0) unit = common_divisor(domain->fixed, unit);
  if (domain->window_low > 0) unit = common_divisor(domain->window_low, unit);
  if (domain->window_high < NEAP_MAX) unit = common_divisor(domain->window_high, unit);
  if (domain->bank > 0) unit = common_divisor(domain->bank, unit);
  for (size_t i = 0; i < domain->hole_count; i++) {
    if (domain->holes[i].low > 0) unit = common_divisor(domain->holes[i].low, unit);
    unit = common_divisor(domain->holes[i].high, unit);
  }
  return unit;
}

neap_size ties_unit(const struct ties *ties, neap_size unit) {
  for (size_t i = 0; i < ties->count; i++) {
    unit = unit_of_domain(&ties->domains[i], unit);
    unit = unit_for_alignment(unit, ties->domains[i].alignment);
  }
  for (size_t b = 0; b < ties->body_count; b++)
    for (size_t k = ties->bodies[b].members_begin; k < ties->bodies[b].members_end; k++) {
      const struct tie_member *member = &ties->members[k];
      if (member->delta > 0) unit = common_divisor(member->delta, unit);
      unit = unit_of_domain(&member->domain, unit);
      unit = unit_for_alignment(unit, member->domain.alignment);
    }
  for (size_t i = 0; i < ties->partners_begin[ties->count]; i++) {
    const struct tie_partner *partner = &ties->partners[i];
    if (partner->above > 0) unit = common_divisor(partner->above, unit);
    if (partner->below > 0) unit = common_divisor(partner->below, unit);
    if (partner->bank > 0) unit = common_divisor(partner->bank, unit);
  }
  return unit;
}

/* Holes are scaled separately, in ties_scale: all of them lie in one array. */
static void scale_domain(struct domain *domain, neap_size unit) {
  assert(domain->size % unit == 0);
  domain->size /= unit;
  domain->alignment = alignment_in_units(domain->alignment, unit);
  if (domain->fixed != NEAP_UNPLACED) domain->fixed /= unit;
  domain->window_low /= unit;
  if (domain->window_high < NEAP_MAX) domain->window_high /= unit;
  domain->bank /= unit;
}

void ties_scale(struct ties *ties, neap_size unit) {
  for (size_t i = 0; i < ties->count; i++) {
    scale_domain(&ties->domains[i], unit);
    ties->delta[i] /= unit;
  }
  for (size_t b = 0; b < ties->body_count; b++)
    ties->bodies[b].size /= unit;
  for (size_t b = 0; b < ties->body_count; b++)
    for (size_t k = ties->bodies[b].members_begin; k < ties->bodies[b].members_end; k++) {
      scale_domain(&ties->members[k].domain, unit);
      ties->members[k].delta /= unit;
    }
  for (size_t i = 0; i < ties->partners_begin[ties->count]; i++) {
    struct tie_partner *partner = &ties->partners[i];
    partner->above /= unit;
    partner->below /= unit;
    partner->bank /= unit;
    partner->saving /= unit;
  }
  for (size_t i = 0; i < ties->hole_count; i++) {
    ties->holes[i].low /= unit;
    ties->holes[i].high /= unit;
  }
}

/* ---------------------------------------------------------------- figures */

static neap_size add_capped(neap_size sum, neap_size more) {
  return sum > NEAP_MAX / 4 - more || more > NEAP_MAX / 4 ? NEAP_MAX / 4 : sum + more;
}

/*
 * In a layout that is pushed down, each buffer rests on another buffer, on the lower end of its
 * window or of a bank, or on the end of reserved bytes.  So each of these supports counts at
 * most once on the way up to the peak, plus the bytes that may be lost below it, which are
 * fewer than the buffer's size.
 */
static neap_size extent_of_domain(const struct domain *domain, neap_size sum) {
  if (domain->fixed != NEAP_UNPLACED) sum = add_capped(sum, domain->fixed);
  sum = add_capped(sum, domain->window_low);
  sum = add_capped(sum, domain->bank);
  if (domain->bank > 0) sum = add_capped(sum, domain->size);
  for (size_t i = 0; i < domain->hole_count; i++) {
    sum = add_capped(sum, domain->holes[i].high - domain->holes[i].low);
    sum = add_capped(sum, domain->size + domain->alignment);
  }
  return sum;
}

neap_size ties_extent(const struct ties *ties) {
  neap_size sum = 0;
  for (size_t i = 0; i < ties->count; i++)
    sum = extent_of_domain(&ties->domains[i], sum);
  for (size_t b = 0; b < ties->body_count; b++)
    for (size_t k = ties->bodies[b].members_begin; k < ties->bodies[b].members_end; k++) {
      const struct tie_member *member = &ties->members[k];
      sum = add_capped(sum, member->delta);
      sum = add_capped(sum, member->domain.size + member->domain.alignment);
      sum = extent_of_domain(&member->domain, sum);
    }
  for (size_t i = 0; i < ties->partners_begin[ties->count]; i++)
    sum = add_capped(sum, 2 * (ties->partners[i].bank < NEAP_MAX / 8 ? ties->partners[i].bank
                                                                     : NEAP_MAX / 8));
  return sum;
}

neap_offset ties_fixed(const struct ties *ties, uint32_t rectangle) {
  uint32_t body = ties->body[rectangle];
  if (body == TIES_NONE) return ties->domains[rectangle].fixed;
  for (size_t k = ties->bodies[body].members_begin; k < ties->bodies[body].members_end; k++) {
    const struct tie_member *member = &ties->members[k];
    if (member->domain.fixed != NEAP_UNPLACED)
      return member->domain.fixed - member->delta + ties->delta[rectangle];
  }
  return NEAP_UNPLACED;
}

/* ---------------------------------------------------------------- members without bytes */

void ties_place_members(const struct ties *ties, const neap_offset *rectangles, neap_size unit,
                        neap_offset *buffers) {
  for (size_t b = 0; b < ties->body_count; b++) {
    const struct tie_body *body = &ties->bodies[b];
    uint32_t any = ties->rectangles[body->rectangles_begin];
    neap_offset base = rectangles[any] - ties->delta[any];
    for (size_t k = body->members_begin; k < body->members_end; k++)
      buffers[ties->members[k].buffer] = (base + ties->members[k].delta) * unit;
  }
}

neap_offset ties_top(const struct ties *ties, const neap_offset *rectangles) {
  neap_offset top = 0;
  for (size_t b = 0; b < ties->body_count; b++) {
    const struct tie_body *body = &ties->bodies[b];
    uint32_t any = ties->rectangles[body->rectangles_begin];
    neap_offset end = rectangles[any] - ties->delta[any] + body->size;
    if (end > top) top = end;
  }
  return top;
}

neap_offset ties_empty_top(const struct ties *ties, const neap_offset *buffers) {
  neap_offset top = 0;
  for (size_t b = 0; b < ties->body_count; b++)
    for (size_t k = ties->bodies[b].members_begin; k < ties->bodies[b].members_end; k++)
      if (ties->members[k].domain.size == 0 && buffers[ties->members[k].buffer] > top)
        top = buffers[ties->members[k].buffer];
  return top;
}

void ties_copy_members(const struct ties *ties, const neap_offset *from, neap_offset *to) {
  for (size_t b = 0; b < ties->body_count; b++)
    for (size_t k = ties->bodies[b].members_begin; k < ties->bodies[b].members_end; k++)
      to[ties->members[k].buffer] = from[ties->members[k].buffer];
}
