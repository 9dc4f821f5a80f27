/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of targets: the runtimes that plans are made for, and the rules by which each of them
 * sizes and aligns what it allocates.  To add a target, add its row.
 */
#ifndef FILES_TARGET_H
#define FILES_TARGET_H

#include "neap/neap-io.h"

struct target {
  const char *name, *summary;
  neap_size alignment;    /* of every offset */
  neap_size unit;         /* every size is rounded up to a multiple of it */
  bool has_byte_elements; /* elements narrower than a byte take a byte each */
  bool
      places_ends; /* inputs and outputs are in the arena, even if a plan does not place them */
  bool allocates_variables; /* unless the plan is to place them */
  bool starts_with_inputs; /* an input that no operator reads is gone when the first one runs */
  bool allocates_unused;   /* tensors that nothing uses */
  bool makes_copies;       /* of bytes that aliases would share */
  bool is_predicted;       /* the allocations of the runtime and its kernels are known */
  const char *scratch_suffix; /* of the scratch file of a model, instead of its extension */
};

/* The first row stands for no target.  NULL past the last. */
const struct target *target_at(size_t index);

/* The row of this name, the first for NULL; NULL if there is none. */
const struct target *target_find(const char *name);

/* The target of a reading; the first row if it has none. */
const struct target *target_of(const neap_reading *reading);

/* Whether a reading leaves variables to the runtime. */
bool target_leaves_variables(const neap_reading *reading);

/*
 * Applies a reading's target to the tensors of a graph, and to `liveness`: the runtime then places
 * unplanned inputs and outputs in the arena, or none if `place_all` is set.  NEAP_ERROR_INPUT: a
 * size or an alignment is too large.  NEAP_ERROR_ARGUMENT: the runtime makes copies that
 * liveness->aliases would save.
 */
neap_status target_apply_graph(neap_graph *graph, const neap_reading *reading,
                               neap_liveness *liveness, neap_error *error);

/* Notes the target of a reading in a problem that was built from such a graph. */
void target_note(neap_problem *problem, const neap_reading *reading);

/* Applies and notes the target in a problem that was not built from a graph. */
neap_status target_apply_problem(neap_problem *problem, const neap_reading *reading,
                                 neap_error *error);

#endif
