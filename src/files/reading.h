/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks and copies the options with which programs read files. */
#ifndef FILES_READING_H
#define FILES_READING_H

#include "neap/neap-io.h"

/*
 * Copies the reading of a program (core/sized.h), or the defaults if it is NULL.
 * NEAP_ERROR_ARGUMENT: a member that this version does not know is set.
 */
neap_status reading_take(const neap_reading *given, neap_reading *own, neap_error *error);

#endif
