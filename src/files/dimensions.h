/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values that the caller gives for free dimensions. */
#ifndef FILES_DIMENSIONS_H
#define FILES_DIMENSIONS_H

#include "core/names.h"
#include "neap/neap-io.h"

/*
 * Checks that the input has all of `reading->model.dimensions`: `used` has a mark for each.
 * NEAP_ERROR_ARGUMENT names the first that is missing and lists `known`, the dimensions of the
 * input, for example "'N', 'M'", unless it is empty.
 */
neap_status dimensions_check(const neap_reading *reading, const bool *used, const char *known,
                             neap_error *error);

/* Appends a name, in quotes, to a list of *length bytes, unless the list has it or has no room. */
void dimensions_list(char *list, size_t size, size_t *length, const char *name);

/*
 * NEAP_ERROR_INPUT if there are dimensions without a value: names them and shows how to set them.
 * `why` says why a value is unknown, or is "".
 */
neap_status dimensions_check_open(const struct names *open, const char *why, neap_error *error);

/* Warns, likewise, that dimensions without a value have the given sizes. */
void dimensions_warn_open(const struct names *open, const int64_t *sizes,
                          const neap_reading *reading);

#endif
