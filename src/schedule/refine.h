/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A local search for an order of operators with a lower peak. */
#ifndef SCHEDULE_REFINE_H
#define SCHEDULE_REFINE_H

#include "schedule/prove.h"

/* Lowers the peak of the order until it is the lower bound or the budget ends.  Proves nothing. */
neap_status refine_order(struct prove_task *task, uint64_t seed, neap_error *error);

#endif
