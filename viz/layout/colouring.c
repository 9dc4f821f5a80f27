/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every colouring puts the buffers into at most COLOURING_MAX classes:
 *
 *   risk     the classes of neap_risk, as the plan has them;
 *   groups   buffers with the same operator, pool, object or beginning of their names are a group.
 *            The groups with the most bytes get a class each; all others share one;
 *   ramp     quantities (quantity.h), cut at round numbers.  The steps between the least and the
 *            greatest are thinned out to RAMP_MAX, so that each class spans equally many of them.
 *            Buffers without the quantity are in further classes: buffers below which alignment
 *            wastes nothing, and buffers not alive at the moment that ages refer to.
 *
 * Groups are found in a hash table, so each colouring takes O(n) time and memory, and O(g log g)
 * time to sort g groups.
 *
 * Risk explains why the tuner went on, so it is the default only for the tuner's plans of several
 * rounds.  In most plans, the operator tells more, or the size if no operators are known.  Risk
 * means nothing in an unsound plan.
 *
 * viz/page/colour.js follows the same rules.
 */
#include "viz/layout/colouring.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/names.h"
#include "core/sized.h"
#include "core/text.h"
#include "neap/neap-io.h"
#include "viz/layout/quantity.h"
#include "viz/svg/number.h"

/* ---------------------------------------------------------------- the table */

enum { AUTO, RISK, OPERATOR, NAME, SIZE, LIFETIME, POOL, WASTE, AGE, OBJECT };

static const neap_colouring_info table[] = {
    [AUTO] = {sizeof(neap_colouring_info), "auto",
              "by risk if the tuner ran several rounds; otherwise by operator, or by size if "
              "no operators are known"},
    [RISK] = {sizeof(neap_colouring_info), "risk",
              "whether a buffer, or one alive with it, reaches the bound"},
    [OPERATOR] = {sizeof(neap_colouring_info), "operator",
                  "the operator that makes a buffer (its hint)"},
    [NAME] = {sizeof(neap_colouring_info), "name",
              "what names begin with, up to the first '/', '.' or ':'"},
    [SIZE] = {sizeof(neap_colouring_info), "size", "size in bytes"},
    [LIFETIME] = {sizeof(neap_colouring_info), "lifetime", "how long a buffer is alive"},
    [POOL] = {sizeof(neap_colouring_info), "pool", "the pool that a buffer is in"},
    [WASTE] = {sizeof(neap_colouring_info), "waste",
               "bytes that alignment leaves unused right below a buffer"},
    [AGE] =
        {sizeof(neap_colouring_info), "age",
         "how long before the moment with most live bytes (on a page: before the time cursor, "
         "if set) a buffer was allocated"},
    [OBJECT] = {sizeof(neap_colouring_info), "object", "the shared object that a buffer uses"},
};
static const size_t table_count = sizeof table / sizeof table[0];

bool neap_colouring_at(size_t index, neap_colouring_info *info) {
  if (index >= table_count) return false;
  return SIZED_FILL(info, table[index]);
}

static neap_status find_colouring(const char *name, size_t *which, neap_error *error) {
  *which = AUTO;
  if (!name) return NEAP_OK;
  for (*which = 0; *which < table_count; ++*which)
    if (strcmp(table[*which].name, name) == 0) return NEAP_OK;
  return error_set(error, NEAP_ERROR_ARGUMENT, "cannot colour by '%.40s'", name);
}

neap_status colouring_check(const char *by, neap_error *error) {
  size_t which;
  return find_colouring(by, &which, error);
}

/* ---------------------------------------------------------------- risk */

static void set_risk(struct colouring *colouring, const struct neap_plan *plan) {
  colouring->scale = COLOURING_RISK;
  colouring->count = NEAP_RISK_COUNT;
  for (int risk = 0; risk < NEAP_RISK_COUNT; risk++)
    snprintf(colouring->classes[risk].label, LABEL_BYTES, "%s",
             neap_risk_name((neap_risk)risk));
  if (plan->problem->count > 0) memcpy(colouring->of, plan->risks, plan->problem->count);
}

