/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contradictions among colocated buffers.  A body has one degree of freedom, the offset of its
 * lowest member, its base.  A fixed member decides the base, windows limit it to a range, and
 * alignments limit it to an arithmetic progression.  So one pass over the members finds every
 * contradiction of these, independently of other buffers.  Banks and reserved bytes are checked
 * only if the base is decided; otherwise they are left to the search.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "facts/relation_text.h"
#include "verify/contradictions.h"

static const char *name_of(const struct known *known, size_t index,
                           char excerpt[TEXT_EXCERPT]) {
  const char *name = problem_name(known->problem, index);
  return text_excerpt(excerpt, name, strlen(name));
}

const char *contradictions_distance(const struct known *known, size_t a, size_t b,
                                    char text[DISTANCE_TEXT]) {
  char first[TEXT_EXCERPT], second[TEXT_EXCERPT], shift[SHIFT_TEXT];
  neap_size bytes = known->bodies.inner[b] - known->bodies.inner[a];
  name_of(known, a, first);
  name_of(known, b, second);
  if (bytes == 0)
    snprintf(text, DISTANCE_TEXT, "%s, which is colocated with %s", second, first);
  else
    snprintf(text, DISTANCE_TEXT, "%s, which is colocated %s %s", second,
             shift_text(bytes, shift), first);
  return text;
}

/* ---------------------------------------------------------------- distances */

static bool agrees(const struct known *known, const neap_relation *relation) {
  const neap_offset *inner = known->bodies.inner;
  return inner[relation->second] - inner[relation->first] == relation->bytes;
}

/* Another colocation of the same two buffers, at another distance; NULL: there is none. */
static const neap_relation *find_rival(const struct known *known,
                                       const neap_relation *relation) {
  const neap_relation *other = NULL;
  while ((other = problem_next_relation(known->problem, RELATION_JOINS, other))) {
    bool is_same = other->first == relation->first && other->second == relation->second;
    bool is_turned = other->first == relation->second && other->second == relation->first;
    if ((is_same && other->bytes != relation->bytes) ||
        (is_turned && other->bytes != -relation->bytes))
      break;
  }
  return other;
}

static neap_status check_distances(const struct known *known, neap_error *error) {
  char words[RELATION_TEXT], others[RELATION_TEXT], distance[DISTANCE_TEXT];
  const neap_relation *relation = NULL;
  while ((relation = problem_next_relation(known->problem, RELATION_JOINS, relation))) {
    if (agrees(known, relation)) continue;
    const neap_relation *rival = find_rival(known, relation);
    relation_text(known->problem, relation, words);
    if (rival)
      return error_set(error, NEAP_ERROR_INPUT, "%s contradicts %s", words,
                       relation_text(known->problem, rival, others));
    return error_set(
        error, NEAP_ERROR_INPUT, "%s contradicts other colocations, which yield %s", words,
        contradictions_distance(known, relation->first, relation->second, distance));
  }
  return NEAP_OK;
}

/* ---------------------------------------------------------------- pools */

static size_t allowed_count(const struct neap_problem *problem, size_t buffer) {
  const struct limits *limits = problem_limits(problem, buffer);
  return limits->pools_end - limits->pools_begin;
}

static const size_t *allowed_pools(const struct neap_problem *problem, size_t buffer) {
  return problem->relations->pool_lists + problem_limits(problem, buffer)->pools_begin;
}

/*
 * Counts the members of a body that have lists of pools, and for each pool the members that
 * allow it.
 */
static size_t count_allowing(const struct known *known, const struct body *body,
                             size_t *allowing) {
  size_t lists = 0;
  for (size_t m = body->begin; m < body->end; m++) {
    size_t member = known->bodies.members[m], count = allowed_count(known->problem, member);
    lists += count > 0;
    for (size_t p = 0; p < count; p++)
      allowing[allowed_pools(known->problem, member)[p]]++;
  }
  return lists;
}

