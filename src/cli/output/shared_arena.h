/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arena that the interpreters of several models share. */
#ifndef CLI_OUTPUT_SHARED_ARENA_H
#define CLI_OUTPUT_SHARED_ARENA_H

#include "neap-tool.h"

/* A model with the plan in it, or the layout that the runtime makes on its own. */
struct shared_model {
  const char *path;
  const neap_plan *plan;
};

/* Prints what each model needs, and what all need together; returns 0 or an exit code. */
int shared_arena_print(const struct shared_model *models, size_t count);

/* The same as one JSON object. */
int shared_arena_print_json(const struct shared_model *models, size_t count);

#endif
