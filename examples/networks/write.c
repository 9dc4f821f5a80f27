/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
  /* Every operator makes one tensor, so the tensors that are not inputs stand in the order of
   * the operators. */
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

static void json_ends(FILE *stream, const struct graph *g, const char *key, enum role role) {
  const char *comma = "";
  fprintf(stream, ",\n  \"%s\": [", key);
  for (size_t i = 0; i < g->count; i++) {
    if (g->tensors[i].role == role) {
      fprintf(stream, "%s\"%s\"", comma, g->tensors[i].name);
      comma = ", ";
    }
  }
  fputc(']', stream);
}

/* Element by element, the first input or, of two, either one can be overwritten. */
static void json_in_place(FILE *stream, const struct tensor *made, size_t inputs) {
  if (strcmp(made->kind, "map") == 0 || strcmp(made->kind, "add") == 0) {
    fputs(inputs == 1 ? ", \"in_place\": [[0, 0]]" : ", \"in_place\": [[0, 0], [1, 0]]",
          stream);
  }
}

static void json_parts(FILE *stream, const struct graph *g, size_t first, size_t inputs) {
  int64_t offset = 0;
  fputs(", \"concat\": [", stream);
  for (size_t i = 0; i < inputs; i++) {
    fprintf(stream, "%s[%zu, 0, %" PRId64 "]", i > 0 ? ", " : "", i, offset);
    offset += g->tensors[g->reads[first + i].tensor].size;
  }
  fputc(']', stream);
}

/* The reads of an operator follow each other, from `first` on; returns one past its last. */
static size_t json_operator(FILE *stream, const struct graph *g, size_t made, size_t first) {
  const struct tensor *t = &g->tensors[made];
  size_t end = first;
  fprintf(stream, "    {\"name\": \"%s\", \"inputs\": [", t->kind);
  for (; end < g->read_count && g->reads[end].reader == made; end++) {
    fprintf(stream, "%s\"%s\"", end > first ? ", " : "", g->tensors[g->reads[end].tensor].name);
  }
  fprintf(stream, "], \"outputs\": [\"%s\"]", t->name);
  json_in_place(stream, t, end - first);
  if (strcmp(t->kind, "concat") == 0) {
    json_parts(stream, g, first, end - first);
  }
  fputc('}', stream);
  return end;
}

void write_json(FILE *stream, const struct graph *g, int64_t alignment) {
  (void)alignment; /* as in CSV */
  fputs("{\n  \"format\": \"neap-graph\",\n  \"version\": 1,\n  \"tensors\": [\n", stream);
  for (size_t i = 0; i < g->count; i++) {
    fprintf(stream, "    {\"name\": \"%s\", \"bytes\": %" PRId64 "}%s\n", g->tensors[i].name,
            g->tensors[i].size, i + 1 < g->count ? "," : "");
  }
  fputs("  ],\n  \"operators\": [", stream);
  size_t read = 0;
  const char *separator = "\n";
  for (size_t i = 0; i < g->count; i++) {
    if (g->tensors[i].role != ROLE_INPUT) {
      fputs(separator, stream);
      read = json_operator(stream, g, i, read);
      separator = ",\n";
    }
  }
  fputs("\n  ]", stream);
  json_ends(stream, g, "inputs", ROLE_INPUT);
  json_ends(stream, g, "outputs", ROLE_OUTPUT);
  fputs("\n}\n", stream);
}
