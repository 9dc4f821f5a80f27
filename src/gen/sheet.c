/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Perfect packings with few moments.  A sheet of 1000 moments by 100,000 bytes is cut as for the
 * kind `perfect`, but the pieces are more alike in area, and many begin and end at each moment:
 *
 *     perfect                    sheet
 *     ├──────┤   ├─────┤         ├──────┼─────┤
 *        ├─────┤    ├────┤       ├──┼───┼──┼──┤     Where a single piece ends and a single one
 *     ├────┤ ├───────┤           ├──┼──────┼──┤     begins, they lie at the same height.  Here
 *                                                   only sums of sizes tell which belong together.
 *
 * The piece of the largest area goes first, each area multiplied by a random factor from 0.3 to 1;
 * 30 % of the cuts are pinwheels, as long as pieces are at least 6 by 6.  The longer a piece is
 * relative to the sheet, the likelier it is cut in time rather than in size.
 */
#include "core/error.h"
#include "core/heap.h"
#include "gen/cuts.h"

#define DURATION 1000
#define SIZE 100000
#define PINWHEEL_LEAST 6

struct queue {
  struct cuts *cuts;
  struct heap heap; /* of pieces, with room for as many as are wanted */
};

/* Adds the piece, unless it is too small to be cut. */
static void push_piece(struct queue *queue, size_t at) {
  int64_t area = piece_area(&queue->cuts->pieces[at]);
  if (area > 1)
    heap_push_id(&queue->heap, -area * kind_between(queue->cuts->random, 300, 1000), at);
}

/* Whether to cut a piece in time: at random, by its share of the sheet's extents. */
static bool prefers_time(struct cuts *cuts, const struct piece *piece) {
  int64_t duration = piece_duration(piece), size = piece_size(piece);
  if (duration < 2 || size < 2) return duration >= 2;
  int64_t along_time = duration * SIZE * kind_between(cuts->random, 1, 1 << 20);
  return along_time > size * DURATION * kind_between(cuts->random, 1, 1 << 20);
}

static void cut_piece(struct cuts *cuts, size_t at) {
  const struct piece *piece = &cuts->pieces[at];
  bool fits = piece_duration(piece) >= PINWHEEL_LEAST && piece_size(piece) >= PINWHEEL_LEAST &&
              cuts->wanted - cuts->count >= 4;
  if (fits && kind_between(cuts->random, 0, 9) < 3) cuts_pinwheel(cuts, at);
  else if (prefers_time(cuts, piece)) cuts_time(cuts, at);
  else cuts_size(cuts, at);
}

/* The sheet's area is enough for as many pieces as can be wanted, so the queue never runs empty. */
static void cut_sheet(struct queue *queue) {
  struct cuts *cuts = queue->cuts;
  push_piece(queue, 0);
  while (cuts->count < cuts->wanted) {
    size_t at = heap_pop(&queue->heap).id, before = cuts->count;
    cut_piece(cuts, at);
    push_piece(queue, at);
    for (size_t added = before; added < cuts->count; added++)
      push_piece(queue, added);
  }
}

neap_status sheet_fill(neap_problem *problem, size_t count, struct random *random,
                       neap_error *error) {
  _Static_assert(NEAP_GENERATED_MAX <= (int64_t)DURATION * SIZE, "too many pieces");
  struct cuts cuts;
  struct queue queue = {.cuts = &cuts};
  bool ready = cuts_init(&cuts, DURATION, SIZE, count, random);
  ready = ready && heap_reserve(&queue.heap, count);
  if (ready) cut_sheet(&queue);
  neap_status status = ready ? cuts_add(&cuts, problem, error) : error_memory(error);
  heap_clear(&queue.heap);
  cuts_clear(&cuts);
  return status;
}
