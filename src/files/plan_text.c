/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/plan_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "files/text_builder.h"
#include "neap-tool.h"

/* ---------------------------------------------------------------- cells */

enum side { LEFT, RIGHT };

struct printer {
  const struct neap_plan *plan;
  struct row cell; /* the current one */
  struct row row;
};

typedef void cell_function(struct printer *printer, size_t index);

/* Names may hold control sequences of terminals, so unsafe bytes are escaped. */
static void print_text(struct printer *printer, const char *text) {
  char shown[NEAP_TEXT_ESCAPED];
  while (*text) {
    neap_text_escape(shown, &text);
    row_string(&printer->cell, shown);
  }
}

static void print_name(struct printer *printer, size_t index) {
  print_text(printer, problem_name(printer->plan->problem, index));
}

static void print_lifetime(struct printer *printer, size_t index) {
  const struct neap_problem *problem = printer->plan->problem;
  size_t begin = problem_ranges_begin(problem, index);
  for (size_t i = begin; i < problem->buffers[index].ranges_end; i++) {
    row_string(&printer->cell, i > begin ? " [" : "[");
    row_number(&printer->cell, problem->ranges[i].start);
    row_string(&printer->cell, ", ");
    row_number(&printer->cell, problem->ranges[i].end);
    row_char(&printer->cell, ')');
  }
}

static void print_size(struct printer *printer, size_t index) {
  row_number(&printer->cell, printer->plan->problem->buffers[index].size);
}

static void print_alignment(struct printer *printer, size_t index) {
  row_number(&printer->cell, printer->plan->problem->buffers[index].alignment);
}

static void print_offset(struct printer *printer, size_t index) {
  row_number(&printer->cell, printer->plan->offsets[index]);
}

static void print_end(struct printer *printer, size_t index) {
  row_number(&printer->cell, plan_end(printer->plan, index));
}

static void print_pool(struct printer *printer, size_t index) {
  neap_pool pool = NEAP_INIT(neap_pool);
  neap_problem_pool_at(printer->plan->problem, printer->plan->pools[index], &pool);
  print_text(printer, pool.name);
}

static void print_object(struct printer *printer, size_t index) {
  row_number(&printer->cell, (int64_t)printer->plan->objects[index]);
}

static void print_start_address(struct printer *printer, size_t index) {
  row_hex(&printer->cell, printer->plan->base + (uint64_t)printer->plan->offsets[index]);
}

static void print_end_address(struct printer *printer, size_t index) {
  row_hex(&printer->cell, printer->plan->base + (uint64_t)plan_end(printer->plan, index));
}

static void print_risk(struct printer *printer, size_t index) {
  row_string(&printer->cell, neap_risk_name((neap_risk)printer->plan->risks[index]));
}

/* ---------------------------------------------------------------- columns */

static bool always(const struct neap_plan *plan) { return plan != NULL; }

static bool if_aligned(const struct neap_plan *plan) {
  for (size_t i = 0; i < plan->problem->count; i++)
    if (plan->problem->buffers[i].alignment != 1) return true;
  return false;
}

static bool if_pooled(const struct neap_plan *plan) { return plan->pools != NULL; }

static bool if_shared(const struct neap_plan *plan) { return plan->objects != NULL; }

static bool if_based(const struct neap_plan *plan) { return plan->has_base; }

static const struct column {
  const char *title;
  enum side side;
  cell_function *print;
  bool (*wanted)(const struct neap_plan *plan);
} columns[] = {
    {"name", LEFT, print_name, always},
    {"lifetime", LEFT, print_lifetime, always},
    {"size", RIGHT, print_size, always},
    {"alignment", RIGHT, print_alignment, if_aligned},
    {"pool", LEFT, print_pool, if_pooled},
    {"offset", RIGHT, print_offset, always},
    {"end", RIGHT, print_end, always},
    {"object", RIGHT, print_object, if_shared},
    {"start address", RIGHT, print_start_address, if_based},
    {"end address", RIGHT, print_end_address, if_based},
    {"risk", LEFT, print_risk, always},
};

enum { COLUMN_COUNT = sizeof columns / sizeof columns[0], WIDEST = 48 };

