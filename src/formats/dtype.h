/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types of elements by the names that frameworks give them, and what tensors of them take. */
#ifndef FORMATS_DTYPE_H
#define FORMATS_DTYPE_H

#include "neap/neap.h"

/*
 * The bits of an element: of i8, u4, f16, bf16, c64, bool, and of names such as float32, uint8,
 * half, long.  0 where there is no such type.
 */
int64_t dtype_bits(const char *name);

/*
 * Elements narrower than a byte lie side by side; the last byte may be filled in part.  False
 * where the bits are more than NEAP_MAX.
 */
bool dtype_bytes(int64_t elements, int64_t bits, neap_size *bytes);

#endif
