/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/json/problem.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "files/error_place.h"
#include "model/groups.h"

/* The most names in a list, and in a list stored as pairs, which might fill the memory. */
enum { GROUP_MAX = 4096, PAIRED_MAX = 512 };

/* Whether relations of a kind name "first" and "second" instead of "buffers". */
static bool is_ordered(const struct relation_kind *kind) {
  return kind->symmetry != RELATION_SYMMETRIC;
}

/* Calls a function for every element of a list that may be missing. */
typedef neap_status read_function(const struct json_at *at, size_t index, void *data,
                                  neap_error *error);

static neap_status read_list(const struct json_at *list, read_function *read, void *data,
                             neap_error *error) {
  size_t count = 0;
  if (!list->value) return NEAP_OK;
  neap_status status = json_read_array(list, &count, error);
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    struct json_at element = json_element(list, i);
    status = read(&element, i, data, error);
  }
  return status;
}

static neap_status read_text(const struct json_at *at, const char **text, neap_error *error) {
  if (!at->value) return NEAP_OK;
  neap_status status = json_read_string(at, text, error);
  if (status == NEAP_OK && !(*text)[0]) *text = NULL;
  return status;
}

static neap_status read_number(const struct json_at *at, int64_t low, int64_t *number,
                               neap_error *error) {
  return at->value ? json_read_number(at, low, number, error) : NEAP_OK;
}

/* Reads a pair of numbers; if the second is null, pair[1] keeps its value. */
static neap_status read_pair(const struct json_at *at, int64_t pair[2], neap_error *error) {
  size_t count = 0;
  neap_status status = json_read_array(at, &count, error);
  if (status != NEAP_OK) return status;
  if (count != 2)
    return json_blame(at, error, "expected a pair [low, high], found an array of %zu", count);
  struct json_at low = json_element(at, 0), high = json_element(at, 1);
  status = json_read_number(&low, 0, &pair[0], error);
  if (status != NEAP_OK || json_is_null(high.value)) return status;
  return json_read_number(&high, 0, &pair[1], error);
}

/* ---------------------------------------------------------------- pools and reserved bytes */

/* Reads a base address: a string like other addresses, or a number. */
static neap_status read_base(const struct json_at *at, neap_offset *base, neap_error *error) {
  uint64_t address = 0;
  if (!json_is_string(at->value)) return read_number(at, 0, base, error);
  neap_status status = json_address_read(at, &address, error);
  if (status == NEAP_OK && address > INT64_MAX)
    return json_blame(at, error, "expected an address below 2^63");
  *base = (neap_offset)address;
  return status;
}

static neap_status read_pool(const struct json_at *at, size_t index, void *data,
                             neap_error *error) {
  static const char *const keys[] = {"name", "capacity", "alignment", "base", "cost", NULL};
  neap_problem *problem = data;
  neap_pool pool = NEAP_POOL_INIT;
  (void)index;
  neap_status status = json_read_object(at, keys, error);
  if (status != NEAP_OK) return status;
  struct json_at name = json_member(at, "name"), capacity = json_member(at, "capacity");
  struct json_at alignment = json_member(at, "alignment"), base = json_member(at, "base");
  struct json_at cost = json_member(at, "cost");
  status = json_read_string(&name, &pool.name, error);
  if (status == NEAP_OK && !json_is_null(capacity.value))
    status = read_number(&capacity, 0, &pool.capacity, error);
  if (status == NEAP_OK) status = read_number(&alignment, 1, &pool.alignment, error);
  if (status == NEAP_OK) status = read_base(&base, &pool.base, error);
  if (status == NEAP_OK) status = read_number(&cost, 0, &pool.cost, error);
  if (status != NEAP_OK) return status;
  status = neap_problem_add_pool(problem, &pool, error);
  return status == NEAP_ERROR_INPUT ? json_place(at, status, error) : status;
}

neap_status json_relations_read_pools(const struct json_at *root, neap_problem *problem,
                                      neap_error *error) {
  struct json_at list = json_member(root, "pools");
  return read_list(&list, read_pool, problem, error);
}

