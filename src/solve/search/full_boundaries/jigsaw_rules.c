/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pieces that end at a boundary between full columns take the same bytes as the pieces that
 * begin there.  So these pieces form blocks: runs of bytes in which the sizes that end and the
 * sizes that begin have the same sum.  Unless sums are equal by coincidence, equal sums are
 * blocks.
 *
 *     a pinwheel      ┌──────z───┬──w──┐      Where c begins, x ends, and c and y take its place;
 *                     │          │     │      where c ends, z does, too, and w takes their place.
 *                     ├────┬──c──┤     │      Then c lies between y and z, and if also x and z
 *                     │    ├─────┴─────┤      begin together and y and w end together, the five
 *                     │ x  │     y     │      are a rectangle.
 *                     └────┴───────────┘
 *
 * Pieces of one lifetime are *mates*.  Suppose that every block that holds one of two mates, at
 * their begin or at their end, also holds the other.  Then all pieces between the two begin and
 * end with them, so the mates can be moved next to each other.
 *
 * Coincidences make this uncertain.  The fewer pieces begin and end at a boundary, the less
 * likely they are, so pairs of equal pieces are joined first at boundaries with few pieces.
 */
#include <assert.h>
#include <string.h>

#include "core/knobs.h"
#include "search/full_boundaries/jigsaw.h"
#include "search/refuted.h"

/*
 * Mates are not tested if more pieces begin or end at their boundary: the sums of half of these
 * pieces must fit a third of JIGSAW_SUMS.
 */
#define BLOCK_MOST 20

/* Boundaries with more triples of pieces than this are not searched for pinwheels. */
#define TRIPLES_MOST 1000000

/* Each boundary has a list of the pieces that start there and one of those that end there. */
enum side { STARTS, ENDS };

static uint32_t first_of(const struct jigsaw *jigsaw, uint32_t boundary, enum side side) {
  const struct jigsaw_boundary *at = &jigsaw->boundaries[boundary];
  return side == STARTS ? at->starts : at->ends;
}

static uint32_t count_of(const struct jigsaw *jigsaw, uint32_t boundary, enum side side) {
  const struct jigsaw_boundary *at = &jigsaw->boundaries[boundary];
  return side == STARTS ? at->start_count : at->end_count;
}

static uint32_t next_of(const struct jigsaw *jigsaw, uint32_t id, enum side side) {
  const struct jigsaw_piece *piece = &jigsaw->pieces[id];
  return side == STARTS ? piece->next_start : piece->next_end;
}

static uint32_t events_at(const struct jigsaw *jigsaw, uint32_t boundary) {
  return count_of(jigsaw, boundary, STARTS) + count_of(jigsaw, boundary, ENDS);
}

/* Whether this variant makes an uncertain joint. */
static bool is_tried(const struct jigsaw *jigsaw, uint32_t boundary, neap_size size) {
  if (jigsaw->variant == 0 || jigsaw->variant == JIGSAW_CERTAIN) return jigsaw->variant == 0;
  uint64_t place = (uint64_t)size * jigsaw->part->column_count + boundary;
  uint64_t hash = (uint64_t)(refuted_multiplier(place ^ jigsaw->variant << 48) >> 64);
  return hash % JIGSAW_LEFT_OUT >= events_at(jigsaw, boundary);
}

/* The only piece of a size in a list; JIGSAW_NONE if there is none, or more than one. */
static uint32_t only_of_size(const struct jigsaw *jigsaw, uint32_t boundary, enum side side,
                             neap_size size) {
  uint32_t found = JIGSAW_NONE;
  for (uint32_t id = first_of(jigsaw, boundary, side); id != JIGSAW_NONE;
       id = next_of(jigsaw, id, side)) {
    if (jigsaw->pieces[id].size != size) continue;
    if (found != JIGSAW_NONE) return JIGSAW_NONE;
    found = id;
  }
  return found;
}

/* ---------------------------------------------------------------- a piece that continues */

/*
 * Joins a piece that ends with one of the same size that begins, if at most `most` pieces begin
 * or end there.
 */
