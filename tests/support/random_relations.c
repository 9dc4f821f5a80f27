/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/random_relations.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "tests/support/random_problem.h"

const char *tiny_kind_name(enum tiny_kind kind) {
  static const char *const names[TINY_KIND_COUNT] = {
      [TINY_SEPARATIONS] = "separations",
      [TINY_EXCLUSIONS] = "exclusions",
      [TINY_OVERLAPS] = "overlaps",
      [TINY_COLOCATIONS] = "colocations",
      [TINY_BANKS] = "banks",
      [TINY_BANK_SEPARATIONS] = "bank_separations",
      [TINY_WINDOWS] = "windows",
      [TINY_RESERVES] = "reserves",
      [TINY_FIXED] = "fixed",
      [TINY_HARD] = "hard",
      [TINY_POOLED] = "pooled",
      [TINY_HARD_POOLED] = "hard_pooled",
      [TINY_PENALTIES] = "penalties",
      [TINY_MOVES] = "moves",
      [TINY_PRICED] = "priced",
      [TINY_EVERYTHING] = "everything",
  };
  return names[kind];
}

/* ---------------------------------------------------------------- buffers */

static int64_t between(struct dice *dice, int64_t low, int64_t high) {
  return low + (int64_t)dice_roll(dice, (uint64_t)(high - low + 1));
}

/* The character of a problem, drawn once for all of its buffers. */
struct nature {
  neap_time span;
  neap_size largest;
  unsigned aligned, gapped, empty; /* per cent of the buffers */
};

static struct nature draw_nature(struct dice *dice) {
  return (struct nature){
      .span = between(dice, 1, 6),
      .largest = between(dice, 1, 6),
      .aligned = dice_chance(dice, 40) ? 50 : 0,
      .gapped = dice_chance(dice, 25) ? 40 : 0,
      .empty = dice_chance(dice, 4) ? 30 : 0,
  };
}

/* Ranges that neither overlap nor touch. */
static void draw_ranges(struct dice *dice, const struct nature *nature,
                        struct tiny_buffer *buffer) {
  neap_time start = between(dice, 0, nature->span - 1);
  size_t wanted = dice_chance(dice, nature->gapped) ? (size_t)between(dice, 2, TINY_RANGES) : 1;
  do {
    neap_time end = between(dice, start + 1, wanted == 1 ? nature->span : start + 2);
    buffer->ranges[buffer->range_count++] = (neap_range){start, end};
    start = end + between(dice, 1, 2);
  } while (buffer->range_count < wanted);
}

static struct tiny_buffer draw_buffer(struct dice *dice, const struct nature *nature) {
  struct tiny_buffer buffer = TINY_BUFFER_INIT;
  buffer.size = dice_chance(dice, nature->empty) ? 0 : between(dice, 1, nature->largest);
  if (dice_chance(dice, nature->aligned)) buffer.alignment = between(dice, 1, 4);
  draw_ranges(dice, nature, &buffer);
  return buffer;
}

/* ---------------------------------------------------------------- limits of buffers */

static struct tiny_buffer *draw_one(struct dice *dice, struct tiny *tiny) {
  return &tiny->buffers[dice_roll(dice, tiny->count)];
}

/* Divisors of 24, so that banks and alignments repeat soon enough for all offsets to be tried. */
static const neap_size banks[] = {8, 6, 4, 3, 2, 1};
#define BANK_COUNT 6

static void draw_bank(struct dice *dice, struct tiny *tiny) {
  struct tiny_buffer *buffer = draw_one(dice, tiny);
  neap_size bank = banks[dice_roll(dice, BANK_COUNT)];
  if (bank >= buffer->size || dice_chance(dice, 3)) buffer->bank = bank;
}

