/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which operators may request scratch buffers. */
#ifndef FORMATS_TFLITE_UNKNOWN_SCRATCH_H
#define FORMATS_TFLITE_UNKNOWN_SCRATCH_H

#include "formats/tflite/kernels.h"

/*
 * Adds an operator, number `index` of its subgraph, to the graph's list of unknown scratch buffers if
 * its kernel may request any.
 */
neap_status tflite_note_unknown_scratch(const struct tflite_call *call, size_t index,
                                        neap_graph *graph, neap_error *error);

#endif
