/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/operators/subgraph_calls.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "model/graph.h"

#define DEPTH_MAX 64

enum body_state { BODY_UNUSED, BODY_RUNS, BODY_HAS_RUN };

/* The operators of a body's first call in the sequence. */
struct calls_span {
  size_t begin, end;
};

bool calls_init(struct calls *calls) {
  calls->states = memory_array(calls->body_count, sizeof *calls->states);
  calls->spans = memory_array(calls->body_count, sizeof *calls->spans);
  return calls->states && calls->spans;
}

void calls_clear(struct calls *calls) {
  free(calls->states);
  free(calls->spans);
}

bool calls_has_run(const struct calls *calls, size_t body) {
  return calls->states[body] == BODY_HAS_RUN;
}

neap_status calls_add_step(struct calls *calls, const char *name, neap_error *error) {
  neap_status status = neap_graph_add_operator(calls->graph, name, error);
  if (status != NEAP_OK) return status;
  struct graph_operator *last = &calls->graph->operators[calls->graph->operator_count - 1];
  last->keep = GRAPH_KEPT;
  last->body = GRAPH_STEP;
  calls->graph->step_count++;
  return NEAP_OK;
}

static void keep_places(const struct calls *calls, const struct calls_span *span) {
  for (size_t k = span->begin; k < span->end; k++)
    calls->graph->operators[k].keep = GRAPH_KEPT;
}

static neap_status check(const struct calls *calls, size_t body, neap_error *error) {
  if (calls->states[body] == BODY_RUNS)
    return error_set(error, NEAP_ERROR_INPUT, "subgraph %zu calls itself", body);
  if (calls->depth == DEPTH_MAX)
    return error_set(error, NEAP_ERROR_INPUT, "calls of subgraphs are nested more than %d deep",
                     DEPTH_MAX);
  return NEAP_OK;
}

/* Adds a step of a visit and its links; the main body has neither. */
static neap_status add_end(struct calls *calls, const struct calls_visit *visit,
                           neap_status (*link)(void *, const struct calls_visit *,
                                               neap_error *),
                           neap_error *error) {
  if (!visit->caller) return NEAP_OK;
  neap_status status = calls_add_step(calls, visit->caller, error);
  return status == NEAP_OK ? link(calls->user, visit, error) : status;
}

neap_status calls_run(struct calls *calls, size_t body, const char *caller, neap_error *error) {
  neap_status status = check(calls, body, error);
  if (status != NEAP_OK) return status;
  const struct calls_visit visit = {body, calls->states[body] == BODY_HAS_RUN, caller};
  if (visit.is_again) keep_places(calls, &calls->spans[body]);
  else calls->spans[body].begin = calls->graph->operator_count;
  calls->states[body] = BODY_RUNS;
  calls->depth++;
  status = add_end(calls, &visit, calls->format->enter, error);
  if (status == NEAP_OK) status = calls->format->operators(calls->user, &visit, error);
  if (status == NEAP_OK) status = add_end(calls, &visit, calls->format->leave, error);
  if (!visit.is_again) calls->spans[body].end = calls->graph->operator_count;
  calls->depth--;
  calls->states[body] = BODY_HAS_RUN;
  return status;
}
