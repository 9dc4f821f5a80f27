/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options that were not given, with which a model that does not fit would need less. */
#ifndef CLI_EXPLAIN_PERMISSIONS_H
#define CLI_EXPLAIN_PERMISSIONS_H

#include "cli/options/arguments.h"
#include "neap/models.h"

#define PERMISSIONS_MOST 4

/* What a fit would reach. */
struct permission {
  const char *options;
  bool fits;
  neap_size missing;
};

/*
 * Fits with each, for a few seconds in all and until `until`, in seconds since the program began,
 * and lists those that leave less missing than `fit`.  Returns their number; 0 after an interrupt.
 */
size_t permissions_find(const struct arguments *arguments, const neap_model_limits *limits,
                        const neap_fit *fit, double until,
                        struct permission found[PERMISSIONS_MOST]);

#endif
