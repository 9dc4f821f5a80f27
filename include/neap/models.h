/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libneap-models: TensorFlow Lite and ONNX models.  It finds how much memory a model needs, makes
 * models fit an arena, lowers their memory by computing them in bands, and writes the results.
 *
 *     neap_model *model;
 *     neap_fit *fit;
 *     neap_fit_report report = NEAP_INIT(neap_fit_report);
 *     neap_model_limits limits = NEAP_INIT(neap_model_limits);
 *     limits.capacity = 96 * 1024;
 *     if (neap_model_open("person.tflite", NULL, &model, &error) == NEAP_OK) {
 *       if (neap_model_fit(model, &limits, &fit, &error) == NEAP_OK) {
 *         neap_fit_get_report(fit, &report);
 *         if (report.fits) neap_fit_write(fit, "fits.tflite", &error);
 *         neap_fit_free(fit);
 *       }
 *       neap_model_free(model);
 *     }
 *
 * examples/fit.c is a whole program.  The conventions are those of neap.h and neap-io.h.
 * Fits and bands hold their model, which may be freed before them.
 *
 * For a TensorFlow Lite model, the arena is that of TensorFlow Lite Micro (arena.h): the planned
 * head, and the tail that the interpreter keeps.  For an ONNX model, it is the memory of its
 * tensors, and there is no tail.
 *
 * The parts: models, needs, bands, fit.
 */
#ifndef NEAP_MODELS_H
#define NEAP_MODELS_H

#include "neap/arena.h"
#include "neap/neap-io.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Registers the formats of models, so that neap_problem_read and other functions of libneap-io know
 * them.  Loading the shared library or opening a model does this automatically.  A program that
 * calls no other function of this header must call this one, so that the linker keeps the library.
 */
NEAP_API void neap_models_register(void);

/* ================================================================ models */

typedef struct neap_model neap_model;

/*
 * Opens a model.  `reading`, which may be NULL, states what to plan for: target, kernels, pointer,
 * overlap, dimensions, and so on.  Data that its members point to must stay valid as long as the
 * model, its fits and its bands.  Without a target, TensorFlow Lite models are for "tflm".
 * NEAP_ERROR_INPUT: the file is no model.
 */
NEAP_API neap_status neap_model_open(const char *path, const neap_reading *reading,
                                     neap_model **model, neap_error *error);

/* Like neap_model_open, with the content of a file, which is copied; `name` is for messages. */
NEAP_API neap_status neap_model_open_bytes(const char *name, const void *bytes, size_t size,
                                           const neap_reading *reading, neap_model **model,
                                           neap_error *error);

NEAP_API void neap_model_free(neap_model *model);

/* The name of the model's format, "tflite" or "onnx". */
NEAP_API const char *neap_model_format(const neap_model *model);

/* The graph of the model, which the caller owns, as neap_graph_read reads it. */
NEAP_API neap_status neap_model_graph(const neap_model *model, neap_graph **graph,
                                      neap_error *error);

/*
 * Builds the problem of the model.  `scheduling` (graph.h), which may be NULL, can ask for a
 * better order of the operators.  The caller owns the problem.  neap_problem_operator_at lists
 * its operators, and neap_problem_arena predicts the rest of the arena.
 */
NEAP_API neap_status neap_model_problem(const neap_model *model,
                                        const neap_scheduling *scheduling,
                                        neap_problem **problem, neap_error *error);

/* Plans the problem of the model, which the plan owns.  `options` may be NULL. */
NEAP_API neap_status neap_model_plan(const neap_model *model, const neap_scheduling *scheduling,
                                     const neap_options *options, neap_plan **plan,
                                     neap_error *error);

/*
 * The plan that a TensorFlow Lite model holds, or without one, the layout that the runtime makes
 * on its own (neap_plan_read).  The plan owns its problem.
 */
NEAP_API neap_status neap_model_own_plan(const neap_model *model, neap_plan **plan,
                                         neap_error *error);

/*
 * Writes a copy of the model with a plan of its problem: a TensorFlow Lite model with order and
 * offsets, an ONNX model with the order alone.  The path must have the ending of the format.
 */
NEAP_API neap_status neap_model_write(const neap_model *model, const neap_plan *plan,
                                      const char *path, neap_error *error);

/* ================================================================ needs */

