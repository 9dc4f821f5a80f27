/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/reference.h"

#include <string.h>

#include "neap/planner.h"
#include "tests/support/sample.h"

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

static int64_t up_to_multiple(int64_t value, int64_t alignment) {
  while (value % alignment != 0)
    value++;
  return value;
}

/* ---------------------------------------------------------------- time */

static neap_range meet(neap_range a, neap_range b) {
  return (neap_range){most(a.start, b.start), least(a.end, b.end)};
}

static bool live_together(const struct rectangle *a, const struct rectangle *b) {
  return reference_overlap(a, b) > 0;
}

neap_time reference_overlap(const struct rectangle *a, const struct rectangle *b) {
  neap_time sum = 0;
  for (size_t i = 0; i < a->range_count; i++)
    for (size_t j = 0; j < b->range_count; j++) {
      neap_range range = meet(a->ranges[i], b->ranges[j]);
      sum += most(0, range.end - range.start);
    }
  return sum;
}

static bool is_alive(const struct rectangle *rectangle, neap_time moment) {
  for (size_t r = 0; r < rectangle->range_count; r++)
    if (rectangle->ranges[r].start <= moment && moment < rectangle->ranges[r].end) return true;
  return false;
}

neap_size reference_live(const struct instance *instance, neap_time moment) {
  neap_size sum = 0;
  for (size_t i = 0; i < instance->count; i++)
    if (is_alive(&instance->rectangles[i], moment)) sum += instance->rectangles[i].size;
  return sum;
}

neap_time reference_horizon(const struct instance *instance) {
  neap_time last = 0;
  for (size_t i = 0; i < instance->count; i++) {
    const struct rectangle *rectangle = &instance->rectangles[i];
    last = most(last, rectangle->ranges[rectangle->range_count - 1].end);
  }
  return last;
}

neap_size reference_bound(const struct instance *instance) {
  neap_size bound = 0;
  neap_time horizon = reference_horizon(instance);
  for (neap_time moment = 0; moment < horizon; moment++)
    bound = most(bound, reference_live(instance, moment));
  return bound;
}

int64_t reference_metric(const struct instance *instance, size_t index) {
  int64_t sum = 0;
  for (size_t i = 0; i < instance->count; i++)
    if (i != index)
      sum += reference_overlap(&instance->rectangles[index], &instance->rectangles[i]);
  return sum;
}

/* ---------------------------------------------------------------- placing */

/* A container in the making: `sequence` is what was placed, in that order. */
struct container {
  const struct instance *instance;
  neap_offset *offsets;
  size_t *sequence;
  size_t count;
};

/* What stands in the way of rectangle `index`: placed, alive with it, and of some size. */
static bool in_the_way(const struct container *container, size_t placed, size_t index) {
  const struct rectangle *rectangles = container->instance->rectangles;
  return rectangles[placed].size > 0 && live_together(&rectangles[placed], &rectangles[index]);
}

static neap_offset end_of(const struct container *container, size_t placed) {
  return container->offsets[placed] + container->instance->rectangles[placed].size;
}

static bool is_free(const struct container *container, size_t index, neap_offset offset) {
  neap_offset end = offset + container->instance->rectangles[index].size;
  for (size_t i = 0; i < container->count; i++) {
    size_t placed = container->sequence[i];
    if (in_the_way(container, placed, index) && offset < end_of(container, placed) &&
        container->offsets[placed] < end)
      return false;
  }
  return true;
}

/* The smallest multiple of the alignment that is free: it is 0 or lies on top of something. */
static neap_offset choose_lowest(const struct container *container, size_t index) {
  neap_offset best = NEAP_MAX;
  neap_size alignment = container->instance->rectangles[index].alignment;
  if (is_free(container, index, 0)) return 0;
  for (size_t i = 0; i < container->count; i++) {
    size_t placed = container->sequence[i];
    neap_offset offset = up_to_multiple(end_of(container, placed), alignment);
    if (in_the_way(container, placed, index) && is_free(container, index, offset))
      best = least(best, offset);
  }
  return best;
}

/* Above everything that is in the way. */
static neap_offset choose_drop(const struct container *container, size_t index) {
  neap_offset top = 0;
  for (size_t i = 0; i < container->count; i++) {
    size_t placed = container->sequence[i];
    if (in_the_way(container, placed, index)) top = most(top, end_of(container, placed));
  }
  return up_to_multiple(top, container->instance->rectangles[index].alignment);
}

/*
 * Whether `index` is the first after the one at `place` in the sequence that overlaps it in
 * time.  What is fixed has no place in the order, and thus no next.
 */
