/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model with a plan in it.
 *
 * Offsets in a FlatBuffer are relative and point forwards only.  So a new head, with a root table
 * and the lists that change, can point into the old model, which follows byte for byte.
 *
 *     root offset, TFL3, root's vtable, root, metadata, buffers, entries of the plan and of its
 *     kernels, each with name and data
 *
 * Old data of the model are overwritten in place if the new data are as long.
 */
#include "models/tflite/write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "files/c_array.h"
#include "files/unsupported.h"
#include "models/tflite/assumed.h"
#include "models/tflite/head.h"
#include "models/tflite/plan.h"
#include "models/tflite/schema.h"
#include "models/tflite/tflite.h"
#include "neap/neap-io.h"
#include "plan/plan.h"

/* ---------------------------------------------------------------- the offsets of tensors */

struct placing {
  const neap_plan *plan;
  const neap_graph *graph;
};

static neap_status check_tensor(const struct placing *placing, size_t tensor, size_t buffer,
                                neap_error *error) {
  const neap_plan *plan = placing->plan;
  const char *name = names_text(&placing->graph->names, tensor);
  neap_size bytes = placing->graph->tensors[tensor].bytes;
  neap_size size = plan->problem->buffers[buffer].size;
  char excerpt[TEXT_EXCERPT];
  text_excerpt(excerpt, name, strlen(name));
  if (size != bytes && size != round_up(bytes, TFLITE_ALIGNMENT))
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "tensor %s takes %" PRId64 " bytes in TensorFlow Lite Micro, in the plan "
                     "%" PRId64 "; plan the model with neap_reading.graph.target tflm",
                     excerpt, bytes, size);
  if (plan->offsets[buffer] % TFLITE_ALIGNMENT != 0)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "tensor %s lies at offset %" PRId64
                     ", which is not a multiple of %d; plan "
                     "the model with neap_reading.graph.target tflm",
                     excerpt, plan->offsets[buffer], TFLITE_ALIGNMENT);
  if (plan_end(plan, buffer) > INT32_MAX)
    return error_set(error, NEAP_ERROR_FORMAT,
                     "tensor %s ends above %d, which the model cannot store", excerpt,
                     INT32_MAX);
  return NEAP_OK;
}

static bool is_listed(const neap_problem *problem, const char *name) {
  return names_find(&problem->runtime.names, name, strlen(name)) != NAMES_NONE;
}

/* A pinned tensor keeps its offset, which the plan must not have changed. */
static neap_status find_pinned(const struct placing *placing, size_t tensor, int32_t *offset,
                               neap_error *error) {
  const neap_plan *plan = placing->plan;
  neap_offset pinned = placing->graph->pins[tensor].offset;
  const char *name = names_text(&placing->graph->names, tensor);
  char excerpt[TEXT_EXCERPT];
  size_t buffer;
  *offset = (int32_t)pinned;
  if (!neap_problem_find(plan->problem, name, &buffer) || plan->offsets[buffer] == pinned)
    return NEAP_OK;
  return error_set(error, NEAP_ERROR_ARGUMENT,
                   "tensor %s is compiled for offset %" PRId64
                   ", but the plan has it at %" PRId64,
                   text_excerpt(excerpt, name, strlen(name)), pinned, plan->offsets[buffer]);
}

static neap_status find_offset(const struct placing *placing, size_t tensor, int32_t *offset,
                               neap_error *error) {
  const struct neap_problem *problem = placing->plan->problem;
  const char *name = names_text(&placing->graph->names, tensor);
  neap_tensor_kind kind = placing->graph->tensors[tensor].kind;
  size_t buffer;
  const struct graph_pin *pins = placing->graph->pins;
  if (pins && pins[tensor].offset != NEAP_UNPLACED)
    return find_pinned(placing, tensor, offset, error);
  *offset = -1;
  if ((kind != NEAP_TENSOR_ACTIVATION && kind != NEAP_TENSOR_VARIABLE) ||
      is_listed(problem, name) || !neap_problem_find(problem, name, &buffer) ||
      placing->plan->report.is_runtimes_own)
    return NEAP_OK;
  neap_status status = check_tensor(placing, tensor, buffer, error);
  if (status == NEAP_OK) *offset = (int32_t)placing->plan->offsets[buffer];
  return status;
}

