/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Buffers that banks of one size separate pairwise need banks of their own, whether they are alive
 * together or not:
 *
 *     banks  |0           |1           |2           |
 *            |a           |bbbb        |c           |    a, b and c, by banks of 12 bytes
 *             <-------- 2 * 12 --------><> the size of the topmost
 *
 * A buffer touches at least its size / bank banks, rounded up.  Its bytes are contiguous, so
 * whichever buffer is the topmost begins above all banks that the others touch.  Where it may end
 * follows from its own limits, and the peak is at least the lowest of these ends.
 *
 * A separation of several buffers is stored as pairs, so the cliques must be found again.  A pair
 * that is in no clique yet grows by one buffer after another that is separated from all members.
 * This finds the list that the pair came from, unless lists share pairs or close triangles.  The
 * number of steps is limited; after that, pairs stay pairs.
 */
#include "facts/bank_cliques.h"

#include <stdlib.h>

#include "core/bisection.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "core/sort.h"
#include "facts/domain.h"

/* A separation, as seen from one of its buffers.  Both have bytes. */
struct link {
  neap_size bank;
  uint32_t from, to;
};

struct cliques {
  const struct neap_problem *problem;
  struct domains domains;
  struct link *links; /* by bank, from and to; each once */
  size_t count;
  bool *is_covered;      /* per link with from < to: whether it is in a clique */
  size_t *begins, *ends; /* per buffer: its links of the bank at hand */
  uint32_t *members;     /* of one clique */
  size_t member_count;
  uint32_t *rest; /* ascending: buffers that are separated from all members */
  size_t rest_count;
  size_t steps; /* left for cliques of more than two */
};

/* ---------------------------------------------------------------- links */

static int compare_links(const void *left, const void *right) {
  const struct link *a = left, *b = right;
  if (a->bank != b->bank) return a->bank < b->bank ? -1 : 1;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  return (a->to > b->to) - (a->to < b->to);
}

/* The next separation after `relation` of buffers that both have bytes. */
static const neap_relation *next_pair(const struct neap_problem *problem,
                                      const neap_relation *relation) {
  const struct buffer *buffers = problem->buffers;
  do
    relation = problem_next_relation(problem, RELATION_BANKS, relation);
  while (relation &&
         (buffers[relation->first].size == 0 || buffers[relation->second].size == 0));
  return relation;
}

static void add_link(struct cliques *cliques, struct link link) {
  cliques->links[cliques->ends[link.from]++] = link;
}

/* Makes room for the links of each buffer; returns their number. */
static size_t begin_groups(struct cliques *cliques) {
  size_t count = 0;
  for (size_t i = 0; i < cliques->problem->count; i++) {
    cliques->ends[i] = count;
    count += cliques->begins[i];
  }
  return count;
}

/* Lists the links by `from`; returns their number. */
static size_t group_links(struct cliques *cliques) {
  const struct neap_problem *problem = cliques->problem;
  const neap_relation *relation = NULL;
  while ((relation = next_pair(problem, relation))) {
    cliques->begins[relation->first]++;
    cliques->begins[relation->second]++;
  }
  size_t count = begin_groups(cliques);
  while ((relation = next_pair(problem, relation))) {
    uint32_t first = (uint32_t)relation->first, second = (uint32_t)relation->second;
    add_link(cliques, (struct link){relation->bytes, first, second});
    add_link(cliques, (struct link){relation->bytes, second, first});
  }
  return count;
}

static bool are_sorted(const struct link *links, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (compare_links(&links[i - 1], &links[i]) > 0) return false;
  return true;
}

/*
 * Groups the links by `from`, then their mirrors: every link has one, so this sorts the links by
 * both ends.  Only banks of several sizes need another sort.
 */
static bool list_links(struct cliques *cliques) {
  size_t count = group_links(cliques);
  struct link *grouped = cliques->links, *links = memory_array(count, sizeof *links);
  if (!links) return false;
  cliques->links = links;
  begin_groups(cliques);
  for (size_t i = 0; i < count; i++)
    add_link(cliques, (struct link){grouped[i].bank, grouped[i].to, grouped[i].from});
  free(grouped);
  if (!are_sorted(links, count)) qsort(links, count, sizeof *links, compare_links);
  for (size_t i = 0; i < count; i++)
    if (i == 0 || compare_links(&links[cliques->count - 1], &links[i]) != 0)
      links[cliques->count++] = links[i];
  return true;
}

