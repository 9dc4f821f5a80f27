/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "soft/variant.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"

struct variant {
  const struct neap_problem *from;
  neap_problem *problem;
  bool *is_separated; /* per relation: it is a penalty that becomes a separation */
  bool *is_fixed;     /* per buffer: at its earlier offset */
  uint64_t *pairs;    /* that are separated for it: sorted keys */
  size_t pair_count;
};

static uint64_t key_of(const neap_relation *item) {
  uint64_t first = item->first, second = item->second;
  return first < second ? first << 32 | second : second << 32 | first;
}

static int by_key(const void *left, const void *right) {
  const uint64_t *a = left, *b = right;
  return *a < *b ? -1 : *a > *b;
}

static bool is_apart(const struct variant *variant, const neap_relation *item) {
  uint64_t key = key_of(item);
  return variant->pair_count > 0 &&
         bsearch(&key, variant->pairs, variant->pair_count, sizeof key, by_key);
}

static bool mark_terms(struct variant *variant, const struct net *net, const bool *is_hard) {
  const struct relations *relations = variant->from->relations;
  size_t relation_count = relations ? relations->count : 0;
  variant->is_separated = memory_array(relation_count, sizeof *variant->is_separated);
  variant->is_fixed = memory_array(variant->from->count, sizeof *variant->is_fixed);
  variant->pairs = memory_array(net->term_count, sizeof *variant->pairs);
  bool ready = variant->is_separated && variant->is_fixed && variant->pairs;
  for (size_t t = 0; ready && t < net->term_count; t++) {
    const struct net_term *term = &net->terms[t];
    if (!is_hard[t]) continue;
    if (term->kind == NEAP_TERM_MOVED) {
      variant->is_fixed[term->index] = true;
      continue;
    }
    variant->is_separated[term->index] = true;
    variant->pairs[variant->pair_count++] = key_of(&relations->items[term->index]);
  }
  if (ready && variant->pair_count > 1)
    qsort(variant->pairs, variant->pair_count, sizeof *variant->pairs, by_key);
  return ready;
}

static neap_status copy_buffers(struct variant *variant, neap_error *error) {
  neap_status status = NEAP_OK;
  neap_buffer buffer;
  for (size_t i = 0; status == NEAP_OK && neap_problem_buffer_at(variant->from, i, &buffer);
       i++) {
    if (variant->is_fixed[i] && buffer.fixed_offset == NEAP_UNPLACED)
      buffer.fixed_offset = buffer.near_offset;
    buffer.near_offset = NEAP_UNPLACED;
    buffer.move_cost = 0;
    status = neap_problem_add(variant->problem, &buffer, error);
  }
  return status;
}

/* Copies a relation, unless it is soft or allows a separated pair to share bytes. */
static neap_status copy_relation(struct variant *variant, const neap_relation *item,
                                 bool separated, neap_error *error) {
  neap_relation copy = *item;
  bool allows = item->kind == NEAP_EXCLUSION || item->kind == NEAP_OVERLAP;
  if (separated) {
    copy.kind = NEAP_SEPARATION;
    copy.bytes = 0;
  } else if (item->kind == NEAP_REUSE_PENALTY || (allows && is_apart(variant, item)))
    return NEAP_OK;
  return neap_problem_relate(variant->problem, &copy, error);
}

static neap_status copy_relations(struct variant *variant, neap_error *error) {
  const struct relations *relations = variant->from->relations;
  neap_status status = NEAP_OK;
  for (size_t i = 0; relations && status == NEAP_OK && i < relations->count; i++)
    status = copy_relation(variant, &relations->items[i], variant->is_separated[i], error);
  for (size_t i = 0; relations && status == NEAP_OK && i < relations->reserved_count; i++)
    status = neap_problem_reserve(variant->problem, &relations->reserved[i], error);
  return status;
}

neap_status variant_new(const struct net *net, const bool *is_hard, neap_problem **made,
                        neap_error *error) {
  struct variant variant = {.from = net->problem, .problem = neap_problem_new()};
  neap_status status =
      variant.problem && mark_terms(&variant, net, is_hard) ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK) status = copy_buffers(&variant, error);
  if (status == NEAP_OK) status = copy_relations(&variant, error);
  if (status == NEAP_OK) status = neap_problem_check(variant.problem, error);
  free(variant.is_separated);
  free(variant.is_fixed);
  free(variant.pairs);
  if (status == NEAP_OK) *made = variant.problem;
  else neap_problem_free(variant.problem);
  return status;
}
