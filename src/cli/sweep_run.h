/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans every setting of a sweep with every seed. */
#ifndef CLI_SWEEP_RUN_H
#define CLI_SWEEP_RUN_H

#include "cli/sweep.h"

/*
 * Fills in the results.  Ctrl-C ends the sweep; a setting that is unfinished then has no result.  Returns
 * 0, or the exit code of the message it has printed.
 */
int sweep_run(struct sweep *sweep);

/* Releases the results. */
void sweep_clear(struct sweep *sweep);

#endif
