/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of the options of a run.  Their table is engine/option_table. */
#ifndef ENGINE_OPTIONS_H
#define ENGINE_OPTIONS_H

#include "order/spec.h"

/* In the order of the table: by name. */
enum option {
  OPTION_CAPACITY,      /* -1: none */
  OPTION_DISABLE,       /* a set with a bit per choice */
  OPTION_ENGINE,        /* an index in the table of choices */
  OPTION_GROUP_OVERLAP, /* in millionths */
  OPTION_GROUP_SIZE,
  OPTION_KEEP_LAYOUTS, /* 0 or 1 */
  OPTION_MAX_GROUP_ROUNDS,
  OPTION_MAX_ROUNDS,
  OPTION_MAX_TICKS, /* 0: no limit */
  OPTION_ORDER,     /* stored in `order` instead */
  OPTION_PLACE,
  OPTION_REARRANGE,
  OPTION_SEED,
  OPTION_THREADS,
  OPTION_TIME_LIMIT, /* 0: no limit */
  OPTION_UNTIL_FITS, /* a switch */
  OPTION_COUNT
};

#define OPTION_MILLIONTHS 1000000

struct neap_options {
  int64_t value[OPTION_COUNT];
  struct order_spec order;
  bool order_given;
};

/* With a limit on ticks, results must be reproducible, so there is one thread. */
static inline size_t options_threads(const struct neap_options *options) {
  return options->value[OPTION_MAX_TICKS] > 0 ? 1 : (size_t)options->value[OPTION_THREADS];
}

/* Sets all options to their defaults. */
void option_table_set_defaults(struct neap_options *options);

#endif
