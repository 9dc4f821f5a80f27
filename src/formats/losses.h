/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which constraints of a problem a format cannot hold. */
#ifndef FORMATS_LOSSES_H
#define FORMATS_LOSSES_H

#include "model/problem.h"

/* What a format holds, or may lose because a plan meets it anyway. */
enum losses_kept {
  LOSSES_RELATIONS = 1,   /* hard relations between two buffers */
  LOSSES_PENALTIES = 2,   /* of reuse */
  LOSSES_LIMITS = 4,      /* windows and banks */
  LOSSES_NEAR = 8,        /* earlier offsets */
  LOSSES_POOLS = 16,      /* several arenas, and which of them a buffer may be in */
  LOSSES_POOL_FACTS = 32, /* their capacities, alignments, base addresses and costs */
  LOSSES_RESERVED = 64,   /* bytes */
  LOSSES_OBJECTIVE = 128,
  /* All that a list of offsets in one arena needs to know nothing of. */
  LOSSES_OFFSETS = 0xff & ~LOSSES_POOLS
};

/*
 * NEAP_ERROR_FORMAT names a constraint of the problem that is not in `kept`, a sum of the above, and
 * that `format`, such as "CSV", cannot hold.
 */
neap_status losses_refuse(const neap_problem *problem, unsigned kept, const char *format,
                          neap_error *error);

#endif
