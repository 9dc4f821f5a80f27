/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an option accepts, in words. */
#ifndef CLI_OPTIONS_REMARKS_H
#define CLI_OPTIONS_REMARKS_H

#include "cli/options/options.h"

#define OPTION_REMARK_SIZE 256

/* The range, choices and default of an option: "1 to 100, default 10", or "".  Returns `text`. */
const char *option_remark(const struct option_view *view, char text[OPTION_REMARK_SIZE]);

#endif
