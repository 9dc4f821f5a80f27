/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan and its buffers in words. */
#ifndef VIZ_LAYOUT_DESCRIBE_H
#define VIZ_LAYOUT_DESCRIBE_H

#include "viz/layout/soundness.h"
#include "viz/svg/label.h"
#include "viz/svg/number.h"

#define DESCRIBE_BUFFER (4 * LABEL_BYTES + 1024)

/* Everything known about a buffer, one line each; shortens long names.  Returns `text`. */
const char *describe_buffer(const struct neap_plan *plan, size_t buffer,
                            char text[DESCRIBE_BUFFER]);

/* The subject of a drawing. */
struct subject {
  const struct neap_plan *plan;
  const struct soundness *soundness;
  const char *name; /* the name of what was planned, or NULL */
  bool is_conflict; /* as neap_writing.is_conflict */
};

#define DESCRIBE_PLAN 1100

/* "model.tflite: 12 buffers, peak 3.00 KiB"; shortened.  Returns `text`. */
const char *describe_title(const struct subject *subject, char text[DESCRIBE_PLAN]);

/* The heading of a picture.  Returns `text`. */
const char *describe_heading(const struct subject *subject, char text[DESCRIBE_PLAN]);

/* The whole plan in one or two sentences.  Returns `text`. */
const char *describe_plan(const struct subject *subject, char text[DESCRIBE_PLAN]);

/* Key figures of the plan, to be shown side by side. */
#define DESCRIBE_FIGURES 9

struct figure {
  const char *label;
  char value[NUMBER_TEXT];
  char detail[2 * NUMBER_TEXT]; /* may be "" */
  bool is_fault;                /* reports that the plan is unsound */
};

/*
 * Returns the number of figures.  An unsound plan has neither a gap nor an outcome, a conflict no
 * gap.
 */
size_t describe_figures(const struct subject *subject, struct figure figures[DESCRIBE_FIGURES]);

#endif
