/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One pass of a search of limited width for a better order of a segment. */
#ifndef MODEL_BEAM_H
#define MODEL_BEAM_H

#include "model/segment.h"

struct beam_task {
  const struct segment *segment;
  neap_size limit; /* only orders of a lower peak are of interest, */
  neap_size floor; /* and lower than this, which something else has anyway, is not better */
  size_t width;    /* >= 1: how many sets of a size are kept */
  size_t work;     /* units that may be spent */
};

struct beam_result {
  size_t *order; /* of the segment's numbers; NULL: none below the limit was found */
  neap_size peak;
  bool is_complete; /* nothing was dropped: there is no better order */
  size_t work;      /* units spent */
};

/* False when memory is short.  The order is to be released with free(). */
bool beam_run(const struct beam_task *task, struct beam_result *result);

#endif
