/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune/rearrange.h"

static const struct rearranger rearrangers[] = {
    {"auto",
     "try all orders of tiny groups; in others use offenders, then search once orders repeat",
     auto_propose, true},
    {"offenders", "move the buffers that end above the bound to the front", offenders_propose,
     false},
    {"top", "move the buffer that ends highest to the front", top_propose, false},
    {"metrics", "sort the group by one metric after another", metrics_propose, true},
    {"search", "swap or move buffers at random in the best order so far", search_propose, true},
    {"exact",
     "take the order, bottom up, of the group's lowest layout found by exact search; then auto",
     exact_propose, true},
    {"exhaustive", "try all orders one by one, up to --max-group-rounds", exhaustive_propose,
     false},
};

const struct rearranger *rearranger_at(size_t index) {
  return index < sizeof rearrangers / sizeof rearrangers[0] ? &rearrangers[index] : NULL;
}

/* Offenders have settled once they repeat an order; then search takes over. */
enum proposal auto_propose(const struct trial *trial, size_t *next) {
  if (exhaustive_fits(trial)) return exhaustive_propose(trial, next);
  return trial->repeated ? search_propose(trial, next) : offenders_propose(trial, next);
}