/* Often one window for several buffers, so that it gets crowded. */
static void draw_window(struct dice *dice, struct tiny *tiny) {
  neap_offset low = dice_chance(dice, 50) ? 0 : between(dice, 0, 8), high = NEAP_MAX;
  size_t times = dice_chance(dice, 40) ? 1 : tiny->count;
  if (dice_chance(dice, 80)) high = low + between(dice, 3, 12);
  for (size_t i = 0; i < times; i++) {
    struct tiny_buffer *buffer = draw_one(dice, tiny);
    bool is_narrow = high != NEAP_MAX && high - low < buffer->size;
    if (is_narrow && dice_chance(dice, 97)) continue;
    buffer->window_low = low;
    buffer->window_high = high;
  }
}

static void draw_fixed(struct dice *dice, struct tiny *tiny) {
  struct tiny_buffer *buffer = draw_one(dice, tiny);
  buffer->fixed = between(dice, 0, 12);
  if (dice_chance(dice, 97)) buffer->fixed -= buffer->fixed % buffer->alignment;
}

static void draw_near(struct dice *dice, struct tiny *tiny) {
  struct tiny_buffer *buffer = draw_one(dice, tiny);
  buffer->near_offset = between(dice, 0, 12);
  buffer->move_cost = between(dice, -1, 5);
}

static void draw_allowed_pools(struct dice *dice, struct tiny *tiny) {
  struct tiny_buffer *buffer = draw_one(dice, tiny);
  size_t order[TINY_POOLS] = {0, 1, 2};
  if (tiny->pool_count == 0) return;
  dice_shuffle(dice, order, tiny->pool_count);
  buffer->pool_count = (size_t)between(dice, 1, (int64_t)tiny->pool_count);
  memcpy(buffer->pools, order, sizeof order);
}

/* ---------------------------------------------------------------- relations */

static neap_relation *add_relation(struct tiny *tiny, neap_relation_kind kind, size_t first,
                                   size_t second, neap_size bytes) {
  if (tiny->relation_count == TINY_RELATIONS) return NULL;
  neap_relation *relation = &tiny->relations[tiny->relation_count++];
  *relation = (neap_relation){sizeof(neap_relation), kind, first, second, bytes, NULL};
  return relation;
}

static void draw_pair(struct dice *dice, const struct tiny *tiny, size_t pair[2]) {
  pair[0] = dice_roll(dice, tiny->count);
  pair[1] = dice_roll(dice, tiny->count - 1);
  pair[1] += pair[1] >= pair[0];
}

static bool has_relation(const struct tiny *tiny, neap_relation_kind kind,
                         const size_t pair[2]) {
  for (size_t i = 0; i < tiny->relation_count; i++) {
    const neap_relation *relation = &tiny->relations[i];
    if (relation->kind == kind &&
        ((relation->first == pair[0] && relation->second == pair[1]) ||
         (relation->first == pair[1] && relation->second == pair[0])))
      return true;
  }
  return false;
}

/* Whether statements would both require and forbid that a pair is kept apart. */
static bool disagrees(const struct tiny *tiny, neap_relation_kind kind, const size_t pair[2]) {
  if (kind == NEAP_SEPARATION)
    return has_relation(tiny, NEAP_EXCLUSION, pair) ||
           has_relation(tiny, NEAP_COLOCATION, pair);
  if (kind == NEAP_EXCLUSION || kind == NEAP_COLOCATION)
    return has_relation(tiny, NEAP_SEPARATION, pair);
  return false;
}

static neap_size draw_bytes(struct dice *dice, const struct tiny *tiny, neap_relation_kind kind,
                            const size_t pair[2]) {
  switch (kind) {
  case NEAP_OVERLAP:
    return dice_chance(dice, 40) ? 0 : between(dice, 0, tiny->buffers[pair[0]].size + 1);
  case NEAP_COLOCATION:
    return dice_chance(dice, 35) ? 0 : between(dice, -6, 6);
  case NEAP_BANK_SEPARATION:
    return banks[dice_roll(dice, BANK_COUNT)];
  case NEAP_REUSE_PENALTY:
    return between(dice, 0, 9);
  default:
    return 0;
  }
}