/* ---------------------------------------------------------------- groups */

/* A part of a text. */
struct piece {
  const char *text;
  size_t length;
};

static bool is_separator(char c) { return c == '/' || c == '.' || c == ':'; }

#define NAME_LOOKED_AT 200 /* bytes of a name that can determine its group */

/* The length of the prefix that all names share, up to its last separator, such as "model/". */
static size_t common_start(const struct neap_problem *problem) {
  if (problem->count < 2) return 0;
  const char *first = problem_name(problem, 0);
  size_t common = strnlen(first, NAME_LOOKED_AT);
  for (size_t i = 1; i < problem->count; i++) {
    const char *name = problem_name(problem, i);
    size_t same = 0;
    while (same < common && name[same] == first[same])
      same++;
    common = same;
  }
  while (common > 0 && !is_separator(first[common - 1]))
    common--;
  return common;
}

/*
 * "conv1/weights" and "conv1/bias" belong to conv1; "conv_1" and "conv_2" to conv; "12" to none.
 * viz/page/colour.js does the same.
 */
static struct piece prefix_of(const char *name, size_t skipped) {
  struct piece piece = {name + skipped, strnlen(name + skipped, NAME_LOOKED_AT)};
  for (size_t i = 1; i < piece.length; i++)
    if (is_separator(piece.text[i])) return (struct piece){piece.text, i};
  size_t end = piece.length;
  while (end > 0 && piece.text[end - 1] >= '0' && piece.text[end - 1] <= '9')
    end--;
  if (end == piece.length) return piece;
  while (end > 0 && strchr("-_# ", piece.text[end - 1]))
    end--;
  return (struct piece){piece.text, end};
}

struct grouping {
  const struct neap_plan *plan;
  size_t by; /* OPERATOR, NAME, POOL or OBJECT */
  size_t skipped;
  struct names names;
  size_t *of; /* the group of each buffer */
};

/* The text that names a buffer's group; `number` has room for the number of an object. */
static struct piece group_of(const struct grouping *grouping, size_t buffer, char number[32]) {
  const struct neap_plan *plan = grouping->plan;
  if (grouping->by == NAME)
    return prefix_of(problem_name(plan->problem, buffer), grouping->skipped);
  const char *text = number;
  neap_pool pool = NEAP_INIT(neap_pool);
  if (grouping->by == OPERATOR) text = problem_hint(plan->problem, buffer);
  else if (grouping->by == POOL)
    text = neap_problem_pool_at(plan->problem, neap_plan_pool(plan, buffer), &pool) ? pool.name
                                                                                    : NULL;
  else if (plan->objects) snprintf(number, 32, "object %zu", plan->objects[buffer]);
  else text = NULL;
  return text ? (struct piece){text, strlen(text)} : (struct piece){"", 0};
}

static bool grouping_init(struct grouping *grouping, const struct neap_plan *plan, size_t by) {
  *grouping = (struct grouping){.plan = plan, .by = by};
  grouping->of = memory_array(plan->problem->count, sizeof *grouping->of);
  if (!grouping->of) return false;
  if (by == NAME) grouping->skipped = common_start(plan->problem);
  for (size_t i = 0; i < plan->problem->count; i++) {
    char number[32];
    struct piece piece = group_of(grouping, i, number);
    size_t group = names_find(&grouping->names, piece.text, piece.length);
    if (group == NAMES_NONE) {
      group = grouping->names.count;
      if (!names_add(&grouping->names, piece.text, piece.length)) return false;
    }
    grouping->of[i] = group;
  }
  return true;
}

static void grouping_clear(struct grouping *grouping) {
  names_clear(&grouping->names);
  free(grouping->of);
}

/* The total bytes of a group. */
struct weight {
  neap_size bytes;
  size_t group;
};

/* The largest group first; of equals the one that came first. */
static int by_weight(const void *left, const void *right) {
  const struct weight *a = left, *b = right;
  if (a->bytes != b->bytes) return a->bytes > b->bytes ? -1 : 1;
  return a->group < b->group ? -1 : a->group > b->group;
}

