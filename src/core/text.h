/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts from outside: checking them, and showing them in messages. */
#ifndef CORE_TEXT_H
#define CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The length of the valid UTF-8 that text begins with: `length` when all of it is.  Overlong
 * forms, surrogates and values over U+10FFFF are invalid (RFC 3629).
 */
size_t text_utf8_prefix(const char *text, size_t length);

/* Enough for any excerpt. */
#define TEXT_EXCERPT 64

/*
 * Writes into `excerpt` as much of the text as a message should show: quoted, unprintable bytes
 * as \xNN, cut with "..." where it is long.  Returns `excerpt`.
 */
const char *text_excerpt(char excerpt[TEXT_EXCERPT], const char *text, size_t length);

/* Why a number was not read. */
enum text_number {
  TEXT_NUMBER_OK,
  TEXT_NUMBER_EMPTY,
  TEXT_NUMBER_SIGN,     /* begins with + or - */
  TEXT_NUMBER_FRACTION, /* digits, then a point */
  TEXT_NUMBER_RUBBISH,  /* anything else that is not a digit */
  TEXT_NUMBER_LARGE     /* over 2^63 - 1 */
};

/* Reads all of the text as a decimal number in 0 .. 2^63 - 1: digits only. */
enum text_number text_number(const char *text, size_t length, int64_t *number);

/* "has a sign" and so on: to follow what was found.  "" for TEXT_NUMBER_OK. */
const char *text_number_problem(enum text_number result);

/* Enough for any byte count. */
#define TEXT_BYTES 32

/*
 * "1.50 MiB", "512 B": bytes (>= 0) in the largest binary unit that leaves at least 1, rounded
 * to two places.  Returns `text`.
 */
const char *text_bytes(char text[TEXT_BYTES], int64_t bytes);

#endif
