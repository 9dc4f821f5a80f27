/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text that grows line by line, and its checksum. */
#ifndef CERTIFY_TEXT_H
#define CERTIFY_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Initialise with zeroes.  Once memory is short, `failed` is set and nothing more is added. */
struct lines {
  char *text; /* ends in NUL; NULL while empty */
  size_t length, capacity;
  size_t count; /* lines that have ended */
  bool failed;
};

void lines_clear(struct lines *lines);

/* Adds a text without line breaks, after a space unless the line is empty. */
void lines_word(struct lines *lines, const char *word);

/* Adds a number like a word. */
void lines_number(struct lines *lines, int64_t number);

/* Adds a number, or "-" if it is `none`. */
void lines_optional(struct lines *lines, int64_t number, int64_t none);

/* Adds numbers like words, or "-" if there are none. */
void lines_list(struct lines *lines, const size_t *items, size_t count);

/* Adds a set like a word: a hexadecimal number whose bit k is bit k of the set. */
void lines_set(struct lines *lines, const uint64_t *set, size_t words);

/* Adds a checksum like a word. */
void lines_sum(struct lines *lines, uint32_t sum);

/* Adds a text as a JSON string, like a word. */
void lines_string(struct lines *lines, const char *text);

void lines_end(struct lines *lines);

/* Adds all lines of another text. */
void lines_append(struct lines *lines, const struct lines *other);

/* Removes everything after the first `length` bytes and `count` lines. */
void lines_cut(struct lines *lines, size_t length, size_t count);

/* CRC-32 of the text, as in zlib (polynomial 0xedb88320). */
uint32_t lines_checksum(const struct lines *lines);

#endif
