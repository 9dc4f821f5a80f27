/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * random_model SEED FILE: writes a model for TensorFlow Lite Micro.  Its operators read earlier tensors
 * of various lengths.  It may have inputs that no operator reads, tensors that no operator uses, an
 * operator that calls subgraphs, and a subgraph that none calls; all that are not read are outputs.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/tflite_maker.h"

static uint32_t state;

static unsigned roll(unsigned count) {
  state = state * 1664525u + 1013904223u;
  return (unsigned)(((uint64_t)state * count) >> 32);
}

static char text[1 << 14], lines[1 << 13]; /* tensors, and operators */

__attribute__((format(printf, 2, 3))) static void add(char *to, const char *format, ...) {
  va_list list;
  while (*to)
    to++;
  va_start(list, format);
  vsprintf(to, format, list);
  va_end(list);
}

#define TENSORS 24

static struct {
  unsigned length;
  int reads;
} tensors[TENSORS];
static unsigned count, unused;

static unsigned make(unsigned length) {
  add(text, "tensor t%u float32[%u]\n", count, length);
  tensors[count].length = length;
  /* Where the runtime finds it must not depend on whether it is used. */
  if (roll(12) == 0) add(text, "tensor unused%u float32[%u]\n", unused++, 1 + roll(300));
  return count++;
}

static unsigned read_any(void) {
  unsigned t = roll(2) ? count - 1 - roll(count < 4 ? count : 4) : roll(count);
  tensors[t].reads++;
  return t;
}

static void constant(const char *name, unsigned number, unsigned a, unsigned b) {
  add(text,
      b == UINT32_MAX ? "constant %s%u int32[1] : %u\n" : "constant %s%u int32[1,2] : %u %u\n",
      name, number, a, b);
}

static void add_operator(unsigned k) {
  unsigned x = read_any(), length = tensors[x].length, y;
  switch (roll(5)) {
  case 0:
    add(lines, "RELU t%u -> t%u\n", x, make(length));
    break;
  case 1:
    for (y = roll(count); tensors[y].length != length;)
      y = (y + 1) % count;
    tensors[y].reads++;
    add(lines, "ADD t%u t%u -> t%u\n", x, y, make(length));
    break;
  case 2:
    y = read_any();
    if (length + tensors[y].length < 2000)
      add(lines, "CONCATENATION t%u t%u -> t%u\n", x, y, make(length + tensors[y].length));
    else add(lines, "ADD t%u t%u -> t%u\n", y, y, make(tensors[y].length));
    break;
  case 3:
    y = 1 + roll(length);
    constant("begin", k, length > y ? roll(length - y) : 0, UINT32_MAX);
    constant("size", k, y, UINT32_MAX);
    add(lines, "SLICE t%u begin%u size%u -> t%u\n", x, k, k, make(y));
    break;
  default:
    y = roll(100);
    constant("pad", k, y, 3);
    add(lines, "PAD t%u pad%u -> t%u\n", x, k, make(length + y + 3));
  }
}

static unsigned add_if(void) {
  unsigned x = read_any(), y = make(tensors[x].length);
  add(text, "tensor choice bool[1]\n");
  add(lines, "IF choice t%u -> t%u : 1 2\n", x, y);
  return tensors[x].length;
}

static void add_branches(unsigned length) {
  for (int s = 0; s < 2; s++)
    add(text,
        "subgraph\ntensor x%d float32[%u]\ntensor idle%d float32[%u]\ntensor y%d float32[%u]\n"
        "tensor z%d float32[%u]\ninputs x%d\noutputs z%d\n"
        "ADD x%d x%d -> y%d\nRELU y%d -> z%d\n",
        s, length, s, 1 + roll(100), s, length, s, length, s, s, s, s, s, s, s);
}

int main(int argument_count, char **arguments) {
  unsigned operators, branch = 0, inputs;
  if (argument_count != 3) return 2;
  state = (uint32_t)strtoul(arguments[1], NULL, 10) * 2654435761u;
  roll(2);
  inputs = 1 + roll(3);
  for (unsigned i = 0; i < inputs; i++)
    make(1 + roll(400));
  operators = 3 + roll(14);
  for (unsigned k = 0; k < operators; k++)
    add_operator(k);
  if (roll(4) == 0) branch = add_if();
  add(text, "inputs");
  for (unsigned i = 0; i < inputs; i++)
    add(text, " t%u", i);
  add(text, branch ? " choice\noutputs" : "\noutputs");
  for (unsigned t = inputs; t < count; t++)
    if (tensors[t].reads == 0 || roll(12) == 0) add(text, " t%u", t);
  add(text, "\n%s", lines);
  if (branch) add_branches(branch);
  if (roll(6) == 0)
    add(text,
        "subgraph\ntensor far/x float32[%u]\ntensor far/y float32[%u]\ninputs far/x\n"
        "outputs far/y\nRELU far/x -> far/y\n",
        100, 100);
  tflite_make_file(text, arguments[2]);
  return 0;
}
