/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operators of a problem on the time axis, where it lists any. */
#ifndef VIZ_OPERATORS_H
#define VIZ_OPERATORS_H

#include "model/problem.h"
#include "viz/frame.h"
#include "viz/label.h"

/* How far names move down what is below the axis. */
#define OPERATORS_DOWN (6 * SVG_PIXEL)

/*
 * Names the operator of each moment below the tick labels, if all moments are wide enough for that,
 * and tells more about it under the pointer, if there are not too many.  Returns whether there are
 * names.
 */
bool operators_draw(struct svg *svg, const struct frame *frame, const struct axis *time,
                    const struct neap_problem *problem);

#define OPERATORS_TEXT (40 * LABEL_BYTES)

/*
 * An operator in words, one line each: its number and type, its own name, and the buffers that it
 * reads, makes and frees.  Returns `text`.
 */
const char *operators_describe(const struct neap_problem *problem, size_t index,
                               char text[OPERATORS_TEXT]);

#endif