/* The memory that a model with its plan needs, in bytes, and its work. */
typedef struct neap_model_need {
  neap_size peak;
  neap_size tail, arena; /* of neap_problem_arena: its tail, and the smallest that works */
  /*
   * Of neap_problem_arena.  Without a tail: if tensors are in both memories, the bytes in the
   * second one and in the first; otherwise 0 and the peak.
   */
  neap_size persistent, non_persistent;
  bool is_partial; /* the arena is larger: neap_problem_arena_unknown_at, neap_problem_missing */
  bool is_refused; /* no arena is enough: neap_problem_arena_refused_at */
  int64_t macs;    /* multiply-accumulates */
  size_t operators;
  neap_size file_bytes;
  size_t reserved[4]; /* for later members */
} neap_model_need;

/* The state of a search; valid during the call. */
typedef struct neap_bands_progress {
  neap_size peak;  /* the lowest so far; NEAP_UNPLACED: none yet */
  size_t measured; /* candidates */
  double seconds;
} neap_bands_progress;

/* What a search for bands looks for. */
typedef enum neap_bands_goal {
  NEAP_BANDS_ARENA, /* the smallest arena; without a tail, the lowest peak */
  NEAP_BANDS_PEAK,  /* the lowest peak */
  NEAP_BANDS_WORK   /* the least extra work with which the peak is at most the capacity */
} neap_bands_goal;

/* The memory that a model may use, and how to search.  Zeroes are the defaults. */
typedef struct neap_model_limits {
  size_t struct_size;
  neap_bands_goal goal; /* of neap_model_bands */
  neap_size capacity;   /* of the arena in bytes, or with NEAP_BANDS_WORK of the peak */
  neap_size second_capacity; /* for neap_model_fit: of a second memory, no larger; 0: none */
  const char *memories[2];   /* the names of both, if there are two */
  int64_t most_millionths;   /* of the model's multiply-accumulates; 0: twice as many */
  /* Also look for choices between the unchanged model and the lowest peak, as for an arena. */
  bool keep_on_curve;
  /* Called often; false ends the search, with the best so far.  NULL: always true. */
  bool (*keep_on)(const neap_bands_progress *progress, void *user);
  void *user;
} neap_model_limits;

/* ================================================================ bands */

/* Segments of a model computed in bands of rows, or in groups of channels, with its plan. */
typedef struct neap_bands neap_bands;

/*
 * Finds the segments of a model to compute in bands, and plans the result.  Outputs stay the
 * same, bit for bit in a TensorFlow Lite model.  `scheduling`, which may be NULL, can reorder
 * the model first.  The result can be the unchanged model.  NEAP_NO_PLAN: no choice was found
 * that fits the capacity; NEAP_INFEASIBLE: it is proven that none does.
 */
NEAP_API neap_status neap_model_bands(const neap_model *model,
                                      const neap_scheduling *scheduling,
                                      const neap_model_limits *limits, neap_bands **bands,
                                      neap_error *error);
NEAP_API void neap_bands_free(neap_bands *bands);

typedef struct neap_bands_report {
  size_t struct_size;
  neap_bands_goal goal;
  neap_model_need before, after;
  bool is_split;         /* false: the model as it is */
  bool is_proven;        /* proven by search, without a certificate: no choice is better */
  neap_size lower_bound; /* no choice has a lower peak; 0: nothing is proven */
  size_t length_max;     /* operators of a segment, of all choices */
  double factor;         /* of the work of the model, likewise */
  double seconds;
} neap_bands_report;

NEAP_API void neap_bands_get_report(const neap_bands *bands, neap_bands_report *report);

/*
 * Operators [first, end) of the model in `count` bands of the rows or of the channels of `output`.
 * Band i ends before ends[i].
 */
typedef struct neap_bands_segment {
  size_t struct_size;
  size_t first, end, count;
  const int32_t *ends;
  bool is_by_channels;
  bool keeps_rows; /* keeps rows that the next band needs again */
  const char *input, *output;
} neap_bands_segment;

NEAP_API bool neap_bands_segment_at(const neap_bands *bands, size_t index,
                                    neap_bands_segment *segment);

/* Lists the choices that were found, the lowest peak first and the unchanged model last. */
NEAP_API bool neap_bands_choice_at(const neap_bands *bands, size_t index,
                                   neap_model_need *choice);

/* Lists, by type, the operators that cannot run in bands: they need all rows at a time. */
NEAP_API bool neap_bands_whole_at(const neap_bands *bands, size_t index, neap_arena_note *note);

/* The plan of the result, and the plan of the unchanged model. */
NEAP_API const neap_plan *neap_bands_plan(const neap_bands *bands);
NEAP_API const neap_plan *neap_bands_plan_before(const neap_bands *bands);

