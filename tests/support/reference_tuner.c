/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/reference_tuner.h"

#include <string.h>

#include "tests/support/reference.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- groups */

static int64_t overlap_within(const struct instance *instance, const size_t *members,
                              size_t count, size_t buffer) {
  int64_t sum = 0;
  for (size_t i = 0; i < count; i++)
    if (members[i] != buffer)
      sum +=
          reference_overlap(&instance->rectangles[buffer], &instance->rectangles[members[i]]);
  return sum;
}

/* The remaining buffer that overlaps its class longest; SIZE_MAX if none remains. */
static size_t find_seed(const struct instance *instance, const size_t *members, size_t count,
                        const bool *grouped) {
  size_t seed = SIZE_MAX;
  int64_t longest = -1;
  for (size_t i = 0; i < count; i++) {
    int64_t overlap = overlap_within(instance, members, count, members[i]);
    if (grouped[members[i]] || overlap <= longest) continue;
    longest = overlap;
    seed = members[i];
  }
  return seed;
}

/* The remaining buffer that overlaps the seed longest, and enough; SIZE_MAX if there is none. */
static size_t find_member(const struct instance *instance, const size_t *members, size_t count,
                          const bool *grouped, size_t seed, int64_t thousandths) {
  const struct rectangle *of_seed = &instance->rectangles[seed];
  neap_time longest = 0, seed_duration = reference_overlap(of_seed, of_seed);
  size_t found = SIZE_MAX;
  for (size_t i = 0; i < count; i++) {
    const struct rectangle *rectangle = &instance->rectangles[members[i]];
    neap_time overlap = reference_overlap(of_seed, rectangle);
    neap_time duration = reference_overlap(rectangle, rectangle);
    neap_time shorter = duration < seed_duration ? duration : seed_duration;
    if (grouped[members[i]] || overlap <= longest || overlap * 1000 < thousandths * shorter)
      continue;
    longest = overlap;
    found = members[i];
  }
  return found;
}

size_t reference_groups(const struct instance *instance,
                        const struct reference_settings *settings, const size_t *class_members,
                        size_t count, size_t *members, size_t *ends) {
  bool *grouped = test_calloc(instance->count + 1, 1);
  size_t groups = 0, at = 0;
  for (size_t seed; (seed = find_seed(instance, class_members, count, grouped)) != SIZE_MAX;
       groups++) {
    size_t begin = at, next = seed;
    for (; next != SIZE_MAX && at - begin < settings->group_size;
         next = find_member(instance, class_members, count, grouped, seed,
                            settings->group_overlap)) {
      members[at++] = next;
      grouped[next] = true;
    }
    ends[groups] = at;
  }
  test_free(grouped);
  return groups;
}

/* ---------------------------------------------------------------- a run */

/* A run in the making. */
struct tuning {
  const struct instance *instance;
  const struct reference_settings *settings;
  size_t *sorted; /* rank of each buffer in the first order */
  neap_size bound;
  size_t *list; /* what lies in the container: groups already tuned, then the one being tuned */
  size_t list_count;
  neap_offset *offsets;
  size_t orders[REFERENCE_ROUNDS][REFERENCE_ROUNDS]; /* of all rounds so far */
};

static bool same_order(const size_t *a, const size_t *b, size_t count) {
  return count == 0 || memcmp(a, b, count * sizeof *a) == 0;
}

/* Stable: equal sizes stay by index. */
static void sort_by_size(const struct instance *instance, size_t *order) {
  for (size_t i = 0; i < instance->count; i++) {
    size_t at = i;
    for (; at > 0 && instance->rectangles[order[at - 1]].size < instance->rectangles[i].size;
         at--)
      order[at] = order[at - 1];
    order[at] = i;
  }
}

