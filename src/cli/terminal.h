/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What standard output can show. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <neap/neap.h>

#include "cli/arguments.h"

/*
 * How to draw on standard output: as large as the options say, or else the terminal, or else
 * 80 by 24; with colours on a terminal, unless NO_COLOR is set; in UTF-8 where the locale is.
 */
neap_text_style terminal_style(const struct arguments *arguments);

/* Whether standard output is a terminal. */
bool terminal_is_one(void);

#endif
