/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of rearrangers (doc/tuner.md, R25 and A10), and the one that combines others. */
#include "tune/rearrange.h"

#include <assert.h>

static const struct rearranger rearrangers[] = {
    {.name = "repack",
     .summary =
         "take groups out of the layout and put them back lower by exact search, in turns with "
         "auto",
     .repacks = true},
    {.name = "auto",
     .summary = "try all orders of tiny groups; in others use offenders, then search once "
                "orders repeat",
     .propose = auto_propose,
     .goes_on = true},
    {.name = "offenders",
     .summary = "move the buffers that end above the bound to the front",
     .propose = offenders_propose},
    {.name = "top",
     .summary = "move the buffer that ends highest to the front",
     .propose = top_propose},
    {.name = "metrics",
     .summary = "sort the group by one metric after another",
     .propose = metrics_propose,
     .goes_on = true},
    {.name = "search",
     .summary = "swap or move buffers at random in the best order so far",
     .propose = search_propose,
     .goes_on = true},
    {.name = "exact",
     .summary = "order the group bottom up, as in its lowest layout, found by exact search; "
                "then auto",
     .propose = exact_propose,
     .goes_on = true},
    {.name = "exhaustive",
     .summary = "try all orders one by one, up to max-group-rounds",
     .propose = exhaustive_propose},
};

const struct rearranger *rearranger_at(size_t index) {
  return index < sizeof rearrangers / sizeof rearrangers[0] ? &rearrangers[index] : NULL;
}

size_t rearranger_index_of_orders(void) {
  assert(rearrangers[1].propose == auto_propose);
  return 1;
}

/* When the offenders repeat an order, they have converged; then the search continues. */
enum proposal auto_propose(const struct trial *trial, size_t *next) {
  if (exhaustive_fits(trial)) return exhaustive_propose(trial, next);
  return trial->repeated ? search_propose(trial, next) : offenders_propose(trial, next);
}
