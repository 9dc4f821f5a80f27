/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formats of models, which libneap-io knows once this library is loaded. */
#include "io/format.h"
#include "models/onnx/onnx.h"
#include "models/onnx/write.h"
#include "models/tflite/assumed.h"
#include "models/tflite/plan.h"
#include "models/tflite/tflite.h"
#include "models/tflite/write.h"
#include "models/tflm/buffer_plan.h"
#include "neap/models.h"
#include "runtimes/online.h"

#define GRAPH NEAP_CONTENT_GRAPH
#define PLAN NEAP_CONTENT_PLAN

/* Formats know no planners, not even the rule of the runtime. */
static neap_status read_model_plan(char *text, size_t size, const neap_reading *reading,
                                   neap_plan **plan, neap_error *error) {
  return tflite_plan_read(text, size, reading, online_place, plan, error);
}

static const struct format formats[] = {
    {.name = "tflite",
     .summary = "a TensorFlow Lite model; a copy of one can hold a plan",
     .extensions = {".tflite"},
     .reads = GRAPH | PLAN,
     .writes = NEAP_CONTENT_MODEL | NEAP_CONTENT_SPLIT,
     .options = FORMAT_DIMENSIONS | FORMAT_ALIGNMENT | FORMAT_SCRATCH | FORMAT_KERNELS,
     .is_model = true,
     .is = tflite_is,
     .apply = tflite_assumed_apply,
     .read_graph = tflite_read,
     .read_plan = read_model_plan,
     .export_plan = tflite_write},
    {.name = "onnx",
     .summary = "an ONNX model; a copy of one can have the order of a plan",
     .extensions = {".onnx"},
     .reads = GRAPH,
     .writes = NEAP_CONTENT_ORDERED | NEAP_CONTENT_SPLIT,
     .options = FORMAT_DIMENSIONS | FORMAT_ALIGNMENT,
     .is_model = true,
     .is = onnx_is,
     .read_graph = onnx_read,
     .export_plan = onnx_write},
    {.name = "buffer-plan",
     .summary = "a C++ header with a BufferPlan for TensorFlow Lite Micro",
     .extensions = {".h", ".hh", ".hpp", ".hxx", ".inc"},
     .writes = NEAP_CONTENT_BUFFER_PLAN,
     .export_plan = buffer_plan_write}};

static const struct neap_format_family family = {formats, sizeof formats / sizeof *formats};

void neap_models_register(void) { neap_formats_register(&family); }

/* Registers the formats even if the program links the library but never calls it. */
__attribute__((constructor)) static void register_when_loaded(void) { neap_models_register(); }

__attribute__((destructor)) static void forget_when_unloaded(void) {
  neap_formats_register(NULL);
}
