/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The distinct layouts of a sweep, for the panels of its chart. */
#ifndef CLI_EXPERIMENT_LAYOUTS_H
#define CLI_EXPERIMENT_LAYOUTS_H

#include "neap-tool.h"
#include <neap/neap-io.h>
#include <stdbool.h>

#include "cli/experiment/design.h"

#define LAYOUTS_MAX (2 * NEAP_PANELS_MAX)
#define LAYOUT_NAME 320

#define LAYOUT_SPANS 3

/* A run of consecutive settings. */
struct layout_span {
  size_t first, last;
};

struct layout {
  neap_plan *plan;
  struct layout_span spans[LAYOUT_SPANS]; /* of the settings with this layout, the first ones */
  size_t span_count, runs;
  char name
      [LAYOUT_NAME]; /* "max-rounds 4-10 (7 runs)"; without the option if that is too long */
};

/* Whether two plans of one problem have the same offsets. */
bool layout_is_same(const neap_plan *one, const neap_plan *other);

struct layouts {
  struct layout list[LAYOUTS_MAX];
  size_t count;
};

/*
 * Adds the layout of a setting and takes ownership of the plan.  Settings are added in their
 * order.  When there are too many layouts, every other one is dropped.
 */
void layouts_add(struct layouts *layouts, const struct design *design, size_t setting,
                 neap_plan *plan);
void layouts_clear(struct layouts *layouts);

/*
 * Writes the names and fills `panels`, with the first, the last and others evenly spread if
 * there are too many.  Returns their number; call it once.
 */
size_t layouts_panels(struct layouts *layouts, const struct design *design,
                      neap_panel panels[NEAP_PANELS_MAX]);

#endif
