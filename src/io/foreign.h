/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognises files of other programs that neap cannot read, to say what they are and what to do. */
#ifndef IO_FOREIGN_H
#define IO_FOREIGN_H

#include "neap/neap.h"

/* NEAP_ERROR_INPUT: it is such a file.  `path` is for its ending. */
neap_status foreign_check(const char *path, const char *text, size_t size, neap_error *error);

#endif
