/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The limits and the relations of each buffer, in words. */
#ifndef VIZ_TIES_H
#define VIZ_TIES_H

#include "model/problem.h"

/* Which relations each buffer has. */
struct ties {
  size_t *ends;  /* per buffer: one past its last in `items` */
  size_t *items; /* indices of relations */
};

/* O(buffers + relations).  Zeroed ties may be cleared. */
neap_status ties_init(struct ties *ties, const struct neap_problem *problem, neap_error *error);
void ties_clear(struct ties *ties);

/* The first relation of a kind that two buffers have; NULL: none. */
const neap_relation *ties_find(const struct ties *ties, const struct neap_problem *problem,
                               neap_relation_kind kind, size_t a, size_t b);

#define TIES_TEXT 2048 /* bytes */

/* A line for each limit and relation of a buffer, each after a line break, or "". */
void ties_describe(const struct ties *ties, const struct neap_problem *problem, size_t buffer,
                   char text[TIES_TEXT]);

#endif
