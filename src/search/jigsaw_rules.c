/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pieces that end at a boundary between full columns take the same bytes as those that begin
 * there.  So they form blocks: runs of bytes in which the sizes that end and the sizes that begin
 * have the same sum.  Where no sums are equal by coincidence, equal sums are blocks.
 *
 *     a pinwheel      ┌──────z───┬──w──┐      Where c begins, x ends, and c and y take its place;
 *                     │          │     │      where c ends, z does, too, and w takes their place.
 *                     ├────┬──c──┤     │      Then c lies between y and z, and if also x and z
 *                     │    ├─────┴─────┤      begin together and y and w end together, the five
 *                     │ x  │     y     │      are a rectangle.
 *                     └────┴───────────┘
 *
 * Pieces of one lifetime are *mates*.  If neither where they begin nor where they end any block can
 * hold one of two mates without the other, then whatever lies between them begins and ends with
 * them, and they can as well be neighbours.
 *
 * All this is certain only as far as no sums are equal by coincidence.  The fewer pieces begin and
 * end at a boundary, the less likely that is, so pairs of equal pieces are joined at boundaries
 * with few pieces first.
 */
#include <assert.h>
#include <string.h>

#include "search/jigsaw.h"
#include "search/refuted.h"

/* Mates are not looked at where more pieces begin or end: half of them make a third of the sums. */
#define BLOCK_MOST 20

/* Boundaries with more triples of pieces are not searched for pinwheels. */
#define TRIPLES_MOST 1000000

/* In variants, one of so many uncertain joints is left out. */
#define LEFT_OUT 4

/* The two lists of a boundary: pieces that start there, and pieces that end there. */
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

static enum side opposite(enum side side) { return side == STARTS ? ENDS : STARTS; }

static uint32_t events_at(const struct jigsaw *jigsaw, uint32_t boundary) {
  return count_of(jigsaw, boundary, STARTS) + count_of(jigsaw, boundary, ENDS);
}

/* Whether an uncertain joint belongs to this variant. */
static bool is_tried(const struct jigsaw *jigsaw, uint32_t boundary, neap_size size) {
  if (jigsaw->variant == 0 || jigsaw->variant == JIGSAW_CERTAIN) return jigsaw->variant == 0;
  uint64_t place = (uint64_t)size * jigsaw->part->column_count + boundary;
  uint64_t hash = (uint64_t)(refuted_multiplier(place ^ jigsaw->variant << 48) >> 64);
  return hash % LEFT_OUT != 0;
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

/* ---------------------------------------------------------------- a piece that goes on */

/* Joins a piece that ends with one of the same size that begins, where few do. */
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

/* Merges sums without and with one more size into `to`, in ascending order. */
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
 * Whether two pieces, which both start or both end at a boundary, must be in one block: no pieces
 * of one side have the same sum as some of the other if one of the two is among them alone.
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

typedef bool (*mates_test)(const struct jigsaw *jigsaw, uint32_t a, uint32_t b);

/* Certain: nothing but what begins and ends with them can be between them. */
static bool are_in_one_block(const struct jigsaw *jigsaw, uint32_t a, uint32_t b) {
  const struct jigsaw_piece *piece = &jigsaw->pieces[a];
  return are_inseparable(jigsaw, piece->start, a, b) &&
         are_inseparable(jigsaw, piece->end, a, b);
}

/* Whether they are all that starts, or ends, at a boundary, and take the same bytes as a piece. */
static bool fill_side(const struct jigsaw *jigsaw, uint32_t at, enum side side, uint32_t a,
                      uint32_t b) {
  if (!jigsaw->boundaries[at].is_full) return false;
  if (count_of(jigsaw, at, side) == 2 && are_inseparable(jigsaw, at, a, b)) return true;
  neap_size size = jigsaw->pieces[a].size + jigsaw->pieces[b].size;
  return only_of_size(jigsaw, at, opposite(side), size) != JIGSAW_NONE &&
         is_tried(jigsaw, at, size);
}

/* What starts after them, or ended before, tells that they are neighbours. */
static bool are_neighbours(const struct jigsaw *jigsaw, uint32_t a, uint32_t b) {
  const struct jigsaw_piece *piece = &jigsaw->pieces[a];
  return fill_side(jigsaw, piece->start, STARTS, a, b) ||
         fill_side(jigsaw, piece->end, ENDS, a, b);
}

static bool join_pairs(struct jigsaw *jigsaw, uint32_t at, mates_test test) {
  const struct jigsaw_piece *pieces = jigsaw->pieces;
  for (int side = STARTS; side <= ENDS; side++)
    for (uint32_t a = first_of(jigsaw, at, side); a != JIGSAW_NONE;
         a = next_of(jigsaw, a, side))
      for (uint32_t b = next_of(jigsaw, a, side); b != JIGSAW_NONE;
           b = next_of(jigsaw, b, side)) {
        if (pieces[a].start != pieces[b].start || pieces[a].end != pieces[b].end) continue;
        if (!test(jigsaw, a, b)) continue;
        struct jigsaw_joint joints[] = {{a, 0}, {b, pieces[a].size}};
        jigsaw_join(jigsaw, pieces[a].start, pieces[a].end, pieces[a].size + pieces[b].size,
                    joints, 2);
        return true;
      }
  return false;
}

static bool join_block(struct jigsaw *jigsaw, uint32_t at, uint32_t most) {
  (void)most;
  return join_pairs(jigsaw, at, are_in_one_block);
}

static bool join_neighbours(struct jigsaw *jigsaw, uint32_t at, uint32_t most) {
  (void)most;
  return join_pairs(jigsaw, at, are_neighbours);
}

/* ---------------------------------------------------------------- the table */

/* The surest first; `most` is how many pieces the rule looks at. */
static const struct rule {
  bool (*apply)(struct jigsaw *jigsaw, uint32_t at, uint32_t most);
  uint32_t most;
} rules[] = {
    {join_equals, 2},          {join_pinwheels, TRIPLES_MOST},
    {join_block, 0},           {join_neighbours, 0},
    {join_equals, 4},          {join_equals, 6},
    {join_equals, 8},          {join_equals, 12},
    {join_equals, UINT32_MAX},
};

size_t jigsaw_rule_count(void) { return sizeof rules / sizeof rules[0]; }

bool jigsaw_apply(struct jigsaw *jigsaw, uint32_t boundary, size_t rule) {
  assert(rule < jigsaw_rule_count());
  return rules[rule].apply(jigsaw, boundary, rules[rule].most);
}
