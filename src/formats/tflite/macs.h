/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FORMATS_TFLITE_MACS_H
#define FORMATS_TFLITE_MACS_H

#include "formats/tflite/kernels.h"

/*
 * The multiply-accumulates of an operator: of convolutions, matrix products and recurrent layers.  0 for
 * all others.
 */
int64_t tflite_count_macs(const struct tflite_call *call);

#endif