/* Whether two are colocated already, perhaps by way of a third. */
static bool are_linked(const struct tiny *tiny, size_t a, size_t b) {
  unsigned linked = 1u << a;
  for (size_t round = 0; round < tiny->count; round++)
    for (size_t i = 0; i < tiny->relation_count; i++) {
      const neap_relation *relation = &tiny->relations[i];
      if (relation->kind == NEAP_COLOCATION &&
          (linked >> relation->first | linked >> relation->second) & 1)
        linked |= 1u << relation->first | 1u << relation->second;
    }
  return linked >> b & 1;
}

static void draw_relation(struct dice *dice, struct tiny *tiny, neap_relation_kind kind) {
  size_t pair[2];
  draw_pair(dice, tiny, pair);
  /* Another distance would nearly always contradict those that are there. */
  if (kind == NEAP_COLOCATION && are_linked(tiny, pair[0], pair[1]) && dice_chance(dice, 90))
    return;
  if (disagrees(tiny, kind, pair) && dice_chance(dice, 95)) return;
  add_relation(tiny, kind, pair[0], pair[1], draw_bytes(dice, tiny, kind, pair));
}

/* Colocates three in a chain, and sometimes closes the chain, rightly or not. */
static void draw_body(struct dice *dice, struct tiny *tiny) {
  size_t order[TINY_BUFFERS];
  if (tiny->count < 3) return;
  for (size_t i = 0; i < tiny->count; i++)
    order[i] = i;
  dice_shuffle(dice, order, tiny->count);
  if ((are_linked(tiny, order[0], order[1]) || are_linked(tiny, order[1], order[2]) ||
       are_linked(tiny, order[0], order[2])) &&
      dice_chance(dice, 90))
    return;
  neap_size one = between(dice, -3, 6), two = between(dice, -3, 6);
  add_relation(tiny, NEAP_COLOCATION, order[0], order[1], one);
  add_relation(tiny, NEAP_COLOCATION, order[1], order[2], two);
  if (dice_chance(dice, 15))
    add_relation(tiny, NEAP_COLOCATION, order[0], order[2],
                 dice_chance(dice, 80) ? one + two : between(dice, -3, 6));
}

/* ---------------------------------------------------------------- pools and reserved bytes */

static void draw_reserved(struct dice *dice, struct tiny *tiny) {
  if (tiny->reserved_count == TINY_RESERVED) return;
  neap_reserved *reserved = &tiny->reserved[tiny->reserved_count++];
  reserved->struct_size = sizeof *reserved;
  reserved->pool = tiny->pool_count == 0 ? 0 : dice_roll(dice, tiny->pool_count);
  reserved->low = between(dice, 0, 8);
  reserved->high = dice_chance(dice, 10) ? NEAP_MAX : reserved->low + between(dice, 1, 4);
  reserved->when = (neap_range){0, NEAP_MAX};
  if (dice_chance(dice, 50)) {
    reserved->when.start = between(dice, 0, 5);
    reserved->when.end = reserved->when.start + between(dice, 1, 3);
  }
}

static void draw_pools(struct dice *dice, struct tiny *tiny) {
  static const char *const names[TINY_POOLS] = {"p0", "p1", "p2"};
  tiny->pool_count = (size_t)between(dice, 1, TINY_POOLS);
  bool are_capped = dice_chance(dice, 50); /* so that some problems do not fit */
  for (size_t i = 0; i < tiny->pool_count; i++) {
    neap_pool pool = NEAP_POOL_INIT;
    pool.name = names[i];
    if (are_capped || dice_chance(dice, 60)) pool.capacity = between(dice, 2, 14);
    if (dice_chance(dice, 20)) pool.alignment = between(dice, 1, 4);
    if (dice_chance(dice, 20)) pool.base = between(dice, 0, 64);
    if (dice_chance(dice, 50)) pool.cost = between(dice, 0, 3);
    tiny->pools[i] = pool;
  }
}

/* ---------------------------------------------------------------- problems */

