/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TensorFlow Lite Micro declares BufferPlan with an array of one entry as its last member, but
 * reads as many entries as the count says.  C++ cannot initialise such an object, so the header
 * defines a struct of the same layout with all entries.
 *
 * The runtime requests no memory for tensors of 0 bytes, nor for variables, which it keeps
 * elsewhere.  With a hash of the sizes, examples/tflm/neap_planner.h detects on the target whether
 * the kernels there make other requests than planned.
 */
#include "models/tflm/buffer_plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/output.h"
#include "core/text.h"
#include "files/c_source.h"
#include "files/text_builder.h"
#include "files/unsupported.h"
#include "model/operators.h"
#include "models/tflite/plan.h"
#include "plan/plan.h"

struct writer {
  const struct neap_plan *plan;
  const char *prefix;
  struct row row;
  FILE *stream;
};

/* ---------------------------------------------------------------- requests */

static bool is_requested(const struct neap_problem *problem, size_t buffer) {
  const struct operators *operators = problem->operators;
  bool has_roles = operators && operators->buffer_count == problem->count;
  return problem->buffers[buffer].size > 0 &&
         !(has_roles && operators->roles[buffer] & OPERATORS_VARIABLE);
}

/* The bytes that the runtime requests; no overflow, because the plan ends below INT32_MAX. */
static neap_size rounded_size(const struct neap_problem *problem, size_t buffer) {
  return round_up(problem->buffers[buffer].size, TFLITE_ALIGNMENT);
}

/* The hash of the requests: FNV-1a, but over 32-bit numbers instead of bytes. */
static uint32_t hash_requests(const struct neap_problem *problem, size_t *count) {
  uint32_t hash = 2166136261u;
  *count = 0;
  for (size_t i = 0; i < problem->count; i++) {
    if (!is_requested(problem, i)) continue;
    hash = (hash ^ (uint32_t)rounded_size(problem, i)) * 16777619u;
    ++*count;
  }
  return hash;
}

static neap_status check_buffer(const struct neap_plan *plan, size_t buffer,
                                neap_error *error) {
  const char *name = problem_name(plan->problem, buffer);
  char excerpt[TEXT_EXCERPT];
  text_excerpt(excerpt, name, strlen(name));
  if (plan->offsets[buffer] % TFLITE_ALIGNMENT != 0)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "buffer %s is at offset %" PRId64 ", which is not a multiple of %d; "
                     "plan with neap_problem_align %d",
                     excerpt, plan->offsets[buffer], TFLITE_ALIGNMENT, TFLITE_ALIGNMENT);
  if (plan_end(plan, buffer) > INT32_MAX - TFLITE_ALIGNMENT)
    return error_set(error, NEAP_ERROR_FORMAT,
                     "buffer %s ends at %" PRId64 ", too high for TensorFlow Lite Micro",
                     excerpt, plan_end(plan, buffer));
  return NEAP_OK;
}

/* Reordered operators would request memory in another order. */
static neap_status check_order(const struct neap_problem *problem, neap_error *error) {
  const neap_operator_order *order = &problem->order;
  for (size_t k = 0; order->given && k < order->count; k++)
    if (order->given[k] != k)
      return error_set(error, NEAP_ERROR_FORMAT,
                       "a buffer plan needs the model's own order of operators; write the "
                       "model with neap_writing.model and plan the copy without "
                       "neap_scheduling.schedule");
  return NEAP_OK;
}

/* Without all requests, the plan fails on the target, and the head is too small. */
static neap_status check_scratch(const struct neap_problem *problem, neap_error *error) {
  const char *first = neap_problem_unknown_scratch(problem, 0);
  size_t count = problem->unknown_scratch.count;
  char others[32] = "";
  if (!first) return NEAP_OK;
  if (count > 1) snprintf(others, sizeof others, " and %zu more", count - 1);
  return error_set(
      error, NEAP_ERROR_ARGUMENT,
      "operator %s%s may request scratch buffers, which the buffer plan lacks; "
      "record the requests (examples/tflm) and pass them with "
      "neap_reading.model.scratch, or use neap_writing.replace if the kernels request none",
      first, others);
}

static neap_status check_buffers(const struct neap_plan *plan, bool force, neap_error *error) {
  neap_status status =
      unsupported_refuse(plan->problem, SUPPORTED_OFFSETS, "a buffer plan", error);
  if (status == NEAP_OK && !force) status = check_scratch(plan->problem, error);
  if (status == NEAP_OK) status = check_order(plan->problem, error);
  for (size_t i = 0; i < plan->problem->count && status == NEAP_OK; i++)
    status = check_buffer(plan, i, error);
  return status;
}

/* ---------------------------------------------------------------- lines */

static void append_parts(struct row *row, const char *const *parts, size_t count) {
  for (size_t i = 0; i < count; i++)
    row_string(row, parts[i]);
}

