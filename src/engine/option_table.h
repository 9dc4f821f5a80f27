/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One sorted table of the options for parsing, range checks, help and the manual. */
#ifndef ENGINE_OPTION_TABLE_H
#define ENGINE_OPTION_TABLE_H

#include "engine/options.h"

/* Sets all options to their defaults. */
void option_table_set_defaults(struct neap_options *options);

#endif
