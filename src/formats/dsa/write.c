/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes problems and solutions.  A problem that was read from a document and has not changed since
 * is written as that document.  If it has changed, what the problem does not hold still comes from
 * there: ids, names, metadata and provenance.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "formats/dsa/dsa.h"
#include "formats/dsa/note.h"
#include "formats/dsa/printer.h"
#include "formats/dsa/profile.h"
#include "plan/plan.h"

struct writer {
  const struct neap_problem *problem;
  struct printer printer;
  json_t *given; /* the document that the problem was read from, or NULL */
  json_t *given_pools, *given_buffers;
};

/* Where a document has more or fewer buffers or pools, its problem is another one. */
static neap_status writer_open(struct writer *writer, const struct neap_problem *problem,
                               FILE *stream, neap_error *error) {
  const struct problem_note *note = note_of(problem);
  *writer = (struct writer){.problem = problem, .printer = {.stream = stream}};
  if (!note) return NEAP_OK;
  neap_status status = note_parse(note, &writer->given, error);
  json_t *body = json_object_get(writer->given, "problem");
  size_t pools = problem_pool_count(problem);
  writer->given_pools = json_object_get(body, "pools");
  writer->given_buffers = json_object_get(body, "buffers");
  if (status == NEAP_OK && json_array_size(writer->given_buffers) == problem->count &&
      json_array_size(writer->given_pools) == (pools > 0 ? pools : 1))
    return NEAP_OK;
  json_decref(writer->given);
  writer->given = writer->given_pools = writer->given_buffers = NULL;
  return status;
}

static void writer_close(struct writer *writer) {
  json_decref(writer->given);
  printer_clear(&writer->printer);
}

/* ---------------------------------------------------------------- ids and names */

static int64_t id_of(const json_t *given, size_t index) {
  const json_t *id = json_object_get(json_array_get(given, index), "id");
  return id ? json_integer_value(id) : (int64_t)index;
}

/* The name in the document, or if there is none, in the problem. */
static const char *name_of(const json_t *given, size_t index, const char *name) {
  const char *text = json_string_value(json_object_get(json_array_get(given, index), "name"));
  return text ? text : name;
}

/* ---------------------------------------------------------------- buffers */

static void print_pools_of(struct writer *writer, const neap_buffer *buffer) {
  size_t all = problem_pool_count(writer->problem);
  size_t count = buffer->pools ? buffer->pool_count : all > 0 ? all : 1;
  printer_open(&writer->printer, "allowed_pools", '[');
  for (size_t i = 0; i < count; i++)
    printer_number(&writer->printer, NULL,
                   id_of(writer->given_pools, buffer->pools ? buffer->pools[i] : i));
  printer_close(&writer->printer, ']');
}

static void print_lifetime(struct printer *printer, const neap_buffer *buffer) {
  printer_open(printer, "live_intervals", '[');
  for (size_t i = 0; i < buffer->range_count; i++) {
    printer_open(printer, NULL, '{');
    printer_number(printer, "lower", buffer->ranges[i].start);
    printer_number(printer, "upper", buffer->ranges[i].end);
    printer_close(printer, '}');
  }
  printer_close(printer, ']');
}

static neap_status print_buffers(struct writer *writer, neap_error *error) {
  struct printer *printer = &writer->printer;
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  neap_status status = NEAP_OK;
  printer_open(printer, "buffers", '[');
  for (size_t i = 0; status == NEAP_OK && neap_problem_buffer_at(writer->problem, i, &buffer);
       i++) {
    printer_open(printer, NULL, '{');
    printer_number(printer, "alignment", buffer.alignment);
    print_pools_of(writer, &buffer);
    printer_number(printer, "id", id_of(writer->given_buffers, i));
    print_lifetime(printer, &buffer);
    printer_string(printer, "name", name_of(writer->given_buffers, i, buffer.name));
    printer_number(printer, "size", buffer.size);
    printer_close(printer, '}');
    status = printer_flush(printer, error);
  }
  printer_close(printer, ']');
  return status;
}

/* ---------------------------------------------------------------- constraints */

/* A reason that the schema does not know becomes "generic", the first of its list. */
static const char *known_reason(const char *reason, size_t length, const char *const *known) {
  for (size_t i = 0; known[i]; i++)
    if (strlen(known[i]) == length && memcmp(known[i], reason, length) == 0) return known[i];
  return known[0];
}

/* Prints each reason in a text once; they are separated by ", ". */
static void print_reasons(struct printer *printer, const char *text) {
  const char *printed[8];
  size_t count = 0, i;
  if (!text) return;
  printer_open(printer, "reasons", '[');
  while (text && count < sizeof printed / sizeof *printed) {
    const char *comma = strstr(text, ", ");
    const char *reason =
        known_reason(text, comma ? (size_t)(comma - text) : strlen(text), separation_reasons);
    for (i = 0; i < count && printed[i] != reason; i++) {
    }
    if (i == count) printer_string(printer, NULL, printed[count++] = reason);
    text = comma ? comma + 2 : NULL;
  }
  printer_close(printer, ']');
}