static struct weight *weigh_groups(const struct grouping *grouping) {
  struct weight *weights = memory_array(grouping->names.count, sizeof *weights);
  if (!weights) return NULL;
  for (size_t i = 0; i < grouping->names.count; i++)
    weights[i].group = i;
  for (size_t i = 0; i < grouping->plan->problem->count; i++)
    weights[grouping->of[i]].bytes += grouping->plan->problem->buffers[i].size;
  if (grouping->names.count > 0)
    qsort(weights, grouping->names.count, sizeof *weights, by_weight);
  return weights;
}

static void label_groups(struct colouring *colouring, const struct grouping *grouping,
                         const struct weight *weights, size_t own) {
  static const char *const none[] = {[OPERATOR] = "no operator",
                                     [NAME] = "other names",
                                     [POOL] = "no pool",
                                     [OBJECT] = "no object"};
  for (size_t i = 0; i < own; i++) {
    const char *name = names_text(&grouping->names, weights[i].group);
    label_clean(*name ? name : none[grouping->by], colouring->classes[i].label);
  }
  if (own == colouring->count) return;
  colouring->others = own;
  char number[NUMBER_TEXT];
  snprintf(colouring->classes[own].label, LABEL_BYTES, "%s others",
           number_grouped(number, (int64_t)(grouping->names.count - own)));
}

/* The largest groups get a class each, and all others share the last one. */
static bool set_classes(struct colouring *colouring, const struct grouping *grouping,
                        size_t most) {
  size_t groups = grouping->names.count, own = groups <= most ? groups : most - 1;
  assert(most >= 2 && most <= COLOURING_MAX);
  struct weight *weights = weigh_groups(grouping);
  unsigned char *class_of = memory_array(groups, sizeof *class_of);
  bool good = weights && class_of;
  if (good) {
    colouring->scale = COLOURING_GROUPS;
    colouring->count = groups <= most ? groups : most;
    for (size_t i = 0; i < groups; i++)
      class_of[weights[i].group] = (unsigned char)(i < own ? i : own);
    for (size_t i = 0; i < grouping->plan->problem->count; i++)
      colouring->of[i] = class_of[grouping->of[i]];
    label_groups(colouring, grouping, weights, own);
  }
  free(weights);
  free(class_of);
  return good;
}

/* Colours by groups; if there are fewer than `least`, does nothing, and *set is false. */
static neap_status set_groups(struct colouring *colouring, const struct neap_plan *plan,
                              size_t by, size_t most, size_t least, bool *set,
                              neap_error *error) {
  struct grouping grouping;
  bool good = grouping_init(&grouping, plan, by);
  *set = good && grouping.names.count >= least;
  if (*set) good = set_classes(colouring, &grouping, most);
  if (*set) colouring->title = table[by].name;
  grouping_clear(&grouping);
  return good ? NEAP_OK : error_memory(error);
}

/* ---------------------------------------------------------------- ramps */

/* The next larger round number, at least 1: a power of two for bytes, otherwise 1, 2 or 5 times a
 * power of ten; NEAP_MAX past the last. */
static int64_t next_round(int64_t number, bool is_bytes) {
  if (number < 1) return 1;
  if (is_bytes) return number > NEAP_MAX / 2 ? NEAP_MAX : number * 2;
  int64_t leading = number;
  while (leading >= 10)
    leading /= 10;
  int64_t base = leading == 2 ? number / 2 : number, factor = leading == 2 ? 5 : 2;
  return base > NEAP_MAX / factor ? NEAP_MAX : base * factor;
}

static int64_t round_up(int64_t number, bool is_bytes) {
  int64_t round = 1;
  while (round < number)
    round = next_round(round, is_bytes);
  return round;
}

/* "4 KiB", "0.5 MiB", "2,000": round numbers without needless digits. */
static void label_round(char *label, int64_t number, bool is_bytes) {
  char text[NUMBER_TEXT];
  const char *shown = is_bytes ? text_bytes(text, number) : number_grouped(text, number);
  const char *zeros = is_bytes ? strstr(shown, ".00") : NULL;
  if (zeros)
    snprintf(label, LABEL_BYTES, "up to %.*s%s", (int)(zeros - shown), shown, zeros + 3);
  else snprintf(label, LABEL_BYTES, "up to %s", shown);
}

