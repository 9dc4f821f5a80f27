/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing a file so that it is either all there or untouched: into a temporary file beside it,
 * closed with care, then renamed.  What is not a regular file (a device, a pipe) is written
 * directly.
 */
#ifndef CORE_OUTPUT_H
#define CORE_OUTPUT_H

#include "neap/neap.h"

struct output {
  FILE *stream;
  char *path;      /* the destination; NULL for standard output */
  char *temporary; /* NULL when written directly */
};

/* Opens `path`, "-" being standard output. */
neap_status output_open(struct output *output, const char *path, neap_error *error);

/*
 * Ends the writing.  With `status` NEAP_OK and everything written the file takes its place;
 * otherwise it is discarded. Returns `status`, or the error that came up now.
 */
neap_status output_close(struct output *output, neap_status status, neap_error *error);

#endif
