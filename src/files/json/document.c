/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/json/document.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "files/examples.h"
#include "files/json/scan.h"
#include "files/text_builder.h"

/* ---------------------------------------------------------------- faults */

static bool begins_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

/*
 * If memory is short, jansson reports either nothing or a valid string as an invalid token.  So if
 * it expected a string and found one, memory was short.  (It does not notice a shortage while it
 * allocates a token of 16 bytes or more.)
 */
static bool is_shortage(const json_error_t *failure, const char *text, size_t position) {
  if (failure->text[0] == '\0' || json_error_code(failure) == json_error_out_of_memory)
    return true;
  bool wanted_string = begins_with(failure->text, "invalid token") ||
                       begins_with(failure->text, "string or '}' expected") ||
                       begins_with(failure->text, "string expected");
  return wanted_string && position > 1 && text[position - 1] == '"';
}

/*
 * The place of a failure: a byte that strings cannot have; otherwise the beginning of the token in
 * the message, or the last byte read if there is none.
 */
static size_t fault_of(const json_error_t *failure, size_t position) {
  static const char *const bytes[] = {"control character", "unexpected newline",
                                      "unable to decode"};
  for (size_t i = 0; i < sizeof bytes / sizeof bytes[0]; i++)
    if (begins_with(failure->text, bytes[i])) return position;
  const char *near = strstr(failure->text, " near '");
  size_t length = near ? strlen(near) - strlen(" near ''") : 1;
  return length < position ? position - length : 0;
}

static neap_status parse_error(const json_error_t *failure, const char *text, size_t size,
                               size_t *fault, neap_error *error) {
  size_t position = failure->position > 0 ? (size_t)failure->position : 0;
  if (position > size) position = size;
  if (is_shortage(failure, text, position)) return error_memory(error);
  *fault = fault_of(failure, position);
  if (json_error_code(failure) == json_error_null_character)
    return error_set(error, NEAP_ERROR_INPUT, "expected text without NUL, found \\u0000");
  char shown[sizeof failure->text];
  size_t length = strnlen(failure->text, sizeof shown - 1);
  for (size_t i = 0; i < length; i++) {
    char byte = failure->text[i];
    shown[i] = (byte >= 0 && byte < ' ') || byte == 0x7f ? ' ' : byte;
  }
  return error_set(error, NEAP_ERROR_INPUT, "not valid JSON: %.*s",
                   (int)text_utf8_prefix(shown, length), shown);
}

/* ---------------------------------------------------------------- parsing */

/*
 * jansson collects each token in a buffer that starts at 16 bytes and doubles.  If a doubling
 * fails, it drops the byte and goes on; if that byte is the closing quote of a string, it then
 * reads past the end of the buffer.  So a text with strings of that length is parsed as the
 * second element of ["000…", TEXT]: the first string makes the buffer large enough, and ends far
 * from a doubling.
 */
enum { TOKEN_BUFFER = 16 };

/*
 * The most MiB for values that are parsed together.  Elements of the lists of buffers and operators
 * are parsed one by one, so only a text that is mostly something else reaches it.  For a text that
 * was compressed, it is in proportion to the file: relations take some 200 bytes for each byte.
 */
static uint64_t most_of_values(size_t stored) {
  enum { MOST = 1024, LEAST = 64 };
  return stored / 1024 < MOST - LEAST ? LEAST + stored / 1024 : MOST;
}

struct part {
  const char *text;
  size_t size;
};

/* The parts of the text that jansson has not read yet. */
struct parts {
  struct part rest[3];
};

static size_t read_parts(void *buffer, size_t room, void *data) {
  struct parts *parts = data;
  size_t count = 0;
  for (size_t i = 0; i < 3 && count < room; i++) {
    struct part *part = &parts->rest[i];
    size_t size = part->size < room - count ? part->size : room - count;
    memcpy((char *)buffer + count, part->text, size);
    *part = (struct part){part->text + size, part->size - size};
    count += size;
  }
  return count;
}

/* Parses a text whose strings have at most `longest` bytes; NULL on any failure. */
static json_t *parse_after_string(const char *text, size_t size, size_t flags, size_t longest) {
  struct row first = {0};
  size_t power = TOKEN_BUFFER;
  while (power < longest)
    power *= 2;
  row_string(&first, "[\"");
  for (size_t i = 0; i < 3 * power && !first.failed; i++)
    row_char(&first, '0');
  row_string(&first, "\",");
  struct parts parts = {{{first.text, first.length}, {text, size}, {"]", 1}}};
  json_t *list = first.failed ? NULL : json_load_callback(read_parts, &parts, flags, NULL);
  json_t *value = json_array_size(list) == 2 ? json_incref(json_array_get(list, 1)) : NULL;
  json_decref(list);
  row_clear(&first);
  return value;
}

/* What parsing a text takes. */
struct needs {
  size_t longest; /* string, with its quotes and as it is written */
  uint64_t bytes; /* of memory, about */
};

