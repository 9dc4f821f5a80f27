/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that a command reads and writes, looked at before it does. */
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include <neap/neap.h>

/*
 * Refuses, before any work is done, what could only fail after it: outputs that are the input
 * or each other, a folder, or in a folder that is not there or may not be written to.  Input
 * and outputs may be NULL; "-" stands for standard input and output. Returns 0, or the exit
 * code of the message it has printed.
 */
int files_check(const char *input, const char *const *outputs, size_t count);

/*
 * The format that `path` is written in: *format, unless that is NEAP_FORMAT_AUTO, or else the
 * one that its ending names, "-" being CSV.  With `plan` it must be able to say plans.  Returns
 * 0, or the exit code of the message it has printed.
 */
int files_format(const char *path, bool plan, neap_format *format);

/* What is known of a format that is not NEAP_FORMAT_AUTO. */
const neap_format_info *files_format_info(neap_format format);

/*
 * Makes it possible to read `path` twice, with files_rewind between: what standard input gives
 * is kept in an unnamed file.  Returns 0, or the exit code of the message it has printed.
 */
int files_keep(const char *path);
void files_rewind(const char *path);

/* Whether the path is "-". */
/* The name of a file without its folders. */
const char *files_last_part(const char *path);

bool files_is_standard(const char *path);

/* Whatever the case of letters. */
bool files_ends_in(const char *path, const char *ending);

/* Checks that pictures can be drawn into the files that are not NULL, as their endings say. */
int files_check_pictures(const char *const *paths, size_t count);

#endif
