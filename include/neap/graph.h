/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Graphs of operators, the problems that liveness derives from them, and the order in which
 * operators run; also problems from sequences of memory operations.  The conventions are those
 * of neap.h.
 */
#ifndef NEAP_GRAPH_H
#define NEAP_GRAPH_H

#include "neap/neap.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ================================================================ graphs of operators */

/*
 * Operators in execution order, and the tensors that they read and write.  In the problem that
 * liveness derives from it, each tensor is a buffer.  Operator k runs during [k, k + 1); a tensor
 * is alive from the operator that writes it to the last one that reads it, both included.
 *
 * To build a graph, add its tensors.  Then, for each operator in turn, add the operator, its
 * links and its pairs.  Tensors may also be added later, before the first link to them.
 */
typedef struct neap_graph neap_graph;

typedef enum neap_tensor_kind {
  NEAP_TENSOR_ACTIVATION, /* written by an operator, or an input of the graph */
  NEAP_TENSOR_CONSTANT,   /* weights: not planned */
  NEAP_TENSOR_VARIABLE,   /* keeps its contents between runs: alive throughout */
  NEAP_TENSOR_EXTERNAL    /* stored elsewhere: not planned */
} neap_tensor_kind;

/* A tensor.  Initialise with NEAP_TENSOR_INIT and set the other members. */
typedef struct neap_tensor {
  size_t struct_size;
  neap_size bytes;     /* >= 0 */
  neap_size alignment; /* >= 1; the tensor's offset is a multiple of it */
  neap_tensor_kind kind;
  bool is_input, is_output; /* of the graph */
  bool is_kept;             /* alive to the end once it is written */
  bool is_runtime; /* not planned: the runtime allocates it (neap_problem_runtime_tensor_at) */
  bool is_online;  /* planned, but the runtime chooses its offset at start-up */
  bool is_unused;  /* planned, although no operator uses it; see neap_problem_is_unused */
  /* As in neap_buffer, copied to the tensor's buffer.  Shape and type need not match `bytes`. */
  const neap_size *shape;
  size_t rank;
  const char *dtype;
} neap_tensor;

#define NEAP_TENSOR_INIT                                                                  \
  {                                                                                       \
    sizeof(neap_tensor), 0, 1, NEAP_TENSOR_ACTIVATION, false, false, false, false, false, \
        false, NULL, 0, NULL                                                              \
  }

/* The role of a tensor in an operator; a temporary is alive while its operator runs. */
typedef enum neap_link { NEAP_LINK_INPUT, NEAP_LINK_OUTPUT, NEAP_LINK_TEMPORARY } neap_link;

/* An output that may use the bytes of an input of the same operator. */
typedef struct neap_in_place {
  size_t struct_size;
  size_t input, output; /* positions among the operator's inputs and outputs */
  bool is_view;         /* the output is the input's data with another shape */
} neap_in_place;

/*
 * An output that may overlap an input of the same operator, because the operator reads each
 * byte of the input before it overwrites it.  In an overlap, the output begins at least `bytes`
 * below the input, and no later operator needs the input.
 */
typedef struct neap_allowance {
  size_t struct_size;
  size_t input, output; /* positions among the operator's inputs and outputs */
  neap_size bytes;      /* >= 0 */
} neap_allowance;

/* Tensors that share the bytes of other tensors, so that nothing is copied. */
typedef enum neap_alias {
  NEAP_ALIAS_VIEWS = 1,  /* an output that is its input in another shape */
  NEAP_ALIAS_CONCAT = 2, /* an input that is a part of the output, as in a concatenation */
  NEAP_ALIAS_SPLIT = 4   /* an output that is a part of the input, as in a split or a slice */
} neap_alias;

/* A tensor whose bytes are a run of the bytes of another. */
typedef struct neap_part {
  size_t struct_size;
  size_t input, output; /* positions among the operator's inputs and outputs */
  neap_size offset;     /* >= 0; of the part in the whole */
  neap_alias alias;     /* CONCAT: the input is the part; SPLIT: the output is */
} neap_part;

/* Creates a graph without tensors and operators; NULL if memory runs out. */
NEAP_API neap_graph *neap_graph_new(void);
NEAP_API void neap_graph_free(neap_graph *graph);

/* Creates a copy; NULL if memory runs out. */
NEAP_API neap_graph *neap_graph_copy(const neap_graph *graph);

