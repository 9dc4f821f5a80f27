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
 * and lists those that leave less missing than `missing`.  Returns their number; 0 after an
 * interrupt.
 */
size_t permissions_find(const struct arguments *arguments, const neap_model_limits *limits,
                        neap_size missing, double until,
                        struct permission found[PERMISSIONS_MOST]);

/* The bytes by which the best step of a fit exceeds its memories. */
neap_size permissions_missing(const neap_fit *fit, const neap_model_limits *limits);

#endif
