/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Networks of cells that were found by architecture search:
 *
 *   AmoebaNet-A   E. Real, A. Aggarwal, Y. Huang, Q. Le, "Regularized Evolution for Image
 *                 Classifier Architecture Search", AAAI 2019
 *   DARTS         H. Liu, K. Simonyan, Y. Yang, "DARTS: Differentiable Architecture Search", ICLR
 *                 2019 (second order)
 *   NASNet-A      B. Zoph, V. Vasudevan, J. Shlens, Q. Le, "Learning Transferable Architectures for
 *                 Scalable Image Recognition", CVPR 2018
 *   PNAS          C. Liu et al., "Progressive Neural Architecture Search", ECCV 2018
 *
 * Genotypes, channels and numbers of cells are those of the networks measured in HMCOS: Z. Wang
 * et al., "Hierarchical Memory-Constrained Operator Scheduling of Neural Architecture Search
 * Networks", DAC 2022.  The cells were first published in the papers above.
 *
 * A cell reads the outputs of the two cells before it.  Each of its blocks adds two operations on
 * the cell's inputs or on earlier blocks; the cell's output joins some of them:
 *
 *     cell - 2 --- fit ----+---> block ---+
 *                          |              +---> concat
 *     cell - 1 -- squeeze -+---> block ---+
 *
 * A stem of 32 channels is followed by three stacks of normal cells.  Between stacks, a reduction
 * cell halves the sides and doubles the channels.  For ImageNet the stem halves the image, and two
 * more reduction cells precede the stacks.
 */
#include <assert.h>
#include <stdio.h>

#include "gen/published.h"

enum {
  STEM = 32, /* channels */
  STACKS = 3,
  INPUTS = 2, /* of a cell, the older one first */
  BLOCKS_MAX = 5
};

enum layer {
  IDENTITY,
  AVERAGE,   /* 3x3 */
  MAXIMUM,   /* 3x3 */
  SUBSAMPLE, /* an average over a single pixel: PNAS's identity, if it has a stride */
  SEPARABLE, /* twice, of any size */
  DILATED,   /* a single separable convolution */
  TWO_CONVS  /* 1x7, then 7x1 */
};

/* What an operation of a block does, and what it reads: an input of the cell or, from INPUTS on, a
 * block. */
struct step {
  enum layer layer;
  int reads;
};

struct block {
  struct step left, right;
};

struct genotype {
  struct block blocks[BLOCKS_MAX];
  int count;
  int outputs[INPUTS + BLOCKS_MAX]; /* inputs and blocks to concatenate */
  int output_count;
};

struct cells {
  const struct genotype *normal, *reduction;
  int height; /* normal cells in a stack */
  bool is_imagenet;
  int64_t channels; /* of the first stack */
};

static const struct genotype amoebanet_normal = {.blocks = {{{AVERAGE, 0}, {MAXIMUM, 0}},
                                                            {{IDENTITY, 0}, {AVERAGE, 1}},
                                                            {{SEPARABLE, 2}, {SEPARABLE, 1}},
                                                            {{SEPARABLE, 2}, {IDENTITY, 1}},
                                                            {{AVERAGE, 4}, {SEPARABLE, 0}}},
                                                 .count = 5,
                                                 .outputs = {3, 5, 6},
                                                 .output_count = 3};

static const struct genotype amoebanet_reduction = {
    .blocks = {{{AVERAGE, 0}, {SEPARABLE, 1}},
               {{MAXIMUM, 1}, {MAXIMUM, 0}},
               {{MAXIMUM, 0}, {SEPARABLE, 2}},
               {{SEPARABLE, 0}, {AVERAGE, 1}},
               {{SEPARABLE, 3}, {TWO_CONVS, 0}}},
    .count = 5,
    .outputs = {4, 5, 6},
    .output_count = 3};

static const struct genotype darts_normal = {.blocks = {{{SEPARABLE, 0}, {SEPARABLE, 1}},
                                                        {{SEPARABLE, 0}, {SEPARABLE, 1}},
                                                        {{SEPARABLE, 1}, {IDENTITY, 0}},
                                                        {{IDENTITY, 0}, {DILATED, 2}}},
                                             .count = 4,
                                             .outputs = {2, 3, 4, 5},
                                             .output_count = 4};

static const struct genotype darts_reduction = {.blocks = {{{MAXIMUM, 0}, {MAXIMUM, 1}},
                                                           {{IDENTITY, 2}, {MAXIMUM, 1}},
                                                           {{MAXIMUM, 0}, {IDENTITY, 2}},
                                                           {{IDENTITY, 2}, {MAXIMUM, 1}}},
                                                .count = 4,
                                                .outputs = {2, 3, 4, 5},
                                                .output_count = 4};

