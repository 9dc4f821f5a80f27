/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Searches for layouts of parts whose columns are full: first joins the rectangles that belong
 * together (search/jigsaw), then searches what is left.
 */
#ifndef SEARCH_ASSEMBLER_H
#define SEARCH_ASSEMBLER_H

#include "core/budget.h"
#include "search/part.h"
#include "search/rules.h"
#include "search/verdict.h"

struct assembler;

/* Sets *assembler, to NULL if it cannot help the part.  False when memory is short. */
bool assembler_new(struct assembler **assembler, const struct part *part, struct rules rules,
                   uint64_t seed);
void assembler_free(struct assembler *assembler);

/* Searches a while, as decider_restart does, but never refutes. */
enum verdict assembler_restart(struct assembler *assembler, neap_size capacity,
                               struct budget *budget);

/* The offsets of the part's rectangles, after VERDICT_FOUND. */
const neap_offset *assembler_offsets(const struct assembler *assembler);

#endif
