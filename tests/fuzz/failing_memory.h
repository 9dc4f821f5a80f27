/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Allocations that fail on request.  A program that links this file uses its malloc and the
 * related functions, which call glibc's.
 */
#ifndef FUZZ_FAILING_MEMORY_H
#define FUZZ_FAILING_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* False with sanitizers and other C libraries: no allocation can be made to fail there. */
bool failing_memory_works(void);

/*
 * From now on allocation number `fail_at` fails, counting from 1, and with `all_after` every
 * later one as well; 0 lets all succeed.
 */
void failing_memory_arm(uint64_t fail_at, bool all_after);

/* Lets all allocations succeed again.  Returns whether any failed since the call above. */
bool failing_memory_disarm(void);

/* Whether the allocation being made must fail; for allocators that count on their own. */
bool failing_memory_fails(void);

/* Blocks allocated and not yet freed, since the program began. */
long failing_memory_live(void);

#endif
