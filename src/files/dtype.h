/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Element types by the names that frameworks use, and the bytes of tensors of them. */
#ifndef FILES_DTYPE_H
#define FILES_DTYPE_H

#include "neap/neap.h"

/*
 * The number of bits in an element of a type such as i8, u4, f16, bf16, c64, bool, float32,
 * uint8, `half` or `long`; 0 if there is no such type.
 */
int64_t dtype_bits(const char *name);

/*
 * The natural alignment of an element in bytes: the largest power of two that divides its size, 8
 * at most; 1 for elements narrower than a byte.
 */
neap_size dtype_alignment(int64_t bits);

/*
 * Packs elements narrower than a byte; the last byte may be partly filled.  False if there are more
 * bits than NEAP_MAX.
 */
bool dtype_bytes(int64_t elements, int64_t bits, neap_size *bytes);

#endif
