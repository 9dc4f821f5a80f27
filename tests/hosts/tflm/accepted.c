/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * accepted [cmsis-nn] <TYPES: compares the types that kernels accept according to neap with those
 * that the runtime accepts, as types.cc prints them.  Prints the differences, and how many
 * combinations agree.  Exits with 1 if anything differs.
 *
 * What the runtime runs, neap must not refuse.  What the runtime refuses, neap must refuse, unless
 * an output has another type than input 0 and the rule leaves its type open: the kernel then takes
 * its bytes for something else, which is no model.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/tflm/element_types.h"
#include "models/tflm/kernel_memory.h"

#define TENSORS 64

static int32_t no_dimension(const struct footprint_tensor *tensor, size_t index) {
  (void)tensor;
  (void)index;
  return 1;
}

/* "f4c", "b4*0x1p-1*-3", "-" */
static struct footprint_tensor read_tensor(const char *word) {
  struct footprint_tensor tensor = {.is_present = *word != '-', .dimension = no_dimension};
  for (unsigned type = 0; element_type_find(type); type++)
    if (element_type_find(type)->letter == *word) tensor.type = type;
  tensor.rank = *word == '-' ? 0 : (size_t)atoi(word + 1);
  const char *scale = strchr(word, '*');
  size_t length = scale ? (size_t)(scale - word) : strlen(word);
  tensor.is_constant = *word != '-' && memchr(word + 1, 'c', length - 1) != NULL;
  if (!scale) return tensor;
  tensor.channels = scale[-1] == 'm' ? 2 : 1;
  tensor.scale = strtof(scale + 1, NULL);
  tensor.zero_point = atoi(strrchr(word, '*') + 1);
  return tensor;
}

/*
 * Calls that fail only because of the grid's numbers and shapes: divisions by zero, sums out of
 * range, roots of negative numbers, unsuitable inputs of a concatenation, axes that are zero.
 */
static bool is_exempt(const struct footprint_call *call) {
  static const unsigned char codes[] = {2, 3, 4, 9, 42, 44, 76, 83, 90}; /* to FLOOR_DIV */
  enum { INT32_TYPE = 2 };
  for (size_t i = 1; i < call->input_count; i++)
    if (call->inputs[i].type == INT32_TYPE && !call->inputs[i].is_constant) return true;
  return memchr(codes, (int)call->code, sizeof codes) != NULL;
}

/* Kernels that do not check a type treat any type as the one that they expect. */
static bool is_odd(const struct footprint_call *call) {
  enum { ADD = 0, FULLY_CONNECTED = 9, SEQUENCE_LSTM = 44 };
  for (size_t i = 0; i < call->output_count; i++)
    if (call->outputs[i].type != call->inputs[0].type) return true;
  if (call->kernels == NEAP_KERNELS_REFERENCE) return false;
  bool has_weights = call->code == FULLY_CONNECTED || call->code == SEQUENCE_LSTM;
  for (size_t i = 1; i < 9 && i < call->input_count && has_weights; i++)
    if (call->inputs[i].is_present && !call->inputs[i].is_constant) return true;
  return call->code == ADD && call->inputs[1].type != call->inputs[0].type;
}

int main(int count, char **arguments) {
  char line[1024], copy[1024];
  size_t agreed = 0, odd = 0, differ = 0;
  struct footprint_call call = {.kernels = count > 1 && strcmp(arguments[1], "cmsis-nn") == 0
                                               ? NEAP_KERNELS_CMSIS_NN
                                               : NEAP_KERNELS_REFERENCE};
  while (fgets(line, sizeof line, stdin)) {
    struct footprint_tensor tensors[TENSORS];
    char reason[ACCEPTS_REASON] = "";
    snprintf(copy, sizeof copy, "%s", line);
    char *word = strtok(line, " \n"), *colon = word ? strchr(word, ':') : NULL;
    const char *verdict = strtok(NULL, " \n");
    size_t used = 0;
    if (!word || !verdict) return 2;
    call.code = (unsigned)atoi(word);
    call.custom = colon ? colon + 1 : "";
    call.inputs = tensors;
    while ((word = strtok(NULL, " \n")) != NULL && used < TENSORS) {
      if (*word == '>') call.input_count = used, call.outputs = &tensors[used];
      else tensors[used++] = read_tensor(word);
    }
    call.output_count = used - call.input_count;
    if (strcmp(call.custom, "TFLite_Detection_PostProcess") == 0 ||
        strcmp(call.custom, "SignalOverlapAdd") == 0)
      continue; /* these look at numbers */
    bool refuses = footprint_refuses(&call, reason);
    if (refuses == (*verdict != '+')) agreed++;
    else if (!refuses && (is_odd(&call) || (*verdict == 'i' && is_exempt(&call)))) odd++;
    else {
      differ++;
      printf("%s%s: %s", refuses ? "neap refuses, as " : "neap accepts",
             refuses ? reason : "", copy);
    }
  }
  printf("%zu agree, %zu run with types that are no model, %zu differ\n", agreed, odd, differ);
  return differ > 0;
}
