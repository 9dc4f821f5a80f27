/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words are compared by how many letters must be put in, left out, replaced or swapped with
 * their neighbour to turn one into the other (optimal string alignment: Damerau 1964).  About
 * one slip in three letters is taken for a slip of the finger.
 */
#include "cli/suggest.h"

#include <string.h>

#define LONGEST 32

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

static size_t distance(const char *a, const char *b) {
  size_t rows[3][LONGEST + 1]; /* of the table, by letters of a: this one and the two before */
  size_t b_length = strlen(b);
  for (size_t j = 0; j <= b_length; j++)
    rows[0][j] = j;
  for (size_t i = 1; a[i - 1]; i++) {
    size_t *row = rows[i % 3];
    const size_t *before = rows[(i - 1) % 3], *two_before = rows[(i + 1) % 3];
    row[0] = i;
    for (size_t j = 1; j <= b_length; j++) {
      row[j] =
          smaller(smaller(before[j], row[j - 1]) + 1, before[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
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
  size_t found = distance(suggestion->word, candidate);
  if (found >= suggestion->distance || found >= strlen(candidate)) return;
  suggestion->nearest = candidate;
  suggestion->distance = found;
}
