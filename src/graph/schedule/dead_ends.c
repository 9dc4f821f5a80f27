/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A depth-first search notices late that it cannot succeed: only where no operator fits below
 * the limit.  Often an operator that does not fit had no chance long before, because in every
 * order that continues, too much is alive while it runs.  A minimum cut proves this
 * (schedule/operator_cuts) if its set contains all operators that have run:
 *
 *     o --- o --- o --- o --- o --- o   no operator fits; k is one that does not
 *     |           |           |
 *     fits        exceeds     exceeds   cuts of k: the search goes back beyond the third set
 *
 * A larger set has no lower cut, so the first set that exceeds the limit is found by bisection.
 *
 * The operators that most often did not fit at dead ends are tried first; the count of an operator
 * is halved if it fits.  The more work a try takes, the more visits pass before the next one.
 */
#include "schedule/operator_cuts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/knobs.h"
#include "core/memory.h"
#include "schedule/operator_set.h"

bool dead_ends_init(struct dead_ends *dead_ends, const struct segment *segment,
                    uint64_t patience) {
  *dead_ends =
      (struct dead_ends){.words = set_words(segment->count), .patience = patience, .factor = 1};
  bool has_room = closure_init(&dead_ends->closure, segment);
  dead_ends->ran = memory_array(dead_ends->words, sizeof *dead_ends->ran);
  dead_ends->tried = memory_array(dead_ends->words, sizeof *dead_ends->tried);
  dead_ends->refusals = memory_array(segment->count, sizeof *dead_ends->refusals);
  dead_ends->closure.ran = dead_ends->ran;
  return has_room && dead_ends->ran && dead_ends->tried && dead_ends->refusals;
}

void dead_ends_clear(struct dead_ends *dead_ends) {
  closure_clear(&dead_ends->closure);
  free(dead_ends->ran);
  free(dead_ends->tried);
  free(dead_ends->refusals);
}

bool dead_ends_is_due(struct dead_ends *dead_ends) {
  return ++dead_ends->visits >= dead_ends->patience;
}

static void take_set(struct dead_ends *dead_ends, const struct dead_ends_path *path,
                     size_t at) {
  memset(dead_ends->ran, 0, dead_ends->words * sizeof *dead_ends->ran);
  for (size_t i = 0; i < path->ends[at]; i++)
    set_add(dead_ends->ran, path->trail[i]);
}

/*
 * The operator that has not run, was not tried, and was refused most often; COSTS_NONE if none
 * was.
 */
static size_t most_refused(const struct dead_ends *dead_ends) {
  size_t best = COSTS_NONE, most = 0;
  for (size_t k = 0; k < dead_ends->closure.segment->count; k++)
    if (dead_ends->refusals[k] > most && !set_has(dead_ends->ran, k) &&
        !set_has(dead_ends->tried, k)) {
      best = k;
      most = dead_ends->refusals[k];
    }
  return best;
}

/* Finds an operator that exceeds the limit after the last set; COSTS_NONE if none was found. */
static bool find_operator(struct dead_ends *dead_ends, neap_size limit, struct budget *budget,
                          size_t *found, neap_size *bytes) {
  memset(dead_ends->tried, 0, dead_ends->words * sizeof *dead_ends->tried);
  for (size_t i = 0; i < DEAD_ENDS_OPERATORS; i++) {
    *found = most_refused(dead_ends);
    if (*found == COSTS_NONE) return true;
    if (!closure_find(&dead_ends->closure, *found, budget, bytes)) return false;
    if (*bytes > limit) return true;
    set_add(dead_ends->tried, *found);
    dead_ends->refusals[*found] /= 2;
  }
  *found = COSTS_NONE;
  return true;
}

/* Moves a dead end to the first set after which operator k exceeds the limit. */
static bool go_back(struct dead_ends *dead_ends, const struct dead_ends_path *path, size_t k,
                    neap_size limit, struct budget *budget, struct dead_end *end) {
  for (size_t low = 0; low < end->at;) {
    size_t middle = low + (end->at - low) / 2;
    neap_size bytes;
    take_set(dead_ends, path, middle);
    if (!closure_find(&dead_ends->closure, k, budget, &bytes)) return false;
    if (bytes > limit) *end = (struct dead_end){middle, k, bytes};
    else low = middle + 1;
  }
  return true;
}

/* Each try in vain doubles the wait for the next one. */
static void wait(struct dead_ends *dead_ends, uint64_t ticks, bool is_found) {
  if (is_found) dead_ends->factor = 1;
  else if (dead_ends->factor * 2 <= DEAD_ENDS_FACTOR_MOST) dead_ends->factor *= 2;
  dead_ends->patience = dead_ends->factor * (DEAD_ENDS_VISITS + ticks / DEAD_ENDS_TICKS);
  dead_ends->visits = 0;
}

bool dead_ends_find(struct dead_ends *dead_ends, const struct dead_ends_path *path,
                    neap_size limit, struct budget *budget, struct dead_end *found) {
  assert(path->count > 0);
  size_t last = path->count - 1, k;
  neap_size bytes;
  uint64_t ticks = budget->ticks;
  *found = (struct dead_end){path->count, COSTS_NONE, 0};
  take_set(dead_ends, path, last);
  if (!find_operator(dead_ends, limit, budget, &k, &bytes)) return false;
  if (k != COSTS_NONE) {
    *found = (struct dead_end){last, k, bytes};
    if (!go_back(dead_ends, path, k, limit, budget, found)) return false;
  }
  wait(dead_ends, budget->ticks - ticks, k != COSTS_NONE);
  return true;
}
