/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a runtime keeps in its arena besides the planned buffers, which are the head (neap-tool.h). */
#ifndef MODEL_RUNTIME_ARENA_H
#define MODEL_RUNTIME_ARENA_H

#include "core/names.h"
#include "neap-tool.h"

struct runtime_arena {
  neap_arena totals; /* without a head */
  neap_arena_operator *operators;
  struct names unknown; /* operators of unknown kernels */
};

/* NULL if memory is short. */
struct runtime_arena *runtime_arena_copy(const struct runtime_arena *arena);
void runtime_arena_free(struct runtime_arena *arena);

/* The arena with a head of `head` bytes; false if it exceeds NEAP_MAX. */
bool runtime_arena_total(const struct runtime_arena *own, neap_size head, neap_arena *arena);

#endif
