/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * random_skips SEED FILE: writes a model for TensorFlow Lite Micro with skip connections over
 * chains.  Each leads from a large tensor, which is cheap to make again, to the end of its chain.
 */
#include <stdlib.h>

#include "tests/hosts/tflm/draft.h"

static struct draft draft;
static unsigned tensors, constants;

struct piece {
  unsigned tensor, length;
};

static struct piece make(unsigned length) {
  draft_tensor(&draft, "tensor t%u float32[%u]\n", tensors, length);
  return (struct piece){tensors++, length};
}

static struct piece widen(struct piece x, unsigned more) {
  struct piece made = make(x.length + more);
  unsigned before = draft_roll(&draft, more + 1);
  draft_tensor(&draft, "constant pad%u int32[1,2] : %u %u\n", constants, before, more - before);
  draft_operator(&draft, "PAD t%u pad%u -> t%u\n", x.tensor, constants++, made.tensor);
  return made;
}

static struct piece narrow(struct piece x, unsigned length) {
  struct piece made = make(length);
  draft_tensor(&draft, "constant begin%u int32[1] : %u\n", constants,
               draft_roll(&draft, x.length - length + 1));
  draft_tensor(&draft, "constant size%u int32[1] : %u\n", constants, length);
  draft_operator(&draft, "SLICE t%u begin%u size%u -> t%u\n", x.tensor, constants, constants,
                 made.tensor);
  constants++;
  return made;
}

static struct piece unary(struct piece x) {
  struct piece made = make(x.length);
  draft_operator(&draft, "RELU t%u -> t%u\n", x.tensor, made.tensor);
  return made;
}

static struct piece chain(struct piece x) {
  for (unsigned steps = 1 + draft_roll(&draft, 3); steps > 0; steps--) {
    x = widen(x, 300 + draft_roll(&draft, 400));
    x = narrow(x, 10 + draft_roll(&draft, 50));
    if (draft_roll(&draft, 2)) x = unary(x);
  }
  return x;
}

/* Adds the tensor that a chain begins with to the tensor that the chain makes. */
static struct piece skip(struct piece x, unsigned depth) {
  struct piece wide = widen(x, 100 + draft_roll(&draft, 150)), sum;
  x = chain(narrow(wide, 10 + draft_roll(&draft, 50)));
  if (depth < 2 && draft_roll(&draft, 3) == 0) x = skip(x, depth + 1);
  x = widen(x, wide.length - x.length);
  sum = make(wide.length);
  draft_operator(&draft, "ADD t%u t%u -> t%u\n", x.tensor, wide.tensor, sum.tensor);
  return narrow(sum, 10 + draft_roll(&draft, 50));
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  draft_init(&draft, (unsigned)strtoul(arguments[1], NULL, 10));
  struct piece first = make(10 + draft_roll(&draft, 100)), x = first;
  for (unsigned skips = 1 + draft_roll(&draft, 2); skips > 0; skips--)
    x = skip(x, 0);
  draft_tensor(&draft, "inputs t%u\noutputs t%u\n", first.tensor, x.tensor);
  draft_write(&draft, arguments[2]);
  return 0;
}
