/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/tflite_maker.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/models/flatten.h"

#define MAX 192
#define KEYS 16
#define NONE UINT32_MAX

enum { OPCODES = 1, SUBGRAPHS = 2, BUFFERS = 4, METADATA = 6 }; /* of the root */

struct word {
  const char *text;
  size_t length;
};

struct list {
  uint32_t items[MAX], count;
};

struct tensor {
  struct word name;
  unsigned type, bits;
  bool is_constant, is_variable, has_free, is_free[8];
  uint32_t shape[8], rank;
  struct list scales;
  struct list data; /* of a constant; without any, made up */
};

struct operator{
  uint32_t code;
  struct word custom;
  struct word keys[KEYS]; /* of the options, if the operator is a custom one */
  struct list inputs, outputs, options;
};

struct subgraph {
  struct tensor tensors[MAX];
  struct operator operators[MAX];
  size_t tensor_count, operator_count;
  struct list inputs, outputs;
};

struct note {
  char name[64];
  struct list numbers;
};

struct draft {
  struct subgraph subgraphs[8];
  size_t subgraph_count;
  struct note notes[4];
  size_t note_count;
};

static void fail(const char *what, struct word word) {
  fprintf(stderr, "tflite_make: %s %.*s\n", what, (int)word.length, word.text);
  abort();
}

/* ---------------------------------------------------------------- the text */

