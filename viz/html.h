/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The interactive page of a plan, and a stream for the JSON in the page.  In JSON, '<' occurs only
 * in strings, where \u003c means the same.  So with \u003c in its place, no name can end the block
 * that contains it.
 */
#ifndef VIZ_HTML_H
#define VIZ_HTML_H

#include "neap/neap-io.h"

/* A stream that writes through to `page`, but does not close it.  NULL when memory is short. */
FILE *html_json_stream(FILE *page);

/* NEAP_ERROR_ARGUMENT: there is no such colouring; NEAP_ERROR_FORMAT: a hint is not valid UTF-8. */
neap_status html_write(const neap_plan *plan, const neap_writing *writing, FILE *page,
                       neap_error *error);

#endif