static void sort_by_rank(const struct tuning *tuning, size_t *members, size_t count) {
  for (size_t i = 1; i < count; i++) {
    size_t member = members[i], at = i;
    for (; at > 0 && tuning->sorted[members[at - 1]] > tuning->sorted[member]; at--)
      members[at] = members[at - 1];
    members[at] = member;
  }
}

/* Puts the list into an empty container; its peak. */
static neap_size place_list(struct tuning *tuning) {
  reference_place(tuning->instance, tuning->list, tuning->list_count, "lowest",
                  tuning->offsets);
  return reference_peak(tuning->instance, tuning->offsets);
}

static neap_offset end_of(const struct tuning *tuning, size_t buffer) {
  return tuning->offsets[buffer] + tuning->instance->rectangles[buffer].size;
}

/*
 * The highest member that ends above the bound, the first of equal ones; SIZE_MAX: none does.
 */
static size_t highest_offender(const struct tuning *tuning, const size_t *order, size_t count) {
  size_t highest = SIZE_MAX;
  for (size_t i = 0; i < count; i++)
    if (end_of(tuning, order[i]) > tuning->bound &&
        (highest == SIZE_MAX || end_of(tuning, order[i]) > end_of(tuning, highest)))
      highest = order[i];
  return highest;
}

/* What ends above the bound goes to the front; both parts keep their order. */
static void rearrange(const struct tuning *tuning, const size_t *order, size_t count,
                      size_t *next) {
  size_t highest = highest_offender(tuning, order, count), at = 0;
  for (int front = 1; front >= 0; front--)
    for (size_t i = 0; i < count; i++) {
      bool offends = tuning->settings->top ? order[i] == highest
                                           : end_of(tuning, order[i]) > tuning->bound;
      if (offends == front) next[at++] = order[i];
    }
}

/* Tunes the group at the end of the list, whose first member is at `begin`. */
static void tune_group(struct tuning *tuning, size_t begin) {
  size_t count = tuning->list_count - begin, *group = tuning->list + begin;
  size_t tried[REFERENCE_ROUNDS][REFERENCE_ROUNDS], best[REFERENCE_ROUNDS],
      next[REFERENCE_ROUNDS];
  neap_size best_peak = NEAP_MAX;
  sort_by_rank(tuning, group, count);
  for (uint64_t round = 0;; round++) {
    neap_size peak = place_list(tuning);
    if (peak < best_peak) {
      best_peak = peak;
      memcpy(best, group, count * sizeof *best);
    }
    memcpy(tried[round], group, count * sizeof *group);
    if (peak <= tuning->bound || round + 1 >= tuning->settings->max_group_rounds) break;
    rearrange(tuning, group, count, next);
    bool repeats = false;
    for (uint64_t r = 0; r <= round; r++)
      repeats |= same_order(tried[r], next, count);
    if (repeats) break;
    memcpy(group, next, count * sizeof *group);
  }
  memcpy(group, best, count * sizeof *group);
}

/* Groups a class and tunes its groups, one on top of the other.  Returns how many there are. */
static size_t tune_class(struct tuning *tuning, const size_t *order, const unsigned char *risks,
                         neap_risk risk) {
  size_t members[REFERENCE_ROUNDS], grouped[REFERENCE_ROUNDS], ends[REFERENCE_ROUNDS],
      count = 0;
  for (size_t i = 0; i < tuning->instance->count; i++)
    if (risks[order[i]] == risk) members[count++] = order[i];
  size_t groups =
      reference_groups(tuning->instance, tuning->settings, members, count, grouped, ends);
  for (size_t g = 0, at = 0; g < groups; g++) {
    size_t begin = tuning->list_count;
    while (at < ends[g])
      tuning->list[tuning->list_count++] = grouped[at++];
    tune_group(tuning, begin);
  }
  return groups;
}

