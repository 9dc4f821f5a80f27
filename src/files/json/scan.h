/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds places in the text of JSON without parsing it.  The text need not be valid JSON; the
 * parser checks that.  A position equal to the size is the end of the text.
 */
#ifndef FILES_JSON_SCAN_H
#define FILES_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "neap/neap.h"

/* Sets line and column, in bytes, of a place in a text. */
void scan_locate(const char *text, size_t place, neap_error *error);

/* The position after blanks. */
size_t scan_blank(const char *text, size_t size, size_t at);

/* The position after the string whose opening quote is at `at`. */
size_t scan_string(const char *text, size_t size, size_t at);

/*
 * The position of the next comma outside all brackets that open from `at` on, or of the bracket
 * that closes the list around `at`; `size` if there is neither.
 */
size_t scan_element(const char *text, size_t size, size_t at);

/*
 * Finds the value of a member, whose key is written without escapes, of the object at `at`;
 * false if there is none.
 */
bool scan_member(const char *text, size_t size, size_t at, const char *key, size_t *place);

/* Finds an element of the array at `at`; false if there is none. */
bool scan_index(const char *text, size_t size, size_t at, size_t index, size_t *place);

#endif