static void draw_statement(struct dice *dice, struct tiny *tiny, enum tiny_kind kind) {
  switch (kind) {
  case TINY_SEPARATIONS:
    draw_relation(dice, tiny, NEAP_SEPARATION);
    return;
  case TINY_EXCLUSIONS:
    draw_relation(dice, tiny, NEAP_EXCLUSION);
    return;
  case TINY_OVERLAPS:
    draw_relation(dice, tiny, NEAP_OVERLAP);
    return;
  case TINY_COLOCATIONS:
    if (dice_chance(dice, 25)) draw_body(dice, tiny);
    else draw_relation(dice, tiny, NEAP_COLOCATION);
    return;
  case TINY_BANKS:
    draw_bank(dice, tiny);
    return;
  case TINY_BANK_SEPARATIONS:
    draw_relation(dice, tiny, NEAP_BANK_SEPARATION);
    return;
  case TINY_WINDOWS:
    draw_window(dice, tiny);
    return;
  case TINY_RESERVES:
    draw_reserved(dice, tiny);
    return;
  case TINY_FIXED:
    draw_fixed(dice, tiny);
    return;
  case TINY_POOLED:
    draw_allowed_pools(dice, tiny);
    return;
  case TINY_PENALTIES:
    draw_relation(dice, tiny, NEAP_REUSE_PENALTY);
    return;
  case TINY_MOVES:
    draw_near(dice, tiny);
    return;
  default:
    assert(!"a mixture is no statement");
  }
}

static void draw_statements(struct dice *dice, struct tiny *tiny, enum tiny_kind kind,
                            int64_t most) {
  int64_t wanted = between(dice, 1, most);
  for (int64_t i = 0; i < wanted; i++)
    draw_statement(dice, tiny, kind);
}

/* Some kinds of those listed, each with few statements. */
static void draw_mixture(struct dice *dice, struct tiny *tiny, const enum tiny_kind *kinds,
                         size_t count) {
  unsigned percent = (unsigned)between(dice, 20, 60);
  for (size_t i = 0; i < count; i++)
    if (dice_chance(dice, percent)) draw_statements(dice, tiny, kinds[i], 2);
}

static void draw_hard(struct dice *dice, struct tiny *tiny) {
  /* Kinds that allow come after kinds that forbid, so that no kind always gives way. */
  static const enum tiny_kind kinds[] = {
      TINY_COLOCATIONS, TINY_SEPARATIONS, TINY_OVERLAPS, TINY_BANKS,     TINY_BANK_SEPARATIONS,
      TINY_WINDOWS,     TINY_RESERVES,    TINY_FIXED,    TINY_EXCLUSIONS};
  draw_mixture(dice, tiny, kinds, sizeof kinds / sizeof kinds[0]);
}

static void draw_soft(struct dice *dice, struct tiny *tiny) {
  static const enum tiny_kind kinds[] = {TINY_PENALTIES, TINY_MOVES, TINY_POOLED};
  draw_mixture(dice, tiny, kinds, sizeof kinds / sizeof kinds[0]);
}

static void draw_priced(struct dice *dice, struct tiny *tiny) {
  static const enum tiny_kind kinds[] = {TINY_PENALTIES, TINY_MOVES};
  draw_mixture(dice, tiny, kinds, sizeof kinds / sizeof kinds[0]);
}

static void draw_objective(struct dice *dice, struct tiny *tiny, unsigned percent) {
  size_t order[NEAP_TERM_COUNT] = {NEAP_TERM_SPILL, NEAP_TERM_PEAK, NEAP_TERM_REUSE,
                                   NEAP_TERM_MOVED};
  if (dice_chance(dice, percent)) dice_shuffle(dice, order, NEAP_TERM_COUNT);
  for (size_t i = 0; i < NEAP_TERM_COUNT; i++)
    tiny->objective[i] = (neap_term)order[i];
}

static bool is_soft(enum tiny_kind kind) {
  return kind == TINY_PENALTIES || kind == TINY_MOVES || kind == TINY_PRICED ||
         kind == TINY_EVERYTHING;
}

static bool is_mixture(enum tiny_kind kind) {
  return kind == TINY_HARD || kind == TINY_HARD_POOLED || kind == TINY_PRICED ||
         kind == TINY_EVERYTHING;
}