static bool join_equals(struct jigsaw *jigsaw, uint32_t at, uint32_t most) {
  const struct jigsaw_piece *pieces = jigsaw->pieces;
  if (!jigsaw->boundaries[at].is_full || events_at(jigsaw, at) > most) return false;
  for (uint32_t a = first_of(jigsaw, at, ENDS); a != JIGSAW_NONE;
       a = next_of(jigsaw, a, ENDS)) {
    neap_size size = pieces[a].size;
    uint32_t b = only_of_size(jigsaw, at, STARTS, size);
    if (b == JIGSAW_NONE || only_of_size(jigsaw, at, ENDS, size) != a) continue;
    if (most > 2 && !is_tried(jigsaw, at, size)) continue;
    struct jigsaw_joint joints[] = {{a, 0}, {b, 0}};
    jigsaw_join(jigsaw, pieces[a].start, pieces[b].end, size, joints, 2);
    return true;
  }
  return false;
}

/* ---------------------------------------------------------------- pinwheels */

/* Given c, x and y of a pinwheel, finds z and w where c ends, and joins the five. */
static bool close_pinwheel(struct jigsaw *jigsaw, uint32_t c, uint32_t x, uint32_t y) {
  const struct jigsaw_piece *pieces = jigsaw->pieces;
  uint32_t at = pieces[c].end;
  for (uint32_t z = first_of(jigsaw, at, ENDS); z != JIGSAW_NONE;
       z = next_of(jigsaw, z, ENDS)) {
    if (z == c || pieces[z].start != pieces[x].start) continue;
    neap_size size = pieces[c].size + pieces[z].size;
    for (uint32_t w = first_of(jigsaw, at, STARTS); w != JIGSAW_NONE;
         w = next_of(jigsaw, w, STARTS)) {
      if (pieces[w].size != size || pieces[w].end != pieces[y].end) continue;
      struct jigsaw_joint joints[] = {
          {x, 0}, {y, 0}, {c, pieces[y].size}, {w, pieces[y].size}, {z, pieces[x].size}};
      jigsaw_join(jigsaw, pieces[x].start, pieces[y].end, pieces[x].size + pieces[z].size,
                  joints, 5);
      return true;
    }
  }
  return false;
}

static bool has_pinwheel(struct jigsaw *jigsaw, uint32_t c) {
  const struct jigsaw_piece *pieces = jigsaw->pieces;
  uint32_t at = pieces[c].start, end = pieces[c].end;
  if (!jigsaw->boundaries[at].is_full || !jigsaw->boundaries[end].is_full) return false;
  if (jigsaw->variant == JIGSAW_CERTAIN &&
      (events_at(jigsaw, at) > 3 || events_at(jigsaw, end) > 3))
    return false;
  for (uint32_t x = first_of(jigsaw, at, ENDS); x != JIGSAW_NONE; x = next_of(jigsaw, x, ENDS))
    for (uint32_t y = first_of(jigsaw, at, STARTS); y != JIGSAW_NONE;
         y = next_of(jigsaw, y, STARTS))
      if (y != c && pieces[x].size == pieces[c].size + pieces[y].size &&
          close_pinwheel(jigsaw, c, x, y))
        return true;
  return false;
}

/* Joins a pinwheel whose centre begins or ends here. */
static bool join_pinwheels(struct jigsaw *jigsaw, uint32_t at, uint32_t most) {
  uint64_t starts = count_of(jigsaw, at, STARTS), ends = count_of(jigsaw, at, ENDS);
  if (starts * ends * (starts + ends) > most) return false;
  for (int side = STARTS; side <= ENDS; side++)
    for (uint32_t c = first_of(jigsaw, at, side); c != JIGSAW_NONE;
         c = next_of(jigsaw, c, side))
      if (has_pinwheel(jigsaw, c)) return true;
  return false;
}

/* ---------------------------------------------------------------- sums of sizes */

/* Merges the sums with and without one more size into `to`, in ascending order. */
static void add_size(const int64_t *sums, size_t count, int64_t size, int64_t *to) {
  size_t without = 0, with = 0;
  while (without < count || with < count) {
    bool is_without = with == count || (without < count && sums[without] <= sums[with] + size);
    *to++ = is_without ? sums[without++] : sums[with++] + size;
  }
}

/* All sums of subsets of the sizes, in ascending order, in `sums`; returns their number. */
static size_t list_sums(const int64_t *sizes, size_t count, int64_t *sums, int64_t *scratch) {
  size_t found = 1;
  sums[0] = 0;
  for (size_t i = 0; i < count; i++, found *= 2) {
    add_size(sums, found, sizes[i], scratch);
    memcpy(sums, scratch, 2 * found * sizeof *sums);
  }
  return found;
}