#define RAMP_MAX 5 /* colours */

/* The least and the greatest quantity above 0, from 1 to NEAP_MAX. */
struct extent {
  int64_t low, high;
};

static struct extent extent_of(const int64_t *values, size_t count) {
  struct extent extent = {NEAP_MAX, 1};
  for (size_t i = 0; i < count; i++) {
    if (values[i] > 0 && values[i] < extent.low) extent.low = values[i];
    if (values[i] > extent.high) extent.high = values[i];
  }
  if (extent.low > extent.high) extent.low = extent.high;
  assert(extent.low > 0);
  return extent;
}

/* Adds the classes of the ramp itself, and sets the largest quantity of each. */
static void add_edges(struct colouring *colouring, struct extent extent, bool is_bytes,
                      size_t most, int64_t edges[RAMP_MAX]) {
  int64_t low = round_up(extent.low, is_bytes);
  size_t steps = 1, stride;
  for (int64_t edge = low; edge < extent.high; edge = next_round(edge, is_bytes))
    steps++;
  if (most > RAMP_MAX) most = RAMP_MAX;
  stride = (steps + most - 1) / most;
  for (int64_t edge = low;
       colouring->count == 0 || edges[colouring->count - 1] < extent.high;) {
    for (size_t i = 1; i < stride; i++)
      edge = next_round(edge, is_bytes);
    assert(colouring->count < most);
    label_round(colouring->classes[colouring->count].label, edge, is_bytes);
    edges[colouring->count++] = edge;
    edge = next_round(edge, is_bytes);
  }
  colouring->steps = colouring->count;
}

/* The quantity that a ramp shows, and its classes for buffers without the quantity. */
static const struct ramp {
  enum quantity quantity;
  bool is_bytes;
  const char *rest[2];
} ramps[] = {
    [SIZE] = {QUANTITY_SIZE, true, {NULL, NULL}},
    [LIFETIME] = {QUANTITY_LIFETIME, false, {NULL, NULL}},
    [WASTE] = {QUANTITY_WASTE, true, {"none", NULL}},
    [AGE] = {QUANTITY_AGE, false, {"freed before", "allocated later"}},
};

static bool is_ramp(size_t by) {
  return by == SIZE || by == LIFETIME || by == WASTE || by == AGE;
}

static size_t rest_count(const struct ramp *ramp) {
  return ramp->rest[0] == NULL ? 0 : ramp->rest[1] == NULL ? 1 : 2;
}

/* The class of a quantity: sizes and lifetimes of 0 are in the first one. */
static unsigned char class_of(const struct colouring *colouring, const struct ramp *ramp,
                              const int64_t edges[RAMP_MAX], int64_t value) {
  size_t class = colouring->steps;
  if (value == QUANTITY_LATER) return (unsigned char)(class + 1);
  if (value < 0 || (value == 0 && ramp->quantity == QUANTITY_WASTE))
    return (unsigned char)class;
  for (class = 0; value > edges[class]; class ++)
    assert(class + 1 < colouring->steps);
  return (unsigned char)class;
}

static neap_status note_ramp(struct colouring *colouring, const struct neap_problem *problem,
                             size_t by, neap_error *error) {
  neap_time moment;
  char number[NUMBER_TEXT];
  if (by == WASTE)
    snprintf(colouring->note, sizeof colouring->note,
             "Waste: what is free right below a buffer, if it is less than its alignment.");
  if (by != AGE) return NEAP_OK;
  neap_status status = quantity_moment(problem, &moment, error);
  if (status != NEAP_OK) return status;
  snprintf(
      colouring->note, sizeof colouring->note,
      "Age: time from the allocation of a buffer to %s, the first moment with most live bytes.",
      number_grouped(number, moment));
  return NEAP_OK;
}