static neap_status check_variables(const struct tflite_model *model, const neap_graph *graph,
                                   const int32_t *offsets, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  size_t at, lost = tflite_plan_lost_variable(model, graph, offsets, &at);
  if (lost == TFLITE_NONE) return NEAP_OK;
  const char *name = names_text(&graph->names, lost);
  return error_set(error, NEAP_ERROR_FORMAT,
                   "TensorFlow Lite Micro would not allocate variable %s, which belongs to a "
                   "called subgraph; plan the model with neap_reading.graph.target tflm",
                   text_excerpt(excerpt, name, strlen(name)));
}

static neap_status find_offsets(const neap_plan *plan, const struct tflite_model *model,
                                const neap_graph *graph, int32_t *offsets, neap_error *error) {
  const struct placing placing = {plan, graph};
  neap_status status = NEAP_OK;
  for (size_t t = 0; t < model->tensor_count && status == NEAP_OK; t++)
    status = find_offset(&placing, t, &offsets[t], error);
  return status == NEAP_OK ? check_variables(model, graph, offsets, error) : status;
}

static neap_status offsets_of(const neap_plan *plan, const struct tflite_model *model,
                              const char *text, int32_t **offsets, neap_error *error) {
  static const neap_reading target = {.struct_size = sizeof(neap_reading),
                                      .graph.target = "tflm"};
  neap_graph *graph;
  neap_status status = tflite_read(text, model->file.size, &target, &graph, error);
  if (status != NEAP_OK) return status;
  int32_t *found = memory_array(model->tensor_count, sizeof *found);
  status = found ? find_offsets(plan, model, graph, found, error) : error_memory(error);
  neap_graph_free(graph);
  if (status == NEAP_OK) *offsets = found;
  else free(found);
  return status;
}

/* An entry of the metadata to write. */
struct part {
  const char *name;
  unsigned char *data;
  size_t size;
  struct tflite_entry entry; /* the model's own, or a new one at the end */
  bool is_new;
  size_t room; /* where old data of the same length are; 0: nowhere */
};

enum { THE_PLAN, ASSUMED, PARTS };

struct writer {
  const struct tflite_model *model;
  unsigned char *bytes; /* of the model, writable */
  struct flat_vector metadata;
  const int32_t *offsets; /* of all tensors */
  struct head head;
  struct part parts[PARTS];
  size_t first_part, part_count; /* the parts to write */
  bool is_default;               /* the plan is for defaults, which need no entry */
  bool is_done;                  /* the model needs no new head */
};

static const struct flat *old_of(const struct writer *writer) { return &writer->model->file; }

/* ---------------------------------------------------------------- what to write */

static neap_status broken(neap_error *error) {
  return error_set(error, NEAP_ERROR_INPUT,
                   "truncated or damaged model: a table is beyond the file's end");
}

/* Whether the buffer of an entry also holds data of something else. */
static neap_status find_sharers(const struct writer *writer, const struct tflite_entry *own,
                                bool *found, neap_error *error) {
  struct flat_table entry;
  uint64_t buffer;
  *found = false;
  for (size_t m = 0; m < writer->metadata.count; m++) {
    if (!flat_element(&writer->metadata, m, &entry) ||
        !flat_unsigned(&entry, TFLITE_METADATA_BUFFER, 4, 0, &buffer))
      return broken(error);
    *found = *found || (m != own->index && buffer == own->buffer);
  }
  for (size_t s = 0; s < writer->model->subgraph_count; s++) {
    const struct flat_vector *tensors = &writer->model->subgraphs[s].tensors;
    for (size_t t = 0; t < tensors->count; t++) {
      if (!flat_element(tensors, t, &entry) ||
          !flat_unsigned(&entry, TFLITE_TENSOR_BUFFER, 4, 0, &buffer))
        return broken(error);
      *found = *found || buffer == own->buffer;
    }
  }
  return NEAP_OK;
}

