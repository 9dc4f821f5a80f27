/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The distinct layouts of a sweep, for the panels of its chart. */
#ifndef CLI_SWEEP_LAYOUTS_H
#define CLI_SWEEP_LAYOUTS_H

#include <neap/neap-io.h>

#include "cli/sweep_design.h"

#define LAYOUTS_MAX (2 * NEAP_PANELS_MAX)
#define LAYOUT_NAME 320

struct layout {
  neap_plan *plan;
  size_t more; /* further settings with this layout, which the name omits */
  char name
      [LAYOUT_NAME]; /* "max-rounds 5, 10"; only the values if they are long or of two options */
};

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
 * Completes the names and fills `panels`, with the first, the last and others evenly spread if
 * there are too many.  Returns their number; call it once.
 */
size_t layouts_panels(struct layouts *layouts, neap_panel panels[NEAP_PANELS_MAX]);

#endif
