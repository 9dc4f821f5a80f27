/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fused_networks NAME FILE: writes a network whose peak msf-CNN (arXiv 2505.11483) reports, as it
 * counts it: int8 convolutions, without the additions of residual blocks.  The layers are those of
 * analysis_optimization.py in https://github.com/TinyPART/msf-CNN; the weights are made up.
 */
#include <string.h>

#include "tests/hosts/tflm/draft.h"

/* Expansion, depthwise convolution, projection; without an expansion, there is no 1x1 before it. */
struct block {
  unsigned expansion, kernel, stride, channels;
};

#define BLOCKS_MAX 24

static const struct network {
  const char *name;
  unsigned size, first; /* of the input's side, and the channels of the first convolution */
  unsigned last;        /* channels of a 1x1 convolution at the end; 0: none */
  struct block blocks[BLOCKS_MAX];
} networks[] = {
    {"mbv2-w0.35-r144",
     144,
     11,
     448,
     {{1, 3, 1, 5},
      {6, 3, 2, 8},
      {6, 3, 1, 8},
      {6, 3, 2, 11},
      {6, 3, 1, 11},
      {6, 3, 1, 11},
      {6, 3, 2, 22},
      {6, 3, 1, 22},
      {6, 3, 1, 22},
      {6, 3, 1, 22},
      {6, 3, 1, 33},
      {6, 3, 1, 33},
      {6, 3, 1, 33},
      {6, 3, 2, 56},
      {6, 3, 1, 56},
      {6, 3, 1, 56},
      {6, 3, 1, 112}}},
    {"mcunetv2-vww-5fps-r80",
     80,
     16,
     0,
     {{0, 3, 1, 8},
      {6, 3, 2, 16},
      {3, 3, 1, 16},
      {3, 3, 1, 16},
      {3, 7, 2, 24},
      {6, 3, 1, 24},
      {5, 5, 1, 24},
      {6, 7, 2, 40},
      {6, 7, 1, 40},
      {6, 3, 1, 48},
      {4, 3, 1, 48},
      {5, 5, 2, 96},
      {5, 3, 1, 96},
      {4, 3, 1, 96},
      {3, 7, 1, 160}}},
    {"mcunet-320kb-r176",
     176,
     16,
     0,
     {{0, 3, 1, 8},
      {3, 7, 2, 16},
      {5, 3, 1, 16},
      {5, 7, 1, 16},
      {4, 5, 1, 16},
      {5, 5, 2, 24},
      {5, 5, 1, 24},
      {5, 5, 1, 24},
      {5, 3, 2, 40},
      {6, 7, 1, 40},
      {4, 5, 1, 40},
      {5, 5, 1, 48},
      {5, 7, 1, 48},
      {5, 3, 1, 48},
      {6, 3, 2, 96},
      {5, 7, 1, 96},
      {4, 3, 1, 96},
      {5, 7, 1, 160}}},
};

static struct draft draft;
static unsigned count, size, channels; /* of tensors; of the last of them */

static void make_tensor(void) {
  draft_tensor(&draft, "tensor t%u int8[1,%u,%u,%u] scales 1 3 32\n", count, size, size,
               channels);
  count++;
}

static void add_conv(unsigned kernel, unsigned stride, unsigned made) {
  draft_tensor(&draft, "constant w%u int8[%u,%u,%u,%u] scales 1 0 256\n", count, made, kernel,
               kernel, channels);
  draft_operator(&draft, "CONV_2D t%u w%u -> t%u : 0 %u %u 0 1 1\n", count - 1, count, count,
                 stride, stride);
  size = (size + stride - 1) / stride;
  channels = made;
  make_tensor();
}

static void add_depthwise(unsigned kernel, unsigned stride) {
  draft_tensor(&draft, "constant w%u int8[1,%u,%u,%u] scales 1 0 128\n", count, kernel, kernel,
               channels);
  draft_tensor(&draft, "constant b%u int32[%u] scales 1 0 4096\n", count, channels);
  draft_operator(&draft, "DEPTHWISE_CONV_2D t%u w%u b%u -> t%u : 0 %u %u 1 0 1 1\n", count - 1,
                 count, count, count, stride, stride);
  size = (size + stride - 1) / stride;
  make_tensor();
}

static void write_network(const struct network *network, const char *path) {
  size = network->size;
  channels = 3;
  make_tensor();
  add_conv(3, 2, network->first);
  for (const struct block *block = network->blocks; block->kernel > 0; block++) {
    if (block->expansion > 0) add_conv(1, 1, block->expansion * channels);
    add_depthwise(block->kernel, block->stride);
    add_conv(1, 1, block->channels);
  }
  if (network->last > 0) add_conv(1, 1, network->last);
  draft_tensor(&draft, "inputs t0\noutputs t%u\n", count - 1);
  draft_write(&draft, path);
}

int main(int argument_count, char **arguments) {
  for (size_t n = 0; argument_count == 3 && n < sizeof networks / sizeof *networks; n++)
    if (strcmp(networks[n].name, arguments[1]) == 0) {
      write_network(&networks[n], arguments[2]);
      return 0;
    }
  return 2;
}
