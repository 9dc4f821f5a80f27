/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The search for bands. */
#ifndef MODELS_FIND_BANDS_H
#define MODELS_FIND_BANDS_H

#include "core/budget.h"
#include "models/bands/search.h"
#include "models/needs.h"
#include "models/open.h"

#define POINTS_MAX 16 /* of the curve */

/* A choice, which several pointers below can share; `holders` counts them. */
struct choice {
  size_t holders;
  neap_model_need point;
  struct band_path path;
  struct band_copy copy;
  neap_problem *problem; /* of the plan */
  neap_plan *plan;
};

struct neap_bands {
  const neap_model *source;
  void *model; /* the model, as the format opened it */
  struct band_network network;
  struct band_search search;
  struct band_piece whole;  /* of the model as it is */
  neap_graph *graph;        /* for names */
  neap_options *options;
  struct model_limits splitting;
  struct choice *before;         /* the model as it is */
  struct choice *latest, *after; /* planned last by a search, and the best of the search */
  struct choice *best;           /* of all that have been planned */
  struct choice *points[POINTS_MAX];
  size_t point_count;
  neap_size least_tail;
  bool is_least_work; /* proven: nothing that fits has less work */
  neap_bands_report report;
  neap_bands_progress progress;
  struct budget clock; /* without limits */
};

static inline struct band_pieces choice_pieces(const struct band_path *path) {
  return (struct band_pieces){path->pieces, path->count};
}

/*
 * Like neap_model_bands; but if nothing fits the capacity, returns the choice that needs the fewest
 * bytes, without an error.
 */
neap_status band_find(const neap_model *model, const struct model_limits *limits,
                      neap_bands **bands, neap_error *error);

#endif
