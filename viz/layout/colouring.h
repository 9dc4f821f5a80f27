/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the colours of a plan's rectangles mean.  Every buffer belongs to one of a few classes;
 * each class has a colour of its own and an entry in the legend.
 */
#ifndef VIZ_LAYOUT_COLOURING_H
#define VIZ_LAYOUT_COLOURING_H

#include "plan/plan.h"
#include "viz/svg/label.h"

#define COLOURING_MAX 10 /* classes */

enum colouring_scale {
  COLOURING_RISK,   /* the class numbers are those of neap_risk */
  COLOURING_GROUPS, /* the group with most bytes first; the last may hold all others */
  COLOURING_RAMP    /* from small to large, then buffers without the quantity */
};

struct colouring_class {
  char label[LABEL_BYTES];
  size_t count; /* buffers */
};

struct colouring {
  const char *title; /* "risk", "operator", ... */
  enum colouring_scale scale;
  size_t count;  /* classes; 0 only where there are no buffers */
  size_t steps;  /* of COLOURING_RAMP: the number of classes of the ramp, at least 1 */
  size_t others; /* the class of all smaller groups; SIZE_MAX: none */
  struct colouring_class classes[COLOURING_MAX];
  char note[128];    /* explains the classes where the title does not; or "" */
  unsigned char *of; /* the class of each buffer */
};

/* The property to colour by, and the number of colours. */
struct colouring_wish {
  const char *by; /* a name that neap_colouring_at lists; NULL is "auto" */
  size_t most;    /* classes of COLOURING_GROUPS and COLOURING_RAMP, 2 .. COLOURING_MAX */
  bool sound;     /* "auto" shows risk only for a sound plan */
};

/* Returns NEAP_ERROR_ARGUMENT if there is no such colouring; NULL is "auto". */
neap_status colouring_check(const char *by, neap_error *error);

/*
 * Returns NEAP_ERROR_ARGUMENT if there is no such colouring.  O(n) time and memory.  Zeroed
 * colourings may be cleared.
 */
neap_status colouring_init(struct colouring *colouring, const struct neap_plan *plan,
                           const struct colouring_wish *wish, neap_error *error);
void colouring_clear(struct colouring *colouring);

/* The place of a class, one of the steps, on a ramp of five colours: 0 .. 4. */
size_t colouring_step(const struct colouring *colouring, size_t class);

/* The name of a class in style sheets: "high", "group3", "ramp0", "rest0". */
const char *colouring_style(const struct colouring *colouring, size_t class);

#endif
