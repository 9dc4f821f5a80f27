/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The course of the run that made a plan, as a line chart. */
#ifndef VIZ_CHARTS_COURSE_H
#define VIZ_CHARTS_COURSE_H

#include "neap/neap-io.h"
#include "viz/svg/render.h"

/* The plan has at least one moment.  `name` is what was planned, or NULL. */
neap_status course_write(const neap_plan *plan, const char *name, enum render_kind kind,
                         FILE *stream, neap_error *error);

#endif
