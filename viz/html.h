/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The interactive page of a plan, and a stream for the JSON in it.  In JSON, '<' occurs only in
 * strings, where \u003c means the same: so nothing in a name can end the block that contains the
 * text.
 */
#ifndef VIZ_HTML_H
#define VIZ_HTML_H

#include "neap/neap-io.h"

/* Writes through to `page`, which it does not close.  NULL when memory is short. */
FILE *html_json_stream(FILE *page);

/* NEAP_ERROR_ARGUMENT: there is no such colouring; NEAP_ERROR_FORMAT: a hint is not valid UTF-8. */
neap_status html_write(const neap_plan *plan, const neap_writing *writing, FILE *page,
                       neap_error *error);

#endif
