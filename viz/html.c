/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of a plan: the fixed parts built from viz/page, and between them a title and the
 * plan as JSON.  The JSON is the same as in a file, but with many buffers it is by column
 * (files/json/columns.h) and compressed (files/gzip.h).  So a page is a plan that can be read
 * back.  Further plans of the same problem repeat none of its buffers (files/json/plan.h).
 */
#include "viz/html.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "core/error.h"
#include "files/gzip.h"
#include "files/json/columns.h"
#include "files/json/plan.h"
#include "neap/neap-io.h"
#include "plan/plan.h"
#include "viz/layout/colouring.h"
#include "viz/layout/describe.h"
#include "viz/layout/short_names.h"
#include "viz/page.h"
#include "viz/svg/svg.h"

/* ---------------------------------------------------------------- the filter */

static bool write_bytes(FILE *page, const char *text, size_t length) {
  return length == 0 || fwrite(text, 1, length, page) == length;
}

/* Writes everything or fails: after a partial write, stdio would pass the rest to it again. */
static ssize_t write_escaped(void *cookie, const char *text, size_t size) {
  FILE *page = cookie;
  const char *at = text, *end = text + size, *found;
  while ((found = memchr(at, '<', (size_t)(end - at)))) {
    if (!write_bytes(page, at, (size_t)(found - at)) || !write_bytes(page, "\\u003c", 6))
      return 0;
    at = found + 1;
  }
  return write_bytes(page, at, (size_t)(end - at)) ? (ssize_t)size : 0;
}

FILE *html_json_stream(FILE *page) {
  return fopencookie(page, "w", (cookie_io_functions_t){.write = write_escaped});
}

/* ---------------------------------------------------------------- the page */

typedef neap_status json_writer(const neap_plan *plan, FILE *stream, neap_error *error);

static bool is_large(const neap_plan *plan) {
  return plan->problem->count >= JSON_COLUMNS_FROM;
}

static neap_status write_plan(const neap_plan *plan, FILE *json, neap_error *error) {
  return is_large(plan) ? json_plan_write_columns(plan, json, error)
                        : json_plan_write(plan, json, error);
}

static neap_status write_json(json_writer *write, const neap_plan *plan, FILE *page,
                              neap_error *error) {
  FILE *json = is_large(plan) ? gzip_stream(page) : html_json_stream(page);
  if (!json) return error_memory(error);
  neap_status status = write(plan, json, error);
  if (fclose(json) != 0 && status == NEAP_OK) status = error_system(error, "", "cannot write");
  return status;
}

static void write_attribute(FILE *page, const char *name, const char *value) {
  fprintf(page, " %s=\"", name);
  svg_escape(page, value);
  putc('"', page);
}

/* The contents of a block of a page: its JSON, and attributes that are not in the JSON. */
struct block {
  const neap_plan *plan;
  const char *id, *name;
  const struct colouring_wish *colours; /* NULL: the colouring of the page */
  json_writer *write;
  bool is_former; /* the comparison begins with this plan */
};

/* Writes by what the page first colours the plan. */
static neap_status write_colouring(const struct block *block, bool sound, FILE *page,
                                   neap_error *error) {
  struct colouring_wish wish = *block->colours;
  struct colouring colouring;
  wish.sound = sound;
  neap_status status = colouring_init(&colouring, block->plan, &wish, error);
  if (status == NEAP_OK) write_attribute(page, "data-colour-by", colouring.title);
  colouring_clear(&colouring);
  return status;
}

/* Writes a short name per line, an empty line where it equals the name; nothing if all do. */
static neap_status write_short_names(const struct neap_problem *problem, FILE *page,
                                     neap_error *error) {
  struct short_names names;
  neap_status status = short_names_init(&names, problem, error);
  size_t empty = 0; /* empty lines before the current one */
  bool started = false;
  for (size_t i = 0; status == NEAP_OK && names.start && i < problem->count; i++, empty++) {
    char label[LABEL_BYTES];
    const char *name = short_names_of(&names, i);
    if (strcmp(name, problem_name(problem, i)) == 0) continue;
    if (!started) fputs(" data-short=\"", page);
    for (started = true; empty > 0; empty--)
      putc('\n', page);
    svg_escape(page, label_clean(name, label));
  }
  if (started) putc('"', page);
  short_names_clear(&names);
  return status;
}

