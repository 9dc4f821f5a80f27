/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contents of a runtime's arena besides the planned buffers, which are the head
 * (neap/arena.h): a record of allocations that can be replayed with the operators in another
 * order, because alignments make the sum depend on the order.
 */
#ifndef MODEL_RUNTIME_ARENA_H
#define MODEL_RUNTIME_ARENA_H

#include "core/names.h"
#include "neap-tool.h"

enum arena_action {
  ARENA_KEEP,   /* in the tail */
  ARENA_BORROW, /* at the start, until the next ARENA_SETTLE */
  ARENA_SETTLE  /* ends all borrowing; a list at the start grows by `bytes` */
};

struct arena_step {
  enum arena_action action;
  neap_arena_part part; /* ARENA_KEEP: of the tail */
  size_t alignment;
  neap_size bytes, repeat; /* a step takes `repeat` times `bytes`, aligned each time */
};

/* Notes about operators; operators with the same text form a group. */
struct arena_notes {
  struct names texts;
  struct arena_group {
    size_t subgraph, first, count; /* its first operator, and how many have the text */
  } * groups;
  size_t capacity;
};

/* The number of passes of the runtime over all operators. */
#define ARENA_STAGES 3

/* An operator's steps, and what removing it would save. */
struct arena_record {
  size_t begins[ARENA_STAGES], ends[ARENA_STAGES];
  neap_arena_saving saving; /* NEAP_ARENA_SAVINGS: nothing */
  neap_size structs;        /* saved in addition to the kernel's bytes */
};

struct runtime_arena {
  neap_arena totals;              /* without a head */
  neap_arena_operator *operators; /* in the model's order, as are the records */
  struct arena_record *records;
  size_t *order;          /* the operators in their order, as indices */
  size_t *firsts, *nexts; /* per subgraph: its first operator, and the next place in `order` */
  size_t subgraph_count;
  neap_size
      apart; /* bytes that the runtime also keeps if the tail and the head have separate arenas */
  struct arena_step *steps;
  size_t step_count, step_capacity;
  size_t shared;           /* steps before this are for all models that share the arena */
  size_t opening, closing; /* steps before this and from this on are not those of operators */
  struct arena_notes unknown; /* operators of unknown kernels, by type */
  struct arena_notes refused; /* operators that the runtime cannot run, by type and reason */
};

/* NULL if memory is short. */
struct runtime_arena *runtime_arena_new(size_t subgraph_count, const size_t *operator_counts);
struct runtime_arena *runtime_arena_copy(const struct runtime_arena *arena);
void runtime_arena_free(struct runtime_arena *arena);

/* Appends a step; false if memory is short. */
bool runtime_arena_add(struct runtime_arena *arena, const struct arena_step *step);

/* Adds an operator to those with this text; false if memory is short. */
bool arena_notes_add(struct arena_notes *notes, const char *text, size_t subgraph, size_t index);

/* Finds the totals of the recorded steps. */
void runtime_arena_sum(struct runtime_arena *arena);

/*
 * Begins another order.  Next, place the operators of a subgraph, all or none, one by one in their
 * new order; then find the totals again.
 */
void runtime_arena_begin_order(struct runtime_arena *arena);
void runtime_arena_place(struct runtime_arena *arena, size_t subgraph, size_t index);

/* The running sum of allocations. */
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
