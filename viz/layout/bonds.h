/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The limits and the relations of each buffer, in words. */
#ifndef VIZ_LAYOUT_BONDS_H
#define VIZ_LAYOUT_BONDS_H

#include "model/problem.h"

/* Which relations each buffer has. */
struct bonds {
  size_t *ends;  /* per buffer: one past its last in `items` */
  size_t *items; /* indices of relations */
};

/* O(buffers + relations).  Zeroed bonds may be cleared. */
neap_status bonds_init(struct bonds *bonds, const struct neap_problem *problem,
                       neap_error *error);
void bonds_clear(struct bonds *bonds);

/* The first relation of a kind that two buffers have; NULL: none. */
const neap_relation *bonds_find(const struct bonds *bonds, const struct neap_problem *problem,
                                neap_relation_kind kind, size_t a, size_t b);

#define BONDS_TEXT 2048 /* bytes */

/* A line for each limit and relation of a buffer, each after a line break, or "". */
void bonds_describe(const struct bonds *bonds, const struct neap_problem *problem,
                    size_t buffer, char text[BONDS_TEXT]);

#endif
