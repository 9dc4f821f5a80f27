/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An operator as a kernel sees it while the runtime prepares it, and what the kernel requests. */
#ifndef MODELS_TFLM_CALL_H
#define MODELS_TFLM_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "neap/neap-io.h"

/* A tensor of an operator. */
struct footprint_tensor {
  bool is_present; /* an optional tensor may be absent */
  bool is_constant;
  unsigned type; /* the type's number in the schema */
  size_t rank;
  int32_t (*dimension)(const struct footprint_tensor *tensor, size_t index);
  const void *shape;
  neap_size elements; /* NEAP_MAX: too many */
  size_t channels;    /* scales of its quantisation; 0: none */
  float scale;        /* the first; 0: it has none */
  int32_t zero_point; /* the first */
};

/* The stages in which the runtime goes through all operators, one after another. */
enum footprint_stage {
  FOOTPRINT_OPTIONS, /* the operator's options, unpacked from the model */
  FOOTPRINT_INIT,
  FOOTPRINT_PREPARE
};

enum footprint_kind {
  FOOTPRINT_PERSISTENT, /* stays in the tail */
  FOOTPRINT_SCRATCH,    /* in the head, while the operator runs */
  FOOTPRINT_TENSOR      /* a description of a tensor, until the operator is prepared */
};

struct footprint_request {
  enum footprint_kind kind;
  neap_size bytes;  /* NEAP_MAX: too many */
  neap_size repeat; /* the number of equal requests */
  size_t alignment;
  const struct footprint_tensor *tensor; /* FOOTPRINT_TENSOR */
};

typedef void footprint_taker(void *user, const struct footprint_request *request);

/* The limit on the numbers in an operator's options, which kernel_memory.c describes. */
#define FOOTPRINT_NUMBERS 16

/* An operator. */
struct footprint_call {
  neap_kernels kernels; /* of the runtime */
  unsigned code;      /* of the operator */
  const char *custom; /* the name of a custom operator */
  const struct footprint_tensor *inputs, *outputs;
  size_t input_count, output_count;
  int64_t numbers[FOOTPRINT_NUMBERS];
  size_t number_count;
  unsigned pointer; /* bytes of a pointer: 4 or 8 */
  footprint_taker *take;
  void *user;
};

#endif
