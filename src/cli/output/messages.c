/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/output/messages.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "neap-tool.h"

static messages_reworder *reword;

void messages_reword_with(messages_reworder *function) { reword = function; }

/* ---------------------------------------------------------------- exit codes */

/* The exit code of a status of the library. */
static int exit_of(neap_status status) {
  switch (status) {
  case NEAP_OK:
    return EXIT_DONE;
  case NEAP_ERROR_SYSTEM:
  case NEAP_ERROR_MEMORY:
    return EXIT_SYSTEM;
  case NEAP_ERROR_ARGUMENT:
    return EXIT_USAGE;
  case NEAP_ERROR_INPUT:
  case NEAP_ERROR_FORMAT:
    return EXIT_INPUT;
  case NEAP_INFEASIBLE:
    return EXIT_INFEASIBLE;
  case NEAP_NO_PLAN:
    return EXIT_NO_PLAN;
  case NEAP_ERROR_UNSOUND:
    return EXIT_UNSOUND;
  }
  return EXIT_UNSOUND; /* an unknown status is also a bug */
}

static const struct exit_meaning meanings[] = {
    {EXIT_DONE, "Success: a verified plan was found, or the checked plan is sound."},
    {EXIT_SYSTEM, "System error: a file cannot be read or written, or memory is exhausted."},
    {EXIT_USAGE, "The command line is invalid."},
    {EXIT_INPUT, "Bad input: a file is malformed, the checked plan is unsound, the output "
                 "format cannot represent the data, or runs of bench failed."},
    {EXIT_INFEASIBLE, "It is proven that no plan fits the capacity."},
    {EXIT_NO_PLAN,
     "The time or work limit was reached before a plan that fits the capacity, or a proof for "
     "--certificate, was found."},
    {EXIT_UNSOUND, "A plan failed verification: this is a bug in neap."},
    {EXIT_INTERRUPTED,
     "Ctrl-C stopped bench, compare or sweep before all runs were done, and the results so far "
     "have been written; or it stopped neap while an output waited for the reader of a pipe."},
    {EXIT_TERMINATED, "SIGTERM stopped neap; the best results so far have been written, unless "
                      "the output is a pipe without a reader."},
};

const struct exit_meaning *exit_meaning_at(size_t index) {
  return index < sizeof meanings / sizeof *meanings ? &meanings[index] : NULL;
}

/* ---------------------------------------------------------------- messages */

#define BOLD "\033[1m"
#define RED "\033[1;31m"
#define YELLOW "\033[1;33m"
#define PLAIN "\033[0m"
#define CLEAR_LINE "\r\033[K"

/* Room for an error's source with a line and a column. */
#define PLACE_SIZE 320

static struct {
  enum messages_level level;
  bool terminal, colour;
  bool has_status;
} state;

/* Whether standard error is a terminal that understands escape sequences. */
static bool is_terminal(void) {
  const char *term = getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && term && strcmp(term, "dumb") != 0;
}

/* See no-color.org. */
static bool wants_colour(void) {
  const char *no_color = getenv("NO_COLOR");
  return !no_color || !*no_color;
}

void messages_init(enum messages_level level) {
  state.level = level;
  state.terminal = is_terminal();
  state.colour = state.terminal && wants_colour();
}

/* Appends what may be shown of a text to a line, or prints it if there is no line. */
static char *append_shown(char *line, const char *text) {
  char shown[NEAP_TEXT_ESCAPED];
  while (*text) {
    neap_text_escape(shown, &text);
    if (line) line = stpcpy(line, shown);
    else fputs(shown, stderr);
  }
  return line;
}

static char *append_plain(char *line, const char *text) {
  if (!line) fputs(text, stderr);
  return line ? stpcpy(line, text) : NULL;
}

/*
 * One line in one write, so that lines of several processes do not mix; in pieces only when memory
 * is short.  `place` and `text` may contain any bytes from outside.
 */
