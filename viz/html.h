/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A stream for JSON within a page.  In JSON, '<' occurs only in strings, where \u003c means the same:
 * so nothing in a name can end the block that contains the text.
 */
#ifndef VIZ_HTML_H
#define VIZ_HTML_H

#include <stdio.h>

/* Writes through to `page`, which it does not close.  NULL when memory is short. */
FILE *html_json_stream(FILE *page);

/* Escapes text for an element, or for an attribute in double quotes. */
void html_attribute(FILE *page, const char *text);

#endif
