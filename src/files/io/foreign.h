/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of other programs, which neap cannot read. */
#ifndef FILES_IO_FOREIGN_H
#define FILES_IO_FOREIGN_H

#include "neap/neap.h"

/* NEAP_ERROR_INPUT: another program's file, recognised by `text` or by the ending of `path`. */
neap_status foreign_check(const char *path, const char *text, size_t size, neap_error *error);

#endif
