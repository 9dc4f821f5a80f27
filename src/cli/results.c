/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/results.h"

#include "cli/files.h"
#include "cli/messages.h"

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
  return (arguments->svg && files_is_standard(arguments->svg)) ||
         (arguments->html && files_is_standard(arguments->html));
}
