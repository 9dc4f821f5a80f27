/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of a sweep as JSON. */
#ifndef CLI_SWEEP_JSON_H
#define CLI_SWEEP_JSON_H

#include "cli/sweep.h"

/* Prints one object.  Returns 0, or the exit code of the message it has printed. */
int sweep_print_json(const struct sweep *sweep);

#endif
