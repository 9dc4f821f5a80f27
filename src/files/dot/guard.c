/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scans the text token by token.  A group in braces counts the nodes that are named in it; an edge
 * between two operands makes as many edges as the product of their counts.  A subgraph with a name
 * may have nodes from before, so it counts as all nodes that the text has named.
 */
#include "files/dot/guard.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "core/names.h"

#define TOKEN_MAX 262144 /* cgraph's lexer rescans a token whenever it reads more input */
#define DEPTH_MAX 100
#define ATTRIBUTES_MAX 256
#define EDGES_FREE 10000 /* besides one for each byte of the text */

struct group {
  size_t named;    /* nodes in it */
  size_t last;     /* the count of the last operand */
  bool is_joining; /* after an arrow */
  bool has_name;
};

struct guard {
  const char *at, *end;
  size_t line;
  size_t limit, edges; /* allowed, and found so far */
  size_t named;        /* nodes in all of the text */
  struct group groups[DEPTH_MAX];
  size_t depth;
  bool expects_name; /* after the word subgraph */
  bool has_name;     /* and after its name */
  bool is_long;      /* some token is longer than TOKEN_MAX */
  struct names attributes;
};

/* ---------------------------------------------------------------- tokens */

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         c == '_' || c == '.' || (unsigned char)c >= 0x80;
}

static void scan_byte(struct guard *guard) {
  guard->line += *guard->at == '\n';
  guard->at++;
}

static bool begins(const struct guard *guard, const char *text) {
  size_t length = strlen(text);
  return (size_t)(guard->end - guard->at) >= length && memcmp(guard->at, text, length) == 0;
}

static void measure(struct guard *guard, const char *start) {
  guard->is_long = guard->is_long || guard->at - start > TOKEN_MAX;
}

static void skip_to(struct guard *guard, const char *text) {
  const char *start = guard->at;
  while (guard->at < guard->end && !begins(guard, text))
    scan_byte(guard);
  measure(guard, start);
}

/* Comments and blanks; lines that begin with # are for a preprocessor. */
static void skip_blanks(struct guard *guard) {
  while (guard->at < guard->end) {
    if (begins(guard, "/*")) {
      skip_to(guard, "*/");
      if (guard->at < guard->end) guard->at += 2;
    } else if (begins(guard, "//") || *guard->at == '#') {
      skip_to(guard, "\n");
    } else if (strchr(" \t\r\n", *guard->at)) {
      scan_byte(guard);
    } else {
      return;
    }
  }
}

static void skip_string(struct guard *guard) {
  scan_byte(guard);
  while (guard->at < guard->end && *guard->at != '"') {
    if (*guard->at == '\\' && guard->at + 1 < guard->end) scan_byte(guard);
    scan_byte(guard);
  }
  if (guard->at < guard->end) scan_byte(guard);
}

static void skip_html(struct guard *guard) {
  size_t depth = 0;
  do {
    depth += *guard->at == '<';
    depth -= *guard->at == '>';
    scan_byte(guard);
  } while (guard->at < guard->end && depth > 0);
}

/*
 * A name: a word, a number, or a string of either kind; returns its length, 0 where there is
 * none.
 */
static size_t take_name(struct guard *guard, const char **name) {
  *name = guard->at;
  if (guard->at == guard->end) return 0;
  if (*guard->at == '"') skip_string(guard);
  else if (*guard->at == '<') skip_html(guard);
  else if (*guard->at == '-' && !begins(guard, "->") && !begins(guard, "--")) scan_byte(guard);
  while (guard->at < guard->end && is_word(*guard->at))
    scan_byte(guard);
  measure(guard, *name);
  return (size_t)(guard->at - *name);
}

/* ---------------------------------------------------------------- edges and values */

