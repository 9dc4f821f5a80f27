/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/experiment/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/output/json.h"
#include "cli/output/number_text.h"
#include "neap-tool.h"

static const void *row_at(const struct table *table, size_t row) {
  return (const char *)table->rows + row * table->row_size;
}

static const void *field_of(const struct column *column, const void *row) {
  return (const char *)row + column->field;
}

static const char *text_of(const struct column *column, const void *row) {
  const void *field = field_of(column, row);
  return column->kind == CELL_WORD ? field : *(const char *const *)field;
}

static bool bool_of(const struct column *column, const void *row) {
  return *(const bool *)field_of(column, row);
}

static int64_t whole_of(const struct column *column, const void *row) {
  return *(const int64_t *)field_of(column, row);
}

static double real_of(const struct column *column, const void *row) {
  return *(const double *)field_of(column, row);
}

/* Whether a row has a value in the column. */
static bool has_value(const struct table *table, const struct column *column, const void *row) {
  bool is_planned = table->is_planned(row);
  return !(column->flags & (is_planned ? COLUMN_UNPLANNED : COLUMN_PLANNED));
}

#define CELL_SIZE FIGURE_NAME_SIZE

/* A value in CSV. */
static const char *plain_text(const struct column *column, const void *row,
                              char text[CELL_SIZE]) {
  switch (column->kind) {
  case CELL_TEXT:
  case CELL_NAME:
  case CELL_WORD:
    return text_of(column, row);
  case CELL_BOOL:
    return bool_of(column, row) ? "yes" : "no";
  case CELL_MEDIAN:
    return figure_decimal(text, real_of(column, row));
  case CELL_REAL:
  case CELL_PERCENT:
    snprintf(text, CELL_SIZE, "%.6f", real_of(column, row));
    return text;
  default:
    snprintf(text, CELL_SIZE, "%" PRId64,
             whole_of(column, row) == CELL_NONE ? -1 : whole_of(column, row));
    return text;
  }
}

/* ---------------------------------------------------------------- for people */

/* Whether a number is not known.  Unknown seconds are shown as 0. */
static bool is_unknown(const struct column *column, const void *row) {
  switch (column->kind) {
  case CELL_WHOLE:
  case CELL_BYTES:
    return whole_of(column, row) < 0;
  case CELL_COUNT:
    return whole_of(column, row) <= 0;
  case CELL_MEDIAN:
  case CELL_PERCENT:
    return real_of(column, row) < 0;
  default:
    return false;
  }
}

static const char *cell_text(const struct table *table, const struct column *column,
                             const void *row, char text[CELL_SIZE]) {
  if (!has_value(table, column, row) || is_unknown(column, row)) return "-";
  switch (column->kind) {
  case CELL_NAME:
    return figure_name(text, text_of(column, row));
  case CELL_BYTES:
    return figure_unit(text, whole_of(column, row));
  case CELL_PERCENT:
    return neap_gap_text(real_of(column, row), text);
  case CELL_REAL:
    snprintf(text, CELL_SIZE, "%.*f", column->decimals,
             real_of(column, row) < 0 ? 0 : real_of(column, row));
    return text;
  default:
    return plain_text(column, row, text);
  }
}

static int wider(int a, int b) { return a > b ? a : b; }

static int widest_cell(const struct table *table, const struct column *column) {
  char text[CELL_SIZE];
  int widest = 0;
  for (size_t i = 0; i < table->row_count; i++)
    widest = wider(widest, figure_width(cell_text(table, column, row_at(table, i), text)));
  return widest;
}

/* The width of a column, without the sign that aligns it. */
static int width_of(const struct table *table, const struct column *column) {
  int width = column->width < 0 ? -column->width : column->width;
  if (column->flags & COLUMN_FITS)
    width = wider(width, wider(figure_width(column->heading), widest_cell(table, column)));
  for (size_t i = 0; i < table->column_count && (column->flags & COLUMN_ALIKE); i++)
    if (table->columns[i].flags & COLUMN_ALIKE)
      width = wider(width, widest_cell(table, &table->columns[i]));
  return width;
}