/* Finds the links of each buffer among those of one bank, from `at` on; returns their end. */
static size_t index_bank(struct cliques *cliques, size_t at) {
  const struct link *links = cliques->links;
  size_t end = at;
  for (; end < cliques->count && links[end].bank == links[at].bank; end++) {
    if (end == at || links[end].from != links[end - 1].from)
      cliques->begins[links[end].from] = end;
    cliques->ends[links[end].from] = end + 1;
  }
  return end;
}

/* The first link of `from`, at or after `low`, that leads to `to` or a later buffer. */
static size_t find_link(const struct cliques *cliques, uint32_t from, size_t low, uint32_t to) {
  struct bisection search = bisection_of(low, cliques->ends[from]);
  while (bisection_open(&search))
    bisection_step(&search, cliques->links[search.middle].to < to);
  return search.low;
}

/* ---------------------------------------------------------------- cliques */

/* Drops from the rest the new member and the buffers that are not separated from it. */
static void take_in(struct cliques *cliques, uint32_t member) {
  size_t kept = 0, at = cliques->begins[member];
  cliques->members[cliques->member_count++] = member;
  cliques->steps -= cliques->rest_count < cliques->steps ? cliques->rest_count : cliques->steps;
  for (size_t i = 0; i < cliques->rest_count; i++) {
    uint32_t other = cliques->rest[i];
    at = find_link(cliques, member, at, other);
    if (at < cliques->ends[member] && cliques->links[at].to == other)
      cliques->rest[kept++] = other;
  }
  cliques->rest_count = kept;
}

/* Begins with the buffer of a pair that has fewer links, because the others are tried. */
static void begin(struct cliques *cliques, struct link link) {
  const size_t *begins = cliques->begins, *ends = cliques->ends;
  bool is_first = ends[link.from] - begins[link.from] <= ends[link.to] - begins[link.to];
  uint32_t few = is_first ? link.from : link.to;
  cliques->rest_count = 0;
  for (size_t i = begins[few]; i < ends[few] && cliques->steps > 0; i++)
    cliques->rest[cliques->rest_count++] = cliques->links[i].to;
  cliques->members[0] = few;
  cliques->member_count = 1;
  take_in(cliques, is_first ? link.to : link.from);
}

/* Makes a clique of a pair, to which no buffer can be added unless the steps run out. */
static void grow(struct cliques *cliques, struct link link) {
  begin(cliques, link);
  while (cliques->rest_count > 0 && cliques->steps > 0)
    take_in(cliques, cliques->rest[0]);
}

static void cover(struct cliques *cliques) {
  for (size_t a = 0; a < cliques->member_count; a++)
    for (size_t b = 0; b < cliques->member_count; b++) {
      uint32_t one = cliques->members[a], two = cliques->members[b];
      if (one < two)
        cliques->is_covered[find_link(cliques, one, cliques->begins[one], two)] = true;
    }
}

/* ---------------------------------------------------------------- heights */

static neap_size banks_of(const struct cliques *cliques, uint32_t buffer, neap_size bank) {
  return bank_cliques_touch(cliques->problem->buffers[buffer].size, bank);
}

/* The lowest end of a buffer above so many banks; NEAP_MAX: it cannot be there. */
static neap_size end_above(const struct cliques *cliques, uint32_t buffer, neap_size bank,
                           neap_size banks) {
  neap_offset from;
  if (!checked_mul(bank, banks, &from)) return NEAP_MAX;
  struct domain domain = domains_of(&cliques->domains, buffer);
  neap_offset offset = domain_next(&domain, from);
  return offset == NEAP_UNPLACED ? NEAP_MAX : offset + domain.size;
}

