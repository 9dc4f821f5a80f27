/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/property/reference_relations.h"
#include "neap/relations.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* What two buffers may do. */
struct pair {
  bool together, separated, excluded, colocated;
  neap_offset
      from_below; /* first may be followed by second this far up: its size, if all counts */
};

struct reference {
  size_t count;
  neap_buffer buffers[REFERENCE_MOST];
  struct pair pairs[REFERENCE_MOST][REFERENCE_MOST];
};

static bool are_together(const neap_buffer *a, const neap_buffer *b) {
  for (size_t i = 0; i < a->range_count; i++)
    for (size_t j = 0; j < b->range_count; j++)
      if (a->ranges[i].start < b->ranges[j].end && b->ranges[j].start < a->ranges[i].end)
        return true;
  return false;
}

static void read_pairs(struct reference *reference, const neap_problem *problem) {
  neap_relation relation = NEAP_INIT(neap_relation);
  for (size_t i = 0; i < reference->count; i++)
    for (size_t j = 0; j < reference->count; j++)
      reference->pairs[i][j] = (struct pair){
          .together = are_together(&reference->buffers[i], &reference->buffers[j]),
          .from_below = reference->buffers[i].size};
  for (size_t r = 0; neap_problem_relation_at(problem, r, &relation); r++) {
    struct pair *to = &reference->pairs[relation.first][relation.second];
    struct pair *back = &reference->pairs[relation.second][relation.first];
    if (relation.kind == NEAP_SEPARATION) to->separated = back->separated = true;
    if (relation.kind == NEAP_EXCLUSION) to->excluded = back->excluded = true;
    if (relation.kind == NEAP_COLOCATION) to->colocated = back->colocated = true;
    if (relation.kind == NEAP_OVERLAP && relation.bytes < to->from_below)
      to->from_below = relation.bytes;
  }
  for (size_t k = 0; k < reference->count; k++)
    for (size_t i = 0; i < reference->count; i++)
      for (size_t j = 0; j < reference->count; j++)
        if (reference->pairs[i][k].colocated && reference->pairs[k][j].colocated)
          reference->pairs[i][j].colocated = true;
}

static bool limits_kept(const neap_buffer *buffer, neap_offset at) {
  neap_offset high = buffer->window_high == 0 ? NEAP_MAX : buffer->window_high;
  neap_offset end = at + buffer->size;
  if (at < 0 || at % buffer->alignment != 0) return false;
  if (buffer->fixed_offset != NEAP_UNPLACED && at != buffer->fixed_offset) return false;
  if (buffer->size == 0) return true;
  if (at < buffer->window_low || end > high) return false;
  return buffer->bank == 0 || at / buffer->bank == (end - 1) / buffer->bank;
}

static bool reserved_kept(const neap_problem *problem, const neap_buffer *buffer,
                          neap_offset at) {
  neap_reserved reserved = NEAP_INIT(neap_reserved);
  for (size_t r = 0; neap_problem_reserved_at(problem, r, &reserved); r++) {
    const neap_buffer during = {
        .struct_size = sizeof(neap_buffer), .ranges = &reserved.when, .range_count = 1};
    if (buffer->size > 0 && at < reserved.high && reserved.low < at + buffer->size &&
        are_together(buffer, &during))
      return false;
  }
  return true;
}

static bool relation_kept(const struct reference *reference, const neap_relation *relation,
                          const neap_offset *offsets) {
  neap_offset a = offsets[relation->first], b = offsets[relation->second];
  neap_size a_size = reference->buffers[relation->first].size;
  neap_size b_size = reference->buffers[relation->second].size;
  if (relation->kind == NEAP_COLOCATION) return b == a + relation->bytes;
  if (relation->kind != NEAP_BANK_SEPARATION || a_size == 0 || b_size == 0) return true;
  return (a + a_size - 1) / relation->bytes < b / relation->bytes ||
         (b + b_size - 1) / relation->bytes < a / relation->bytes;
}

static bool pair_kept(const struct reference *reference, size_t i, size_t j,
                      const neap_offset *offsets) {
  const struct pair *to = &reference->pairs[i][j], *back = &reference->pairs[j][i];
  if (reference->buffers[i].size == 0 || reference->buffers[j].size == 0) return true;
  if (!(to->together || to->separated) || to->excluded || to->colocated) return true;
  return offsets[j] >= offsets[i] + to->from_below ||
         offsets[i] >= offsets[j] + back->from_below;
}

bool reference_relations_kept(const neap_problem *problem, const neap_offset *offsets,
                              char text[REFERENCE_TEXT]) {
  static struct reference reference;
  neap_relation relation = NEAP_INIT(neap_relation);
  reference.count = neap_problem_count(problem);
  assert(reference.count <= REFERENCE_MOST);
  for (size_t i = 0; i < reference.count; i++) {
    reference.buffers[i].struct_size = sizeof(neap_buffer);
    neap_problem_buffer_at(problem, i, &reference.buffers[i]);
  }
  read_pairs(&reference, problem);
  for (size_t i = 0; i < reference.count; i++) {
    const neap_buffer *buffer = &reference.buffers[i];
    snprintf(text, REFERENCE_TEXT, "limits or reserved bytes of buffer %zu", i);
    if (!limits_kept(buffer, offsets[i]) || !reserved_kept(problem, buffer, offsets[i]))
      return false;
    for (size_t j = 0; j < i; j++) {
      snprintf(text, REFERENCE_TEXT, "buffers %zu and %zu collide", j, i);
      if (!pair_kept(&reference, i, j, offsets)) return false;
    }
  }
  for (size_t r = 0; neap_problem_relation_at(problem, r, &relation); r++) {
    snprintf(text, REFERENCE_TEXT, "%s of buffers %zu and %zu",
             neap_relation_kind_name(relation.kind), relation.first, relation.second);
    if (!relation_kept(&reference, &relation, offsets)) return false;
  }
  return true;
}