static neap_status operand(struct guard *guard, size_t count, neap_error *error) {
  struct group *group = &guard->groups[guard->depth];
  if (group->is_joining) {
    guard->edges += group->last * count; /* each is no more than the bytes of the text */
    if (guard->edges > guard->limit)
      return error_at(error, NEAP_ERROR_INPUT, guard->line, 0,
                      "edges between groups of nodes multiply to more than %zu, the limit for "
                      "a file of this size",
                      guard->limit);
  }
  group->is_joining = false;
  group->last = count;
  return NEAP_OK;
}

static neap_status open_group(struct guard *guard, neap_error *error) {
  if (guard->depth + 1 == DEPTH_MAX)
    return error_at(error, NEAP_ERROR_INPUT, guard->line, 0,
                    "groups are nested deeper than %d, the limit", DEPTH_MAX);
  guard->groups[++guard->depth] = (struct group){.has_name = guard->has_name};
  guard->expects_name = guard->has_name = false;
  scan_byte(guard);
  return NEAP_OK;
}

static neap_status close_group(struct guard *guard, neap_error *error) {
  scan_byte(guard);
  if (guard->depth == 0) return NEAP_OK;
  const struct group *closed = &guard->groups[guard->depth--];
  guard->groups[guard->depth].named += closed->named;
  return operand(guard, closed->has_name ? guard->named : closed->named, error);
}

static neap_status note_attribute(struct guard *guard, const char *name, size_t length,
                                  neap_error *error) {
  struct names *names = &guard->attributes;
  if (names_find(names, name, length) != NAMES_NONE) return NEAP_OK;
  if (names->count == ATTRIBUTES_MAX)
    return error_at(error, NEAP_ERROR_INPUT, guard->line, 0,
                    "more than %d names of attributes, the limit", ATTRIBUTES_MAX);
  return names_add(names, name, length) ? NEAP_OK : error_memory(error);
}

/* [name=value, ...] */
static neap_status take_attributes(struct guard *guard, neap_error *error) {
  neap_status status = NEAP_OK;
  scan_byte(guard);
  for (;;) {
    const char *name, *value;
    skip_blanks(guard);
    size_t length = take_name(guard, &name);
    if (length == 0) {
      if (guard->at == guard->end) return NEAP_OK;
      bool is_end = *guard->at == ']';
      scan_byte(guard);
      if (is_end) return NEAP_OK;
      continue;
    }
    status = note_attribute(guard, name, length, error);
    if (status != NEAP_OK) return status;
    skip_blanks(guard);
    if (guard->at == guard->end || *guard->at != '=') continue;
    scan_byte(guard);
    skip_blanks(guard);
    take_name(guard, &value);
  }
}

/* Takes a node, `subgraph`, its name, or part of `name = value`, which counts as two nodes. */
static neap_status take_operand(struct guard *guard, neap_error *error) {
  const char *name;
  size_t length = take_name(guard, &name);
  if (length == 0) {
    scan_byte(guard);
    return NEAP_OK;
  }
  if (length == strlen("subgraph") && strncasecmp(name, "subgraph", length) == 0) {
    guard->expects_name = true;
    return NEAP_OK;
  }
  if (guard->expects_name) {
    guard->expects_name = false;
    guard->has_name = true;
    return operand(guard, guard->named, error);
  }
  guard->has_name = false;
  guard->named++;
  guard->groups[guard->depth].named++;
  return operand(guard, 1, error);
}

static neap_status take_token(struct guard *guard, neap_error *error) {
  struct group *group = &guard->groups[guard->depth];
  const char *port;
  if (begins(guard, "->") || begins(guard, "--")) {
    guard->at += 2;
    guard->has_name = false;
    group->is_joining = true;
    return NEAP_OK;
  }
  switch (*guard->at) {
  case '{':
    return open_group(guard, error);
  case '}':
    return close_group(guard, error);
  case '[':
    return take_attributes(guard, error);
  case ':':
    scan_byte(guard);
    skip_blanks(guard);
    take_name(guard, &port);
    return NEAP_OK;
  case ';':
    scan_byte(guard);
    guard->has_name = guard->expects_name = group->is_joining = false;
    return NEAP_OK;
  default:
    return take_operand(guard, error);
  }
}

