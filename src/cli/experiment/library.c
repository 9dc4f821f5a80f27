/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/experiment/recheck.h"

#include <errno.h>
#include <limits.h>
#include <neap/neap.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/messages.h"

enum { ROW_COLUMNS = 12, SOURCE_COLUMNS = 4 };

static const char *const kind_names[LIBRARY_KINDS] = {"layout", "order", "overlap", "split",
                                                      "recompute"};

const char *library_kind_name(enum library_kind kind) { return kind_names[kind]; }

/* ---------------------------------------------------------------- tables */

/* A table that is read. */
struct reader {
  char path[PATH_MAX];
  FILE *stream;
  size_t line; /* its number */
};

__attribute__((format(printf, 2, 3))) static int refuse(const struct reader *reader,
                                                        const char *format, ...) {
  neap_error error = {.status = NEAP_ERROR_FORMAT, .line = reader->line};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error.text, sizeof error.text, format, arguments);
  va_end(arguments);
  snprintf(error.source, sizeof error.source, "%.255s", reader->path);
  return message_error(&error);
}

static int open_table(struct reader *reader, const char *folder, const char *name) {
  *reader = (struct reader){.line = 0};
  snprintf(reader->path, sizeof reader->path, "%s/%s", folder, name);
  reader->stream = fopen(reader->path, "r");
  return reader->stream ? 0 : message_system(reader->path, "cannot open");
}

/* Reads the next line that is neither empty nor a comment; NULL at the end, or if memory is short. */
static char *next_line(struct reader *reader) {
  char *line = NULL;
  size_t size = 0;
  while (getline(&line, &size, reader->stream) >= 0) {
    reader->line++;
    if (line[0] != '#' && line[strspn(line, " \t\r\n")] != '\0') return line;
  }
  free(line);
  return NULL;
}

/* Splits a line at spaces; returns the number of its words, of which at most `most` are kept. */
static size_t split_line(char *line, const char **words, size_t most) {
  size_t count = 0;
  char *rest = line, *word;
  while ((word = strtok_r(rest, " \t\r\n", &rest)) != NULL) {
    if (count < most) words[count] = word;
    count++;
  }
  return count;
}

/* Makes room for one more element. */
static void *grow(void *items, size_t count, size_t size) {
  bool full = (count & (count - 1)) == 0; /* at powers of two */
  return full ? realloc(items, (count ? 2 * count : 1) * size) : items;
}

/* ---------------------------------------------------------------- rows */

static bool read_number(const char *word, int64_t *number) {
  char *end;
  *number = -1;
  if (strcmp(word, "-") == 0) return true;
  errno = 0;
  long long value = strtoll(word, &end, 10);
  *number = value;
  return errno == 0 && *word >= '0' && *word <= '9' && *end == '\0';
}

static bool read_kind(const char *word, enum library_kind *kind) {
  for (int k = 0; k < LIBRARY_KINDS; k++)
    if (strcmp(word, kind_names[k]) == 0) {
      *kind = (enum library_kind)k;
      return true;
    }
  return false;
}

static const struct library_source *find_source(const struct library *library,
                                                const char *name) {
  for (size_t i = 0; i < library->source_count; i++)
    if (strcmp(library->sources[i].name, name) == 0) return &library->sources[i];
  return NULL;
}

/* A path that leads out of the folder could name any file. */
static bool stays_inside(const char *instance) {
  return instance[0] != '/' && !strstr(instance, "..");
}

static int read_row(const struct reader *reader, const struct library *library,
                    struct library_row *row) {
  const char *words[ROW_COLUMNS];
  size_t count = split_line(row->line, words, ROW_COLUMNS);
  if (count != ROW_COLUMNS)
    return refuse(reader, "expected %d columns, found %zu", ROW_COLUMNS, count);
  row->instance = words[0];
  row->source = words[1];
  row->derivation = words[2];
  row->path = words[3];
  row->found = words[10];
  row->certificate = words[11];
  row->from = find_source(library, row->source);
  if (!stays_inside(row->instance))
    return refuse(reader, "instance '%s' is outside the folder", row->instance);
  if (!row->from) return refuse(reader, "source '%s' is not in sources.txt", row->source);
  if (!read_kind(words[4], &row->kind))
    return refuse(reader, "unknown kind '%s'; use layout, order, overlap, split or recompute",
                  words[4]);
  int64_t *const numbers[] = {&row->capacity, &row->ticks, &row->size, &row->best, &row->bound};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (!read_number(words[5 + i], numbers[i]))
      return refuse(reader, "expected a whole number or '-', found '%s'", words[5 + i]);
  if ((row->kind == LIBRARY_RECOMPUTE) != (row->capacity >= 0))
    return refuse(reader, "expected a capacity with recompute only");
  return 0;
}

static int read_rows(struct reader *reader, struct library *library) {
  int code = 0;
  char *line;
  while (code == 0 && (line = next_line(reader)) != NULL) {
    void *rows = grow(library->rows, library->row_count, sizeof *library->rows);
    if (!rows) {
      free(line);
      return message_memory();
    }
    library->rows = rows;
    struct library_row *row = &library->rows[library->row_count++];
    *row = (struct library_row){.line = line};
    code = read_row(reader, library, row);
  }
  return code;
}

static int read_sources(struct reader *reader, struct library *library) {
  char *line;
  while ((line = next_line(reader)) != NULL) {
    const char *words[SOURCE_COLUMNS];
    void *sources = grow(library->sources, library->source_count, sizeof *library->sources);
    if (!sources) {
      free(line);
      return message_memory();
    }
    library->sources = sources;
    struct library_source *source = &library->sources[library->source_count++];
    *source = (struct library_source){.line = line};
    size_t count = split_line(line, words, SOURCE_COLUMNS); /* a remark may follow */
    if (count < SOURCE_COLUMNS)
      return refuse(reader, "expected %d columns, found %zu", SOURCE_COLUMNS, count);
    *source = (struct library_source){line, words[0], words[1], words[2], words[3]};
  }
  return 0;
}

static int read_table(struct library *library, const char *folder, const char *name,
                      int (*read)(struct reader *reader, struct library *library)) {
  struct reader reader;
  int code = open_table(&reader, folder, name);
  if (code != 0) return code;
  code = read(&reader, library);
  if (code == 0 && ferror(reader.stream)) code = message_system(reader.path, "cannot be read");
  fclose(reader.stream);
  return code;
}

int library_read(struct library *library, const char *folder) {
  *library = (struct library){.rows = NULL};
  int code = read_table(library, folder, "sources.txt", read_sources);
  if (code == 0) code = read_table(library, folder, "instances.txt", read_rows);
  return code;
}

void library_clear(struct library *library) {
  for (size_t i = 0; i < library->row_count; i++)
    free(library->rows[i].line);
  for (size_t i = 0; i < library->source_count; i++)
    free(library->sources[i].line);
  free(library->rows);
  free(library->sources);
  *library = (struct library){.rows = NULL};
}
