/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/buffer_table.h"

#include <inttypes.h>
#include <string.h>

#include "cli/figures.h"
#include "cli/summary.h"
#include "neap-tool.h"

/* ---------------------------------------------------------------- for people */

#define NAME_HEADING "buffer"

static int widest_name(const struct buffer_table *table) {
  int widest = (int)strlen(NAME_HEADING);
  for (size_t i = 0; i < table->count; i++) {
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    char name[FIGURE_NAME_SIZE];
    neap_problem_buffer_at(table->problem, table->indices[i], &buffer);
    int width = figure_width(figure_name(name, buffer.name));
    if (width > widest) widest = width;
  }
  return widest;
}

/* The operator that makes a buffer, and what the buffer holds; columns that are empty are omitted. */
struct columns {
  int alive, maker;
  bool has_tensor;
};

static const char *alive_text(const neap_buffer *buffer, char text[FIGURE_SIZE]) {
  return figure_range(text, buffer->ranges[0].start,
                      buffer->ranges[buffer->range_count - 1].end);
}

static int wider(int width, const char *text) {
  int other = figure_width(text);
  return other > width ? other : width;
}

static struct columns measure_columns(const struct buffer_table *table) {
  struct columns columns = {0};
  for (size_t i = 0; i < table->count; i++) {
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    char alive[FIGURE_SIZE], name[FIGURE_NAME_SIZE];
    neap_problem_buffer_at(table->problem, table->indices[i], &buffer);
    columns.alive = wider(columns.alive, alive_text(&buffer, alive));
    if (buffer.hint) columns.maker = wider(columns.maker, figure_name(name, buffer.hint));
    columns.has_tensor = columns.has_tensor || buffer.shape || buffer.dtype;
  }
  return columns;
}

/* Ends a line of the list; `alive` and the others are headings or what a buffer has. */
static void print_columns(FILE *stream, const struct columns *columns, const char *alive,
                          const char *maker, const char *tensor) {
  bool ends = !columns->has_tensor || !tensor[0];
  fputs(alive, stream);
  if (columns->maker > 0 && (maker[0] || !ends))
    fprintf(stream, "%*s  %s", columns->alive - figure_width(alive), "", maker);
  if (!ends)
    fprintf(stream, "%*s  %s",
            columns->maker > 0 ? columns->maker - figure_width(maker)
                               : columns->alive - figure_width(alive),
            "", tensor);
  fputc('\n', stream);
}

static double share_percent(const struct buffer_table *table, neap_size size) {
  return table->bound > 0 ? 100 * (double)size / (double)table->bound : 0;
}

static void print_buffer(FILE *stream, const struct buffer_table *table, size_t place,
                         int name_width, const struct columns *columns) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  char name[FIGURE_NAME_SIZE], unit[FIGURE_SIZE], range[FIGURE_SIZE];
  char maker[FIGURE_NAME_SIZE] = "", tensor[NEAP_SHAPE_TEXT], shown[FIGURE_NAME_SIZE];
  neap_problem_buffer_at(table->problem, table->indices[place], &buffer);
  int padding = name_width - figure_width(figure_name(name, buffer.name));
  fprintf(stream, "  %s%*s  %12" PRId64 "  %10s", name, padding, "", buffer.size,
          figure_unit(unit, buffer.size));
  if (table->without)
    fprintf(stream, "  %5.1f %%  %14s", share_percent(table, buffer.size),
            figure_unit(unit, table->bound - table->without[place]));
  if (buffer.hint) figure_name(maker, buffer.hint);
  fputs("  ", stream);
  print_columns(stream, columns, alive_text(&buffer, range), maker,
                figure_name(shown, neap_shape_text(&buffer, tensor)));
}

void buffer_table_print(FILE *stream, const struct buffer_table *table) {
  int width = widest_name(table);
  struct columns columns = {0};
  if (table->without) columns = measure_columns(table);
  columns.alive = wider(columns.alive, "alive");
  if (columns.maker > 0) columns.maker = wider(columns.maker, "operator");
  fprintf(stream, "  %-*s  %12s  %10s  %s", width, NAME_HEADING, "bytes", "size",
          table->without ? "  share  bound drops by  " : "");
  print_columns(stream, &columns, "alive", columns.maker > 0 ? "operator" : "",
                columns.has_tensor ? "tensor" : "");
  for (size_t i = 0; i < table->count; i++)
    print_buffer(stream, table, i, width, &columns);
}

/* ---------------------------------------------------------------- for programs */

/* NULL if the shape is unknown. */
static json_t *shape_list(const neap_buffer *buffer) {
  if (!buffer->shape) return NULL;
  json_t *list = json_array();
  for (size_t d = 0; d < buffer->rank && list; d++)
    list = summary_append(list, json_integer((json_int_t)buffer->shape[d]));
  return list;
}

static json_t *buffer_object(const struct buffer_table *table, size_t index) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  neap_problem_buffer_at(table->problem, index, &buffer);
  return json_pack("{ss sI sI sI so so* so* so*}", "name", buffer.name, "size",
                   (json_int_t)buffer.size, "start", (json_int_t)buffer.ranges[0].start, "end",
                   (json_int_t)buffer.ranges[buffer.range_count - 1].end, "share_percent",
                   summary_real(share_percent(table, buffer.size)), "operator",
                   buffer.hint ? summary_text(buffer.hint) : NULL, "shape", shape_list(&buffer),
                   "dtype", buffer.dtype ? summary_text(buffer.dtype) : NULL);
}

json_t *buffer_table_json(const struct buffer_table *table) {
  json_t *list = json_array();
  for (size_t i = 0; i < table->count && list; i++) {
    json_t *object = buffer_object(table, table->indices[i]);
    if (object && table->without)
      json_object_set_new(object, "bound_without", json_integer((json_int_t)table->without[i]));
    list = summary_append(list, object);
  }
  return list;
}
