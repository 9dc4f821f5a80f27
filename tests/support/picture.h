/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures that are drawn and read back, for tests. */
#ifndef SUPPORT_PICTURE_H
#define SUPPORT_PICTURE_H

#include <libxml/tree.h>

#include "neap-tool.h"
#include "neap/neap-io.h"

struct picture {
  char *text;
  size_t size;
  xmlDoc *document;
};

/* Draws to a file and reads it as XML; the test case fails if either fails. */
struct picture picture_of_plan(const neap_plan *plan);
struct picture picture_drawn(const neap_plan *plan, const neap_writing *drawing);
struct picture picture_of_offsets(const neap_problem *problem, const neap_offset *offsets);
struct picture picture_of_chart(const neap_chart *chart);
struct picture picture_of_bars(const neap_bars *bars);
void picture_clear(struct picture *picture);

/* The elements that an XPath finds, in document order; the prefix of SVG is s. */
struct found {
  size_t count;
  xmlNode **nodes;
};

struct found picture_find(const struct picture *picture, const char *path);
void found_clear(struct found *found);

size_t picture_count(const struct picture *picture, const char *path);

/* The only element that the XPath finds. */
xmlNode *picture_only(const struct picture *picture, const char *path);

/* An attribute as a number. */
double picture_number(const xmlNode *node, const char *attribute);

/* Whether an element, such as a text, has exactly this content, or contains it. */
bool picture_says(const struct picture *picture, const char *element, const char *content);
bool picture_mentions(const struct picture *picture, const char *element, const char *part);

/*
 * The picture must equal the one in tests/support/data with this name. If NEAP_UPDATE is set in
 * the environment, it is stored there instead: look at it before you commit it.
 */
void picture_expect_golden(const struct picture *picture, const char *name);

#endif
