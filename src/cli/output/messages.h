/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages on standard error, and exit codes.  Every message is one line that begins with
 * "neap: "; control characters, for example in a file's name, are shown as \xNN.
 */
#ifndef CLI_OUTPUT_MESSAGES_H
#define CLI_OUTPUT_MESSAGES_H

#include <neap/neap.h>

enum messages_level { MESSAGES_QUIET = -1, MESSAGES_NORMAL, MESSAGES_VERBOSE };

/* Call this at the start, and again when the level is known. */
void messages_init(enum messages_level level);

/* Sets a function that rewords messages of the library in place; these must not get longer. */
typedef void messages_reworder(char *text);
void messages_reword_with(messages_reworder *function);

/* Errors are always shown; each function returns the matching exit code. */

/* neap: SOURCE:LINE:COLUMN: TEXT; nothing if a signal ended a wait, see run_exit_code. */
int message_error(const neap_error *error);

/* neap: PATH: WHAT: ERRNO'S TEXT */
int message_system(const char *path, const char *what);

/* neap: --OPTION: TEXT, for an error of neap_options_set. */
int message_option(const char *option, const neap_error *error);

int message_memory(void);

/* neap: TEXT */
__attribute__((format(printf, 1, 2))) int message_usage(const char *format, ...);

/* Shown unless quiet. */
__attribute__((format(printf, 1, 2))) void message_warning(const char *format, ...);

/* The same for what a reader warns of, with its place. */
void message_warning_at(const neap_error *warning);

/* Shown if verbose. */
__attribute__((format(printf, 1, 2))) void message_detail(const char *format, ...);

/* Reports that a file was written, if verbose, or the error.  Returns 0, or the exit code. */
int message_written(const char *path, neap_status status, const neap_error *error);

/* Whether to show a status line: standard error is a terminal and --quiet is not given. */
bool messages_want_status(void);

/* Shows a line until the next message or status replaces it; "" only removes it. */
void message_status(const char *text);

/* The exit codes of the program. */
enum exits {
  EXIT_DONE = 0,
  EXIT_SYSTEM = 1,
  EXIT_USAGE = 2,
  EXIT_INPUT = 3,
  EXIT_INFEASIBLE = 4,
  EXIT_NO_PLAN = 5,
  EXIT_UNSOUND = 70,
  EXIT_INTERRUPTED = 130, /* 128 + SIGINT */
  EXIT_TERMINATED = 143   /* 128 + SIGTERM, as shells report it */
};

struct exit_meaning {
  int code;
  const char *meaning;
};

/* Every exit code, ascending; NULL past the last. */
const struct exit_meaning *exit_meaning_at(size_t index);

#endif
