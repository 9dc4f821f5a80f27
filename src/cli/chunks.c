/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A runtime that limits the size of an allocation needs several objects.  How few suffice?  At least the
 * bound divided by the size of one, rounded up; each number from there on is planned until one suffices.
 * If all smaller ones are proven not to, it is the least.
 */
#include "cli/chunks.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/messages.h"
#include "neap/relations.h"

static int refuse(const char *source, neap_error *error) {
  error->status = NEAP_ERROR_INPUT;
  error->line = error->column = 0;
  snprintf(error->source, sizeof error->source, "%s", source);
  return message_error(error);
}

int chunks_begin(struct chunks *chunks, const char *source) {
  neap_error error;
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  neap_pool pool = NEAP_INIT(neap_pool);
  if (neap_problem_pool_at(chunks->problem, 0, &pool))
    return message_usage("--max-chunk makes pools, but the problem has pools already");
  for (size_t i = 0; neap_problem_buffer_at(chunks->problem, i, &buffer); i++) {
    if (buffer.size <= chunks->bytes) continue;
    snprintf(error.text, sizeof error.text,
             "'%.200s' has %" PRId64 " bytes, more than --max-chunk allows (%" PRId64 ")",
             buffer.name, buffer.size, chunks->bytes);
    return refuse(source, &error);
  }
  return 0;
}

static neap_status add_chunk(struct chunks *chunks, neap_error *error) {
  char name[32];
  neap_pool pool = NEAP_POOL_INIT;
  snprintf(name, sizeof name, "chunk%zu", chunks->count);
  pool.name = name;
  pool.capacity = chunks->bytes;
  pool.cost = 0;
  neap_status status = neap_problem_add_pool(chunks->problem, &pool, error);
  if (status == NEAP_OK) chunks->count++;
  return status;
}

/* Adds as many chunks as the bound needs, and at least one. */
static neap_status add_first(struct chunks *chunks, neap_error *error) {
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_status status = neap_problem_bound(chunks->problem, &bound, error);
  if (status != NEAP_OK) return status;
  neap_size needed = bound.bytes / chunks->bytes + (bound.bytes % chunks->bytes > 0);
  chunks->least = needed > 1 ? (size_t)needed : 1;
  while (status == NEAP_OK && chunks->count < chunks->least)
    status = add_chunk(chunks, error);
  return status;
}

neap_status chunks_plan(struct chunks *chunks, struct run *run, neap_plan **plan,
                        neap_error *error) {
  bool is_proven = true;
  neap_status status = add_first(chunks, error);
  while (status == NEAP_OK) {
    status = run_planner(run, plan, error);
    bool fails = status == NEAP_INFEASIBLE || status == NEAP_NO_PLAN;
    if (!fails || run_interrupted() || chunks->count >= neap_problem_count(chunks->problem))
      break;
    is_proven = is_proven && status == NEAP_INFEASIBLE;
    if (is_proven) chunks->least = chunks->count + 1;
    message_detail("%zu %s not suffice", chunks->count,
                   status == NEAP_INFEASIBLE ? "chunks do" : "chunks seem to");
    status = add_chunk(chunks, error);
  }
  return status;
}
