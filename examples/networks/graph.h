/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A network as a memory planner sees it: operators in execution order, and the activation
 * tensors that pass between them. Weights are constants and are not part of it.
 *
 * A network is described by calling the operators below in the order in which they run; each
 * makes one tensor and returns it. Shapes follow from the inputs. Lifetimes are half-open and
 * counted in operators: a tensor lives from the operator that makes it through the last one
 * that reads it, so an operator's inputs and its output live together. Graph inputs live
 * from the start, graph outputs to the end.
 *
 * The first failure is kept in the graph and makes every later call a no-op, so that a
 * description needs no checks; graph_finish tells whether there was one.
 */
#ifndef NETWORKS_GRAPH_H
#define NETWORKS_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum element { ELEMENT_INT8, ELEMENT_INT32, ELEMENT_FLOAT32 };

/* An image is rows x columns x channels; a sequence of tokens is 1 x tokens x features, a stack
 * of attention matrices heads x tokens x tokens, a vector 1 x 1 x length. Batch size is one. */
struct shape {
  int64_t rows, columns, channels;
};

/* The square window of a convolution or a pooling. Padded: a stride of s leaves ceil(n / s) of
 * n places. Otherwise the window stays inside the image. */
struct window {
  int64_t size, stride;
  bool padded;
};

static inline struct window window_same(int64_t size, int64_t stride) {
  return (struct window){size, stride, true};
}

static inline struct window window_valid(int64_t size, int64_t stride) {
  return (struct window){size, stride, false};
}

enum role { ROLE_INPUT, ROLE_INNER, ROLE_OUTPUT };

struct tensor {
  char name[40];
  const char *kind; /* of the operator that makes it, such as "conv" */
  struct shape shape;
  enum element element;
  enum role role;
  bool read;
  int64_t size;         /* bytes */
  int64_t lower, upper; /* operators, half-open */
};

/* Names a tensor of one graph; meaningless in another. */
typedef size_t tensor_id;

/* The operator that makes `reader` reads `tensor`. */
struct read {
  tensor_id tensor, reader;
};

struct graph {
  struct tensor *tensors; /* inputs and operators' outputs, in order of execution */
  size_t count, capacity;
  struct read *reads; /* in order of execution */
  size_t read_count, read_capacity;
  int64_t operators;
  char scope[24];
  char error[128]; /* empty while all is well */
};

void graph_init(struct graph *g);
void graph_free(struct graph *g);

/* Settles the outputs' lifetimes and checks the whole: names unique and fit for CSV, nothing
 * made in vain. False if this or anything before it failed; g->error then says what. */
bool graph_finish(struct graph *g);

/* Puts "SCOPE/" before the names of the tensors that follow, until graph_unscope. */
void graph_scope(struct graph *g, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void graph_unscope(struct graph *g);

tensor_id graph_input(struct graph *g, const char *name, enum element element,
                      struct shape shape);
void graph_output(struct graph *g, tensor_id x);
struct shape graph_shape(const struct graph *g, tensor_id x);

/* Fails unless x has the shape that the publication gives. */
void graph_expect(struct graph *g, tensor_id x, struct shape published);

/* The general operator that all others call, for cases that they do not cover. */
tensor_id graph_operator(struct graph *g, const char *name, enum element element,
                         struct shape shape, const tensor_id *inputs, size_t count);

/* Over images. */
tensor_id graph_conv(struct graph *g, const char *name, tensor_id x, struct window window,
                     int64_t filters);
tensor_id graph_depthwise(struct graph *g, const char *name, tensor_id x, struct window window);
tensor_id graph_pool(struct graph *g, const char *name, tensor_id x, struct window window);
tensor_id graph_pool_global(struct graph *g, const char *name, tensor_id x);
tensor_id graph_upconv(struct graph *g, const char *name, tensor_id x, int64_t factor,
                       int64_t filters);
tensor_id graph_crop(struct graph *g, const char *name, tensor_id x, int64_t rows,
                     int64_t columns);

/* Joins along the channels. */
tensor_id graph_concat(struct graph *g, const char *name, const tensor_id *inputs,
                       size_t count);
/* Joins all elements into 1 x n x channels, as a detector lists its boxes. */
tensor_id graph_flatten(struct graph *g, const char *name, const tensor_id *inputs,
                        size_t count, int64_t channels);

/* Over anything. */
tensor_id graph_add(struct graph *g, const char *name, tensor_id a, tensor_id b);
/* Keeps the shape: normalisation, softmax, a constant added. */
tensor_id graph_map(struct graph *g, const char *name, tensor_id x);
/* The same matrix for every row and column: a fully connected layer. */
tensor_id graph_dense(struct graph *g, const char *name, tensor_id x, int64_t units);

/* Attention: one matrix of query x key per head, then its product with the values. */
tensor_id graph_scores(struct graph *g, const char *name, tensor_id queries, tensor_id keys,
                       int64_t heads);
tensor_id graph_attend(struct graph *g, const char *name, tensor_id weights, tensor_id values);

#endif
