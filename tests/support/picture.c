/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/picture.h"

#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/input.h"
#include "neap/planner.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- drawing */

static void make_path(char path[64]) {
  snprintf(path, 64, "/tmp/neap-picture-XXXXXX");
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  close(descriptor);
}

static struct picture read_back(const char *path) {
  struct picture picture = {0};
  neap_error error;
  assert_ok(input_read(path, &picture.text, &picture.size, &error), &error);
  unlink(path);
  picture.document = xmlReadMemory(picture.text, (int)picture.size, "picture.svg", NULL,
                                   XML_PARSE_NONET | XML_PARSE_HUGE);
  assert_non_null(picture.document);
  return picture;
}

struct picture picture_drawn(const neap_plan *plan, const neap_writing *drawing) {
  neap_writing writing =
      drawing ? *drawing : (neap_writing){.struct_size = sizeof(neap_writing), .name = NULL};
  char path[64];
  neap_error error;
  writing.format = "svg";
  make_path(path);
  assert_ok(neap_plan_write(plan, path, &writing, &error), &error);
  return read_back(path);
}

struct picture picture_of_plan(const neap_plan *plan) {
  return picture_drawn(plan, NULL);
}

struct picture picture_of_offsets(const neap_problem *problem, const neap_offset *offsets) {
  neap_plan *plan = sample_plan(problem, offsets);
  struct picture picture = picture_of_plan(plan);
  neap_plan_free(plan);
  return picture;
}

struct picture picture_of_chart(const neap_chart *chart) {
  char path[64];
  neap_error error;
  make_path(path);
  assert_ok(neap_chart_draw(chart, path, &error), &error);
  return read_back(path);
}

struct picture picture_of_bars(const neap_bars *bars) {
  char path[64];
  neap_error error;
  make_path(path);
  assert_ok(neap_bars_draw(bars, path, &error), &error);
  return read_back(path);
}

void picture_clear(struct picture *picture) {
  xmlFreeDoc(picture->document);
  free(picture->text);
  *picture = (struct picture){0};
}

/* ---------------------------------------------------------------- finding */

static const xmlChar *xml(const char *text) { return (const xmlChar *)text; }

struct found picture_find(const struct picture *picture, const char *path) {
  xmlXPathContext *context = xmlXPathNewContext(picture->document);
  assert_non_null(context);
  assert_int_equal(xmlXPathRegisterNs(context, xml("s"), xml("http://www.w3.org/2000/svg")), 0);
  xmlXPathObject *object = xmlXPathEvalExpression(xml(path), context);
  if (!object) fail_msg("XPath: %s", path);
  const xmlNodeSet *set = object->nodesetval;
  struct found found = {set ? (size_t)set->nodeNr : 0, NULL};
  found.nodes = calloc(found.count + 1, sizeof *found.nodes);
  assert_non_null(found.nodes);
  for (size_t i = 0; i < found.count; i++)
    found.nodes[i] = set->nodeTab[i];
  xmlXPathFreeObject(object);
  xmlXPathFreeContext(context);
  return found;
}

void found_clear(struct found *found) {
  free(found->nodes);
  *found = (struct found){0};
}

size_t picture_count(const struct picture *picture, const char *path) {
  struct found found = picture_find(picture, path);
  size_t count = found.count;
  found_clear(&found);
  return count;
}

xmlNode *picture_only(const struct picture *picture, const char *path) {
  struct found found = picture_find(picture, path);
  if (found.count != 1) fail_msg("%zu elements are %s", found.count, path);
  xmlNode *node = found.nodes[0];
  found_clear(&found);
  return node;
}

double picture_number(const xmlNode *node, const char *attribute) {
  xmlChar *text = xmlGetProp(node, xml(attribute));
  if (!text) fail_msg("<%s> has no %s", (const char *)node->name, attribute);
  char *end;
  double number = strtod((const char *)text, &end);
  if (*end != '\0') fail_msg("%s is no number: %s", attribute, (const char *)text);
  xmlFree(text);
  return number;
}

static bool any_content(const struct picture *picture, const char *element, const char *content,
                        bool whole) {
  char path[64];
  snprintf(path, sizeof path, "//s:%s", element);
  struct found found = picture_find(picture, path);
  bool any = false;
  for (size_t i = 0; i < found.count && !any; i++) {
    xmlChar *text = xmlNodeGetContent(found.nodes[i]);
    any = whole ? strcmp((const char *)text, content) == 0
                : strstr((const char *)text, content) != NULL;
    xmlFree(text);
  }
  found_clear(&found);
  return any;
}

bool picture_says(const struct picture *picture, const char *element, const char *content) {
  return any_content(picture, element, content, true);
}

bool picture_mentions(const struct picture *picture, const char *element, const char *part) {
  return any_content(picture, element, part, false);
}

/* ---------------------------------------------------------------- golden files */

static void write_golden(const struct picture *picture, const char *path) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_int_equal(fwrite(picture->text, 1, picture->size, file), picture->size);
  assert_int_equal(fclose(file), 0);
}

void picture_expect_golden(const struct picture *picture, const char *name) {
  const char *source = getenv("NEAP_SOURCE");
  char path[4096];
  snprintf(path, sizeof path, "%s/tests/support/data/%s", source ? source : ".", name);
  if (getenv("NEAP_UPDATE")) write_golden(picture, path);
  char *text;
  size_t size;
  neap_error error;
  assert_ok(input_read(path, &text, &size, &error), &error);
  bool same = size == picture->size && memcmp(text, picture->text, size) == 0;
  free(text);
  if (!same) fail_msg("the picture differs from tests/support/data/%s", name);
}
