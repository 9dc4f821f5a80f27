/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Concatenations and splits of TensorFlow Lite models. */
#ifndef FORMATS_TFLITE_PARTS_H
#define FORMATS_TFLITE_PARTS_H

#include "formats/tflite/kernels.h"

/* Tells the graph's last operator, which has been linked, which tensors are parts of others. */
neap_status tflite_add_parts(const struct tflite_call *call, neap_graph *graph,
                             neap_error *error);

#endif
