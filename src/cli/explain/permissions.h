/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options that were not given and that lower the need of a model that does not fit. */
#ifndef CLI_EXPLAIN_PERMISSIONS_H
#define CLI_EXPLAIN_PERMISSIONS_H

#include "cli/options/means.h"
#include "neap/models.h"

#define PERMISSIONS_MOST 4

/* The result of a fit. */
struct permission {
  char options[MEANS_TEXT];
  bool fits;
  neap_size missing;
};

struct permissions {
  struct permission items[PERMISSIONS_MOST];
  size_t count;
};

/*
 * If a model does not fit, tries such options, and lists those with which fewer bytes are missing
 * than in `fit`.  Takes a few seconds in all, and ends at `until`, in seconds since the program
 * began.  Lists none after an interrupt.
 */
void permissions_find(struct permissions *found, const struct arguments *arguments,
                      const neap_model_limits *limits, const neap_fit *fit, double until);

#endif
