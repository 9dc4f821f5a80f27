/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/html_plan.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "files/gzip.h"
#include "files/json/plan.h"
#include "files/json/problem.h"

/* The block that holds the plan, cut out of the page. */
struct block {
  char *text;
  size_t size, stored; /* in the page, it has `stored` bytes */
  size_t lines;        /* of the page, before it */
  char *unpacked;      /* the text, if the page has it compressed */
};

/* Whether the text at `at` begins with `word`, in either case. */
static bool begins_with(const char *at, const char *end, const char *word) {
  size_t length = strlen(word);
  return (size_t)(end - at) >= length && strncasecmp(at, word, length) == 0;
}

bool html_is(const char *text, size_t size, const neap_reading *reading) {
  (void)reading;
  const char *at = text, *end = text + size;
  while (at < end && *at && strchr(" \t\r\n", *at))
    at++;
  return begins_with(at, end, "<!doctype html") || begins_with(at, end, "<html");
}

/* Whether the tag from `at` to `end` has an attribute. */
static bool has_attribute(const char *at, const char *end, const char *attribute) {
  for (; at < end; at++)
    if (begins_with(at, end, attribute)) return true;
  return false;
}

/* The text after the plan's opening tag, and whether it is compressed; NULL if there is none. */
static char *find_block(char *text, char *end, bool *is_packed) {
  char *at = text;
  while ((at = memchr(at, '<', (size_t)(end - at)))) {
    if (!begins_with(at, end, "<script")) {
      at++;
      continue;
    }
    char *close = memchr(at, '>', (size_t)(end - at));
    if (!close) return NULL;
    if (has_attribute(at, close, "id=\"plan\"")) {
      *is_packed = has_attribute(at, close, "data-encoding=\"gzip\"");
      return close + 1;
    }
    at = close;
  }
  return NULL;
}

static size_t count_lines(const char *text, const char *end) {
  size_t lines = 0;
  while ((text = memchr(text, '\n', (size_t)(end - text)))) {
    lines++;
    text++;
  }
  return lines;
}

static neap_status block_open(struct block *block, char *text, size_t size, neap_error *error) {
  bool is_packed;
  char *end = text + size, *begin = find_block(text, end, &is_packed);
  if (!begin)
    return error_set(error, NEAP_ERROR_INPUT,
                     "not a page with a plan (no <script id=\"plan\">)");
  char *close = memchr(begin, '<', (size_t)(end - begin));
  if (!close)
    return error_at(error, NEAP_ERROR_INPUT, count_lines(text, end) + 1, 0,
                    "no </script> after the plan");
  *close = '\0';
  *block = (struct block){.text = begin,
                          .size = (size_t)(close - begin),
                          .stored = (size_t)(close - begin),
                          .lines = count_lines(text, begin)};
  if (!is_packed) return NEAP_OK;
  neap_status status = gzip_unpack(begin, block->size, &block->unpacked, &block->size, error);
  block->text = block->unpacked;
  if (status == NEAP_ERROR_INPUT && error) error->line = block->lines + 1;
  return status;
}

/*
 * Turns a line of the block into one of the page, unless it is compressed, and releases the
 * text.
 */
static neap_status close_block(struct block *block, neap_status status, neap_error *error) {
  if (status != NEAP_OK && error && error->line > 0)
    error->line = block->lines + (block->unpacked ? 1 : error->line);
  free(block->unpacked);
  return status;
}

neap_status html_plan_read(char *text, size_t size, const neap_reading *reading,
                           neap_plan **plan, neap_error *error) {
  (void)reading;
  struct block block;
  neap_status status = block_open(&block, text, size, error);
  if (status != NEAP_OK) return status;
  status = json_plan_unpacked(block.text, block.size, block.stored, plan, error);
  return close_block(&block, status, error);
}

neap_status html_problem_read(char *text, size_t size, const neap_reading *reading,
                              neap_problem **problem, neap_error *error) {
  struct block block;
  neap_status status = block_open(&block, text, size, error);
  if (status != NEAP_OK) return status;
  status = json_problem_unpacked(block.text, block.size, block.stored, reading, problem, error);
  return close_block(&block, status, error);
}
