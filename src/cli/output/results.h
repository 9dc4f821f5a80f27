/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How commands print and draw their results, and what standard output supports. */
#ifndef CLI_OUTPUT_RESULTS_H
#define CLI_OUTPUT_RESULTS_H

#include <neap/neap-io.h>

#include "cli/options/arguments.h"

/* How to write or draw what was read from `path`. */
neap_writing results_writing(const struct arguments *arguments, const char *path);

/* Checks --csv, --json and --svg.  Returns 0, or the exit code of the message it has printed. */
int results_check(const struct arguments *arguments);

/* Whether --svg, --html or a model takes standard output, which then has no room for a table. */
bool results_take_output(const struct arguments *arguments);

/* Refuses --json if one does.  Returns 0, or the exit code of the message it has printed. */
int results_check_json(const struct arguments *arguments);

/*
 * Writes a plan to a file whose format is one of `contents`, a sum of neap_content.  Returns 0,
 * or the exit code of the message it has printed.
 */
int results_write_plan(const neap_plan *plan, const char *path, unsigned contents,
                       neap_writing *writing);

/* Writes the header that --header wants, if any. */
int results_write_header(const struct arguments *arguments, const neap_plan *plan);

/*
 * How to draw on standard output.  The size is that of the options, or else of the terminal, or
 * else 80 by 24.  There are colours on a terminal, unless NO_COLOR is set, and box characters if
 * the locale uses UTF-8.
 */
neap_text_style terminal_style(const struct arguments *arguments);

/* Whether standard output is a terminal. */
bool terminal_is_one(void);

#endif
