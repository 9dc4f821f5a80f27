/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums sizes per section by differences: each span adds its size at its first section and
 * subtracts it at its end, and one pass forms the running sums.  O(sections + spans) time.
 * Overlap allowances reduce the sums by what they can save at most, so each load remains a
 * lower bound on the bytes that its section needs.
 */
#include "facts/load_curve.h"

#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"

/* ---------------------------------------------------------------- sums of sizes */

neap_size loads_sum(const struct buffer *buffers, size_t count, const struct sections *sections,
                    loads_measure *measure, const void *context, neap_size *load) {
  for (size_t s = 0; s <= sections->count; s++)
    load[s] = 0;
  size_t span = 0;
  for (size_t i = 0; i < count; i++) {
    if (span == sections->spans_end[i]) continue;
    neap_size size = measure ? measure(&buffers[i], context) : buffers[i].size;
    for (; span < sections->spans_end[i]; span++) {
      load[sections->spans[span].first] += size;
      load[sections->spans[span].end] -= size;
    }
  }
  neap_size sum = 0, most = 0;
  for (size_t s = 0; s < sections->count; s++) {
    load[s] = sum += load[s];
    assert(sum >= 0);
    if (sum > most) most = sum;
  }
  assert(sum + load[sections->count] == 0); /* all spans have ended */
  return most;
}

bool loads_heaviest(const struct neap_problem *problem, const struct sections *sections,
                    uint32_t *section, neap_size *most) {
  neap_size *load = memory_array(sections->count + 1, sizeof *load);
  if (!load) return false;
  *most = loads_sum(problem->buffers, problem->count, sections, NULL, NULL, load);
  for (*section = 0; load[*section] < *most; ++*section)
    continue;
  free(load);
  return true;
}

/* ---------------------------------------------------------------- shared bytes */

/*
 * The bytes that allowances let the buffers of a section share.  If m buffers share a byte, the
 * sum of sizes counts it m times, which is m - 1 times too often.  Say that in each pair that
 * may share bytes, one buffer admits the other.  Then at least m - 1 of the m buffers are
 * admitted by another one of them.  So the bytes saved are at most the sum, over all admitted
 * buffers, of the bytes that their pairs can share, limited by the buffer's size.  There are
 * two such sums: one in which inputs admit outputs, and one in which outputs admit inputs.
 * Both are upper limits, so the smaller one is subtracted.
 */
struct savings {
  const struct neap_problem *problem;
  const struct sections *sections;
  const struct pair_rule **gaps; /* by the admitted buffer */
  size_t count;
  neap_size *used;   /* per section: shared bytes of the current buffer so far */
  neap_size *sums;   /* per section */
  neap_size *others; /* per section: the sum for the other direction */
};

static uint32_t output_of(const struct pair_rule *rule) {
  return rule->second_is_output ? rule->second : rule->first;
}

static uint32_t input_of(const struct pair_rule *rule) {
  return rule->second_is_output ? rule->first : rule->second;
}

static int by_output(const void *left, const void *right) {
  uint32_t a = output_of(*(const struct pair_rule *const *)left);
  uint32_t b = output_of(*(const struct pair_rule *const *)right);
  return a < b ? -1 : a > b;
}

static int by_input(const void *left, const void *right) {
  uint32_t a = input_of(*(const struct pair_rule *const *)left);
  uint32_t b = input_of(*(const struct pair_rule *const *)right);
  return a < b ? -1 : a > b;
}

/* Calls `change` with every section in which both buffers of a gap are alive. */
typedef void change_section(struct savings *savings, const struct pair_rule *rule,
                            neap_size limit, uint32_t section);

static void visit_sections(struct savings *savings, const struct pair_rule *rule,
                           neap_size limit, change_section *change) {
  struct common common = sections_common(savings->sections, rule->first, rule->second);
  struct span run;
  while (common_next(&common, &run))
    for (uint32_t s = run.first; s < run.end; s++)
      change(savings, rule, limit, s);
}

static void add_saving(struct savings *savings, const struct pair_rule *rule, neap_size limit,
                       uint32_t section) {
  const struct buffer *buffers = savings->problem->buffers;
  neap_size bytes =
      pair_rule_saving(rule, buffers[rule->first].size, buffers[rule->second].size);
  neap_size left = limit - savings->used[section];
  if (bytes > left) bytes = left;
  savings->used[section] += bytes;
  savings->sums[section] += bytes;
}

static void forget_use(struct savings *savings, const struct pair_rule *rule, neap_size limit,
                       uint32_t section) {
  (void)rule, (void)limit;
  savings->used[section] = 0;
}

static void sum_savings(struct savings *savings,
                        uint32_t (*let_in)(const struct pair_rule *rule)) {
  for (size_t begin = 0, end; begin < savings->count; begin = end) {
    uint32_t buffer = let_in(savings->gaps[begin]);
    neap_size size = savings->problem->buffers[buffer].size;
    for (end = begin; end < savings->count && let_in(savings->gaps[end]) == buffer; end++)
      visit_sections(savings, savings->gaps[end], size, add_saving);
    for (size_t i = begin; i < end; i++)
      visit_sections(savings, savings->gaps[i], size, forget_use);
  }
}

static void subtract_smaller(const struct savings *savings, neap_size *load) {
  for (size_t s = 0; s < savings->sections->count; s++) {
    neap_size saved =
        savings->sums[s] < savings->others[s] ? savings->sums[s] : savings->others[s];
    load[s] = load[s] > saved ? load[s] - saved : 0;
  }
}

static neap_status subtract_savings(const struct neap_problem *problem,
                                    const struct pair_rules *rules,
                                    const struct sections *sections, neap_size *load,
                                    neap_error *error) {
  struct savings savings = {
      .problem = problem, .sections = sections, .count = rules->gap_count};
  savings.gaps = memory_array(rules->gap_count, sizeof *savings.gaps);
  savings.used = memory_array(sections->count, sizeof *savings.used);
  savings.sums = memory_array(sections->count, sizeof *savings.sums);
  savings.others = memory_array(sections->count, sizeof *savings.others);
  bool has_room = savings.gaps && savings.used && savings.sums && savings.others;
  for (size_t i = 0, listed = 0; has_room && i < rules->count; i++)
    if (rules->items[i].has_gap) savings.gaps[listed++] = &rules->items[i];
  if (has_room) {
    qsort(savings.gaps, savings.count, sizeof *savings.gaps, by_output);
    sum_savings(&savings, output_of);
    neap_size *sums = savings.sums;
    savings.sums = savings.others;
    savings.others = sums;
    qsort(savings.gaps, savings.count, sizeof *savings.gaps, by_input);
    sum_savings(&savings, input_of);
    subtract_smaller(&savings, load);
  }
  free(savings.gaps);
  free(savings.used);
  free(savings.sums);
  free(savings.others);
  return has_room ? NEAP_OK : error_memory(error);
}

neap_status loads_find(const struct neap_problem *problem, const struct pair_rules *rules,
                       const struct sections *sections, neap_size *load, neap_error *error) {
  loads_sum(problem->buffers, problem->count, sections, NULL, NULL, load);
  return rules->gap_count > 0 ? subtract_savings(problem, rules, sections, load, error)
                              : NEAP_OK;
}
