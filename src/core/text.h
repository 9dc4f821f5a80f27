/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks untrusted text, and shows it in messages. */
#ifndef CORE_TEXT_H
#define CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The element of a table of texts, or `other` if the table ends before. */
#define TEXT_OF(table, index, other) \
  ((size_t)(index) < sizeof(table) / sizeof *(table) ? (table)[index] : (other))

/*
 * The length of the longest prefix that is valid UTF-8: `length` if all of it is.  Overlong
 * forms, surrogates and values above U+10FFFF are invalid (RFC 3629).
 */
size_t text_utf8_prefix(const char *text, size_t length);

/* neap_text_next (neap-tool.h) of a text of `length` > 0 bytes. */
size_t text_next(const char *text, size_t length, uint32_t *code);

/* The size of an excerpt. */
#define TEXT_EXCERPT 64

/*
 * Writes a text into `excerpt` as messages show it: in quotes, with unsafe bytes escaped as \xNN,
 * and cut with "..." if it is long.  Returns `excerpt`.
 */
const char *text_excerpt(char excerpt[TEXT_EXCERPT], const char *text, size_t length);

/* The result of parsing a number. */
enum text_number {
  TEXT_NUMBER_OK,
  TEXT_NUMBER_EMPTY,
  TEXT_NUMBER_SIGN,     /* begins with + or - */
  TEXT_NUMBER_FRACTION, /* digits, then a decimal point */
  TEXT_NUMBER_RUBBISH,  /* anything else that is not a digit */
  TEXT_NUMBER_LARGE     /* above 2^63 - 1 */
};

/* Parses all of the text as a decimal number in 0 .. 2^63 - 1, of digits only. */
enum text_number text_number(const char *text, size_t length, int64_t *number);

/* What is wrong with the number, such as "has a sign"; "" for TEXT_NUMBER_OK. */
const char *text_number_problem(enum text_number result);

/* The size of any byte count. */
#define TEXT_BYTES 32

/*
 * Writes bytes (>= 0) as "512 B" or "1.50 MiB": in the largest binary unit that they reach,
 * rounded to two places.  Returns `text`.
 */
const char *text_bytes(char text[TEXT_BYTES], int64_t bytes);

/* The size of any number. */
#define TEXT_DECIMAL 24

/* Writes a number as "1048576".  Returns the length. */
size_t text_decimal(char text[TEXT_DECIMAL], uint64_t number);

/* The size of any number with commas. */
#define TEXT_GROUPED 32

/* Writes a number as "1,048,576".  Returns `text`. */
const char *text_grouped(char text[TEXT_GROUPED], uint64_t number);

#endif
