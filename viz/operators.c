/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/operators.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#include "viz/style.h"

#define NAME_LEAST (44 * SVG_PIXEL) /* the narrowest moment whose operator is named */
#define MOST 1000                   /* operators that the pointer finds */
#define MOST_NAMES 10               /* buffers in a list */

/* ---------------------------------------------------------------- in words */

/* A text that grows in a buffer known to be large enough. */
struct lines {
  char *text;
  size_t used;
};

__attribute__((format(printf, 2, 3))) static void append(struct lines *lines,
                                                         const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int size =
      vsnprintf(lines->text + lines->used, OPERATORS_TEXT - lines->used, format, arguments);
  va_end(arguments);
  assert(size >= 0 && (size_t)size < OPERATORS_TEXT - lines->used);
  lines->used += (size_t)size;
}

/* Which buffers of a list to name. */
struct choice {
  const size_t *buffers;
  size_t count;
  neap_time end; /* only those that end at this moment; 0: all */
};

/* Appends a list after those that *named counts. */
static void append_buffers(struct lines *lines, const struct neap_problem *problem,
                           const char *what, const struct choice *choice, size_t *named) {
  for (size_t i = 0; i < choice->count; i++) {
    size_t buffer = choice->buffers[i];
    char label[LABEL_BYTES];
    if (choice->end > 0 && problem_hull(problem, buffer).end != choice->end) continue;
    if (*named < MOST_NAMES)
      append(lines, "%s%s", *named > 0 ? ", " : what,
             label_clean(problem_name(problem, buffer), label));
    else if (*named == MOST_NAMES) append(lines, " and more");
    ++*named;
  }
}

/* What an operator both reads and makes, in place, is not freed twice. */
static void append_freed(struct lines *lines, const struct neap_problem *problem,
                         const neap_operator_info *info, neap_time end) {
  size_t named = 0;
  append_buffers(lines, problem, "\nfrees ",
                 &(struct choice){info->reads, info->read_count, end}, &named);
  for (size_t i = 0; i < info->make_count; i++) {
    bool is_read = false;
    for (size_t r = 0; r < info->read_count && !is_read && r < MOST; r++)
      is_read = info->reads[r] == info->makes[i];
    if (!is_read)
      append_buffers(lines, problem, "\nfrees ", &(struct choice){&info->makes[i], 1, end},
                     &named);
  }
}

const char *operators_describe(const struct neap_problem *problem, size_t index,
                               char text[OPERATORS_TEXT]) {
  struct lines lines = {text, 0};
  neap_operator_info info;
  char label[LABEL_BYTES];
  size_t reads = 0, makes = 0;
  text[0] = '\0';
  if (!neap_problem_operator_info(problem, index, &info)) return text;
  append(&lines, "operator %zu %s", index, label_clean(info.type, label));
  if (info.name) append(&lines, "\nname %s", label_clean(info.name, label));
  append_buffers(&lines, problem, "\nreads ", &(struct choice){info.reads, info.read_count, 0},
                 &reads);
  append_buffers(&lines, problem, "\nmakes ", &(struct choice){info.makes, info.make_count, 0},
                 &makes);
  append_freed(&lines, problem, &info, (neap_time)index + 1);
  return text;
}

/* ---------------------------------------------------------------- on the axis */

/* The moments [first, end) of the axis at which operators run. */
static void find_moments(const struct axis *time, const struct neap_problem *problem,
                         size_t *first, size_t *end) {
  size_t count = neap_problem_operator_count(problem);
  *first = (size_t)time->low;
  *end = (uint64_t)time->high < count ? (size_t)time->high : count;
  if (*first > *end) *first = *end;
}

static void draw_name(struct svg *svg, const struct frame *frame, int left, int right,
                      const char *type) {
  char label[LABEL_BYTES];
  if (label_fit(type, STYLE_SMALL, right - left - 4 * SVG_PIXEL, label))
    svg_label(svg, "tick middle", left + (right - left) / 2, frame->bottom + 30 * SVG_PIXEL,
              label);
}

/* Drawn last, so that they are above the labels. */
static void draw_strip(struct svg *svg, const struct frame *frame, int left, int right,
                       const char *text) {
  svg_rectangle_start(svg, "strip", left, frame->bottom, right - left, 34 * SVG_PIXEL);
  svg_attribute(svg, "fill", "none");
  svg_attribute(svg, "pointer-events", "all");
  svg_title(svg, text);
  svg_end(svg);
}

bool operators_draw(struct svg *svg, const struct frame *frame, const struct axis *time,
                    const struct neap_problem *problem) {
  char text[OPERATORS_TEXT];
  size_t first, end;
  find_moments(time, problem, &first, &end);
  if (first == end) return false;
  bool is_named = (time->high - time->low) <= (frame->right - frame->left) / NAME_LEAST;
  svg_group(svg, "operators");
  for (size_t k = first; k < end && is_named; k++)
    draw_name(svg, frame, axis_at(time, (neap_time)k), axis_at(time, (neap_time)k + 1),
              neap_problem_operator_at(problem, (neap_time)k));
  for (size_t k = first; k < end && end - first <= MOST; k++)
    draw_strip(svg, frame, axis_at(time, (neap_time)k), axis_at(time, (neap_time)k + 1),
               operators_describe(problem, k, text));
  svg_end(svg);
  return is_named;
}
