/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of kernel profiles: what is known about the kernels that run a graph's operators, and
 * so where outputs may lie over inputs.  To add a profile, add its row.
 */
#ifndef FORMATS_PROFILES_H
#define FORMATS_PROFILES_H

#include "neap/neap-io.h"

struct profile {
  const char *name, *summary;
  bool pairs;     /* all in-place pairs that are not views have an allowance of 0 bytes */
  bool reference; /* allowances of TensorFlow Lite Micro's reference kernels */
};

/* Row `index` of the table; NULL past the last. */
const struct profile *profiles_at(size_t index);

/* The row of this name, the first for NULL; NULL if there is none.  The first is "none". */
const struct profile *profiles_find(const char *name);

/* The profile of a reading; the first row if it has none. */
const struct profile *profiles_of(const neap_reading *reading);

/* Whether a reading has a profile other than "none". */
bool profiles_overlap(const neap_reading *reading);

/* Adds the allowances to a graph that do not depend on its format.  O(operators + pairs). */
neap_status profiles_apply(neap_graph *graph, const neap_reading *reading, neap_error *error);

#endif
