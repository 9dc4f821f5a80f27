/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the certificates of `neap plan --certificate`. */
#ifndef CLI_CERTIFICATES_H
#define CLI_CERTIFICATES_H

#include "cli/arguments.h"

/*
 * Each writes the file, or prints why there is none, which the report of an optimal plan then says,
 * too.  Returns 0, or the exit code of the message.
 */
int certificates_of_plan(const struct arguments *arguments, neap_plan *plan);

/* That no plan fits the capacity in the options. */
int certificates_of_problem(const struct arguments *arguments, const neap_problem *problem);

#endif
