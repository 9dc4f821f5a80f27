/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The signs of limits and relations in a drawing: reserved bytes, banks, bytes that two buffers
 * alive together may share, bodies of colocated buffers, and the limits that a plan breaks.
 */
#ifndef VIZ_LAYOUT_SIGNS_H
#define VIZ_LAYOUT_SIGNS_H

#include "plan/plan.h"
#include "viz/layout/constraint_text.h"
#include "viz/layout/label_obstacles.h"
#include "viz/layout/soundness.h"
#include "viz/svg/frame.h"

/* Bytes that two buffers share while both are alive, as a relation allows. */
struct signs_share {
  size_t first, second;
  bool by_overlap; /* otherwise by an exclusion */
  neap_range when; /* the first time */
  neap_offset low, high;
};

/* The smallest rectangle around colocated buffers. */
struct signs_body {
  size_t first; /* the first buffer in it */
  size_t count; /* at least two */
  neap_offset low, high;
  neap_range when;
};

#define SIGNS_PIN 600 /* the side of the mark of a fixed offset */

struct signs {
  const struct neap_plan *plan;
  struct relation_index bonds;
  const struct relation_faults *broken;
  struct signs_share *shares;
  size_t share_count;
  struct signs_body *bodies;
  size_t body_count;
  neap_size bank;                    /* the smallest bank of any buffer; 0: no buffer has one */
  bool has_overlaps, has_exclusions; /* among the shares */
  bool has_fixed;                    /* any buffer has a fixed offset */
  bool *is_unnamed;                  /* per buffer: a share has its name; NULL: all false */
};

/* O(n log n), O(1) for a plan without relations.  Zeroed signs may be cleared. */
neap_status signs_init(struct signs *signs, const struct neap_plan *plan,
                       const struct soundness *soundness, neap_error *error);
void signs_clear(struct signs *signs);

/* Whether there is anything to draw, or to explain in a legend. */
bool signs_any(const struct signs *signs);

/* The relations for titles; NULL: there are none. */
static inline const struct relation_index *signs_bonds(const struct signs *signs) {
  return signs->plan->problem->relations ? &signs->bonds : NULL;
}

/* The end of the highest reserved bytes of a pool; 0: there are none. */
neap_offset signs_reserved_top(const struct signs *signs, size_t pool);

/* Whether lines at the banks would be visible and far enough apart on an axis. */
bool signs_show_banks(const struct signs *signs, const struct axis *up);

/* Where signs are drawn: the axes of a panel, and the pool that it shows (0 without pools). */
struct surface {
  struct svg *svg;
  const struct axis *across, *up;
  size_t pool;
  struct label_obstacles *keepouts; /* also gets words and pins; NULL for the ground */
};

/* Draws what lies below the buffers: reserved bytes and banks. */
void signs_draw_ground(const struct signs *signs, const struct surface *surface,
                       const struct frame *frame);

/* Draws what lies above the buffers: shared bytes, bodies, and broken limits and relations. */
void signs_draw(const struct signs *signs, const struct surface *surface);

#endif
