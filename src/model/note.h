/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A note that a format attaches to a problem when it reads it, so that it can write the problem
 * back in the same form.  Only the format knows what the bytes mean.
 */
#ifndef MODEL_NOTE_H
#define MODEL_NOTE_H

#include "neap/neap.h"
#include <stdbool.h>
#include <stddef.h>

struct neap_problem;

struct problem_note {
  const void *owner; /* an address that identifies the format */
  size_t size;
  unsigned char bytes[];
};

/* Replaces the note by a copy of `size` bytes; false if memory is short. */
bool problem_set_note(struct neap_problem *problem, const void *owner, const void *bytes,
                      size_t size);

/* The note of this owner; NULL if there is none. */
const struct problem_note *problem_note(const struct neap_problem *problem, const void *owner);

#endif
