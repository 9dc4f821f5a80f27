/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes problems, graphs and plans in any format. */
#include "core/error.h"
#include "core/output.h"
#include "core/sized.h"
#include "io/format.h"

static bool is_written(const struct format *format) { return format->writes != 0; }

static neap_status find_format(const char *path, const char *name, const struct format **format,
                               neap_error *error) {
  char list[FORMAT_LIST];
  if (!name && format_is_standard(path)) name = "csv";
  if (name) return format_by_name(name, format, error);
  *format = format_by_ending(path, 0);
  if (*format) return NEAP_OK;
  return error_set(error, NEAP_ERROR_ARGUMENT, "the ending is of no format; use %s",
                   format_list(is_written, list));
}

static neap_status refuse(const struct format *format, const char *what, neap_error *error) {
  return error_set(error, NEAP_ERROR_FORMAT, "neap cannot write a %s as %s", what,
                   format->extensions[0]);
}

static const char *name_of(const char *path) {
  return format_is_standard(path) ? "standard output" : path;
}

neap_status neap_problem_write(const neap_problem *problem, const char *path, const char *name,
                               neap_error *error) {
  const struct format *format;
  struct output output;
  neap_status status = find_format(path, name, &format, error);
  if (status == NEAP_OK && !format->write_problem) status = refuse(format, "problem", error);
  if (status != NEAP_OK) return error_in_file(error, status, name_of(path));
  status = output_open(&output, path, error);
  if (status != NEAP_OK) return status;
  status = format->write_problem(problem, output.stream, error);
  return output_close(&output, error_in_file(error, status, name_of(path)), error);
}

neap_status neap_graph_write(const neap_graph *graph, const char *path, const char *name,
                             neap_error *error) {
  const struct format *format;
  struct output output;
  if (!name && format_is_standard(path)) name = "json";
  neap_status status = find_format(path, name, &format, error);
  if (status == NEAP_OK && !format->write_graph)
    status = refuse(format, "graph of operators", error);
  if (status != NEAP_OK) return error_in_file(error, status, name_of(path));
  status = output_open(&output, path, error);
  if (status != NEAP_OK) return status;
  status = format->write_graph(graph, output.stream, error);
  return output_close(&output, error_in_file(error, status, name_of(path)), error);
}

static neap_status write_plan(const neap_plan *plan, const struct format *format,
                              const neap_writing *writing, FILE *stream, neap_error *error) {
  if (format->export_plan) return format->export_plan(plan, writing, stream, error);
  return format->write_plan(plan, stream, error);
}

neap_status neap_plan_write(const neap_plan *plan, const char *path,
                            const neap_writing *writing, neap_error *error) {
  neap_writing own = NEAP_INIT(neap_writing);
  const struct format *format;
  struct output output;
  neap_status status = writing ? SIZED_READ(neap_writing, own, writing, error) : NEAP_OK;
  if (status != NEAP_OK) return status;
  status = find_format(path, own.format, &format, error);
  if (status == NEAP_OK && !format->write_plan && !format->export_plan)
    status = refuse(format, "plan", error);
  if (status == NEAP_OK) status = format_check(format, error);
  if (status != NEAP_OK) return error_in_file(error, status, name_of(path));
  status = output_open(&output, path, error);
  if (status != NEAP_OK) return status;
  status = write_plan(plan, format, &own, output.stream, error);
  return output_close(&output, error_in_file(error, status, name_of(path)), error);
}

neap_status neap_certificate_write(const neap_certificate *certificate, const char *path,
                                   neap_error *error) {
  struct output output;
  neap_status status = output_open(&output, path, error);
  if (status != NEAP_OK) return status;
  fputs(neap_certificate_text(certificate), output.stream); /* output_close finds what fails */
  return output_close(&output, NEAP_OK, error);
}