/*
 * Adds a tensor; its index is the number of tensors added before it.  Name, shape and type are
 * copied.  NEAP_ERROR_INPUT: the name is empty or not unique, or the bytes, the alignment or the
 * shape are out of range.
 */
NEAP_API neap_status neap_graph_add_tensor(neap_graph *graph, const char *name,
                                           const neap_tensor *tensor, neap_error *error);

/*
 * Adds an operator, which runs after all operators added before it.  `name` is its type, such as
 * "CONV_2D", or ""; it is copied.
 */
NEAP_API neap_status neap_graph_add_operator(neap_graph *graph, const char *name,
                                             neap_error *error);

/*
 * Gives the operator added last a name of its own in addition to its type, such as "block1/conv".
 * It is copied, and stays with the operator when operators are reordered; "" or NULL removes it.
 * NEAP_ERROR_ARGUMENT: there is no operator.  NEAP_ERROR_INPUT: the label is not valid UTF-8.
 */
NEAP_API neap_status neap_graph_label_operator(neap_graph *graph, const char *label,
                                               neap_error *error);

/*
 * States how long the operator added last runs, in any unit that all operators have in common.  By
 * default, an operator takes 1.  Operators of TensorFlow Lite and ONNX models have durations that
 * follow from their shapes (NEAP_TIME_WORK).  Only recomputation (neap_graph_recompute) uses
 * durations.  NEAP_ERROR_ARGUMENT: there is no operator.  NEAP_ERROR_INPUT: the duration is not in
 * 0 .. NEAP_DURATION_MAX.
 */
NEAP_API neap_status neap_graph_time_operator(neap_graph *graph, int64_t duration,
                                              neap_error *error);

/* The longest duration of an operator, so that durations are exact in floating point. */
#define NEAP_DURATION_MAX (INT64_C(1) << 53)

/*
 * Removes the operator added last, with its links, pairs, allowances and parts, for example
 * because one of them could not be added.  Does nothing without operators.  Use it only while
 * building.
 */
NEAP_API void neap_graph_remove_operator(neap_graph *graph);

/*
 * Links a tensor, by its index, to the operator added last.  Add all links of one role together.
 * NEAP_ERROR_ARGUMENT: there is no operator or no such tensor, or the roles are mixed.
 */
NEAP_API neap_status neap_graph_add_link(neap_graph *graph, neap_link link, size_t tensor,
                                         neap_error *error);

/*
 * Allows an output of the operator added last to use the bytes of one of its inputs.
 * NEAP_ERROR_ARGUMENT: there is no operator.  NEAP_ERROR_INPUT: the operator has no such input or
 * output.
 */
NEAP_API neap_status neap_graph_add_pair(neap_graph *graph, const neap_in_place *pair,
                                         neap_error *error);

/*
 * Allows an output of the operator added last to overlap one of its inputs
 * (neap_liveness.overlap).  The errors are those of neap_graph_add_pair; also NEAP_ERROR_INPUT:
 * the bytes are negative.
 */
NEAP_API neap_status neap_graph_add_allowance(neap_graph *graph,
                                              const neap_allowance *allowance,
                                              neap_error *error);

/*
 * States that an input of the operator added last is a part of an output, or the reverse
 * (neap_liveness.aliases).  The errors are those of neap_graph_add_pair; also NEAP_ERROR_INPUT:
 * the part is not inside the whole.
 */
NEAP_API neap_status neap_graph_add_part(neap_graph *graph, const neap_part *part,
                                         neap_error *error);

/*
 * States that an output of the graph is an input of the next run.  If nothing reads the input once
 * the output is made, both are in the same bytes, which need not be copied between runs; otherwise
 * both are alive to the end.  Add the tensors first.  NEAP_ERROR_ARGUMENT: there is no such tensor.
 * NEAP_ERROR_INPUT: the tensors are no activations that are output and input, their sizes differ,
 * or one of them is in a state already.
 */
NEAP_API neap_status neap_graph_add_state(neap_graph *graph, size_t output, size_t input,
                                          neap_error *error);

NEAP_API size_t neap_graph_tensor_count(const neap_graph *graph);
NEAP_API size_t neap_graph_operator_count(const neap_graph *graph);

/* The type of an operator, such as "CONV_2D", or "", by its index in execution order. */
NEAP_API const char *neap_graph_operator_name(const neap_graph *graph, size_t index);

/* A published network whose graph can be generated. */
typedef struct neap_network_info {
  size_t struct_size;
  const char *name;
  const char *summary;
  bool is_random; /* the graph depends on the seed */
} neap_network_info;

