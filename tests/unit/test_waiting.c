/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waiting buffers, against the definition: a buffer waits until one placed after it overlaps it in time. */
#include <stdlib.h>

#include "core/random.h"
#include "place/waiting.h"
#include "tests/unit/sample.h"

#define BUFFERS 60
#define HORIZON 40
#define ROUNDS 200

static struct sample samples[BUFFERS];

static bool overlap(size_t a, size_t b) {
  return samples[a].start < samples[b].end && samples[b].start < samples[a].end;
}

static neap_problem *random_samples(struct random *random) {
  for (size_t i = 0; i < BUFFERS; i++) {
    neap_time start = random_below(random, HORIZON);
    samples[i] = (struct sample){
        .start = start, .end = start + 1 + random_below(random, HORIZON / 4), .size = 1};
  }
  return sample_problem(samples, BUFFERS);
}

/* Adds a buffer to both, and expects that they meet the same. */
static void meet(struct waiting *waiting, bool *waits, size_t next) {
  bool met[BUFFERS] = {false};
  size_t count = 0;
  assert_true(waiting_meet(waiting, next));
  for (size_t i = 0; i < waiting->met_count; i++)
    met[waiting->met[i]] = true;
  for (size_t i = 0; i < BUFFERS; i++) {
    bool expected = waits[i] && overlap(i, next);
    assert_int_equal(met[i], expected);
    count += expected;
    if (expected) waits[i] = false;
  }
  assert_int_equal(waiting->met_count, count);
  waits[next] = true;
}

/* Places buffers `from` to `end` of an order. */
static void meet_all(struct waiting *waiting, bool *waits, const size_t *order, size_t from,
                     size_t end) {
  for (size_t i = from; i < end; i++)
    meet(waiting, waits, order[i]);
}

static void shuffle(struct random *random, size_t *order) {
  for (size_t i = 0; i < BUFFERS; i++) {
    size_t other = random_below(random, (uint32_t)i + 1);
    order[i] = order[other];
    order[other] = i;
  }
}

/* Goes back from the end to the middle, and on in another order, as trials of the tuner do. */
static void buffers_wait_for_the_next_that_overlaps(void **state) {
  (void)state;
  struct random random;
  assert_true(random_init(&random, 1));
  for (int round = 0; round < ROUNDS; round++) {
    struct sections sections;
    struct waiting waiting;
    neap_error error;
    size_t order[BUFFERS];
    bool waits[BUFFERS] = {false}, kept[BUFFERS];
    neap_problem *problem = random_samples(&random);
    shuffle(&random, order);
    assert_ok(sections_init(&sections, problem, SECTIONS_ALL, &error), &error);
    assert_true(waiting_init(&waiting, &sections, BUFFERS));
    for (int layout = 0; layout < 2; layout++) {
      size_t middle = random_below(&random, BUFFERS);
      meet_all(&waiting, waits, order, 0, middle);
      memcpy(kept, waits, sizeof kept);
      waiting.logging = true;
      size_t mark = waiting.change_count;
      meet_all(&waiting, waits, order, middle, BUFFERS);
      waiting_undo(&waiting, mark);
      memcpy(waits, kept, sizeof kept);
      for (size_t i = BUFFERS; i-- > middle;)
        meet(&waiting, waits, order[i]);
      waiting_reset(&waiting, BUFFERS);
      memset(waits, 0, sizeof waits);
    }
    waiting_clear(&waiting);
    sections_clear(&sections);
    neap_problem_free(problem);
  }
  random_clear(&random);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(buffers_wait_for_the_next_that_overlaps),
  };
  return cmocka_run_group_tests_name("waiting", tests, NULL, NULL);
}
