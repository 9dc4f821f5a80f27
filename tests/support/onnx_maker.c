/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/onnx_maker.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/sample.h"

/* ---------------------------------------------------------------- bytes */

static void put_raw(struct onnx_bytes *to, const void *bytes, size_t size) {
  if (to->size + size > to->capacity) {
    to->capacity = 2 * (to->size + size) + 64;
    to->bytes = realloc(to->bytes, to->capacity);
    assert_non_null(to->bytes);
  }
  if (size > 0) memcpy(to->bytes + to->size, bytes, size);
  to->size += size;
}

void onnx_put_varint(struct onnx_bytes *to, uint64_t number) {
  for (; number > 0x7f; number >>= 7)
    put_raw(to, &(char){(char)(number | 0x80)}, 1);
  put_raw(to, &(char){(char)number}, 1);
}

void onnx_put_number(struct onnx_bytes *to, unsigned field, int64_t number) {
  onnx_put_varint(to, field << 3);
  onnx_put_varint(to, (uint64_t)number);
}

void onnx_put_bytes(struct onnx_bytes *to, unsigned field, const void *bytes, size_t size) {
  onnx_put_varint(to, field << 3 | 2);
  onnx_put_varint(to, size);
  put_raw(to, bytes, size);
}

void onnx_put_message(struct onnx_bytes *to, unsigned field, struct onnx_bytes *message) {
  onnx_put_bytes(to, field, message->bytes, message->size);
  free(message->bytes);
  *message = (struct onnx_bytes){0};
}

static void put_float(struct onnx_bytes *to, unsigned field, float number) {
  onnx_put_varint(to, field << 3 | 5);
  put_raw(to, &number, sizeof number);
}

/* ---------------------------------------------------------------- types */

int onnx_make_type(const char *name, size_t length) {
  static const char *const names[] = {"undefined",  "float",   "uint8",  "int8",   "uint16",
                                      "int16",      "int32",   "int64",  "string", "bool",
                                      "float16",    "double",  "uint32", "uint64", "complex64",
                                      "complex128", "bfloat16"};
  for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
    if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0) return i;
  if (length == 4 && memcmp(name, "int4", 4) == 0) return 22;
  fail_msg("there is no type %.*s", (int)length, name);
  return 0;
}

/* "[1,N]" or nothing; returns the rest. */
static const char *put_dims(struct onnx_bytes *shape, const char *text) {
  if (*text != '[') return text;
  for (text++; *text != ']';) {
    struct onnx_bytes dimension = {0};
    size_t length = strcspn(text, ",]");
    if (*text == '-' || (*text >= '0' && *text <= '9'))
      onnx_put_number(&dimension, 1, strtoll(text, NULL, 10));
    else if (*text != '?') onnx_put_bytes(&dimension, 2, text, length);
    onnx_put_message(shape, 1, &dimension);
    text += length + (text[length] == ',');
  }
  return text + 1;
}

/* A ValueInfoProto. */
static struct onnx_bytes value_of(const char *name, const char *type) {
  struct onnx_bytes value = {0}, whole = {0}, tensor = {0}, shape = {0};
  onnx_put_bytes(&value, 1, name, strlen(name));
  if (!type) return value;
  size_t length = strcspn(type, "[");
  onnx_put_number(&tensor, 1, onnx_make_type(type, length));
  put_dims(&shape, type + length);
  if (type[length]) onnx_put_message(&tensor, 2, &shape);
  onnx_put_message(&whole, 1, &tensor);
  onnx_put_message(&value, 2, &whole);
  return value;
}

/* ---------------------------------------------------------------- tensors */

enum storage { TYPED, RAW, EXTERNAL };

static void put_element(struct onnx_bytes *to, int type, enum storage storage,
                        const char *text) {
  double number = strtod(text, NULL);
  float single = (float)number;
  int64_t integer = strtoll(text, NULL, 10);
  if (type == 1 && storage == RAW) put_raw(to, &single, sizeof single);
  else if (type == 1) put_float(to, 4, single);
  else if (type == 11 && storage == RAW) put_raw(to, &number, sizeof number);
  else if (storage == RAW) put_raw(to, &integer, type == 7 ? 8 : type == 6 ? 4 : 1);
  else onnx_put_number(to, type == 7 ? 7 : 5, integer);
}

/* A TensorProto such as "int64[2]{1,-1}", with its integers packed or one by one. */
static struct onnx_bytes tensor_of(const char *name, const char *text, enum storage storage) {
  struct onnx_bytes tensor = {0}, raw = {0};
  size_t length = strcspn(text, "[{");
  int type = onnx_make_type(text, length);
  text += length;
  if (*text == '[')
    for (text++; *text != ']'; text += strspn(text, "-0123456789"), text += *text == ',')
      onnx_put_number(&tensor, 1, strtoll(text, NULL, 10));
  if (*text == ']') text++;
  onnx_put_number(&tensor, 2, type);
  if (name) onnx_put_bytes(&tensor, 8, name, strlen(name));
  if (storage == EXTERNAL) onnx_put_number(&tensor, 14, 1);
  if (*text != '{') return tensor;
  for (text++; *text != '}'; text += strcspn(text, ",}"), text += *text == ',')
    put_element(storage == RAW ? &raw : &tensor, type, storage, text);
  if (storage == RAW) onnx_put_bytes(&tensor, 9, raw.bytes, raw.size);
  free(raw.bytes);
  return tensor;
}

/* ---------------------------------------------------------------- attributes */

