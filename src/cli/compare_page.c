/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "cli/comparison.h"
#include "cli/drawings.h"
#include "cli/files.h"
#include "cli/messages.h"

/* The best plan first; engines without one have their reason in the object. */
static int write_page(const struct comparison *comparison, const neap_panel *panels,
                      size_t count, const char *object) {
  const struct arguments *arguments = comparison->arguments;
  neap_error error;
  neap_writing writing = drawings_of(arguments, arguments->operand);
  if (count == 0) {
    message_warning("--html: there is no layout to show");
    return 0;
  }
  writing.layouts = panels + 1;
  writing.layout_count = count - 1;
  writing.comparison = object;
  int code = files_format(arguments->html, NEAP_CONTENT_PAGE, &writing.format);
  if (code != 0) return code;
  return message_written(arguments->html,
                         neap_plan_write(panels->plan, arguments->html, &writing, &error),
                         &error);
}

int comparison_page(const struct comparison *comparison, json_t *object) {
  char *text = object ? json_dumps(object, JSON_REAL_PRECISION(15)) : NULL;
  neap_panel *panels = calloc(comparison->count + 1, sizeof *panels);
  size_t count = 0;
  json_decref(object);
  for (size_t i = 0; panels && i < comparison->count; i++)
    if (comparison->entries[i].plan)
      panels[count++] =
          (neap_panel){comparison->entries[i].plan, comparison->entries[i].engine.name};
  int code = text && panels ? write_page(comparison, panels, count, text) : message_memory();
  free(panels);
  free(text);
  return code;
}
