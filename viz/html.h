/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A stream for JSON that is to stand in a page.  In JSON a '<' can only be in a string, where
 * \u003c says the same: without it nothing in a name can end the block that the text is in.
 */
#ifndef VIZ_HTML_H
#define VIZ_HTML_H

#include <stdio.h>

/* Passes what is written to it on to `page`, which it does not close; NULL when memory is short. */
FILE *html_json_stream(FILE *page);

/* Text as the value of an attribute in double quotes. */
void html_attribute(FILE *page, const char *text);

#endif
