/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognises and reads documents: the envelope and the objective. */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "formats/dsa/dsa.h"
#include "formats/dsa/note.h"
#include "formats/dsa/profile.h"
#include "formats/dsa/reader.h"
#include "formats/examples.h"
#include "formats/json/document.h"
#include "formats/json/scan.h"

/* ---------------------------------------------------------------- recognising */

/* Whether a string at `at` is one of these. */
static bool is_one_of(const char *text, size_t size, size_t at, const char *const *names) {
  for (; *names; names++) {
    size_t length = strlen(*names);
    if (size - at > length + 1 && memcmp(text + at + 1, *names, length) == 0 &&
        text[at + 1 + length] == '"')
      return true;
  }
  return false;
}

/* Only the keys before the first telling one are read, which other documents do not have. */
bool dsa_is(const char *text, size_t size, const neap_reading *reading) {
  static const char *const telling[] = {"schema_version", "profile", "problem",
                                        "problem_fingerprint", NULL};
  static const char *const others[] = {"instance",         "metadata",   "relaxed_from",
                                       "relaxed_features", "placements", NULL};
  (void)reading;
  size_t at = scan_blank(text, size, 0);
  if (at == size || text[at] != '{') return false;
  while (at < size && text[at] != '}') {
    at = scan_blank(text, size, at + 1);
    if (at == size || text[at] != '"') return false;
    if (is_one_of(text, size, at, telling)) return true;
    if (!is_one_of(text, size, at, others)) return false;
    at = scan_element(text, size, at);
  }
  return false;
}

/* ---------------------------------------------------------------- the envelope */

static neap_status read_choice(const struct json_at *object, const char *key,
                               const char *const *names, neap_error *error) {
  struct json_at at = json_member(object, key);
  size_t index;
  return reader_choice(&at, names, &index, error);
}

static neap_status check_version(const struct json_at *root, neap_error *error) {
  struct json_at at = json_member(root, "schema_version");
  int64_t version;
  neap_status status = json_read_number(&at, 0, &version, error);
  if (status == NEAP_OK && version != 1)
    status = json_blame(&at, error, "expected version 1, found %" PRId64, version);
  return status;
}

/* All values are strings. */
static neap_status check_metadata(const struct json_at *root, neap_error *error) {
  struct json_at metadata = json_member(root, "metadata");
  if (!metadata.value) return NEAP_OK;
  if (!json_is_object(metadata.value))
    return json_blame(&metadata, error, "expected an object");
  neap_status status = NEAP_OK;
  for (void *entry = json_object_iter(metadata.value); entry && status == NEAP_OK;
       entry = json_object_iter_next(metadata.value, entry)) {
    const char *text;
    struct json_at at = {json_object_iter_value(entry), &metadata, json_object_iter_key(entry),
                         0, NULL};
    status = json_read_string(&at, &text, error);
  }
  return status;
}

static neap_status check_relaxation(const struct json_at *root, neap_error *error) {
  const char *text;
  struct json_at list;
  size_t count = 0;
  neap_status status = NEAP_OK;
  if (json_member(root, "relaxed_from").value)
    status = reader_string(root, "relaxed_from", &text, error);
  if (status == NEAP_OK && json_member(root, "relaxed_features").value)
    status = reader_array(root, "relaxed_features", &list, &count, error);
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    struct json_at at = json_element(&list, i);
    status = json_read_string(&at, &text, error);
  }
  return status;
}

static neap_status refuse_solution(const struct json_at *root, neap_error *error) {
  struct json_at at = json_member(root, "placements");
  return json_blame(&at, error,
                    "this is a solution, which does not hold its problem; pass the "
                    "problem instead");
}

static neap_status check_envelope(const struct json_at *root, neap_error *error) {
  static const char *const keys[] = {"schema_version",   "profile",  "instance", "relaxed_from",
                                     "relaxed_features", "metadata", "problem",  NULL};
  const char *instance;
  if (json_member(root, "placements").value) return refuse_solution(root, error);
  neap_status status = check_version(root, error);
  if (status == NEAP_OK) status = json_read_object(root, keys, error);
  if (status == NEAP_OK) status = read_choice(root, "profile", profile_names, error);
  if (status == NEAP_OK) status = reader_string(root, "instance", &instance, error);
  if (status == NEAP_OK && !instance[0]) {
    struct json_at at = json_member(root, "instance");
    status = json_blame(&at, error, "expected a name, found an empty string");
  }
  if (status == NEAP_OK) status = check_metadata(root, error);
  return status == NEAP_OK ? check_relaxation(root, error) : status;
}

/* ---------------------------------------------------------------- the objective */

static void warn(const struct reader *reader, const struct json_at *at, const char *text) {
  const neap_reading *reading = reader->reading;
  neap_error warning = {.status = NEAP_OK};
  if (!reading->warn) return;
  error_set(&warning, NEAP_OK, "%s", text);
  json_document_place(at, &warning);
  reading->warn(&warning, reading->warn_user);
}

static neap_status read_term(const struct json_at *at, unsigned *seen, size_t *metric,
                             neap_error *error) {
  neap_status status = reader_choice(at, metric_names, metric, error);
  if (status == NEAP_OK && (*seen & 1u << *metric))
    status = json_blame(at, error, "%s is listed twice", metric_names[*metric]);
  if (status == NEAP_OK) *seen |= 1u << *metric;
  return status;
}

