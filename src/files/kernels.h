/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of kernels, which run a graph's operators and so decide where outputs may lie over
 * inputs.  To add a set of kernels, add its row.
 */
#ifndef FILES_KERNELS_H
#define FILES_KERNELS_H

#include "neap/neap-io.h"

struct kernels {
  const char *name, *summary;
  bool is_runtimes;  /* TensorFlow Lite Micro can be built with them */
  bool is_optimised; /* they replace some of the reference kernels */
};

/* The row of a value; NULL for NEAP_KERNELS_DEFAULT and past the last. */
const struct kernels *kernels_at(neap_kernels kernels);

/*
 * The kernels of a reading; by default those of its target, and without one
 * NEAP_KERNELS_DEFAULT: nothing is known about them.
 */
neap_kernels kernels_of(const neap_reading *reading);

/* Adds the allowances to a graph that do not depend on its format.  O(operators + pairs). */
neap_status kernels_apply(neap_graph *graph, const neap_reading *reading, neap_error *error);

#endif
