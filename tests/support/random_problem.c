/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/random_problem.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/reference.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- dice */

uint64_t dice_roll(struct dice *dice, uint64_t bound) {
  uint64_t z = dice->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (z ^ (z >> 31)) % bound; /* the bounds are small: the bias does not matter */
}

bool dice_chance(struct dice *dice, unsigned percent) { return dice_roll(dice, 100) < percent; }

static int64_t between(struct dice *dice, int64_t low, int64_t high) {
  return low + (int64_t)dice_roll(dice, (uint64_t)(high - low + 1));
}

void dice_shuffle(struct dice *dice, size_t *order, size_t count) {
  for (size_t i = count; i > 1; i--) {
    size_t j = dice_roll(dice, i), held = order[i - 1];
    order[i - 1] = order[j];
    order[j] = held;
  }
}

/* ---------------------------------------------------------------- lifetimes */

typedef neap_range draw_range(struct dice *dice, size_t index, neap_time span);

static neap_range draw_scattered(struct dice *dice, size_t index, neap_time span) {
  (void)index;
  neap_time start = between(dice, 0, span - 1);
  return (neap_range){start, between(dice, start + 1, span)};
}

/* Short ones here and there. */
static neap_range draw_short(struct dice *dice, size_t index, neap_time span) {
  (void)index;
  neap_time start = between(dice, 0, span - 1);
  return (neap_range){start, start + between(dice, 1, 3)};
}

/* An operator's output lives to the next one; now and then it skips some. */
static neap_range draw_chain(struct dice *dice, size_t index, neap_time span) {
  neap_time start = (neap_time)index;
  return (neap_range){start, start + 2 + (dice_chance(dice, 20) ? between(dice, 1, span) : 0)};
}

/* A U: what is made early is read late. */
static neap_range draw_nested(struct dice *dice, size_t index, neap_time span) {
  neap_time start = (neap_time)(index % 16);
  return (neap_range){start, 2 * span + 30 - start + between(dice, 0, 1)};
}

static neap_range draw_same(struct dice *dice, size_t index, neap_time span) {
  (void)index;
  (void)span;
  neap_time start = between(dice, 0, 1);
  return (neap_range){start, start + between(dice, 1, 2)};
}

/* More ranges behind the first, with gaps of at least one moment between. */
static void draw_more_ranges(struct dice *dice, struct rectangle *rectangle) {
  size_t wanted = 1 + dice_roll(dice, INSTANCE_RANGES);
  while (rectangle->range_count < wanted) {
    neap_time start = rectangle->ranges[rectangle->range_count - 1].end + between(dice, 1, 4);
    rectangle->ranges[rectangle->range_count++] =
        (neap_range){start, start + between(dice, 1, 5)};
  }
}

/* ---------------------------------------------------------------- instances */

/* The character of an instance, drawn once for all of its rectangles. */
struct nature {
  draw_range *range;
  neap_time span;
  neap_size largest;
  unsigned gaps, alignments, zeros, fixed; /* per cent of the rectangles */
  bool distinct;
};

static struct nature draw_nature(struct dice *dice, unsigned with) {
  static draw_range *const ranges[] = {draw_scattered, draw_short, draw_chain, draw_nested,
                                       draw_same};
  static const neap_size sizes[] = {2, 5, 20, 1000, 1000000};
  return (struct nature){
      .range = ranges[dice_roll(dice, SAMPLE_COUNT(ranges))],
      .span = between(dice, 1, 30),
      .largest = sizes[dice_roll(dice, SAMPLE_COUNT(sizes))],
      .gaps = with & WITH_GAPS && dice_chance(dice, 40) ? 40 : 0,
      .alignments = with & WITH_ALIGNMENTS && dice_chance(dice, 40) ? 60 : 0,
      .zeros = with & WITH_ZEROS && dice_chance(dice, 30) ? 20 : 0,
      .fixed = with & MOSTLY_FIXED                          ? 50
               : with & WITH_FIXED && dice_chance(dice, 30) ? 30
                                                            : 0,
      .distinct = with & DISTINCT_SIZES,
  };
}

