/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "graph.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first failure is the one worth telling: what follows is mostly its consequence. */
__attribute__((format(printf, 2, 3))) static void fail(struct graph *g, const char *format,
                                                       ...) {
  if (g->error[0] != '\0') {
    return;
  }
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(g->error, sizeof g->error, format, arguments);
  va_end(arguments);
}

static bool failed(const struct graph *g) { return g->error[0] != '\0'; }

static const int64_t element_size[] = {
    [ELEMENT_INT8] = 1, [ELEMENT_INT32] = 4, [ELEMENT_FLOAT32] = 4};

static bool multiply(int64_t a, int64_t b, int64_t *product) {
  assert(a > 0 && b > 0);
  if (a > INT64_MAX / b) {
    return false;
  }
  *product = a * b;
  return true;
}

static bool shape_elements(struct shape s, int64_t *elements) {
  return s.rows > 0 && s.columns > 0 && s.channels > 0 &&
         multiply(s.rows, s.columns, elements) && multiply(*elements, s.channels, elements);
}

static bool shape_same(struct shape a, struct shape b) {
  return a.rows == b.rows && a.columns == b.columns && a.channels == b.channels;
}

void graph_init(struct graph *g) { *g = (struct graph){0}; }

void graph_free(struct graph *g) {
  free(g->tensors);
  free(g->reads);
  graph_init(g);
}

void graph_scope(struct graph *g, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(g->scope, sizeof g->scope, format, arguments);
  va_end(arguments);
  if (length < 0 || (size_t)length >= sizeof g->scope) {
    fail(g, "scope '%s...' is too long", g->scope);
  }
}

void graph_unscope(struct graph *g) { g->scope[0] = '\0'; }

/* Room for one more of the `count` items of `size` bytes at *items. */
static bool reserve(void **items, size_t count, size_t *capacity, size_t size) {
  if (count < *capacity) {
    return true;
  }
  size_t larger = *capacity == 0 ? 64 : 2 * *capacity;
  void *moved = larger > SIZE_MAX / size ? NULL : realloc(*items, larger * size);
  if (moved == NULL) {
    return false;
  }
  *items = moved;
  *capacity = larger;
  return true;
}

static bool reserve_tensor(struct graph *g) {
  void *items = g->tensors;
  bool done = reserve(&items, g->count, &g->capacity, sizeof *g->tensors);
  g->tensors = items;
  return done;
}

static bool reserve_read(struct graph *g) {
  void *items = g->reads;
  bool done = reserve(&items, g->read_count, &g->read_capacity, sizeof *g->reads);
  g->reads = items;
  return done;
}

static bool name_join(struct tensor *t, const char *scope, const char *name) {
  const char *slash = scope[0] == '\0' ? "" : "/";
  int length = snprintf(t->name, sizeof t->name, "%s%s%s", scope, slash, name);
  return length >= 0 && (size_t)length < sizeof t->name;
}

/* Appends a tensor that begins at `lower`. After a failure there is nothing to name, so the
 * identifier returned is only a placeholder: no function looks it up any more. */
static tensor_id append(struct graph *g, const char *name, enum element element,
                        struct shape shape, enum role role, int64_t lower) {
  struct tensor t = {.kind = "operator",
                     .shape = shape,
                     .element = element,
                     .role = role,
                     .lower = lower,
                     .upper = lower + 1};
  if (failed(g)) {
    return 0;
  }
  int64_t elements;
  if (!name_join(&t, g->scope, name)) {
    fail(g, "%s...: name too long", t.name);
  } else if (!shape_elements(shape, &elements) ||
             !multiply(elements, element_size[element], &t.size)) {
    fail(g, "%s: shape empty or too large", t.name);
  } else if (!reserve_tensor(g)) {
    fail(g, "out of memory");
  } else {
    g->tensors[g->count] = t;
    return g->count++;
  }
  return 0;
}

tensor_id graph_input(struct graph *g, const char *name, enum element element,
                      struct shape shape) {
  return append(g, name, element, shape, ROLE_INPUT, 0);
}