static bool is_pooled(struct dice *dice, enum tiny_kind kind) {
  return kind == TINY_POOLED || kind == TINY_HARD_POOLED ||
         (kind == TINY_EVERYTHING && dice_chance(dice, 50));
}

struct tiny tiny_random(enum tiny_kind kind, uint64_t seed) {
  struct dice dice = {(seed * TINY_KIND_COUNT + kind) * UINT64_C(0x2545f4914f6cdd1d) + 1};
  struct tiny tiny = {0};
  struct nature nature = draw_nature(&dice);
  bool is_many = !is_soft(kind) && kind != TINY_POOLED && kind != TINY_HARD_POOLED;
  tiny.count = (size_t)between(&dice, 2, is_many ? TINY_BUFFERS : TINY_BUFFERS - 1);
  for (size_t i = 0; i < tiny.count; i++)
    tiny.buffers[i] = draw_buffer(&dice, &nature);
  if (is_pooled(&dice, kind)) draw_pools(&dice, &tiny);
  draw_objective(&dice, &tiny, is_soft(kind) ? 40 : 0);
  if (is_mixture(kind)) draw_hard(&dice, &tiny);
  if (kind == TINY_HARD_POOLED) draw_statements(&dice, &tiny, TINY_POOLED, 3);
  if (kind == TINY_PRICED) draw_priced(&dice, &tiny);
  if (kind == TINY_EVERYTHING) draw_soft(&dice, &tiny);
  if (!is_mixture(kind)) draw_statements(&dice, &tiny, kind, 5);
  return tiny;
}

bool tiny_has_empty(const struct tiny *tiny) {
  for (size_t i = 0; i < tiny->count; i++)
    if (tiny->buffers[i].size == 0) return true;
  return false;
}

/* ---------------------------------------------------------------- as neap's problem */

static neap_status add_buffer(neap_problem *problem, const struct tiny_buffer *from,
                              size_t index, neap_error *error) {
  char name[24];
  snprintf(name, sizeof name, "b%zu", index);
  neap_buffer buffer = NEAP_BUFFER_INIT;
  buffer.name = name;
  buffer.size = from->size;
  buffer.alignment = from->alignment;
  buffer.fixed_offset = from->fixed;
  buffer.ranges = from->ranges;
  buffer.range_count = from->range_count;
  buffer.window_low = from->window_low;
  buffer.window_high = from->window_high;
  buffer.bank = from->bank;
  if (from->pool_count > 0) buffer.pools = from->pools;
  buffer.pool_count = from->pool_count;
  buffer.near_offset = from->near_offset;
  buffer.move_cost = from->move_cost;
  return neap_problem_add(problem, &buffer, error);
}

static neap_status add_all(neap_problem *problem, const struct tiny *tiny, neap_error *error) {
  neap_status status = neap_problem_set_objective(problem, tiny->objective, error);
  for (size_t i = 0; i < tiny->pool_count && status == NEAP_OK; i++)
    status = neap_problem_add_pool(problem, &tiny->pools[i], error);
  for (size_t i = 0; i < tiny->count && status == NEAP_OK; i++)
    status = add_buffer(problem, &tiny->buffers[i], i, error);
  for (size_t i = 0; i < tiny->relation_count && status == NEAP_OK; i++)
    status = neap_problem_relate(problem, &tiny->relations[i], error);
  for (size_t i = 0; i < tiny->reserved_count && status == NEAP_OK; i++)
    status = neap_problem_reserve(problem, &tiny->reserved[i], error);
  return status;
}

neap_problem *tiny_problem(const struct tiny *tiny) {
  neap_problem *problem = neap_problem_new();
  neap_error error;
  assert(problem);
  neap_status status = add_all(problem, tiny, &error);
  assert(status == NEAP_OK || status == NEAP_ERROR_INPUT);
  if (status == NEAP_OK) return problem;
  neap_problem_free(problem);
  return NULL;
}

