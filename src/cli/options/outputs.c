/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options/outputs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/input/files.h"
#include "cli/output/messages.h"
#include "cli/output/suggest.h"

#define INPUT_CONTENTS (NEAP_CONTENT_PROBLEM | NEAP_CONTENT_GRAPH | NEAP_CONTENT_PLAN)

/* ---------------------------------------------------------------- endings */

unsigned outputs_contents(enum option_kind kind) {
  switch (kind) {
  case OPTION_ANY_FILE:
    return NEAP_CONTENT_PROBLEM | NEAP_CONTENT_PLAN;
  case OPTION_PROBLEM_FILE:
    return NEAP_CONTENT_PROBLEM;
  case OPTION_PLAN_FILE:
    return NEAP_CONTENT_PLAN;
  case OPTION_PICTURE_FILE:
    return NEAP_CONTENT_PICTURE;
  case OPTION_DRAWING_FILE:
    return NEAP_CONTENT_PICTURE | NEAP_CONTENT_PAGE;
  case OPTION_PAGE_FILE:
    return NEAP_CONTENT_PAGE;
  case OPTION_TFLITE_FILE:
    return NEAP_CONTENT_MODEL;
  case OPTION_SPLIT_FILE:
    return NEAP_CONTENT_SPLIT;
  case OPTION_ONNX_FILE:
    return NEAP_CONTENT_ORDERED;
  case OPTION_HEADER_FILE:
    return NEAP_CONTENT_HEADER;
  case OPTION_SOURCE_FILE:
    return NEAP_CONTENT_SOURCE;
  case OPTION_BUFFER_PLAN_FILE:
    return NEAP_CONTENT_BUFFER_PLAN;
  case OPTION_CERTIFICATE_FILE:
    return NEAP_CONTENT_CERTIFICATE;
  default:
    return 0;
  }
}

const char *outputs_path(const struct option_row *row, const struct arguments *arguments) {
  const char *field = (const char *)arguments + row->field;
  return outputs_contents(row->kind) ? *(const char *const *)field : NULL;
}

/*
 * The endings of the formats whose first content among `contents` is `first`.  Formats that share
 * their endings follow each other.
 */
static const char *ending_at(bool is_input, unsigned contents, unsigned first, size_t *index) {
  neap_format_info info = NEAP_INIT(neap_format_info);
  const char *last = NULL;
  for (size_t i = 0; neap_format_at(i, &info); i++) {
    unsigned shared = (is_input ? info.reads : info.writes) & contents;
    if ((shared & (0u - shared)) != first) continue;
    if (last && strcmp(last, info.extensions[0]) == 0) continue;
    last = info.extensions[0];
    for (const char *const *ending = info.extensions; *ending; ending++)
      if ((*index)-- == 0) return *ending;
  }
  return NULL;
}

const char *outputs_ending_at(enum option_kind kind, size_t index) {
  bool is_input = kind == OPTION_INPUT_FILE;
  unsigned contents = is_input ? INPUT_CONTENTS : outputs_contents(kind);
  const char *ending = NULL;
  for (unsigned first = 1; first <= contents && !ending; first <<= 1)
    if (contents & first) ending = ending_at(is_input, contents, first, &index);
  return ending;
}

static bool is_output(const struct option_view *view) {
  return view->row && outputs_contents(view->row->kind) != 0;
}

bool outputs_takes_ending(enum option_kind kind, const char *path) {
  const char *ending;
  for (size_t i = 0; (ending = outputs_ending_at(kind, i)) != NULL; i++)
    if (files_ends_in(path, ending)) return true;
  return false;
}

static bool takes_ending(const struct option_view *view, const char *path) {
  return outputs_takes_ending(view->row->kind, path);
}

/* ---------------------------------------------------------------- refusing */

/* The option that would write a file of this name; NULL if there is none. */
static const struct option_view *option_for(const struct option_view *views, size_t count,
                                            const char *path) {
  for (size_t i = 0; i < count; i++)
    if (is_output(&views[i]) && takes_ending(&views[i], path)) return &views[i];
  return NULL;
}

/* ".svg, .png or .pdf", to be released with free(); NULL when memory is short. */
static char *list_endings(enum option_kind kind) {
  struct listing listing;
  const char *ending, *before = "";
  listing_begin(&listing);
  for (size_t i = 0; (ending = outputs_ending_at(kind, i)) != NULL; i++) {
    if (i > 0) before = outputs_ending_at(kind, i + 1) ? ", " : " or ";
    listing_add(&listing, before, ending);
  }
  return listing_end(&listing);
}

static bool has_format(enum option_kind kind) {
  return kind == OPTION_ANY_FILE || kind == OPTION_PROBLEM_FILE || kind == OPTION_PLAN_FILE;
}

static int refuse_path(const struct option_view *view, const char *path,
                       const struct option_view *other) {
  const char *name = files_last_part(path), *ending = strrchr(name, '.');
  if (other)
    return message_usage("--%s: cannot write %s; use --%s %s", view->name, ending, other->name,
                         path);
  if (!*name) return message_usage("--%s: '%s' is a folder; specify a file", view->name, path);
  if (view->row->kind == OPTION_ANY_FILE && outputs_takes_ending(OPTION_DRAWING_FILE, path))
    return message_usage("--%s: cannot write %s; use 'neap draw PLAN -o %s'", view->name,
                         ending, name);
  char *endings = list_endings(view->row->kind);
  if (!endings) return message_memory();
  const char *more = has_format(view->row->kind) ? ", or specify --format" : "";
  int code =
      ending && ending > name
          ? message_usage("--%s: cannot write %s; use %s%s", view->name, ending, endings, more)
          : message_usage("--%s: the name '%s' has no extension; use %s%s", view->name, name,
                          endings, more);
  free(endings);
  return code;
}

/* A device or a pipe, whose name says nothing about the format. */
static bool is_special(const char *path) {
  struct stat found;
  return files_is_standard(path) ||
         (stat(path, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode));
}

int outputs_check(const struct option_view *views, size_t count,
                  const struct arguments *arguments) {
  for (size_t i = 0; i < count; i++) {
    const char *path = views[i].row ? outputs_path(views[i].row, arguments) : NULL;
    if (!path || takes_ending(&views[i], path) || is_special(path)) continue;
    if (has_format(views[i].row->kind) && arguments->format) continue;
    int code = refuse_path(&views[i], path, option_for(views, count, path));
    if (code != 0) return code;
  }
  return 0;
}