/* Appends the names of the pools to an error. */
static void append_pools(const neap_problem *problem, neap_error *error) {
  neap_pool pool = NEAP_INIT(neap_pool);
  for (size_t i = 0; neap_problem_pool_at(problem, i, &pool); i++) {
    char excerpt[TEXT_EXCERPT];
    error_append(error, i > 0 ? ", " : "; there are ",
                 text_excerpt(excerpt, pool.name, strlen(pool.name)));
  }
}

neap_status json_relations_read_pool(const struct json_at *at, const neap_problem *problem,
                                     size_t *pool, neap_error *error) {
  const char *name;
  neap_status status = json_read_string(at, &name, error);
  if (status != NEAP_OK || neap_problem_find_pool(problem, name, pool)) return status;
  char excerpt[TEXT_EXCERPT];
  status =
      json_blame(at, error, "there is no pool %s", text_excerpt(excerpt, name, strlen(name)));
  append_pools(problem, error);
  return status;
}

static neap_status read_reserved(const struct json_at *at, size_t index, void *data,
                                 neap_error *error) {
  static const char *const keys[] = {"pool", "bytes", "when", NULL};
  neap_problem *problem = data;
  neap_reserved reserved = {.struct_size = sizeof(neap_reserved), .when = {0, NEAP_MAX}};
  int64_t range[2] = {0, NEAP_MAX}, times[2] = {0, NEAP_MAX};
  (void)index;
  neap_status status = json_read_object(at, keys, error);
  if (status != NEAP_OK) return status;
  struct json_at pool = json_member(at, "pool"), bytes = json_member(at, "bytes");
  struct json_at when = json_member(at, "when");
  if (pool.value || problem_pool_count(problem) > 1)
    status = json_relations_read_pool(&pool, problem, &reserved.pool, error);
  if (status == NEAP_OK) status = read_pair(&bytes, range, error);
  if (status == NEAP_OK && when.value) status = read_pair(&when, times, error);
  if (status != NEAP_OK) return status;
  reserved.low = range[0];
  reserved.high = range[1];
  reserved.when = (neap_range){times[0], times[1]};
  status = neap_problem_reserve(problem, &reserved, error);
  return status == NEAP_ERROR_INPUT ? json_place(at, status, error) : status;
}

/* ---------------------------------------------------------------- the objective */

struct objective {
  neap_term order[NEAP_TERM_COUNT];
  size_t count;
};

static bool has_term(const struct objective *objective, neap_term term) {
  for (size_t i = 0; i < objective->count; i++)
    if (objective->order[i] == term) return true;
  return false;
}

static neap_status read_term(const struct json_at *at, size_t index, void *data,
                             neap_error *error) {
  struct objective *objective = data;
  const char *name;
  char excerpt[TEXT_EXCERPT];
  (void)index;
  neap_status status = json_read_string(at, &name, error);
  if (status != NEAP_OK) return status;
  int term = 0;
  while (term < NEAP_TERM_COUNT && strcmp(neap_term_name((neap_term)term), name) != 0)
    term++;
  text_excerpt(excerpt, name, strlen(name));
  if (term == NEAP_TERM_COUNT)
    return json_blame(at, error, "expected spill, peak, reuse or moved, found %s", excerpt);
  if (has_term(objective, (neap_term)term))
    return json_blame(at, error, "%s is listed twice", excerpt);
  objective->order[objective->count++] = (neap_term)term;
  return NEAP_OK;
}

static neap_status read_objective(const struct json_at *root, neap_problem *problem,
                                  neap_error *error) {
  struct json_at list = json_member(root, "objective");
  struct objective objective = {.count = 0};
  if (!list.value) return NEAP_OK;
  neap_status status = read_list(&list, read_term, &objective, error);
  if (status != NEAP_OK) return status;
  for (int term = 0; term < NEAP_TERM_COUNT; term++)
    if (!has_term(&objective, (neap_term)term))
      objective.order[objective.count++] = (neap_term)term;
  return neap_problem_set_objective(problem, objective.order, error);
}

