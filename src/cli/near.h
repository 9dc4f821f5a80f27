/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Staying near an earlier plan. */
#ifndef CLI_NEAR_H
#define CLI_NEAR_H

#include "cli/arguments.h"

/*
 * With --near, tells the problem where the earlier plan has its buffers, what moves cost, and whether
 * they come before the peak.  Returns 0, or the exit code of the message it has printed.
 */
int near_apply(const struct arguments *arguments, neap_problem *problem);

#endif