static struct rectangle draw_rectangle(struct dice *dice, const struct nature *nature,
                                       size_t index) {
  static const neap_size alignments[] = {2, 3, 4, 6, 8, 16, 64};
  struct rectangle rectangle = {.number = (unsigned)index, .alignment = 1, .range_count = 1};
  rectangle.size = between(dice, 1, nature->largest);
  if (nature->distinct) rectangle.size = rectangle.size * 64 + (neap_size)index;
  if (dice_chance(dice, nature->zeros)) rectangle.size = 0;
  if (dice_chance(dice, nature->alignments))
    rectangle.alignment = alignments[dice_roll(dice, SAMPLE_COUNT(alignments))];
  rectangle.fixed = NEAP_UNPLACED;
  rectangle.ranges[0] = nature->range(dice, index, nature->span);
  if (dice_chance(dice, nature->gaps)) draw_more_ranges(dice, &rectangle);
  return rectangle;
}

/* Draws an offset and takes it back where it collides with an earlier one. */
static void draw_fixed(struct dice *dice, const struct instance *instance, size_t index,
                       neap_size largest) {
  struct rectangle *rectangle = &instance->rectangles[index];
  rectangle->fixed =
      between(dice, 0, 3 * largest) / rectangle->alignment * rectangle->alignment;
  neap_offset offsets[2];
  for (size_t i = 0; i < index && rectangle->fixed != NEAP_UNPLACED; i++) {
    struct rectangle pair[] = {instance->rectangles[i], *rectangle};
    const struct instance both = {2, pair};
    neap_collision collisions[REFERENCE_MEETINGS];
    offsets[0] = pair[0].fixed;
    offsets[1] = pair[1].fixed;
    if (offsets[0] != NEAP_UNPLACED && reference_collisions(&both, offsets, collisions) > 0)
      rectangle->fixed = NEAP_UNPLACED;
  }
}

struct instance instance_random(uint64_t seed, size_t most, unsigned with) {
  struct dice dice = {seed * UINT64_C(0x2545f4914f6cdd1d) + 1};
  struct nature nature = draw_nature(&dice, with);
  struct instance instance = {.count = dice_roll(&dice, most + 1)};
  instance.rectangles = test_calloc(instance.count + 1, sizeof *instance.rectangles);
  for (size_t i = 0; i < instance.count; i++) {
    instance.rectangles[i] = draw_rectangle(&dice, &nature, i);
    if (dice_chance(&dice, nature.fixed)) draw_fixed(&dice, &instance, i, nature.largest);
  }
  return instance;
}

struct instance instance_copy(const struct instance *instance) {
  struct instance copy = {.count = instance->count};
  copy.rectangles = test_calloc(copy.count + 1, sizeof *copy.rectangles);
  memcpy(copy.rectangles, instance->rectangles, copy.count * sizeof *copy.rectangles);
  return copy;
}

void instance_free(struct instance *instance) {
  test_free(instance->rectangles);
  *instance = (struct instance){0};
}

neap_problem *instance_problem(const struct instance *instance) {
  neap_problem *problem = neap_problem_new();
  assert_non_null(problem);
  for (size_t i = 0; i < instance->count; i++) {
    const struct rectangle *rectangle = &instance->rectangles[i];
    char name[16];
    snprintf(name, sizeof name, "b%u", rectangle->number);
    neap_buffer buffer = {.struct_size = sizeof(neap_buffer),
                          .name = name,
                          .size = rectangle->size,
                          .alignment = rectangle->alignment,
                          .fixed_offset = rectangle->fixed,
                          .ranges = rectangle->ranges,
                          .range_count = rectangle->range_count};
    neap_error error;
    assert_ok(neap_problem_add(problem, &buffer, &error), &error);
  }
  return problem;
}

void instance_print(const struct instance *instance, uint64_t seed) {
  print_error("instance of seed %" PRIu64 ", %zu buffers:\n", seed, instance->count);
  for (size_t i = 0; i < instance->count; i++) {
    const struct rectangle *rectangle = &instance->rectangles[i];
    print_error("  %zu: size %" PRId64 " alignment %" PRId64 " fixed %" PRId64 " lives", i,
                rectangle->size, rectangle->alignment, rectangle->fixed);
    for (size_t r = 0; r < rectangle->range_count; r++)
      print_error(" [%" PRId64 ", %" PRId64 ")", rectangle->ranges[r].start,
                  rectangle->ranges[r].end);
    print_error("\n");
  }
}

void instance_expect(const struct instance *instance, uint64_t seed, const char *what,
                     bool holds) {
  if (holds) return;
  instance_print(instance, seed);
  fail_msg("%s", what);
}

size_t *instance_order(const struct instance *instance, struct dice *dice) {
  size_t *order = test_calloc(instance->count + 1, sizeof *order);
  for (size_t i = 0; i < instance->count; i++)
    order[i] = i;
  dice_shuffle(dice, order, instance->count);
  return order;
}