/*
 * The only pool that a body can be in, or KNOWN_NO_POOL; *any is false if all members together
 * allow none.  Expects `allowing` zeroed and leaves it so.
 */
static size_t only_pool(const struct known *known, const struct body *body, size_t *allowing,
                        bool *any) {
  size_t lists = count_allowing(known, body, allowing), common = 0, pool = KNOWN_NO_POOL;
  for (size_t m = body->begin; m < body->end; m++) {
    size_t member = known->bodies.members[m], count = allowed_count(known->problem, member);
    for (size_t p = 0; p < count; p++) {
      size_t allowed = allowed_pools(known->problem, member)[p];
      if (allowing[allowed] == lists) {
        pool = allowed;
        common++;
      }
      allowing[allowed] = 0;
    }
  }
  *any = lists == 0 || common > 0;
  return common == 1 ? pool : KNOWN_NO_POOL;
}

static bool have_common_pool(const struct neap_problem *problem, size_t a, size_t b) {
  for (size_t i = 0; i < allowed_count(problem, a); i++)
    for (size_t j = 0; j < allowed_count(problem, b); j++)
      if (allowed_pools(problem, a)[i] == allowed_pools(problem, b)[j]) return true;
  return false;
}

/*
 * Names two members without a common pool, or one member if each pair of members has a common
 * pool.
 */
static neap_status refuse_pools(const struct known *known, const struct body *body,
                                neap_error *error) {
  const size_t *members = known->bodies.members;
  size_t first = body->begin;
  char name[TEXT_EXCERPT], distance[DISTANCE_TEXT];
  while (allowed_count(known->problem, members[first]) == 0)
    first++;
  for (size_t m = first + 1; m < body->end; m++)
    if (allowed_count(known->problem, members[m]) > 0 &&
        !have_common_pool(known->problem, members[first], members[m]))
      return error_set(error, NEAP_ERROR_INPUT, "%s and %s, have no pool in common",
                       name_of(known, members[first], name),
                       contradictions_distance(known, members[first], members[m], distance));
  return error_set(error, NEAP_ERROR_INPUT,
                   "%s and the buffers that are colocated with it have no pool in common",
                   name_of(known, members[first], name));
}

static neap_status find_body_pools(struct known *known, size_t *allowing, neap_error *error) {
  for (size_t b = 0; b < known->bodies.count; b++) {
    const struct body *body = &known->bodies.items[b];
    bool any;
    size_t pool = only_pool(known, body, allowing, &any);
    if (!any) return refuse_pools(known, body, error);
    for (size_t m = body->begin; m < body->end && pool != KNOWN_NO_POOL; m++)
      known->pools[known->bodies.members[m]] = pool;
  }
  return NEAP_OK;
}

static neap_status find_pools(struct known *known, neap_error *error) {
  size_t count = problem_pool_count(known->problem);
  for (size_t i = 0; i < known->problem->count; i++) {
    known->pools[i] = count > 1 ? KNOWN_NO_POOL : 0;
    if (allowed_count(known->problem, i) == 1)
      known->pools[i] = allowed_pools(known->problem, i)[0];
  }
  if (count < 2 || known->bodies.count == 0) return NEAP_OK;
  size_t *allowing = memory_array(count, sizeof *allowing);
  if (!allowing) return error_memory(error);
  neap_status status = find_body_pools(known, allowing, error);
  free(allowing);
  return status;
}

/* ---------------------------------------------------------------- bodies with a fixed member */

