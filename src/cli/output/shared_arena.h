/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arena that the interpreters of several models share. */
#ifndef CLI_OUTPUT_SHARED_ARENA_H
#define CLI_OUTPUT_SHARED_ARENA_H

#include <jansson.h>

#include "neap-tool.h"

/* A model with the plan in it, or the layout that the runtime makes on its own. */
struct shared_model {
  const char *path;
  const neap_plan *plan;
};

/* Prints what each model needs, and what all need together; returns 0 or an exit code. */
int shared_arena_print(const struct shared_model *models, size_t count);

/* An arena that models share, of which `first` is one; `is_partial`: it is larger. */
json_t *shared_arena_object(const neap_problem *first, const neap_arena *arena,
                            bool is_partial);

/* The same as one JSON object. */
int shared_arena_print_json(const struct shared_model *models, size_t count);

#endif
