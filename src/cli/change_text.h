/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes that would make a problem fit, in words. */
#ifndef CLI_CHANGE_TEXT_H
#define CLI_CHANGE_TEXT_H

#include <neap/proof.h>

#define CHANGE_TEXT_SIZE 1024

/* "free 'x' at 12 (after CONV_2D) instead of at 15 (after ADD)"; returns `text`. */
const char *change_text(char text[CHANGE_TEXT_SIZE], const neap_problem *problem,
                        const neap_change *change);

/* All changes of a fix, joined by "and". */
const char *change_text_fix(char text[CHANGE_TEXT_SIZE], const neap_problem *problem,
                            const neap_fix *fix);

/*
 * What changes cost, in a few words: "7 B", "5.00 KiB x steps", "a constraint" where they drop one, "other
 * kernels" where buffers overlap.
 */
const char *change_text_cost(char text[CHANGE_TEXT_SIZE], const neap_fix *fix);

/* Whether the kernels that run must allow it. */
bool change_needs_kernels(const neap_fix *fix);

#endif
