/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/csv/conflicts.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/input.h"
#include "core/memory.h"
#include "core/text.h"
#include "formats/csv/csv.h"
#include "neap/relations.h"

/* The columns, by their fields. */
struct table {
  struct csv csv;
  size_t fields, first, second;
};

static neap_status read_header(struct table *table, neap_error *error) {
  bool found;
  neap_status status = csv_next(&table->csv, &found, error);
  table->first = table->second = SIZE_MAX;
  for (size_t f = 0; status == NEAP_OK && found && f < table->csv.count && f < CSV_FIELDS;
       f++) {
    if (strcmp(table->csv.fields[f].text, "first") == 0) table->first = f;
    if (strcmp(table->csv.fields[f].text, "second") == 0) table->second = f;
  }
  table->fields = table->csv.count;
  if (status == NEAP_OK && (table->first == SIZE_MAX || table->second == SIZE_MAX))
    return error_at(error, NEAP_ERROR_INPUT, 1, 1,
                    "expected a table of conflicts, with the columns first and second");
  return status;
}

static neap_status read_buffer(const struct table *table, size_t field,
                               const neap_problem *problem, size_t *index, neap_error *error) {
  const struct csv_field *name = &table->csv.fields[field];
  char excerpt[TEXT_EXCERPT];
  if (neap_problem_find(problem, name->text, index)) return NEAP_OK;
  return csv_blame(&table->csv, field, error, "there is no buffer %s",
                   text_excerpt(excerpt, name->text, name->length));
}

static neap_status read_row(const struct table *table, neap_problem *problem,
                            neap_error *error) {
  neap_relation relation = {.struct_size = sizeof(neap_relation), .kind = NEAP_SEPARATION};
  if (table->csv.count != table->fields)
    return error_at(error, NEAP_ERROR_INPUT, table->csv.line, 1,
                    "expected %zu fields as in the first row, found %zu", table->fields,
                    table->csv.count);
  neap_status status = read_buffer(table, table->first, problem, &relation.first, error);
  if (status == NEAP_OK)
    status = read_buffer(table, table->second, problem, &relation.second, error);
  if (status != NEAP_OK) return status;
  status = neap_problem_relate(problem, &relation, error);
  if (status != NEAP_ERROR_INPUT || !error) return status;
  error->line = table->csv.line;
  error->column = table->csv.fields[table->second].column;
  return status;
}

static neap_status read_table(char *text, size_t size, neap_problem *problem,
                              neap_error *error) {
  struct table *table = memory_array(1, sizeof *table);
  bool found = true;
  if (!table) return error_memory(error);
  csv_init(&table->csv, text, size);
  neap_status status = read_header(table, error);
  while (status == NEAP_OK && found) {
    status = csv_next(&table->csv, &found, error);
    if (status == NEAP_OK && found) status = read_row(table, problem, error);
  }
  free(table);
  return status;
}

neap_status csv_conflicts_read(const char *path, neap_problem *problem, neap_error *error) {
  char *text;
  size_t size;
  neap_status status = input_read(path, &text, &size, error);
  if (status == NEAP_OK) {
    status = read_table(text, size, problem, error);
    free(text);
  }
  return error_in_file(error, status, path);
}
