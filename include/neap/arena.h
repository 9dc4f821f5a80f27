/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The arena of TensorFlow Lite Micro: the memory that the runtime needs for a model in addition to
 * the buffers of a plan.  A problem has one if it was read from a TensorFlow Lite model for the
 * target "tflm" (neap-io.h, models.h).  Figures are those of the runtime's own allocator, to the
 * byte.  The conventions are those of neap.h.
 */
#ifndef NEAP_ARENA_H
#define NEAP_ARENA_H

#include "neap/neap.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NEAP_ARENA_STEP 16 /* the runtime aligns the end of its arena to this many bytes */

/* Room for the parts of an arena; later versions may know more of them. */
#define NEAP_ARENA_PARTS_MAX 16
#define NEAP_ARENA_SAVINGS_MAX 8

/* The parts of the tail of an arena. */
typedef enum neap_arena_part {
  NEAP_ARENA_RUNTIME,   /* objects of the interpreter */
  NEAP_ARENA_TENSORS,   /* a struct per tensor */
  NEAP_ARENA_NODES,     /* a struct per operator */
  NEAP_ARENA_KERNELS,   /* options, data and tables of kernels */
  NEAP_ARENA_HANDLES,   /* a handle per scratch buffer */
  NEAP_ARENA_VARIABLES, /* variables, and the table of resource variables */
  NEAP_ARENA_ENDS,      /* descriptions of inputs and outputs, with their quantisation */
  NEAP_ARENA_PARTS
} neap_arena_part;

/* The name of a part, such as "scratch_handles"; NULL: there is no such part. */
NEAP_API const char *neap_arena_part_name(neap_arena_part part);

/* Changes of a model, besides removing variables, that would make the tail smaller. */
typedef enum neap_arena_saving {
  NEAP_ARENA_FOLDING,     /* operators that only read constants and shapes */
  NEAP_ARENA_VIEWS,       /* operators that only change a shape */
  NEAP_ARENA_CONVERSIONS, /* QUANTIZE and DEQUANTIZE */
  NEAP_ARENA_SAVINGS
} neap_arena_saving;

/*
 * The memory that TensorFlow Lite Micro needs for a model, in bytes.  The head holds the planned
 * buffers, the tail the data that the interpreter keeps.  While it prepares the model, it also
 * needs temporary memory.
 */
typedef struct neap_arena {
  size_t struct_size;
  neap_size head, tail, used;
  neap_size preparing; /* the smallest arena for everything that comes before the head */
  neap_size smallest;  /* the smallest arena that works */
  /* The smallest arenas that work if tail and head have separate arenas. */
  neap_size persistent, non_persistent;
  neap_size least_tail; /* the tail without the alignment of its parts: a bound for any order */
  neap_size parts[NEAP_ARENA_PARTS_MAX]; /* of the tail, by neap_arena_part */
  size_t tensor_count, operator_count, scratch_count;
  size_t variable_count;
  neap_size resource_count; /* of resource variables for which their table has room */
  /* By neap_arena_saving: operators that could be removed, and their bytes in the tail. */
  size_t saving_counts[NEAP_ARENA_SAVINGS_MAX];
  neap_size savings[NEAP_ARENA_SAVINGS_MAX];
  unsigned pointer;                         /* size of a pointer, 4 or 8 bytes */
  const char *kernels, *version;            /* "tflm-reference", and the runtime's version */
  bool has_overlap;                         /* outputs may lie over inputs */
  bool is_as_written;                       /* the model states that it was written for these */
} neap_arena;

/*
 * Fills in the arena of a problem with a head of `head` bytes, such as the peak of its plan; false
 * if the problem has no arena, or the arena exceeds NEAP_MAX.
 */
NEAP_API bool neap_problem_arena(const neap_problem *problem, neap_size head, neap_arena *arena);

/*
 * Fills in the arena that the interpreters of several models share.  The interpreters run in turn,
 * and one MicroAllocator makes them in the order of the plans.  Tails add up.  Heads, as high as
 * the peaks of the plans, overlap.  False if `count` is 0, a problem has no arena, or the
 * problems are for different kernels or pointers.
 */
NEAP_API bool neap_plans_arena(const neap_plan *const *plans, size_t count, neap_arena *arena);

/* An operator's share of an arena. */
typedef struct neap_arena_operator {
  size_t struct_size;
  const char *type; /* "CONV_2D" */
  size_t subgraph, index;
  neap_size persistent, scratch; /* of its kernel: in the tail; in the head while it runs */
} neap_arena_operator;

/* Lists the operators of the model, in the order of the model. */
NEAP_API bool neap_problem_arena_operator_at(const neap_problem *problem, size_t index,
                                             neap_arena_operator *item);

/* A remark on operators of one type. */
typedef struct neap_arena_note {
  size_t struct_size;
  const char *text;              /* the type; for refused operators, also the reason */
  size_t subgraph, first, count; /* the first operator, and the number of them */
} neap_arena_note;

/* Lists the operators whose kernels are unknown: the real arena is larger. */
NEAP_API bool neap_problem_arena_unknown_at(const neap_problem *problem, size_t index,
                                            neap_arena_note *note);

/* Lists the operators that the runtime cannot prepare or run: the model works in no arena. */
NEAP_API bool neap_problem_arena_refused_at(const neap_problem *problem, size_t index,
                                            neap_arena_note *note);

#ifdef __cplusplus
}
#endif

#endif
