/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes that a model with its plan needs in one memory or in two. */
#ifndef MODELS_NEEDS_H
#define MODELS_NEEDS_H

#include "neap/models.h"

/* The limits of neap_model_limits, checked and with defaults. */
struct model_limits {
  neap_size capacity; /* negative: none */
  bool is_arena;      /* the capacity and the goal are of the whole arena, not of the peak */
  neap_size second_capacity;
  const char *memories[2];
  int64_t most_millionths;
  bool keep_on_curve;
  bool (*keep_on)(const neap_bands_progress *progress, void *user);
  void *user;
};

/* Reads the limits that a program gives, which may be NULL; `is_fit`: for neap_model_fit. */
neap_status needs_read_limits(const neap_model_limits *given, bool is_fit,
                              struct model_limits *limits, neap_error *error);

/* The needs of a plan with this peak, without work, operators and file. */
neap_model_need needs_point(const neap_problem *problem, neap_size peak);

/*
 * The smallest arena that a lower bound on the peak allows beside a tail, which may be 0; 0: no
 * bound.
 */
neap_size needs_arena_bound(neap_size lower_bound, neap_size tail);

/* The smallest capacity of the first memory that the bound and the tail allow; 0: no bound. */
neap_size needs_capacity_bound(const struct model_limits *splitting, neap_size lower_bound,
                               neap_size tail);

/*
 * The bytes of both memories that a point needs at a place, and how many of them are missing.
 */
void needs_at(const neap_model_need *point, neap_fit_place place, neap_size needs[2]);
neap_size needs_missing(const struct model_limits *splitting, const neap_model_need *point,
                        neap_fit_place place);

/*
 * The place at which least is missing, and the smallest capacity of the first memory that would do.
 */
neap_fit_place needs_place(const struct model_limits *splitting, const neap_model_need *point);
neap_size needs_capacity(const struct model_limits *splitting, const neap_model_need *point);

/*
 * Whether a plan that exceeds the first memory can fit if its tensors are in both; only without a
 * tail.
 */
bool needs_pools(const struct model_limits *splitting, const neap_problem *problem,
                 const neap_report *report);

/*
 * Plans tensors in both memories, which become pools of the problem, and records the bytes of each
 * in the point.  If no such plan is found, *plan is NULL.
 */
neap_status needs_plan_pools(const struct model_limits *splitting, neap_problem *problem,
                             const neap_options *options, neap_plan **plan,
                             neap_model_need *point, neap_error *error);

#endif
