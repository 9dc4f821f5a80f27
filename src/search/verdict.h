/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a search for a layout within a capacity has found out. */
#ifndef SEARCH_VERDICT_H
#define SEARCH_VERDICT_H

/*
 * Where one step of a search, such as placing a rectangle, leads.  Running out of memory proves
 * nothing, so it is never reported as a refutation.
 */
enum search_status {
  SEARCH_OPEN,    /* a layout may follow */
  SEARCH_REFUTED, /* no layout can follow */
  SEARCH_MEMORY   /* memory is short; the state can still be undone */
};

/* How a whole search ended. */
enum verdict {
  VERDICT_OPEN,    /* the allowed number of failures is used up: nothing is known */
  VERDICT_FOUND,   /* there is a layout */
  VERDICT_REFUTED, /* there is none */
  VERDICT_STOPPED, /* the run's budget is spent */
  VERDICT_MEMORY   /* memory is short: nothing is known */
};

#endif
