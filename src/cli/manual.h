/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of the manual page neap(1) that are generated from the tables of commands, options,
 * topics and formats, in roff.  doc/manual.sh puts them into doc/neap.1.in.
 */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

#include <stdbool.h>
#include <stdio.h>

/* Prints a part, such as "commands", or a topic; false if there is none of that name. */
bool manual_print_part(FILE *stream, const char *name);

#endif