/*
 * About what jansson allocates for each value and member, by the character that begins or ends it.
 */
static unsigned bytes_of(char c) {
  switch (c) {
  case '{':
    return 240;
  case '[':
    return 128;
  case ':':
    return 80;
  case ',':
    return 40;
  case '"':
    return 64;
  default:
    return 0;
  }
}

static struct needs find_needs(const char *text, size_t size) {
  struct needs needs = {0, 0};
  for (size_t at = 0; at < size; at++) {
    needs.bytes += bytes_of(text[at]);
    if (text[at] != '"') continue;
    size_t begin = at;
    at = scan_string(text, size, begin) - 1;
    if (at + 1 - begin > needs.longest) needs.longest = at + 1 - begin;
    needs.bytes += at - begin;
  }
  return needs;
}

/* `most` is how many MiB the values may take. */
static neap_status parse_text(const char *text, size_t size, size_t flags, uint64_t most,
                              json_t **value, size_t *fault, neap_error *error) {
  struct needs needs = find_needs(text, size);
  *fault = 0;
  if (needs.bytes >> 20 >= most)
    return error_set(
        error, NEAP_ERROR_INPUT,
        "JSON with too many values: they would take more than %" PRIu64 " MiB of memory", most);
  flags |= JSON_REJECT_DUPLICATES;
  *value = needs.longest < TOKEN_BUFFER ? NULL
                                        : parse_after_string(text, size, flags, needs.longest);
  if (*value) return NEAP_OK;
  /* Parses texts with short strings; after an error, parses again to find its place in the text. */
  json_error_t failure;
  *value = json_loadb(text, size, flags, &failure);
  return *value ? NEAP_OK : parse_error(&failure, text, size, fault, error);
}

/* ---------------------------------------------------------------- finding the array */

/*
 * The elements of the list under a key.  Finds nothing if the text is too malformed; the parser
 * then reports the fault.
 */
static struct json_list find_list(const struct json_document *document, const char *key) {
  const char *text = document->text;
  size_t size = document->size, begin;
  const struct json_list none = {size, size};
  if (!scan_member(text, size, scan_blank(text, size, 0), key, &begin) || text[begin] != '[')
    return none;
  size_t end = ++begin;
  while ((end = scan_element(text, size, end)) < size && text[end] == ',')
    end++;
  return end < size && text[end] == ']' ? (struct json_list){begin, end} : none;
}

/* The position of a value, or of the innermost one around it that is in the text. */
static size_t find_value(const char *text, size_t size, const struct json_at *at) {
  if (!at->parent) return scan_blank(text, size, 0);
  size_t begin = find_value(text, size, at->parent), place = begin;
  if (begin == size) return begin;
  bool found = at->key ? scan_member(text, size, begin, at->key, &place)
                       : scan_index(text, size, begin, at->index, &place);
  return found ? place : begin;
}

/* ---------------------------------------------------------------- examples */

/* The example of the kind that the root names; a problem's if the root names none. */
static const char *example_for(const json_t *root) {
  static const struct {
    const char *format, *text;
  } examples[] = {{"neap-graph", EXAMPLE_JSON_GRAPH}, {"neap-plan", EXAMPLE_JSON_PLAN}};
  const char *format = json_string_value(json_object_get(root, "format"));
  for (size_t i = 0; format && i < sizeof examples / sizeof *examples; i++)
    if (strcmp(examples[i].format, format) == 0) return examples[i].text;
  return EXAMPLE_JSON_PROBLEM;
}

/* Appends the example as one line. */
static void append_example(const struct json_document *document, neap_error *error) {
  char line[512];
  size_t length = 0;
  for (const char *c = document->example; *c && length + 1 < sizeof line; c++)
    if (*c != '\n' && (*c != ' ' || c[-1] != ' ')) line[length++] = *c;
  line[length] = '\0';
  error_append(error, "; a minimal document: ", line);
}

static bool has_key(const char *example, const char *key) {
  size_t length = strlen(key);
  for (const char *at = example; (at = strstr(at, key)); at++)
    if (at[-1] == '"' && at[length] == '"') return true;
  return false;
}

static const struct json_at *root_of(const struct json_at *at) {
  while (at->parent)
    at = at->parent;
  return at;
}

void json_document_show_example(const struct json_at *at, neap_error *error) {
  const struct json_document *document = root_of(at)->document;
  while (at->parent && !at->key)
    at = at->parent;
  if (document && (!at->parent || has_key(document->example, at->key)))
    append_example(document, error);
}

/* ---------------------------------------------------------------- the document */

