/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/dot/library.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "files/dot/guard.h"

static pthread_mutex_t cgraph_lock = PTHREAD_MUTEX_INITIALIZER;

/* cgraph's messages since the last parse began, which arrive in pieces. */
static char cgraph_said[1024];

void dot_library_lock(void) { pthread_mutex_lock(&cgraph_lock); }

void dot_library_unlock(void) { pthread_mutex_unlock(&cgraph_lock); }

static int collect_message(char *piece) {
  size_t length = strlen(cgraph_said);
  snprintf(cgraph_said + length, sizeof cgraph_said - length, "%s", piece);
  return 0;
}

/* ---------------------------------------------------------------- parsing */

/* cgraph's input. */
struct source {
  const char *text;
  size_t size, at;
};

static int read_source(void *channel, char *buffer, int room) {
  struct source *source = channel;
  size_t left = source->size - source->at, count = (size_t)room < left ? (size_t)room : left;
  memcpy(buffer, source->text + source->at, count);
  source->at += count;
  return (int)count;
}

/* Graphs point to it as long as they exist. */
static Agiodisc_t cgraph_io = {.afread = read_source};

/* Parses one graph; NULL if there is none, with *is_bad after an error. */
static Agraph_t *parse_once(struct source *source, bool *is_bad) {
  Agdisc_t disc = {.mem = &AgMemDisc, .id = &AgIdDisc, .io = &cgraph_io};
  Agraph_t *graph = agread(source, &disc);
  *is_bad = agreseterrors() != 0;
  return graph;
}

/* Reads to the end; returns whether there was anything. */
static bool drain(struct source *source) {
  bool found = false;
  for (;;) {
    bool is_bad;
    Agraph_t *graph = parse_once(source, &is_bad);
    if (!graph && !is_bad) return found;
    if (graph) agclose(graph);
    found = true;
  }
}

/* The lexer reads ahead and keeps what it has read for the next parse, even of another text. */
static void forget(void) {
  struct source nothing = {"", 0, 0};
  drain(&nothing);
  agreadline(1);
}

/* Whether cgraph split a text such as 1a into two tokens, with only a warning. */
static bool is_split(void) { return strstr(cgraph_said, "badly delimited number") != NULL; }

/* Splits "... in line 3 near '->'" into the line and the token. */
static neap_status translate(neap_error *error) {
  const char *place = strstr(cgraph_said, "line "), *near = NULL, *what = NULL;
  char excerpt[TEXT_EXCERPT];
  size_t line = place ? (size_t)strtoul(place + strlen("line "), NULL, 10) : 0;
  cgraph_said[strcspn(cgraph_said, "\n")] = '\0';
  if (strstr(cgraph_said, "comment")) what = "an unterminated comment";
  else if (strstr(cgraph_said, "quoted string")) what = "an unterminated quoted string";
  else if (strstr(cgraph_said, "HTML string")) what = "an unterminated HTML string";
  else if (is_split()) what = "a number followed by letters, such as 4k; put it in quotes";
  else if (strstr(cgraph_said, "memory exhausted"))
    what = "a statement with more parts than Graphviz supports; split it";
  if (what) return error_at(error, NEAP_ERROR_INPUT, line, 0, "DOT syntax error: %s", what);
  if (place) near = strstr(place, "near '");
  if (!near) return error_at(error, NEAP_ERROR_INPUT, line, 0, "the DOT graph ends too early");
  near += strlen("near '");
  const char *end = strrchr(near, '\'');
  return error_at(error, NEAP_ERROR_INPUT, line, 0, "DOT syntax error at %s",
                  text_excerpt(excerpt, near, end ? (size_t)(end - near) : strlen(near)));
}

static neap_status parse_source(struct source *source, Agraph_t **graph, neap_error *error) {
  bool is_bad;
  forget();
  cgraph_said[0] = '\0';
  Agraph_t *parsed = parse_once(source, &is_bad);
  is_bad = is_bad || is_split();
  if (parsed && !is_bad) {
    *graph = parsed;
    if (!drain(source)) return NEAP_OK;
    agclose(parsed);
    return error_set(error, NEAP_ERROR_INPUT,
                     "expected one DOT graph, found text after its end");
  }
  if (parsed) agclose(parsed);
  neap_status status =
      is_bad ? translate(error)
             : error_set(error, NEAP_ERROR_INPUT, "expected a DOT graph, found none");
  forget();
  return status;
}

neap_status dot_library_parse(const char *text, size_t size, Agraph_t **graph,
                              neap_error *error) {
  const char *nul = memchr(text, '\0', size);
  if (nul) {
    size_t line = 1;
    for (const char *at = text; at < nul; at++)
      line += *at == '\n';
    return error_at(error, NEAP_ERROR_INPUT, line, 0, "expected DOT, found a NUL byte");
  }
  neap_status guarded = dot_guard(text, size, error);
  if (guarded != NEAP_OK) return guarded;
  agerrlevel_t level = agseterr(AGWARN);
  agusererrf before = agseterrf(collect_message);
  struct source source = {text, size, 0};
  neap_status status = parse_source(&source, graph, error);
  agseterrf(before);
  agseterr(level);
  return status;
}

char *dot_library_text(const char *text) {
  union {
    const char *constant;
    char *plain;
  } same = {text};
  return same.plain;
}

const char *dot_library_attribute(void *object, const char *name) {
  const char *value = agget(object, dot_library_text(name));
  return value && value[0] ? value : NULL;
}
