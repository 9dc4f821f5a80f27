/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options/arguments.h"

#include <stdlib.h>

void arguments_clear(struct arguments *arguments) {
  neap_options_free(arguments->planning);
  free(arguments->lists.keep);
  free(arguments->lists.dimensions);
  free(arguments->lists.columns);
  free(arguments->lists.engines);
}
