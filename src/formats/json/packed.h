/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists of whole numbers as text: each number as a varint (LEB128: seven bits per byte, the lowest
 * first, the top bit set in all bytes but the last), and all of them in base64 with padding.
 */
#ifndef FORMATS_JSON_PACKED_H
#define FORMATS_JSON_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/row.h"

/* How many bytes the numbers take before base64. */
size_t packed_bytes(const uint64_t *numbers, size_t count);

/* Appends the list without quotes. */
void packed_append(const uint64_t *numbers, size_t count, struct row *row);

/* Appends a member of an object: "key": "the list". */
void packed_append_member(const char *key, const uint64_t *numbers, size_t count,
                          struct row *row);

/* Reads exactly `count` numbers; false if the text is anything else. */
bool packed_read(const char *text, size_t length, uint64_t *numbers, size_t count);

/* Signed numbers as unsigned ones, those near 0 being small: 0, -1, 1, -2 are 0, 1, 2, 3. */
uint64_t packed_fold(int64_t number);
int64_t packed_unfold(uint64_t folded);

#endif