neap_status dot_guard(const char *text, size_t size, neap_error *error) {
  struct guard guard = {.at = text, .end = text + size, .line = 1, .limit = size + EDGES_FREE};
  neap_status status = NEAP_OK;
  skip_blanks(&guard);
  while (guard.at < guard.end && status == NEAP_OK) {
    status = take_token(&guard, error);
    skip_blanks(&guard);
    if (status == NEAP_OK && guard.is_long)
      status = error_at(error, NEAP_ERROR_INPUT, guard.line, 0,
                        "a name or comment is longer than %d bytes, the limit", TOKEN_MAX);
  }
  names_clear(&guard.attributes);
  return status;
}

/* ---------------------------------------------------------------- lines for messages */

struct search {
  const char *from, *to;
  size_t nth;
  bool is_from, is_joined; /* the last operand was `from`; an arrow came after it */
  bool has_groups;         /* some edge is one of groups */
  bool after_group, after_arrow;
};

static bool is_called(const char *token, size_t length, const char *name) {
  bool is_string = length >= 2 && *token == '"' && token[length - 1] == '"';
  if (is_string) {
    token++;
    length -= 2;
  }
  return strlen(name) == length && memcmp(token, name, length) == 0;
}

/* Whether a name in the graph's body is what is searched for. */
static bool meets(struct search *search, const char *name, size_t length) {
  bool is_edge = search->to && search->is_joined && is_called(name, length, search->to);
  search->is_from = is_called(name, length, search->from);
  search->is_joined = search->after_arrow = search->after_group = false;
  if (!search->to) return search->is_from;
  return is_edge && search->nth-- == 0;
}

/* Whether a name is the word subgraph or comes after it. */
static bool names_group(struct guard *guard, struct search *search, const char *name,
                        size_t length) {
  bool is_name = guard->expects_name;
  guard->expects_name =
      !is_name && length == strlen("subgraph") && strncasecmp(name, "subgraph", length) == 0;
  if (!is_name && !guard->expects_name) return false;
  search->has_groups = search->has_groups || search->after_arrow;
  search->after_group = true;
  return true;
}

/* Passes over any other token. */
static void pass(struct guard *guard, struct search *search) {
  const char *port;
  neap_error ignored;
  if (begins(guard, "->")) {
    guard->at += 2;
    search->is_joined = search->is_from;
    search->has_groups = search->has_groups || search->after_group;
    search->after_arrow = true;
  } else if (*guard->at == '[') {
    take_attributes(guard, &ignored);
  } else if (*guard->at == ':' || *guard->at == '=') {
    scan_byte(guard);
    skip_blanks(guard);
    take_name(guard, &port);
  } else {
    guard->depth += *guard->at == '{';
    guard->expects_name = false;
    search->has_groups = search->has_groups || (*guard->at == '{' && search->after_arrow);
    search->after_group = *guard->at == '}';
    search->is_from = search->is_joined = search->after_arrow = false;
    scan_byte(guard);
  }
}

size_t dot_guard_line(const char *text, size_t size, const char *from, const char *to,
                      size_t nth) {
  struct guard guard = {.at = text, .end = text + size, .line = 1};
  struct search search = {.from = from, .to = to, .nth = nth};
  size_t found = 0;
  skip_blanks(&guard);
  while (guard.at < guard.end && found == 0) {
    const char *name;
    size_t line = guard.line;
    bool is_arrow = begins(&guard, "->");
    size_t length = is_arrow ? 0 : take_name(&guard, &name);
    if (length == 0) pass(&guard, &search);
    skip_blanks(&guard);
    bool is_attribute = guard.at < guard.end && *guard.at == '=';
    if (length == 0 || is_attribute || names_group(&guard, &search, name, length)) continue;
    if (guard.depth > 0 && meets(&search, name, length)) found = line;
  }
  names_clear(&guard.attributes);
  return to && search.has_groups ? 0 : found;
}
