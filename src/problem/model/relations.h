/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The constraints of a problem beyond sizes, lifetimes, alignments and fixed offsets: relations
 * between two buffers, limits of one buffer, pools and reserved bytes.  Most problems have no
 * such constraints; their `relations` are NULL.
 */
#ifndef MODEL_RELATIONS_H
#define MODEL_RELATIONS_H

#include "core/names.h"
#include "neap-tool.h"

/*
 * What a relation does to its two buffers.  Only readers of the exact rule name kinds; all others
 * ask for effects, so that a new kind concerns them by its row alone.
 */
enum relation_effect {
  RELATION_APART = 1 << 0,  /* they never share a byte */
  RELATION_FREES = 1 << 1,  /* they may share any bytes while both are alive */
  RELATION_GAP = 1 << 2,    /* they may share bytes while both are alive, beyond `bytes` */
  RELATION_JOINS = 1 << 3,  /* the difference of their offsets is `bytes` (facts/bodies) */
  RELATION_BANKS = 1 << 4,  /* no bank of `bytes` contains bytes of both */
  RELATION_PRICED = 1 << 5, /* plans may ignore the relation for a price of `bytes` */

  RELATION_SHARES = RELATION_FREES | RELATION_GAP,
  RELATION_TIES = RELATION_JOINS | RELATION_BANKS, /* offsets depend on each other */
  RELATION_BINDS = RELATION_APART | RELATION_TIES, /* forbids plans that are sound without it */
  RELATION_ANY = (1 << 6) - 1
};

/* The meaning of a relation with its buffers exchanged. */
enum relation_symmetry {
  RELATION_SYMMETRIC, /* the same */
  RELATION_MIRRORED,  /* the same if `bytes` changes its sign */
  RELATION_DIRECTED   /* something else */
};

struct relation_kind {
  const char *name;
  neap_relation_words words;
  const char *number;  /* the key of `bytes` in JSON; NULL: the kind has no number */
  bool needs_number;   /* or else 0 is the default */
  neap_size low, high; /* the range of `bytes` */
  enum relation_symmetry symmetry;
  unsigned effects; /* of enum relation_effect */
};

extern const struct relation_kind relation_kinds[NEAP_RELATION_KIND_COUNT];

/* Whether a relation has one of the effects. */
static inline bool relation_has(const neap_relation *relation, unsigned effects) {
  return (relation_kinds[relation->kind].effects & effects) != 0;
}

/* The relation that keeps two buffers apart. */
neap_relation relation_separating(size_t first, size_t second);

/* The limits of one buffer. */
struct limits {
  neap_offset window_low, window_high; /* its bytes are in [low, high) */
  neap_size bank;                      /* or 0 */
  size_t pools_begin, pools_end;       /* a run of relations.pool_lists; empty: any pool */
  neap_offset near_offset;             /* or NEAP_UNPLACED */
  neap_size move_cost;                 /* >= 0 */
};

/* Buffers of which every two have the same relation (model/groups). */
struct relation_group {
  neap_relation relation; /* the kind and, owned, the reason; of the first two members */
  size_t begin, end;      /* in relations.members, at least two */
  size_t pairs_before;    /* pairs of earlier groups */
};

struct relations {
  neap_relation *items; /* each owns its reason */
  size_t count, capacity;
  struct relation_group *groups; /* each owns its reason */
  size_t group_count, group_capacity;
  size_t *members; /* group after group */
  size_t member_count, member_capacity;
  size_t group_pairs; /* of all groups */

  size_t count_of[NEAP_RELATION_KIND_COUNT]; /* in `items` and as pairs of groups */
  unsigned effects;      /* of all kinds in `items` and `groups` */
  neap_size penalty_sum; /* of all reuse penalties */

  struct limits *limits; /* for the first `limit_count` buffers; the others have no limits */
  size_t limit_count, limit_capacity;
  size_t window_count, bank_count, near_count; /* how many buffers have one */
  size_t *pool_lists;
  size_t pool_list_count, pool_list_capacity;

  neap_pool *pools; /* names are in pool_names */
  size_t pool_capacity;
  struct names pool_names;

  neap_reserved *reserved;
  size_t reserved_count, reserved_capacity;

  neap_term objective[NEAP_TERM_COUNT];
};

/* The objective of a problem that sets none. */
extern const neap_term relations_usual_objective[NEAP_TERM_COUNT];

/* NULL when memory is short. */
struct relations *relations_new(void);
void relations_free(struct relations *relations);

/* The limits of a buffer that has none. */
extern const struct limits limits_none;

/*
 * Sets the limits of a new buffer from its description, which relations_check_buffer has accepted.
 * False when memory is short; nothing has changed then.
 */
bool relations_add_buffer(struct relations *relations, size_t index, const neap_buffer *buffer);

/* Removes the limits of the newest buffer. */
void relations_drop_buffer(struct relations *relations, size_t index);

/* Whether a buffer's description has limits, which require relations. */
bool relations_concern(const neap_buffer *buffer);

/* Checks the limits of a buffer; `relations` may be NULL. */
neap_status relations_check_buffer(const struct relations *relations, const neap_buffer *buffer,
                                   neap_error *error);

#endif
