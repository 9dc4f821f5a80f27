/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of files before a command reads and writes them. */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include <neap/neap-io.h>

/*
 * Rejects outputs that could not be written later, before any work is done: the input itself, one
 * file for two outputs, a folder, or a file in a missing or read-only folder.  Input and outputs
 * may be NULL; "-" is standard input or output.  Returns 0, or the exit code of the message it
 * has printed.
 */
int files_check(const char *input, const char *const *outputs, size_t count);

/*
 * Finds the format to write `path` in: *format, or if that is NEAP_FORMAT_AUTO, the one of its
 * extension; CSV for "-".  outputs_check has rejected extensions that the option cannot write;
 * devices and pipes may still have none.  Returns 0, or the exit code of the message it has
 * printed.
 */
int files_format(const char *path, neap_format *format);

/* Describes a format other than NEAP_FORMAT_AUTO. */
neap_format_info files_format_info(neap_format format);

/*
 * Makes it possible to read `path` twice, with files_rewind in between: standard input is copied
 * to an unnamed file.  Returns 0, or the exit code of the message it has printed.
 */
int files_keep(const char *path);
void files_rewind(const char *path);

/* The name of a file without its folders. */
const char *files_last_part(const char *path);

/* Whether the path is "-". */
bool files_is_standard(const char *path);

/* Whether the path has this ending, in either case. */
bool files_ends_in(const char *path, const char *ending);

/* Checks that pictures can be drawn to the files that are not NULL, by their extensions. */
int files_check_pictures(const char *const *paths, size_t count);

#endif
