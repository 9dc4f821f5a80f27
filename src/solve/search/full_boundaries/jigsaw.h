/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rectangles of a part as pieces of a jigsaw.  If two neighbouring columns are full, the
 * pieces that end between them and the pieces that begin there take exactly the same bytes, so
 * sizes show which pieces belong together.  Such pieces are joined into one, as often as
 * possible.
 */
#ifndef SEARCH_FULL_BOUNDARIES_JIGSAW_H
#define SEARCH_FULL_BOUNDARIES_JIGSAW_H

#include "core/budget.h"
#include "core/index_set.h"
#include "search/part.h"

#define JIGSAW_NONE UINT32_MAX

/* A rectangle of the part, or several that have been joined. */
struct jigsaw_piece {
  uint32_t start, end; /* boundaries */
  neap_size size;
  uint32_t parent;   /* the piece that it was joined into, or JIGSAW_NONE */
  neap_offset delta; /* its offset in the parent */
  /*
   * For pieces not joined into others: the next piece that starts, or ends, at the same
   * boundary.
   */
  uint32_t next_start, next_end;
};

/* Boundary b lies between columns b - 1 and b; the first and the last are the part's ends. */
struct jigsaw_boundary {
  uint32_t starts, ends; /* the first pieces of lists, or JIGSAW_NONE */
  uint32_t start_count, end_count;
  bool is_full; /* the columns on both sides are full */
  bool is_edge;
  bool is_open;  /* some rule has not been applied since it changed: */
  uint32_t rule; /* the first such rule */
};

struct jigsaw {
  const struct part *part;
  uint64_t variant;
  struct jigsaw_piece *pieces;        /* the part's rectangles come first */
  uint32_t count, left_count;         /* all pieces, and those not joined into others */
  struct jigsaw_boundary *boundaries; /* one more than columns */
  struct index_set open;              /* boundaries to look at, by rule; see open_number */
  int64_t *sums;                      /* scratch */
  neap_offset *offsets;               /* scratch, per piece */
};

/*
 * Sets *suits to whether most boundaries of a part lie between columns whose load is the lower
 * bound.  False when memory is short.
 */
bool jigsaw_test(const struct part *part, bool *suits);

/* A variant that makes only joints which cannot rule out a layout within the lower bound. */
#define JIGSAW_CERTAIN UINT64_MAX

/*
 * Joins pieces of a part that suits.  Joined pieces probably, but not certainly, lie together
 * in a layout within the lower bound.  Variant 0 makes all joints; other variants skip some of
 * the uncertain ones at random.  Stops early at the end of the budget or after too many steps.
 * False when memory is short.
 */
bool jigsaw_init(struct jigsaw *jigsaw, const struct part *part, uint64_t variant,
                 struct budget *budget);
void jigsaw_clear(struct jigsaw *jigsaw);

/*
 * Makes a part of the pieces not joined into others; `joined` is zeroed.  False when memory is
 * short.
 */
bool jigsaw_part(const struct jigsaw *jigsaw, struct part *joined);

/* Computes the offsets of all rectangles from a layout of the part that jigsaw_part made. */
void jigsaw_expand(struct jigsaw *jigsaw, const struct part *joined, const neap_offset *from,
                   neap_offset *offsets);

/* ---------------------------------------------------------------- for the rules */

/* A piece to be joined, and its offset in the joined piece. */
struct jigsaw_joint {
  uint32_t piece;
  neap_offset delta;
};

/* Replaces pieces by one from `start` to `end`. */
void jigsaw_join(struct jigsaw *jigsaw, uint32_t start, uint32_t end, neap_size size,
                 const struct jigsaw_joint *joints, size_t count);

/* How many rules there are (search/full_boundaries/jigsaw_rules.c); the first is the surest. */
size_t jigsaw_rule_count(void);

/* Applies a rule to a boundary; false if it joins nothing. */
bool jigsaw_apply(struct jigsaw *jigsaw, uint32_t boundary, size_t rule);

/* The number of scratch values that the rules need. */
#define JIGSAW_SUMS 3072

#endif
