/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reason `layout`: a search for a lower layout in which every state is refuted. */
#ifndef CERTIFY_LAYOUT_H
#define CERTIFY_LAYOUT_H

#include "certify/certificate.h"
#include "certify/conflicts.h"

/* Proves task->target and sets task->least, if at most `states` states suffice. */
neap_status layout_prove(struct certify_task *task, const struct items *items, uint64_t states,
                         neap_error *error);

/* ---------------------------------------------------------------- stage */

/*
 * The state of the search in certify/layout: the rectangles left, and the low of each, which is
 * its lowest possible offset. doc/certificate.md defines the rules of inference.
 */

#define STAGE_GONE (-1) /* the low of a rectangle that is not left */

/* A rectangle that conflicts with another. */
struct neighbour {
  uint32_t other;
  neap_size above, below; /* least difference of offsets if it lies above, or below */
};

struct stage_change {
  uint32_t rectangle;
  neap_offset low; /* before the change */
};

struct stage {
  const struct items *items;
  uint32_t count, words; /* rectangles; words of a set of them */
  uint32_t *buffers;     /* ascending */
  uint32_t *begins;      /* per rectangle and one more: its neighbours */
  struct neighbour *neighbours;
  uint64_t *near;         /* per rectangle: the set of its neighbours */
  bool *is_full;          /* whether it is strict with all neighbours */
  bool *is_plain;         /* whether only its alignment limits its offset */
  uint32_t *twin;         /* the first rectangle like it */
  struct clique *cliques; /* maximal cliques of rectangles, sorted */
  uint32_t clique_count;
  uint32_t *of_begins, *of; /* per rectangle and one more: its cliques */
  neap_offset *low;
  uint64_t *left;
  uint64_t hash;    /* of the set `left` */
  bool *is_touched; /* per clique: changed since the last stage_full */
  bool is_scattered;
  struct stage_change *trail;
  size_t trail_count, trail_capacity;
  struct item_low *stack; /* scratch */
  uint64_t *scratch;
};

/*
 * The struct must be zeroed.  False if memory is short; clear it in any case.  `wanted` selects
 * the buffers that take part, all of which have at least one byte.
 */
bool stage_init(struct stage *stage, const struct items *items, const bool *wanted);
void stage_clear(struct stage *stage);

static inline bool stage_has(const uint64_t *set, uint32_t at) {
  return set[at / 64] >> (at % 64) & 1;
}

/*
 * Raises a low, or removes a rectangle; false if memory is short. stage_undo goes back to an
 * earlier trail_count.
 */
bool stage_raise(struct stage *stage, uint32_t rectangle, neap_offset low);
bool stage_remove(struct stage *stage, uint32_t rectangle);
void stage_undo(struct stage *stage, size_t trail_count);

/* Marks the cliques of a rectangle for stage_full. */
void stage_touch(struct stage *stage, uint32_t rectangle);

/* The first clique touched since the last call whose stack reaches `target`, or UINT32_MAX. */
uint32_t stage_full(struct stage *stage, neap_size target, neap_size *need);

/* Places a rectangle at its low and raises its neighbours; false if memory is short. */
bool stage_put(struct stage *stage, uint32_t rectangle);

/*
 * Learns that no layout has a rectangle at its low `floor`: raises its low as far as that
 * implies.  Sets *is_needed to false if no layout is left at all, so that no other child is
 * needed.  False if memory is short.
 */
bool stage_learn(struct stage *stage, uint32_t rectangle, neap_offset floor, bool *is_needed);

/*
 * Leaves the cell of a clique empty: raises the lows of its rectangles above `floor`.  False if
 * memory is short.
 */
bool stage_empty(struct stage *stage, uint32_t clique, neap_offset floor);

/* The lowest low in a clique; STAGE_GONE if no rectangle of it is left. */
neap_offset stage_floor(const struct stage *stage, uint32_t clique);

/*
 * Lists the rectangles of a clique with their low at `floor`, one per set of twins; returns
 * their number.
 */
uint32_t stage_starters(const struct stage *stage, uint32_t clique, neap_offset floor,
                        uint32_t *starters);

/*
 * Fills `component` with the rectangles left that conflicts connect to a rectangle; returns
 * their number.
 */
uint32_t stage_component(struct stage *stage, uint32_t rectangle, uint64_t *component);

#endif
