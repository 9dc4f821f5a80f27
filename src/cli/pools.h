/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pools that options ask for. */
#ifndef CLI_POOLS_H
#define CLI_POOLS_H

#include "cli/arguments.h"

/*
 * Adds the pools of --pool to a problem that has none, or sets the capacities of those it has.
 * Returns 0, or the exit code of the message it has printed.
 */
int pools_apply(const struct arguments *arguments, neap_problem *problem);

#endif
