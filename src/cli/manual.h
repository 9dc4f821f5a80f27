/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The manual, neap(1), in roff: what the tables of commands, options and formats say, between
 * texts of its own.
 */
#ifndef CLI_MANUAL_H
#define CLI_MANUAL_H

#include <stdio.h>

void manual_print(FILE *stream);

/* Texts of the manual in roff, from their .SH on (manual_text.c). */
extern const char manual_description[], manual_orders[], manual_search[], manual_runtimes[],
    manual_formats[], manual_environment[], manual_see_also[];

#endif
