/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a copy of an ONNX model whose operators run in the order of a plan, some of them again. */
#ifndef MODELS_ONNX_WRITE_H
#define MODELS_ONNX_WRITE_H

#include "neap/neap-io.h"

/* Copies writing->model, read with writing->reading; the errors are described in neap-io.h. */
neap_status onnx_write(const neap_plan *plan, const neap_writing *writing, FILE *stream,
                       neap_error *error);

#endif
