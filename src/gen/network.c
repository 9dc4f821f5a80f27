/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Networks. One operator runs per moment; a tensor is alive from the operator that makes it to
 * the last one that reads it. As in convolutional networks, sizes shrink from stage to stage
 * and start again when they have become small.
 */
#include "gen/kind.h"

#define LARGEST_SHIFT 22
#define SMALLEST_SHIFT 14

/* Sizes as the network gets deeper. */
struct depth {
  struct random *random;
  int shift;
};

static neap_size next_size(struct depth *depth) {
  if (kind_chance(depth->random, 6)) depth->shift--;
  if (depth->shift < SMALLEST_SHIFT) depth->shift = LARGEST_SHIFT;
  return (kind_between(depth->random, 8, 32) << depth->shift) / 32;
}

neap_status chain_fill(neap_problem *problem, size_t count, struct random *random,
                       neap_error *error) {
  struct depth depth = {random, LARGEST_SHIFT};
  for (size_t i = 0; i < count; i++) {
    neap_time start = (neap_time)i;
    neap_time end = start + 2;
    if (kind_chance(random, 4)) end += kind_between(random, 1, 8);
    neap_status status = kind_add(problem, start, end, next_size(&depth), error);
    if (status != NEAP_OK) return status;
  }
  return NEAP_OK;
}

/* The block being built. */
struct block {
  neap_problem *problem;
  size_t count; /* the total number of buffers to add */
  struct depth depth;
  neap_time now, join;
  neap_error *error;
};

/* Adds a branch: a chain of tensors, the last of which is alive until the join. */
static neap_status add_branch(struct block *block, int64_t length) {
  neap_status status = NEAP_OK;
  for (int64_t i = 0; i < length && status == NEAP_OK && block->problem->count < block->count;
       i++) {
    neap_time end = i + 1 == length ? block->join + 1 : block->now + 2;
    status = kind_add(block->problem, block->now, end, next_size(&block->depth), block->error);
    block->now++;
  }
  return status;
}

/* Adds the tensor that all branches read, then the branches, one after another. */
static neap_status add_block(struct block *block) {
  struct random *random = block->depth.random;
  int64_t lengths[6] = {1}, branches = kind_between(random, 2, 6), sum = 0;
  for (int64_t b = 0; b < branches; b++)
    sum += lengths[b] = kind_between(random, 1, 4);
  block->join = block->now + 1 + sum;
  neap_time last_read = block->join - lengths[branches - 1];
  neap_status status = kind_add(block->problem, block->now, last_read + 1,
                                next_size(&block->depth), block->error);
  block->now++;
  for (int64_t b = 0; b < branches && status == NEAP_OK; b++)
    status = add_branch(block, lengths[b]);
  block->now = block->join;
  return status;
}

neap_status branch_fill(neap_problem *problem, size_t count, struct random *random,
                        neap_error *error) {
  struct block block = {
      .problem = problem, .count = count, .depth = {random, LARGEST_SHIFT}, .error = error};
  neap_status status = NEAP_OK;
  while (status == NEAP_OK && problem->count < count)
    status = add_block(&block);
  return status;
}
