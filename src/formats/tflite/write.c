/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model with a plan in it.
 *
 * Offsets in a FlatBuffer lead forwards only and are relative, so the model stays as it is, byte for
 * byte, after a new head: a root table and the lists that change, which lead into the old bytes.
 *
 *     root offset, TFL3, root's vtable, root, metadata, buffers, the plan's name, entry and data
 */
#include "formats/tflite/write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/input.h"
#include "core/memory.h"
#include "core/text.h"
#include "formats/tflite/plan.h"
#include "formats/tflite/schema.h"
#include "formats/tflite/tflite.h"
#include "neap/neap-io.h"
#include "plan/plan.h"

#define ROOT_FIELDS 8

struct writer {
  struct flat old;
  unsigned char *bytes; /* the same bytes, writable */
  struct flat_table model;
  struct flat_vector buffers, metadata;
  const struct neap_plan *plan;
  const neap_graph *graph;
  unsigned char *head;
  size_t size, used;
  size_t entry;  /* of the metadata that has a plan already, or TFLITE_NONE */
  size_t buffer; /* of the plan's data */
};

/* ---------------------------------------------------------------- the head */

static void put_number(struct writer *writer, size_t at, uint64_t number, size_t width) {
  for (size_t i = 0; i < width; i++)
    writer->head[at + i] = (unsigned char)(number >> (8 * i));
}

/* Takes the next bytes of the head, aligned so. */
static size_t take(struct writer *writer, size_t size, size_t alignment) {
  size_t at = (writer->used + alignment - 1) / alignment * alignment;
  writer->used = at + size;
  return at;
}

/* Write an offset at `at` that leads to `to`, or to a place in the old model after the head. */
static void lead(struct writer *writer, size_t at, size_t to) {
  put_number(writer, at, to - at, 4);
}

static void lead_old(struct writer *writer, size_t at, size_t to) {
  lead(writer, at, writer->size + to);
}

/* A table of two fields with offsets of four bytes each; returns where it is. */
static size_t start_pair(struct writer *writer, size_t first, size_t second) {
  size_t vtable = take(writer, 8, 4), table = take(writer, 12, 4);
  put_number(writer, vtable, 8, 2);
  put_number(writer, vtable + 2, 12, 2);
  put_number(writer, vtable + 4, first, 2);
  put_number(writer, vtable + 6, second, 2);
  put_number(writer, table, table - vtable, 4);
  return table;
}

/* ---------------------------------------------------------------- what goes in */

static neap_status broken(neap_error *error) {
  return error_set(error, NEAP_ERROR_INPUT,
                   "not a sound TensorFlow Lite model: a table leads out of the file");
}

static neap_status find_plan(struct writer *writer, bool force, neap_error *error) {
  struct tflite_plan plan;
  neap_status status = tflite_plan_find(&writer->model, &plan, error);
  if (status != NEAP_OK) return status;
  writer->entry = plan.entry;
  writer->buffer = plan.entry == TFLITE_NONE ? writer->buffers.count : plan.buffer;
  if (plan.entry == TFLITE_NONE) return NEAP_OK;
  if (!force)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "the model has a plan already; --force replaces it");
  return plan.buffer < writer->buffers.count ? NEAP_OK : broken(error);
}

/* Data after the FlatBuffer is addressed by its position in the file, which is about to change. */
static neap_status check_buffers(const struct writer *writer, neap_error *error) {
  for (size_t b = 0; b < writer->buffers.count; b++) {
    struct flat_table buffer;
    uint64_t offset;
    if (!flat_element(&writer->buffers, b, &buffer) ||
        !flat_unsigned(&buffer, TFLITE_BUFFER_OFFSET, 8, 0, &offset))
      return broken(error);
    if (offset > 1)
      return error_set(error, NEAP_ERROR_FORMAT,
                       "buffer %zu is after the model's tables, where neap cannot keep it", b);
  }
  return NEAP_OK;
}

static neap_status open_model(struct writer *writer, bool force, neap_error *error) {
  if (!flat_root(&writer->old, &writer->model) ||
      !flat_vector(&writer->model, TFLITE_MODEL_BUFFERS, 4, &writer->buffers) ||
      !flat_vector(&writer->model, TFLITE_MODEL_METADATA, 4, &writer->metadata))
    return broken(error);
  if (writer->model.field_count > ROOT_FIELDS)
    return error_set(error, NEAP_ERROR_FORMAT, "the model is of a later kind, with more parts");
  neap_status status = find_plan(writer, force, error);
  return status == NEAP_OK ? check_buffers(writer, error) : status;
}