static bool is_next_of(const struct container *container, size_t place, size_t index) {
  const struct rectangle *rectangles = container->instance->rectangles;
  const struct rectangle *before = &rectangles[container->sequence[place]];
  if (before->fixed != NEAP_UNPLACED) return false;
  for (size_t i = place + 1; i < container->count; i++)
    if (live_together(before, &rectangles[container->sequence[i]])) return false;
  return live_together(before, &rectangles[index]);
}

/* The lowest offset on top of a rectangle whose next it is; otherwise that of the rule lowest. */
static neap_offset choose_tight(const struct container *container, size_t index) {
  neap_offset best = NEAP_MAX;
  neap_size alignment = container->instance->rectangles[index].alignment;
  for (size_t i = 0; i < container->count; i++) {
    neap_offset offset = up_to_multiple(end_of(container, container->sequence[i]), alignment);
    if (is_next_of(container, i, index) && is_free(container, index, offset))
      best = least(best, offset);
  }
  return best < NEAP_MAX ? best : choose_lowest(container, index);
}

/* Where the hole that begins at `start` ends: the lowest offset in the way at or above it. */
static neap_offset hole_end(const struct container *container, size_t index,
                            neap_offset start) {
  neap_offset end = NEAP_MAX;
  for (size_t i = 0; i < container->count; i++) {
    size_t placed = container->sequence[i];
    neap_offset offset = container->offsets[placed];
    if (in_the_way(container, placed, index) && offset >= start) end = least(end, offset);
  }
  return end;
}

/* Holes begin at 0 and on top of what is in the way, unless something covers that byte. */
static bool hole_begins(const struct container *container, size_t index, neap_offset start) {
  for (size_t i = 0; i < container->count; i++) {
    size_t placed = container->sequence[i];
    if (in_the_way(container, placed, index) && container->offsets[placed] <= start &&
        start < end_of(container, placed))
      return false;
  }
  return true;
}

/*
 * The smallest hole that takes it, the lowest of equal ones; above everything if there is none.
 */
static neap_offset choose_best_fit(const struct container *container, size_t index) {
  const struct rectangle *rectangle = &container->instance->rectangles[index];
  neap_size smallest = NEAP_MAX;
  neap_offset best = NEAP_MAX;
  for (size_t i = 0; i <= container->count; i++) {
    neap_offset start = 0;
    if (i < container->count) {
      if (!in_the_way(container, container->sequence[i], index)) continue;
      start = end_of(container, container->sequence[i]);
    }
    neap_offset end = hole_end(container, index, start);
    neap_offset offset = up_to_multiple(start, rectangle->alignment);
    if (end == NEAP_MAX || !hole_begins(container, index, start)) continue;
    if (offset + rectangle->size > end) continue;
    if (end - start < smallest || (end - start == smallest && offset < best)) {
      smallest = end - start;
      best = offset;
    }
  }
  return best < NEAP_MAX ? best : choose_drop(container, index);
}

static neap_offset choose(const struct container *container, size_t index, const char *rule) {
  if (container->instance->rectangles[index].size == 0) return 0;
  if (strcmp(rule, "lowest") == 0) return choose_lowest(container, index);
  if (strcmp(rule, "drop") == 0) return choose_drop(container, index);
  if (strcmp(rule, "tight") == 0) return choose_tight(container, index);
  if (strcmp(rule, "best-fit") == 0) return choose_best_fit(container, index);
  fail_msg("rule \"%s\" has no reference", rule);
  return 0;
}

static void put(struct container *container, size_t index, neap_offset offset) {
  container->offsets[index] = offset;
  container->sequence[container->count++] = index;
}

static struct container container_new(const struct instance *instance, neap_offset *offsets) {
  struct container container = {instance, offsets, NULL, 0};
  container.sequence = test_calloc(instance->count + 1, sizeof *container.sequence);
  for (size_t i = 0; i < instance->count; i++)
    offsets[i] = NEAP_UNPLACED;
  for (size_t i = 0; i < instance->count; i++)
    if (instance->rectangles[i].fixed != NEAP_UNPLACED)
      put(&container, i, instance->rectangles[i].fixed);
  return container;
}

void reference_place(const struct instance *instance, const size_t *order, size_t placed,
                     const char *rule, neap_offset *offsets) {
  struct container container = container_new(instance, offsets);
  for (size_t i = 0; i < placed; i++)
    if (offsets[order[i]] == NEAP_UNPLACED)
      put(&container, order[i], choose(&container, order[i], rule));
  test_free(container.sequence);
}

neap_size reference_peak(const struct instance *instance, const neap_offset *offsets) {
  neap_size peak = 0;
  for (size_t i = 0; i < instance->count; i++)
    if (offsets[i] != NEAP_UNPLACED)
      peak = most(peak, offsets[i] + instance->rectangles[i].size);
  return peak;
}