struct tiny tiny_of(const neap_problem *problem) {
  struct tiny tiny = {.count = neap_problem_count(problem)};
  neap_relation relation = NEAP_INIT(neap_relation);
  neap_reserved reserved = NEAP_INIT(neap_reserved);
  assert(tiny.count <= TINY_ROOM);
  for (size_t i = 0; i < tiny.count; i++) {
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    neap_problem_buffer_at(problem, i, &buffer);
    struct tiny_buffer *to = &tiny.buffers[i];
    *to = (struct tiny_buffer)TINY_BUFFER_INIT;
    to->size = buffer.size;
    to->alignment = buffer.alignment;
    to->fixed = buffer.fixed_offset;
    to->range_count = buffer.range_count;
    assert(buffer.range_count <= TINY_RANGES_ROOM);
    memcpy(to->ranges, buffer.ranges, buffer.range_count * sizeof *to->ranges);
    if (buffer.size == 0) continue;
    to->bank = buffer.bank;
    to->window_low = buffer.window_low;
    if (buffer.window_high > 0) to->window_high = buffer.window_high;
  }
  while (neap_problem_relation_at(problem, tiny.relation_count, &relation)) {
    assert(tiny.relation_count < TINY_RELATIONS_ROOM);
    tiny.relations[tiny.relation_count++] = relation;
  }
  while (neap_problem_reserved_at(problem, tiny.reserved_count, &reserved)) {
    assert(tiny.reserved_count < TINY_RESERVED_ROOM);
    tiny.reserved[tiny.reserved_count++] = reserved;
  }
  return tiny;
}

/* ---------------------------------------------------------------- printing */

static void print_offset(FILE *file, const char *member, neap_offset offset,
                         neap_offset usual) {
  if (offset == usual) return;
  if (offset == NEAP_MAX) fprintf(file, " .%s = NEAP_MAX,", member);
  else fprintf(file, " .%s = %" PRId64 ",", member, offset);
}

static void print_buffer(const struct tiny_buffer *buffer, FILE *file) {
  fprintf(file, "    {.size = %" PRId64 ", .alignment = %" PRId64 ", .fixed = %" PRId64 ",",
          buffer->size, buffer->alignment, buffer->fixed);
  fprintf(file, " .ranges = {");
  for (size_t i = 0; i < buffer->range_count; i++)
    fprintf(file, "%s{%" PRId64 ", %" PRId64 "}", i ? ", " : "", buffer->ranges[i].start,
            buffer->ranges[i].end);
  fprintf(file, "}, .range_count = %zu,", buffer->range_count);
  print_offset(file, "window_low", buffer->window_low, 0);
  print_offset(file, "window_high", buffer->window_high, -1);
  print_offset(file, "bank", buffer->bank, 0);
  for (size_t i = 0; i < buffer->pool_count; i++)
    fprintf(file, "%s%zu", i ? ", " : " .pools = {", buffer->pools[i]);
  if (buffer->pool_count > 0) fprintf(file, "}, .pool_count = %zu,", buffer->pool_count);
  print_offset(file, "near_offset", buffer->near_offset, 0);
  print_offset(file, "move_cost", buffer->move_cost, 0);
  fprintf(file, "},\n");
}

static void print_relations(const struct tiny *tiny, FILE *file) {
  static const char *const names[NEAP_RELATION_KIND_COUNT] = {
      "NEAP_SEPARATION", "NEAP_EXCLUSION",       "NEAP_OVERLAP",
      "NEAP_COLOCATION", "NEAP_BANK_SEPARATION", "NEAP_REUSE_PENALTY"};
  if (tiny->relation_count == 0) return;
  fprintf(file, "  .relation_count = %zu, .relations = {\n", tiny->relation_count);
  for (size_t i = 0; i < tiny->relation_count; i++) {
    const neap_relation *relation = &tiny->relations[i];
    fprintf(file, "    {sizeof(neap_relation), %s, %zu, %zu, %" PRId64 ", NULL},\n",
            names[relation->kind], relation->first, relation->second, relation->bytes);
  }
  fprintf(file, "  },\n");
}