static void print_relation(struct writer *writer, const neap_relation *relation) {
  struct printer *printer = &writer->printer;
  const char *reason = relation->reason ? relation->reason : "";
  bool is_penalty = relation->kind == NEAP_REUSE_PENALTY;
  printer_open(printer, NULL, '{');
  if (is_penalty) printer_number(printer, "cost", relation->bytes);
  printer_number(printer, "first", id_of(writer->given_buffers, relation->first));
  if (is_penalty)
    printer_string(printer, "reason", known_reason(reason, strlen(reason), penalty_reasons));
  if (relation->kind == NEAP_SEPARATION) print_reasons(printer, relation->reason);
  printer_number(printer, "second", id_of(writer->given_buffers, relation->second));
  printer_close(printer, '}');
}

static neap_status print_relations(struct writer *writer, const char *key,
                                   neap_relation_kind kind, neap_error *error) {
  neap_relation relation = NEAP_INIT(neap_relation);
  neap_status status = NEAP_OK;
  printer_open(&writer->printer, key, '[');
  for (size_t i = 0;
       status == NEAP_OK && neap_problem_relation_at(writer->problem, i, &relation); i++) {
    if (relation.kind != kind) continue;
    print_relation(writer, &relation);
    status = printer_flush(&writer->printer, error);
  }
  printer_close(&writer->printer, ']');
  return status;
}

static void print_pins(struct writer *writer) {
  struct printer *printer = &writer->printer;
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  printer_open(printer, "pinned_allocations", '[');
  for (size_t i = 0; neap_problem_buffer_at(writer->problem, i, &buffer); i++) {
    if (buffer.fixed_offset == NEAP_UNPLACED) continue;
    printer_open(printer, NULL, '{');
    printer_number(printer, "buffer", id_of(writer->given_buffers, i));
    printer_word(printer, "exclusive_for_all_time", "false");
    printer_number(printer, "offset", buffer.fixed_offset);
    printer_number(printer, "pool",
                   id_of(writer->given_pools, buffer.pools ? buffer.pools[0] : 0));
    printer_close(printer, '}');
  }
  printer_close(printer, ']');
}

static neap_status print_constraints(struct writer *writer, neap_error *error) {
  printer_open(&writer->printer, "constraints", '{');
  neap_status status = print_relations(writer, "colocations", NEAP_COLOCATION, error);
  print_pins(writer);
  if (status == NEAP_OK)
    status = print_relations(writer, "separations", NEAP_SEPARATION, error);
  if (status == NEAP_OK)
    status = print_relations(writer, "temporal_exclusions", NEAP_EXCLUSION, error);
  printer_close(&writer->printer, '}');
  return status;
}

/* ---------------------------------------------------------------- pools and costs */

static neap_status print_costs(struct writer *writer, enum profile profile, neap_error *error) {
  bool has_any = problem_has(writer->problem, NEAP_REUSE_PENALTY) || profile == PROFILE_REUSE;
  const json_t *body = json_object_get(writer->given, "problem");
  if (!has_any && !json_object_get(body, "cost_model")) return NEAP_OK;
  printer_open(&writer->printer, "cost_model", '{');
  neap_status status = print_relations(writer, "reuse_penalties", NEAP_REUSE_PENALTY, error);
  printer_close(&writer->printer, '}');
  return status;
}

static void print_objective(struct printer *printer, const enum metric *metrics, size_t count) {
  printer_open(printer, "objective", '{');
  printer_string(printer, "aggregation", "lexicographic");
  printer_open(printer, "terms", '[');
  for (size_t i = 0; i < count; i++)
    printer_string(printer, NULL, metric_names[metrics[i]]);
  printer_close(printer, ']');
  printer_close(printer, '}');
}

static void print_reserved(struct writer *writer, size_t pool) {
  struct printer *printer = &writer->printer;
  neap_reserved reserved = NEAP_INIT(neap_reserved);
  printer_open(printer, "reserved_ranges", '[');
  for (size_t i = 0; neap_problem_reserved_at(writer->problem, i, &reserved); i++) {
    if (reserved.pool != pool) continue;
    printer_open(printer, NULL, '{');
    printer_number(printer, "begin", reserved.low);
    printer_number(printer, "end", reserved.high);
    printer_close(printer, '}');
  }
  printer_close(printer, ']');
}

