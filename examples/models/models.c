/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * keyword: a recogniser of four spoken words, of neap's own making, with one of everything that
 * planning has to know of: constants, an input that is not given, a variable, an operator that may
 * work in place, a view, and, in TensorFlow Lite Micro, a scratch buffer: dense/filter has
 * elements of four bits, which the operator unpacks.
 *
 *     spectrogram -> conv -> depthwise -> sum -> narrow -> blend -> pool -> flat -> logits -> words
 *                      '-------------------^                ^ memory
 *
 * branches: two branches that widen before either narrows, so that another order of the operators
 * takes little more than half of the memory.
 *
 *     image -> left  -> left/small  -> both
 *        '---> right -> right/small ---^
 */
#include "models/model.h"

#define LIST(...) ((const int32_t[]){__VA_ARGS__, MODEL_END})
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct model_tensor keyword_tensors[] = {
    {"spectrogram", MODEL_INT8, {1, 49, 10, 1}, 4, false, false, 8},
    {"conv/filter", MODEL_INT8, {8, 4, 4, 1}, 4, true, false, 7},
    {"conv/bias", MODEL_INT32, {8}, 1, true, false, 15},
    {"conv", MODEL_INT8, {1, 25, 5, 8}, 4, false, false, 6},
    {"depthwise/filter", MODEL_INT8, {1, 3, 3, 8}, 4, true, false, 9},
    {"depthwise", MODEL_INT8, {1, 25, 5, 8}, 4, false, false, 7},
    {"sum", MODEL_INT8, {1, 25, 5, 8}, 4, false, false, 6},
    {"narrow", MODEL_INT8, {1, 25, 5, 8}, 4, false, false, 5},
    {"memory", MODEL_INT8, {1, 25, 5, 8}, 4, false, true, 5},
    {"blend", MODEL_INT8, {1, 25, 5, 8}, 4, false, false, 6},
    {"pool", MODEL_INT8, {1, 1, 1, 8}, 4, false, false, 6},
    {"flat", MODEL_INT8, {1, 8}, 2, false, false, 6},
    {"dense/filter", MODEL_INT4, {4, 8}, 2, true, false, 3},
    {"logits", MODEL_INT8, {1, 4}, 2, false, false, 9},
    {"words", MODEL_FLOAT32, {1, 4}, 2, false, false, 0},
};

static const struct model_operator keyword_operators[] = {
    {MODEL_CONV_2D, LIST(0, 1, 2), LIST(3), 2, 2, 0, 0},
    {MODEL_DEPTHWISE_CONV_2D, LIST(3, 4, 2), LIST(5), 1, 1, 0, 0},
    {MODEL_ADD, LIST(3, 5), LIST(6), 0, 0, 0, 0},
    {MODEL_QUANTIZE, LIST(6), LIST(7), 0, 0, 0, 0},
    {MODEL_SUB, LIST(7, 8), LIST(9), 0, 0, 0, 0},
    {MODEL_AVERAGE_POOL_2D, LIST(9), LIST(10), 25, 5, 25, 5},
    {MODEL_RESHAPE, LIST(10), LIST(11), 0, 0, 0, 0},
    {MODEL_FULLY_CONNECTED, LIST(11, 12, -1), LIST(13), 0, 0, 0, 0},
    {MODEL_DEQUANTIZE, LIST(13), LIST(14), 0, 0, 0, 0},
};

static const struct model_tensor branches_tensors[] = {
    {"image", MODEL_INT8, {1, 8, 8, 4}, 4, false, false, 8},
    {"left/filter", MODEL_INT8, {40, 1, 1, 4}, 4, true, false, 7},
    {"left", MODEL_INT8, {1, 8, 8, 40}, 4, false, false, 7},
    {"right/filter", MODEL_INT8, {40, 1, 1, 4}, 4, true, false, 7},
    {"right", MODEL_INT8, {1, 8, 8, 40}, 4, false, false, 7},
    {"left/small", MODEL_INT8, {1, 2, 2, 40}, 4, false, false, 7},
    {"right/small", MODEL_INT8, {1, 2, 2, 40}, 4, false, false, 7},
    {"both", MODEL_INT8, {1, 2, 2, 40}, 4, false, false, 7},
};

static const struct model_operator branches_operators[] = {
    {MODEL_CONV_2D, LIST(0, 1, -1), LIST(2), 1, 1, 0, 0},
    {MODEL_CONV_2D, LIST(0, 3, -1), LIST(4), 1, 1, 0, 0},
    {MODEL_AVERAGE_POOL_2D, LIST(2), LIST(5), 4, 4, 4, 4},
    {MODEL_AVERAGE_POOL_2D, LIST(4), LIST(6), 4, 4, 4, 4},
    {MODEL_ADD, LIST(5, 6), LIST(7), 0, 0, 0, 0},
};

static const struct model_tensor least_tensors[] = {
    {"x", MODEL_INT8, {3}, 1, false, false, 0},
    {"x", MODEL_INT8, {3}, 1, false, false, 0},
};

static const struct model_operator least_operators[] = {
    {MODEL_ADD, LIST(0, 0), LIST(1), 0, 0, 0, 0}};

/* Elements of four bits as activations, which TensorFlow Lite Micro cannot quantize to. */
static const struct model_tensor nibbles_tensors[] = {
    {"bytes", MODEL_INT8, {5}, 1, false, false, 7},
    {"nibbles", MODEL_INT4, {5}, 1, false, false, 3},
    {"again", MODEL_INT8, {5}, 1, false, false, 7},
};

static const struct model_operator nibbles_operators[] = {
    {MODEL_QUANTIZE, LIST(0), LIST(1), 0, 0, 0, 0},
    {MODEL_QUANTIZE, LIST(1), LIST(2), 0, 0, 0, 0},
};

#define KEYWORD                                                                         \
  keyword_tensors, COUNT(keyword_tensors), keyword_operators, COUNT(keyword_operators), \
      LIST(0), LIST(14)

static const struct model models[] = {
    {"keyword", "four spoken words, with a state from run to run", KEYWORD, false},
    {"keyword_planned", "the same with an offline memory plan that shares nothing", KEYWORD,
     true},
    {"branches", "two branches that widen before either narrows", branches_tensors,
     COUNT(branches_tensors), branches_operators, COUNT(branches_operators), LIST(0), LIST(7),
     false},
    {"least", "one operator on tensors of one name", least_tensors, COUNT(least_tensors),
     least_operators, COUNT(least_operators), LIST(0), LIST(1), false},
    {"nibbles", "an activation of four-bit elements, planned", nibbles_tensors,
     COUNT(nibbles_tensors), nibbles_operators, COUNT(nibbles_operators), LIST(0), LIST(2),
     true},
};

const struct model *model_at(size_t index) {
  return index < COUNT(models) ? &models[index] : NULL;
}
