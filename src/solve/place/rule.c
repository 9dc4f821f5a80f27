/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "place/rule.h"

#include "place/state.h"

static const struct place_rule rules[] = {
    {"lowest", "the lowest free range that is large enough", lowest_choose, false},
    {"drop", "above all buffers that it overlaps in time", drop_choose, false},
    {"tight", "directly above a buffer that nothing placed since overlaps in time, else lowest",
     tight_choose, true},
    {"best-fit", "the smallest gap that is large enough, else on top", best_fit_choose, false},
};

const struct place_rule *place_rule_at(size_t index) {
  return index < sizeof rules / sizeof rules[0] ? &rules[index] : NULL;
}
