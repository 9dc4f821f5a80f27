/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which files each option can write. */
#ifndef CLI_OPTIONS_OUTPUTS_H
#define CLI_OPTIONS_OUTPUTS_H

#include "cli/options/options.h"

/* What an option of this kind writes: a sum of neap_content, 0 if it writes no file. */
unsigned outputs_contents(enum option_kind kind);

/* The file that an option asks to write; NULL if it is not given, or does not write a file. */
const char *outputs_path(const struct option_row *row, const struct arguments *arguments);

/*
 * The endings of the files that an option of this kind writes or reads, the default first: ".svg".
 * NULL past the last, and for options that take no file.
 */
const char *outputs_ending_at(enum option_kind kind, size_t index);

/* Whether the path has one of these endings. */
bool outputs_takes_ending(enum option_kind kind, const char *path);

/*
 * Refuses files that an option would write in another format than their endings promise.  "-",
 * devices and pipes are accepted, and so is any name with --format.  Returns 0, or the exit code
 * of the message it has printed.
 */
int outputs_check(const struct option_view *views, size_t count,
                  const struct arguments *arguments);

#endif
