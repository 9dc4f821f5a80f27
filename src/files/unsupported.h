/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which constraints of a problem a format cannot hold. */
#ifndef FILES_UNSUPPORTED_H
#define FILES_UNSUPPORTED_H

#include "model/problem.h"

/* The constraints that a format holds, or may lose because a plan has already met them. */
enum unsupported_kept {
  SUPPORTED_RELATIONS = 1,   /* hard relations between two buffers */
  SUPPORTED_PENALTIES = 2,   /* of reuse */
  SUPPORTED_LIMITS = 4,      /* windows and banks */
  SUPPORTED_NEAR = 8,        /* earlier offsets */
  SUPPORTED_POOLS = 16,      /* several arenas, and which of them a buffer may be in */
  SUPPORTED_POOL_FACTS = 32, /* their capacities, alignments, base addresses and costs */
  SUPPORTED_RESERVED = 64,   /* bytes */
  SUPPORTED_OBJECTIVE = 128,
  /* All constraints that a list of offsets in one arena can omit. */
  SUPPORTED_OFFSETS = 0xff & ~SUPPORTED_POOLS
};

/*
 * NEAP_ERROR_FORMAT names a constraint of the problem that is not in `kept`, a sum of the
 * above, and that `format`, such as "CSV", cannot hold.
 */
neap_status unsupported_refuse(const neap_problem *problem, unsigned kept, const char *format,
                               neap_error *error);

#endif
