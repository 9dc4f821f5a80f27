/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/output/runtime_arena.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/json.h"
#include "cli/output/number_text.h"

#define LABEL 24

bool arena_facts_is_partial(const neap_problem *problem) {
  neap_arena_note note = NEAP_INIT(neap_arena_note);
  return neap_problem_arena_unknown_at(problem, 0, &note);
}

const char *arena_facts_which(char text[ARENA_FACTS_WHICH], const neap_arena_note *note) {
  char where[32] = "", more[48] = "";
  if (note->subgraph > 0) snprintf(where, sizeof where, "%zu:", note->subgraph);
  if (note->count > 1) snprintf(more, sizeof more, " and %zu more", note->count - 1);
  snprintf(text, ARENA_FACTS_WHICH, "%s (operator %s%zu%s)", note->text, where, note->first,
           more);
  return text;
}

bool arena_facts_print_refused(FILE *stream, const neap_problem *problem, const char *label) {
  neap_arena_note note = NEAP_INIT(neap_arena_note);
  char text[ARENA_FACTS_WHICH];
  size_t i = 0;
  for (; neap_problem_arena_refused_at(problem, i, &note); i++)
    fprintf(stream, "%s%s\n", label, arena_facts_which(text, &note));
  return i > 0;
}

/* ---------------------------------------------------------------- kernels by type */

struct type {
  const char *name;
  size_t count;
  neap_size persistent, scratch; /* scratch: the most of an operator */
};

static int larger_first(const void *left, const void *right) {
  const struct type *a = left, *b = right;
  if (a->persistent != b->persistent) return a->persistent > b->persistent ? -1 : 1;
  return strcmp(a->name, b->name);
}

static void add_operator(struct type *types, size_t *count, const neap_arena_operator *kernel) {
  size_t t = 0;
  while (t < *count && strcmp(types[t].name, kernel->type) != 0)
    t++;
  if (t == *count) types[(*count)++] = (struct type){.name = kernel->type};
  types[t].count++;
  types[t].persistent += kernel->persistent;
  if (kernel->scratch > types[t].scratch) types[t].scratch = kernel->scratch;
}

/*
 * Returns *count types, those that keep most first, released with free(); NULL if memory is
 * short.
 */
static struct type *list_types(const neap_problem *problem, const neap_arena *arena,
                               size_t *count) {
  struct type *types = calloc(arena->operator_count + 1, sizeof *types);
  neap_arena_operator kernel = NEAP_INIT(neap_arena_operator);
  *count = 0;
  if (!types) return NULL;
  for (size_t i = 0; neap_problem_arena_operator_at(problem, i, &kernel); i++)
    add_operator(types, count, &kernel);
  qsort(types, *count, sizeof *types, larger_first);
  return types;
}

static void print_types(FILE *stream, const neap_problem *problem, const neap_arena *arena) {
  size_t count;
  struct type *types = list_types(problem, arena, &count);
  if (!types || count == 0) {
    free(types);
    return;
  }
  fprintf(stream, "\n  %-30s  %9s  %12s  %12s\n", "kernels", "operators", "in the tail",
          "most scratch");
  for (size_t t = 0; t < count; t++)
    fprintf(stream, "  %-30s  %9zu  %12" PRId64 "  %12" PRId64 "\n", types[t].name,
            types[t].count, types[t].persistent, types[t].scratch);
  free(types);
}

/* ---------------------------------------------------------------- for people */

void arena_facts_print_line(FILE *stream, const neap_problem *problem,
                            const neap_arena *arena) {
  char bytes[FIGURE_SIZE], tail[FIGURE_SIZE];
  fprintf(stream, "%s%s with a tail of %s", arena_facts_is_partial(problem) ? "at least " : "",
          figure_bytes(bytes, arena->smallest), figure_bytes(tail, arena->tail));
  if (arena->smallest == arena->preparing && arena->preparing > arena->used)
    fprintf(stream, "; %" PRId64 " bytes are used once the model is prepared", arena->used);
  fprintf(stream, "; %s kernels%s, pointers of %u bytes%s\n", arena->kernels,
          arena->has_overlap ? " with overlap" : "", arena->pointer,
          arena->is_as_written ? ", as the model says" : "");
}

void arena_facts_print_kernels(FILE *stream, const neap_problem *problem) {
  neap_arena arena = NEAP_INIT(neap_arena);
  if (neap_problem_arena(problem, 0, &arena))
    fprintf(stream, "kernels  %s, with pointers of %u bytes\n", arena.kernels, arena.pointer);
}

static void print_bytes(FILE *stream, const char *label, neap_size bytes, const char *note) {
  fprintf(stream, "  %-*s  %12" PRId64 "%s%s\n", LABEL, label, bytes, *note ? "  " : "", note);
}

static void print_part(FILE *stream, const neap_arena *arena, neap_arena_part part,
                       const char *label, const char *note) {
  if (arena->parts[part] > 0) print_bytes(stream, label, arena->parts[part], note);
}

static void print_variables(FILE *stream, const neap_arena *arena) {
  char note[2 * FIGURE_SIZE] = "", count[FIGURE_SIZE];
  if (arena->resource_count > 0)
    snprintf(note, sizeof note, "MicroResourceVariables::Create(allocator, %" PRId64 ")",
             arena->resource_count);
  else snprintf(note, sizeof note, "%s", figure_count(count, arena->variable_count, "tensor"));
  print_part(stream, arena, NEAP_ARENA_VARIABLES, "    variables", note);
}

