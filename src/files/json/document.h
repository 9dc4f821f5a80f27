/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A JSON document that is small except for one or two arrays, whose elements are parsed one at
 * a time: a million of them take no more memory than their text, and an error in one of them
 * has a line.
 */
#ifndef FILES_JSON_DOCUMENT_H
#define FILES_JSON_DOCUMENT_H

#include <jansson.h>

#include "neap/neap.h"

/* The text of an array's elements; empty: there is none. */
struct json_list {
  size_t begin, end;
};

struct json_document {
  const char *text;
  size_t size;
  uint64_t most; /* limit in MiB on the values that are parsed at once */
  json_t *root;  /* the document, with the arrays empty */
  struct json_list list;
  struct json_list operators; /* `operators`, if there is a list */
  bool in_columns;            /* the list is `columns` (files/json/columns.h) instead */
  const char *example;        /* a minimal document of the kind, for messages */
};

/*
 * Parses everything except the elements of two arrays of the root: `list`, or `columns` if there
 * is no such array, and `operators`.  The text must outlive the document.  `stored` is the size of
 * the text in the file, which is less if compressed; it limits the memory for values.
 * NEAP_ERROR_INPUT, with line and column: the text is not JSON; NEAP_ERROR_MEMORY.
 */
neap_status json_document_open(struct json_document *document, const char *text, size_t size,
                               size_t stored, const char *list, neap_error *error);
void json_document_close(struct json_document *document);

/*
 * A value and its place: under a key of its parent, or in the parent's array.  Lives on the
 * stack.
 */
struct json_at {
  json_t *value; /* NULL if there is none */
  const struct json_at *parent;
  const char *key; /* NULL: by index */
  size_t index;
  const struct json_document *document; /* of a root; NULL: the value's line is unknown */
};

/* The root, for paths that errors locate in the text. */
struct json_at json_document_root(const struct json_document *document);

/* Sets line and column of a value if its root knows the document. */
void json_document_place(const struct json_at *at, neap_error *error);

/* Appends the example to an error about a value if it has such a key, or if `at` is the root. */
void json_document_show_example(const struct json_at *at, neap_error *error);

/* Initialise with {.document = ..., .list = ...}. */
struct json_cursor {
  const struct json_document *document;
  const struct json_list *list;
  size_t place; /* offset of the current element from list->begin */
  size_t next;
  json_t *element; /* NULL after the last */
};

/* Goes to the next element. */
neap_status json_cursor_next(struct json_cursor *cursor, neap_error *error);
void json_cursor_clear(struct json_cursor *cursor);

/* Adds line and column to an error about the current element; returns `status`. */
neap_status json_cursor_place(const struct json_cursor *cursor, neap_status status,
                              neap_error *error);

#endif
