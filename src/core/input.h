/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a whole file into memory. */
#ifndef CORE_INPUT_H
#define CORE_INPUT_H

#include "neap/neap.h"

/*
 * Reads the file at `path`, or standard input if that is "-".  *text ends in a NUL that *size does
 * not count; release it with free().  NEAP_ERROR_INPUT: more than 2 GiB, unless it is a regular
 * file with NUL bytes at its beginning, such as a model.
 */
neap_status input_read(const char *path, char **text, size_t *size, neap_error *error);

#endif