/* ---------------------------------------------------------------- limits of a buffer */

struct pool_reader {
  const neap_problem *problem;
  struct json_pool_list *list;
};

static neap_status read_buffer_pool(const struct json_at *at, size_t index, void *data,
                                    neap_error *error) {
  struct pool_reader *reader = data;
  struct json_pool_list *list = reader->list;
  if (!memory_reserve(&list->pools, &list->capacity, index + 1, sizeof *list->pools))
    return error_memory(error);
  return json_relations_read_pool(at, reader->problem, &list->pools[index], error);
}

static neap_status read_buffer_pools(const struct json_at *at, const neap_problem *problem,
                                     struct json_pool_list *list, neap_buffer *buffer,
                                     neap_error *error) {
  struct pool_reader reader = {problem, list};
  struct json_at pools = json_member(at, "pools");
  if (!pools.value) return NEAP_OK;
  neap_status status = read_list(&pools, read_buffer_pool, &reader, error);
  if (status != NEAP_OK) return status;
  buffer->pool_count = json_array_size(pools.value);
  if (buffer->pool_count == 0) return json_blame(&pools, error, "expected at least one pool");
  buffer->pools = list->pools;
  return NEAP_OK;
}

static neap_status read_near(const struct json_at *at, neap_buffer *buffer, neap_error *error) {
  struct json_at near = json_member(at, "near"), cost = json_member(at, "move_cost");
  neap_status status = read_number(&near, 0, &buffer->near_offset, error);
  if (status != NEAP_OK || !cost.value) return status;
  if (!near.value) return json_blame(&cost, error, "needs the key \"near\" beside it");
  return json_read_number(&cost, 0, &buffer->move_cost, error);
}

neap_status json_relations_read_buffer(const struct json_at *at, const neap_problem *problem,
                                       struct json_pool_list *list, neap_buffer *buffer,
                                       neap_error *error) {
  struct json_at window = json_member(at, "window"), bank = json_member(at, "bank");
  int64_t range[2] = {0, NEAP_MAX};
  neap_status status = window.value ? read_pair(&window, range, error) : NEAP_OK;
  if (status == NEAP_OK && range[1] == 0)
    status = json_blame(&window, error, "expected a window that ends above 0");
  if (status == NEAP_OK) status = read_number(&bank, 1, &buffer->bank, error);
  if (status == NEAP_OK) status = read_buffer_pools(at, problem, list, buffer, error);
  if (status == NEAP_OK) status = read_near(at, buffer, error);
  buffer->window_low = range[0];
  buffer->window_high = range[1];
  return status;
}

/* ---------------------------------------------------------------- relations */

struct relation_reader {
  neap_problem *problem;
  neap_relation_kind kind;
  size_t *group; /* the buffers of the current relation */
  size_t group_count, group_capacity;
};

static neap_status read_buffer_name(const struct json_at *at, const neap_problem *problem,
                                    size_t *index, neap_error *error) {
  const char *name;
  neap_status status = json_read_string(at, &name, error);
  if (status != NEAP_OK || neap_problem_find(problem, name, index)) return status;
  char excerpt[TEXT_EXCERPT];
  return json_blame(at, error, "there is no buffer %s",
                    text_excerpt(excerpt, name, strlen(name)));
}

static neap_status read_member(const struct json_at *at, size_t index, void *data,
                               neap_error *error) {
  struct relation_reader *reader = data;
  assert(index < reader->group_capacity);
  reader->group_count = index + 1;
  return read_buffer_name(at, reader->problem, &reader->group[index], error);
}

/* Reads a list of two names or more. */
static neap_status read_group(struct relation_reader *reader, const struct json_at *at,
                              neap_error *error) {
  size_t count = 0;
  neap_status status = json_read_array(at, &count, error);
  if (status != NEAP_OK) return status;
  int most = groups_keep(reader->kind, GROUP_MAX) ? GROUP_MAX : PAIRED_MAX;
  if (count < 2 || count > (size_t)most)
    return json_blame(at, error, "expected from 2 to %d names of buffers, found %zu", most,
                      count);
  if (!memory_reserve(&reader->group, &reader->group_capacity, count, sizeof *reader->group))
    return error_memory(error);
  return read_list(at, read_member, reader, error);
}

