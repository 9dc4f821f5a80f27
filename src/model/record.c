/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/record.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "model/problem.h"

bool problem_set_record(struct neap_problem *problem, const void *owner, const void *bytes,
                        size_t size) {
  struct problem_record *record = memory_array(1, sizeof *record + size);
  if (!record) return false;
  record->owner = owner;
  record->size = size;
  memcpy(record->bytes, bytes, size);
  free(problem->record);
  problem->record = record;
  return true;
}

const struct problem_record *problem_record(const struct neap_problem *problem,
                                            const void *owner) {
  const struct problem_record *record = problem->record;
  return record && record->owner == owner ? record : NULL;
}
