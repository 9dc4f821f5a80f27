/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/empty.h"

#include "model/bodies.h"
#include "model/domain.h"

static neap_offset lowest_of(const struct bodies *bodies, const struct domains *domains,
                             size_t buffer) {
  size_t body = bodies_of(bodies, buffer);
  if (body != BODIES_NONE) return bodies_next(bodies, domains, body, 0) + bodies->inner[buffer];
  struct domain domain = domains_of(domains, buffer);
  return domain_next(&domain, 0);
}

neap_status empty_settle(const struct neap_problem *problem, neap_offset *offsets,
                         neap_error *error) {
  struct bodies bodies;
  struct domains domains;
  neap_status status = bodies_init(&bodies, problem, error);
  if (status != NEAP_OK) return status;
  status = domains_init(&domains, problem, error);
  for (size_t i = 0; i < problem->count && status == NEAP_OK; i++)
    if (problem->buffers[i].size == 0) {
      neap_offset lowest = lowest_of(&bodies, &domains, i);
      /* A body without a place has members with bytes, for which the search finds that out. */
      offsets[i] = lowest < 0 ? 0 : lowest;
    }
  domains_clear(&domains);
  bodies_clear(&bodies);
  return status;
}

neap_offset empty_window(const struct neap_problem *problem) {
  neap_offset most = 0;
  if (!problem->relations || problem->relations->window_count == 0) return 0;
  for (size_t i = 0; i < problem->count; i++)
    if (problem->buffers[i].size == 0 && problem_limits(problem, i)->window_low > most)
      most = problem_limits(problem, i)->window_low;
  return most;
}