/* Relates all pairs of the group. */
static neap_status relate_group(const struct relation_reader *reader, const struct json_at *at,
                                neap_relation relation, neap_error *error) {
  neap_status status = problem_relate_all(reader->problem, &relation, reader->group,
                                          reader->group_count, error);
  return status == NEAP_ERROR_INPUT ? json_place(at, status, error) : status;
}

static neap_status read_directed(struct relation_reader *reader, const struct json_at *at,
                                 neap_error *error) {
  struct json_at first = json_member(at, "first"), second = json_member(at, "second");
  reader->group_count = 2;
  if (!memory_reserve(&reader->group, &reader->group_capacity, 2, sizeof *reader->group))
    return error_memory(error);
  neap_status status = read_buffer_name(&first, reader->problem, &reader->group[0], error);
  return status == NEAP_OK
             ? read_buffer_name(&second, reader->problem, &reader->group[1], error)
             : status;
}

static neap_status check_keys(const struct json_at *at, const struct relation_kind *kind,
                              neap_error *error) {
  const char *keys[5] = {NULL};
  size_t count = 0;
  keys[count++] = is_ordered(kind) ? "first" : "buffers";
  if (is_ordered(kind)) keys[count++] = "second";
  if (kind->number) keys[count++] = kind->number;
  keys[count++] = "reason";
  return json_read_object(at, keys, error);
}

static neap_status read_relation(const struct json_at *at, size_t index, void *data,
                                 neap_error *error) {
  struct relation_reader *reader = data;
  const struct relation_kind *kind = &relation_kinds[reader->kind];
  neap_relation relation = {.struct_size = sizeof(neap_relation), .kind = reader->kind};
  (void)index;
  neap_status status = check_keys(at, kind, error);
  if (status != NEAP_OK) return status;
  struct json_at group = json_member(at, "buffers"), reason = json_member(at, "reason");
  status =
      is_ordered(kind) ? read_directed(reader, at, error) : read_group(reader, &group, error);
  if (status == NEAP_OK && kind->number) {
    struct json_at number = json_member(at, kind->number);
    if (number.value || kind->needs_number)
      status = json_read_number(&number, kind->low, &relation.bytes, error);
  }
  if (status == NEAP_OK) status = read_text(&reason, &relation.reason, error);
  return status == NEAP_OK ? relate_group(reader, at, relation, error) : status;
}

/* ---------------------------------------------------------------- conflicts without times */

static neap_status read_conflict(const struct json_at *at, size_t index, void *data,
                                 neap_error *error) {
  struct relation_reader *reader = data;
  (void)index;
  reader->kind = NEAP_SEPARATION;
  neap_status status = read_group(reader, at, error);
  return status == NEAP_OK ? relate_group(reader, at, relation_separating(0, 0), error)
                           : status;
}

static neap_status read_cell(const struct json_at *row, size_t index, int64_t *cell,
                             neap_error *error) {
  struct json_at at = json_element(row, index);
  neap_status status = json_read_number(&at, 0, cell, error);
  if (status != NEAP_OK || *cell <= 1) return status;
  return json_blame(&at, error, "expected 0 or 1, found %" PRId64, *cell);
}

/* Reads the part right of the diagonal, and checks that the rest mirrors that part. */
static neap_status read_matrix_row(const struct json_at *at, size_t index, void *data,
                                   neap_error *error) {
  struct relation_reader *reader = data;
  size_t count = 0;
  neap_status status = json_read_array(at, &count, error);
  if (status != NEAP_OK) return status;
  if (count != reader->problem->count)
    return json_blame(at, error, "expected a number for each of %zu buffers, found %zu",
                      reader->problem->count, count);
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    int64_t cell = 0, mirrored = 0;
    status = read_cell(at, i, &cell, error);
    if (status != NEAP_OK || i == index) continue;
    struct json_at other = json_element(at->parent, i);
    if (i < index) status = read_cell(&other, index, &mirrored, error);
    if (status == NEAP_OK && i < index && cell != mirrored)
      return json_blame(at, error,
                        "the matrix is not symmetric: [%zu][%zu] is %" PRId64
                        ", but [%zu][%zu] is %" PRId64,
                        index, i, cell, i, index, mirrored);
    if (status != NEAP_OK || i < index || cell == 0) continue;
    neap_relation relation = relation_separating(index, i);
    status = neap_problem_relate(reader->problem, &relation, error);
  }
  return status;
}

