/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a search for a layout within a capacity came to. */
#ifndef SEARCH_VERDICT_H
#define SEARCH_VERDICT_H

enum verdict {
  VERDICT_OPEN,    /* the allowance of failures is used up: nothing is known */
  VERDICT_FOUND,   /* a layout */
  VERDICT_REFUTED, /* there is none */
  VERDICT_STOPPED, /* the run's budget is spent */
  VERDICT_MEMORY   /* memory is short */
};

#endif