static void print_line(const char *colour, const char *place, const char *text) {
  message_status("");
  bool coloured = state.colour && *colour;
  size_t most = strlen(colour) + strlen(PLAIN) + 4 * (strlen(place) + strlen(text)); /* \xNN */
  char *line = malloc(most + sizeof "neap: \n"), *end = line;
  end = append_plain(end, coloured ? colour : "");
  end = append_plain(end, "neap: ");
  end = append_shown(end, place);
  end = append_plain(end, coloured ? PLAIN : "");
  end = append_shown(end, text);
  append_plain(end, "\n");
  if (line) fputs(line, stderr);
  free(line);
}

/* When memory is short a long message is cut. */
__attribute__((format(printf, 3, 0))) static void print_formatted(const char *colour,
                                                                  const char *place,
                                                                  const char *format,
                                                                  va_list arguments) {
  char brief[256], *text = brief;
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(brief, sizeof brief, format, arguments);
  char *whole = length >= (int)sizeof brief ? malloc((size_t)length + 1) : NULL;
  if (whole) {
    vsnprintf(whole, (size_t)length + 1, format, again);
    text = whole;
  }
  va_end(again);
  if (reword) reword(text);
  print_line(colour, place, text);
  free(whole);
}

/* "FILE:3:7: ", or less if there is no column, line or file. */
static void write_place(char place[PLACE_SIZE], const neap_error *error) {
  const char *source = error->source;
  if (!*source) *place = '\0';
  else if (error->line == 0) snprintf(place, PLACE_SIZE, "%s: ", source);
  else if (error->column == 0) snprintf(place, PLACE_SIZE, "%s:%zu: ", source, error->line);
  else snprintf(place, PLACE_SIZE, "%s:%zu:%zu: ", source, error->line, error->column);
}

/* Whether a signal ended the wait for a pipe: nobody needs to hear that. */
static bool is_interruption(const neap_error *error) {
  return error->status == NEAP_ERROR_SYSTEM && strstr(error->text, strerror(EINTR));
}

int message_error(const neap_error *error) {
  if (is_interruption(error)) return EXIT_INTERRUPTED;
  char place[PLACE_SIZE], text[sizeof error->text];
  write_place(place, error);
  snprintf(text, sizeof text, "%s", error->text);
  if (reword) reword(text);
  print_line(RED, place, text);
  return exit_of(error->status);
}

int message_system(const char *path, const char *what) {
  neap_error error = {.status = NEAP_ERROR_SYSTEM};
  snprintf(error.text, sizeof error.text, "%s: %s", what, strerror(errno));
  snprintf(error.source, sizeof error.source, "%s", path);
  return message_error(&error);
}

int message_option(const char *option, const neap_error *error) {
  if (error->status != NEAP_ERROR_ARGUMENT) return message_error(error);
  return message_usage("--%s: %s", option, error->text);
}

int message_memory(void) {
  print_line(RED, "", "out of memory");
  return exit_of(NEAP_ERROR_MEMORY);
}

int message_usage(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print_formatted(RED, "", format, arguments);
  va_end(arguments);
  return EXIT_USAGE;
}

void message_warning(const char *format, ...) {
  if (state.level <= MESSAGES_QUIET) return;
  va_list arguments;
  va_start(arguments, format);
  print_formatted(YELLOW, "warning: ", format, arguments);
  va_end(arguments);
}

void message_warning_at(const neap_error *warning) {
  char place[PLACE_SIZE];
  write_place(place, warning);
  message_warning("%s%s", place, warning->text);
}

void message_detail(const char *format, ...) {
  if (state.level < MESSAGES_VERBOSE) return;
  va_list arguments;
  va_start(arguments, format);
  print_formatted(BOLD, "", format, arguments);
  va_end(arguments);
}

int message_written(const char *path, neap_status status, const neap_error *error) {
  if (status != NEAP_OK) return message_error(error);
  message_detail("%s: written", path);
  return 0;
}

bool messages_want_status(void) { return state.terminal && state.level > MESSAGES_QUIET; }

static int terminal_columns(void) {
  struct winsize size;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

void message_status(const char *text) {
  if (state.has_status) fputs(CLEAR_LINE, stderr);
  state.has_status = *text != '\0';
  if (state.has_status) fprintf(stderr, "%.*s", terminal_columns() - 1, text);
  fflush(stderr);
}
