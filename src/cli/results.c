/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/results.h"

#include "cli/files.h"
#include "cli/messages.h"

int results_check(const struct arguments *arguments) {
  if (arguments->csv && arguments->json)
    return message_usage("--csv and --json cannot be combined");
  if ((arguments->csv || arguments->json) && arguments->svg &&
      files_is_standard(arguments->svg))
    return message_usage("--svg: standard output is taken by --csv or --json; use a file");
  const char *format = NULL;
  int code = arguments->svg ? files_format(arguments->svg, NEAP_CONTENT_PICTURE, &format) : 0;
  return code != 0 ? code : files_check(arguments->operand, &arguments->svg, 1);
}