static struct tensor *tensor_at(const struct graph *g, tensor_id x) {
  assert(x < g->count);
  return &g->tensors[x];
}

void graph_output(struct graph *g, tensor_id x) {
  if (failed(g)) {
    return;
  }
  assert(tensor_at(g, x)->role == ROLE_INNER);
  tensor_at(g, x)->role = ROLE_OUTPUT;
}

/* An empty shape after a failure: every operator rejects it. */
struct shape graph_shape(const struct graph *g, tensor_id x) {
  return failed(g) ? (struct shape){0} : tensor_at(g, x)->shape;
}

void graph_expect(struct graph *g, tensor_id x, struct shape published) {
  if (!failed(g) && !shape_same(graph_shape(g, x), published)) {
    fail(g, "%s: not of the published shape", tensor_at(g, x)->name);
  }
}

tensor_id graph_operator(struct graph *g, const char *name, enum element element,
                         struct shape shape, const tensor_id *inputs, size_t count) {
  int64_t now = g->operators;
  tensor_id made = append(g, name, element, shape, ROLE_INNER, now);
  if (failed(g)) {
    return made;
  }
  for (size_t i = 0; i < count; i++) {
    assert(inputs[i] < made);
    struct tensor *input = tensor_at(g, inputs[i]);
    input->read = true;
    input->upper = now + 1;
    if (!reserve_read(g)) {
      fail(g, "out of memory");
      return made;
    }
    g->reads[g->read_count++] = (struct read){inputs[i], made};
  }
  g->operators++;
  return made;
}

/* An operator whose output has its inputs' element; mixing two is a slip in the description. */
static tensor_id uniform(struct graph *g, const char *kind, const char *name,
                         struct shape shape, const tensor_id *inputs, size_t count) {
  assert(count > 0);
  if (failed(g)) {
    return 0;
  }
  enum element element = tensor_at(g, inputs[0])->element;
  for (size_t i = 1; i < count; i++) {
    if (tensor_at(g, inputs[i])->element != element) {
      fail(g, "%s: inputs of different elements", name);
    }
  }
  tensor_id made = graph_operator(g, name, element, shape, inputs, count);
  if (!failed(g)) {
    tensor_at(g, made)->kind = kind;
  }
  return made;
}

/* The number of positions of a window along `extent`. */
static int64_t slide(int64_t extent, struct window window) {
  int64_t slack = window.padded ? extent - 1 : extent - window.size;
  return slack < 0 ? 0 : slack / window.stride + 1;
}

static struct shape slide_over(struct shape s, struct window window) {
  assert(window.size > 0 && window.stride > 0);
  return (struct shape){slide(s.rows, window), slide(s.columns, window), s.channels};
}

tensor_id graph_conv(struct graph *g, const char *name, tensor_id x, struct window window,
                     int64_t filters) {
  struct shape s = slide_over(graph_shape(g, x), window);
  s.channels = filters;
  return uniform(g, "conv", name, s, &x, 1);
}

tensor_id graph_depthwise(struct graph *g, const char *name, tensor_id x,
                          struct window window) {
  return uniform(g, "depthwise", name, slide_over(graph_shape(g, x), window), &x, 1);
}

tensor_id graph_pool(struct graph *g, const char *name, tensor_id x, struct window window) {
  return uniform(g, "pool", name, slide_over(graph_shape(g, x), window), &x, 1);
}

tensor_id graph_pool_global(struct graph *g, const char *name, tensor_id x) {
  struct shape s = {1, 1, graph_shape(g, x).channels};
  return uniform(g, "pool", name, s, &x, 1);
}

tensor_id graph_upconv(struct graph *g, const char *name, tensor_id x, int64_t factor,
                       int64_t filters) {
  struct shape s = graph_shape(g, x);
  if (!failed(g) &&
      !(multiply(s.rows, factor, &s.rows) && multiply(s.columns, factor, &s.columns))) {
    fail(g, "%s: shape too large", name);
  }
  s.channels = filters;
  return uniform(g, "upconv", name, s, &x, 1);
}