static neap_status read_matrix(struct relation_reader *reader, const struct json_at *list,
                               neap_error *error) {
  size_t count = 0;
  if (!list->value) return NEAP_OK;
  neap_status status = json_read_array(list, &count, error);
  if (status != NEAP_OK) return status;
  if (count != reader->problem->count)
    return json_blame(list, error, "expected a row for each of %zu buffers, found %zu",
                      reader->problem->count, count);
  return read_list(list, read_matrix_row, reader, error);
}

bool json_relations_replace_lifetimes(const struct json_at *root) {
  return json_member(root, "conflicts").value || json_member(root, "conflict_matrix").value;
}

/* ---------------------------------------------------------------- the rest of the root */

neap_status json_relations_read(const struct json_at *root, neap_problem *problem,
                                neap_error *error) {
  struct relation_reader reader = {.problem = problem};
  struct json_at reserved = json_member(root, "reserved");
  struct json_at conflicts = json_member(root, "conflicts");
  struct json_at matrix = json_member(root, "conflict_matrix");
  neap_status status = read_list(&reserved, read_reserved, problem, error);
  if (status == NEAP_OK) status = read_objective(root, problem, error);
  for (int kind = 0; kind < NEAP_RELATION_KIND_COUNT && status == NEAP_OK; kind++) {
    struct json_at list = json_member(root, relation_kinds[kind].words.list);
    reader.kind = (neap_relation_kind)kind;
    status = read_list(&list, read_relation, &reader, error);
  }
  if (status == NEAP_OK) status = read_list(&conflicts, read_conflict, &reader, error);
  if (status == NEAP_OK) status = read_matrix(&reader, &matrix, error);
  free(reader.group);
  return status;
}

/* ---------------------------------------------------------------- places of contradictions */

/* A relation of a kind: among those that are stored as groups, or as pairs. */
struct sought {
  neap_relation_kind kind;
  bool is_group;
  size_t number;
};

/*
 * Finds the element of a list of relations or conflicts that the sought pair or group came from;
 * if none, subtracts the list's count of pairs or groups from sought->number.
 */
static bool find_element(const struct json_at *list, struct sought *sought, size_t *index) {
  for (size_t i = 0; i < json_array_size(list->value); i++) {
    struct json_at element = json_element(list, i), group = json_member(&element, "buffers");
    size_t size = json_array_size(group.value ? group.value : element.value);
    bool is_group = groups_keep(sought->kind, size);
    size_t relations = is_group || size < 2 ? 1 : size * (size - 1) / 2;
    *index = i;
    if (is_group != sought->is_group) continue;
    if (sought->number < relations) return true;
    sought->number -= relations;
  }
  return false;
}

/* What to seek for a relation by its number. */
static struct sought seek(const struct relations *relations, size_t relation) {
  struct sought sought = {relations_at(relations, relation).kind,
                          relation >= relations->count, 0};
  for (size_t i = 0; i < relations->count && i < relation && !sought.is_group; i++)
    sought.number += relations->items[i].kind == sought.kind;
  for (size_t g = 0; sought.is_group && g + 1 < relations->group_count &&
                     group_first_pair(relations, &relations->groups[g + 1]) <= relation;
       g++)
    sought.number += relations->groups[g].relation.kind == sought.kind;
  return sought;
}

