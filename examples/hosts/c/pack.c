/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a generator of C code calls neap: it passes four arrays and gets offsets. It prints the declarations of the tensors
 * of a small network, in one arena.
 *
 *     cc pack.c $(pkg-config --cflags --libs neap) -o pack && ./pack >arena.h
 */
#include <inttypes.h>
#include <neap/neap.h>
#include <stdio.h>

enum { TENSORS = 6 };

/* Time counts operators. A tensor is alive from the operator that writes it to the last that reads it. */
static const char *const name[TENSORS] = {"conv1", "pool1", "conv2", "sum", "pool2", "scores"};
static const neap_time first[TENSORS] = {0, 1, 2, 3, 4, 5};
static const neap_time last[TENSORS] = {1, 3, 3, 4, 5, 6};
static const neap_size bytes[TENSORS] = {50176, 12544, 12544, 12544, 3136, 40};

int main(void) {
  neap_time end[TENSORS];
  neap_size align[TENSORS], peak;
  neap_offset offset[TENSORS];
  for (size_t i = 0; i < TENSORS; i++) {
    end[i] = last[i] + 1; /* ranges are half-open */
    align[i] = 16;
  }
  neap_status status = neap_pack(TENSORS, first, end, bytes, align, offset, &peak);
  if (status != NEAP_OK) {
    fprintf(stderr, "pack: %s\n", neap_status_name(status));
    return 1;
  }
  printf("static _Alignas(16) unsigned char arena[%" PRId64 "];\n", peak);
  for (size_t i = 0; i < TENSORS; i++)
    printf("#define %s ((float *)(arena + %" PRId64 "))\n", name[i], offset[i]);
  return 0;
}
