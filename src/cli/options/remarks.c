/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options/remarks.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/options/outputs.h"

static void append_part(char text[OPTION_REMARK_SIZE], const char *part) {
  size_t used = strlen(text);
  assert(used + strlen(part) + strlen(", ") < OPTION_REMARK_SIZE);
  snprintf(text + used, OPTION_REMARK_SIZE - used, "%s%s", used > 0 ? ", " : "", part);
}

/* Adds "1 or more" or "1 to 100"; nothing where any number will do. */
static void add_limits(char text[OPTION_REMARK_SIZE], int64_t low, int64_t high) {
  char part[64];
  if (low == 0 && high == NEAP_MAX) return;
  if (high == NEAP_MAX) snprintf(part, sizeof part, "%" PRId64 " or more", low);
  else snprintf(part, sizeof part, "%" PRId64 " to %" PRId64, low, high);
  append_part(text, part);
}

static bool takes_format(const struct option_row *row) {
  return row->kind == OPTION_FORMAT || row->kind == OPTION_PLAN_FORMAT ||
         row->kind == OPTION_PROBLEM_FORMAT;
}

static void add_formats(char text[OPTION_REMARK_SIZE], const struct option_row *row) {
  neap_format_info info = NEAP_INIT(neap_format_info);
  for (size_t i = 0; neap_format_at(i, &info); i++)
    if (option_takes_format(row, &info)) append_part(text, info.name);
}

static void add_endings(char text[OPTION_REMARK_SIZE], const struct option_row *row) {
  const char *ending;
  for (size_t i = 0; (ending = outputs_ending_at(row->kind, i)) != NULL; i++)
    append_part(text, ending);
}

/* A list of names longer than this is left to 'neap help'. */
#define CHOICES_SHOWN 8

static void add_choices(char text[OPTION_REMARK_SIZE], const neap_option_info *info) {
  if (info->choice_count > CHOICES_SHOWN) return;
  for (size_t i = 0; i < info->choice_count; i++)
    append_part(text, info->choices[i]);
}

static void add_default(char text[OPTION_REMARK_SIZE], const char *initial) {
  size_t used = strlen(text);
  snprintf(text + used, OPTION_REMARK_SIZE - used, "%sdefault %s", used > 0 ? "; " : "",
           initial);
}

static void add_colourings(char text[OPTION_REMARK_SIZE]) {
  neap_colouring_info info = NEAP_INIT(neap_colouring_info);
  for (size_t i = 0; neap_colouring_at(i, &info); i++)
    append_part(text, info.name);
  if (neap_colouring_at(0, &info)) add_default(text, info.name);
}

/* For a planning option, which the library describes, with a default of its own. */
static void add_planning(char text[OPTION_REMARK_SIZE], const char *name, const char *initial) {
  neap_option_info info = option_planning(name);
  switch (info.kind) {
  case NEAP_OPTION_CHOICE:
  case NEAP_OPTION_LIST:
    add_choices(text, &info);
    break;
  case NEAP_OPTION_ORDER:
  case NEAP_OPTION_SWITCH:
    break;
  default:
    add_limits(text, info.low, info.high);
  }
  if (*initial) add_default(text, initial);
}

const char *option_remark(const struct option_view *view, char text[OPTION_REMARK_SIZE]) {
  const struct option_row *row = view->row;
  text[0] = '\0';
  if (!row) add_planning(text, view->name, view->initial);
  else if (row->kind == OPTION_LIST)
    add_planning(text, row->name, option_planning(row->name).initial);
  else if (row->kind == OPTION_BYTES) add_limits(text, row->low, NEAP_MAX);
  else if (takes_format(row)) add_formats(text, row);
  else if (row->kind == OPTION_COLOURING) add_colourings(text);
  else if (row->kind == OPTION_PICTURE_FILE || row->kind == OPTION_DRAWING_FILE)
    add_endings(text, row);
  return text;
}