static bool is(struct word word, const char *text) {
  return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

/* The next word of a line; empty at its end. */
static struct word next(const char **at) {
  while (**at == ' ')
    ++*at;
  struct word word = {*at, strcspn(*at, " \n")};
  *at += word.length;
  return word;
}

static uint32_t number_of(struct word word) {
  char text[16];
  snprintf(text, sizeof text, "%.*s", (int)word.length, word.text);
  return (uint32_t)strtol(text, NULL, 10);
}

static uint32_t find_tensor(const struct subgraph *subgraph, struct word word) {
  if (is(word, "-")) return NONE;
  for (uint32_t t = 0; t < subgraph->tensor_count; t++) {
    struct word name = subgraph->tensors[t].name;
    if (name.length == word.length && memcmp(name.text, word.text, word.length) == 0) return t;
  }
  fail("no tensor", word);
  return NONE;
}

/* Reads words up to "->", ":" or the end of the line: tensors, or numbers if `subgraph` is NULL. */
static void read_list(const char **at, const struct subgraph *subgraph, struct list *list) {
  for (;;) {
    struct word word = next(at);
    if (word.length == 0 || is(word, "->") || is(word, ":")) return;
    if (list->count == MAX) fail("too many", word);
    list->items[list->count++] = subgraph ? find_tensor(subgraph, word) : number_of(word);
  }
}

static const struct {
  const char *name;
  unsigned type, bits;
} types[] = {{"float32", 0, 32}, {"int32", 2, 32}, {"uint8", 3, 8},  {"string", 5, 0},
             {"bool", 6, 8},     {"int16", 7, 16}, {"int8", 9, 8},   {"resource", 13, 0},
             {"variant", 14, 0}, {"int4", 17, 4},  {"int64", 4, 64}, {"uint64", 12, 64},
             {"uint32", 15, 32}};

/* "float32[1,8]" */
static void read_type(struct word word, struct tensor *tensor) {
  size_t length = strcspn(word.text, "[");
  struct word name = {word.text, length};
  size_t t = 0;
  while (t < sizeof types / sizeof *types && !is(name, types[t].name))
    t++;
  if (t == sizeof types / sizeof *types) fail("no type", name);
  tensor->type = types[t].type;
  tensor->bits = types[t].bits;
  for (const char *at = word.text + length; *at == '[' || *at == ',';) {
    if (at[1] == ']') break;
    char *end;
    tensor->is_free[tensor->rank] = at[1] == '?';
    tensor->has_free = tensor->has_free || at[1] == '?';
    at += at[1] == '?';
    tensor->shape[tensor->rank++] = (uint32_t)strtol(at + 1, &end, 10);
    at = end;
  }
}

static void read_tensor(const char **at, struct subgraph *subgraph, struct word kind) {
  if (subgraph->tensor_count == MAX) fail("too many tensors with", kind);
  struct tensor *tensor = &subgraph->tensors[subgraph->tensor_count++];
  tensor->name = next(at);
  tensor->is_constant = is(kind, "constant");
  tensor->is_variable = is(kind, "variable");
  read_type(next(at), tensor);
  struct word word = next(at);
  if (is(word, "scales")) {
    read_list(at, NULL, &tensor->scales);
    word = (struct word){*at - 1, 1};
  }
  if (is(word, ":")) read_list(at, NULL, &tensor->data);
}

/*
 * Operators, the type of their options, with SECOND if they are in the second of the fields for
 * them, and the widths of the options' fields: "t" of a text, "v" of a list of all numbers, "0" of
 * one that is absent.
 */
enum { SECOND = 256 };
static const struct kind {
  const char *name;
  uint32_t code, options;
  const char *widths;
} kinds[] = {{"ADD", 0, 0, NULL},
             {"AVERAGE_POOL_2D", 1, 5, "144441"},
             {"CONCATENATION", 2, 0, NULL},
             {"CONV_2D", 3, 1, "144144"},
             {"DEPTHWISE_CONV_2D", 4, 2, "1444144"},
             {"DEPTH_TO_SPACE", 5, 94, "4"},
             {"DEQUANTIZE", 6, 0, NULL},
             {"EMBEDDING_LOOKUP", 7, 0, NULL},
             {"FLOOR", 8, 0, NULL},
             {"FULLY_CONNECTED", 9, 8, "111"},
             {"L2_NORMALIZATION", 11, 0, NULL},
             {"L2_POOL_2D", 12, 5, "144441"},
             {"LOGISTIC", 14, 0, NULL},
             {"MAX_POOL_2D", 17, 5, "144441"},
             {"MUL", 18, 0, NULL},
             {"RELU", 19, 0, NULL},
             {"RELU6", 21, 0, NULL},
             {"RESHAPE", 22, 0, NULL},
             {"RESIZE_BILINEAR", 23, 15, "4411"},
             {"SOFTMAX", 25, 9, "4"},
             {"SPACE_TO_DEPTH", 26, 19, "4"},
             {"SVDF", 27, 6, "41"},
             {"TANH", 28, 0, NULL},
             {"CALL", 31, 16, "4"},
             {"custom", 32, 0, NULL},
             {"PAD", 34, 0, NULL},
             {"GATHER", 36, 23, "44"},
             {"BATCH_TO_SPACE_ND", 37, 0, NULL},
             {"SPACE_TO_BATCH_ND", 38, 0, NULL},
             {"TRANSPOSE", 39, 0, NULL},
             {"MEAN", 40, 27, "1"},
             {"SUB", 41, 0, NULL},
             {"DIV", 42, 0, NULL},
             {"SQUEEZE", 43, 30, "v"},
             {"UNIDIRECTIONAL_SEQUENCE_LSTM", 44, 71, "1441"},
             {"STRIDED_SLICE", 45, 0, NULL},
             {"EXP", 47, 0, NULL},
             {"SPLIT", 49, 35, "4"},
             {"LOG_SOFTMAX", 50, 0, NULL},
             {"CAST", 53, 0, NULL},
             {"PRELU", 54, 0, NULL},
             {"MAXIMUM", 55, 0, NULL},
             {"ARG_MAX", 56, 0, NULL},
             {"MINIMUM", 57, 0, NULL},
             {"LESS", 58, 0, NULL},
             {"NEG", 59, 0, NULL},
             {"PADV2", 60, 0, NULL},
             {"GREATER", 61, 0, NULL},
             {"GREATER_EQUAL", 62, 0, NULL},
             {"LESS_EQUAL", 63, 0, NULL},
             {"SLICE", 65, 0, NULL},
             {"SIN", 66, 0, NULL},
             {"TRANSPOSE_CONV", 67, 49, "144"},
             {"EXPAND_DIMS", 70, 0, NULL},
             {"EQUAL", 71, 0, NULL},
             {"NOT_EQUAL", 72, 0, NULL},
             {"LOG", 73, 0, NULL},
             {"SUM", 74, 27, "1"},
             {"SQRT", 75, 0, NULL},
             {"RSQRT", 76, 0, NULL},
             {"SHAPE", 77, 55, "1"},
             {"ARG_MIN", 79, 0, NULL},
             {"REDUCE_MAX", 82, 27, "1"},
             {"PACK", 83, 59, "44"},
             {"LOGICAL_OR", 84, 0, NULL},
             {"LOGICAL_AND", 86, 0, NULL},
             {"LOGICAL_NOT", 87, 0, NULL},
             {"TILE", 69, 0, NULL},
             {"REDUCE_PROD", 81, 27, "1"},
             {"UNPACK", 88, 64, "44"},
             {"REDUCE_MIN", 89, 27, "1"},
             {"FLOOR_DIV", 90, 0, NULL},
             {"SQUARE", 92, 0, NULL},
             {"ZEROS_LIKE", 93, 0, NULL},
             {"FILL", 94, 0, NULL},
             {"FLOOR_MOD", 95, 0, NULL},
             {"RESIZE_NEAREST_NEIGHBOR", 97, 74, "11"},
             {"LEAKY_RELU", 98, 75, "4"},
             {"SQUARED_DIFFERENCE", 99, 0, NULL},
             {"MIRROR_PAD", 100, 77, "1"},
             {"ABS", 101, 0, NULL},
             {"SPLIT_V", 102, 79, "4"},
             {"CEIL", 104, 0, NULL},
             {"REVERSE_V2", 105, 0, NULL},
             {"ADD_N", 106, 0, NULL},
             {"GATHER_ND", 107, 0, NULL},
             {"COS", 108, 0, NULL},
             {"ELU", 111, 0, NULL},
             {"QUANTIZE", 114, 0, NULL},
             {"ROUND", 116, 0, NULL},
             {"HARD_SWISH", 117, 0, NULL},
             {"IF", 118, 92, "44"},
             {"WHILE", 119, 93, "44"},
             {"SELECT_V2", 123, 0, NULL},
             {"BATCH_MATMUL", 126, 101, "11"},
             {"CUMSUM", 128, 102, "11"},
             {"CALL_ONCE", 129, 103, "44"},
             {"BROADCAST_TO", 130, 0, NULL},
             {"CONV_3D", 132, 0, NULL},
             {"REDUCE_ALL", 140, 27, "1"},
             {"VAR_HANDLE", 142, 111, "tt"},
             {"READ_VARIABLE", 143, 0, NULL},
             {"ASSIGN_VARIABLE", 144, 0, NULL},
             {"BROADCAST_ARGS", 145, 0, NULL},
             {"DYNAMIC_UPDATE_SLICE", 151, 0, NULL},
             {"STABLEHLO_REDUCE", 174, SECOND + 6, "04"},
             {"STABLEHLO_SCATTER", 190, SECOND + 7, "0000004"},
             {"STABLEHLO_REDUCE_WINDOW", 198, SECOND + 13, "000004"},
             {"STABLEHLO_SORT", 199, SECOND + 14, "004"},
             {"STABLEHLO_CASE", 209, SECOND + 23, "v"}};

static const struct kind *kind_of(uint32_t code) {
  size_t k = 0;
  while (kinds[k].code != code)
    k++;
  return &kinds[k];
}

/* "length 64 shift 3" */
static void read_members(const char **at, struct operator* node) {
  for (struct word key = next(at); key.length > 0; key = next(at)) {
    if (node->options.count == KEYS) fail("too many", key);
    node->keys[node->options.count] = key;
    node->options.items[node->options.count++] = number_of(next(at));
  }
}

static void read_operator(const char **at, struct subgraph *subgraph, struct word kind) {
  if (subgraph->operator_count == MAX) fail("too many operators with", kind);
  struct operator* node = & subgraph->operators[subgraph->operator_count++];
  size_t k = 0;
  while (k < sizeof kinds / sizeof *kinds && !is(kind, kinds[k].name))
    k++;
  if (k == sizeof kinds / sizeof *kinds) fail("no operator", kind);
  node->code = kinds[k].code;
  if (is(kind, "custom")) node->custom = next(at);
  read_list(at, subgraph, &node->inputs);
  read_list(at, subgraph, &node->outputs);
  if (node->custom.length) read_members(at, node);
  else read_list(at, NULL, &node->options);
}

static void read_note(const char **at, struct draft *draft, struct word kind) {
  struct note *note = &draft->notes[draft->note_count++];
  struct word name = is(kind, "plan") ? (struct word){"OfflineMemoryAllocation", 23} : next(at);
  snprintf(note->name, sizeof note->name, "%.*s", (int)name.length, name.text);
  struct list offsets = {.count = 0};
  read_list(at, NULL, &note->numbers);
  read_list(at, NULL, &offsets);
  if (is(kind, "plan")) note->numbers.items[note->numbers.count++] = offsets.count;
  for (size_t i = 0; i < offsets.count; i++)
    note->numbers.items[note->numbers.count++] = offsets.items[i];
}

static void read_line(const char **at, struct draft *draft) {
  struct subgraph *subgraph = &draft->subgraphs[draft->subgraph_count - 1];
  struct word word = next(at);
  if (word.length == 0) return;
  if (is(word, "subgraph")) draft->subgraph_count++;
  else if (is(word, "inputs")) read_list(at, subgraph, &subgraph->inputs);
  else if (is(word, "outputs")) read_list(at, subgraph, &subgraph->outputs);
  else if (is(word, "plan") || is(word, "note")) read_note(at, draft, word);
  else if (is(word, "tensor") || is(word, "constant") || is(word, "variable"))
    read_tensor(at, subgraph, word);
  else read_operator(at, subgraph, word);
}

static void read_text(const char *text, struct draft *draft) {
  draft->subgraph_count = 1;
  while (*text) {
    read_line(&text, draft);
    text += strcspn(text, "\n");
    text += *text == '\n';
  }
}

/* ---------------------------------------------------------------- the model */

static void put_list(struct flatten *out, size_t at, const struct list *list) {
  size_t elements = flatten_vector(out, at, list->count, 4, 4);
  for (size_t i = 0; i < list->count; i++)
    flatten_put(out, elements + 4 * i, list->items[i], 4);
}

static void put_word(struct flatten *out, size_t at, struct word word) {
  char text[64];
  snprintf(text, sizeof text, "%.*s", (int)word.length, word.text);
  flatten_text(out, at, text);
}

static uint32_t bits_of_float(float number) {
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

static void put_scales(struct flatten *out, size_t at, const struct tensor *tensor) {
  const struct list *numbers = &tensor->scales;
  struct flatten_table table = flatten_table(out, "0044004");
  size_t count = numbers->items[0];
  int64_t zero = numbers->count > 1 ? (int32_t)numbers->items[1] : 0;
  uint32_t scale = bits_of_float(numbers->count > 2 ? 1.0f / (float)numbers->items[2] : 1.0f);
  flatten_lead(out, at, table.at);
  size_t scales = flatten_vector(out, table.field[2], count, 4, 4);
  size_t zeroes = flatten_vector(out, table.field[3], count, 8, 8);
  if (numbers->count > 3) flatten_put(out, table.field[6], numbers->items[3], 4);
  for (size_t i = 0; i < count; i++) {
    flatten_put(out, scales + 4 * i, scale, 4);
    flatten_put(out, zeroes + 8 * i, (uint64_t)zero, 8);
  }
}

static void put_tensor(struct flatten *out, size_t at, const struct tensor *tensor,
                       uint32_t buffer) {
  bool is_quantized = tensor->scales.count > 0;
  struct flatten_table table =
      flatten_table(out, tensor->has_free ? (is_quantized ? "41444104" : "41440104")
                         : is_quantized   ? "414441"
                                          : "414401");
  flatten_lead(out, at, table.at);
  size_t shape = flatten_vector(out, table.field[0], tensor->rank, 4, 4);
  for (size_t d = 0; d < tensor->rank; d++)
    flatten_put(out, shape + 4 * d, tensor->shape[d], 4);
  size_t signature =
      tensor->has_free ? flatten_vector(out, table.field[7], tensor->rank, 4, 4) : 0;
  for (size_t d = 0; d < tensor->rank && tensor->has_free; d++)
    flatten_put(out, signature + 4 * d, tensor->is_free[d] ? NONE : tensor->shape[d], 4);
  flatten_put(out, table.field[1], tensor->type, 1);
  flatten_put(out, table.field[2], buffer, 4);
  put_word(out, table.field[3], tensor->name);
  if (is_quantized) put_scales(out, table.field[4], tensor);
  flatten_put(out, table.field[5], tensor->is_variable, 1);
}

static void put_option(struct flatten *out, size_t at, char width, uint64_t number) {
  char text[24];
  snprintf(text, sizeof text, "%u", (unsigned)number);
  if (width == 't') flatten_text(out, at, text);
  else flatten_put(out, at, number, (size_t)(width - '0'));
}

static void put_options(struct flatten *out, const struct flatten_table *table,
                        const struct operator* node) {
  const struct kind *kind = kind_of(node->code);
  const size_t type = kind->options < SECOND ? 3 : 11;
  char widths[FLATTEN_FIELDS + 1] = "";
  for (size_t i = 0; kind->widths[i]; i++)
    widths[i] = kind->widths[i] <= '9' ? kind->widths[i] : '4';
  struct flatten_table options = flatten_table(out, widths);
  flatten_put(out, table->field[type], kind->options % SECOND, 1);
  flatten_lead(out, table->field[type + 1], options.at);
  if (*kind->widths == 'v') put_list(out, options.field[0], &node->options);
  for (size_t i = 0, o = 0; *kind->widths != 'v' && o < node->options.count; i++)
    if (widths[i] != '0')
      put_option(out, options.field[i], kind->widths[i], node->options.items[o++]);
}

/*
 * A FlexBuffer whose root is a map: the keys, a vector of the places of keys, a vector of the
 * numbers, their types, and the root.  Offsets lead back, to the first element of a vector.
 */
static void put_members(struct flatten *out, size_t at, const struct operator* node) {
  enum { WIDTH = 4, WIDTH_BITS = 2, INT = 1 << 2 | WIDTH_BITS, MAP = 9 << 2 | WIDTH_BITS };
  size_t count = node->options.count, keys = 0, key = 0;
  for (size_t i = 0; i < count; i++)
    keys += node->keys[i].length + 1;
  keys += -keys % WIDTH;
  size_t names = keys + WIDTH, members = names + (count + 3) * WIDTH;
  size_t kinds_at = members + count * WIDTH, root = kinds_at + count;
  size_t base = flatten_vector(out, at, root + 3, 1, 16);
  flatten_put(out, base + names - WIDTH, count, WIDTH);
  flatten_put(out, base + members - 3 * WIDTH, members - 3 * WIDTH - names, WIDTH);
  flatten_put(out, base + members - 2 * WIDTH, WIDTH, WIDTH);
  flatten_put(out, base + members - WIDTH, count, WIDTH);
  for (size_t i = 0; i < count; i++) {
    for (size_t c = 0; c < node->keys[i].length; c++)
      flatten_put(out, base + key + c, (unsigned char)node->keys[i].text[c], 1);
    flatten_put(out, base + names + i * WIDTH, names + i * WIDTH - key, WIDTH);
    flatten_put(out, base + members + i * WIDTH, node->options.items[i], WIDTH);
    flatten_put(out, base + kinds_at + i, INT, 1);
    key += node->keys[i].length + 1;
  }
  flatten_put(out, base + root, root - members, 1);
  flatten_put(out, base + root + 1, MAP, 1);
  flatten_put(out, base + root + 2, 1, 1);
}

static void put_operator(struct flatten *out, size_t at, const struct operator* node,
                         uint32_t opcode) {
  bool has_options = node->options.count > 0, is_custom = node->custom.length > 0;
  bool is_second = kind_of(node->code)->options >= SECOND;
  struct flatten_table table = flatten_table(out, !has_options ? "444"
                                                  : is_custom  ? "444004"
                                                  : is_second  ? "4440000000014"
                                                               : "44414");
  flatten_lead(out, at, table.at);
  flatten_put(out, table.field[0], opcode, 4);
  put_list(out, table.field[1], &node->inputs);
  put_list(out, table.field[2], &node->outputs);
  if (has_options && is_custom) put_members(out, table.field[5], node);
  else if (has_options) put_options(out, &table, node);
}

/* Buffers 1, 2, ... are those of the constants; opcode k is that of operator k of them all. */
static void put_subgraph(struct flatten *out, size_t at, const struct subgraph *subgraph,
                         uint32_t *buffers, uint32_t *opcodes) {
  struct flatten_table table = flatten_table(out, "4444");
  flatten_lead(out, at, table.at);
  size_t list = flatten_vector(out, table.field[0], subgraph->tensor_count, 4, 4);
  for (size_t t = 0; t < subgraph->tensor_count; t++)
    put_tensor(out, list + 4 * t, &subgraph->tensors[t],
               subgraph->tensors[t].is_constant ? ++*buffers : 0);
  put_list(out, table.field[1], &subgraph->inputs);
  put_list(out, table.field[2], &subgraph->outputs);
  list = flatten_vector(out, table.field[3], subgraph->operator_count, 4, 4);
  for (size_t k = 0; k < subgraph->operator_count; k++)
    put_operator(out, list + 4 * k, &subgraph->operators[k], (*opcodes)++);
}

static void put_opcodes(struct flatten *out, size_t at, const struct draft *draft) {
  size_t count = 0;
  for (size_t s = 0; s < draft->subgraph_count; s++)
    count += draft->subgraphs[s].operator_count;
  size_t list = flatten_vector(out, at, count, 4, 4), opcode = 0;
  for (size_t s = 0; s < draft->subgraph_count; s++)
    for (size_t k = 0; k < draft->subgraphs[s].operator_count; k++) {
      const struct operator* node = & draft->subgraphs[s].operators[k];
      struct flatten_table table = flatten_table(out, node->custom.length ? "1444" : "1044");
      flatten_lead(out, list + 4 * opcode++, table.at);
      flatten_put(out, table.field[0], node->code < 127 ? node->code : 127, 1);
      if (node->custom.length) put_word(out, table.field[1], node->custom);
      flatten_put(out, table.field[2], 1, 4);
      flatten_put(out, table.field[3], node->code, 4);
    }
}

static size_t put_data(struct flatten *out, size_t at, size_t size) {
  struct flatten_table table = flatten_table(out, "4");
  flatten_lead(out, at, table.at);
  return flatten_vector(out, table.field[0], size, 1, 16);
}

/* Floats from 0.5 to 1, and small integers, of which neighbours differ. */
static size_t constant_byte(unsigned type, size_t i) {
  if (type != 0) return 1 + i % 5;
  return i % 4 == 3 ? 0x3f : i % 4 == 2 ? i / 4 * 37 % 128 : 0;
}

static void put_constant(struct flatten *out, size_t at, const struct tensor *tensor) {
  size_t elements = 1;
  for (size_t d = 0; d < tensor->rank; d++)
    elements *= tensor->shape[d];
  size_t size = (elements * tensor->bits + 7) / 8;
  if (tensor->data.count > 0) size = 4 * tensor->data.count;
  size_t data = put_data(out, at, size);
  for (size_t i = 0; i < tensor->data.count; i++)
    flatten_put(out, data + 4 * i, tensor->data.items[i], 4);
  if (tensor->data.count > 0) return;
  for (size_t i = 0; i < size; i++)
    flatten_put(out, data + i, constant_byte(tensor->type, i), 1);
}

static void put_buffers(struct flatten *out, size_t at, const struct draft *draft,
                        uint32_t constants) {
  size_t list = flatten_vector(out, at, 1 + constants + draft->note_count, 4, 4), buffer = 0;
  flatten_lead(out, list, flatten_table(out, "0").at);
  for (size_t s = 0; s < draft->subgraph_count; s++)
    for (size_t t = 0; t < draft->subgraphs[s].tensor_count; t++)
      if (draft->subgraphs[s].tensors[t].is_constant)
        put_constant(out, list + 4 * ++buffer, &draft->subgraphs[s].tensors[t]);
  for (size_t n = 0; n < draft->note_count; n++) {
    const struct list *numbers = &draft->notes[n].numbers;
    size_t data = put_data(out, list + 4 * (1 + constants + n), 4 * numbers->count);
    for (size_t i = 0; i < numbers->count; i++)
      flatten_put(out, data + 4 * i, numbers->items[i], 4);
  }
}

static void put_metadata(struct flatten *out, size_t at, const struct draft *draft,
                         uint32_t constants) {
  size_t list = flatten_vector(out, at, draft->note_count, 4, 4);
  for (size_t n = 0; n < draft->note_count; n++) {
    struct flatten_table table = flatten_table(out, "44");
    flatten_lead(out, list + 4 * n, table.at);
    flatten_text(out, table.field[0], draft->notes[n].name);
    flatten_put(out, table.field[1], 1 + constants + n, 4);
  }
}

static void put_model(struct flatten *out, const struct draft *draft) {
  size_t head = flatten_take(out, 8, 8);
  struct flatten_table root = flatten_table(out, "4444404");
  uint32_t constants = 0, opcodes = 0;
  if (out->failed) abort();
  memcpy(out->bytes + head + 4, "TFL3", 4);
  flatten_lead(out, head, root.at);
  flatten_put(out, root.field[0], 3, 4);
  put_opcodes(out, root.field[OPCODES], draft);
  size_t list = flatten_vector(out, root.field[SUBGRAPHS], draft->subgraph_count, 4, 4);
  for (size_t s = 0; s < draft->subgraph_count; s++)
    put_subgraph(out, list + 4 * s, &draft->subgraphs[s], &constants, &opcodes);
  flatten_text(out, root.field[3], "made for a test");
  put_buffers(out, root.field[BUFFERS], draft, constants);
  put_metadata(out, root.field[METADATA], draft, constants);
}

unsigned char *tflite_make(const char *text, size_t *size) {
  struct draft *draft = calloc(1, sizeof *draft);
  struct flatten out = {0};
  if (!draft) abort();
  read_text(text, draft);
  put_model(&out, draft);
  free(draft);
  if (out.failed) abort();
  *size = out.size;
  return out.bytes;
}

void tflite_make_file(const char *text, const char *path) {
  size_t size;
  unsigned char *bytes = tflite_make(text, &size);
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) abort();
  free(bytes);
}
