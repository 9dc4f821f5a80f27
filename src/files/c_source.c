/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/c_source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/names.h"
#include "core/output.h"
#include "files/text_builder.h"
#include "files/unsupported.h"
#include "neap/neap-io.h"
#include "plan/plan.h"

#define IDENTIFIER_MAX 63 /* characters of a name that compilers must distinguish */

struct header {
  const struct neap_plan *plan;
  const char *prefix;
  struct names
      words;    /* the middle of identifiers, one for each buffer and then for each pool */
  size_t *next; /* for each word, the number of its next duplicate */
  size_t pools; /* 0: there is one arena without a name */
  struct row row;
  FILE *stream;
};

/* ---------------------------------------------------------------- identifiers */

static bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_identifier(const char *text) {
  if (!is_letter(text[0]) || strlen(text) > IDENTIFIER_MAX) return false;
  for (; *text; text++)
    if (!is_letter(*text) && !is_digit(*text) && *text != '_') return false;
  return true;
}

/* Adds a name in capitals, with underscores for other characters, and a number if it is taken. */
static bool add_word(struct header *header, size_t index, const char *kind, const char *name) {
  size_t length = strlen(kind) + strlen(name);
  char *word = malloc(length + 32);
  if (!word) return false;
  snprintf(word, length + 32, "%s%s", kind, name);
  for (size_t i = 0; i < length; i++) {
    char c = word[i];
    if (!is_letter(c) && !is_digit(c)) word[i] = '_';
    if (c >= 'a' && c <= 'z') word[i] = (char)(c - 'a' + 'A');
  }
  if (strcmp(word, "ARENA") == 0) { /* the arena's own macros have this name */
    strcpy(word, "ARENA_BUFFER");
    length = strlen(word);
  }
  header->next[index] = 2;
  size_t namesake = names_find(&header->words, word, length);
  while (names_find(&header->words, word, strlen(word)) != NAMES_NONE)
    snprintf(word + length, 32, "_%zu", header->next[namesake]++);
  bool added = names_add(&header->words, word, strlen(word));
  free(word);
  return added;
}

/* ---------------------------------------------------------------- lines */

static void put_all(struct row *row, const char *const *parts, size_t count) {
  for (size_t i = 0; i < count; i++)
    row_string(row, parts[i]);
}

/* Stands for all pools. */
#define ALL_POOLS SIZE_MAX

static neap_size alignment_of(const struct neap_plan *plan, size_t pool) {
  neap_pool own = NEAP_INIT(neap_pool);
  neap_size alignment = 1;
  if (pool != ALL_POOLS && neap_problem_pool_at(plan->problem, pool, &own))
    alignment = own.alignment;
  for (size_t i = 0; i < plan->problem->count; i++)
    if ((pool == ALL_POOLS || plan->pools[i] == pool) &&
        plan->problem->buffers[i].alignment > alignment)
      alignment = plan->problem->buffers[i].alignment;
  return alignment;
}

static const char *pool_word(const struct header *header, size_t pool) {
  return names_text(&header->words, header->plan->problem->count + pool);
}

