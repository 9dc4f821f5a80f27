/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sweep over time finds the pairs: a buffer that starts conflicts with all that are alive.  Two
 * buffers with several ranges may meet more than once; the graph is strict and keeps one edge for
 * them.
 */
#include "files/dot/conflicts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "files/dot/library.h"
#include "files/unsupported.h"
#include "model/problem.h"
#include "neap/planner.h"

/* Graphviz can draw about a thousand edges; other programs handle a million. */
#define CONFLICTS_MAX 1000000

/* The longest name that Graphviz's lexer accepts. */
#define NAME_MAX_BYTES 16000

struct event {
  neap_time time;
  bool begins;
  size_t buffer;
};

struct conflicts {
  const neap_problem *problem;
  const neap_plan *plan; /* or NULL */
  struct event *events;  /* two for each range */
  size_t *alive;         /* buffers, in no order */
  size_t *place;         /* of each buffer in `alive` */
  size_t alive_count;
  Agraph_t *graph;
  Agnode_t **nodes;
};

/* ---------------------------------------------------------------- events */

static int by_time(const void *left, const void *right) {
  const struct event *a = left, *b = right;
  if (a->time != b->time) return a->time < b->time ? -1 : 1;
  if (a->begins != b->begins) return a->begins ? 1 : -1;
  return a->buffer < b->buffer ? -1 : a->buffer > b->buffer;
}

static void list_events(struct conflicts *conflicts) {
  const neap_problem *problem = conflicts->problem;
  size_t count = 0;
  for (size_t i = 0; i < problem->count; i++)
    for (size_t r = problem_ranges_begin(problem, i); r < problem->buffers[i].ranges_end; r++) {
      conflicts->events[count++] = (struct event){problem->ranges[r].start, true, i};
      conflicts->events[count++] = (struct event){problem->ranges[r].end, false, i};
    }
  if (count > 0) qsort(conflicts->events, count, sizeof *conflicts->events, by_time);
}

static void end_life(struct conflicts *conflicts, size_t buffer) {
  size_t last = conflicts->alive[--conflicts->alive_count];
  conflicts->alive[conflicts->place[buffer]] = last;
  conflicts->place[last] = conflicts->place[buffer];
}

static void begin_life(struct conflicts *conflicts, size_t buffer) {
  conflicts->place[buffer] = conflicts->alive_count;
  conflicts->alive[conflicts->alive_count++] = buffer;
}

/* Counts the edges of the graph, up to the limit. */
static neap_status count_pairs(const struct conflicts *conflicts, neap_error *error) {
  size_t alive = 0, pairs = 0;
  for (size_t e = 0; e < 2 * conflicts->problem->range_count && pairs <= CONFLICTS_MAX; e++)
    if (conflicts->events[e].begins) pairs += alive++;
    else alive--;
  if (pairs <= CONFLICTS_MAX) return NEAP_OK;
  return error_set(
      error, NEAP_ERROR_FORMAT,
      "more than %d pairs of buffers are alive together, too many for a conflict graph",
      CONFLICTS_MAX);
}

/* cgraph does not escape backslashes, and reserves names that begin with %. */
static bool is_sayable(const char *name) {
  size_t length = strlen(name);
  return name[0] != '%' && name[length - 1] != '\\' && !strstr(name, "\\\"") &&
         !strstr(name, "\\\n") && strncmp(name, "\xef\xbb\xbf", 3) != 0 &&
         length <= NAME_MAX_BYTES;
}

static neap_status check_names(const neap_problem *problem, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  for (size_t i = 0; i < problem->count; i++) {
    const char *name = problem_name(problem, i);
    if (!is_sayable(name))
      return error_set(error, NEAP_ERROR_FORMAT, "DOT cannot hold the name of buffer %s",
                       text_excerpt(excerpt, name, strlen(name)));
  }
  return NEAP_OK;
}

/* ---------------------------------------------------------------- the graph */

static void set_attribute(void *object, const char *name, const char *value) {
  agset(object, dot_library_text(name), dot_library_text(value));
}

static void set_number(void *object, const char *name, int64_t value) {
  char text[32];
  snprintf(text, sizeof text, "%" PRId64, value);
  set_attribute(object, name, text);
}

static void declare(Agraph_t *graph, int kind, const char *name, const char *value) {
  agattr(graph, kind, dot_library_text(name), dot_library_text(value));
}

static void declare_all(const struct conflicts *conflicts) {
  Agraph_t *graph = conflicts->graph;
  declare(graph, AGNODE, "shape", "box");
  declare(graph, AGNODE, "style", "filled");
  declare(graph, AGNODE, "fillcolor", "white");
  declare(graph, AGNODE, "label", "\\N");
  declare(graph, AGNODE, "bytes", "");
  declare(graph, AGNODE, "lifetime", "");
  if (!conflicts->plan) return;
  declare(graph, AGNODE, "offset", "");
  declare(graph, AGNODE, "class", "");
}

/* Graphviz interprets escapes in labels. */
static char *make_label(const char *name, const char *below) {
  size_t length = strlen(name), at = 0;
  char *label = malloc(2 * length + strlen(below) + 3);
  if (!label) return NULL;
  for (size_t i = 0; i < length; i++) {
    if (name[i] == '\\') label[at++] = '\\';
    label[at++] = name[i];
  }
  snprintf(label + at, strlen(below) + 3, "\\n%s", below);
  return label;
}

