/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/output/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/messages.h"

/* ---------------------------------------------------------------- lists */

void listing_begin(struct listing *listing) {
  listing->text = NULL;
  listing->stream = open_memstream(&listing->text, &listing->size);
}

void listing_add(struct listing *listing, const char *before, const char *word) {
  if (!listing->stream) return;
  fputs(before, listing->stream);
  fputs(word, listing->stream);
}

char *listing_end(struct listing *listing) {
  if (!listing->stream) return NULL;
  bool failed = ferror(listing->stream) != 0;
  if (fclose(listing->stream) == 0 && !failed) return listing->text;
  free(listing->text);
  return NULL;
}

char *listing_join(const char *const *words, size_t count, const char *last) {
  struct listing listing;
  listing_begin(&listing);
  for (size_t i = 0; i < count; i++)
    listing_add(&listing, i == 0 ? "" : i + 1 == count ? last : ", ", words[i]);
  return listing_end(&listing);
}

/* ---------------------------------------------------------------- suggestions */

/*
 * The distance between two words is the number of letters to insert, delete, replace or swap with
 * a neighbour (optimal string alignment: Damerau 1964), whatever their case.  Up to about one slip
 * in three letters is taken for a typing error.
 */

#define LONGEST 64

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static bool is_same_letter(char a, char b) {
  return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t edit_distance(const char *a, const char *b) {
  size_t rows[3][LONGEST + 1]; /* of the table, by letters of a: this one and the two before */
  size_t b_length = strlen(b);
  for (size_t j = 0; j <= b_length; j++)
    rows[0][j] = j;
  for (size_t i = 1; a[i - 1]; i++) {
    size_t *row = rows[i % 3];
    const size_t *before = rows[(i - 1) % 3], *two_before = rows[(i + 1) % 3];
    row[0] = i;
    for (size_t j = 1; j <= b_length; j++) {
      row[j] = smaller(smaller(before[j], row[j - 1]) + 1,
                       before[j - 1] + !is_same_letter(a[i - 1], b[j - 1]));
      if (i > 1 && j > 1 && is_same_letter(a[i - 1], b[j - 2]) &&
          is_same_letter(a[i - 2], b[j - 1]))
        row[j] = smaller(row[j], two_before[j - 2] + 1);
    }
  }
  return rows[strlen(a) % 3][b_length];
}

struct suggestion suggestion_for(const char *word) {
  return (struct suggestion){.word = word, .distance = 2 + strlen(word) / 4};
}

void suggestion_offer(struct suggestion *suggestion, const char *candidate) {
  if (strlen(suggestion->word) > LONGEST || strlen(candidate) > LONGEST) return;
  size_t found = edit_distance(suggestion->word, candidate);
  if (found >= suggestion->distance || found >= strlen(candidate)) return;
  suggestion->nearest = candidate;
  suggestion->distance = found;
}

/* ---------------------------------------------------------------- lists of choices */

struct choice {
  const char *name;
  size_t rank, place;
};

enum { SHORTEST_PREFIX = 3, RANK_CONTAINED = LONGEST + 1, RANK_OTHER = 3 * LONGEST };

static size_t common_prefix(const char *a, const char *b) {
  size_t length = 0;
  while (a[length] && is_same_letter(a[length], b[length]))
    length++;
  return length;
}

/*
 * Ranks possible typing errors first, by distance; then names that contain the word, names that
 * begin like it (the longest common prefix first), and all others.
 */
static size_t rank_of(const char *word, const char *name) {
  struct suggestion suggestion = suggestion_for(word);
  suggestion_offer(&suggestion, name);
  if (suggestion.nearest) return suggestion.distance;
  if (*word && strstr(name, word)) return RANK_CONTAINED;
  size_t prefix = smaller(common_prefix(word, name), LONGEST);
  return prefix < SHORTEST_PREFIX ? RANK_OTHER : RANK_OTHER - prefix;
}

static int nearest_first(const void *left, const void *right) {
  const struct choice *a = left, *b = right;
  if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
  return a->place < b->place ? -1 : a->place > b->place;
}

static struct choice *rank_choices(const char *word, const char *const *names, size_t count) {
  struct choice *choices = calloc(count + 1, sizeof *choices);
  for (size_t i = 0; i < count && choices; i++)
    choices[i] = (struct choice){names[i], rank_of(word, names[i]), i};
  if (choices) qsort(choices, count, sizeof *choices, nearest_first);
  return choices;
}

/* "a, b, c", to be released with free(); NULL when memory is short. */
static char *join_choices(const struct choice *choices, size_t count) {
  struct listing listing;
  listing_begin(&listing);
  for (size_t i = 0; i < count; i++)
    listing_add(&listing, i > 0 ? ", " : "", choices[i].name);
  return listing_end(&listing);
}

/* The message begins with "DASHES SUBJECT MIDDLE 'word'". */
struct intro {
  const char *dashes, *subject, *middle;
};

static int refuse_word(const struct intro *intro, const char *word, const char *const *names,
                       size_t count) {
  struct choice *choices = rank_choices(word, names, count);
  char *list = choices ? join_choices(choices, count) : NULL;
  int code;
  if (!list) code = message_memory();
  else if (count > 0 && choices[0].rank < LONGEST)
    code = message_usage("%s%s%s '%.40s'; did you mean '%s'? Use one of %s", intro->dashes,
                         intro->subject, intro->middle, word, choices[0].name, list);
  else
    code = message_usage("%s%s%s '%.40s'; use one of %s", intro->dashes, intro->subject,
                         intro->middle, word, list);
  free(choices);
  free(list);
  return code;
}

int suggest_value(const char *option, const char *word, const char *const *names,
                  size_t count) {
  return refuse_word(&(struct intro){"--", option, ": unknown value"}, word, names, count);
}

int suggest_operand(const char *noun, const char *word, const char *const *names,
                    size_t count) {
  return refuse_word(&(struct intro){"unknown ", noun, ""}, word, names, count);
}
