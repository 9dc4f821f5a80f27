/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a runtime keeps in its arena besides the planned buffers, which are the head (neap/arena.h):
 * a record of what it allocates, which can be repeated with the operators in another order, since
 * alignments make the sum depend on the order.
 */
#ifndef MODEL_RUNTIME_ARENA_H
#define MODEL_RUNTIME_ARENA_H

#include "core/names.h"
#include "neap-tool.h"

enum arena_action {
  ARENA_KEEP,   /* in the tail */
  ARENA_BORROW, /* at the start, until something settles */
  ARENA_SETTLE  /* nothing is borrowed any more; a list at the start grows by `bytes` */
};

struct arena_step {
  enum arena_action action;
  neap_arena_part part; /* ARENA_KEEP: of the tail */
  size_t alignment;
  neap_size bytes, repeat; /* so many of them, each aligned */
};

/* Operators about which there is something to say, grouped by what it is. */
struct arena_notes {
  struct names texts;
  struct arena_group {
    size_t subgraph, first, count; /* the first of them, and how many */
  } * groups;
  size_t capacity;
};

/* The runtime works through all operators so often, one after another. */
#define ARENA_STAGES 3

/* An operator's steps, and what removing it would save. */
struct arena_record {
  size_t begins[ARENA_STAGES], ends[ARENA_STAGES];
  neap_arena_saving saving; /* NEAP_ARENA_SAVINGS: nothing */
  neap_size structs;        /* saved besides what the kernel keeps */
};

struct runtime_arena {
  neap_arena totals;              /* without a head */
  neap_arena_operator *operators; /* in the model's order, as are the records */
  struct arena_record *records;
  size_t *order;          /* the operators in their order, as indices */
  size_t *firsts, *nexts; /* per subgraph: its first operator, and the next place in `order` */
  size_t subgraph_count;
  neap_size
      apart; /* bytes that the runtime keeps besides if tail and head have an arena each */
  struct arena_step *steps;
  size_t step_count, step_capacity;
  size_t shared; /* steps before this are for all models that share the arena */
  size_t opening, closing; /* steps before this and from this on are not those of operators */
  struct arena_notes unknown; /* operators of unknown kernels, by type */
  struct arena_notes refused; /* those that the runtime cannot run, by type and reason */
};

/* NULL if memory is short. */
struct runtime_arena *runtime_arena_new(size_t subgraph_count, const size_t *operator_counts);
struct runtime_arena *runtime_arena_copy(const struct runtime_arena *arena);
void runtime_arena_free(struct runtime_arena *arena);

/* Appends a step; false if memory is short. */
bool runtime_arena_add(struct runtime_arena *arena, const struct arena_step *step);

/* Adds an operator to those with this text; false if memory is short. */
bool arena_notes_add(struct arena_notes *notes, const char *text, size_t subgraph, size_t index);

/* Finds the totals of what has been recorded. */
void runtime_arena_sum(struct runtime_arena *arena);

/*
 * Begins another order.  Then place the operators one by one: those of a subgraph in their order,
 * all of them or none.  Then find the totals again.
 */
void runtime_arena_begin_order(struct runtime_arena *arena);
void runtime_arena_place(struct runtime_arena *arena, size_t subgraph, size_t index);

/* What allocations come to. */
struct arena_sum {
  neap_arena *totals;
  neap_arena_operator *kernel; /* whose steps these are, or NULL */
  neap_size tail, list, borrowed;
  neap_size persistent; /* the tail in an arena of its own */
  bool is_too_large;
};

/*
 * Adds a model with a head of `head` bytes to those that share an arena, which are prepared one
 * after another; totals are 0 before the first.  Then find the totals, or false if they exceed
 * NEAP_MAX.
 */
void runtime_arena_share(struct arena_sum *sum, const struct runtime_arena *arena,
                         neap_size head);
bool runtime_arena_share_total(const struct arena_sum *sum);

/* The arena with a head of `head` bytes; false if it exceeds NEAP_MAX. */
bool runtime_arena_total(const struct runtime_arena *own, neap_size head, neap_arena *arena);

#endif