static void print_pools(const struct tiny *tiny, FILE *file) {
  if (tiny->pool_count > 0)
    fprintf(file, "  .pool_count = %zu, .pools = {\n", tiny->pool_count);
  for (size_t i = 0; i < tiny->pool_count; i++) {
    const neap_pool *pool = &tiny->pools[i];
    fprintf(file,
            "    {sizeof(neap_pool), \"%s\", %" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64
            "},\n",
            pool->name, pool->capacity, pool->alignment, pool->base, pool->cost);
  }
  if (tiny->pool_count > 0) fprintf(file, "  },\n");
}

static void print_reserved(const struct tiny *tiny, FILE *file) {
  if (tiny->reserved_count == 0) return;
  fprintf(file, "  .reserved_count = %zu, .reserved = {\n", tiny->reserved_count);
  for (size_t i = 0; i < tiny->reserved_count; i++) {
    const neap_reserved *reserved = &tiny->reserved[i];
    fprintf(file, "    {sizeof(neap_reserved), %zu, %" PRId64 ", %" PRId64 ", {%" PRId64 ", ",
            reserved->pool, reserved->low, reserved->high, reserved->when.start);
    if (reserved->when.end == NEAP_MAX) fprintf(file, "NEAP_MAX}},\n");
    else fprintf(file, "%" PRId64 "}},\n", reserved->when.end);
  }
  fprintf(file, "  },\n");
}

void tiny_print(const struct tiny *tiny, FILE *file) {
  static const char *const terms[NEAP_TERM_COUNT] = {"NEAP_TERM_SPILL", "NEAP_TERM_PEAK",
                                                     "NEAP_TERM_REUSE", "NEAP_TERM_MOVED"};
  fprintf(file, "{\n  .objective = {");
  for (size_t i = 0; i < NEAP_TERM_COUNT; i++)
    fprintf(file, "%s%s", i ? ", " : "", terms[tiny->objective[i]]);
  fprintf(file, "},\n");
  print_pools(tiny, file);
  fprintf(file, "  .count = %zu, .buffers = {\n", tiny->count);
  for (size_t i = 0; i < tiny->count; i++)
    print_buffer(&tiny->buffers[i], file);
  fprintf(file, "  },\n");
  print_relations(tiny, file);
  print_reserved(tiny, file);
  fprintf(file, "},\n");
}

/* ---------------------------------------------------------------- shrinking */

static void drop_relation(struct tiny *tiny, size_t index) {
  tiny->relation_count--;
  memmove(&tiny->relations[index], &tiny->relations[index + 1],
          (tiny->relation_count - index) * sizeof tiny->relations[0]);
}

static void drop_reserved(struct tiny *tiny, size_t index) {
  tiny->reserved_count--;
  memmove(&tiny->reserved[index], &tiny->reserved[index + 1],
          (tiny->reserved_count - index) * sizeof tiny->reserved[0]);
}

static void drop_buffer(struct tiny *tiny, size_t index) {
  for (size_t i = tiny->relation_count; i-- > 0;) {
    neap_relation *relation = &tiny->relations[i];
    if (relation->first == index || relation->second == index) {
      drop_relation(tiny, i);
      continue;
    }
    relation->first -= relation->first > index;
    relation->second -= relation->second > index;
  }
  tiny->count--;
  memmove(&tiny->buffers[index], &tiny->buffers[index + 1],
          (tiny->count - index) * sizeof tiny->buffers[0]);
}

/* Without the last pool, if nothing needs it. */
static void drop_pool(struct tiny *tiny) {
  size_t last = tiny->pool_count - 1;
  for (size_t i = 0; i < tiny->count; i++)
    for (size_t k = 0; k < tiny->buffers[i].pool_count; k++)
      if (tiny->buffers[i].pools[k] == last) return;
  for (size_t i = 0; i < tiny->reserved_count; i++)
    if (tiny->reserved[i].pool == last && last > 0) return;
  tiny->pool_count--;
}

