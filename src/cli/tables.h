/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that print a table, or CSV or JSON, and may draw a picture beside it. */
#ifndef CLI_TABLES_H
#define CLI_TABLES_H

#include "cli/arguments.h"

/* Checks --csv, --json and --svg before anything is read: 0, or the exit code of a message. */
int tables_check(const struct arguments *arguments);

#endif
