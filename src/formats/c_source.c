/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plan as a C header, for C99 and C++: the arena's size and alignment, and the offset and size of
 * every buffer as macros, with assertions that the compiler checks.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/names.h"
#include "core/output.h"
#include "formats/row.h"
#include "plan/plan.h"

struct header {
  const struct neap_plan *plan;
  const char *prefix;
  struct names words; /* what identifiers are made of, one a buffer */
  struct row row;
  FILE *stream;
};

/* ---------------------------------------------------------------- identifiers */

static bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_identifier(const char *text) {
  if (!is_letter(text[0])) return false;
  for (; *text; text++)
    if (!is_letter(*text) && !is_digit(*text) && *text != '_') return false;
  return true;
}

/* The name in capitals, everything else an underscore; a number behind it where that is taken. */
static bool add_word(struct header *header, size_t index) {
  const char *name = problem_name(header->plan->problem, index);
  size_t length = strlen(name);
  char *word = malloc(length + 32);
  if (!word) return false;
  for (size_t i = 0; i < length; i++) {
    char c = name[i];
    word[i] = is_letter(c) || is_digit(c) ? c : '_';
    if (c >= 'a' && c <= 'z') word[i] = (char)(c - 'a' + 'A');
  }
  word[length] = '\0';
  for (size_t number = 2; names_find(&header->words, word, strlen(word)) != NAMES_NONE;
       number++)
    snprintf(word + length, 32, "_%zu", number);
  bool added = names_add(&header->words, word, strlen(word));
  free(word);
  return added;
}

/* ---------------------------------------------------------------- lines */

static neap_size alignment_of(const struct neap_plan *plan) {
  neap_size alignment = 1;
  for (size_t i = 0; i < plan->problem->count; i++)
    if (plan->problem->buffers[i].alignment > alignment)
      alignment = plan->problem->buffers[i].alignment;
  return alignment;
}

static void define(struct header *header, const char *word, const char *what, int64_t value) {
  struct row *row = &header->row;
  row_string(row, "#define ");
  row_string(row, header->prefix);
  row_char(row, '_');
  row_string(row, word);
  row_string(row, what);
  row_char(row, ' ');
  row_number(row, value);
  row_string(row, "ULL\n");
}

/* A type of negative size where it does not hold: that works in C99 and in C++ alike. */
static void assert_buffer(struct header *header, const char *word) {
  struct row *row = &header->row;
  const char *parts[] = {"typedef char ",
                         header->prefix,
                         "_CHECK_",
                         word,
                         "[(",
                         header->prefix,
                         "_",
                         word,
                         "_OFFSET % ",
                         header->prefix,
                         "_",
                         word,
                         "_ALIGNMENT == 0 && ",
                         header->prefix,
                         "_",
                         word,
                         "_OFFSET + ",
                         header->prefix,
                         "_",
                         word,
                         "_SIZE <= ",
                         header->prefix,
                         "_ARENA_SIZE) ? 1 : -1];\n"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    row_string(row, parts[i]);
}

static neap_status write_buffer(struct header *header, size_t index, neap_error *error) {
  const struct neap_plan *plan = header->plan;
  const char *word = names_text(&header->words, index);
  row_char(&header->row, '\n');
  define(header, word, "_OFFSET", plan->offsets[index]);
  define(header, word, "_SIZE", plan->problem->buffers[index].size);
  define(header, word, "_ALIGNMENT", plan->problem->buffers[index].alignment);
  assert_buffer(header, word);
  return row_write(&header->row, header->stream, error);
}

static neap_status write_head(struct header *header, neap_error *error) {
  struct row *row = &header->row;
  const char *parts[] = {"/* An arena planned by neap " NEAP_VERSION_STRING
                         ": where each buffer lies in it, in bytes. */\n#ifndef ",
                         header->prefix, "_PLAN_H\n#define ", header->prefix, "_PLAN_H\n\n"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    row_string(row, parts[i]);
  define(header, "ARENA_SIZE", "", header->plan->report.peak);
  define(header, "ARENA_ALIGNMENT", "", alignment_of(header->plan));
  define(header, "BUFFER_COUNT", "", (int64_t)header->plan->problem->count);
  return row_write(row, header->stream, error);
}

static neap_status write_all(struct header *header, neap_error *error) {
  neap_status status = write_head(header, error);
  for (size_t i = 0; i < header->plan->problem->count && status == NEAP_OK; i++)
    status = write_buffer(header, i, error);
  row_string(&header->row, "\n#endif\n");
  return status == NEAP_OK ? row_write(&header->row, header->stream, error) : status;
}

static neap_status choose_words(struct header *header, neap_error *error) {
  for (size_t i = 0; i < header->plan->problem->count; i++)
    if (!add_word(header, i)) return error_memory(error);
  return NEAP_OK;
}

neap_status neap_plan_write_header(const neap_plan *plan, const char *prefix, const char *path,
                                   neap_error *error) {
  struct header header = {.plan = plan, .prefix = prefix};
  struct output output;
  if (!is_identifier(prefix))
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "expected a prefix of letters, digits and underscores, found '%.64s'",
                     prefix);
  neap_status status = choose_words(&header, error);
  if (status == NEAP_OK) status = output_open(&output, path, error);
  if (status == NEAP_OK) {
    header.stream = output.stream;
    status = output_close(&output, write_all(&header, error), error);
  }
  names_clear(&header.words);
  row_clear(&header.row);
  return status;
}
