/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arena that the interpreters of several models share. */
#ifndef CLI_OUTPUT_SHARED_ARENA_H
#define CLI_OUTPUT_SHARED_ARENA_H

#include <jansson.h>

#include "neap-tool.h"

/*
 * Prints what each model needs with a plan, and what all need together; returns 0 or an exit code.
 */
int shared_arena_print(const char *const *paths, const neap_plan *const *plans, size_t count);

/* The arena that plans share. */
json_t *shared_arena_object(const neap_plan *const *plans, size_t count,
                            const neap_arena *arena);

/* Prints these needs as one JSON object. */
int shared_arena_print_json(const char *const *paths, const neap_plan *const *plans,
                            size_t count);

/* Finds the arena that plans share; returns 0, or the exit code of the message it has printed. */
int shared_arena_find(const neap_plan *const *plans, size_t count, neap_arena *arena);

/* Whether the arena is larger because some operators have unknown kernels. */
bool shared_arena_is_partial(const neap_plan *const *plans, size_t count);

#endif
