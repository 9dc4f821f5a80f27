/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/output/relation_facts.h"

#include <inttypes.h>
#include <string.h>

#include "cli/output/json.h"
#include "cli/output/number_text.h"
#include "neap-tool.h"

/* ---------------------------------------------------------------- counting */

/* How many buffers have a limit of each kind. */
struct limit_counts {
  size_t windows, banks, near;
};

static struct limit_counts count_limits(const neap_problem *problem) {
  struct limit_counts counts = {0};
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  for (size_t i = 0; neap_problem_buffer_at(problem, i, &buffer); i++) {
    counts.windows += buffer.window_low > 0 || buffer.window_high < NEAP_MAX;
    counts.banks += buffer.bank > 0;
    counts.near += buffer.near_offset != NEAP_UNPLACED;
  }
  return counts;
}

size_t relation_facts_count(const neap_problem *problem) {
  size_t count = 0;
  for (int kind = 0; kind < NEAP_RELATION_KIND_COUNT; kind++)
    count += neap_problem_relation_count(problem, (neap_relation_kind)kind);
  return count;
}

/* How many buffers may be in a pool. */
static size_t count_candidates(const neap_problem *problem, size_t pool) {
  size_t count = 0;
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  for (size_t i = 0; neap_problem_buffer_at(problem, i, &buffer); i++) {
    bool may = buffer.pool_count == 0;
    for (size_t p = 0; p < buffer.pool_count; p++)
      may = may || buffer.pools[p] == pool;
    count += may;
  }
  return count;
}

struct reserved_sum {
  size_t ranges;
  neap_size bytes; /* NEAP_MAX: a range has no end */
};

static struct reserved_sum sum_reserved(const neap_problem *problem) {
  struct reserved_sum sum = {0};
  neap_reserved reserved = NEAP_INIT(neap_reserved);
  for (; neap_problem_reserved_at(problem, sum.ranges, &reserved); sum.ranges++) {
    neap_size bytes = reserved.high - reserved.low;
    bool ends = reserved.high < NEAP_MAX && bytes <= NEAP_MAX - sum.bytes;
    sum.bytes = ends ? sum.bytes + bytes : NEAP_MAX;
  }
  return sum;
}

static bool has_pools(const neap_problem *problem) {
  neap_pool pool = NEAP_INIT(neap_pool);
  return neap_problem_pool_at(problem, 0, &pool);
}

/* Whether the terms of the objective matter, or are not in their default order. */
static bool has_objective(const neap_problem *problem, const neap_term *order) {
  bool matters = has_pools(problem) || count_limits(problem).near > 0 ||
                 neap_problem_relation_count(problem, NEAP_REUSE_PENALTY) > 0;
  for (int i = 0; i < NEAP_TERM_COUNT; i++)
    matters = matters || order[i] != (neap_term)i;
  return matters;
}

/* ---------------------------------------------------------------- for people */

static void print_count(FILE *stream, const char *label, int label_width, size_t count,
                        const char *noun) {
  char text[FIGURE_SIZE];
  if (count > 0)
    fprintf(stream, "%-*s%s\n", label_width, label, figure_count(text, count, noun));
}

static void print_relations(FILE *stream, const neap_problem *problem, int label_width) {
  const char *between = "";
  if (relation_facts_count(problem) == 0) return;
  fprintf(stream, "%-*s", label_width, "relations");
  for (int kind = 0; kind < NEAP_RELATION_KIND_COUNT; kind++) {
    size_t count = neap_problem_relation_count(problem, (neap_relation_kind)kind);
    if (count == 0) continue;
    neap_relation_words words = neap_relation_kind_words((neap_relation_kind)kind);
    fprintf(stream, "%s%zu %s", between, count, count == 1 ? words.one : words.several);
    between = ", ";
  }
  fputc('\n', stream);
}

static void print_pools(FILE *stream, const neap_problem *problem, int label_width) {
  neap_pool pool = NEAP_INIT(neap_pool);
  for (size_t i = 0; neap_problem_pool_at(problem, i, &pool); i++) {
    char name[FIGURE_NAME_SIZE], bytes[FIGURE_SIZE], count[FIGURE_SIZE];
    fprintf(stream, "%-*s%s: %s, for %s\n", label_width, i == 0 ? "pools" : "",
            figure_name(name, pool.name),
            pool.capacity < 0 ? "unlimited" : figure_bytes(bytes, pool.capacity),
            figure_count(count, count_candidates(problem, i), "buffer"));
  }
}

static void print_reserved(FILE *stream, const neap_problem *problem, int label_width) {
  char ranges[FIGURE_SIZE], bytes[FIGURE_SIZE];
  struct reserved_sum sum = sum_reserved(problem);
  if (sum.ranges == 0) return;
  fprintf(stream, "%-*s%s", label_width, "reserved", figure_count(ranges, sum.ranges, "range"));
  if (sum.bytes < NEAP_MAX) fprintf(stream, ", %s", figure_bytes(bytes, sum.bytes));
  fputc('\n', stream);
}

