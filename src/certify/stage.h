/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of a search for a layout: which rectangles are left, and the lowest offset that each can
 * still have.  doc/certificate.md says what follows from what.
 */
#ifndef CERTIFY_STAGE_H
#define CERTIFY_STAGE_H

#include "certify/items.h"

#define STAGE_GONE (-1) /* the low of a rectangle that is not left */

/* A rectangle that conflicts with another. */
struct neighbour {
  uint32_t other;
  neap_size above, below; /* the least difference of offsets if it lies above, or below */
};

struct stage_change {
  uint32_t rectangle;
  neap_offset low; /* before */
};

struct stage {
  const struct items *items;
  uint32_t count, words; /* rectangles; words of a set of them */
  uint32_t *buffers;     /* ascending */
  uint32_t *begins;      /* per rectangle and one more: its neighbours */
  struct neighbour *neighbours;
  uint64_t *near;         /* per rectangle: the set of its neighbours */
  bool *is_full;          /* it shares no byte with any neighbour */
  bool *is_plain;         /* only its alignment limits its offset */
  uint32_t *twin;         /* the first rectangle like it */
  struct clique *cliques; /* maximal ones, of rectangles, sorted */
  uint32_t clique_count;
  uint32_t *of_begins, *of; /* per rectangle and one more: its cliques */
  neap_offset *low;
  uint64_t *left;
  uint64_t hash;    /* of the set left */
  bool *is_touched; /* per clique: it has changed since stage_full */
  bool is_scattered;
  struct stage_change *trail;
  size_t trail_count, trail_capacity;
  struct item_low *stack; /* scratch */
  uint64_t *scratch;
};

/*
 * Begin with zeroes; false if memory is short; clear in any case.  `wanted` tells which buffers take
 * part; all have bytes.
 */
bool stage_init(struct stage *stage, const struct items *items, const bool *wanted);
void stage_clear(struct stage *stage);

static inline bool stage_has(const uint64_t *set, uint32_t at) {
  return set[at / 64] >> (at % 64) & 1;
}

/* Each returns false if memory is short. */
bool stage_raise(struct stage *stage, uint32_t rectangle, neap_offset low);
bool stage_remove(struct stage *stage, uint32_t rectangle);
void stage_undo(struct stage *stage, size_t trail_count);

/* Marks the cliques of a rectangle for stage_full. */
void stage_touch(struct stage *stage, uint32_t rectangle);

/* The first clique that needs `target` or more of those touched since the last call; or UINT32_MAX. */
uint32_t stage_full(struct stage *stage, neap_size target, neap_size *need);

/* Puts a rectangle at its low: its neighbours rise. */
bool stage_put(struct stage *stage, uint32_t rectangle);

/*
 * No layout has a rectangle at its low `floor`.  Raises it as far as that tells; *is_needed becomes
 * false if no layout is left at all.
 */
bool stage_learn(struct stage *stage, uint32_t rectangle, neap_offset floor, bool *is_needed);

/* No rectangle of a clique is at its floor: raises all of them. */
bool stage_empty(struct stage *stage, uint32_t clique, neap_offset floor);

/* The lowest low in a clique; STAGE_GONE if none of it is left. */
neap_offset stage_floor(const struct stage *stage, uint32_t clique);

/* The rectangles of a clique that are at `floor`, one of each set of twins; returns their number. */
uint32_t stage_starters(const struct stage *stage, uint32_t clique, neap_offset floor,
                        uint32_t *starters);

/* Fills `component` with what is connected to a rectangle left; returns how many those are. */
uint32_t stage_component(struct stage *stage, uint32_t rectangle, uint64_t *component);

#endif
