/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splitting of models in memory, for fit.c. */
#ifndef IO_SPLIT_H
#define IO_SPLIT_H

#include "io/splittable.h"
#include "neap-tool.h"

/*
 * Like neap_split_model, with a model in memory, whose text it takes.  If nothing fits the
 * capacity, the choice that needs least is found, and it is no error.
 */
neap_status split_find(const struct splittable *source, const neap_splitting *splitting,
                       neap_split **split, neap_error *error);

#endif
