/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models in memory that can be split, and their operators in another order. */
#ifndef IO_SPLITTABLE_H
#define IO_SPLITTABLE_H

#include "formats/split_format.h"

struct splittable {
  const char *path;
  char *text; /* released with free() */
  size_t size;
  const struct split_format *format;
  neap_reading reading; /* lists what the runtime needs */
};

/*
 * Reads a model; `reading` may be NULL.  Without a target, it gets that of the format.  NEAP_ERROR_INPUT: it is not a
 * model.
 */
neap_status splittable_open(const char *path, const neap_reading *reading,
                            struct splittable *model, neap_error *error);

/* Replaces the text by that of the model in the file with its operators in the order of the plan. */
neap_status splittable_reorder(struct splittable *model, const neap_plan *plan,
                               neap_error *error);

/* Looks for an order of the model, and reorders it. */
neap_status splittable_schedule(struct splittable *model, const neap_scheduling *scheduling,
                                neap_error *error);

/* NEAP_ERROR_ARGUMENT: the ending of a file to write is that of another format. */
neap_status splittable_check_path(const struct splittable *model, const char *path,
                                  neap_error *error);

/* Options for planning with this much work, which can be set again; NULL if memory is short. */
neap_options *splittable_options(uint64_t ticks, neap_error *error);
neap_status splittable_set_ticks(neap_options *options, uint64_t ticks, neap_error *error);

#endif