static neap_status read_terms(const struct reader *reader, const struct json_at *objective,
                              enum metric metrics[METRIC_COUNT], size_t *count,
                              neap_error *error) {
  struct json_at list;
  unsigned seen = 0;
  neap_status status = reader_array(objective, "terms", &list, count, error);
  for (size_t i = 0; i < *count && status == NEAP_OK; i++) {
    size_t metric;
    struct json_at at = json_element(&list, i);
    status = read_term(&at, &seen, &metric, error);
    if (status != NEAP_OK) return status;
    metrics[i] = (enum metric)metric;
    if (metric == METRIC_BANK)
      warn(reader, &at, "ignoring bank_cost, which version 1 of the schema does not define");
    if (metric == METRIC_MAX && !(seen & 1u << METRIC_TOTAL) && reader->pools.count > 1)
      warn(reader, &at, "minimising the sum of the peaks of all pools, not the highest peak");
  }
  return status;
}

/* neap writes its own order if the metrics cannot say it. */
static bool read_own_order(const struct json_at *root, neap_term order[NEAP_TERM_COUNT]) {
  const char *text = json_string_value(
      json_object_get(json_object_get(root->value, "metadata"), NOTE_OBJECTIVE));
  size_t count = 0;
  while (text && count < NEAP_TERM_COUNT) {
    size_t length = strcspn(text, " "), term = 0;
    while (term < NEAP_TERM_COUNT && (strlen(neap_term_name((neap_term)term)) != length ||
                                      memcmp(neap_term_name((neap_term)term), text, length)))
      term++;
    if (term == NEAP_TERM_COUNT) return false;
    order[count++] = (neap_term)term;
    text = text[length] ? text + length + 1 : NULL;
  }
  return count == NEAP_TERM_COUNT && !text;
}

static neap_status read_objective(const struct reader *reader, const struct json_at *root,
                                  const struct json_at *problem, neap_error *error) {
  static const char *const keys[] = {"aggregation", "terms", NULL};
  static const char *const aggregations[] = {"lexicographic", NULL};
  struct json_at objective = json_member(problem, "objective");
  enum metric metrics[METRIC_COUNT];
  neap_term order[NEAP_TERM_COUNT], usual[NEAP_TERM_COUNT];
  size_t count = 0;
  neap_status status = json_read_object(&objective, keys, error);
  if (status == NEAP_OK) status = read_choice(&objective, "aggregation", aggregations, error);
  if (status == NEAP_OK) status = read_terms(reader, &objective, metrics, &count, error);
  if (status != NEAP_OK) return status;
  if (read_own_order(root, order))
    return neap_problem_set_objective(reader->problem, order, error);
  neap_problem_objective(reader->problem, usual);
  profile_order(metrics, count, profile_has_choices(reader->problem), order);
  if (memcmp(order, usual, sizeof order) == 0) return NEAP_OK;
  return neap_problem_set_objective(reader->problem, order, error);
}

/* ---------------------------------------------------------------- the whole */

static neap_status read_problem(struct reader *reader, const struct json_at *root,
                                neap_error *error) {
  static const char *const keys[] = {
      "pools", "buffers", "constraints", "cost_model", "pypto_structure", "objective", NULL};
  struct json_at problem = json_member(root, "problem");
  struct json_at constraints = json_member(&problem, "constraints");
  neap_status status = json_read_object(&problem, keys, error);
  if (status == NEAP_OK) status = reader_pools(reader, &problem, error);
  if (status == NEAP_OK) status = reader_drafts(reader, &problem, error);
  if (status == NEAP_OK) status = reader_limits(reader, &constraints, error);
  if (status == NEAP_OK) status = reader_buffers(reader, &problem, error);
  if (status == NEAP_OK) status = reader_relations(reader, &problem, error);
  if (status == NEAP_OK) status = read_objective(reader, root, &problem, error);
  if (status != NEAP_OK) return status;
  return reader_within(&constraints, neap_problem_check(reader->problem, error), error);
}

static void reader_clear(struct reader *reader) {
  ids_clear(&reader->pools);
  ids_clear(&reader->buffers);
  free(reader->drafts);
  free(reader->spans);
  free(reader->separated);
}

neap_status dsa_problem_read(char *text, size_t size, const neap_reading *reading,
                             neap_problem **problem, neap_error *error) {
  struct json_document document;
  neap_status status = json_document_open(&document, text, size, "buffers", error);
  if (status != NEAP_OK) return status;
  struct reader reader = {.reading = reading, .problem = neap_problem_new()};
  struct json_at root = json_document_root(&document);
  document.example = EXAMPLE_DSA;
  status = reader.problem ? check_envelope(&root, error) : error_memory(error);
  if (status == NEAP_OK) status = read_problem(&reader, &root, error);
  if (status == NEAP_OK) status = note_set(reader.problem, document.root, error);
  if (status == NEAP_OK) *problem = reader.problem;
  else neap_problem_free(reader.problem);
  reader_clear(&reader);
  json_document_close(&document);
  return status;
}
