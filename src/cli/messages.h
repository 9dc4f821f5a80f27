/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the program says on standard error.  Every message is one line that begins with "neap:
 * "; control characters, say of a file's name, are shown as '?'.
 */
#ifndef CLI_MESSAGES_H
#define CLI_MESSAGES_H

#include <neap/neap.h>

enum messages_level { MESSAGES_QUIET = -1, MESSAGES_NORMAL, MESSAGES_VERBOSE };

/* Call once at the start, and with another level once it is known. */
void messages_init(enum messages_level level);

enum messages_level messages_level(void);

/* Errors are always shown; each function returns the exit code that goes with it. */

/* neap: SOURCE:LINE:COLUMN: TEXT */
int message_error(const neap_error *error);

/* neap: PATH: WHAT: and errno's text. */
int message_system(const char *path, const char *what);

int message_memory(void);

/* neap: TEXT, which says what was expected. */
__attribute__((format(printf, 1, 2))) int message_usage(const char *format, ...);

/* Shown unless quiet. */
__attribute__((format(printf, 1, 2))) void message_warning(const char *format, ...);

/* Shown if verbose. */
__attribute__((format(printf, 1, 2))) void message_detail(const char *format, ...);

/*
 * Says that a file is written, if verbose, or what came in the way.  Returns 0, or the exit
 * code.
 */
int message_written(const char *path, neap_status status, const neap_error *error);

/*
 * Whether there is a terminal, and nobody asked for quiet, so that a status line makes sense.
 */
bool messages_want_status(void);

/* Shows a line that the next message or status takes the place of; "" only removes it. */
void message_status(const char *text);

#endif