/* Describes what is wrong with the offset of a member; "" if nothing is. */
static const char *fault_of(const struct known *known, size_t member, neap_offset base,
                            char text[DISTANCE_TEXT]) {
  const struct buffer *buffer = &known->problem->buffers[member];
  const struct limits *limits = problem_limits(known->problem, member);
  neap_offset inner = known->bodies.inner[member], offset = 0, end = 0;
  text[0] = '\0';
  if (!checked_add(base, inner, &offset) || !checked_add(offset, buffer->size, &end)) {
    snprintf(text, DISTANCE_TEXT, "end above 2^63 - 1");
  } else if (offset < 0) {
    snprintf(text, DISTANCE_TEXT, "begin below 0");
  } else if (offset % buffer->alignment != 0) {
    snprintf(text, DISTANCE_TEXT,
             "be at offset %" PRId64 ", which is not a multiple of its alignment %" PRId64,
             offset, buffer->alignment);
  } else if (offset < limits->window_low || end > limits->window_high) {
    snprintf(text, DISTANCE_TEXT,
             "be at bytes [%" PRId64 ", %" PRId64 "), outside its window [%" PRId64 ", %" PRId64
             ")",
             offset, end, limits->window_low, limits->window_high);
  } else if (limits->bank > 0 && end > offset &&
             offset / limits->bank != (end - 1) / limits->bank) {
    snprintf(text, DISTANCE_TEXT,
             "be at bytes [%" PRId64 ", %" PRId64 "), in more than one bank of %" PRId64
             " bytes",
             offset, end, limits->bank);
  }
  return text;
}

/* Checks whether a member suits the base that a fixed member implies. */
static neap_status check_fixed_member(const struct known *known, size_t fixed, size_t member,
                                      neap_error *error) {
  const struct buffer *buffers = known->problem->buffers;
  const neap_offset *inner = known->bodies.inner;
  neap_offset base = buffers[fixed].fixed_offset - inner[fixed];
  neap_offset other = buffers[member].fixed_offset;
  char name[TEXT_EXCERPT], distance[DISTANCE_TEXT], fault[DISTANCE_TEXT];
  if (other != NEAP_UNPLACED && other - inner[member] != base)
    return error_set(error, NEAP_ERROR_INPUT,
                     "%s is fixed to offset %" PRId64 ", and %s, to %" PRId64,
                     name_of(known, fixed, name), buffers[fixed].fixed_offset,
                     contradictions_distance(known, fixed, member, distance), other);
  if (fault_of(known, member, base, fault)[0] == '\0') return NEAP_OK;
  return error_set(error, NEAP_ERROR_INPUT,
                   "%s is fixed to offset %" PRId64 ", so that %s, would %s",
                   name_of(known, fixed, name), buffers[fixed].fixed_offset,
                   contradictions_distance(known, fixed, member, distance), fault);
}

static neap_status check_fixed(struct known *known, const struct body *body, size_t fixed,
                               neap_error *error) {
  for (size_t m = body->begin; m < body->end; m++) {
    size_t member = known->bodies.members[m];
    neap_status status = check_fixed_member(known, fixed, member, error);
    if (status != NEAP_OK) return status;
    known->offsets[member] = known->problem->buffers[fixed].fixed_offset -
                             known->bodies.inner[fixed] + known->bodies.inner[member];
    assert(known->offsets[member] >= 0);
  }
  return NEAP_OK;
}

/* ---------------------------------------------------------------- other bodies */

/* The first member whose alignment cannot be met together with those of the members before it. */
static size_t first_excluding(const struct known *known, const struct body *body) {
  struct residues bases = {1, 0};
  for (size_t m = body->begin; m < body->end; m++) {
    size_t member = known->bodies.members[m];
    neap_size alignment = known->problem->buffers[member].alignment;
    neap_size beyond = known->bodies.inner[member] % alignment;
    if (!residues_meet(&bases, alignment, beyond == 0 ? 0 : alignment - beyond)) return m;
  }
  assert(false);
  return body->end - 1;
}

/*
 * Alignments contradict each other only if two of them do (the Chinese remainder theorem), or
 * if the least common solution is too large.
 */
