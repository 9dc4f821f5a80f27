/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chart of a sweep, with its layouts below. */
#ifndef CLI_SWEEP_CHART_H
#define CLI_SWEEP_CHART_H

#include "cli/sweep.h"

/* Draws to --svg, if given.  Returns 0, or the exit code of the message it has printed. */
int sweep_draw(struct sweep *sweep);

#endif