static void print_pool(struct writer *writer, size_t index, const neap_pool *pool) {
  struct printer *printer = &writer->printer;
  const json_t *given = json_array_get(writer->given_pools, index);
  printer_open(printer, NULL, '{');
  printer_value(printer, "bank_geometry", json_object_get(given, "bank_geometry"));
  if (pool->capacity < 0) printer_word(printer, "capacity", "null");
  else printer_number(printer, "capacity", pool->capacity);
  printer_number(printer, "id", id_of(writer->given_pools, index));
  printer_string(printer, "name", name_of(writer->given_pools, index, pool->name));
  print_reserved(writer, index);
  printer_close(printer, '}');
}

static void print_pools(struct writer *writer) {
  neap_pool pool = NEAP_POOL_INIT;
  pool.name = "default";
  printer_open(&writer->printer, "pools", '[');
  if (problem_pool_count(writer->problem) == 0) print_pool(writer, 0, &pool);
  for (size_t i = 0; neap_problem_pool_at(writer->problem, i, &pool); i++)
    print_pool(writer, i, &pool);
  printer_close(&writer->printer, ']');
}

/* ---------------------------------------------------------------- the envelope */

/* What a document says besides its problem. */
struct envelope {
  enum profile profile;
  enum metric metrics[METRIC_COUNT];
  size_t metric_count;
};

static struct envelope envelope_of(const struct writer *writer) {
  struct envelope envelope = {.profile = profile_of(writer->problem)};
  envelope.metric_count = profile_terms(writer->problem, envelope.profile, envelope.metrics);
  return envelope;
}

static const char *instance_of(const json_t *given) {
  const char *instance = json_string_value(json_object_get(given, "instance"));
  return instance ? instance : "neap";
}

/* Without a document there is at most one entry of metadata. */
static void print_metadata(struct writer *writer, const struct envelope *envelope) {
  struct printer *printer = &writer->printer;
  neap_term order[NEAP_TERM_COUNT], read[NEAP_TERM_COUNT];
  const json_t *given = json_object_get(writer->given, "metadata");
  if (given) {
    printer_value(printer, "metadata", given);
    return;
  }
  neap_problem_objective(writer->problem, order);
  profile_order(envelope->metrics, envelope->metric_count, profile_has_choices(writer->problem),
                read);
  printer_open(printer, "metadata", '{');
  if (memcmp(order, read, sizeof order) != 0) {
    char text[128];
    snprintf(text, sizeof text, "%s %s %s %s", neap_term_name(order[0]),
             neap_term_name(order[1]), neap_term_name(order[2]), neap_term_name(order[3]));
    printer_string(printer, NOTE_OBJECTIVE, text);
  }
  printer_close(printer, '}');
}

static neap_status print_problem(struct writer *writer, const struct envelope *envelope,
                                 neap_error *error) {
  struct printer *printer = &writer->printer;
  const json_t *body = json_object_get(writer->given, "problem");
  printer_open(printer, "problem", '{');
  neap_status status = print_buffers(writer, error);
  if (status == NEAP_OK) status = print_constraints(writer, error);
  if (status == NEAP_OK) status = print_costs(writer, envelope->profile, error);
  print_objective(printer, envelope->metrics, envelope->metric_count);
  print_pools(writer);
  printer_value(printer, "pypto_structure", json_object_get(body, "pypto_structure"));
  printer_close(printer, '}');
  return status;
}

static void print_profile(struct printer *printer, const json_t *given, enum profile profile) {
  const char *name = json_string_value(json_object_get(given, "profile"));
  printer_string(printer, "profile", name ? name : profile_names[profile]);
}

static neap_status print_document(struct writer *writer, neap_error *error) {
  struct printer *printer = &writer->printer;
  const struct envelope envelope = envelope_of(writer);
  printer_open(printer, NULL, '{');
  printer_string(printer, "instance", instance_of(writer->given));
  print_metadata(writer, &envelope);
  neap_status status = print_problem(writer, &envelope, error);
  print_profile(printer, writer->given, envelope.profile);
  printer_value(printer, "relaxed_features",
                json_object_get(writer->given, "relaxed_features"));
  printer_value(printer, "relaxed_from", json_object_get(writer->given, "relaxed_from"));
  printer_number(printer, "schema_version", 1);
  printer_close(printer, '}');
  return status == NEAP_OK ? printer_finish(printer, error) : status;
}

/* ---------------------------------------------------------------- problems */

/* Writes a document, or nothing if `stream` is NULL, and computes its fingerprint. */
static neap_status write_document(const struct neap_problem *problem, FILE *stream,
                                  char fingerprint[PRINTER_FINGERPRINT], neap_error *error) {
  struct writer writer;
  neap_status status = profile_check(problem, error);
  if (status != NEAP_OK) return status;
  status = writer_open(&writer, problem, stream, error);
  if (status == NEAP_OK) status = print_document(&writer, error);
  if (status == NEAP_OK) printer_fingerprint(&writer.printer, fingerprint);
  writer_close(&writer);
  return status;
}

