/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The offsets that a buffer may have, regardless of other buffers: multiples of its alignment,
 * within its window, such that its bytes are in one bank and none of them is reserved.
 */
#ifndef FACTS_DOMAIN_H
#define FACTS_DOMAIN_H

#include "model/problem.h"

/* Reserved bytes: [low, high). */
struct hole {
  neap_offset low, high;
};

struct domain {
  neap_size size, alignment;           /* alignment >= 1 */
  neap_offset fixed;                   /* the only offset, or NEAP_UNPLACED */
  neap_offset window_low, window_high; /* its bytes are in [low, high) */
  neap_size bank;           /* it is within one [k * bank, (k + 1) * bank); 0: anywhere */
  const struct hole *holes; /* ascending; they neither overlap nor touch */
  size_t hole_count;
};

/*
 * The lowest allowed offset at or above `from` (>= 0), at which the buffer ends at or below
 * NEAP_MAX; NEAP_UNPLACED if there is none.  Time: logarithmic in alignment and bank, plus
 * O(log holes) for each hole skipped.
 */
neap_offset domain_next(const struct domain *domain, neap_offset from);

static inline bool domain_has(const struct domain *domain, neap_offset offset) {
  return domain_next(domain, offset) == offset;
}

/* Whether a domain is just "multiples of the alignment". */
static inline bool domain_is_plain(const struct domain *domain) {
  return domain->fixed == NEAP_UNPLACED && domain->window_low == 0 &&
         domain->window_high == NEAP_MAX && domain->bank == 0 && domain->hole_count == 0;
}

/*
 * The domain of a buffer by its own limits alone, without reserved bytes.  Buffers of size 0 have
 * no bytes that a bank could divide.
 */
struct domain domain_of_limits(const struct neap_problem *problem, size_t buffer);

/* Whether a buffer is alive at some time in a range.  O(log ranges). */
bool domain_is_alive(const struct neap_problem *problem, size_t buffer, neap_range when);

/*
 * The domains of all buffers of a problem without pools.  Buffers of size 0 use no bytes, so
 * only alignment, fixed offset and window apply to them.
 */
struct domains {
  const struct neap_problem *problem;
  struct hole *holes;              /* list after list */
  struct domain_holes *hole_lists; /* per buffer; NULL: no bytes are reserved */
};

/* A list of holes: [begin, end) of domains.holes. */
struct domain_holes {
  size_t begin, end;
};

/*
 * Whether the domain of any buffer is limited by more than alignment and fixed offset.  If not,
 * there is no need to ask for domains.  O(1).
 */
bool domains_matter(const struct neap_problem *problem);

/*
 * `problem` must outlive the domains.  Neighbouring buffers with the same holes share a list, and
 * so do all buffers whose holes are all permanent.  O(log n) time for each range that is reserved
 * during part of the time and while a buffer is alive; O(1) without reserved bytes.
 */
neap_status domains_init(struct domains *domains, const struct neap_problem *problem,
                         neap_error *error);
void domains_clear(struct domains *domains);

/*
 * The domain of a buffer; valid as long as the domains.  Bytes that are reserved without an upper
 * end limit its window, so all holes end below NEAP_MAX.
 */
struct domain domains_of(const struct domains *domains, size_t buffer);

#endif
