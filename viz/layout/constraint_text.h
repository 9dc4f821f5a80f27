/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The limits and the relations of each buffer, in words. */
#ifndef VIZ_LAYOUT_CONSTRAINT_TEXT_H
#define VIZ_LAYOUT_CONSTRAINT_TEXT_H

#include "facts/relation_index.h"

#define BONDS_TEXT 2048 /* bytes */

/* Writes a line for each limit and relation of a buffer, each after a line break, or "". */
void constraint_text(const struct relation_index *bonds, const struct neap_problem *problem,
                     size_t buffer, char text[BONDS_TEXT]);

#endif
