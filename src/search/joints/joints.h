/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Searches parts whose columns are full: joins rectangles that probably belong together
 * (search/joints/jigsaw), then searches the smaller part that results.
 */
#ifndef SEARCH_JOINTS_JOINTS_H
#define SEARCH_JOINTS_JOINTS_H

#include "core/budget.h"
#include "search/part.h"
#include "search/rules.h"
#include "search/verdict.h"

struct assembler;

/*
 * Sets *assembler, or sets it to NULL if it cannot help the part.  False when memory is short.
 */
bool assembler_new(struct assembler **assembler, const struct part *part, struct rules rules,
                   uint64_t seed);
void assembler_free(struct assembler *assembler);

/* Does one attempt, like decider_restart, but never refutes. */
enum verdict assembler_restart(struct assembler *assembler, neap_size capacity,
                               struct budget *budget);

/* The offsets of the part's rectangles, after VERDICT_FOUND. */
const neap_offset *assembler_offsets(const struct assembler *assembler);

#endif
