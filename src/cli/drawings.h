/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How commands draw plans. */
#ifndef CLI_DRAWINGS_H
#define CLI_DRAWINGS_H

#include <neap/neap-io.h>

#include "cli/arguments.h"

/* How to draw what was read from `path`. */
neap_writing drawings_of(const struct arguments *arguments, const char *path);

#endif