tensor_id graph_crop(struct graph *g, const char *name, tensor_id x, int64_t rows,
                     int64_t columns) {
  struct shape s = graph_shape(g, x);
  if (rows > s.rows || columns > s.columns) {
    fail(g, "%s: cropped to more than there is", name);
  }
  return uniform(g, "crop", name, (struct shape){rows, columns, s.channels}, &x, 1);
}

tensor_id graph_concat(struct graph *g, const char *name, const tensor_id *inputs,
                       size_t count) {
  struct shape joined = graph_shape(g, inputs[0]);
  for (size_t i = 1; i < count; i++) {
    struct shape s = graph_shape(g, inputs[i]);
    if (s.rows != joined.rows || s.columns != joined.columns ||
        s.channels > INT64_MAX - joined.channels) {
      fail(g, "%s: inputs do not join along the channels", name);
      break;
    }
    joined.channels += s.channels;
  }
  return uniform(g, "concat", name, joined, inputs, count);
}

tensor_id graph_flatten(struct graph *g, const char *name, const tensor_id *inputs,
                        size_t count, int64_t channels) {
  int64_t total = 0;
  for (size_t i = 0; i < count && !failed(g); i++) {
    int64_t elements;
    if (!shape_elements(graph_shape(g, inputs[i]), &elements) || elements % channels != 0 ||
        elements > INT64_MAX - total) {
      fail(g, "%s: inputs do not divide by the channels", name);
    } else {
      total += elements;
    }
  }
  return uniform(g, "concat", name, (struct shape){1, total / channels, channels}, inputs,
                 count);
}

tensor_id graph_add(struct graph *g, const char *name, tensor_id a, tensor_id b) {
  if (!shape_same(graph_shape(g, a), graph_shape(g, b))) {
    fail(g, "%s: sum of different shapes", name);
  }
  return uniform(g, "add", name, graph_shape(g, a), (tensor_id[]){a, b}, 2);
}

tensor_id graph_map(struct graph *g, const char *name, tensor_id x) {
  return uniform(g, "map", name, graph_shape(g, x), &x, 1);
}

tensor_id graph_dense(struct graph *g, const char *name, tensor_id x, int64_t units) {
  struct shape s = graph_shape(g, x);
  s.channels = units;
  return uniform(g, "dense", name, s, &x, 1);
}

tensor_id graph_scores(struct graph *g, const char *name, tensor_id queries, tensor_id keys,
                       int64_t heads) {
  struct shape q = graph_shape(g, queries);
  struct shape k = graph_shape(g, keys);
  if (q.channels != k.channels || q.channels % heads != 0) {
    fail(g, "%s: queries, keys and heads do not agree", name);
  }
  struct shape s = {heads, q.columns, k.columns};
  return uniform(g, "matmul", name, s, (tensor_id[]){queries, keys}, 2);
}

tensor_id graph_attend(struct graph *g, const char *name, tensor_id weights, tensor_id values) {
  struct shape w = graph_shape(g, weights);
  struct shape v = graph_shape(g, values);
  if (w.channels != v.columns) {
    fail(g, "%s: as many weights as values are needed", name);
  }
  struct shape s = {1, w.columns, v.channels};
  return uniform(g, "matmul", name, s, (tensor_id[]){weights, values}, 2);
}

static void check_name(struct graph *g, size_t index) {
  const char *name = g->tensors[index].name;
  if (name[0] == '\0' || strpbrk(name, ",\"\r\n") != NULL) {
    fail(g, "%s: not a name for CSV", name);
  }
  for (size_t i = 0; i < index; i++) {
    if (strcmp(g->tensors[i].name, name) == 0) {
      fail(g, "%s: name used twice", name);
    }
  }
}

bool graph_finish(struct graph *g) {
  for (size_t i = 0; i < g->count && !failed(g); i++) {
    struct tensor *t = &g->tensors[i];
    check_name(g, i);
    if (t->role == ROLE_OUTPUT) {
      t->upper = g->operators;
    } else if (!t->read) {
      fail(g, "%s: nobody reads it", t->name);
    }
    assert(t->lower < t->upper && t->upper <= g->operators);
  }
  return !failed(g);
}