/* ---------------------------------------------------------------- the optimum */

/* Tries every buffer as the next one; gives up layouts that are no lower than the best so far. */
static void search(struct container *container, neap_size peak, neap_size *best) {
  if (peak >= *best) return;
  if (container->count == container->instance->count) {
    *best = peak;
    return;
  }
  for (size_t i = 0; i < container->instance->count; i++) {
    if (container->offsets[i] != NEAP_UNPLACED) continue;
    put(container, i, choose(container, i, "lowest"));
    search(container, most(peak, end_of(container, i)), best);
    container->offsets[i] = NEAP_UNPLACED;
    container->count--;
  }
}

neap_size reference_optimum(const struct instance *instance) {
  neap_offset offsets[8];
  neap_size best = NEAP_MAX;
  assert_true(instance->count <= SAMPLE_COUNT(offsets));
  struct container container = container_new(instance, offsets);
  search(&container, reference_peak(instance, offsets), &best);
  test_free(container.sequence);
  return best;
}

/* ---------------------------------------------------------------- risk and collisions */

/* Whether `index` is among those marked or overlaps one of them in time. */
static bool near_marked(const struct instance *instance, const bool *marked, size_t index) {
  for (size_t i = 0; i < instance->count; i++)
    if (marked[i] &&
        (i == index || live_together(&instance->rectangles[i], &instance->rectangles[index])))
      return true;
  return false;
}

static neap_size bytes_above(const struct rectangle *rectangle, neap_offset offset,
                             neap_size threshold) {
  neap_offset end = offset + rectangle->size;
  return end <= threshold ? 0 : end - most(offset, threshold);
}

int64_t reference_excess(const struct instance *instance, const neap_offset *offsets,
                         neap_size threshold, size_t *count) {
  int64_t area = 0;
  neap_time horizon = reference_horizon(instance);
  *count = 0;
  for (size_t i = 0; i < instance->count; i++) {
    const struct rectangle *rectangle = &instance->rectangles[i];
    *count += offsets[i] + rectangle->size > threshold;
    for (neap_time moment = 0; moment < horizon; moment++)
      if (is_alive(rectangle, moment)) area += bytes_above(rectangle, offsets[i], threshold);
  }
  return area;
}

void reference_classify(const struct instance *instance, const neap_offset *offsets,
                        neap_size threshold, unsigned char *risks) {
  size_t count = instance->count;
  bool *over = test_calloc(count + 1, 1), *at = test_calloc(count + 1, 1);
  bool *risky = test_calloc(count + 1, 1);
  for (size_t i = 0; i < count; i++) {
    neap_offset end = offsets[i] + instance->rectangles[i].size;
    over[i] = end > threshold;
    at[i] = end == threshold;
  }
  for (size_t i = 0; i < count; i++) {
    bool high = near_marked(instance, over, i), medium = near_marked(instance, at, i);
    risks[i] = high ? NEAP_RISK_HIGH : medium ? NEAP_RISK_MEDIUM : NEAP_RISK_NONE;
    risky[i] = high || medium;
  }
  for (size_t i = 0; i < count; i++)
    if (!risky[i] && near_marked(instance, risky, i)) risks[i] = NEAP_RISK_LOW;
  test_free(over);
  test_free(at);
  test_free(risky);
}

/* Adds a collision for every range of time in which both live; those come in order. */
static size_t add_meetings(const struct rectangle *a, const struct rectangle *b,
                           neap_collision collision, neap_collision *collisions) {
  size_t count = 0;
  for (size_t i = 0; i < a->range_count; i++)
    for (size_t j = 0; j < b->range_count; j++) {
      collision.when = meet(a->ranges[i], b->ranges[j]);
      if (collision.when.start < collision.when.end) collisions[count++] = collision;
    }
  return count;
}

size_t reference_collisions(const struct instance *instance, const neap_offset *offsets,
                            neap_collision *collisions) {
  size_t count = 0;
  for (size_t i = 0; i < instance->count; i++)
    for (size_t j = i + 1; j < instance->count; j++) {
      const struct rectangle *a = &instance->rectangles[i], *b = &instance->rectangles[j];
      if (offsets[i] == NEAP_UNPLACED || offsets[j] == NEAP_UNPLACED) continue;
      neap_collision collision = {.first = i, .second = j};
      collision.low = most(offsets[i], offsets[j]);
      collision.high = least(offsets[i] + a->size, offsets[j] + b->size);
      if (collision.low < collision.high)
        count += add_meetings(a, b, collision, collisions + count);
    }
  return count;
}