/* Whether the model already has this plan; the first two numbers mean nothing. */
static bool is_same_plan(const struct writer *writer) {
  const struct part *plan = &writer->parts[THE_PLAN];
  struct flat_vector old;
  return tflite_entry_data(&writer->model->root, &plan->entry, &old, NULL) == NEAP_OK &&
         old.count >= plan->size &&
         memcmp(writer->bytes + old.at + 8, plan->data + 8, plan->size - 8) == 0;
}

/* Without a plan in the model, there is nothing to write if the runtime places everything. */
static bool places_something(const struct writer *writer) {
  for (size_t t = 0; t < writer->model->tensor_count; t++)
    if (writer->offsets[t] >= 0) return true;
  return false;
}

/* Data of the same length can be overwritten in place. */
static neap_status find_room(const struct writer *writer, struct part *part,
                             neap_error *error) {
  struct flat_vector data;
  bool is_shared;
  neap_status status = tflite_entry_data(&writer->model->root, &part->entry, &data, error);
  if (status == NEAP_OK) status = find_sharers(writer, &part->entry, &is_shared, error);
  if (status == NEAP_OK && !is_shared && data.count == part->size) part->room = data.at;
  return status;
}

/* Finds where a part is, or numbers a new entry and a new buffer. */
static neap_status find_part(const struct writer *writer, struct part *part,
                             neap_error *error) {
  neap_status status = tflite_entry_find(&writer->model->root, part->name, &part->entry, error);
  part->is_new = part->entry.index == TFLITE_NONE;
  return status == NEAP_OK && !part->is_new ? find_room(writer, part, error) : status;
}

static void number_parts(struct writer *writer) {
  size_t entries = writer->metadata.count, buffers = writer->model->buffers.count;
  for (size_t i = writer->first_part; i < writer->part_count; i++)
    if (writer->parts[i].is_new)
      writer->parts[i].entry = (struct tflite_entry){entries++, buffers++};
}

static bool is_same_text(const struct writer *writer, const struct part *part) {
  return part->room && memcmp(writer->bytes + part->room, part->data, part->size) == 0;
}

/* Whether the model has the entry on the plan's kernels, or needs none. */
static bool is_said(const struct writer *writer) {
  const struct part *assumed = &writer->parts[ASSUMED];
  return writer->part_count == ASSUMED ||
         (assumed->is_new ? writer->is_default : is_same_text(writer, assumed));
}

static neap_status find_parts(struct writer *writer, bool force, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < writer->part_count && status == NEAP_OK; i++)
    status = find_part(writer, &writer->parts[i], error);
  if (status != NEAP_OK) return status;
  const bool is_new = writer->parts[THE_PLAN].is_new;
  const bool is_there = is_new ? !places_something(writer) : is_same_plan(writer);
  writer->is_done = is_there && is_said(writer);
  if (is_new && is_there) writer->first_part = ASSUMED;
  if (!force && !is_new && !is_there)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "the model has a plan already; neap_writing.replace replaces it");
  number_parts(writer);
  return NEAP_OK;
}

static neap_status open_model(struct writer *writer, bool force, neap_error *error) {
  if (!flat_vector(&writer->model->root, TFLITE_MODEL_METADATA, 4, &writer->metadata))
    return broken(error);
  neap_status status = head_check(&writer->model->root, error);
  return status == NEAP_OK ? find_parts(writer, force, error) : status;
}

/* ---------------------------------------------------------------- the parts */

/* Writes a list of the old tables, with room for new ones. */
static size_t write_list(struct writer *writer, const struct flat_vector *old) {
  size_t count = old->count;
  for (size_t i = writer->first_part; i < writer->part_count; i++)
    count += writer->parts[i].is_new;
  return head_list(&writer->head, old, count);
}

/* Writes a table of two fields with offsets of four bytes each; returns where it is. */
static size_t start_pair(struct head *head, unsigned char first, unsigned char second) {
  const unsigned char places[] = {first, second};
  return head_fields(head, head_vtable(head, places, sizeof places, 12), 12);
}

static size_t write_data(struct head *head, const struct part *part) {
  size_t at = head_data(head, part->size);
  head_copy(head, at + 4, part->data, part->size);
  return at;
}