/* Makes one part of a buffer simpler; false past the last part. */
static bool simplify_buffer(struct tiny_buffer *buffer, size_t part) {
  switch (part) {
  case 0:
    buffer->alignment = 1;
    return true;
  case 1:
    buffer->fixed = NEAP_UNPLACED;
    return true;
  case 2:
    if (buffer->range_count > 1) buffer->range_count--;
    return true;
  case 3:
    buffer->window_low = 0;
    return true;
  case 4:
    buffer->window_high = NEAP_MAX;
    return true;
  case 5:
    buffer->bank = 0;
    return true;
  case 6:
    buffer->pool_count -= buffer->pool_count > 0;
    return true;
  case 7:
    buffer->near_offset = NEAP_UNPLACED;
    buffer->move_cost = -1;
    return true;
  case 8:
    buffer->size -= buffer->size > 1;
    return true;
  case 9:
    buffer->ranges[0].start = buffer->ranges[0].end - 1;
    return true;
  case 10:
    if (buffer->range_count == 1) buffer->ranges[0] = (neap_range){0, 1};
    return true;
  case 11:
    buffer->pool_count = 0;
    return true;
  default:
    return false;
  }
}

static bool simplify_pool(neap_pool *pool, size_t part) {
  if (part == 0) pool->capacity = -1;
  if (part == 1) pool->alignment = 1;
  if (part == 2) pool->base = 0;
  if (part == 3) pool->cost = -1;
  return part <= 3;
}

/* Keeps a simpler problem if it still fails. */
static bool keep(struct tiny *tiny, const struct tiny *simpler, tiny_fails *fails,
                 const void *context) {
  if (memcmp(tiny, simpler, sizeof *tiny) == 0 || !fails(simpler, context)) return false;
  *tiny = *simpler;
  return true;
}

static bool drop_something(struct tiny *tiny, tiny_fails *fails, const void *context) {
  bool changed = false;
  for (size_t i = tiny->count; i-- > 0 && tiny->count > 1;) {
    struct tiny simpler = *tiny;
    drop_buffer(&simpler, i);
    changed |= keep(tiny, &simpler, fails, context);
  }
  for (size_t i = tiny->relation_count; i-- > 0;) {
    struct tiny simpler = *tiny;
    drop_relation(&simpler, i);
    changed |= keep(tiny, &simpler, fails, context);
  }
  for (size_t i = tiny->reserved_count; i-- > 0;) {
    struct tiny simpler = *tiny;
    drop_reserved(&simpler, i);
    changed |= keep(tiny, &simpler, fails, context);
  }
  if (tiny->pool_count > 0) {
    struct tiny simpler = *tiny;
    drop_pool(&simpler);
    changed |= keep(tiny, &simpler, fails, context);
  }
  return changed;
}

static bool simplify_something(struct tiny *tiny, tiny_fails *fails, const void *context) {
  bool changed = false;
  for (size_t i = 0; i < tiny->count; i++) {
    struct tiny simpler = *tiny;
    for (size_t part = 0; simplify_buffer(&simpler.buffers[i], part); part++) {
      changed |= keep(tiny, &simpler, fails, context);
      simpler = *tiny;
    }
  }
  for (size_t i = 0; i < tiny->pool_count; i++) {
    struct tiny simpler = *tiny;
    for (size_t part = 0; simplify_pool(&simpler.pools[i], part); part++) {
      changed |= keep(tiny, &simpler, fails, context);
      simpler = *tiny;
    }
  }
  for (size_t i = 0; i < tiny->reserved_count; i++) {
    struct tiny simpler = *tiny;
    simpler.reserved[i].when = (neap_range){0, NEAP_MAX};
    changed |= keep(tiny, &simpler, fails, context);
  }
  struct tiny simpler = *tiny;
  for (size_t i = 0; i < NEAP_TERM_COUNT; i++)
    simpler.objective[i] = (neap_term)i;
  return keep(tiny, &simpler, fails, context) || changed;
}

void tiny_shrink(struct tiny *tiny, tiny_fails *fails, const void *context) {
  while (drop_something(tiny, fails, context) || simplify_something(tiny, fails, context)) {
  }
}