/* The columns that a text takes on a terminal, approximately: its characters. */
static size_t width_of(const struct row *cell) {
  size_t width = 0;
  for (size_t i = 0; i < cell->length; i++)
    width += ((unsigned char)cell->text[i] & 0xc0) != 0x80;
  return width;
}

/* Cells longer than WIDEST stick out rather than widen the column. */
static void measure(struct printer *printer, size_t widths[COLUMN_COUNT]) {
  const struct neap_plan *plan = printer->plan;
  for (size_t c = 0; c < COLUMN_COUNT; c++) {
    widths[c] = 0;
    if (!columns[c].wanted(plan)) continue;
    widths[c] = strlen(columns[c].title);
    for (size_t i = 0; i < plan->problem->count; i++) {
      printer->cell.length = 0;
      columns[c].print(printer, i);
      size_t width = width_of(&printer->cell);
      if (width > widths[c]) widths[c] = width < WIDEST ? width : WIDEST;
    }
  }
}

static void append_padding(struct row *row, size_t count) {
  while (count-- > 0)
    row_char(row, ' ');
}

/* Appends the current cell; a row's last one needs no padding after it. */
static void append_cell(struct printer *printer, size_t c, size_t width) {
  size_t used = width_of(&printer->cell), padding = used < width ? width - used : 0;
  if (c > 0) row_string(&printer->row, "  ");
  if (columns[c].side == RIGHT) append_padding(&printer->row, padding);
  row_append(&printer->row, printer->cell.text, printer->cell.length);
  if (columns[c].side == LEFT && c + 1 < COLUMN_COUNT) append_padding(&printer->row, padding);
  printer->row.failed = printer->row.failed || printer->cell.failed;
}

/* ---------------------------------------------------------------- the table */

static void append_bytes(struct row *row, const char *title, neap_size bytes) {
  char text[TEXT_BYTES];
  row_string(row, title);
  row_number(row, bytes);
  row_string(row, bytes == 1 ? " byte" : " bytes");
  if (bytes >= 1024) {
    row_string(row, " (");
    row_string(row, text_bytes(text, bytes));
    row_char(row, ')');
  }
  row_char(row, '\n');
}

static void append_summary(const struct neap_plan *plan, struct row *row) {
  neap_report report = NEAP_INIT(neap_report);
  char gap[NEAP_GAP_TEXT];
  neap_plan_report(plan, &report);
  row_string(row, "buffers  ");
  row_number(row, (int64_t)report.buffers);
  row_char(row, '\n');
  append_bytes(row, "peak     ", report.peak);
  append_bytes(row, "bound    ", report.bound);
  if (report.lower_bound != report.bound) append_bytes(row, "at least ", report.lower_bound);
  row_string(row, "gap      ");
  row_string(row, neap_gap_text(report.gap_percent, gap));
  row_string(row, "\nstatus   ");
  row_string(row, neap_outcome_name(report.outcome));
  if (report.order.is_scheduled) {
    row_string(row, "\norder    ");
    row_string(row, neap_outcome_name(report.order.outcome));
  }
  if (report.run.engine[0]) {
    row_string(row, "\nengine   ");
    row_string(row, report.run.engine);
  }
  if (plan->has_base) {
    row_string(row, "\nbase     ");
    row_hex(row, plan->base);
  }
  row_string(row, "\n\n");
}

static neap_status write_all(struct printer *printer, FILE *stream, neap_error *error) {
  size_t widths[COLUMN_COUNT], count = printer->plan->problem->count;
  measure(printer, widths);
  append_summary(printer->plan, &printer->row);
  neap_status status = NEAP_OK;
  for (size_t line = 0; line <= count && status == NEAP_OK; line++) {
    for (size_t c = 0; c < COLUMN_COUNT; c++) {
      if (widths[c] == 0) continue;
      printer->cell.length = 0;
      if (line == 0) row_string(&printer->cell, columns[c].title);
      else columns[c].print(printer, line - 1);
      append_cell(printer, c, widths[c]);
    }
    row_char(&printer->row, '\n');
    status = row_write(&printer->row, stream, error);
  }
  return status;
}

neap_status table_plan_write(const struct neap_plan *plan, FILE *stream, neap_error *error) {
  struct printer printer = {.plan = plan};
  neap_status status = write_all(&printer, stream, error);
  row_clear(&printer.cell);
  row_clear(&printer.row);
  return status;
}
