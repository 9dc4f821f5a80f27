/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copies structs whose first member is `size_t struct_size` from a program and to it.  The program
 * may have been compiled with another version of the headers, in which the struct has fewer members
 * at its end, or more (doc/abi.md).
 *
 *     neap_pool own = NEAP_POOL_INIT;
 *     neap_status status = SIZED_READ(neap_pool, own, pool, error);
 */
#ifndef CORE_SIZED_H
#define CORE_SIZED_H

#include "neap/neap.h"

/*
 * Sets the members that the program's struct has; the others keep their values.
 * NEAP_ERROR_ARGUMENT: struct_size is invalid, or a member that this version does not know is set.
 */
#define SIZED_READ(type, own, from, error) sized_read(&(own), sizeof(type), from, #type, error)
neap_status sized_read(void *own, size_t size, const void *from, const char *name,
                       neap_error *error);

/*
 * Sets the members that the program's struct has, and clears those that this version does not know;
 * false, and nothing is set, if struct_size is invalid.
 */
#define SIZED_FILL(to, own) sized_fill(to, &(own), sizeof(own))
bool sized_fill(void *to, const void *own, size_t size);

/* NEAP_ERROR_ARGUMENT: the reserved members of a struct without struct_size are not 0. */
neap_status sized_check_reserved(const size_t *reserved, size_t count, const char *name,
                                 neap_error *error);

#define SIZED_CHECK_RESERVED(reserved, name, error) \
  sized_check_reserved(reserved, sizeof(reserved) / sizeof *(reserved), name, error)

/* The error of a struct that cannot be filled. */
neap_status sized_refuse(const void *to, const char *name, neap_error *error);

#endif
