/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A lower bound on the cost of any assignment: the cost of the units that single columns must
 * give up.
 */
#ifndef POOLS_POOL_COVER_H
#define POOLS_POOL_COVER_H

#include "pools/pool_columns.h"

/* Sets *bound, to 0 if computing it would be too much work.  False if memory runs out. */
bool pool_cover_bound(const struct units *units, const struct pool_columns *columns,
                      neap_size *bound);

#endif
