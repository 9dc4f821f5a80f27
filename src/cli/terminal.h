/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What standard output supports. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <neap/neap-io.h>

#include "cli/arguments.h"

/*
 * How to draw on standard output.  The size is that of the options, or else of the terminal, or
 * else 80 by 24.  There are colours on a terminal, unless NO_COLOR is set, and box characters if
 * the locale uses UTF-8.
 */
neap_text_style terminal_style(const struct arguments *arguments);

/* Whether standard output is a terminal. */
bool terminal_is_one(void);

#endif