/*
 * Writes the result with a plan of its problem; NULL: that of neap_bands_plan.  The path must
 * have the ending of the model's format.
 */
NEAP_API neap_status neap_bands_write(const neap_bands *bands, const neap_plan *plan,
                                      const char *path, neap_error *error);

/* ================================================================ fit */

/* Means to make a model fit, the cheapest first; each includes those before it. */
typedef enum neap_fit_means {
  NEAP_FIT_LAYOUT,  /* in the given order */
  NEAP_FIT_ORDER,   /* another order of the operators */
  NEAP_FIT_OVERLAP, /* outputs over inputs, as far as the kernels allow it */
  NEAP_FIT_POOLS,   /* head and tail in two memories, or without a tail, tensors in both */
  NEAP_FIT_BANDS    /* segments in bands, which may take more work */
} neap_fit_means;

/* The name of a means, such as "overlap"; NULL: there is no such means. */
NEAP_API const char *neap_fit_means_name(neap_fit_means means);

/* The places of head and tail; without a tail, HEAD_FIRST puts tensors into both memories. */
typedef enum neap_fit_place {
  NEAP_FIT_TOGETHER,   /* both in the first memory */
  NEAP_FIT_HEAD_FIRST, /* the tail is in the second */
  NEAP_FIT_TAIL_FIRST,
  NEAP_FIT_PLACES
} neap_fit_place;

typedef struct neap_fit neap_fit;

/*
 * Makes a model fit an arena of limits->capacity bytes, or two memories, at the least cost: tries
 * means one after another, and stops at the first that fits.  The call also succeeds if nothing
 * fits; see neap_fit_get_report.  Overlap is tried only if the model was opened with
 * liveness.overlap.  NEAP_ERROR_ARGUMENT: there is no capacity, or the second one is larger.
 */
NEAP_API neap_status neap_model_fit(const neap_model *model, const neap_model_limits *limits,
                                    neap_fit **fit, neap_error *error);
NEAP_API void neap_fit_free(neap_fit *fit);

typedef struct neap_fit_report {
  size_t struct_size;
  bool fits;             /* the last step fits */
  bool is_open;          /* the last step fits if operators of unknown kernels need nothing */
  bool is_refused;       /* the runtime cannot run the model, so nothing was tried */
  bool is_infeasible;    /* proven: no layout, order or choice of bands fits */
  size_t best;           /* the step with the smallest arena, or the fewest bytes missing */
  neap_size lower_bound; /* of the arena, for everything that was tried; 0: nothing is proven */
  neap_size missing;     /* bytes, proven for everything that was tried */
} neap_fit_report;

NEAP_API void neap_fit_get_report(const neap_fit *fit, neap_fit_report *report);

typedef struct neap_fit_step {
  size_t struct_size;
  neap_fit_means means;
  neap_fit_place place;
  neap_size needs[2];   /* bytes of each memory */
  neap_model_need need; /* without work, operators and file, except with bands */
  bool fits, is_open;   /* see neap_fit_report */
} neap_fit_step;

/* Lists the steps that were tried. */
NEAP_API bool neap_fit_step_at(const neap_fit *fit, size_t index, neap_fit_step *step);

/* The plan of the best step; and the bands of that step, which the fit owns, or NULL. */
NEAP_API const neap_plan *neap_fit_plan(const neap_fit *fit);
NEAP_API const neap_bands *neap_fit_bands(const neap_fit *fit);

/* Why bands were not tried, such as a part of the model that cannot be copied; NULL: no reason. */
NEAP_API const char *neap_fit_no_bands(const neap_fit *fit);

/* Writes the model of the best step with its plan, as neap_model_write does. */
NEAP_API neap_status neap_fit_write(const neap_fit *fit, const char *path, neap_error *error);

/*
 * Makes models fit one arena of limits->capacity bytes that their interpreters share
 * (neap_plans_arena), in this order.  fits[i] becomes the fit of models[i]; the caller frees
 * all fits.  The call also succeeds if nothing fits; neap_plans_arena of the plans shows that.
 * NEAP_ERROR_ARGUMENT: the models cannot share an arena.
 */
NEAP_API neap_status neap_models_fit(const neap_model *const *models, size_t count,
                                     const neap_model_limits *limits, neap_fit **fits,
                                     neap_error *error);

#ifdef __cplusplus
}
#endif

#endif