struct maker {
  struct onnx_bytes graph;
  int64_t opset;
  const char *within;
};

static struct onnx_bytes graph_of(const char *text, const char *within, int64_t *opset);

static void put_numbers(struct onnx_bytes *attribute, const char *text) {
  while (*text && *text != ']') {
    size_t length = strcspn(text, ",]");
    if (text[length - 1] == 'f') put_float(attribute, 7, strtof(text, NULL));
    else onnx_put_number(attribute, 8, strtoll(text, NULL, 10));
    text += length + (text[length] == ',');
  }
}

static void put_attribute(struct onnx_bytes *node, const char *text, const char *within) {
  struct onnx_bytes attribute = {0};
  const char *value = strchr(text, '=') + 1;
  size_t length = strlen(value);
  onnx_put_bytes(&attribute, 1, text, (size_t)(value - text) - 1);
  if (*value == '[') {
    put_numbers(&attribute, value + 1);
  } else if (*value == '\'') {
    onnx_put_bytes(&attribute, 4, value + 1, length - 2);
  } else if (*value == '@') {
    struct onnx_bytes graph = graph_of(within, within, NULL);
    onnx_put_message(&attribute, 6, &graph);
  } else if (*value >= 'a' && *value <= 'z') {
    struct onnx_bytes tensor = tensor_of(NULL, value, TYPED);
    onnx_put_message(&attribute, 5, &tensor);
  } else if (value[length - 1] == 'f') {
    put_float(&attribute, 2, strtof(value, NULL));
  } else {
    onnx_put_number(&attribute, 3, strtoll(value, NULL, 10));
  }
  onnx_put_message(node, 5, &attribute);
}

/* ---------------------------------------------------------------- lines */

static void put_node(struct maker *maker, char *type, char *rest) {
  struct onnx_bytes node = {0};
  unsigned field = 1;
  for (char *token; (token = strsep(&rest, " ")) != NULL;) {
    if (strcmp(token, "->") == 0) field = 2;
    else if (strcmp(token, ":") == 0) field = 3;
    else if (strchr(token, '=') && field != 1) put_attribute(&node, token, maker->within);
    else if (*token)
      onnx_put_bytes(&node, field, token, strcmp(token, "-") ? strlen(token) : 0);
  }
  char *colon = strchr(type, ':');
  if (colon) onnx_put_bytes(&node, 7, type, (size_t)(colon - type));
  if (colon) type = colon + 1;
  onnx_put_bytes(&node, 4, type, strlen(type));
  onnx_put_message(&maker->graph, 1, &node);
}

static void put_value(struct maker *maker, unsigned field, char *rest) {
  const char *name = strsep(&rest, " ");
  struct onnx_bytes value = value_of(name, rest);
  onnx_put_message(&maker->graph, field, &value);
}

static void put_tensor(struct maker *maker, enum storage storage, char *rest) {
  const char *name = strsep(&rest, " ");
  struct onnx_bytes tensor = tensor_of(name, rest, storage);
  onnx_put_message(&maker->graph, 5, &tensor);
}

/* Its dimensions, and a tensor of its nonzero elements. */
static void put_sparse(struct maker *maker, char *rest) {
  const char *name = strsep(&rest, " ");
  struct onnx_bytes sparse = {0}, values = tensor_of(name, rest, TYPED);
  onnx_put_message(&sparse, 1, &values);
  for (rest = strchr(rest, '[') + 1; *rest; rest += strcspn(rest, ",]") + 1)
    onnx_put_number(&sparse, 3, strtoll(rest, NULL, 10));
  onnx_put_message(&maker->graph, 15, &sparse);
}

static void put_line(struct maker *maker, char *line) {
  char *word = strsep(&line, " ");
  if (!*word) return;
  if (strcmp(word, "opset") == 0) maker->opset = strtoll(line, NULL, 10);
  else if (strcmp(word, "input") == 0) put_value(maker, 11, line);
  else if (strcmp(word, "output") == 0) put_value(maker, 12, line);
  else if (strcmp(word, "value") == 0) put_value(maker, 13, line);
  else if (strcmp(word, "constant") == 0) put_tensor(maker, TYPED, line);
  else if (strcmp(word, "raw") == 0) put_tensor(maker, RAW, line);
  else if (strcmp(word, "external") == 0) put_tensor(maker, EXTERNAL, line);
  else if (strcmp(word, "sparse") == 0) put_sparse(maker, line);
  else put_node(maker, word, line);
}

static struct onnx_bytes graph_of(const char *text, const char *within, int64_t *opset) {
  struct maker maker = {.opset = 17, .within = within};
  char *copy = strdup(text), *rest = copy;
  for (char *line; (line = strsep(&rest, "\n")) != NULL;)
    put_line(&maker, line);
  free(copy);
  if (opset) *opset = maker.opset;
  return maker.graph;
}

char *onnx_make(const char *text, const char *within, size_t *size) {
  struct onnx_bytes model = {0}, import = {0};
  int64_t opset;
  struct onnx_bytes graph = graph_of(text, within, &opset);
  onnx_put_number(&model, 1, 8);
  onnx_put_message(&model, 7, &graph);
  onnx_put_bytes(&import, 1, "", 0);
  onnx_put_number(&import, 2, opset);
  onnx_put_message(&model, 8, &import);
  *size = model.size;
  return model.bytes;
}

void onnx_make_file(const char *text, const char *within, const char *path) {
  size_t size;
  char *bytes = onnx_make(text, within, &size);
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) abort();
  free(bytes);
}
