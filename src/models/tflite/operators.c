/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/tflite/operators.h"

#include "models/tflite/schema.h"

enum kind { PLAIN, ELEMENT_WISE, CONVERSION, IS_VIEW };

#define VIEW(shape) IS_VIEW
#define SHAPED(shape) PLAIN
#define KERNEL(code, name, kind, ...) [code] = {#name, kind},
#define REPLACED(code, name, kind, ...) [code] = {#name, kind},
#define UNSUPPORTED(code, name, kind, ...) [code] = {#name, kind},
static const struct {
  const char *name;
  enum kind kind;
} operators[] = {
#include "models/tflm/kernels.def"
};

static bool is_known(uint64_t code) {
  return code < sizeof operators / sizeof *operators && operators[code].name;
}

const char *tflite_operator_name(uint64_t code) {
  return is_known(code) ? operators[code].name : "operator";
}

bool tflite_operator_is_element_wise(uint64_t code) {
  return is_known(code) && operators[code].kind == ELEMENT_WISE;
}

bool tflite_operator_is_pointwise(uint64_t code) {
  return is_known(code) &&
         (operators[code].kind == ELEMENT_WISE || operators[code].kind == CONVERSION);
}

bool tflite_operator_is_view(uint64_t code) {
  return is_known(code) && operators[code].kind == IS_VIEW;
}

const struct tflite_caller *tflite_operator_caller(uint64_t code) {
  static const struct tflite_caller callers[] = {
      {TFLITE_CALL, false, 16, 0, 1},
      {TFLITE_IF, false, 92, 0, 2},
      {TFLITE_WHILE, false, 93, 0, 2},
      {TFLITE_CALL_ONCE, false, 103, 0, 1},
      {TFLITE_STABLEHLO_REDUCE, true, 6, 1, 1},
      {TFLITE_STABLEHLO_SCATTER, true, 7, 6, 1},
      {TFLITE_STABLEHLO_REDUCE_WINDOW, true, 13, 5, 1},
      {TFLITE_STABLEHLO_SORT, true, 14, 2, 1},
      {TFLITE_STABLEHLO_WHILE, true, 15, 0, 2},
      {TFLITE_STABLEHLO_COMPOSITE, true, 21, 1, 1},
      {TFLITE_STABLEHLO_CASE, true, 23, 0, 0}};
  for (size_t i = 0; i < sizeof callers / sizeof *callers; i++)
    if (callers[i].code == code) return &callers[i];
  return NULL;
}
