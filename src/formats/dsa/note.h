/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is noted of a document that was read: all of it, as dsa-solver prints it, so that solutions
 * can name it and its ids.
 */
#ifndef FORMATS_DSA_NOTE_H
#define FORMATS_DSA_NOTE_H

#include <jansson.h>

#include "model/note.h"
#include "model/problem.h"

/* Notes a document that has been checked. */
neap_status note_set(struct neap_problem *problem, json_t *root, neap_error *error);

/* The note of a problem that was read from a document; NULL for others. */
const struct problem_note *note_of(const struct neap_problem *problem);

#endif