static void write_part(struct writer *writer, const struct part *part, size_t buffers,
                       size_t metadata) {
  struct head *head = &writer->head;
  size_t entry = start_pair(head, 4, 8), own = start_pair(head, 4, 0);
  head_lead(head, metadata + 4 + 4 * part->entry.index, entry);
  head_lead(head, buffers + 4 + 4 * part->entry.buffer, own);
  head_lead(head, entry + 4, head_text(head, part->name));
  head_put(head, entry + 8, part->entry.buffer, 4);
  head_lead(head, own + 4, write_data(head, part));
}

static void write_parts(struct writer *writer) {
  size_t fields[HEAD_ROOT_FIELDS];
  head_root(&writer->head, &writer->model->root,
            1u << TFLITE_MODEL_BUFFERS | 1u << TFLITE_MODEL_METADATA, fields);
  size_t buffers = write_list(writer, &writer->model->buffers);
  size_t metadata = write_list(writer, &writer->metadata);
  for (size_t i = writer->first_part; i < writer->part_count; i++)
    write_part(writer, &writer->parts[i], buffers, metadata);
  head_lead(&writer->head, fields[TFLITE_MODEL_BUFFERS], buffers);
  head_lead(&writer->head, fields[TFLITE_MODEL_METADATA], metadata);
}

/* A size that suffices for all parts, a multiple of the alignment of the old model's data. */
static size_t head_size(const struct writer *writer) {
  size_t size = 512 + 4 * (writer->model->buffers.count + writer->metadata.count);
  for (size_t i = writer->first_part; i < writer->part_count; i++)
    size += 128 + strlen(writer->parts[i].name) + writer->parts[i].size;
  return (size + 63) / 64 * 64;
}

/* ---------------------------------------------------------------- the whole */

static neap_status write_bytes(const struct writer *writer, FILE *stream, neap_error *error) {
  if (fwrite(writer->head.bytes, 1, writer->head.size, stream) == writer->head.size &&
      fwrite(writer->bytes, 1, old_of(writer)->size, stream) == old_of(writer)->size)
    return NEAP_OK;
  return error_system(error, "", "cannot write");
}

/* Overwrites the data in the model; false if something is new or has another length. */
static bool overwrite(struct writer *writer) {
  for (size_t i = writer->first_part; i < writer->part_count; i++)
    if (!writer->parts[i].room) return false;
  for (size_t i = writer->first_part; i < writer->part_count; i++) {
    const struct part *part = &writer->parts[i];
    memcpy(writer->bytes + part->room, part->data, part->size);
  }
  return true;
}

/* Makes the head, unless the model has the plan or an earlier one can be overwritten. */
static neap_status make_head(struct writer *writer, neap_error *error) {
  if (writer->is_done || overwrite(writer)) {
    writer->head.bytes = memory_array(0, 1);
    return writer->head.bytes ? NEAP_OK : error_memory(error);
  }
  writer->head.size = head_size(writer);
  if (old_of(writer)->size > INT32_MAX - writer->head.size)
    return error_set(error, NEAP_ERROR_FORMAT, "the model is too large for its own offsets");
  writer->head.bytes = memory_array(writer->head.size, 1);
  if (!writer->head.bytes) return error_memory(error);
  write_parts(writer);
  return tflite_model_move_data(writer->model, writer->bytes, writer->head.size, error);
}

static void put_numbers(unsigned char *at, const struct writer *writer) {
  const uint32_t head[TFLITE_PLAN_HEAD] = {TFLITE_PLAN_VERSION,
                                           (uint32_t)writer->model->subgraph_count,
                                           (uint32_t)writer->model->tensor_count};
  for (size_t i = 0; i < TFLITE_PLAN_HEAD + writer->model->tensor_count; i++) {
    uint32_t number =
        i < TFLITE_PLAN_HEAD ? head[i] : (uint32_t)writer->offsets[i - TFLITE_PLAN_HEAD];
    for (size_t b = 0; b < 4; b++)
      at[4 * i + b] = (unsigned char)(number >> (8 * b));
  }
}

