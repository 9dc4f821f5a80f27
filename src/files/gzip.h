/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text that is compressed with gzip and written in base64, as in the blocks of large pages. */
#ifndef FILES_GZIP_H
#define FILES_GZIP_H

#include <stdio.h>

#include "neap/neap.h"

/* A stream that writes through to `out`, which it does not close.  NULL when memory is short. */
FILE *gzip_stream(FILE *out);

/*
 * Unpacks a compressed text, with blanks around it, into new memory, NUL-terminated.
 * NEAP_ERROR_INPUT: the text is damaged or too large.
 */
neap_status gzip_unpack(const char *packed, size_t length, char **text, size_t *size,
                        neap_error *error);

#endif