static void make_next_order(struct tuning *tuning, const size_t *order,
                            const unsigned char *risks, neap_round *round) {
  tuning->list_count = 0;
  round->high_groups = tune_class(tuning, order, risks, NEAP_RISK_HIGH);
  round->medium_groups = tune_class(tuning, order, risks, NEAP_RISK_MEDIUM);
  for (int risk = NEAP_RISK_LOW; risk >= NEAP_RISK_NONE; risk--)
    for (size_t i = 0; i < tuning->instance->count; i++)
      if (risks[order[i]] == risk) tuning->list[tuning->list_count++] = order[i];
}

static bool should_stop(const struct tuning *tuning, uint64_t round, neap_size peak,
                        neap_stop_reason *reason) {
  size_t count = tuning->instance->count;
  bool repeats = false;
  for (uint64_t r = 0; r < round; r++)
    repeats |= same_order(tuning->orders[r], tuning->orders[round], count);
  if (peak <= tuning->bound) *reason = NEAP_STOP_BOUND;
  else if (repeats) *reason = NEAP_STOP_FIXED_POINT;
  else if (round + 1 >= tuning->settings->max_rounds) *reason = NEAP_STOP_ITERATION_CAP;
  else return false;
  return true;
}

/* Whether a round is the first of the best: by peak, then area, then count. */
static bool is_best(const struct reference_run *run, const neap_round *round) {
  for (const neap_round *other = run->rounds; other < round; other++) {
    if (other->peak < round->peak) return false;
    if (other->peak > round->peak) continue;
    if (other->excess_area < round->excess_area) return false;
    if (other->excess_area == round->excess_area && other->excess_count <= round->excess_count)
      return false;
  }
  return true;
}

/* Places the list as a round of its own; true when it was the last. */
static bool play_round(struct tuning *tuning, struct reference_run *run, unsigned char *risks) {
  size_t count = tuning->instance->count;
  neap_round *round = &run->rounds[run->count];
  memcpy(tuning->orders[run->count], tuning->list, count * sizeof *tuning->list);
  round->peak = place_list(tuning);
  round->round = run->count + 1;
  round->improved = true;
  for (uint64_t r = 0; r < run->count; r++)
    if (run->rounds[r].peak <= round->peak) round->improved = false;
  round->excess_area =
      reference_excess(tuning->instance, tuning->offsets, tuning->bound, &round->excess_count);
  if (is_best(run, round)) memcpy(run->offsets, tuning->offsets, count * sizeof *run->offsets);
  reference_classify(tuning->instance, tuning->offsets, tuning->bound, risks);
  for (size_t i = 0; i < count; i++)
    round->risk[risks[i]]++;
  return should_stop(tuning, run->count++, round->peak, &run->reason);
}

void reference_tune(const struct instance *instance, const struct reference_settings *settings,
                    struct reference_run *run) {
  size_t count = instance->count;
  assert_true(count < REFERENCE_ROUNDS && settings->max_rounds <= REFERENCE_ROUNDS &&
              settings->max_group_rounds <= REFERENCE_ROUNDS);
  struct tuning *tuning = test_calloc(1, sizeof *tuning);
  unsigned char *risks = test_calloc(count + 1, 1);
  *tuning = (struct tuning){.instance = instance, .settings = settings, .list_count = count};
  tuning->bound = reference_bound(instance);
  tuning->list = test_calloc(count + 1, sizeof *tuning->list);
  tuning->sorted = test_calloc(count + 1, sizeof *tuning->sorted);
  tuning->offsets = test_calloc(count + 1, sizeof *tuning->offsets);
  *run = (struct reference_run){.offsets = test_calloc(count + 1, sizeof *run->offsets)};
  sort_by_size(instance, tuning->list);
  for (size_t i = 0; i < count; i++)
    tuning->sorted[tuning->list[i]] = i;
  while (!play_round(tuning, run, risks))
    make_next_order(tuning, tuning->orders[run->count - 1], risks, &run->rounds[run->count]);
  test_free(tuning->list);
  test_free(tuning->sorted);
  test_free(tuning->offsets);
  test_free(risks);
  test_free(tuning);
}
