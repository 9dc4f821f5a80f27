/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a whole file into memory. */
#ifndef CORE_INPUT_H
#define CORE_INPUT_H

#include "neap/neap.h"

/*
 * *text is terminated by a NUL that *size does not count; released with free().  "-" is
 * standard input.
 */
neap_status input_read(const char *path, char **text, size_t *size, neap_error *error);

#endif