static void print_objective(FILE *stream, const neap_problem *problem, int label_width) {
  neap_term order[NEAP_TERM_COUNT];
  neap_problem_objective(problem, order);
  if (!has_objective(problem, order)) return;
  fprintf(stream, "%-*s", label_width, "objective");
  for (int i = 0; i < NEAP_TERM_COUNT; i++)
    fprintf(stream, "%s%s", i > 0 ? ", " : "", neap_term_name(order[i]));
  fputc('\n', stream);
}

void relation_facts_print(FILE *stream, const neap_problem *problem, int label_width) {
  struct limit_counts counts = count_limits(problem);
  print_relations(stream, problem, label_width);
  print_count(stream, "windows", label_width, counts.windows, "buffer");
  print_count(stream, "banks", label_width, counts.banks, "buffer");
  print_count(stream, "near", label_width, counts.near, "earlier offset");
  print_pools(stream, problem, label_width);
  print_reserved(stream, problem, label_width);
  print_objective(stream, problem, label_width);
}

/* "cost 12, no plan gets below 7" */
static void print_cost(const char *label, int label_width, const char *cost, neap_size paid,
                       neap_size least) {
  printf("%-*s%s", label_width, label, cost);
  if (paid > 0 && least == paid) fputs(", proven to be least", stdout);
  else if (least > 0 && least < paid) printf(", no plan gets below %" PRId64, least);
  putchar('\n');
}

static void print_plan_pools(const neap_plan *plan, int label_width) {
  neap_pool_report report = NEAP_INIT(neap_pool_report);
  for (size_t i = 0; neap_plan_pool_at(plan, i, &report); i++) {
    neap_pool pool = NEAP_POOL_INIT;
    char name[FIGURE_NAME_SIZE], count[FIGURE_SIZE], bytes[FIGURE_SIZE];
    neap_problem_pool_at(neap_plan_problem(plan), i, &pool);
    printf("%-*s%s: %s, peak %s", label_width, i == 0 ? "pools" : "",
           figure_name(name, pool.name), figure_count(count, report.buffers, "buffer"),
           figure_bytes(bytes, report.peak));
    printf(", bound %s", figure_bytes(bytes, report.bound));
    fputs(figure_lower_bound(bytes, report.bound, report.lower_bound), stdout);
    if (pool.capacity >= report.peak)
      printf(", %s free", figure_bytes(bytes, pool.capacity - report.peak));
    putchar('\n');
  }
}

/* "overlap  480 bytes, shared by 3 pairs of buffers; the most, 320 bytes, by a and b" */
static void print_overlap(const neap_plan *plan, int label_width) {
  const neap_problem *problem = neap_plan_problem(plan);
  char text[FIGURE_SIZE], first[FIGURE_NAME_SIZE], second[FIGURE_NAME_SIZE];
  neap_overlap overlap = NEAP_INIT(neap_overlap), most = NEAP_INIT(neap_overlap);
  neap_buffer one = NEAP_INIT(neap_buffer), other = NEAP_INIT(neap_buffer);
  neap_report report = NEAP_INIT(neap_report);
  size_t count = 0;
  for (; neap_plan_overlap_at(plan, count, &overlap); count++)
    if (overlap.high - overlap.low > most.high - most.low) most = overlap;
  neap_plan_report(plan, &report);
  printf("%-*s%s", label_width, "overlap", figure_bytes(text, report.costs.overlapped_bytes));
  if (count == 0) {
    putchar('\n');
    return;
  }
  neap_problem_buffer_at(problem, most.first, &one);
  neap_problem_buffer_at(problem, most.second, &other);
  if (count == 1) fputs(", shared by ", stdout);
  else
    printf(", shared by %zu pairs of buffers; the most, %s, by ", count,
           figure_bytes(text, most.high - most.low));
  printf("%s and %s\n", figure_name(first, one.name), figure_name(second, other.name));
}

void relation_facts_print_plan(const neap_plan *plan, int label_width) {
  const neap_problem *problem = neap_plan_problem(plan);
  neap_report report = NEAP_INIT(neap_report);
  char text[FIGURE_SIZE];
  neap_plan_report(plan, &report);
  print_plan_pools(plan, label_width);
  if (has_pools(problem))
    print_cost("spilled", label_width, figure_bytes(text, report.costs.spilled_bytes),
               report.costs.spilled_bytes, report.costs.spilled_lower_bound);
  if (neap_problem_relation_count(problem, NEAP_REUSE_PENALTY) > 0) {
    snprintf(text, sizeof text, "cost %" PRId64, report.costs.reuse);
    print_cost("reuse", label_width, text, report.costs.reuse, report.costs.reuse_lower_bound);
  }
  if (count_limits(problem).near > 0)
    print_cost("moved", label_width, figure_bytes(text, report.costs.moved_bytes),
               report.costs.moved_bytes, report.costs.moved_lower_bound);
  if (neap_problem_relation_count(problem, NEAP_OVERLAP) > 0) print_overlap(plan, label_width);
}

