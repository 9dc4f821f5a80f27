/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/disjunctive/disjunctive.h"

#include <stdlib.h>
#include <string.h>

#include "core/knobs.h"
#include "core/memory.h"

/* The activity at which all activities are scaled down. */
#define MOST 1e100

bool activity_init(struct activity *activity, size_t pairs) {
  activity->bump = 1;
  activity->of = memory_array(pairs, sizeof *activity->of);
  return max_tree_init(&activity->offers, pairs) && activity->of;
}

void activity_clear(struct activity *activity) {
  max_tree_clear(&activity->offers);
  free(activity->of);
}

/* Numbers from 0 on have the order of their bits. */
static int64_t key_of(double number) {
  int64_t key;
  memcpy(&key, &number, sizeof key);
  return key;
}

static void update(struct activity *activity, size_t pair) {
  max_tree_set(&activity->offers, pair, key_of(activity->of[pair]));
}

void activity_offer(struct activity *activity, size_t pair) {
  if (!max_tree_has(&activity->offers, pair)) update(activity, pair);
}

void activity_withdraw(struct activity *activity, size_t pair) {
  max_tree_set(&activity->offers, pair, MAX_TREE_NONE);
}

size_t activity_highest(const struct activity *activity) {
  const int64_t highest = max_tree_largest(&activity->offers);
  return highest == MAX_TREE_NONE ? ACTIVITY_NONE
                                  : max_tree_next(&activity->offers, 0, highest);
}

static void scale_down(struct activity *activity) {
  for (size_t pair = 0; pair < activity->offers.count; pair++) {
    activity->of[pair] /= MOST;
    if (max_tree_has(&activity->offers, pair)) update(activity, pair);
  }
  activity->bump /= MOST;
}

void activity_raise(struct activity *activity, size_t pair) {
  activity->of[pair] += activity->bump;
  if (max_tree_has(&activity->offers, pair)) update(activity, pair);
  if (activity->of[pair] >= MOST) scale_down(activity);
}

void activity_fade(struct activity *activity) { activity->bump /= ORIENTER_FADING; }