static neap_status place_relation(const struct json_at *root, const neap_problem *problem,
                                  size_t relation, neap_status status, neap_error *error) {
  struct sought sought = seek(problem->relations, relation);
  size_t index = 0;
  struct json_at list = json_member(root, relation_kinds[sought.kind].words.list);
  if (!find_element(&list, &sought, &index)) {
    list = json_member(root, "conflicts");
    if (!find_element(&list, &sought, &index)) {
      list = json_member(root, "conflict_matrix");
      return json_place(&list, status, error);
    }
  }
  struct json_at element = json_element(&list, index);
  return json_place(&element, status, error);
}

neap_status json_relations_place(const struct json_at *root, const neap_problem *problem,
                                 neap_status status, neap_error *error) {
  if (status != NEAP_ERROR_INPUT || !error) return status;
  size_t relation = blame_relation(problem, error->text);
  size_t buffer = blame_buffer(problem, error->text);
  if (relation != BLAME_NONE) return place_relation(root, problem, relation, status, error);
  if (buffer == BLAME_NONE) return status;
  struct json_at list = json_member(root, "buffers");
  struct json_at element = {.parent = &list, .index = buffer};
  return json_place(&element, status, error);
}

/* ---------------------------------------------------------------- writing */

static void append_key(struct row *row, const char *key) {
  if (row->length > 0 && row->text[row->length - 1] != '{') row_string(row, ", ");
  row_char(row, '"');
  row_string(row, key);
  row_string(row, "\": ");
}

static void append_number(struct row *row, const char *key, int64_t number) {
  append_key(row, key);
  row_number(row, number);
}

static void append_text(struct row *row, const char *key, const char *text) {
  append_key(row, key);
  row_json(row, text);
}

static void append_pair(struct row *row, const char *key, int64_t low, int64_t high) {
  append_key(row, key);
  row_char(row, '[');
  row_number(row, low);
  row_string(row, ", ");
  if (high == NEAP_MAX) row_string(row, "null");
  else row_number(row, high);
  row_char(row, ']');
}

/* Begins the line of a list, and then each of its elements. */
static void open_list(struct row *row, const char *key) {
  row_string(row, "  \"");
  row_string(row, key);
  row_string(row, "\": [");
}

static void open_element(struct row *row, bool is_first) {
  row_string(row, is_first ? "\n    {" : ",\n    {");
}

static void close_list(struct row *row) { row_string(row, "\n  ],\n"); }

static void append_pool_list(const neap_problem *problem, struct row *row) {
  neap_pool pool = NEAP_INIT(neap_pool);
  if (problem_pool_count(problem) == 0) return;
  open_list(row, "pools");
  for (size_t i = 0; neap_problem_pool_at(problem, i, &pool); i++) {
    open_element(row, i == 0);
    append_text(row, "name", pool.name);
    if (pool.capacity >= 0) append_number(row, "capacity", pool.capacity);
    if (pool.alignment != 1) append_number(row, "alignment", pool.alignment);
    if (pool.base > 0) {
      append_key(row, "base");
      json_address_append((uint64_t)pool.base, row);
    }
    if (pool.cost >= 0) append_number(row, "cost", pool.cost);
    row_char(row, '}');
  }
  close_list(row);
}

static void append_reserved(const neap_problem *problem, struct row *row) {
  neap_reserved reserved = NEAP_INIT(neap_reserved);
  neap_pool pool = NEAP_INIT(neap_pool);
  if (!neap_problem_reserved_at(problem, 0, &reserved)) return;
  open_list(row, "reserved");
  for (size_t i = 0; neap_problem_reserved_at(problem, i, &reserved); i++) {
    open_element(row, i == 0);
    if (neap_problem_pool_at(problem, reserved.pool, &pool))
      append_text(row, "pool", pool.name);
    append_pair(row, "bytes", reserved.low, reserved.high);
    if (reserved.when.start > 0 || reserved.when.end < NEAP_MAX)
      append_pair(row, "when", reserved.when.start, reserved.when.end);
    row_char(row, '}');
  }
  close_list(row);
}

