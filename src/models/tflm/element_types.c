/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/tflm/element_types.h"

static const struct element_type types[] = {
    {"float32", 'f', 32},  {"float16", 'e', 16}, {"int32", 'i', 32},
    {"uint8", 'B', 8},     {"int64", 'q', 64},   {"string", 's', 0},
    {"bool", 't', 8},      {"int16", 'h', 16},   {"complex64", 'c', 64},
    {"int8", 'b', 8},      {"float64", 'd', 64}, {"complex128", 'C', 128},
    {"uint64", 'Q', 64},   {"resource", 'r', 0}, {"variant", 'v', 0},
    {"uint32", 'I', 32},   {"uint16", 'H', 16},  {"int4", 'n', 4},
    {"bfloat16", 'g', 16}, {"int2", 'm', 2}};

const struct element_type *element_type_find(uint64_t number) {
  return number < sizeof types / sizeof *types ? &types[number] : NULL;
}
