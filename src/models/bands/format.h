/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions by which a format supports bands. */
#ifndef MODELS_BANDS_FORMAT_H
#define MODELS_BANDS_FORMAT_H

#include <stdio.h>

#include "neap/neap-io.h"
#include "models/bands/rewrite.h"

/* A copy of a model in which pieces are computed in bands, to be measured. */
struct band_copy {
  char *bytes; /* released with free() */
  size_t size, operators;
  neap_size file_bytes; /* of the model that `write` writes */
};

/*
 * `open` takes nothing over: the text must outlive the model.  Call `close` in every case, also
 * with NULL.
 *
 * `copy`: if the pieces cover the network, inputs and outputs of the model stay as they are;
 * otherwise, they are the tensors at the cuts.  `write` is for pieces that cover it, and a plan
 * of the copy.  NEAP_ERROR_FORMAT: the model has parts that cannot be copied, or becomes too
 * large.
 */
struct band_format {
  bool (*is)(const char *text, size_t size, const neap_reading *reading);
  const char *name;   /* in the table of formats */
  const char *target; /* of the plan, unless the reading has one; NULL: none */
  bool holds_plan;    /* which also orders the operators */
  neap_status (*open)(const char *text, size_t size, const neap_reading *reading, void **model,
                      struct band_network *network, neap_error *error);
  void (*close)(void *model);
  neap_status (*read)(const char *text, size_t size, const neap_reading *reading,
                      neap_graph **graph, neap_error *error);
  /* Writes a copy of a model with a plan or, if it cannot hold one, with its order. */
  neap_status (*export)(const neap_plan *plan, const neap_writing *writing, FILE *stream,
                        neap_error *error);
  neap_status (*copy)(const void *model, const struct band_network *network,
                      const struct band_pieces *pieces, struct band_copy *copy,
                      neap_error *error);
  neap_status (*write)(const void *model, const struct band_network *network,
                       const struct band_pieces *pieces, const struct band_copy *copy,
                       const neap_plan *plan, FILE *stream, neap_error *error);
};

#endif