/* Appends the objective, unless its terms are in the order of the enum. */
static void append_objective(const neap_problem *problem, struct row *row) {
  neap_term order[NEAP_TERM_COUNT];
  bool is_default = true;
  neap_problem_objective(problem, order);
  for (int i = 0; i < NEAP_TERM_COUNT; i++)
    is_default = is_default && order[i] == (neap_term)i;
  if (is_default) return;
  open_list(row, "objective");
  for (int i = 0; i < NEAP_TERM_COUNT; i++) {
    if (i > 0) row_string(row, ", ");
    row_json(row, neap_term_name(order[i]));
  }
  row_string(row, "],\n");
}

static void append_buffers(const neap_problem *problem, const size_t *members, size_t count,
                           struct row *row) {
  append_key(row, "buffers");
  row_char(row, '[');
  for (size_t i = 0; i < count; i++) {
    if (i > 0) row_string(row, ", ");
    row_json(row, problem_name(problem, members[i]));
  }
  row_char(row, ']');
}

/* Appends the relation of two buffers, or of more if its kind has no direction. */
static void append_relation(const neap_problem *problem, const neap_relation *relation,
                            const size_t *members, size_t count, bool is_first,
                            struct row *row) {
  const struct relation_kind *kind = &relation_kinds[relation->kind];
  open_element(row, is_first);
  if (is_ordered(kind)) {
    append_text(row, "first", problem_name(problem, relation->first));
    append_text(row, "second", problem_name(problem, relation->second));
  } else {
    append_buffers(problem, members, count, row);
  }
  if (kind->number) append_number(row, kind->number, relation->bytes);
  if (relation->reason && relation->reason[0]) append_text(row, "reason", relation->reason);
  row_char(row, '}');
}

static void append_kind(const neap_problem *problem, neap_relation_kind kind, struct row *row) {
  const struct relations *relations = problem->relations;
  bool is_first = true;
  if (neap_problem_relation_count(problem, kind) == 0) return;
  open_list(row, relation_kinds[kind].words.list);
  for (size_t i = 0; i < relations->count; i++) {
    const neap_relation *relation = &relations->items[i];
    const size_t pair[] = {relation->first, relation->second};
    if (relation->kind != kind) continue;
    append_relation(problem, relation, pair, 2, is_first, row);
    is_first = false;
  }
  for (size_t g = 0; g < relations->group_count; g++) {
    const struct relation_group *group = &relations->groups[g];
    if (group->relation.kind != kind) continue;
    append_relation(problem, &group->relation, relations->members + group->begin,
                    group_size(group), is_first, row);
    is_first = false;
  }
  close_list(row);
}

void json_relations_append(const neap_problem *problem, struct row *row) {
  if (!problem->relations) return;
  append_pool_list(problem, row);
  append_reserved(problem, row);
  append_objective(problem, row);
  for (int kind = 0; kind < NEAP_RELATION_KIND_COUNT; kind++)
    append_kind(problem, (neap_relation_kind)kind, row);
}

static void append_buffer_pools(const neap_problem *problem, const neap_buffer *buffer,
                                struct row *row) {
  neap_pool pool = NEAP_INIT(neap_pool);
  if (buffer->pool_count == 0) return;
  append_key(row, "pools");
  row_char(row, '[');
  for (size_t i = 0; i < buffer->pool_count; i++) {
    neap_problem_pool_at(problem, buffer->pools[i], &pool);
    if (i > 0) row_string(row, ", ");
    row_json(row, pool.name);
  }
  row_char(row, ']');
}

void json_relations_append_buffer(const neap_problem *problem, size_t index, struct row *row) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  if (!problem->relations) return;
  neap_problem_buffer_at(problem, index, &buffer);
  if (buffer.window_low > 0 || buffer.window_high < NEAP_MAX)
    append_pair(row, "window", buffer.window_low, buffer.window_high);
  if (buffer.bank > 0) append_number(row, "bank", buffer.bank);
  append_buffer_pools(problem, &buffer, row);
  if (buffer.near_offset == NEAP_UNPLACED) return;
  append_number(row, "near", buffer.near_offset);
  if (buffer.move_cost != buffer.size) append_number(row, "move_cost", buffer.move_cost);
}
