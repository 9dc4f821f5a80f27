/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune/shares.h"

#include <assert.h>

#include "core/knobs.h"

void shares_init(struct shares *shares, size_t count) {
  assert(count <= SHARES_MOST);
  *shares = (struct shares){.count = count};
  for (size_t way = 0; way < count; way++)
    shares->ways[way].worth = 1;
}

size_t shares_choose(const struct shares *shares) {
  size_t best = shares->count;
  for (size_t way = 0; way < shares->count; way++) {
    if (shares->ways[way].is_closed) continue;
    if (best == shares->count || shares->ways[way].work / shares->ways[way].worth <
                                     shares->ways[best].work / shares->ways[best].worth)
      best = way;
  }
  assert(best == shares->count || shares->ways[best].worth > 0);
  return best;
}

void shares_spend(struct shares *shares, size_t way, double ticks) {
  assert(way < shares->count && ticks >= 0);
  shares->ways[way].work += ticks;
}

void shares_reward(struct shares *shares, size_t rewarded) {
  assert(rewarded < shares->count);
  for (size_t way = 0; way < shares->count; way++) {
    double aim = way == rewarded ? SHARES_WORTH_MOST : 1;
    shares->ways[way].worth += SHARES_PACE * (aim - shares->ways[way].worth);
  }
}
