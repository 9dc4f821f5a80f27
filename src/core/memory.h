/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates arrays.  Sizes are checked; on failure the result is NULL or false. */
#ifndef CORE_MEMORY_H
#define CORE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Allocates a zeroed array, of at least one byte, so that NULL always means failure.  Release it
 * with free().
 */
void *memory_array(size_t count, size_t element_size);

/* Like memory_array, but the contents are uninitialised. */
void *memory_scratch(size_t count, size_t element_size);

/*
 * Makes room for `needed` elements (> *capacity) in an array (NULL at first) by at least doubling
 * *capacity.  `array` is a pointer to the array's pointer.  On failure nothing changes.
 */
bool memory_grow(void *array, size_t *capacity, size_t needed, size_t element_size);

/* Like memory_grow, but does nothing if there already is enough room. */
static inline bool memory_reserve(void *array, size_t *capacity, size_t needed,
                                  size_t element_size) {
  return needed <= *capacity || memory_grow(array, capacity, needed, element_size);
}

/* One of several arrays that share a block of memory; `array` is a pointer to its pointer. */
struct memory_part {
  void *array;
  size_t count, element_size;
};

/*
 * Allocates zeroed arrays in one block, which is much faster for small ones, and points their
 * pointers there.  Returns the block, to be released with free(); NULL if memory runs out.
 */
void *memory_block(const struct memory_part *parts, size_t part_count);

/* Copies the first `length` bytes of text and appends a NUL; NULL if memory runs out. */
char *memory_text(const char *text, size_t length);

#endif
