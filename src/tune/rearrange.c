/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune/rearrange.h"

#include <string.h>

static const struct rearranger rearrangers[] = {
    {"auto", "all orders of tiny groups; else offenders, and search once they repeat",
     auto_propose, true},
    {"offenders", "those that end above the bound first, otherwise as they were",
     offenders_propose, false},
    {"top", "the one that ends highest first, otherwise as they were", top_propose, false},
    {"metrics", "sorted by one metric after the other", metrics_propose, true},
    {"search", "the best order so far with one or two members moved at random", search_propose,
     true},
    {"exact", "as in the group's lowest layout by exact search, from the bottom up; then auto",
     exact_propose, true},
    {"exhaustive", "all orders, one after the other, up to the cap", exhaustive_propose, false},
};

const struct rearranger *rearranger_at(size_t index) {
  return index < sizeof rearrangers / sizeof rearrangers[0] ? &rearrangers[index] : NULL;
}

const struct rearranger *rearranger_find(const char *name) {
  for (size_t i = 0; i < sizeof rearrangers / sizeof rearrangers[0]; i++)
    if (strcmp(rearrangers[i].name, name) == 0) return &rearrangers[i];
  return NULL;
}

/*
 * Whether offenders have settled shows in the last proposal: it came out as one tried before.
 */
bool auto_propose(const struct trial *trial, size_t *next) {
  if (exhaustive_fits(trial)) return exhaustive_propose(trial, next);
  return trial->repeated || !offenders_propose(trial, next) ? search_propose(trial, next)
                                                            : true;
}