/* Whether some of the sizes add up to a sum (Horowitz and Sahni 1974). */
static bool has_subset(const struct jigsaw *jigsaw, const int64_t *sizes, size_t count,
                       int64_t sum) {
  int64_t *low = jigsaw->sums, *high = low + JIGSAW_SUMS / 3, *scratch = high + JIGSAW_SUMS / 3;
  size_t half = count / 2;
  size_t lows = list_sums(sizes, half, low, scratch);
  size_t highs = list_sums(sizes + half, count - half, high, scratch);
  for (size_t i = 0; i < lows && highs > 0;) {
    int64_t found = low[i] + high[highs - 1];
    if (found == sum) return true;
    if (found < sum) i++;
    else highs--;
  }
  return false;
}

/*
 * Whether two pieces, which both start or both end at a boundary, must be in one block: no
 * subset of the pieces that contains exactly one of the two has equal sums on both sides.
 */
static bool are_inseparable(const struct jigsaw *jigsaw, uint32_t at, uint32_t a, uint32_t b) {
  int64_t sizes[BLOCK_MOST];
  size_t count = 0;
  if (jigsaw->boundaries[at].is_edge) return true;
  if (!jigsaw->boundaries[at].is_full || events_at(jigsaw, at) > BLOCK_MOST + 2) return false;
  enum side own = jigsaw->pieces[a].start == at ? STARTS : ENDS;
  for (int side = STARTS; side <= ENDS; side++)
    for (uint32_t id = first_of(jigsaw, at, side); id != JIGSAW_NONE;
         id = next_of(jigsaw, id, side))
      if (id != a && id != b)
        sizes[count++] =
            (enum side)side == own ? jigsaw->pieces[id].size : -jigsaw->pieces[id].size;
  assert(count <= BLOCK_MOST);
  return !has_subset(jigsaw, sizes, count, -jigsaw->pieces[a].size);
}

/* ---------------------------------------------------------------- mates */

typedef bool (*mates_test)(const struct jigsaw *jigsaw, uint32_t a, uint32_t b, uint32_t most);

/* Certain: all pieces between the two begin and end with them. */
static bool are_in_one_block(const struct jigsaw *jigsaw, uint32_t a, uint32_t b,
                             uint32_t most) {
  (void)most;
  const struct jigsaw_piece *piece = &jigsaw->pieces[a];
  return are_inseparable(jigsaw, piece->start, a, b) &&
         are_inseparable(jigsaw, piece->end, a, b);
}

static bool are_mates(const struct jigsaw *jigsaw, uint32_t a, uint32_t b) {
  const struct jigsaw_piece *x = &jigsaw->pieces[a], *y = &jigsaw->pieces[b];
  return x->start == y->start && x->end == y->end;
}

/* Whether all pieces that start, or all that end, at a boundary are mates of one piece. */
static bool are_all_mates(const struct jigsaw *jigsaw, uint32_t at, enum side side,
                          uint32_t a) {
  for (uint32_t id = first_of(jigsaw, at, side); id != JIGSAW_NONE;
       id = next_of(jigsaw, id, side))
    if (!are_mates(jigsaw, a, id)) return false;
  return jigsaw->boundaries[at].is_full;
}

/*
 * Certain: mates are all the pieces that start, or end, and they are in one block, so they fill
 * it.
 */
static bool fill_side(const struct jigsaw *jigsaw, uint32_t at, enum side side, uint32_t a) {
  if (!are_all_mates(jigsaw, at, side, a)) return false;
  for (uint32_t id = first_of(jigsaw, at, side); id != JIGSAW_NONE;
       id = next_of(jigsaw, id, side))
    if (id != a && !are_inseparable(jigsaw, at, a, id)) return false;
  return true;
}

static bool are_alone(const struct jigsaw *jigsaw, uint32_t a, uint32_t b, uint32_t most) {
  const struct jigsaw_piece *piece = &jigsaw->pieces[a];
  (void)b;
  (void)most;
  return fill_side(jigsaw, piece->start, STARTS, a) || fill_side(jigsaw, piece->end, ENDS, a);
}

