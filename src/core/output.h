/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a file completely or not at all: into a temporary file beside it, whose errors on
 * closing are checked, and which is then renamed.  Devices and pipes are written directly.
 */
#ifndef CORE_OUTPUT_H
#define CORE_OUTPUT_H

#include <stdio.h>

#include "neap/neap.h"

/* For files that contain parts of neap.  viz/page/page.html has the same sentence. */
#define OUTPUT_NOTICE \
  "You may use this file under any terms: see the output exception in neap's COPYING."

struct output {
  FILE *stream;
  char *path;      /* the destination; NULL for standard output */
  char *temporary; /* NULL if written directly */
};

/* Opens `path`, or standard output if that is "-". */
neap_status output_open(struct output *output, const char *path, neap_error *error);

/*
 * Closes the output.  If `status` is NEAP_OK and everything was written, the file replaces the
 * destination; otherwise it is removed.  Returns `status`, or the error that occurred now.
 */
neap_status output_close(struct output *output, neap_status status, neap_error *error);

#endif
