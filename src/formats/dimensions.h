/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values that the caller gives for free dimensions. */
#ifndef FORMATS_DIMENSIONS_H
#define FORMATS_DIMENSIONS_H

#include "neap/neap-io.h"

/*
 * NEAP_ERROR_ARGUMENT names the first of `reading->dimensions` that is not `used`, which has a mark
 * for each, and the names that are `known`, for example "'N', 'M'"; "" if they are not.
 */
neap_status dimensions_check(const neap_reading *reading, const bool *used, const char *known,
                             neap_error *error);

#endif