static neap_status refuse_alignments(const struct known *known, const struct body *body,
                                     neap_error *error) {
  const struct buffer *buffers = known->problem->buffers;
  size_t last = first_excluding(known, body), b = known->bodies.members[last];
  char name[TEXT_EXCERPT], distance[DISTANCE_TEXT];
  for (size_t m = body->begin; m < last; m++) {
    size_t a = known->bodies.members[m];
    neap_size common = common_divisor(buffers[a].alignment, buffers[b].alignment);
    if ((known->bodies.inner[a] - known->bodies.inner[b]) % common == 0) continue;
    return error_set(error, NEAP_ERROR_INPUT,
                     "no offsets suit the alignments %" PRId64 " of %s and %" PRId64 " of %s",
                     buffers[a].alignment, name_of(known, a, name), buffers[b].alignment,
                     contradictions_distance(known, a, b, distance));
  }
  return error_set(error, NEAP_ERROR_INPUT,
                   "no offsets below 2^63 suit the alignments of %s and the buffers that are "
                   "colocated with it",
                   name_of(known, b, name));
}

/* The bases that windows allow, low .. high, and the members whose windows set these limits. */
struct room {
  neap_offset low, high;
  size_t below, above;
};

/* Without windows, the lowest member is at 0 or above, and all end at or below NEAP_MAX. */
static struct room room_of(const struct known *known, const struct body *body) {
  const size_t *members = known->bodies.members;
  struct room room = {-1, NEAP_MAX, members[body->begin], members[body->begin]};
  for (size_t m = body->begin; m < body->end; m++) {
    size_t member = members[m];
    const struct limits *limits = problem_limits(known->problem, member);
    neap_offset inner = known->bodies.inner[member];
    neap_offset low = limits->window_low - inner;
    neap_offset high = limits->window_high - known->problem->buffers[member].size - inner;
    if (inner == 0 && low < 0) low = 0;
    if (low > room.low) {
      room.low = low;
      room.below = member;
    }
    if (high < room.high) {
      room.high = high;
      room.above = member;
    }
  }
  assert(room.low >= 0);
  return room;
}

static neap_status check_room(const struct known *known, const struct body *body,
                              neap_error *error) {
  struct room room = room_of(known, body);
  const struct limits *below = problem_limits(known->problem, room.below);
  const struct limits *above = problem_limits(known->problem, room.above);
  char name[TEXT_EXCERPT], distance[DISTANCE_TEXT];
  neap_offset base;
  if (room.low > room.high && room.low == 0)
    return error_set(error, NEAP_ERROR_INPUT,
                     "the window [%" PRId64 ", %" PRId64 ") of %s leaves no room below for %s",
                     above->window_low, above->window_high, name_of(known, room.above, name),
                     contradictions_distance(known, room.above, room.below, distance));
  if (room.low > room.high)
    return error_set(error, NEAP_ERROR_INPUT,
                     "no offsets suit the window [%" PRId64 ", %" PRId64 ") of %s and [%" PRId64
                     ", %" PRId64 ") of %s",
                     below->window_low, below->window_high, name_of(known, room.below, name),
                     above->window_low, above->window_high,
                     contradictions_distance(known, room.below, room.above, distance));
  if (residues_next(&body->bases, room.low, &base) && base <= room.high) return NEAP_OK;
  return error_set(error, NEAP_ERROR_INPUT,
                   "no offsets in the window of %s suit its alignment and those of the "
                   "buffers that are colocated with it",
                   name_of(known, room.above, name));
}

static neap_status check_body(struct known *known, const struct body *body, neap_error *error) {
  for (size_t m = body->begin; m < body->end; m++) {
    size_t member = known->bodies.members[m];
    if (known->problem->buffers[member].fixed_offset != NEAP_UNPLACED)
      return check_fixed(known, body, member, error);
  }
  if (body->bases.step == 0) return refuse_alignments(known, body, error);
  return check_room(known, body, error);
}

neap_status contradictions_of_bodies(struct known *known, neap_error *error) {
  neap_status status = bodies_init(&known->bodies, known->problem, error);
  if (status == NEAP_OK && known->bodies.count > 0) status = check_distances(known, error);
  if (status == NEAP_OK) status = find_pools(known, error);
  for (size_t b = 0; b < known->bodies.count && status == NEAP_OK; b++)
    status = check_body(known, &known->bodies.items[b], error);
  return status;
}
