/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * random_model SEED FILE: writes a model for TensorFlow Lite Micro.  Its operators read earlier
 * tensors of various lengths.  It may have inputs that no operator reads, tensors that no operator
 * uses, an operator that calls subgraphs, and one that none calls; unread tensors are outputs.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/hosts/tflm/draft.h"

static struct draft draft;

#define TENSORS 24

static struct {
  unsigned length;
  int reads;
} tensors[TENSORS];
static unsigned count, unused;

static unsigned make(unsigned length) {
  draft_tensor(&draft, "tensor t%u float32[%u]\n", count, length);
  tensors[count].length = length;
  /* Where the runtime finds it must not depend on whether it is used. */
  if (draft_roll(&draft, 12) == 0)
    draft_tensor(&draft, "tensor unused%u float32[%u]\n", unused++,
                 1 + draft_roll(&draft, 300));
  return count++;
}

static unsigned read_any(void) {
  unsigned t = draft_roll(&draft, 2) ? count - 1 - draft_roll(&draft, count < 4 ? count : 4)
                                     : draft_roll(&draft, count);
  tensors[t].reads++;
  return t;
}

static void constant(const char *name, unsigned number, unsigned a, unsigned b) {
  draft_tensor(&draft,
               b == UINT32_MAX ? "constant %s%u int32[1] : %u\n"
                               : "constant %s%u int32[1,2] : %u %u\n",
               name, number, a, b);
}

static void add_operator(unsigned k) {
  unsigned x = read_any(), length = tensors[x].length, y;
  switch (draft_roll(&draft, 5)) {
  case 0:
    draft_operator(&draft, "RELU t%u -> t%u\n", x, make(length));
    break;
  case 1:
    for (y = draft_roll(&draft, count); tensors[y].length != length;)
      y = (y + 1) % count;
    tensors[y].reads++;
    draft_operator(&draft, "ADD t%u t%u -> t%u\n", x, y, make(length));
    break;
  case 2:
    y = read_any();
    if (length + tensors[y].length < 2000)
      draft_operator(&draft, "CONCATENATION t%u t%u -> t%u\n", x, y,
                     make(length + tensors[y].length));
    else draft_operator(&draft, "ADD t%u t%u -> t%u\n", y, y, make(tensors[y].length));
    break;
  case 3:
    y = 1 + draft_roll(&draft, length);
    constant("begin", k, length > y ? draft_roll(&draft, length - y) : 0, UINT32_MAX);
    constant("size", k, y, UINT32_MAX);
    draft_operator(&draft, "SLICE t%u begin%u size%u -> t%u\n", x, k, k, make(y));
    break;
  default:
    y = draft_roll(&draft, 100);
    constant("pad", k, y, 3);
    draft_operator(&draft, "PAD t%u pad%u -> t%u\n", x, k, make(length + y + 3));
  }
}

static unsigned add_if(void) {
  unsigned x = read_any(), y = make(tensors[x].length);
  draft_tensor(&draft, "tensor choice bool[1]\n");
  draft_operator(&draft, "IF choice t%u -> t%u : 1 2\n", x, y);
  return tensors[x].length;
}

static void add_branches(unsigned length) {
  for (int s = 0; s < 2; s++)
    draft_operator(
        &draft,
        "subgraph\ntensor x%d float32[%u]\ntensor idle%d float32[%u]\ntensor y%d float32[%u]\n"
        "tensor z%d float32[%u]\ninputs x%d\noutputs z%d\n"
        "ADD x%d x%d -> y%d\nRELU y%d -> z%d\n",
        s, length, s, 1 + draft_roll(&draft, 100), s, length, s, length, s, s, s, s, s, s, s);
}

int main(int argument_count, char **arguments) {
  unsigned operators, branch = 0, inputs;
  if (argument_count != 3) return 2;
  draft_init(&draft, (unsigned)strtoul(arguments[1], NULL, 10));
  inputs = 1 + draft_roll(&draft, 3);
  for (unsigned i = 0; i < inputs; i++)
    make(1 + draft_roll(&draft, 400));
  operators = 3 + draft_roll(&draft, 14);
  for (unsigned k = 0; k < operators; k++)
    add_operator(k);
  if (draft_roll(&draft, 4) == 0) branch = add_if();
  draft_tensor(&draft, "inputs");
  for (unsigned i = 0; i < inputs; i++)
    draft_tensor(&draft, " t%u", i);
  draft_tensor(&draft, branch ? " choice\noutputs" : "\noutputs");
  for (unsigned t = inputs; t < count; t++)
    if (tensors[t].reads == 0 || draft_roll(&draft, 12) == 0) draft_tensor(&draft, " t%u", t);
  draft_tensor(&draft, "\n");
  if (branch) add_branches(branch);
  if (draft_roll(&draft, 6) == 0)
    draft_operator(
        &draft,
        "subgraph\ntensor far/x float32[%u]\ntensor far/y float32[%u]\ninputs far/x\n"
        "outputs far/y\nRELU far/x -> far/y\n",
        100, 100);
  draft_write(&draft, arguments[2]);
  return 0;
}