/* The offset of a tensor; -1 where it is left to the runtime. */
static neap_status offset_of(const struct writer *writer, size_t tensor, int32_t *offset,
                             neap_error *error) {
  const char *name = names_text(&writer->graph->names, tensor);
  const struct neap_plan *plan = writer->plan;
  char excerpt[TEXT_EXCERPT];
  size_t buffer;
  *offset = -1;
  if (!neap_problem_find(plan->problem, name, &buffer) ||
      writer->graph->tensors[tensor].kind != NEAP_TENSOR_ACTIVATION)
    return NEAP_OK;
  text_excerpt(excerpt, name, strlen(name));
  if (plan->problem->buffers[buffer].size != writer->graph->tensors[tensor].bytes)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "tensor %s has %" PRId64 " bytes, in the plan %" PRId64, excerpt,
                     writer->graph->tensors[tensor].bytes, plan->problem->buffers[buffer].size);
  if (plan->offsets[buffer] % TFLITE_ALIGNMENT != 0)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "tensor %s lies at offset %" PRId64 ", which is not a multiple of %d; "
                     "plan with --align %d",
                     excerpt, plan->offsets[buffer], TFLITE_ALIGNMENT, TFLITE_ALIGNMENT);
  if (plan_end(plan, buffer) > INT32_MAX)
    return error_set(error, NEAP_ERROR_FORMAT,
                     "tensor %s ends above %d, which the model cannot say", excerpt, INT32_MAX);
  *offset = (int32_t)plan->offsets[buffer];
  return NEAP_OK;
}

/* ---------------------------------------------------------------- the order */

/*
 * Puts the operators into the plan's order, in the old bytes: only their list changes, whose
 * offsets lead forwards, to tables; writers put all of these after it.
 */
static neap_status permute(struct writer *writer, const struct flat_vector *list,
                           const size_t *given, size_t *tables, neap_error *error) {
  for (size_t k = 0; k < list->count; k++)
    if (!flat_follow(&writer->old, list->at + 4 * k, &tables[k])) return broken(error);
  for (size_t k = 0; k < list->count; k++) {
    size_t at = list->at + 4 * k;
    if (tables[given[k]] <= at)
      return error_set(error, NEAP_ERROR_FORMAT,
                       "operator %zu lies before the list of operators, so that its order "
                       "cannot be changed",
                       given[k]);
    for (size_t i = 0; i < 4; i++)
      writer->bytes[at + i] = (unsigned char)((tables[given[k]] - at) >> (8 * i));
  }
  return NEAP_OK;
}

static neap_status order_operators(struct writer *writer, neap_error *error) {
  size_t count;
  const size_t *given = neap_problem_schedule(writer->plan->problem, &count);
  struct flat_vector list;
  if (!given) return NEAP_OK;
  neap_status status = tflite_find_operators(&writer->old, &list, error);
  if (status != NEAP_OK) return status;
  if (list.count != count)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "the model has %zu operators, in the plan they are %zu", list.count,
                     count);
  size_t *tables = memory_array(count, sizeof *tables);
  if (!tables) return error_memory(error);
  status = permute(writer, &list, given, tables, error);
  free(tables);
  return status;
}

/* ---------------------------------------------------------------- the parts */

/* A list of `count` tables, the first of them those of an old one; returns where it is. */
static size_t write_list(struct writer *writer, const struct flat_vector *old, size_t count) {
  size_t list = take(writer, 4 + 4 * count, 4);
  put_number(writer, list, count, 4);
  for (size_t i = 0; i < old->count; i++) {
    size_t to;
    flat_follow(&writer->old, old->at + 4 * i, &to);
    lead_old(writer, list + 4 + 4 * i, to);
  }
  return list;
}

/* The buffers as they were, and one with the plan, led to below. */
static size_t write_buffers(struct writer *writer) {
  return write_list(writer, &writer->buffers,
                    writer->buffers.count + (writer->buffer == writer->buffers.count));
}

static size_t write_metadata(struct writer *writer) {
  return write_list(writer, &writer->metadata,
                    writer->metadata.count + (writer->entry == TFLITE_NONE));
}

static size_t write_name(struct writer *writer) {
  size_t length = strlen(TFLITE_PLAN), at = take(writer, 4 + length + 1, 4);
  put_number(writer, at, length, 4);
  memcpy(writer->head + at + 4, TFLITE_PLAN, length + 1);
  return at;
}

static neap_status write_offsets(struct writer *writer, size_t *data, neap_error *error) {
  size_t count = graph_tensor_count(writer->graph);
  *data = take(writer, 12, TFLITE_ALIGNMENT) +
          12; /* the elements are to be aligned, not their count */
  writer->used = *data + 4;
  size_t at = take(writer, 12 + 4 * count, 4);
  put_number(writer, *data, 12 + 4 * count, 4);
  put_number(writer, at, TFLITE_PLAN_VERSION, 4);
  put_number(writer, at + 4, 0, 4);
  put_number(writer, at + 8, count, 4);
  neap_status status = NEAP_OK;
  for (size_t t = 0; t < count && status == NEAP_OK; t++) {
    int32_t offset;
    status = offset_of(writer, t, &offset, error);
    if (status == NEAP_OK) put_number(writer, at + 12 + 4 * t, (uint32_t)offset, 4);
  }
  return status;
}