/* Parses the text without the lists' elements. */
static neap_status parse_rest(struct json_document *document, neap_error *error) {
  struct row rest = {0};
  size_t fault = 0;
  bool is_first = document->list.begin < document->operators.begin;
  const struct json_list first = is_first ? document->list : document->operators;
  const struct json_list second = is_first ? document->operators : document->list;
  row_append(&rest, document->text, first.begin);
  row_append(&rest, document->text + first.end, second.begin - first.end);
  row_append(&rest, document->text + second.end, document->size - second.end);
  neap_status status = rest.failed ? error_memory(error)
                                   : parse_text(rest.text, rest.length, 0, document->most,
                                                &document->root, &fault, error);
  row_clear(&rest);
  if (status != NEAP_ERROR_INPUT || !error) return status;
  if (fault >= first.begin) fault += first.end - first.begin;
  if (fault >= second.begin) fault += second.end - second.begin;
  scan_locate(document->text, fault, error);
  return status;
}

/* Appends the example and returns NEAP_ERROR_INPUT. */
static neap_status refuse(const struct json_document *document, const char *message,
                          neap_error *error) {
  neap_status status = error_set(error, NEAP_ERROR_INPUT, "%s", message);
  append_example(document, error);
  return status;
}

/* Faults that jansson reports less clearly, or not at all. */
static neap_status check_text(const struct json_document *document, neap_error *error) {
  const char *text = document->text;
  size_t size = document->size;
  if (scan_blank(text, size, 0) == size)
    return refuse(document,
                  size == 0 ? "expected a JSON object, found an empty file"
                            : "expected a JSON object, found only blanks",
                  error);
  if (size > INT_MAX) /* the limit of jansson's positions */
    return error_set(error, NEAP_ERROR_INPUT, "expected at most %d bytes of JSON, found %zu",
                     INT_MAX, size);
  const char *nul = memchr(text, '\0', size);
  if (!nul) return NEAP_OK;
  neap_status status = error_set(error, NEAP_ERROR_INPUT, "expected text, found a NUL byte");
  if (error) scan_locate(text, (size_t)(nul - text), error);
  return status;
}

neap_status json_document_open(struct json_document *document, const char *text, size_t size,
                               size_t stored, const char *list, neap_error *error) {
  *document = (struct json_document){
      .text = text, .size = size, .most = most_of_values(stored), .example = example_for(NULL)};
  neap_status status = check_text(document, error);
  if (status != NEAP_OK) return status;
  document->list = find_list(document, list);
  if (document->list.begin == size) {
    document->list = find_list(document, "columns");
    document->in_columns = document->list.begin < size;
  }
  /* A graph has operators, but no such list; they are in the root. */
  bool has_list = document->list.begin < size;
  document->operators =
      has_list ? find_list(document, "operators") : (struct json_list){size, size};
  status = parse_rest(document, error);
  if (status != NEAP_OK) return status;
  document->example = example_for(document->root);
  if (!json_is_object(document->root))
    status = refuse(document, "expected a JSON object", error);
  else if (!document->in_columns &&
           json_array_size(json_object_get(document->root, list)) > 0) /* it was not found */
    status =
        error_set(error, NEAP_ERROR_INPUT, "expected the key \"%s\" without escapes", list);
  if (status != NEAP_OK) json_document_close(document);
  return status;
}

struct json_at json_document_root(const struct json_document *document) {
  return (struct json_at){.value = document->root, .document = document};
}

void json_document_place(const struct json_at *at, neap_error *error) {
  const struct json_document *document = root_of(at)->document;
  if (document)
    scan_locate(document->text, find_value(document->text, document->size, at), error);
}

void json_document_close(struct json_document *document) {
  json_decref(document->root);
  document->root = NULL;
}

/* ---------------------------------------------------------------- its elements */

void json_cursor_clear(struct json_cursor *cursor) {
  json_decref(cursor->element);
  cursor->element = NULL;
}

neap_status json_cursor_place(const struct json_cursor *cursor, neap_status status,
                              neap_error *error) {
  const struct json_document *document = cursor->document;
  if (status == NEAP_ERROR_INPUT && error)
    scan_locate(document->text, cursor->list->begin + cursor->place, error);
  return status;
}

neap_status json_cursor_next(struct json_cursor *cursor, neap_error *error) {
  const struct json_document *document = cursor->document;
  const char *list = document->text + cursor->list->begin;
  size_t size = cursor->list->end - cursor->list->begin, fault;
  json_cursor_clear(cursor);
  if (cursor->next > size) return NEAP_OK; /* the last one had no comma */
  cursor->place = scan_blank(list, size, cursor->next);
  if (cursor->next == 0 && cursor->place == size) return NEAP_OK; /* there are none */
  size_t end = scan_element(list, size, cursor->place);
  neap_status status = parse_text(list + cursor->place, end - cursor->place, JSON_DECODE_ANY,
                                  cursor->document->most, &cursor->element, &fault, error);
  cursor->next = end + 1;
  if (status == NEAP_ERROR_INPUT && error)
    scan_locate(document->text, cursor->list->begin + cursor->place + fault, error);
  return status;
}
