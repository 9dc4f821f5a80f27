/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is noted of a document that was read: all of it, as dsa-solver prints it, so that a solution
 * can name it and its ids.
 */
#ifndef FORMATS_DSA_NOTE_H
#define FORMATS_DSA_NOTE_H

#include <jansson.h>

#include "formats/dsa/printer.h"
#include "formats/note.h"
#include "model/problem.h"

/* A key of metadata: the order of neap's terms, where the document's own do not determine it. */
#define NOTE_OBJECTIVE "neap_objective"

/* Notes a document that has been checked. */
neap_status note_set(struct neap_problem *problem, json_t *root, neap_error *error);

/* The note of a problem that was read from a document; NULL for others. */
const struct problem_note *note_of(const struct neap_problem *problem);

/* Parses a note; NEAP_ERROR_MEMORY. */
neap_status note_parse(const struct problem_note *note, json_t **root, neap_error *error);

void note_fingerprint(const struct problem_note *note, char text[PRINTER_FINGERPRINT]);

#endif
