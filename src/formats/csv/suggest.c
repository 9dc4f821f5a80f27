/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/csv/suggest.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Words of a name, in lower case.  A digit, a sign or a capital ends the word before it. */
static const struct hint {
  const char *word;
  enum column code; /* which the option should say */
} hints[] = {
    {"buffer", COLUMN_ID},     {"buf", COLUMN_ID},         {"tensor", COLUMN_ID},
    {"name", COLUMN_ID},       {"id", COLUMN_ID},          {"variable", COLUMN_ID},
    {"value", COLUMN_ID},      {"first", COLUMN_LOWER},    {"start", COLUMN_LOWER},
    {"begin", COLUMN_LOWER},   {"from", COLUMN_LOWER},     {"birth", COLUMN_LOWER},
    {"born", COLUMN_LOWER},    {"def", COLUMN_LOWER},      {"alloc", COLUMN_LOWER},
    {"created", COLUMN_LOWER}, {"lower", COLUMN_LOWER},    {"producer", COLUMN_LOWER},
    {"last", COLUMN_LAST},     {"consumer", COLUMN_LAST},  {"end", COLUMN_UPPER},
    {"stop", COLUMN_UPPER},    {"to", COLUMN_UPPER},       {"until", COLUMN_UPPER},
    {"death", COLUMN_UPPER},   {"dies", COLUMN_UPPER},     {"died", COLUMN_UPPER},
    {"kill", COLUMN_UPPER},    {"free", COLUMN_UPPER},     {"freed", COLUMN_UPPER},
    {"dealloc", COLUMN_UPPER}, {"released", COLUMN_UPPER}, {"upper", COLUMN_UPPER},
    {"bytes", COLUMN_SIZE},    {"size", COLUMN_SIZE},      {"nbytes", COLUMN_SIZE},
    {"length", COLUMN_SIZE},   {"len", COLUMN_SIZE},       {"type", COLUMN_TYPE},
    {"event", COLUMN_TYPE},    {"action", COLUMN_TYPE},
};

/* A size in another unit than bytes is not a size. */
static const char *const other_units[] = {"k", "kb", "kib", "m", "mb", "mib", "g", "gb", "gib"};

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

/* The next word of a name from *at on; false if there is none. */
static bool next_word(const char *name, size_t *at, char word[16]) {
  size_t length = 0, i = *at;
  while (name[i] && !is_letter(name[i]))
    i++;
  if (!name[i]) return false;
  do {
    if (length < 15) word[length++] = is_capital(name[i]) ? (char)(name[i] + 32) : name[i];
    i++;
  } while (is_letter(name[i]) && !(is_capital(name[i]) && !is_capital(name[i - 1])));
  word[length] = '\0';
  *at = i;
  return true;
}

static bool has_word(const char *name, const char *wanted) {
  char word[16];
  for (size_t at = 0; next_word(name, &at, word);)
    if (strcmp(word, wanted) == 0) return true;
  return false;
}

/* The hint that makes a column one with this role; NULL if there is none. */
static const struct hint *find_hint(const char *name, enum column_role role) {
  for (size_t i = 0; role == ROLE_SIZE && i < sizeof other_units / sizeof *other_units; i++)
    if (has_word(name, other_units[i])) return NULL;
  for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
    if (columns_role((unsigned char)hints[i].code) == role && has_word(name, hints[i].word))
      return &hints[i];
  return NULL;
}

/* What a name needs so that --columns and a shell take it as it is. */
static bool is_sayable(const char *name, bool *needs_quotes) {
  if (!*name || strlen(name) > 40) return false;
  for (; *name; name++) {
    if (strchr("',=", *name) || *name < ' ' || *name > '~') return false;
    *needs_quotes = *needs_quotes || !(is_letter(*name) || strchr("0123456789_-.:/", *name));
  }
  return true;
}

struct line {
  const struct csv *csv;
  bool used[CSV_FIELDS], found, needs_quotes;
  const char *end; /* the column taken for `upper`, if any */
  char text[SUGGEST_TEXT];
  size_t length;
};

__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format,
                                                      ...) {
  va_list arguments;
  va_start(arguments, format);
  int written =
      vsnprintf(line->text + line->length, sizeof line->text - line->length, format, arguments);
  va_end(arguments);
  line->length += written > 0 ? (size_t)written : 0;
  if (line->length >= sizeof line->text) line->length = sizeof line->text - 1;
}

static void add_role(struct line *line, enum column_role role, enum column otherwise) {
  const char *comma = line->length > 0 ? "," : "";
  size_t fields = line->csv->count < CSV_FIELDS ? line->csv->count : CSV_FIELDS;
  for (size_t f = 0; f < fields; f++) {
    const char *name = line->csv->fields[f].text;
    const struct hint *hint = line->used[f] ? NULL : find_hint(name, role);
    if (!hint || !is_sayable(name, &line->needs_quotes)) continue;
    add(line, "%s%s=%s", comma, columns_name((unsigned char)hint->code), name);
    line->used[f] = line->found = true;
    if (hint->code == COLUMN_UPPER) line->end = name;
    return;
  }
  add(line, "%s%s=NAME", comma, columns_name((unsigned char)otherwise));
}

const char *suggest_columns(char text[SUGGEST_TEXT], const struct csv *csv,
                            const struct columns *columns, const bool missing[ROLE_COUNT]) {
  static const enum column roles[] = {COLUMN_ID, COLUMN_LOWER, COLUMN_UPPER, COLUMN_TYPE,
                                      COLUMN_SIZE};
  struct line line = {.csv = csv};
  for (size_t role = 0; role < ROLE_COUNT; role++)
    if (columns->place[role] != COLUMNS_NONE) line.used[columns->place[role]] = true;
  for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
    if (missing[columns_role((unsigned char)roles[i])])
      add_role(&line, columns_role((unsigned char)roles[i]), roles[i]);
  *text = '\0';
  if (!line.found) return text;
  const char *quote = line.needs_quotes ? "'" : "";
  int written = snprintf(text, SUGGEST_TEXT, "; try --columns %s%s%s", quote, line.text, quote);
  if (line.end && written > 0 && written < SUGGEST_TEXT)
    snprintf(text + written, (size_t)(SUGGEST_TEXT - written),
             " (end=%s if that is the last moment alive)", line.end);
  return text;
}
