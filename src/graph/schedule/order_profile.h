/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes alive while each operator of an order runs. */
#ifndef SCHEDULE_ORDER_PROFILE_H
#define SCHEDULE_ORDER_PROFILE_H

#include "schedule/costs.h"

struct moment {
  size_t k; /* the position among the operators passed */
  neap_size bytes;
};

/* Passes `count` operators from where the walk is; returns the most bytes. */
neap_size moments_find(struct moment *moments, struct costs_walk *walk, const size_t *order,
                       size_t count);

/* The highest first; of equal ones, the earliest operator. */
void moments_sort(struct moment *moments, size_t count);

#endif