/* Whether a problem is still what its document says: whether that, read again, is written alike. */
static neap_status is_unchanged(const struct neap_problem *problem,
                                const struct problem_note *note, bool *unchanged,
                                neap_error *error) {
  static const neap_reading plain = NEAP_INIT(neap_reading);
  char before[PRINTER_FINGERPRINT], now[PRINTER_FINGERPRINT];
  neap_problem *again;
  char *text = memory_text((const char *)note->bytes, note->size);
  if (!text) return error_memory(error);
  neap_status status = dsa_problem_read(text, note->size, &plain, &again, error);
  free(text);
  if (status != NEAP_OK) return status;
  status = write_document(again, NULL, before, error);
  if (status == NEAP_OK) status = write_document(problem, NULL, now, error);
  neap_problem_free(again);
  *unchanged = status == NEAP_OK && strcmp(before, now) == 0;
  return status;
}

static neap_status check_hints(const struct neap_problem *problem, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  for (size_t i = 0; problem->hints && i < problem->count; i++) {
    const char *hint = problem_hint(problem, i), *name = problem_name(problem, i);
    if (hint && hint[0])
      return error_set(error, NEAP_ERROR_FORMAT,
                       "dsa-solver's documents cannot hold the hint of buffer %s",
                       text_excerpt(excerpt, name, strlen(name)));
  }
  return NEAP_OK;
}

neap_status dsa_problem_write(const struct neap_problem *problem, FILE *stream,
                              neap_error *error) {
  const struct problem_note *note = note_of(problem);
  char fingerprint[PRINTER_FINGERPRINT];
  bool unchanged = false;
  neap_status status = check_hints(problem, error);
  if (status == NEAP_OK && note) status = is_unchanged(problem, note, &unchanged, error);
  if (status != NEAP_OK) return status;
  if (!unchanged) return write_document(problem, stream, fingerprint, error);
  bool written = fwrite(note->bytes, 1, note->size, stream) == note->size;
  return written ? NEAP_OK : error_system(error, "", "cannot write");
}

/* ---------------------------------------------------------------- solutions */

struct placement {
  int64_t id;
  size_t index;
};

static int by_id(const void *left, const void *right) {
  const struct placement *a = left, *b = right;
  return (a->id > b->id) - (a->id < b->id);
}

static neap_status print_placements(struct writer *writer, const neap_plan *plan,
                                    neap_error *error) {
  size_t count = writer->problem->count;
  struct placement *placements = memory_array(count, sizeof *placements);
  struct printer *printer = &writer->printer;
  neap_status status = placements ? NEAP_OK : error_memory(error);
  for (size_t i = 0; i < count && placements; i++)
    placements[i] = (struct placement){id_of(writer->given_buffers, i), i};
  if (count > 0 && placements) qsort(placements, count, sizeof *placements, by_id);
  printer_open(printer, "placements", '[');
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    size_t index = placements[i].index;
    printer_open(printer, NULL, '{');
    printer_number(printer, "buffer", placements[i].id);
    printer_number(printer, "offset", neap_plan_offset(plan, index));
    printer_number(printer, "pool", id_of(writer->given_pools, neap_plan_pool(plan, index)));
    printer_close(printer, '}');
    status = printer_flush(printer, error);
  }
  printer_close(printer, ']');
  free(placements);
  return status;
}

static neap_status print_solution(struct writer *writer, const neap_plan *plan,
                                  const char *fingerprint, neap_error *error) {
  struct printer *printer = &writer->printer;
  printer_open(printer, NULL, '{');
  printer_string(printer, "instance", instance_of(writer->given));
  printer_open(printer, "metadata", '{');
  printer_string(printer, "solver", "neap");
  printer_string(printer, "solver_version", neap_version());
  printer_close(printer, '}');
  neap_status status = print_placements(writer, plan, error);
  printer_string(printer, "problem_fingerprint", fingerprint);
  print_profile(printer, writer->given, envelope_of(writer).profile);
  printer_number(printer, "schema_version", 1);
  printer_close(printer, '}');
  return status == NEAP_OK ? printer_finish(printer, error) : status;
}

neap_status dsa_plan_write(const neap_plan *plan, FILE *stream, neap_error *error) {
  const struct neap_problem *problem = plan->problem;
  struct writer writer;
  char fingerprint[PRINTER_FINGERPRINT];
  neap_status status = writer_open(&writer, problem, stream, error);
  if (status == NEAP_OK && writer.given) note_fingerprint(note_of(problem), fingerprint);
  else if (status == NEAP_OK) status = write_document(problem, NULL, fingerprint, error);
  if (status == NEAP_OK) status = print_solution(&writer, plan, fingerprint, error);
  writer_close(&writer);
  return status;
}
