/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes relations in words, for messages. */
#ifndef FACTS_RELATION_TEXT_H
#define FACTS_RELATION_TEXT_H

#include "model/problem.h"

#define RELATION_TEXT 320

/*
 * "the separation of 'a' and 'b' (reason 'ping-pong')", "the colocation of 'b' 16 bytes above 'a'"
 * and so on.  Returns `text`.
 */
const char *relation_text(const struct neap_problem *problem, const neap_relation *relation,
                          char text[RELATION_TEXT]);

#define SHIFT_TEXT 48

/* "1 byte above", "16 bytes below", for a distance that is not 0.  Returns `text`. */
const char *shift_text(neap_size bytes, char text[SHIFT_TEXT]);

/*
 * Finds the first relation with one of the effects between two buffers, in any order of the two;
 * false if there is none.  O(relations), for messages.
 */
bool relation_between(const struct neap_problem *problem, unsigned effects, size_t a, size_t b,
                      neap_relation *found);

#endif