/* A pool's word in the identifiers of objects and in the names of sections. */
#define POOL_KIND "POOL_"
static void append_lower(struct row *row, const char *word) {
  for (; *word; word++)
    row_char(row, *word >= 'A' && *word <= 'Z' ? (char)(*word - 'A' + 'a') : *word);
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

/* Writes an assertion for C99 and C++: an array type whose size is negative if it fails. */
static void assert_buffer(struct header *header, const char *word, const char *arena) {
  struct row *row = &header->row;
  const char *parts[] = {"typedef char ",
                         header->prefix,
                         "_check_",
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
                         "_",
                         arena,
                         "_SIZE) ? 1 : -1];\n"};
  put_all(row, parts, sizeof parts / sizeof *parts);
}

static neap_status write_buffer(struct header *header, size_t index, neap_error *error) {
  const struct neap_plan *plan = header->plan;
  const char *word = names_text(&header->words, index);
  row_char(&header->row, '\n');
  define(header, word, "_OFFSET", plan->offsets[index]);
  define(header, word, "_SIZE", plan->problem->buffers[index].size);
  define(header, word, "_ALIGNMENT", plan->problem->buffers[index].alignment);
  if (header->pools > 0) define(header, word, "_POOL", (int64_t)plan->pools[index]);
  assert_buffer(header, word,
                header->pools > 0 ? pool_word(header, plan->pools[index]) : "ARENA");
  return row_write(&header->row, header->stream, error);
}

/* Declares the array of each pool, and the table that points to them. */
static void declare_pools(struct header *header) {
  struct row *row = &header->row;
  const char *parts[] = {"struct ",
                         header->prefix,
                         "_pool {\n  const char *name;\n"
                         "  unsigned char *bytes;\n  unsigned long long size;\n};\n"
                         "extern const struct ",
                         header->prefix,
                         "_pool ",
                         header->prefix,
                         "_pools[];\n"};
  put_all(row, parts, sizeof parts / sizeof *parts);
  for (size_t p = 0; p < header->pools; p++) {
    row_string(row, "extern unsigned char ");
    row_string(row, header->prefix);
    row_char(row, '_');
    append_lower(row, pool_word(header, p));
    row_string(row, "[];\n");
  }
}

/* Declares what the source file defines. */
static void declare(struct header *header) {
  const char *prefix = header->prefix;
  const char *parts[] = {
      "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
      "/* Where a buffer lies; the last is followed by one without a name. */\n"
      "struct ",
      prefix,
      "_buffer {\n  const char *name;\n"
      "  unsigned long long offset, size, alignment",
      header->pools > 0 ? ", pool" : "",
      ";\n};\n"
      "extern const struct ",
      prefix,
      "_buffer ",
      prefix,
      "_buffers[];\n"};
  const char *arena[] = {"extern unsigned char ", prefix, "_arena[];\n"};
  put_all(&header->row, parts, sizeof parts / sizeof *parts);
  if (header->pools == 0) put_all(&header->row, arena, sizeof arena / sizeof *arena);
  if (header->pools > 0) declare_pools(header);
  row_string(&header->row, "\n#ifdef __cplusplus\n}\n#endif\n");
}

/*
 * Defines the size of the arena for TensorFlow Lite Micro, with checks.  The compiler checks that
 * pointers have the predicted size and that an array is large enough; the program checks that the
 * interpreter uses no more.
 */
static void define_tflm(struct header *header) {
  const char *prefix = header->prefix;
  neap_arena arena = NEAP_INIT(neap_arena);
  neap_arena_note note = NEAP_INIT(neap_arena_note);
  char text[1024];
  if (!neap_problem_arena(header->plan->problem, header->plan->report.peak, &arena) ||
      neap_problem_arena_unknown_at(header->plan->problem, 0, &note) ||
      neap_problem_arena_refused_at(header->plan->problem, 0, &note))
    return;
  row_string(&header->row, "\n/* TensorFlow Lite Micro of ");
  row_string(&header->row, arena.version);
  row_string(&header->row, ", ");
  row_string(&header->row, arena.kernels);
  row_string(
      &header->row,
      " kernels: the\n * smallest arena that works if it is aligned to 16, the "
      "head that buffers take, and the tail that\n * the interpreter keeps.  assert() that it "
      "is right once tensors are allocated. */\n");
  define(header, "TFLM_ARENA_SIZE", "", arena.smallest);
  define(header, "TFLM_ARENA_HEAD", "", arena.head);
  define(header, "TFLM_ARENA_TAIL", "", arena.tail);
  snprintf(text, sizeof text,
           "typedef char %.200s_check_pointer[sizeof(void *) == %u ? 1 : -1];\n", prefix,
           arena.pointer);
  row_string(&header->row, text);
  snprintf(
      text, sizeof text,
      "#define %.200s_TFLM_ARENA_FITS(array) \\\n"
      "  typedef char %.200s_check_arena[sizeof(array) >= %.200s_TFLM_ARENA_SIZE ? 1 : -1]\n",
      prefix, prefix, prefix);
  row_string(&header->row, text);
  snprintf(text, sizeof text,
           "#define %.200s_TFLM_ARENA_IS_RIGHT(interpreter) \\\n"
           "  ((interpreter).arena_used_bytes() <= %.200s_TFLM_ARENA_SIZE)\n",
           prefix, prefix);
  row_string(&header->row, text);
}

static neap_status write_head(struct header *header, neap_error *error) {
  struct row *row = &header->row;
  const char *parts[] = {"/* An arena planned by neap " NEAP_VERSION_STRING
                         ": where each buffer lies in it, in bytes.\n * " OUTPUT_NOTICE
                         " */\n#ifndef ",
                         header->prefix, "_PLAN_H\n#define ", header->prefix, "_PLAN_H\n\n"};
  put_all(row, parts, sizeof parts / sizeof *parts);
  if (header->pools == 0) {
    define(header, "ARENA_SIZE", "", header->plan->report.peak);
    define(header, "ARENA_ALIGNMENT", "", alignment_of(header->plan, ALL_POOLS));
  }
  for (size_t p = 0; p < header->pools; p++) {
    define(header, pool_word(header, p), "_SIZE", header->plan->pool_reports[p].peak);
    define(header, pool_word(header, p), "_ALIGNMENT", alignment_of(header->plan, p));
  }
  define(header, "BUFFER_COUNT", "", (int64_t)header->plan->problem->count);
  define_tflm(header);
  declare(header);
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
  const struct neap_problem *problem = header->plan->problem;
  neap_pool pool = NEAP_INIT(neap_pool);
  header->pools = header->plan->pools ? problem_pool_count(problem) : 0;
  header->next = memory_array(problem->count + header->pools, sizeof *header->next);
  if (!header->next) return error_memory(error);
  for (size_t i = 0; i < problem->count; i++)
    if (!add_word(header, i, "", problem_name(problem, i))) return error_memory(error);
  for (size_t p = 0; p < header->pools && neap_problem_pool_at(problem, p, &pool); p++)
    if (!add_word(header, problem->count + p, POOL_KIND, pool.name)) return error_memory(error);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- the source */

/* Compilers must accept strings of this length. */
#define STRING_MAX 4000

/* Escapes bytes that are special in a string, or may not be in its character set, in octal. */
static void append_literal(struct row *row, const char *text) {
  char octal[8];
  row_char(row, '"');
  for (size_t i = 0; text[i] && i < STRING_MAX; i++) {
    unsigned char c = (unsigned char)text[i];
    bool is_plain = c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '?';
    snprintf(octal, sizeof octal, is_plain ? "%c" : "\\%03o", c);
    row_string(row, octal);
  }
  row_char(row, '"');
}

/* Writes the array of a pool, in a section of its own. */
static void write_pool(struct header *header, size_t pool) {
  struct row *row = &header->row;
  const char *prefix = header->prefix, *word = pool_word(header, pool);
  const char *parts[] = {
      "/* A linker script can place this section; define another one to use it instead. */\n"
      "#ifndef ",
      prefix,
      "_",
      word,
      "_SECTION\n#define ",
      prefix,
      "_",
      word,
      "_SECTION \".bss."};
  const char *array[] = {"\"\n#endif\nALIGNED(",     prefix, "_", word,
                         "_ALIGNMENT) SECTION(",     prefix, "_", word,
                         "_SECTION) unsigned char ", prefix, "_"};
  const char *size[] = {
      "[", prefix, "_", word, "_SIZE + (", prefix, "_", word, "_SIZE == 0)];\n\n"};
  put_all(row, parts, sizeof parts / sizeof *parts);
  append_lower(row, word + strlen(POOL_KIND));
  put_all(row, array, sizeof array / sizeof *array);
  append_lower(row, word);
  put_all(row, size, sizeof size / sizeof *size);
}

/* Writes the arrays of the pools, and the table that points to them. */
static void write_pools(struct header *header) {
  struct row *row = &header->row;
  neap_pool pool = NEAP_INIT(neap_pool);
  for (size_t p = 0; p < header->pools; p++)
    write_pool(header, p);
  const char *parts[] = {"const struct ", header->prefix, "_pool ", header->prefix,
                         "_pools[] = {\n"};
  put_all(row, parts, sizeof parts / sizeof *parts);
  for (size_t p = 0; neap_problem_pool_at(header->plan->problem, p, &pool); p++) {
    const char *word = pool_word(header, p);
    row_string(row, "    {");
    append_literal(row, pool.name);
    row_string(row, ", ");
    row_string(row, header->prefix);
    row_char(row, '_');
    append_lower(row, word);
    row_string(row, ", ");
    row_string(row, header->prefix);
    row_char(row, '_');
    row_string(row, word);
    row_string(row, "_SIZE},\n");
  }
  row_string(row, "    {0, 0, 0},\n};\n\n");
}

static void write_arena(struct header *header, const char *name) {
  char arena[1024];
  const char *prefix = header->prefix;
  row_string(&header->row, "/* The arena that is planned in ");
  row_string(&header->row, name);
  row_string(&header->row, ".\n * " OUTPUT_NOTICE " */\n#include ");
  append_literal(&header->row, name);
  row_string(&header->row,
             "\n\n#if defined(__cplusplus)\n#define ALIGNED(bytes) alignas(bytes)\n"
             "#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L\n"
             "#define ALIGNED(bytes) _Alignas(bytes)\n#else\n"
             "#define ALIGNED(bytes) __attribute__((aligned(bytes)))\n#endif\n\n");
  if (header->pools > 0)
    row_string(&header->row, "#if defined(__GNUC__)\n"
                             "#define SECTION(name) __attribute__((section(name)))\n"
                             "#else\n#define SECTION(name)\n#endif\n\n");
  snprintf(arena, sizeof arena,
           "ALIGNED(%s_ARENA_ALIGNMENT) unsigned char %s_arena[%s_ARENA_SIZE + (%s_ARENA_SIZE "
           "== 0)];\n\n",
           prefix, prefix, prefix, prefix);
  if (header->pools > 0) write_pools(header);
  else row_string(&header->row, arena);
  snprintf(arena, sizeof arena, "const struct %s_buffer %s_buffers[] = {\n", prefix, prefix);
  row_string(&header->row, arena);
}

static neap_status write_entry(struct header *header, size_t index, neap_error *error) {
  static const char *const parts[] = {"_OFFSET", "_SIZE", "_ALIGNMENT", "_POOL"};
  const size_t count = header->pools > 0 ? 4 : 3;
  struct row *row = &header->row;
  row_string(row, "    {");
  append_literal(row, problem_name(header->plan->problem, index));
  for (size_t i = 0; i < count; i++) {
    row_string(row, ", ");
    row_string(row, header->prefix);
    row_char(row, '_');
    row_string(row, names_text(&header->words, index));
    row_string(row, parts[i]);
  }
  row_string(row, "},\n");
  return row_write(row, header->stream, error);
}

static neap_status write_source(struct header *header, const char *name, neap_error *error) {
  neap_status status = NEAP_OK;
  write_arena(header, name);
  for (size_t i = 0; i < header->plan->problem->count && status == NEAP_OK; i++)
    status = write_entry(header, i, error);
  row_string(&header->row,
             header->pools > 0 ? "    {0, 0, 0, 0, 0},\n};\n" : "    {0, 0, 0, 0},\n};\n");
  return status == NEAP_OK ? row_write(&header->row, header->stream, error) : status;
}

static neap_status check_alignment(const struct neap_plan *plan, neap_error *error) {
  neap_size alignment = alignment_of(plan, ALL_POOLS);
  if ((alignment & (alignment - 1)) == 0) return NEAP_OK;
  return error_set(error, NEAP_ERROR_FORMAT,
                   "C can only align to powers of two; the arena's alignment is %" PRId64,
                   alignment);
}

/* ---------------------------------------------------------------- the whole */

neap_status c_source_prefix(const neap_writing *writing, const char **prefix,
                            neap_error *error) {
  *prefix = writing->prefix ? writing->prefix : "NEAP";
  if (is_identifier(*prefix)) return NEAP_OK;
  return error_set(
      error, NEAP_ERROR_ARGUMENT,
      "expected a prefix that begins with a letter, of up to %d letters, digits and "
      "underscores, found '%.64s'",
      IDENTIFIER_MAX, *prefix);
}

static neap_status header_init(struct header *header, const neap_plan *plan,
                               const neap_writing *writing, FILE *stream, neap_error *error) {
  *header = (struct header){.plan = plan, .stream = stream};
  neap_status status =
      unsupported_refuse(plan->problem, SUPPORTED_OFFSETS | SUPPORTED_POOLS, "C", error);
  if (status == NEAP_OK) status = c_source_prefix(writing, &header->prefix, error);
  return status == NEAP_OK ? choose_words(header, error) : status;
}

static void header_clear(struct header *header) {
  names_clear(&header->words);
  free(header->next);
  row_clear(&header->row);
}

neap_status c_source_write_header(const neap_plan *plan, const neap_writing *writing,
                                  FILE *stream, neap_error *error) {
  struct header header;
  neap_status status = header_init(&header, plan, writing, stream, error);
  if (status == NEAP_OK) status = write_all(&header, error);
  header_clear(&header);
  return status;
}

neap_status c_source_write(const neap_plan *plan, const neap_writing *writing, FILE *stream,
                           neap_error *error) {
  struct header header = {.plan = plan};
  if (!writing->header)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "expected the name of the header that the source includes, found none");
  neap_status status = check_alignment(plan, error);
  if (status == NEAP_OK) status = header_init(&header, plan, writing, stream, error);
  if (status == NEAP_OK) status = write_source(&header, writing->header, error);
  header_clear(&header);
  return status;
}
