/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODELS_TFLITE_MACS_H
#define MODELS_TFLITE_MACS_H

#include "models/tflite/kernels.h"

/*
 * Counts the multiply-accumulates of a convolution, a matrix product or a recurrent layer.
 * Returns 0 for all other operators.
 */
int64_t tflite_count_macs(const struct tflite_call *call);

/*
 * Whether an input is weights or a bias with an equal share for each channel of the output, and
 * the axis of these shares.
 */
bool tflite_has_shares(uint64_t code, size_t input, size_t *axis);

#endif
