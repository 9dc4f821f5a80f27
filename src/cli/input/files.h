/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of files before a command reads and writes them. */
#ifndef CLI_INPUT_FILES_H
#define CLI_INPUT_FILES_H

#include <neap/neap-io.h>

/*
 * Rejects outputs that could not be written later, before any work is done: the input itself, one
 * file for two outputs, a folder, or a file in a missing or read-only folder.  Input and outputs
 * may be NULL; "-" is standard input or output.  Returns 0, or the exit code of the message it
 * has printed.
 */
int files_check(const char *input, const char *const *outputs, size_t count);

/*
 * Finds the format in which to write `contents`, a sum of neap_content, to `path`: *format unless
 * that is NULL, or the one of the extension, or for "-" the first that writes them.
 * outputs_check has rejected extensions that the option cannot write; devices and pipes may still
 * have none.  Checks that the format can be written.  Returns 0, or the exit code of the message
 * it has printed.
 */
int files_format(const char *path, unsigned contents, const char **format);

/* Describes a format. */
neap_format_info files_format_info(const char *format);

/* Whether the extension is of a format that is read and can hold one of the contents. */
bool files_hold(const char *path, unsigned contents);

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

#endif
