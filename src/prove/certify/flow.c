/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The network of schedule/operator_cuts for one operator, with a node for each operator and each
 * value of the certificate, and a flow through it of just the bytes that the bound needs.
 * doc/certificate.md describes the lines, and why they are a proof.  Edges of values come first, as
 * their lines do.
 */
#include "certify/order.h"

#include <stdlib.h>

#include "schedule/before_after.h"
#include "schedule/min_cut.h"

enum { SET, REST, ENDS }; /* nodes; those of operators and of sorted values follow */

struct flow {
  const struct costs *costs;
  const struct flow_values *values;
  struct sides sides;
  struct share_uses uses;
  struct cut cut;
  neap_size base; /* bytes of the values that are alive whatever has run */
};

/* ---------------------------------------------------------------- the network */

static size_t operator_node(const struct flow *flow, size_t k) {
  if (flow->sides.of[k] == SIDE_EITHER) return ENDS + k;
  return flow->sides.of[k] == SIDE_BEFORE ? SET : REST;
}

static size_t value_node(const struct flow *flow, size_t place) {
  return ENDS + flow->costs->count + place;
}

static bool join_readers(struct flow *flow, size_t value, size_t node) {
  const struct costs_lists *readers = &flow->costs->readers;
  if (flow->costs->lives[value] & COSTS_STAYS) return true;
  for (size_t r = costs_begin(readers, value); r < readers->ends[value]; r++) {
    size_t reader = operator_node(flow, readers->items[r]);
    if (reader >= ENDS && !cut_join(&flow->cut, node, reader, NEAP_MAX)) return false;
  }
  return true;
}

static bool add_value(struct flow *flow, size_t place) {
  size_t value = flow->values->sorted[place], node = value_node(flow, place);
  bool starts = flow->costs->lives[value] & COSTS_STARTS;
  size_t maker = starts ? SET : operator_node(flow, flow->costs->maker[value]);
  bool is_lasting = sides_need_from(&flow->sides, value, SIDE_SELF);
  if (maker == REST) return true;
  if (maker == SET && is_lasting) {
    flow->base += flow->costs->sizes[value];
    return true;
  }
  return cut_join(&flow->cut, maker, node, flow->costs->sizes[value]) &&
         (!is_lasting || cut_join(&flow->cut, node, REST, NEAP_MAX)) &&
         join_readers(flow, value, node);
}

static bool add_needs(struct flow *flow, size_t k) {
  const struct costs_lists *befores = &flow->costs->befores;
  if (operator_node(flow, k) < ENDS) return true;
  for (size_t i = costs_begin(befores, k); i < befores->ends[k]; i++) {
    size_t before = operator_node(flow, befores->items[i]);
    if (before >= ENDS && !cut_join(&flow->cut, ENDS + k, before, NEAP_MAX)) return false;
  }
  return true;
}

static bool build(struct flow *flow, const struct flow_claim *claim) {
  sides_find(&flow->sides, claim->k);
  if (claim->ran) sides_put_before(&flow->sides, claim->ran);
  if (!cut_begin(&flow->cut, value_node(flow, flow->values->count))) return false;
  for (size_t i = 0; i < flow->values->count; i++)
    if (!add_value(flow, i)) return false;
  for (size_t i = 0; i < flow->costs->count; i++)
    if (!add_needs(flow, i)) return false;
  return true;
}

/* ---------------------------------------------------------------- the lines */

/* Prints an edge from a value to a reader or to the rest, or from an operator to one it needs. */
static void print_edge(struct lines *lines, const struct flow *flow, size_t from, size_t to,
                       neap_size bytes) {
  size_t values = value_node(flow, 0);
  lines_word(lines, from >= values ? "flow" : "need");
  lines_number(lines, (int64_t)(from - (from >= values ? values : ENDS)));
  lines_optional(lines, to == REST ? -1 : (int64_t)(to - ENDS), -1);
  lines_number(lines, bytes);
  lines_end(lines);
}

static void print(struct lines *lines, const struct flow *flow,
                  const struct flow_claim *claim) {
  if (!claim->ran) {
    lines_word(lines, "cut");
    lines_number(lines, (int64_t)claim->k);
    lines_end(lines);
  }
  for (size_t e = 0; e < flow->cut.edge_count; e += 2) {
    const struct cut_edge *forth = &flow->cut.edges[e], *back = &flow->cut.edges[e + 1];
    if (back->room == 0 || forth->to >= value_node(flow, 0)) continue;
    print_edge(lines, flow, back->to, forth->to, back->room);
  }
}

/* Finds a flow of exactly the missing bytes, so that the lines have one form; false if none. */
static bool reaches(struct flow *flow, const struct flow_claim *claim) {
  size_t k = claim->k;
  neap_size bytes =
      flow->base + flow->costs->made[k] - sides_most_shared(&flow->sides, k, flow->uses);
  neap_size missing = claim->bound - bytes;
  if (missing <= 0) return true;
  return claim->budget && cut_flow(&flow->cut, SET, REST, missing, claim->budget) == missing;
}

bool flow_prove(const struct flow_claim *claim, struct lines *lines, bool *is_proven) {
  const struct costs *costs = claim->costs;
  struct flow flow = {.costs = costs, .values = claim->values, .sides = sides_of(costs)};
  bool has_uses = share_uses_init(&flow.uses, costs->value_count, costs->output_count);
  bool has_room = sides_init(&flow.sides) && has_uses && build(&flow, claim);
  *is_proven = has_room && reaches(&flow, claim);
  if (*is_proven) print(lines, &flow, claim);
  sides_clear(&flow.sides);
  share_uses_clear(&flow.uses);
  cut_clear(&flow.cut);
  return has_room && !lines->failed;
}
