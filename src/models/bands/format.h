/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions by which a format supports bands. */
#ifndef MODELS_BANDS_FORMAT_H
#define MODELS_BANDS_FORMAT_H

#include <stdio.h>

#include "neap/neap-io.h"
#include "models/bands/rewrite.h"

/* A copy of a model in which some pieces are computed in bands, made for measuring. */
struct band_copy {
  char *bytes; /* released with free() */
  size_t size, operators;
  neap_size file_bytes; /* of the file that `write` writes */
};

/*
 * `open` does not copy the text, which must outlive the model.  Call `close` in every case, also
 * with NULL.
 *
 * `copy`: if the pieces cover the network, inputs and outputs of the model stay as they are;
 * otherwise, the tensors at the cuts take their place.  `write` needs pieces that cover it, and
 * a plan of the copy.  NEAP_ERROR_FORMAT: the model has parts that cannot be copied, or becomes too
 * large.
 */
struct band_format {
  bool (*is)(const char *text, size_t size, const neap_reading *reading);
  const char *name;   /* in the table of formats */
  const char *target; /* to plan for, unless the reading has one; NULL: none */
  bool holds_plan;    /* the model can hold a plan, not only an order */
  neap_status (*open)(const char *text, size_t size, const neap_reading *reading, void **model,
                      struct band_network *network, neap_error *error);
  void (*close)(void *model);
  neap_status (*read)(const char *text, size_t size, const neap_reading *reading,
                      neap_graph **graph, neap_error *error);
  /* Writes a copy of a model with a plan or, if the format cannot hold one, with its order. */
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
