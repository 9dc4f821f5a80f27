/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds with --enable-checks also assert invariants that take long to check. */
#ifndef CORE_CHECKS_H
#define CORE_CHECKS_H

#include <assert.h>
#include <stdbool.h>

#ifdef NEAP_CHECKS
#define CHECKS true
#else
#define CHECKS false
#endif

/* Asserts a condition that may take long.  Other builds compile it, but do not evaluate it. */
#define assert_slowly(condition) assert(!CHECKS || (condition))

#endif
