/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocation of arrays: sizes checked, failure is always NULL or false, never an abort. */
#ifndef CORE_MEMORY_H
#define CORE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/*
 * A zeroed array; of one byte at least, so that NULL always means failure.  Released with
 * free().
 */
void *memory_array(size_t count, size_t element_size);

/*
 * Makes room for `needed` elements in the array at *array (NULL at first), at least doubling
 * *capacity when it must grow.  `array` is a pointer to the pointer.  On failure nothing
 * changes.
 */
bool memory_reserve(void *array, size_t *capacity, size_t needed, size_t element_size);

/* A copy of the first `length` bytes of text, terminated. */
char *memory_text(const char *text, size_t length);

#endif