/* Lists the networks, in a fixed order. */
NEAP_API bool neap_network_at(size_t index, neap_network_info *info);

/*
 * Generates the graph of a network, with batch 1 and float32 tensors.  Element-wise operators have
 * pairs, concatenations have parts.  The same name and seed give the same graph on every machine.
 * NEAP_ERROR_ARGUMENT: there is no such network.
 */
NEAP_API neap_status neap_graph_generate(const char *name, uint64_t seed, neap_graph **graph,
                                         neap_error *error);

/* ================================================================ problems of graphs */

/* Which tensors are planned, and when they are alive.  Zeroes are the defaults. */
typedef struct neap_liveness {
  bool in_place;    /* outputs use the bytes of inputs where the operator allows it */
  bool overlap;     /* outputs overlap inputs as far as allowances permit */
  unsigned aliases; /* a sum of neap_alias: how tensors share bytes instead of being copied */
  bool keep_all;    /* every tensor is alive to the end */
  bool no_inputs;   /* do not plan the graph's inputs, because they are stored elsewhere */
  bool no_outputs;  /* do not plan the graph's outputs, because they are stored elsewhere */
  /* List the tensors that the runtime allocates itself: neap_problem_runtime_tensor_at. */
  bool list_runtime;
  const char *const *keep; /* names of tensors that are alive to the end */
  size_t keep_count;
  size_t reserved[4]; /* for later members; must be 0 */
} neap_liveness;

/*
 * Builds a problem from a graph; `options` may be NULL.  The problem has no buffers for
 * constants, tensors stored elsewhere and tensors that nothing writes.  NEAP_ERROR_INPUT: a
 * tensor is read before it is written, or written twice.  NEAP_ERROR_ARGUMENT: there is no tensor
 * of a name in `keep`.  O(tensors + links).
 */
NEAP_API neap_status neap_graph_to_problem(const neap_graph *graph,
                                           const neap_liveness *options, neap_problem **problem,
                                           neap_error *error);

/*
 * The graph that a problem was read from, after scheduling; NULL if it was not read from a graph.
 */
NEAP_API const neap_graph *neap_problem_graph(const neap_problem *problem);

/*
 * Lists the operators of a TensorFlow Lite model that may request scratch buffers of unknown
 * sizes, such as "3 (SVDF)" or "1:0 (MEAN)" in subgraph 1; NULL past the last.  The problem has
 * no buffers for them, so the arena will be larger than a plan's peak.  The list is empty if
 * the problem was read with neap_reading.model.scratch.
 */
NEAP_API const char *neap_problem_unknown_scratch(const neap_problem *problem, size_t index);

/*
 * A tensor that the runtime allocates itself, as TensorFlow Lite Micro does with variables and with
 * the scratch buffers of operators.
 */
typedef struct neap_runtime_tensor {
  size_t struct_size;
  const char *name;
  neap_size size;
  bool is_buffer; /* the problem has a buffer of this name, so plans count its bytes */
} neap_runtime_tensor;

/*
 * Lists the tensors that the runtime allocates, if neap_liveness.list_runtime is set or the input
 * lists them.  Some are buffers of the problem; a plan gives them the offsets that TensorFlow Lite
 * Micro will choose: the largest first, each at the lowest free offset between the other buffers.
 */
NEAP_API bool neap_problem_runtime_tensor_at(const neap_problem *problem, size_t index,
                                             neap_runtime_tensor *tensor);

/*
 * Adds a tensor of `size` bytes (>= 0) that the runtime allocates; the name is copied.
 * NEAP_ERROR_INPUT: the name is empty or already in the list, or the size is negative.
 */
NEAP_API neap_status neap_problem_add_runtime_tensor(neap_problem *problem, const char *name,
                                                     neap_size size, neap_error *error);

/* ================================================================ orders of operators */

/* How to order the operators. */
typedef enum neap_schedule {
  NEAP_SCHEDULE_KEEP,        /* as they are */
  NEAP_SCHEDULE_DEPTH_FIRST, /* run first the operand that needs the most memory */
  NEAP_SCHEDULE_MIN_PEAK,    /* search for a low bound */
  NEAP_SCHEDULE_OPTIMAL      /* search for the lowest bound, and prove that it is the lowest */
} neap_schedule;

