/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/dot_library.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* What cgraph has said since the last parse began: it hands over its messages piece by piece. */
static char said[1024];

void dot_lock(void) { pthread_mutex_lock(&lock); }

void dot_unlock(void) { pthread_mutex_unlock(&lock); }

static int listen(char *piece) {
  size_t length = strlen(said);
  snprintf(said + length, sizeof said - length, "%s", piece);
  return 0;
}

/* Parses once: a graph, or NULL, and then *is_bad says whether it is because of an error. */
static Agraph_t *parse_once(const char *text, bool *is_bad) {
  agreadline(1);
  Agraph_t *graph = agmemread(text);
  *is_bad = agreseterrors() != 0;
  return graph;
}

/*
 * The lexer reads ahead, and what it has read stays in it for the next parse: that is, whatever
 * follows the graph.  Returns whether there was anything.
 */
static bool drain(void) {
  bool found = false;
  for (;;) {
    bool is_bad;
    Agraph_t *graph = parse_once("", &is_bad);
    if (!graph && !is_bad) return found;
    if (graph) agclose(graph);
    found = true;
  }
}

/* "... in line 3 near '->'": where, and what. */
static neap_status translate(neap_error *error) {
  const char *place = strstr(said, "line "), *near = NULL, *what = NULL;
  char excerpt[TEXT_EXCERPT];
  size_t line = place ? (size_t)strtoul(place + strlen("line "), NULL, 10) : 0;
  said[strcspn(said, "\n")] = '\0';
  if (strstr(said, "comment")) what = "a comment that does not end";
  else if (strstr(said, "quoted string")) what = "a quoted string that does not end";
  else if (strstr(said, "HTML string")) what = "an HTML string that does not end";
  if (what) return error_at(error, NEAP_ERROR_INPUT, line, 0, "expected DOT, found %s", what);
  if (place) near = strstr(place, "near '");
  if (!near)
    return error_at(error, NEAP_ERROR_INPUT, line, 0,
                    "expected a graph in DOT, which ends too early");
  near += strlen("near '");
  const char *end = strrchr(near, '\'');
  return error_at(error, NEAP_ERROR_INPUT, line, 0, "expected DOT, found a syntax error at %s",
                  text_excerpt(excerpt, near, end ? (size_t)(end - near) : strlen(near)));
}

static neap_status parse(const char *text, Agraph_t **graph, neap_error *error) {
  bool is_bad;
  said[0] = '\0';
  drain();
  Agraph_t *parsed = parse_once(text, &is_bad);
  if (parsed && !is_bad) {
    *graph = parsed;
    if (!drain()) return NEAP_OK;
    agclose(parsed);
    return error_set(error, NEAP_ERROR_INPUT,
                     "expected one graph in DOT, found more behind its end");
  }
  if (parsed) agclose(parsed);
  neap_status status =
      is_bad ? translate(error)
             : error_set(error, NEAP_ERROR_INPUT, "expected a graph in DOT, found none");
  drain();
  return status;
}

neap_status dot_parse(const char *text, size_t size, Agraph_t **graph, neap_error *error) {
  const char *nul = memchr(text, '\0', size);
  if (nul) {
    size_t line = 1;
    for (const char *at = text; at < nul; at++)
      line += *at == '\n';
    return error_at(error, NEAP_ERROR_INPUT, line, 0, "expected DOT, found a NUL byte");
  }
  agerrlevel_t level = agseterr(AGWARN);
  agusererrf before = agseterrf(listen);
  neap_status status = parse(text, graph, error);
  agseterrf(before);
  agseterr(level);
  return status;
}

char *dot_text(const char *text) {
  union {
    const char *constant;
    char *plain;
  } same = {text};
  return same.plain;
}

const char *dot_attribute(void *object, const char *name) {
  const char *value = agget(object, dot_text(name));
  return value && value[0] ? value : NULL;
}
