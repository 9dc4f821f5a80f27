/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of sets of rectangles with one bit per rectangle, and walks over them. */
#ifndef SEARCH_RECTANGLE_SETS_H
#define SEARCH_RECTANGLE_SETS_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/checks.h"

/* Each set is a row of words; only those from `first` to before `end` are kept, from `begin` on. */
struct rectangle_sets {
  uint64_t *words;
  void *arrays;          /* the block of the next three */
  size_t *begin;         /* per row */
  uint32_t *first, *end; /* per row */
  size_t rows, row_words;
};

/*
 * Makes `rows` empty sets for rectangles 0 to count - 1.  Call rectangle_sets_widen for
 * everything that they will hold, then rectangle_sets_open, which allocates the words, then
 * rectangle_sets_add.  False when memory is short.
 */
bool rectangle_sets_init(struct rectangle_sets *sets, size_t rows, size_t count);
void rectangle_sets_clear(struct rectangle_sets *sets);

/* Whether rows have several words; otherwise rectangle_sets_widen is not needed. */
static inline bool rectangle_sets_are_wide(const struct rectangle_sets *sets) {
  return sets->row_words > 1;
}

/* Announces a rectangle that a row will hold. */
static inline void rectangle_sets_widen(struct rectangle_sets *sets, size_t row,
                                        uint32_t item) {
  assert(row < sets->rows && item >> 6 < sets->row_words && !sets->words);
  uint32_t word = item >> 6;
  if (sets->end[row] == 0 || word < sets->first[row]) sets->first[row] = word;
  if (word >= sets->end[row]) sets->end[row] = word + 1;
}

/* Announces all rectangles that a row of another table holds or will hold. */
void rectangle_sets_widen_to(struct rectangle_sets *sets, size_t row,
                             const struct rectangle_sets *others, size_t other);

/* The number of words that rows need. */
size_t rectangle_sets_size(const struct rectangle_sets *sets);

/* Allocates the words, all zero; false when memory is short. */
bool rectangle_sets_open(struct rectangle_sets *sets);

/* The word of a rectangle that the row can hold. */
static inline uint64_t *rectangle_sets_word(const struct rectangle_sets *sets, size_t row,
                                            uint32_t item) {
  assert_slowly(row < sets->rows);
  assert_slowly(sets->first[row] <= item >> 6 && item >> 6 < sets->end[row]);
  return &sets->words[sets->begin[row] + (item >> 6) - sets->first[row]];
}

/* Adds a rectangle. */
static inline void rectangle_sets_add(struct rectangle_sets *sets, size_t row, uint32_t item) {
  *rectangle_sets_word(sets, row, item) |= UINT64_C(1) << (item & 63);
}

/* Removes a rectangle. */
static inline void rectangle_sets_remove(struct rectangle_sets *sets, size_t row,
                                         uint32_t item) {
  if (item >> 6 < sets->first[row] || item >> 6 >= sets->end[row]) return;
  *rectangle_sets_word(sets, row, item) &= ~(UINT64_C(1) << (item & 63));
}

/* A row, for repeated membership tests. */
struct rectangle_row {
  const uint64_t *words;
  uint32_t first, count;
};

static inline struct rectangle_row rectangle_sets_row(const struct rectangle_sets *sets,
                                                      size_t row) {
  assert(row < sets->rows);
  return (struct rectangle_row){sets->words + sets->begin[row], sets->first[row],
                                sets->end[row] - sets->first[row]};
}

/* Whether a row holds a rectangle. */
static inline bool rectangle_row_has(struct rectangle_row row, uint32_t item) {
  uint32_t word = (item >> 6) - row.first; /* wraps to a large number below the first word */
  return word < row.count && (row.words[word] >> (item & 63) & 1);
}

static inline bool rectangle_sets_has(const struct rectangle_sets *sets, size_t row,
                                      uint32_t item) {
  return rectangle_row_has(rectangle_sets_row(sets, row), item);
}

/* Adds all members of a row of another table. */
static inline void rectangle_sets_join(struct rectangle_sets *sets, size_t row,
                                       const struct rectangle_sets *others, size_t other) {
  assert_slowly(row < sets->rows && other < others->rows);
  assert_slowly(sets->row_words == others->row_words);
  if (others->end[other] == 0) return;
  uint64_t *to = rectangle_sets_word(sets, row, others->first[other] << 6);
  const uint64_t *from = others->words + others->begin[other];
  for (uint32_t word = 0; word < others->end[other] - others->first[other]; word++)
    to[word] |= from[word];
}

/* A walk over the members of a row that are also in another set, the mask. */
struct rectangle_walk {
  const uint64_t *row, *mask; /* from the row's first kept word on */
  uint64_t bits;              /* of the current word, not yet visited */
  uint32_t next, end;         /* word indices, counted from the first kept word */
  uint32_t first;             /* the rectangle of bit 0 of the current word */
};

static inline struct rectangle_walk rectangle_walk(const struct rectangle_sets *sets,
                                                   size_t row, const uint64_t *mask) {
  return (struct rectangle_walk){.row = sets->words + sets->begin[row],
                                 .mask = mask + sets->first[row],
                                 .first = (sets->first[row] << 6) - 64,
                                 .end = sets->end[row] - sets->first[row]};
}

/* Finds the next member, in ascending order; false when there is none. */
static inline bool rectangle_walk_next(struct rectangle_walk *walk, uint32_t *item) {
  while (walk->bits == 0) {
    if (walk->next == walk->end) return false;
    walk->bits = walk->row[walk->next] & walk->mask[walk->next];
    walk->next++;
    walk->first += 64;
  }
  *item = walk->first + (uint32_t)__builtin_ctzll(walk->bits);
  walk->bits &= walk->bits - 1;
  return true;
}

#endif
