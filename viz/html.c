/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of a plan: the fixed parts made from viz/page, and between them the plan as JSON, as
 * it is written to a file too.  So a page is a plan that can be read back, and all that is drawn
 * is worked out where it is looked at.
 */
#include "viz/html.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "core/error.h"
#include "core/output.h"
#include "formats/json_plan.h"
#include "plan/plan.h"
#include "viz/page.h"

/* ---------------------------------------------------------------- the filter */

static bool put(FILE *page, const char *text, size_t length) {
  return length == 0 || fwrite(text, 1, length, page) == length;
}

/* Writes all of it or fails: a stream that took a part would be given the rest again. */
static ssize_t write_escaped(void *cookie, const char *text, size_t size) {
  FILE *page = cookie;
  const char *at = text, *end = text + size, *found;
  while ((found = memchr(at, '<', (size_t)(end - at)))) {
    if (!put(page, at, (size_t)(found - at)) || !put(page, "\\u003c", 6)) return 0;
    at = found + 1;
  }
  return put(page, at, (size_t)(end - at)) ? (ssize_t)size : 0;
}

FILE *html_json_stream(FILE *page) {
  return fopencookie(page, "w", (cookie_io_functions_t){.write = write_escaped});
}

void html_attribute(FILE *page, const char *text) {
  for (; *text; text++) {
    const char *entity = *text == '&'   ? "&amp;"
                         : *text == '"' ? "&quot;"
                         : *text == '<' ? "&lt;"
                         : *text == '>' ? "&gt;"
                                        : NULL;
    if (entity) fputs(entity, page);
    else putc(*text, page);
  }
}

/* ---------------------------------------------------------------- the page */

static neap_status write_json(const neap_plan *plan, FILE *page, neap_error *error) {
  FILE *json = html_json_stream(page);
  if (!json) return error_memory(error);
  neap_status status = json_plan_write(plan, json, error);
  if (fclose(json) != 0 && status == NEAP_OK) status = error_system(error, "", "cannot write");
  return status;
}

/* The plan in a block of its own; of one that breaks a rule it says which. */
static neap_status write_block(const neap_plan *plan, const char *id, FILE *page,
                               neap_error *error) {
  neap_error fault;
  neap_status status = neap_plan_verify(plan, -1, &fault);
  if (status != NEAP_OK && status != NEAP_ERROR_UNSOUND) {
    if (error) *error = fault;
    return status;
  }
  fprintf(page, "<script type=\"application/json\" id=\"%s\"", id);
  if (status == NEAP_ERROR_UNSOUND) {
    fputs(" data-fault=\"", page);
    html_attribute(page, fault.text);
    putc('"', page);
  }
  fputs(">\n", page);
  status = write_json(plan, page, error);
  fputs("</script>\n", page);
  return status;
}

static neap_status write_part(const unsigned char *part, size_t size, FILE *page,
                              neap_error *error) {
  if (fwrite(part, 1, size, page) == size) return NEAP_OK;
  return error_system(error, "", "cannot write");
}

static neap_status write_page(const neap_plan *plan, const neap_plan *other, FILE *page,
                              neap_error *error) {
  neap_status status = write_part(page_before, page_before_size, page, error);
  if (status == NEAP_OK) status = write_block(plan, "plan", page, error);
  if (status == NEAP_OK && other) status = write_block(other, "other", page, error);
  if (status != NEAP_OK) return status;
  return write_part(page_behind, page_behind_size, page, error);
}

neap_status neap_plan_draw_html(const neap_plan *plan, const neap_plan *other, const char *path,
                                neap_error *error) {
  struct output output;
  neap_status status = output_open(&output, path, error);
  if (status != NEAP_OK) return status;
  status = write_page(plan, other, output.stream, error);
  return output_close(&output, error_in_file(error, status, path), error);
}