static bool set_label(const struct conflicts *conflicts, size_t index) {
  char below[2 * TEXT_BYTES + 64], bytes[TEXT_BYTES];
  text_bytes(bytes, conflicts->problem->buffers[index].size);
  if (conflicts->plan)
    snprintf(below, sizeof below, "%s at %" PRId64, bytes,
             neap_plan_offset(conflicts->plan, index));
  else snprintf(below, sizeof below, "%s", bytes);
  char *label = make_label(problem_name(conflicts->problem, index), below);
  if (label) set_attribute(conflicts->nodes[index], "label", label);
  free(label);
  return label != NULL;
}

static bool set_lifetime(const struct conflicts *conflicts, size_t index) {
  const neap_problem *problem = conflicts->problem;
  size_t first = problem_ranges_begin(problem, index), at = 0;
  size_t room = (problem->buffers[index].ranges_end - first) * 48 + 1;
  char *text = malloc(room);
  if (!text) return false;
  text[0] = '\0';
  for (size_t r = first; r < problem->buffers[index].ranges_end; r++)
    at += (size_t)snprintf(text + at, room - at, "%s%" PRId64 "-%" PRId64, at > 0 ? " " : "",
                           problem->ranges[r].start, problem->ranges[r].end);
  set_attribute(conflicts->nodes[index], "lifetime", text);
  free(text);
  return true;
}

static bool add_node(struct conflicts *conflicts, size_t index) {
  static const char *const colours[NEAP_RISK_COUNT] = {"#eef2f6", "#cfe3f5", "#fbdca4",
                                                       "#f5b7a8"};
  Agnode_t *node =
      agnode(conflicts->graph, dot_library_text(problem_name(conflicts->problem, index)), 1);
  if (!node) return false;
  conflicts->nodes[index] = node;
  set_number(node, "bytes", conflicts->problem->buffers[index].size);
  if (conflicts->plan) {
    neap_risk risk = neap_plan_risk(conflicts->plan, index);
    set_number(node, "offset", neap_plan_offset(conflicts->plan, index));
    set_attribute(node, "class", neap_risk_name(risk));
    set_attribute(node, "fillcolor", colours[risk]);
  }
  return set_lifetime(conflicts, index) && set_label(conflicts, index);
}

static bool add_edge(struct conflicts *conflicts, size_t a, size_t b) {
  size_t low = a < b ? a : b, high = a < b ? b : a;
  return agedge(conflicts->graph, conflicts->nodes[low], conflicts->nodes[high], NULL, 1);
}

static bool add_conflicts(struct conflicts *conflicts) {
  declare_all(conflicts);
  for (size_t i = 0; i < conflicts->problem->count; i++)
    if (!add_node(conflicts, i)) return false;
  for (size_t e = 0; e < 2 * conflicts->problem->range_count; e++) {
    const struct event *event = &conflicts->events[e];
    if (!event->begins) {
      end_life(conflicts, event->buffer);
      continue;
    }
    for (size_t i = 0; i < conflicts->alive_count; i++)
      if (!add_edge(conflicts, conflicts->alive[i], event->buffer)) return false;
    begin_life(conflicts, event->buffer);
  }
  return true;
}

static neap_status write_graph(struct conflicts *conflicts, FILE *stream, neap_error *error) {
  dot_library_lock();
  conflicts->graph = agopen(dot_library_text("conflicts"), Agstrictundirected, NULL);
  neap_status status =
      conflicts->graph && add_conflicts(conflicts) ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK && agwrite(conflicts->graph, stream) != 0)
    status = error_system(error, "", "cannot write");
  if (conflicts->graph) agclose(conflicts->graph);
  dot_library_unlock();
  return status;
}

/* Refuses constraints that would add or remove edges, which join buffers alive together. */
static neap_status write_any(const neap_problem *problem, const neap_plan *plan, FILE *stream,
                             neap_error *error) {
  unsigned kept = plan ? SUPPORTED_OFFSETS & ~SUPPORTED_RELATIONS : 0;
  neap_status status = unsupported_refuse(problem, kept, "a conflict graph in DOT", error);
  if (status != NEAP_OK) return status;
  struct conflicts conflicts = {.problem = problem, .plan = plan};
  conflicts.events = memory_array(2 * problem->range_count, sizeof *conflicts.events);
  conflicts.alive = memory_array(problem->count, sizeof *conflicts.alive);
  conflicts.place = memory_array(problem->count, sizeof *conflicts.place);
  conflicts.nodes = memory_array(problem->count, sizeof(Agnode_t *));
  status = conflicts.events && conflicts.alive && conflicts.place && conflicts.nodes
               ? NEAP_OK
               : error_memory(error);
  if (status == NEAP_OK) {
    list_events(&conflicts);
    status = check_names(problem, error);
  }
  if (status == NEAP_OK) {
    status = count_pairs(&conflicts, error);
  }
  if (status == NEAP_OK) status = write_graph(&conflicts, stream, error);
  free(conflicts.events);
  free(conflicts.alive);
  free(conflicts.place);
  free(conflicts.nodes);
  return status;
}

neap_status dot_conflicts_write_problem(const neap_problem *problem, FILE *stream,
                                        neap_error *error) {
  return write_any(problem, NULL, stream, error);
}

neap_status dot_conflicts_write_plan(const neap_plan *plan, FILE *stream, neap_error *error) {
  return write_any(neap_plan_problem(plan), plan, stream, error);
}
