/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How commands draw plans. */
#ifndef CLI_DRAWINGS_H
#define CLI_DRAWINGS_H

#include <neap/neap.h>
#include <stddef.h>

#include "cli/arguments.h"

/* The row of --colour-by. */
#define DRAWINGS_OPTION(what)                                                              \
  {                                                                                        \
    "colour-by", '\0', OPTION_COLOURING, offsetof(struct arguments, colour_by), "WHAT", 0, \
        false, "what the colours of " what " stand for"                                    \
  }

/* The drawing of what was read from `path`, as the options want it. */
neap_drawing drawings_of(const struct arguments *arguments, const char *path);

#endif
