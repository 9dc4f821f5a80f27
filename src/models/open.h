/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models in memory, and their operators in another order. */
#ifndef MODELS_OPEN_H
#define MODELS_OPEN_H

#include <stdatomic.h>

#include "models/bands/format.h"
#include "neap/models.h"

/* An open model, which never changes.  Objects made from it hold it. */
struct neap_model {
  atomic_size_t holders;
  char *name; /* of the model's file */
  char *text;
  size_t size;
  const struct band_format *format;
  neap_reading reading; /* its content is the text; lists the runtime's tensors */
};

const neap_model *model_hold(const neap_model *model);
void model_drop(const neap_model *model); /* accepts NULL */

/*
 * The model with its operators in the order of a plan.  NEAP_ERROR_FORMAT: it cannot have this
 * order.
 */
neap_status model_reorder(const neap_model *model, const neap_plan *plan,
                          const neap_model **ordered, neap_error *error);

/* The model in a better order. */
neap_status model_schedule(const neap_model *model, const neap_scheduling *scheduling,
                           const neap_model **ordered, neap_error *error);

/* NEAP_ERROR_ARGUMENT: the path has the ending of another format than the model's. */
neap_status model_check_path(const neap_model *model, const char *path, neap_error *error);

/* Options for planning with this much work, which can be set again; NULL if memory is short. */
neap_options *model_options(uint64_t ticks, neap_error *error);
neap_status model_set_ticks(neap_options *options, uint64_t ticks, neap_error *error);

#endif
