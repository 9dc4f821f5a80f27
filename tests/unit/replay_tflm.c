/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replays TensorFlow Lite Micro's greedy planner (doc/tflm-greedy.md). */
#include "core/checked.h"
#include "runtimes/tflm_greedy.h"
#include "tests/unit/replay.h"

static struct records read_requests(const json_t *requests) {
  struct records records = {.count = json_array_size(requests)};
  records.items = test_calloc(records.count + 1, sizeof *records.items);
  for (size_t i = 0; i < records.count; i++) {
    const json_t *request = json_array_get(requests, i);
    assert_int_equal(member_integer(request, "id"), i);
    records.items[i] =
        (struct record){member_integer(request, "size"), member_integer(request, "first"),
                        member_integer(request, "last")};
  }
  return records;
}

/* The runtime rounds the size of every request, and so the end of the highest one. */
void replay_tflm_requests(const json_t *vector) {
  struct records records = read_requests(member_array(vector, "requests"));
  neap_size alignment = member_integer(vector, "alignment"), total;
  neap_offset *offsets = test_calloc(records.count + 1, sizeof *offsets);
  const json_t *expected = member(vector, "expected");
  struct budget budget;
  neap_error error;
  budget_init(&budget, 0, 0);
  assert_ok(tflm_greedy(&records, alignment, offsets, &total, &budget, &error), &error);
  expect_integers(member_array(expected, "offsets"), offsets, records.count, "offsets");
  assert_int_equal(round_up(total, alignment), member_integer(expected, "head"));
  test_free(offsets);
  test_free(records.items);
}
