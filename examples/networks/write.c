/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "write.h"

#include <inttypes.h>
#include <stdio.h>

void write_csv(FILE *stream, const struct graph *g, int64_t alignment) {
  (void)alignment; /* these instances are free to start at any byte */
  fputs("id,lower,upper,size\n", stream);
  for (size_t i = 0; i < g->count; i++) {
    const struct tensor *t = &g->tensors[i];
    fprintf(stream, "%s,%" PRId64 ",%" PRId64 ",%" PRId64 "\n", t->name, t->lower, t->upper,
            t->size);
  }
}

static void alloc_row(FILE *stream, const struct tensor *t, int64_t alignment) {
  fprintf(stream, "%s,alloc,%" PRId64 ",%" PRId64 "\n", t->name, t->size, alignment);
}

static void free_row(FILE *stream, const struct tensor *t) {
  fprintf(stream, "%s,free,0,0\n", t->name);
}

void write_ops(FILE *stream, const struct graph *g, int64_t alignment) {
  fputs("name,type,size,alignment\n", stream);
  for (size_t i = 0; i < g->count; i++) {
    if (g->tensors[i].role == ROLE_INPUT) {
      alloc_row(stream, &g->tensors[i], alignment);
    }
  }
  /* Every operator makes one tensor, so the tensors that are not inputs, in their order, are
   * the operators in theirs. */
  for (size_t i = 0; i < g->count; i++) {
    const struct tensor *made = &g->tensors[i];
    if (made->role == ROLE_INPUT) {
      continue;
    }
    alloc_row(stream, made, alignment);
    for (size_t j = 0; j < i; j++) {
      const struct tensor *t = &g->tensors[j];
      if (t->role != ROLE_OUTPUT && t->upper == made->lower + 1) {
        free_row(stream, t);
      }
    }
  }
}

static void tensor_edge(FILE *stream, const struct tensor *t, const char *reader) {
  static const char *const elements[] = {
      [ELEMENT_INT8] = "int8", [ELEMENT_INT32] = "int32", [ELEMENT_FLOAT32] = "float32"};
  fprintf(stream,
          "  \"%s\" -> \"%s\" [shape=\"[%" PRId64 ", %" PRId64 ", %" PRId64 "]\", dtype=%s];\n",
          t->name, reader, t->shape.rows, t->shape.columns, t->shape.channels,
          elements[t->element]);
}

void write_dot(FILE *stream, const struct graph *g, int64_t alignment) {
  (void)alignment; /* DOT has no word for it */
  fputs("digraph {\n", stream);
  for (size_t i = 0; i < g->count; i++) {
    const struct tensor *t = &g->tensors[i];
    fprintf(stream, "  \"%s\" [type=%s];\n", t->name,
            t->role == ROLE_INPUT ? "input" : t->kind);
  }
  for (size_t i = 0; i < g->read_count; i++) {
    tensor_edge(stream, &g->tensors[g->reads[i].tensor], g->tensors[g->reads[i].reader].name);
  }
  for (size_t i = 0; i < g->count; i++) {
    if (g->tensors[i].role == ROLE_OUTPUT) {
      fprintf(stream, "  \"output %zu\" [type=output];\n", i);
      char reader[32];
      snprintf(reader, sizeof reader, "output %zu", i);
      tensor_edge(stream, &g->tensors[i], reader);
    }
  }
  fputs("}\n", stream);
}
