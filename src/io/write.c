/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes problems and plans in any format. */
#include <string.h>

#include "core/error.h"
#include "core/output.h"
#include "io/format.h"

static bool is_standard(const char *path) { return strcmp(path, "-") == 0; }

static bool is_written(const struct format *format) {
  return format->write_problem || format->write_plan;
}

static neap_status find_format(const char *path, neap_format code, const struct format **format,
                               neap_error *error) {
  char list[FORMAT_LIST];
  if (code != NEAP_FORMAT_AUTO) {
    *format = format_by_code(code);
    return *format ? NEAP_OK : format_unknown(code, error);
  }
  *format = is_standard(path) ? format_by_code(NEAP_FORMAT_CSV) : format_by_ending(path);
  if (*format) return NEAP_OK;
  return error_set(error, NEAP_ERROR_ARGUMENT, "the ending is of no format; use %s",
                   format_list(is_written, list));
}

/* Writes a plan or, if that is NULL, a problem. */
static neap_status write_any(const neap_problem *problem, const neap_plan *plan,
                             const char *path, neap_format code, neap_error *error) {
  const char *name = is_standard(path) ? "standard output" : path;
  const struct format *format;
  struct output output;
  neap_status status = find_format(path, code, &format, error);
  if (status == NEAP_OK && (plan ? !format->write_plan : !format->write_problem))
    status = error_set(error, NEAP_ERROR_FORMAT, "neap cannot write a %s as %s",
                       plan ? "plan" : "problem", format->info.extension);
  if (status != NEAP_OK) return error_in_file(error, status, name);
  status = output_open(&output, path, error);
  if (status != NEAP_OK) return status;
  status = plan ? format->write_plan(plan, output.stream, error)
                : format->write_problem(problem, output.stream, error);
  return output_close(&output, error_in_file(error, status, name), error);
}

neap_status neap_problem_write(const neap_problem *problem, const char *path,
                               neap_format format, neap_error *error) {
  return write_any(problem, NULL, path, format, error);
}

neap_status neap_plan_write(const neap_plan *plan, const char *path, neap_format format,
                            neap_error *error) {
  return write_any(NULL, plan, path, format, error);
}