static neap_status write_block(const struct block *block, FILE *page, neap_error *error) {
  char label[LABEL_BYTES];
  neap_error fault;
  neap_status status = neap_plan_verify(block->plan, -1, &fault);
  if (status != NEAP_OK && status != NEAP_ERROR_UNSOUND) {
    if (error) *error = fault;
    return status;
  }
  fputs("<script type=\"application/json\"", page);
  write_attribute(page, "id", block->id);
  if (is_large(block->plan)) write_attribute(page, "data-encoding", "gzip");
  if (block->name) write_attribute(page, "data-name", label_clean(block->name, label));
  if (status == NEAP_ERROR_UNSOUND) write_attribute(page, "data-fault", fault.text);
  if (block->is_former) fputs(" data-former", page);
  status = block->colours ? write_colouring(block, status == NEAP_OK, page, error) : NEAP_OK;
  if (status == NEAP_OK && block->write == write_plan)
    status = write_short_names(block->plan->problem, page, error);
  fputs(">\n", page);
  if (status == NEAP_OK) status = write_json(block->write, block->plan, page, error);
  fputs("</script>\n", page);
  return status;
}

/* Writes the title, which tabs and searches show before scripts run, or where none do. */
static void write_title(const neap_plan *plan, const char *name, FILE *page) {
  const struct subject subject = {.plan = plan, .name = name};
  char title[DESCRIBE_PLAN];
  fputs("<title>", page);
  svg_escape(page, describe_title(&subject, title));
  fputs("</title>\n", page);
}

static neap_status write_part(const unsigned char *part, size_t size, FILE *page,
                              neap_error *error) {
  if (fwrite(part, 1, size, page) == size) return NEAP_OK;
  return error_system(error, "", "cannot write");
}

/* Writes a JSON object that the caller has made. */
static neap_status write_object(const char *id, const char *text, FILE *page,
                                neap_error *error) {
  FILE *json = html_json_stream(page);
  if (!json) return error_memory(error);
  fprintf(page, "<script type=\"application/json\" id=\"%s\">\n", id);
  bool good = fputs(text, json) >= 0;
  if (fclose(json) != 0 || !good) return error_system(error, "", "cannot write");
  fputs("\n</script>\n", page);
  return NEAP_OK;
}

/* Writes further plans of the problem, with ids "other", "other-2", ... */
static neap_status write_layouts(const neap_plan *plan, const neap_writing *writing, FILE *page,
                                 neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < writing->layout_count && status == NEAP_OK; i++) {
    const neap_panel *layout = &writing->layouts[i];
    char id[32] = "other";
    if (i > 0) snprintf(id, sizeof id, "other-%zu", i + 1);
    if (layout->plan->problem->count != plan->problem->count)
      return error_set(error, NEAP_ERROR_ARGUMENT, "a layout has %zu buffers instead of %zu",
                       layout->plan->problem->count, plan->problem->count);
    const struct block block = {layout->plan, id, layout->name, NULL, json_layout_write, false};
    status = write_block(&block, page, error);
  }
  return status;
}

neap_status html_write(const neap_plan *plan, const neap_writing *writing, FILE *page,
                       neap_error *error) {
  neap_status status = colouring_check(writing->colour_by, error);
  if (status == NEAP_OK) status = write_part(page_before, page_before_size, page, error);
  if (status != NEAP_OK) return status;
  write_title(plan, writing->name, page);
  const struct colouring_wish colours = {.by = writing->colour_by, .most = COLOURING_MAX};
  status = write_block(
      &(struct block){plan, "plan", writing->name, &colours, write_plan, false}, page, error);
  if (status == NEAP_OK && writing->other)
    status = write_block(&(struct block){writing->other, "other", writing->other_name, NULL,
                                         write_plan, writing->from_other},
                         page, error);
  if (status == NEAP_OK) status = write_layouts(plan, writing, page, error);
  if (status == NEAP_OK && writing->comparison)
    status = write_object("engines", writing->comparison, page, error);
  if (status == NEAP_OK && writing->explanation)
    status = write_object("explanation", writing->explanation, page, error);
  return status == NEAP_OK ? write_part(page_behind, page_behind_size, page, error) : status;
}
