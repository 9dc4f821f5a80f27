/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Problems of "neap gen", for tests that are linked with the objects of the libraries. */
#ifndef SUPPORT_GENERATED_H
#define SUPPORT_GENERATED_H

#include "tests/support/sample.h"

/* Must succeed; the caller releases the problem. */
neap_problem *sample_generate(const char *kind, size_t count, uint64_t seed);

#endif
