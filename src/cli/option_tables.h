/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options that commands share: input options and common options. */
#ifndef CLI_OPTION_TABLES_H
#define CLI_OPTION_TABLES_H

#include "cli/options.h"

struct option_table {
  const struct option_row *rows;
  size_t count;
};

/* How to read tables and graphs.  Rows with .graphs are for commands that read problems and graphs. */
extern const struct option_table option_input_table;

/* An option of commands that read plans: what a model does not say of its plan. */
#define OPTION_PLANNED_OVERLAP                                                       \
  {                                                                                  \
    .name = "overlap", .kind = OPTION_PROFILE, .field = OPTION_FIELD(reading.overlap),       \
    .argument = "PROFILE",                                                           \
    .help = "the kernels that the plan in a model was made for, as with 'neap plan " \
            "--overlap'; other files contain their overlaps"                         \
  }

/* Options of all commands. */
extern const struct option_table option_common_table;

#endif
