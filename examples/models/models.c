/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * keyword: a recogniser of four spoken words, of neap's own making, with one of everything that
 * planning has to know of: constants, an input that is not given, a variable, elements of four
 * bits, an operator that may work in place, and a view.
 *
 *     spectrogram -> conv -> depthwise -> sum -> narrow -> blend -> pool -> flat -> logits -> words
 *                      '-------------------^                ^ memory
 */
#include "models/model.h"

#define LIST(...) ((const int32_t[]){__VA_ARGS__, MODEL_END})
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct model_tensor keyword_tensors[] = {
    {"spectrogram", MODEL_INT8, {1, 49, 10, 1}, 4, false, false},
    {"conv/filter", MODEL_INT8, {8, 4, 4, 1}, 4, true, false},
    {"conv/bias", MODEL_INT32, {8}, 1, true, false},
    {"conv", MODEL_INT8, {1, 25, 5, 8}, 4, false, false},
    {"depthwise/filter", MODEL_INT8, {1, 3, 3, 8}, 4, true, false},
    {"depthwise", MODEL_INT8, {1, 25, 5, 8}, 4, false, false},
    {"sum", MODEL_INT8, {1, 25, 5, 8}, 4, false, false},
    {"narrow", MODEL_INT4, {1, 25, 5, 8}, 4, false, false},
    {"memory", MODEL_INT8, {1, 25, 5, 8}, 4, false, true},
    {"blend", MODEL_INT8, {1, 25, 5, 8}, 4, false, false},
    {"pool", MODEL_FLOAT32, {1, 1, 1, 8}, 4, false, false},
    {"flat", MODEL_FLOAT32, {1, 8}, 2, false, false},
    {"dense/filter", MODEL_INT4, {4, 8}, 2, true, false},
    {"logits", MODEL_FLOAT32, {1, 4}, 2, false, false},
    {"words", MODEL_FLOAT32, {1, 4}, 2, false, false},
};

enum { ADD = 0, AVERAGE_POOL_2D = 1, CONV_2D = 3, DEPTHWISE_CONV_2D = 4, FULLY_CONNECTED = 9 };
enum { MUL = 18, RESHAPE = 22, SOFTMAX = 25, QUANTIZE = 114 };

static const struct model_operator keyword_operators[] = {
    {CONV_2D, LIST(0, 1, 2), LIST(3)}, {DEPTHWISE_CONV_2D, LIST(3, 4, -1), LIST(5)},
    {ADD, LIST(3, 5), LIST(6)},        {QUANTIZE, LIST(6), LIST(7)},
    {MUL, LIST(7, 8), LIST(9)},        {AVERAGE_POOL_2D, LIST(9), LIST(10)},
    {RESHAPE, LIST(10), LIST(11)},     {FULLY_CONNECTED, LIST(11, 12, -1), LIST(13)},
    {SOFTMAX, LIST(13), LIST(14)},
};

static const struct model_tensor least_tensors[] = {
    {"x", MODEL_INT8, {3}, 1, false, false},
    {"x", MODEL_INT8, {3}, 1, false, false},
};

static const struct model_operator least_operators[] = {{ADD, LIST(0, 0), LIST(1)}};

#define KEYWORD                                                                         \
  keyword_tensors, COUNT(keyword_tensors), keyword_operators, COUNT(keyword_operators), \
      LIST(0), LIST(14)

static const struct model models[] = {
    {"keyword", "four spoken words, with a state from run to run", KEYWORD, false},
    {"keyword_planned", "the same with an offline memory plan that shares nothing", KEYWORD,
     true},
    {"least", "one operator on tensors of one name", least_tensors, COUNT(least_tensors),
     least_operators, COUNT(least_operators), LIST(0), LIST(1), false},
};

const struct model *model_at(size_t index) {
  return index < COUNT(models) ? &models[index] : NULL;
}