/* ---------------------------------------------------------------- for programs */

static json_t *relation_counts(const neap_problem *problem) {
  json_t *object = json_object();
  for (int kind = 0; kind < NEAP_RELATION_KIND_COUNT; kind++) {
    size_t count = neap_problem_relation_count(problem, (neap_relation_kind)kind);
    neap_relation_words words = neap_relation_kind_words((neap_relation_kind)kind);
    object = object_add_number(object, words.list, (neap_size)count);
  }
  return object;
}

static json_t *pool_list(const neap_problem *problem) {
  json_t *list = json_array();
  neap_pool pool = NEAP_INIT(neap_pool);
  for (size_t i = 0; list && neap_problem_pool_at(problem, i, &pool); i++) {
    json_t *object = json_pack("{ss sI}", "name", pool.name, "candidates",
                               (json_int_t)count_candidates(problem, i));
    if (pool.capacity >= 0) object = object_add_number(object, "capacity", pool.capacity);
    list = object_append(list, object);
  }
  return list;
}

static json_t *term_list(const neap_term *order) {
  json_t *list = json_array();
  for (int i = 0; list && i < NEAP_TERM_COUNT; i++)
    list = object_append(list, json_string(neap_term_name(order[i])));
  return list;
}

json_t *relation_facts_add(json_t *object, const neap_problem *problem) {
  struct limit_counts counts = count_limits(problem);
  struct reserved_sum sum = sum_reserved(problem);
  neap_term order[NEAP_TERM_COUNT];
  if (relation_facts_count(problem) > 0)
    object = object_add(object, "relations", relation_counts(problem));
  if (counts.windows > 0)
    object = object_add_number(object, "windows", (neap_size)counts.windows);
  if (counts.banks > 0) object = object_add_number(object, "banks", (neap_size)counts.banks);
  if (counts.near > 0) object = object_add_number(object, "near", (neap_size)counts.near);
  if (has_pools(problem)) object = object_add(object, "pools", pool_list(problem));
  if (sum.ranges > 0) {
    object = object_add_number(object, "reserved", (neap_size)sum.ranges);
    if (sum.bytes < NEAP_MAX) object = object_add_number(object, "reserved_bytes", sum.bytes);
  }
  neap_problem_objective(problem, order);
  if (has_objective(problem, order)) object = object_add(object, "objective", term_list(order));
  return object;
}

static json_t *plan_pool_list(const neap_plan *plan) {
  json_t *list = json_array();
  neap_pool_report report = NEAP_INIT(neap_pool_report);
  for (size_t i = 0; list && neap_plan_pool_at(plan, i, &report); i++) {
    neap_pool pool = NEAP_POOL_INIT;
    neap_problem_pool_at(neap_plan_problem(plan), i, &pool);
    json_t *object =
        json_pack("{ss sI sI sI sI}", "name", pool.name, "buffers", (json_int_t)report.buffers,
                  "peak", (json_int_t)report.peak, "bound", (json_int_t)report.bound,
                  "lower_bound", (json_int_t)report.lower_bound);
    if (pool.capacity >= 0) {
      object = object_add_number(object, "capacity", pool.capacity);
      object = object_add_number(object, "free", pool.capacity - report.peak);
    }
    list = object_append(list, object);
  }
  return list;
}

json_t *relation_facts_add_plan(json_t *object, const neap_plan *plan) {
  const neap_problem *problem = neap_plan_problem(plan);
  neap_pool_report first = NEAP_INIT(neap_pool_report);
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  if (neap_problem_relation_count(problem, NEAP_OVERLAP) > 0)
    object = object_add_number(object, "overlapped_bytes", report.costs.overlapped_bytes);
  if (neap_problem_relation_count(problem, NEAP_REUSE_PENALTY) > 0) {
    object = object_add_number(object, "reuse_cost", report.costs.reuse);
    object =
        object_add_number(object, "reuse_cost_lower_bound", report.costs.reuse_lower_bound);
  }
  if (has_pools(problem)) {
    object = object_add_number(object, "spilled_bytes", report.costs.spilled_bytes);
    object = object_add_number(object, "spilled_lower_bound", report.costs.spilled_lower_bound);
  }
  if (count_limits(problem).near > 0) {
    object = object_add_number(object, "moved_bytes", report.costs.moved_bytes);
    object = object_add_number(object, "moved_lower_bound", report.costs.moved_lower_bound);
  }
  return neap_plan_pool_at(plan, 0, &first) ? object_add(object, "pools", plan_pool_list(plan))
                                            : object;
}