/* A search for an order, while it runs. */
typedef struct neap_order_progress {
  neap_size bound;       /* of the best order so far */
  neap_size lower_bound; /* proven for every order */
  uint64_t ticks;        /* units of work: sets of operators visited, or those of planning */
  double seconds;
  neap_size peak; /* the lowest so far while layouts are compared, otherwise NEAP_UNPLACED */
} neap_order_progress;

/* Returns false to stop the search; the best order so far is then used. */
typedef bool neap_order_function(const neap_order_progress *progress, void *user);

/* How to order the operators.  Zeroes are the defaults. */
typedef struct neap_scheduling {
  neap_schedule schedule;
  /* For NEAP_SCHEDULE_OPTIMAL; the others do a fixed amount of work at most. */
  double time_limit;             /* seconds; 0: 5 s, or no limit if max_ticks is set */
  uint64_t max_ticks;            /* 0: no limit */
  neap_size memory_limit;        /* bytes for the sets of operators kept; 0: 1 GiB */
  neap_order_function *progress; /* called several times a second, with `user`; NULL: none */
  void *user;
  /* For neap_graph_recompute and neap_problem_prepare.  At least one of the limits is needed. */
  bool recompute;     /* operators may run again */
  neap_size capacity; /* to take the least time with a layout that fits; 0: the lowest bound */
  int64_t most_time;  /* millionths of the time that the operators take once; 0: no limit */
  /*
   * For neap_graph_reorder with a search: an order to begin with, such as that of an earlier
   * plan.  Only `given` and `count` are read: the indices of all operators, each one after the
   * operators that it depends on.  NULL: none.
   */
  const struct neap_operator_order *start;
  size_t reserved[1]; /* for later members; must be 0 */
} neap_scheduling;

/*
 * Reorders the operators.  Each operator still runs after the operators that it depends on;
 * operators that access the same variable, and operators without outputs, keep their order.
 * `options` may be NULL.  The order changes only if it does not raise the bound of the problem
 * that neap_graph_to_problem builds with the same `options`.  Deterministic.  The errors are those
 * of neap_graph_to_problem; also NEAP_ERROR_INPUT: the sizes of all tensors together exceed
 * NEAP_MAX, or scheduling->start is no order of the operators.
 */
NEAP_API neap_status neap_graph_reorder(neap_graph *graph, const neap_scheduling *scheduling,
                                        const neap_liveness *options, neap_error *error);

/*
 * Plans the graph's problem for a short time.  A layout may reach the bound in one order and miss
 * it in another.  If it misses the bound, tries random changes of the order that do not raise the
 * bound, and keeps those with a lower layout: up to 16 changes, or 128 with a limit, unless the
 * peak is very near the bound.  Of `scheduling`, uses only the limits and the progress function.
 * The search ends with the best order so far when it and neap_graph_reorder have taken time_limit,
 * or when it has taken half of max_ticks; the other half is for the plan.  The errors are those of
 * neap_graph_reorder.
 */
NEAP_API neap_status neap_graph_try_orders(neap_graph *graph, const neap_scheduling *scheduling,
                                           const neap_liveness *options, neap_error *error);

/*
 * Lets operators run again, shortly before a later reader, instead of keeping their outputs.
 * First looks for the best order, as with NEAP_SCHEDULE_OPTIMAL.
 * If that order does not fit the capacity, or no capacity is set, searches for order and
 * repetitions together: for the least time within the capacity, or for the lowest bound within
 * the time.  With a capacity, plans each result for a short time, and looks for a lower bound
 * if no layout fits.  Proves a lower bound on the time or, without a capacity, on the bound
 * within the time (neap_operator_order).
 *
 * The graph then has an operator for each run, in the order of the runs.  A further run makes
 * new tensors: "x#2" is the second x.  Operators that access variables, have no outputs, or
 * make outputs of the graph, variables or tensors that are parts of others run only once; all
 * others must be deterministic.  If nothing fits, the graph gets the lowest
 * bound found.  The errors are those of neap_graph_reorder; also NEAP_ERROR_ARGUMENT: there is
 * no limit.  NEAP_ERROR_INPUT: the durations add up to more than NEAP_DURATION_MAX.
 */
NEAP_API neap_status neap_graph_recompute(neap_graph *graph, const neap_scheduling *scheduling,
                                          const neap_liveness *options, neap_error *error);

/* The unit of the durations of operators. */
typedef enum neap_time_unit {
  NEAP_TIME_RUNS,  /* runs: no operator has a duration */
  NEAP_TIME_GIVEN, /* the unit of neap_graph_time_operator or of the input */
  NEAP_TIME_WORK   /* in models: multiply-accumulates, or output elements if these are more */
} neap_time_unit;