static void print_cell(const struct column *column, int width, const char *text) {
  int padding = wider(width - figure_width(text), 0);
  printf("%*s%s%*s", column->width < 0 ? 0 : padding, "", text, column->width < 0 ? padding : 0,
         "");
}

/* Prints the headings, or a row. */
static void print_line(const struct table *table, const int *widths, const void *row) {
  const char *remark = row && table->remark ? table->remark(row) : "";
  size_t place = 0;
  char text[CELL_SIZE];
  for (size_t i = 0; i < table->column_count; i++) {
    const struct column *column = &table->columns[i];
    if (!column->heading) continue;
    if (*remark && place == table->remark_place) break;
    if (place++ > 0) fputs(table->between, stdout);
    print_cell(column, widths[i], row ? cell_text(table, column, row, text) : column->heading);
  }
  if (*remark) printf("%s%s", table->before_remark, remark);
  putchar('\n');
}

#define COLUMNS_MAX 40

void table_print(const struct table *table) {
  int widths[COLUMNS_MAX] = {0};
  for (size_t i = 0; i < table->column_count; i++)
    if (table->columns[i].heading) widths[i] = width_of(table, &table->columns[i]);
  print_line(table, widths, NULL);
  for (size_t i = 0; i < table->row_count; i++)
    print_line(table, widths, row_at(table, i));
}

/* ---------------------------------------------------------------- CSV */

static void print_quoted(const char *text, bool always) {
  if (!always && !text[strcspn(text, ",\"\r\n")]) {
    fputs(text, stdout);
    return;
  }
  putchar('"');
  for (; *text; text++) {
    if (*text == '"') putchar('"');
    putchar(*text);
  }
  putchar('"');
}

/* Prints the keys, or a row. */
static void print_record(const struct table *table, const void *row) {
  const char *comma = "";
  char text[CELL_SIZE];
  for (size_t i = 0; i < table->column_count; i++) {
    const struct column *column = &table->columns[i];
    if (!column->key || (column->flags & COLUMN_NO_CSV)) continue;
    fputs(comma, stdout);
    comma = ",";
    if (!row) fputs(column->key, stdout);
    else if (has_value(table, column, row))
      print_quoted(plain_text(column, row, text), column->flags & COLUMN_QUOTED);
  }
  putchar('\n');
}

void table_print_csv(const struct table *table) {
  print_record(table, NULL);
  for (size_t i = 0; i < table->row_count; i++)
    print_record(table, row_at(table, i));
}

/* ---------------------------------------------------------------- JSON */

static json_t *value_json(const struct column *column, const void *row) {
  switch (column->kind) {
  case CELL_TEXT:
  case CELL_NAME:
  case CELL_WORD:
    return object_text(text_of(column, row));
  case CELL_BOOL:
    return json_boolean(bool_of(column, row));
  case CELL_REAL:
  case CELL_MEDIAN:
  case CELL_PERCENT:
    return object_real(real_of(column, row));
  default:
    return whole_of(column, row) == CELL_NONE ? json_null()
                                              : json_integer((json_int_t)whole_of(column, row));
  }
}

json_t *table_add_row(json_t *object, const struct table *table, size_t index) {
  const void *row = row_at(table, index);
  for (size_t i = 0; i < table->column_count; i++) {
    const struct column *column = &table->columns[i];
    if (!column->key || (column->flags & COLUMN_NO_JSON)) continue;
    if (has_value(table, column, row))
      object = object_add(object, column->key, value_json(column, row));
    else if (column->flags & COLUMN_NULL) object = object_add(object, column->key, json_null());
  }
  return object;
}

json_t *table_json(const struct table *table) {
  json_t *list = json_array();
  for (size_t i = 0; i < table->row_count; i++)
    list = object_append(list, table_add_row(json_object(), table, i));
  return list;
}