static void print_tail(FILE *stream, const neap_arena *arena) {
  char count[FIGURE_SIZE];
  print_bytes(stream, "tail", arena->tail, "");
  print_part(stream, arena, NEAP_ARENA_RUNTIME, "    interpreter", "");
  print_part(stream, arena, NEAP_ARENA_TENSORS, "    tensors",
             figure_count(count, arena->tensor_count, "tensor"));
  print_part(stream, arena, NEAP_ARENA_NODES, "    nodes",
             figure_count(count, arena->operator_count, "operator"));
  print_part(stream, arena, NEAP_ARENA_KERNELS, "    kernels", "");
  print_part(stream, arena, NEAP_ARENA_HANDLES, "    scratch handles",
             figure_count(count, arena->scratch_count, "buffer"));
  print_variables(stream, arena);
  print_part(stream, arena, NEAP_ARENA_ENDS, "    inputs and outputs", "");
}

static void print_savings(FILE *stream, const neap_arena *arena) {
  static const char *const texts[NEAP_ARENA_SAVINGS] = {"with constants and shapes folded",
                                                        "without RESHAPE, SQUEEZE, EXPAND_DIMS",
                                                        "without QUANTIZE and DEQUANTIZE"};
  bool has_heading = false;
  char count[FIGURE_SIZE];
  for (int saving = 0; saving <= NEAP_ARENA_SAVINGS; saving++) {
    bool is_saving = saving < NEAP_ARENA_SAVINGS;
    neap_size bytes = is_saving ? arena->savings[saving] : arena->parts[NEAP_ARENA_VARIABLES];
    if (bytes == 0) continue;
    if (!has_heading) fputs("\n  what would make the tail smaller\n", stream);
    has_heading = true;
    fprintf(stream, "    %-38s  %10" PRId64 "%s%s\n",
            is_saving ? texts[saving] : "without variables", bytes, is_saving ? "  " : "",
            is_saving ? figure_count(count, arena->saving_counts[saving], "operator") : "");
  }
}

static void print_unknown(FILE *stream, const neap_problem *problem) {
  neap_arena_note note = NEAP_INIT(neap_arena_note);
  char text[ARENA_FACTS_WHICH];
  for (size_t i = 0; neap_problem_arena_unknown_at(problem, i, &note); i++)
    fprintf(stream, "  unknown kernel: %s\n", arena_facts_which(text, &note));
}

void arena_facts_print(FILE *stream, const neap_problem *problem, const neap_arena *arena,
                       const char *head) {
  const char *least = arena_facts_is_partial(problem) ? "at least" : "";
  fprintf(
      stream,
      "\nThe arena, with pointers of %u bytes and the %s kernels%s of TensorFlow Lite Micro "
      "of %s%s:\n",
      arena->pointer, arena->kernels, arena->has_overlap ? ", with overlap," : "",
      arena->version, arena->is_as_written ? ", as the model says" : "");
  print_bytes(stream, "head", arena->head, head);
  print_tail(stream, arena);
  print_bytes(stream, "used", arena->used, *least ? least : "arena_used_bytes()");
  print_bytes(stream, "while it is prepared", arena->preparing, least);
  print_bytes(stream, "smallest that works", arena->smallest, least);
  print_unknown(stream, problem);
  print_types(stream, problem, arena);
  print_savings(stream, arena);
}

/* ---------------------------------------------------------------- for programs */

static json_t *operators_list(const neap_problem *problem) {
  json_t *list = json_array();
  neap_arena_operator kernel = NEAP_INIT(neap_arena_operator);
  for (size_t i = 0; list && neap_problem_arena_operator_at(problem, i, &kernel); i++)
    list = object_append(
        list, json_pack("{ss sI sI sI sI}", "type", kernel.type, "subgraph",
                        (json_int_t)kernel.subgraph, "index", (json_int_t)kernel.index, "tail",
                        (json_int_t)kernel.persistent, "scratch", (json_int_t)kernel.scratch));
  return list;
}

static json_t *savings_object(const neap_arena *arena) {
  static const char *const keys[NEAP_ARENA_SAVINGS] = {"folding", "views", "conversions"};
  json_t *object = json_object();
  for (int saving = 0; saving < NEAP_ARENA_SAVINGS; saving++)
    object = object_add_number(object, keys[saving], (json_int_t)arena->savings[saving]);
  return object;
}

static json_t *note_list(const neap_problem *problem,
                         bool note_at(const neap_problem *, size_t, neap_arena_note *)) {
  neap_arena_note note = NEAP_INIT(neap_arena_note);
  json_t *list = json_array();
  for (size_t i = 0; list && note_at(problem, i, &note); i++)
    list = object_append(list,
                         json_pack("{so sI sI sI}", "type", object_text(note.text), "subgraph",
                                   (json_int_t)note.subgraph, "index", (json_int_t)note.first,
                                   "operators", (json_int_t)note.count));
  return list;
}

json_t *arena_facts_add_kernels(json_t *object, const neap_problem *problem) {
  neap_arena arena = NEAP_INIT(neap_arena);
  if (!neap_problem_arena(problem, 0, &arena)) return object;
  object = object_add(object, "kernels", json_string(arena.kernels));
  return object_add_number(object, "pointer", arena.pointer);
}

json_t *arena_facts_object(const neap_problem *problem, const neap_arena *arena) {
  char *text = neap_arena_to_json(problem, arena);
  json_t *object = text ? json_loads(text, 0, NULL) : NULL;
  free(text);
  return object;
}

json_t *arena_facts_json(const neap_problem *problem, const neap_arena *arena) {
  json_t *object = arena_facts_object(problem, arena);
  object = object_add(object, "savings", savings_object(arena));
  object = object_add(object, "unknown", note_list(problem, neap_problem_arena_unknown_at));
  object = object_add(object, "refused", note_list(problem, neap_problem_arena_refused_at));
  return object_add(object, "operators", operators_list(problem));
}
