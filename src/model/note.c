/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/note.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/problem.h"

bool problem_set_note(struct neap_problem *problem, const void *owner, const void *bytes,
                      size_t size) {
  struct problem_note *note = memory_array(1, sizeof *note + size);
  if (!note) return false;
  note->owner = owner;
  note->size = size;
  memcpy(note->bytes, bytes, size);
  free(problem->note);
  problem->note = note;
  return true;
}

const struct problem_note *problem_note(const struct neap_problem *problem, const void *owner) {
  const struct problem_note *note = problem->note;
  return note && note->owner == owner ? note : NULL;
}
