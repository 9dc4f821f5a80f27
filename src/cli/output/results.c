/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/output/results.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/input/files.h"
#include "cli/output/messages.h"

neap_writing results_writing(const struct arguments *arguments, const char *path) {
  neap_writing writing = arguments->writing;
  writing.name = files_is_standard(path) ? NULL : files_last_part(path);
  return writing;
}

static int check_drawing(const char *option, const char *path, unsigned contents,
                         bool is_table_taken) {
  const char *format = NULL;
  if (!path) return 0;
  if (is_table_taken && files_is_standard(path))
    return message_usage("--%s: standard output is taken by --csv or --json; use a file",
                         option);
  return files_format(path, contents, &format);
}

int results_check(const struct arguments *arguments) {
  const char *const drawings[] = {arguments->svg, arguments->html};
  bool is_taken = arguments->csv || arguments->json;
  if (arguments->csv && arguments->json)
    return message_usage("--csv and --json cannot be combined");
  int code = check_drawing("svg", arguments->svg, NEAP_CONTENT_PICTURE, is_taken);
  if (code == 0) code = check_drawing("html", arguments->html, NEAP_CONTENT_PAGE, is_taken);
  return code != 0 ? code : files_check(arguments->operand, drawings, 2);
}

bool results_take_output(const struct arguments *arguments) {
  const char *const outputs[] = {arguments->svg, arguments->html, arguments->tflite};
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
    if (outputs[i] && files_is_standard(outputs[i])) return true;
  return false;
}

int results_check_json(const struct arguments *arguments) {
  if (!arguments->json || !results_take_output(arguments)) return 0;
  return message_usage("--json prints to standard output, so '-' cannot be used for another "
                       "output");
}

int results_write_plan(const neap_plan *plan, const char *path, unsigned contents,
                       neap_writing *writing) {
  neap_error error;
  int code = files_format(path, contents, &writing->format);
  if (code != 0) return code;
  return message_written(path, neap_plan_write(plan, path, writing, &error), &error);
}

int results_write_header(const struct arguments *arguments, const neap_plan *plan) {
  neap_writing writing = results_writing(arguments, arguments->operand);
  if (!arguments->header) return 0;
  return results_write_plan(plan, arguments->header, NEAP_CONTENT_HEADER, &writing);
}

/* ---------------------------------------------------------------- what standard output supports */

bool terminal_is_one(void) { return isatty(STDOUT_FILENO) == 1; }

/* The first of these variables that is set names the character set. */
static bool has_utf8(void) {
  static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (!value || !*value) continue;
    const char *charset = strchr(value, '.');
    return charset &&
           (strncasecmp(charset, ".utf-8", 6) == 0 || strncasecmp(charset, ".utf8", 5) == 0);
  }
  return false;
}

static bool wants_colours(void) {
  const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
  return terminal_is_one() && (!no_color || !*no_color) && term && strcmp(term, "dumb") != 0;
}

/* The number in a variable, or `usual` if it holds none. */
static size_t number_in(const char *name, size_t usual) {
  const char *value = getenv(name);
  if (!value || !*value || value[strspn(value, "0123456789")] || strlen(value) > 6)
    return usual;
  size_t number = strtoul(value, NULL, 10);
  return number > 0 ? number : usual;
}

neap_text_style terminal_style(const struct arguments *arguments) {
  neap_text_style style = {.struct_size = sizeof(neap_text_style),
                           .columns = 80,
                           .lines = 24,
                           .unicode = has_utf8(),
                           .colours = wants_colours()};
  struct winsize size;
  if (terminal_is_one() && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 &&
      size.ws_row > 1) {
    style.columns = size.ws_col;
    style.lines = size.ws_row - 1u; /* one for the prompt */
  }
  style.columns = number_in("COLUMNS", style.columns);
  style.lines = number_in("LINES", style.lines);
  if (arguments->columns > 0) style.columns = (size_t)arguments->columns;
  if (arguments->lines > 0) style.lines = (size_t)arguments->lines;
  return style;
}
