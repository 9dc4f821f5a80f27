/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/note.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

static void *copy_note(const void *from) {
  const struct problem_note *note = from;
  struct problem_note *copy = memory_array(1, sizeof *copy + note->size);
  if (copy) memcpy(copy, note, sizeof *copy + note->size);
  return copy;
}

static const struct problem_memo_kind kind = {.copy = copy_note, .free = free};

bool problem_set_note(struct neap_problem *problem, const void *owner, const void *bytes,
                      size_t size) {
  struct problem_note *note = memory_array(1, sizeof *note + size);
  if (!note) return false;
  note->owner = owner;
  note->size = size;
  memcpy(note->bytes, bytes, size);
  problem_set_memo(problem, &kind, note);
  return true;
}

const struct problem_note *problem_note(const struct neap_problem *problem, const void *owner) {
  const struct problem_note *note = problem->memo_kind == &kind ? problem->memo : NULL;
  return note && note->owner == owner ? note : NULL;
}