/*
 * Uncertain: mates are all the pieces that start, or end, but they could be in several blocks.
 */
static bool are_crowd(const struct jigsaw *jigsaw, uint32_t a, uint32_t b, uint32_t most) {
  const struct jigsaw_piece *piece = &jigsaw->pieces[a];
  (void)b;
  (void)most;
  if (!is_tried(jigsaw, piece->start, piece->end)) return false;
  return are_all_mates(jigsaw, piece->start, STARTS, a) ||
         are_all_mates(jigsaw, piece->end, ENDS, a);
}

/* Whether exactly one piece on this side has the size `sum`. */
static bool match_piece(const struct jigsaw *jigsaw, uint32_t at, enum side side, neap_size sum,
                        uint32_t most) {
  return jigsaw->boundaries[at].is_full && events_at(jigsaw, at) <= most &&
         only_of_size(jigsaw, at, side, sum) != JIGSAW_NONE && is_tried(jigsaw, at, sum);
}

/*
 * Uncertain: the two mates replace one piece, or one piece replaces them, as their sum
 * suggests.
 */
static bool are_like_one(const struct jigsaw *jigsaw, uint32_t a, uint32_t b, uint32_t most) {
  const struct jigsaw_piece *piece = &jigsaw->pieces[a];
  neap_size sum = piece->size + jigsaw->pieces[b].size;
  return match_piece(jigsaw, piece->start, ENDS, sum, most) ||
         match_piece(jigsaw, piece->end, STARTS, sum, most);
}

static bool join_mates(struct jigsaw *jigsaw, uint32_t at, mates_test test, uint32_t most) {
  const struct jigsaw_piece *pieces = jigsaw->pieces;
  for (int side = STARTS; side <= ENDS; side++)
    for (uint32_t a = first_of(jigsaw, at, side); a != JIGSAW_NONE;
         a = next_of(jigsaw, a, side))
      for (uint32_t b = next_of(jigsaw, a, side); b != JIGSAW_NONE;
           b = next_of(jigsaw, b, side)) {
        if (!are_mates(jigsaw, a, b)) continue;
        if (!test(jigsaw, a, b, most)) continue;
        struct jigsaw_joint joints[] = {{a, 0}, {b, pieces[a].size}};
        jigsaw_join(jigsaw, pieces[a].start, pieces[a].end, pieces[a].size + pieces[b].size,
                    joints, 2);
        return true;
      }
  return false;
}

static bool join_block(struct jigsaw *jigsaw, uint32_t at, uint32_t most) {
  return join_mates(jigsaw, at, are_in_one_block, most);
}

static bool join_side(struct jigsaw *jigsaw, uint32_t at, uint32_t most) {
  return join_mates(jigsaw, at, are_alone, most);
}

static bool join_likes(struct jigsaw *jigsaw, uint32_t at, uint32_t most) {
  return join_mates(jigsaw, at, are_like_one, most);
}

static bool join_crowd(struct jigsaw *jigsaw, uint32_t at, uint32_t most) {
  return join_mates(jigsaw, at, are_crowd, most);
}

/* ---------------------------------------------------------------- the table */

/*
 * The surest first.  Coincidences are rare if few pieces begin and end, so `most` limits the
 * number of pieces, or of triples of pieces, per rule.
 */
static const struct rule {
  bool (*apply)(struct jigsaw *jigsaw, uint32_t at, uint32_t most);
  uint32_t most;
} rules[] = {
    {join_equals, 2},          {join_pinwheels, TRIPLES_MOST},
    {join_block, 0},           {join_side, 0},
    {join_equals, 4},          {join_likes, 5},
    {join_equals, 6},          {join_likes, 7},
    {join_equals, 8},          {join_likes, 9},
    {join_equals, 12},         {join_likes, 12},
    {join_equals, UINT32_MAX}, {join_likes, UINT32_MAX},
    {join_crowd, 0},
};

size_t jigsaw_rule_count(void) { return sizeof rules / sizeof rules[0]; }

bool jigsaw_apply(struct jigsaw *jigsaw, uint32_t boundary, size_t rule) {
  assert(rule < jigsaw_rule_count());
  return events_at(jigsaw, boundary) <= JIGSAW_EVENTS &&
         rules[rule].apply(jigsaw, boundary, rules[rule].most);
}
