/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tracks, for the tight rule, the placed buffers that wait: no buffer placed later overlaps
 * them in time.
 */
#ifndef PLACE_WAITING_H
#define PLACE_WAITING_H

#include "core/ordered.h"
#include "facts/sections.h"

struct waiting {
  const struct sections *sections;
  struct ordered runs;            /* the sections at which a run of one colour begins */
  uint32_t *colours;              /* per section at which a run begins: its colour */
  bool *waits;                    /* per buffer */
  struct waiting_change *changes; /* made while logging */
  size_t change_count, change_capacity;
  bool logging;
  size_t *met; /* the buffers that waiting_meet found */
  size_t met_count, met_capacity;
};

bool waiting_init(struct waiting *waiting, const struct sections *sections,
                  size_t buffer_count);
void waiting_clear(struct waiting *waiting);
void waiting_reset(struct waiting *waiting, size_t buffer_count);

/*
 * Adds buffer `next` of the order: stores the waiting buffers that it overlaps in met[0 ..
 * met_count), which stop waiting, and lets `next` wait. False when memory is short.
 */
bool waiting_meet(struct waiting *waiting, size_t next);

/* Undoes meetings until `change_count` changes are left. */
void waiting_undo(struct waiting *waiting, size_t change_count);

#endif
