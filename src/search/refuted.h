/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of states that have been refuted, by 128-bit keys. */
#ifndef SEARCH_REFUTED_H
#define SEARCH_REFUTED_H

#include <stdbool.h>
#include <stddef.h>

#include "core/wide.h"

struct refuted {
  wide_half *keys;
  size_t mask;
};

/* `slots` is a power of two; false when memory is short. */
bool refuted_init(struct refuted *refuted, size_t slots);
void refuted_clear(struct refuted *refuted);

/* Forgets all states, for another capacity. */
void refuted_forget(struct refuted *refuted);

/* A state's key is the exclusive or of its members' keys. */
wide_half refuted_key(uint64_t item, uint64_t value);

bool refuted_has(const struct refuted *refuted, wide_half key);
void refuted_add(struct refuted *refuted, wide_half key);

#endif