/* "runs", "given" or "work". */
NEAP_API const char *neap_time_unit_name(neap_time_unit unit);

/* The order in which scheduling has put a graph's operators. */
typedef struct neap_operator_order {
  size_t struct_size;
  const size_t *
      given; /* for each operator in the new order: its original index; repeats if it runs again */
  size_t count;
  neap_size given_bound; /* the bound of the original order */
  neap_size lower_bound; /* proven: no order has a lower bound; 0 if nothing is proven; after
                            neap_graph_recompute, no runs within most_time */
  uint64_t ticks;        /* work of planning that neap_graph_try_orders has done */
  double seconds;        /* taken to find the order */
  /* With neap_graph_recompute; otherwise 0. */
  int64_t time;       /* that all runs take */
  int64_t time_once;  /* that the operators take if each runs once */
  int64_t least_time; /* proven: no runs within the capacity take less */
  neap_time_unit time_unit;
} neap_operator_order;

/* For a problem built from a scheduled graph: fills *order and returns true. */
NEAP_API bool neap_problem_order(const neap_problem *problem, neap_operator_order *order);

/* Records the order of the operators that a problem was built from.  Copies it, with `given`. */
NEAP_API neap_status neap_problem_set_order(neap_problem *problem,
                                            const neap_operator_order *order,
                                            neap_error *error);

/* ================================================================ operators of problems */

/*
 * An operator of a problem: operator k runs during [k, k + 1).  Planning ignores operators;
 * they serve output files and pictures.
 */
typedef struct neap_operator_info {
  size_t struct_size;
  const char *type; /* such as "CONV_2D", or "" */
  const char *name; /* its own name in the model; NULL: it has none */
  /*
   * Indices of the buffers that hold its inputs, and of those that hold its outputs and
   * temporaries; each once.  An in-place output is in a buffer that the operator also reads.
   * Tensors that are not planned are omitted.
   */
  const size_t *reads;
  size_t read_count;
  const size_t *makes;
  size_t make_count;
} neap_operator_info;

/*
 * The number of operators.  For a problem built from a graph, these are the graph's operators
 * in execution order; if the graph's inputs exist for a moment before the first operator, an
 * operator without type and buffers comes first.  Otherwise, these are the operators of the
 * file that the problem was read from, or those added.  neap_problem_retime drops operators,
 * because it changes the moments at which they run.
 */
NEAP_API size_t neap_problem_operator_count(const neap_problem *problem);

/* Lists the operators.  The pointers in *info are valid until the problem changes. */
NEAP_API bool neap_problem_operator_at(const neap_problem *problem, size_t index,
                                       neap_operator_info *info);

/*
 * Adds a copy of an operator, which runs after all operators added before it; add the buffers
 * first.  Raises the horizon to the number of operators if it was lower.  NEAP_ERROR_INPUT: a
 * buffer does not exist or is twice in a list, or a text is not valid UTF-8.
 */
NEAP_API neap_status neap_problem_add_operator(neap_problem *problem,
                                               const neap_operator_info *info,
                                               neap_error *error);

/*
 * The length of time: the number of memory operations for a problem built from these; otherwise
 * the last end of a lifetime, or 0 without buffers.
 */
NEAP_API neap_time neap_problem_horizon(const neap_problem *problem);

/* ================================================================ memory operations */

/* An allocation or a free, in a sequence in execution order. */
typedef struct neap_operation {
  const char *name;
  bool is_alloc;       /* false: it frees the buffer of this name */
  neap_size size;      /* of an allocation: 0 .. NEAP_MAX */
  neap_size alignment; /* of an allocation: >= 1 */
} neap_operation;

/*
 * Builds a problem from memory operations.  Buffers are sorted by allocation.  A buffer
 * allocated by operation t and freed by operation u is alive during [t, u); a buffer that is
 * never freed is alive to the end of the sequence.  If a name is allocated again after it was
 * freed, the later buffers are called name#1, name#2 and so on.  NEAP_ERROR_INPUT: an operation
 * frees a name that is not allocated, or allocates a name that is; error->line is the
 * operation's index + 1.
 */
NEAP_API neap_status neap_problem_from_operations(const neap_operation *operations,
                                                  size_t count, neap_problem **problem,
                                                  neap_error *error);

#ifdef __cplusplus
}
#endif

#endif