/* The least peak of a clique.  The sum of all sizes fits, and so does that of their banks. */
static neap_size height_of(const struct cliques *cliques, neap_size bank) {
  neap_size banks = 0, least = NEAP_MAX;
  for (size_t i = 0; i < cliques->member_count; i++)
    banks += banks_of(cliques, cliques->members[i], bank);
  for (size_t i = 0; i < cliques->member_count; i++) {
    uint32_t top = cliques->members[i];
    neap_size below = banks - banks_of(cliques, top, bank);
    least = smaller_of(least, end_above(cliques, top, bank, below));
  }
  return least;
}

/* ---------------------------------------------------------------- all of them */

static bool cliques_init(struct cliques *cliques, size_t relations) {
  size_t buffers = cliques->problem->count;
  cliques->links = memory_array(2 * relations, sizeof *cliques->links);
  cliques->is_covered = memory_array(2 * relations, sizeof *cliques->is_covered);
  cliques->begins = memory_array(buffers, sizeof *cliques->begins);
  cliques->ends = memory_array(buffers, sizeof *cliques->ends);
  cliques->members = memory_array(buffers, sizeof *cliques->members);
  cliques->rest = memory_array(buffers, sizeof *cliques->rest);
  return cliques->links && cliques->is_covered && cliques->begins && cliques->ends &&
         cliques->members && cliques->rest;
}

static void cliques_clear(struct cliques *cliques) {
  domains_clear(&cliques->domains);
  free(cliques->links);
  free(cliques->is_covered);
  free(cliques->begins);
  free(cliques->ends);
  free(cliques->members);
  free(cliques->rest);
}

/* The greatest height of a clique; stops at the first to reach the target, left in `members`. */
static neap_size highest(struct cliques *cliques, neap_size target, neap_size *bank) {
  neap_size most = 0;
  for (size_t i = 0, end = 0; i < cliques->count && most < target; i++) {
    struct link link = cliques->links[i];
    if (i == end) end = index_bank(cliques, i);
    if (link.from > link.to || cliques->is_covered[i]) continue;
    grow(cliques, link);
    cover(cliques);
    most = larger_of(most, height_of(cliques, link.bank));
    *bank = link.bank;
  }
  return most;
}

/* Domains do not know pools, so the reserved bytes of a pool are ignored. */
static neap_status find(struct cliques *cliques, neap_size target, neap_size *most,
                        neap_size *bank, neap_error *error) {
  const struct neap_problem *problem = cliques->problem;
  size_t relations = problem_count_relations(problem, RELATION_BANKS);
  *most = 0;
  if (relations == 0 || problem_pool_count(problem) > 1) return NEAP_OK;
  neap_status status = cliques_init(cliques, relations) ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK && problem_pool_count(problem) == 0)
    status = domains_init(&cliques->domains, problem, error);
  if (status == NEAP_OK && !list_links(cliques)) status = error_memory(error);
  if (status != NEAP_OK) return status;
  cliques->steps = BANK_CLIQUE_STEPS * cliques->count;
  *most = highest(cliques, target, bank);
  return NEAP_OK;
}

neap_status bank_cliques_raise(const struct neap_problem *problem, neap_size *least,
                               neap_error *error) {
  struct cliques cliques = {.problem = problem, .domains = {.problem = problem}};
  neap_size most, bank;
  neap_status status = find(&cliques, NEAP_MAX, &most, &bank, error);
  *least = larger_of(*least, most);
  cliques_clear(&cliques);
  return status;
}

neap_status bank_cliques_find(const struct neap_problem *problem, neap_size target,
                              struct bank_clique *clique, neap_error *error) {
  struct cliques cliques = {.problem = problem, .domains = {.problem = problem}};
  neap_size most;
  *clique = (struct bank_clique){0};
  neap_status status = find(&cliques, target, &most, &clique->bank, error);
  if (status == NEAP_OK && most > 0 && most >= target) {
    clique->count = cliques.member_count;
    clique->members = cliques.members;
    cliques.members = NULL;
    qsort(clique->members, clique->count, sizeof *clique->members, sort_by_number);
  }
  cliques_clear(&cliques);
  return status;
}