/* The root: numbers as they were, offsets to the old model, but for the two lists. */
static void write_root(struct writer *writer, size_t vtable, size_t root, size_t buffers,
                       size_t metadata) {
  put_number(writer, vtable, 4 + 2 * ROOT_FIELDS, 2);
  put_number(writer, vtable + 2, 4 + 4 * ROOT_FIELDS, 2);
  put_number(writer, root, root - vtable, 4);
  for (size_t field = 0; field < ROOT_FIELDS; field++) {
    size_t at, to, own = 4 + 4 * field;
    bool changed = field == TFLITE_MODEL_BUFFERS || field == TFLITE_MODEL_METADATA;
    if (!flat_field(&writer->model, field, 4, &at) || (!at && !changed)) continue;
    put_number(writer, vtable + 4 + 2 * field, own, 2);
    if (field == 0)
      put_number(writer, root + own, flat_get32(&writer->old, at), 4); /* the version */
    else if (changed)
      lead(writer, root + own, field == TFLITE_MODEL_BUFFERS ? buffers : metadata);
    else if (flat_follow(&writer->old, at, &to)) lead_old(writer, root + own, to);
    else put_number(writer, vtable + 4 + 2 * field, 0, 2);
  }
}

static neap_status write_parts(struct writer *writer, neap_error *error) {
  writer->used = 8;
  memcpy(writer->head + 4, "TFL3", 4);
  size_t vtable = take(writer, 4 + 2 * ROOT_FIELDS, 4);
  size_t root = take(writer, 4 + 4 * ROOT_FIELDS, 4);
  lead(writer, 0, root);
  size_t buffers = write_buffers(writer), metadata = write_metadata(writer);
  size_t entry_at = writer->entry == TFLITE_NONE ? writer->metadata.count : writer->entry;
  size_t entry = start_pair(writer, 4, 8), own = start_pair(writer, 4, 0);
  lead(writer, metadata + 4 + 4 * entry_at, entry);
  lead(writer, buffers + 4 + 4 * writer->buffer, own);
  lead(writer, entry + 4, write_name(writer));
  put_number(writer, entry + 8, writer->buffer, 4);
  size_t data;
  neap_status status = write_offsets(writer, &data, error);
  lead(writer, own + 4, data);
  write_root(writer, vtable, root, buffers, metadata);
  return status;
}

/* More than all parts take, a multiple of the alignment of the old model's data. */
static size_t head_size(const struct writer *writer) {
  size_t lists = writer->buffers.count + writer->metadata.count + 2;
  size_t size = 512 + 4 * lists + 4 * graph_tensor_count(writer->graph);
  return (size + 63) / 64 * 64;
}

/* ---------------------------------------------------------------- the whole */

static neap_status write_bytes(const struct writer *writer, FILE *stream, neap_error *error) {
  if (fwrite(writer->head, 1, writer->size, stream) == writer->size &&
      fwrite(writer->old.bytes, 1, writer->old.size, stream) == writer->old.size)
    return NEAP_OK;
  return error_system(error, "", "cannot write");
}

static neap_status write_model(struct writer *writer, bool force, FILE *stream,
                               neap_error *error) {
  neap_status status = open_model(writer, force, error);
  if (status != NEAP_OK) return status;
  writer->size = head_size(writer);
  if (writer->old.size > INT32_MAX - writer->size)
    return error_set(error, NEAP_ERROR_FORMAT, "the model is too large for its own offsets");
  writer->head = memory_array(writer->size, 1);
  if (!writer->head) return error_memory(error);
  status = write_parts(writer, error);
  if (status == NEAP_OK) status = order_operators(writer, error);
  if (status == NEAP_OK) status = write_bytes(writer, stream, error);
  free(writer->head);
  return status;
}

static neap_status write_copy(const neap_plan *plan, const neap_writing *writing, char *text,
                              size_t size, FILE *stream, neap_error *error) {
  static const neap_reading plain;
  struct writer writer = {
      .old = {(const unsigned char *)text, size}, .bytes = (unsigned char *)text, .plan = plan};
  neap_graph *graph;
  neap_status status = tflite_read(text, size, &plain, &graph, error);
  if (status != NEAP_OK) return status;
  writer.graph = graph;
  status = write_model(&writer, writing->replace, stream, error);
  neap_graph_free(graph);
  return status;
}

neap_status tflite_write(const neap_plan *plan, const neap_writing *writing, FILE *stream,
                         neap_error *error) {
  char *text;
  size_t size;
  if (!writing->model)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "expected the model to copy into a .tflite file, found none");
  neap_status status = input_read(writing->model, &text, &size, error);
  if (status == NEAP_OK) {
    status = write_copy(plan, writing, text, size, stream, error);
    free(text);
  }
  return error_in_file(error, status, writing->model);
}