/*
 * Makes the head, which is released with free().  `text` has `length` bytes about the plan's
 * kernels; 0: the kernels are unknown.
 */
static neap_status make_with(struct writer *writer, const char *text, size_t length, bool force,
                             neap_error *error) {
  const size_t size = 4 * (TFLITE_PLAN_HEAD + writer->model->tensor_count);
  unsigned char *data = memory_array(size + length, 1);
  if (!data) return error_memory(error);
  put_numbers(data, writer);
  memcpy(data + size, text, length);
  writer->parts[THE_PLAN] = (struct part){.name = TFLITE_PLAN, .data = data, .size = size};
  writer->parts[ASSUMED] =
      (struct part){.name = TFLITE_ASSUMED, .data = data + size, .size = length};
  writer->part_count = length > 0 ? PARTS : ASSUMED;
  neap_status status = open_model(writer, force, error);
  if (status == NEAP_OK) status = make_head(writer, error);
  free(data);
  return status;
}

/* Copies a model that has been checked. */
static neap_status copy_model(const neap_plan *plan, char *text, size_t size, bool replace,
                              FILE *stream, neap_error *error) {
  struct flat file = {(const unsigned char *)text, size};
  struct tflite_model model;
  int32_t *offsets = NULL;
  char assumed[TFLITE_ASSUMED_TEXT];
  neap_status status = tflite_model_open(&model, &file, error);
  if (status == NEAP_OK) status = offsets_of(plan, &model, text, &offsets, error);
  struct writer writer = {.model = &model, .bytes = (unsigned char *)text, .offsets = offsets};
  size_t length = tflite_assumed_text(plan->problem, assumed, &writer.is_default);
  if (status == NEAP_OK) status = make_with(&writer, assumed, length, replace, error);
  if (status == NEAP_OK) status = write_bytes(&writer, stream, error);
  free(writer.head.bytes);
  free(offsets);
  tflite_model_close(&model);
  return status;
}

neap_status tflite_write_bytes(const neap_plan *plan, char *text, size_t size, bool replace,
                               FILE *stream, neap_error *error) {
  const neap_operator_order *order = &plan->problem->order;
  char *copy = NULL;
  neap_status status = tflite_check(text, size, NULL, error);
  if (status == NEAP_OK && order->given)
    status = tflite_order(text, size, order, &copy, &size, error);
  if (status == NEAP_OK)
    status = copy_model(plan, copy ? copy : text, size, replace, stream, error);
  free(copy);
  return status;
}

neap_status tflite_write_offsets(char **text, size_t *size, const int32_t *offsets,
                                 neap_error *error) {
  const struct flat file = {(const unsigned char *)*text, *size};
  struct tflite_model model;
  struct writer writer = {.model = &model, .bytes = (unsigned char *)*text, .offsets = offsets};
  char *bytes = NULL;
  neap_status status = tflite_model_open(&model, &file, error);
  if (status == NEAP_OK) status = make_with(&writer, "", 0, true, error);
  if (status == NEAP_OK && !(bytes = memory_array(writer.head.size + *size, 1)))
    status = error_memory(error);
  if (status == NEAP_OK) {
    memcpy(bytes, writer.head.bytes, writer.head.size);
    memcpy(bytes + writer.head.size, *text, *size);
    free(*text);
    *text = bytes;
    *size += writer.head.size;
  }
  free(writer.head.bytes);
  tflite_model_close(&model);
  return status;
}

neap_status tflite_write(const neap_plan *plan, const neap_writing *writing, FILE *stream,
                         neap_error *error) {
  char *text;
  size_t size;
  if (!writing->model)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "expected the model to copy into a .tflite file, found none");
  neap_status status =
      unsupported_refuse(plan->problem, SUPPORTED_OFFSETS, "a TensorFlow Lite model", error);
  if (status != NEAP_OK) return status;
  status = c_array_read(writing->model, writing->reading, &text, &size, error);
  if (status == NEAP_OK) {
    status = tflite_write_bytes(plan, text, size, writing->replace, stream, error);
    free(text);
  }
  return error_in_file(error, status, writing->model);
}