#define APPEND(row, ...)                                \
  append_parts(row, (const char *const[]){__VA_ARGS__}, \
               sizeof (const char *const[]){__VA_ARGS__} / sizeof(const char *))

static void append_constant(struct writer *writer, const char *type, const char *name,
                            int64_t value, const char *comment) {
  struct row *row = &writer->row;
  APPEND(row, "constexpr ", type, " ", writer->prefix, name, " = ");
  row_number(row, value);
  APPEND(row, ";  // ", comment, "\n");
}

/* Appends a name to a comment, with only characters that cannot end or continue the comment. */
static void append_name(struct row *row, const char *name) {
  for (; *name; name++) {
    bool is_plain = *name >= ' ' && *name <= '~' && *name != '\\' && *name != '?';
    row_char(row, is_plain ? *name : '_');
  }
}

static neap_status write_entry(struct writer *writer, size_t buffer, neap_error *error) {
  struct row *row = &writer->row;
  row_string(row, "    {");
  row_number(row, writer->plan->offsets[buffer]);
  row_string(row, "},  // ");
  row_number(row, rounded_size(writer->plan->problem, buffer));
  row_string(row, " bytes, ");
  append_name(row, problem_name(writer->plan->problem, buffer));
  row_char(row, '\n');
  return row_write(row, writer->stream, error);
}

/* Appends a warning: the runtime cannot tell whether its kernels are those of the plan. */
static void append_warning(struct writer *writer) {
  if (writer->plan->report.costs.overlapped_bytes == 0) return;
  APPEND(&writer->row,
         "// Outputs overlap inputs: use it only with the kernels that it was planned for.\n");
}

static void append_head(struct writer *writer) {
  const char *prefix = writer->prefix;
  size_t count;
  uint32_t hash = hash_requests(writer->plan->problem, &count);
  APPEND(
      &writer->row,
      "// Offsets in the arena of TensorFlow Lite Micro, planned by neap " NEAP_VERSION_STRING
      ", in the order in which\n// the runtime requests memory.\n");
  append_warning(writer);
  APPEND(&writer->row, "// " OUTPUT_NOTICE "\n#ifndef ", prefix, "_BUFFER_PLAN_H\n#define ",
         prefix,
         "_BUFFER_PLAN_H\n\n#include <stddef.h>\n#include <stdint.h>\n\n"
         "#include \"tensorflow/lite/micro/memory_planner/memory_plan_struct.h\"\n\n");
  append_constant(writer, "size_t", "_head_size",
                  round_up(writer->plan->report.peak, TFLITE_ALIGNMENT),
                  "bytes that the buffers take; what the interpreter keeps comes on top");
  append_constant(writer, "int32_t", "_request_count", (int64_t)count, "calls of AddBuffer");
  append_constant(writer, "uint32_t", "_request_hash", hash, "of their sizes");
  APPEND(
      &writer->row,
      "\n// A tflite::BufferPlan, which declares only one of its entries, with all of them.\n"
      "static const struct {\n  int32_t buffer_count;\n"
      "  tflite::BufferDescriptor buffer_plan_entries[",
      prefix, "_request_count + (", prefix, "_request_count == 0)];\n} ", prefix,
      "_buffer_plan_data = {", prefix, "_request_count, {\n");
}

static void append_tail(struct writer *writer) {
  const char *prefix = writer->prefix;
  APPEND(&writer->row, "}};\nstatic_assert(sizeof ", prefix,
         "_buffer_plan_data == tflite::SizeOfBufferPlan(", prefix,
         "_request_count),\n              \"BufferPlan has another layout\");\n\n"
         "inline const tflite::BufferPlan *",
         prefix, "_buffer_plan() {\n  return reinterpret_cast<const tflite::BufferPlan *>(&",
         prefix, "_buffer_plan_data);\n}\n\n#endif\n");
}

/* ---------------------------------------------------------------- the whole */

static neap_status write_all(struct writer *writer, neap_error *error) {
  const struct neap_problem *problem = writer->plan->problem;
  neap_status status = NEAP_OK;
  append_head(writer);
  for (size_t i = 0; i < problem->count && status == NEAP_OK; i++)
    if (is_requested(problem, i)) status = write_entry(writer, i, error);
  append_tail(writer);
  return status == NEAP_OK ? row_write(&writer->row, writer->stream, error) : status;
}

neap_status buffer_plan_write(const neap_plan *plan, const neap_writing *writing, FILE *stream,
                              neap_error *error) {
  struct writer writer = {.plan = plan, .stream = stream};
  neap_status status = c_source_prefix(writing, &writer.prefix, error);
  if (status == NEAP_OK) status = check_buffers(plan, writing && writing->replace, error);
  if (status == NEAP_OK) status = write_all(&writer, error);
  row_clear(&writer.row);
  return status;
}