static neap_status set_ramp(struct colouring *colouring, const struct neap_plan *plan,
                            size_t by, size_t most, neap_error *error) {
  const struct ramp *ramp = &ramps[by];
  size_t count = plan->problem->count, rest = rest_count(ramp);
  int64_t edges[RAMP_MAX], *values = memory_array(count, sizeof *values);
  if (!values) return error_memory(error);
  neap_status status = quantity_list(ramp->quantity, plan, values, error);
  if (status == NEAP_OK) {
    colouring->scale = COLOURING_RAMP;
    colouring->title = table[by].name;
    add_edges(colouring, extent_of(values, count), ramp->is_bytes,
              most > rest + 1 ? most - rest : 1, edges);
    for (size_t i = 0; i < rest; i++)
      snprintf(colouring->classes[colouring->count++].label, LABEL_BYTES, "%s", ramp->rest[i]);
    for (size_t i = 0; i < count; i++)
      colouring->of[i] = class_of(colouring, ramp, edges, values[i]);
    status = note_ramp(colouring, plan->problem, by, error);
  }
  free(values);
  return status;
}

/* ---------------------------------------------------------------- the whole */

static bool tells_risk(const struct neap_plan *plan) {
  return plan->round_count > 1 && strcmp(plan->report.run.engine, "tune") == 0;
}

static neap_status set_auto(struct colouring *colouring, const struct neap_plan *plan,
                            const struct colouring_wish *wish, neap_error *error) {
  bool set = false;
  if (wish->sound && tells_risk(plan)) {
    set_risk(colouring, plan);
    return NEAP_OK;
  }
  neap_status status = set_groups(colouring, plan, OPERATOR, wish->most, 2, &set, error);
  if (status != NEAP_OK || set) return status;
  return set_ramp(colouring, plan, SIZE, wish->most, error);
}

neap_status colouring_init(struct colouring *colouring, const struct neap_plan *plan,
                           const struct colouring_wish *wish, neap_error *error) {
  size_t by;
  bool set;
  *colouring = (struct colouring){.title = "risk", .others = SIZE_MAX};
  neap_status status = find_colouring(wish->by, &by, error);
  if (status != NEAP_OK) return status;
  colouring->of = memory_array(plan->problem->count, sizeof *colouring->of);
  if (!colouring->of) return error_memory(error);
  if (by == AUTO) status = set_auto(colouring, plan, wish, error);
  else if (by == RISK) set_risk(colouring, plan);
  else if (is_ramp(by)) status = set_ramp(colouring, plan, by, wish->most, error);
  else status = set_groups(colouring, plan, by, wish->most, 0, &set, error);
  if (status != NEAP_OK) return status;
  assert(colouring->count <= COLOURING_MAX);
  for (size_t i = 0; i < plan->problem->count; i++) {
    assert(colouring->of[i] < colouring->count);
    colouring->classes[colouring->of[i]].count++;
  }
  return NEAP_OK;
}

void colouring_clear(struct colouring *colouring) {
  free(colouring->of);
  *colouring = (struct colouring){0};
}

size_t colouring_step(const struct colouring *colouring, size_t class) {
  assert(class < colouring->steps);
  return colouring->steps > 1 ? class * (RAMP_MAX - 1) / (colouring->steps - 1) : 0;
}

const char *colouring_style(const struct colouring *colouring, size_t class) {
  static const char *const groups[COLOURING_MAX] = {"group0", "group1", "group2", "group3",
                                                    "group4", "group5", "group6", "group7",
                                                    "group8", "group9"};
  static const char *const ramp[RAMP_MAX] = {"ramp0", "ramp1", "ramp2", "ramp3", "ramp4"};
  static const char *const rest[] = {"rest0", "rest1"};
  assert(class < colouring->count);
  if (colouring->scale == COLOURING_RISK) return neap_risk_name((neap_risk) class);
  if (colouring->scale == COLOURING_GROUPS)
    return groups[class == colouring->others ? COLOURING_MAX - 1 : class];
  if (class >= colouring->steps) return rest[class - colouring->steps];
  return ramp[colouring_step(colouring, class)];
}
