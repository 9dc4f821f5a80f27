/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What TensorFlow Lite Micro's kernels allocate when a model is prepared, by the type of the
 * operator and by the shapes and types of its tensors.
 */
#ifndef MODELS_TFLM_KERNEL_MEMORY_H
#define MODELS_TFLM_KERNEL_MEMORY_H

#include "models/tflm/call.h"

/* ---------------------------------------------------------------- accepts */

/*
 * Whether a kernel accepts the types of its tensors.  A rule has alternatives, separated by '|'.
 * Each has a word for each input and, after '>', for each output: the letters of the types
 * (element_types.h), '=' for the type of input 0, or '*' for any type.  After these may follow
 *
 *   :2-4   the lowest and the highest rank; without the latter, any higher rank
 *   %      as many elements as input 0
 *   .      the operator's options are dimensions of the tensor; .1: of length 1
 *   !      a constant
 *   @      quantised as a whole, not by channels
 *   $      with a scale and a zero point; ^: without
 *   <      with a scale below 1
 *   #-128  with this zero point (0 if the tensor has none) and, after '/', the scale as a power of
 *          1/2: #-128/8 is -128 and 2^-8
 *   &A     with the scale and the zero point of output 0; a is input 0.  &A6: scales may differ
 *          by 10^-6
 *   &ab    with the product of the scales of inputs 0 and 1, unless input 1 has many, up to 2 %
 *          of the scale of output 0.  &ab5: up to 10^-5
 *   ?      the tensor may be absent
 *   ~      it may be missing at the end of the list
 *   +10    all remaining tensors, if there are at most 10 in all; without a number, any number
 *
 * Further inputs and outputs are not checked, so an empty rule accepts everything.
 */

/* False if no alternative fits, with the reason: "input 1 is int8, not float32". */
#define ACCEPTS_REASON 160
bool accepts_call(const char *rule, const struct footprint_call *call,
                  char reason[ACCEPTS_REASON]);

/* ---------------------------------------------------------------- footprint */

/* The version of the sources that the tables follow, for kernels of the runtime. */
const char *footprint_version(neap_kernels whose);

/* Whether the table has the operator; reads only code and custom of `call`. */
bool footprint_knows(const struct footprint_call *call);

/*
 * Whether the runtime cannot prepare or run the operator, with the reason in words; false for an
 * unknown custom operator.
 */
bool footprint_refuses(const struct footprint_call *call, char reason[ACCEPTS_REASON]);

/* Calls call->take for each request in order; nothing for an unknown operator. */
void footprint_find(const struct footprint_call *call, enum footprint_stage stage);

/* ---------------------------------------------------------------- cmsis nn */

/* The allocations of CMSIS-NN kernels, where they differ from the reference kernels. */

struct kernel;

/* NULL if CMSIS-NN has no kernel for the operator, or its kernel allocates the same. */
const struct kernel *cmsis_nn_find(unsigned code);

#endif