static const struct genotype nasnet_normal = {.blocks = {{{SEPARABLE, 1}, {SEPARABLE, 0}},
                                                         {{SEPARABLE, 0}, {SEPARABLE, 0}},
                                                         {{AVERAGE, 1}, {IDENTITY, 0}},
                                                         {{AVERAGE, 0}, {AVERAGE, 0}},
                                                         {{SEPARABLE, 1}, {IDENTITY, 1}}},
                                              .count = 5,
                                              .outputs = {0, 2, 3, 4, 5, 6},
                                              .output_count = 6};

static const struct genotype nasnet_reduction = {.blocks = {{{SEPARABLE, 1}, {SEPARABLE, 0}},
                                                            {{MAXIMUM, 1}, {SEPARABLE, 0}},
                                                            {{AVERAGE, 1}, {SEPARABLE, 0}},
                                                            {{IDENTITY, 3}, {AVERAGE, 2}},
                                                            {{SEPARABLE, 2}, {MAXIMUM, 1}}},
                                                 .count = 5,
                                                 .outputs = {3, 4, 5, 6},
                                                 .output_count = 4};

/* A single cell, with stride 2 in reductions. */
static const struct genotype pnas = {.blocks = {{{SEPARABLE, 0}, {MAXIMUM, 0}},
                                                {{SEPARABLE, 1}, {MAXIMUM, 1}},
                                                {{SEPARABLE, 1}, {SEPARABLE, 1}},
                                                {{SEPARABLE, 4}, {MAXIMUM, 1}},
                                                {{SEPARABLE, 0}, {SUBSAMPLE, 1}}},
                                     .count = 5,
                                     .outputs = {2, 3, 4, 5, 6},
                                     .output_count = 5};

const struct cells cells_amoebanet_cifar = {&amoebanet_normal, &amoebanet_reduction, 6, false,
                                            36};
const struct cells cells_amoebanet_imagenet = {&amoebanet_normal, &amoebanet_reduction, 4, true,
                                               50};
const struct cells cells_darts_cifar = {&darts_normal, &darts_reduction, 6, false, 36};
const struct cells cells_darts_imagenet = {&darts_normal, &darts_reduction, 4, true, 48};
const struct cells cells_nasnet_cifar = {&nasnet_normal, &nasnet_reduction, 6, false, 32};
const struct cells cells_nasnet_imagenet = {&nasnet_normal, &nasnet_reduction, 4, true, 44};
const struct cells cells_pnas_cifar = {&pnas, &pnas, 6, false, 36};

/* ---------------------------------------------------------------- operations */

static struct maps separable_twice(struct layers *layers, const char *side, struct maps x,
                                   int64_t stride) {
  char name[32];
  for (int i = 1; i <= 2; i++) {
    snprintf(name, sizeof name, "%s/relu%d", side, i);
    x = layers_relu(layers, name, x);
    snprintf(name, sizeof name, "%s/conv%d", side, i);
    x = layers_separable(layers, name, x, i == 1 ? stride : 1, x.channels);
  }
  return x;
}

static struct maps dilated(struct layers *layers, const char *side, struct maps x,
                           int64_t stride) {
  char name[32];
  snprintf(name, sizeof name, "%s/relu", side);
  x = layers_relu(layers, name, x);
  snprintf(name, sizeof name, "%s/conv", side);
  return layers_separable(layers, name, x, stride, x.channels);
}

/* The first convolution has the stride in both directions. */
static struct maps two_convs(struct layers *layers, const char *side, struct maps x,
                             int64_t stride) {
  char name[32];
  snprintf(name, sizeof name, "%s/conv1x7", side);
  x = layers_conv(layers, name, x, stride, x.channels);
  snprintf(name, sizeof name, "%s/conv7x1", side);
  return layers_conv(layers, name, x, 1, x.channels);
}

/* `side` is "left" or "right". */
static struct maps add_step(struct layers *layers, enum layer layer, const char *side,
                            struct maps x, int64_t stride) {
  switch (layer) {
  case AVERAGE:
  case SUBSAMPLE:
    return layers_pool(layers, "AveragePool", side, x, stride);
  case MAXIMUM:
    return layers_pool(layers, "MaxPool", side, x, stride);
  case SEPARABLE:
    return separable_twice(layers, side, x, stride);
  case DILATED:
    return dilated(layers, side, x, stride);
  case TWO_CONVS:
    return two_convs(layers, side, x, stride);
  case IDENTITY:
    break;
  }
  assert(stride == 1);
  return x;
}

/* ---------------------------------------------------------------- cells */

/* Gives the output of an earlier cell this cell's channels. */
static struct maps squeeze(struct layers *layers, const char *name, struct maps x,
                           int64_t channels) {
  char part[32];
  snprintf(part, sizeof part, "%s/relu", name);
  x = layers_relu(layers, part, x);
  snprintf(part, sizeof part, "%s/conv", name);
  return layers_conv(layers, part, x, 1, channels);
}

/*
 * Halves the output of a cell before a reduction without losing pixels: one half of the channels
 * sees those in even rows and columns, the other half those in odd ones.
 */
static struct maps halve(struct layers *layers, struct maps x, int64_t channels) {
  struct maps halves[2];
  x = layers_relu(layers, "fit/relu", x);
  halves[0] = layers_pool(layers, "AveragePool", "fit/even", x, 2);
  halves[0] = layers_conv(layers, "fit/conv1", halves[0], 1, channels / 2);
  halves[1] = layers_shift(layers, "fit/shift", x);
  halves[1] = layers_pool(layers, "AveragePool", "fit/odd", halves[1], 2);
  halves[1] = layers_conv(layers, "fit/conv2", halves[1], 1, channels / 2);
  return layers_concat(layers, "fit/concat", halves, 2);
}

struct cell {
  const struct genotype *genotype;
  int number;
  int64_t stride, channels;
};

static struct maps add_block(struct layers *layers, const struct cell *cell, int index,
                             const struct maps *states) {
  struct block block = cell->genotype->blocks[index];
  assert(block.left.reads < INPUTS + index && block.right.reads < INPUTS + index);
  layers_scope(layers, "cell%d/block%d/", cell->number, index + 1);
  struct maps sides[2] = {add_step(layers, block.left.layer, "left", states[block.left.reads],
                                   block.left.reads < INPUTS ? cell->stride : 1)};
  sides[1] = add_step(layers, block.right.layer, "right", states[block.right.reads],
                      block.right.reads < INPUTS ? cell->stride : 1);
  return layers_merge(layers, "Add", "add", sides, 2);
}

/* `older` is NULL for the first cell, which reads the stem twice. */
static struct maps add_cell(struct layers *layers, const struct cell *cell,
                            const struct maps *older, struct maps last) {
  const struct genotype *genotype = cell->genotype;
  struct maps states[INPUTS + BLOCKS_MAX], outputs[INPUTS + BLOCKS_MAX];
  layers_scope(layers, "cell%d/", cell->number);
  states[0] = states[1] = squeeze(layers, "squeeze", last, cell->channels);
  if (older)
    states[0] = older->side == last.side ? squeeze(layers, "fit", *older, cell->channels)
                                         : halve(layers, *older, cell->channels);
  for (int i = 0; i < genotype->count; i++)
    states[INPUTS + i] = add_block(layers, cell, i, states);
  for (int i = 0; i < genotype->output_count; i++)
    outputs[i] = states[genotype->outputs[i]];
  layers_scope(layers, "cell%d/", cell->number);
  return layers_concat(layers, "concat", outputs, (size_t)genotype->output_count);
}

/* The cells so far. */
struct tower {
  struct layers *layers;
  int count;
  struct maps older, last;
};

static void stack(struct tower *tower, const struct genotype *genotype, bool is_reduction,
                  int64_t channels) {
  struct cell cell = {genotype, tower->count + 1, is_reduction ? 2 : 1, channels};
  struct maps next =
      add_cell(tower->layers, &cell, tower->count > 0 ? &tower->older : NULL, tower->last);
  tower->older = tower->last;
  tower->last = next;
  tower->count++;
}

void cells_build(const struct cells *cells, struct layers *layers) {
  int64_t channels = cells->channels;
  struct tower tower = {.layers = layers};
  struct maps image = layers_input(layers, "image", cells->is_imagenet ? 224 : 32, 3);
  tower.last = layers_conv(layers, "stem", image, cells->is_imagenet ? 2 : 1, STEM);
  if (cells->is_imagenet) {
    stack(&tower, cells->reduction, true, channels / 2);
    stack(&tower, cells->reduction, true, channels);
  }
  for (int i = 0; i < STACKS; i++) {
    if (i > 0) stack(&tower, cells->reduction, true, channels *= 2);
    for (int j = 0; j < cells->height; j++)
      stack(&tower, cells->normal, false, channels);
  }
  layers_scope(layers, "head/");
  layers_classify(layers, layers_relu(layers, "relu", tower.last),
                  cells->is_imagenet ? 1000 : 100);
}
