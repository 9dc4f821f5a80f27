/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/problems.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/arguments.h"
#include "cli/choices.h"
#include "cli/files.h"
#include "cli/listing.h"
#include "cli/messages.h"
#include "cli/run.h"
#include "cli/suggest.h"
#include "neap/relations.h"

/* ---------------------------------------------------------------- pools */

/* Splits NAME or NAME=SIZE; *name is released with free(). */
static int split_pool(const char *text, char **name, neap_size *capacity) {
  const char *equals = strrchr(text, '=');
  size_t length = equals ? (size_t)(equals - text) : strlen(text);
  *capacity = -1;
  if (length == 0 || (equals && !neap_size_read(equals + 1, capacity)))
    return message_usage("--pool: expected NAME or NAME=SIZE, such as sram=256K, found '%.40s'",
                         text);
  *name = strndup(text, length);
  return *name ? 0 : message_memory();
}

static int refuse_name(const char *name, const neap_problem *problem) {
  struct listing listing;
  neap_pool pool = NEAP_INIT(neap_pool);
  listing_begin(&listing);
  for (size_t i = 0; neap_problem_pool_at(problem, i, &pool); i++)
    listing_add(&listing, i > 0 ? ", " : "", pool.name);
  char *list = listing_end(&listing);
  int code = list ? message_usage("--pool: INPUT has no pool '%.40s'; it has %s", name, list)
                  : message_memory();
  free(list);
  return code;
}

static int set_capacity(neap_problem *problem, const char *name, neap_size capacity) {
  neap_error error;
  size_t pool;
  if (!neap_problem_find_pool(problem, name, &pool)) return refuse_name(name, problem);
  if (neap_problem_set_pool_capacity(problem, pool, capacity, &error) == NEAP_OK) return 0;
  return message_error(&error);
}

static int add_pool(neap_problem *problem, const char *name, neap_size capacity) {
  neap_error error;
  neap_pool pool = NEAP_POOL_INIT;
  pool.name = name;
  pool.capacity = capacity;
  neap_status status = neap_problem_add_pool(problem, &pool, &error);
  if (status == NEAP_OK) return 0;
  return status == NEAP_ERROR_INPUT ? message_usage("--pool: %s", error.text)
                                    : message_error(&error);
}

/*
 * Adds the pools of --pool to a problem that has none, or sets the capacities of those it has.
 * Returns 0, or the exit code of the message it has printed.
 */
static int pools_apply(const struct arguments *arguments, neap_problem *problem) {
  neap_pool pool = NEAP_INIT(neap_pool);
  bool has_pools = neap_problem_pool_at(problem, 0, &pool);
  int code = 0;
  for (size_t i = 0; i < arguments->pools.count && code == 0; i++) {
    char *name = NULL;
    neap_size capacity;
    code = split_pool(arguments->pools.items[i], &name, &capacity);
    if (code == 0 && has_pools) code = set_capacity(problem, name, capacity);
    else if (code == 0) code = add_pool(problem, name, capacity);
    free(name);
  }
  return code;
}

/* ---------------------------------------------------------------- lists */

/* Splits the list at its commas, in place; *names is released with free(). */
static int split_names(char *list, const char ***names, size_t *count) {
  size_t commas = 0;
  for (const char *at = list; *at; at++)
    commas += *at == ',';
  *names = calloc(commas + 1, sizeof **names);
  if (!*names) return message_memory();
  *count = 0;
  for (char *name; (name = strsep(&list, ",")) != NULL;)
    (*names)[(*count)++] = name;
  return 0;
}

/* "batch=1": splits it at its equals sign, in place. */
static int split_dimension(char *text, void *item) {
  neap_dimension *dimension = item;
  char *equals = strrchr(text, '='), *end = NULL;
  long long value = 0;
  errno = 0;
  if (equals && equals > text && equals[1] >= '0' && equals[1] <= '9')
    value = strtoll(equals + 1, &end, 10);
  if (!end || *end || errno != 0 || value < 1)
    return message_usage("--dim: expected NAME=N with N of at least 1, found '%.40s'", text);
  *equals = '\0';
  *dimension = (neap_dimension){text, (neap_size)value};
  return 0;
}

/* "size=nbytes": splits it at its first equals sign, in place. */
static int split_column(char *text, void *item) {
  neap_column *column = item;
  char *equals = strchr(text, '=');
  if (!equals || equals == text || !equals[1])
    return message_usage("--columns: expected ROLE=NAME such as size=nbytes, found '%.40s'",
                         text);
  *equals = '\0';
  *column = (neap_column){text, equals + 1};
  return 0;
}

/* Splits the list at its commas and each part with `split` into an item of `size` bytes. */
static int split_items(char *list, size_t size, int (*split)(char *text, void *item),
                       void **items, size_t *count) {
  const char **parts;
  int code = split_names(list, &parts, count);
  if (code != 0) return code;
  char *item = *items = calloc(*count, size);
  if (!item) code = message_memory();
  for (size_t i = 0; i < *count && code == 0; i++, item += size)
    code = split(list + (parts[i] - list), item);
  free(parts);
  return code;
}

/* ---------------------------------------------------------------- reading */

/* The most names that an option chooses from. */
#define NAMES_MAX 16

/* Finds the index of a name in a list; an option without a value has the first. */
static int find_name(const char *option, const char *name, const char *name_at(size_t index),
                     size_t *found) {
  const char *names[NAMES_MAX];
  *found = 0;
  for (size_t i = 0; name && i <= NAMES_MAX; i++) {
    const char *listed = i < NAMES_MAX ? name_at(i) : NULL;
    *found = i;
    if (!listed) return suggest_value(option, name, names, i);
    if (strcmp(listed, name) == 0) return 0;
    names[i] = listed;
  }
  return 0;
}

static const char *schedule_at(size_t index) { return choices_schedule_at(index, NULL); }

static int choose_schedule(const char *name, neap_schedule *schedule) {
  size_t index;
  int code = find_name("schedule", name, schedule_at, &index);
  if (code == 0) choices_schedule_at(index, schedule);
  return code;
}

static const char *variables_at(size_t index) { return choices_variables_at(index, NULL); }

static int choose_variables(const char *name, neap_variables *variables) {
  size_t index;
  int code = find_name("variables", name, variables_at, &index);
  *variables = NEAP_VARIABLES_DEFAULT;
  if (code == 0 && name) choices_variables_at(index, variables);
  return code;
}

static const char *target_at(size_t index) {
  neap_target_info target = NEAP_INIT(neap_target_info);
  return neap_target_at(index, &target) ? target.name : NULL;
}

static int check_target(const char *name) {
  size_t index;
  return find_name("target", name, target_at, &index);
}

static const char *profile_at(size_t index) {
  neap_profile_info profile = NEAP_INIT(neap_profile_info);
  return neap_profile_at(index, &profile) ? profile.name : NULL;
}

static int check_profile(const char *name) {
  size_t index;
  return find_name("overlap", name, profile_at, &index);
}

/* "views,concat": a sum of neap_alias. */
static int read_aliases(const char *list, unsigned *aliases) {
  static const char *const names[] = {"views", "concat", "split"};
  static const neap_alias values[] = {NEAP_ALIAS_VIEWS, NEAP_ALIAS_CONCAT, NEAP_ALIAS_SPLIT};
  const size_t count = sizeof names / sizeof *names;
  for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
    char name[16];
    size_t i = 0;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
    while (i < count && strcmp(names[i], name) != 0)
      i++;
    if (i == count) return suggest_value("alias", name, names, count);
    *aliases |= values[i];
  }
  return 0;
}

/* The first target, "none", is the same as no target. */
static bool has_target(const struct arguments *arguments) {
  neap_target_info none = NEAP_INIT(neap_target_info);
  return arguments->target && neap_target_at(0, &none) &&
         strcmp(arguments->target, none.name) != 0;
}

/*
 * The scratch file next to a model, to be released with free(); NULL if there is none, or memory is
 * short.
 */
static char *find_scratch(const struct arguments *arguments) {
  neap_target_info target = NEAP_INIT(neap_target_info);
  const char *path = arguments->operand;
  if (!path || !has_target(arguments) || !files_ends_in(path, ".tflite")) return NULL;
  for (size_t i = 0; neap_target_at(i, &target); i++) {
    if (strcmp(target.name, arguments->target) != 0 || !target.scratch_suffix) continue;
    size_t stem = strlen(path) - strlen(".tflite");
    char *found = malloc(stem + strlen(target.scratch_suffix) + 1);
    if (!found) return NULL;
    memcpy(found, path, stem);
    strcpy(found + stem, target.scratch_suffix);
    if (access(found, F_OK) == 0) return found;
    free(found);
  }
  return NULL;
}

/* Memory that a reading points to; all may be NULL. */
struct lists {
  char *scratch;
  char *keep, *dimensions, *columns; /* copies of the options' values */
  const char **names;
  void *values, *column_names; /* of neap_dimension and of neap_column */
};

/* Copies an option's value, if given, so that it can be split in place. */
static int copy_list(const char *value, char **copy) {
  if (!value) return 0;
  *copy = strdup(value);
  return *copy ? 0 : message_memory();
}

static int read_lists(const struct arguments *arguments, struct lists *lists,
                      neap_reading *reading) {
  int code = copy_list(arguments->keep, &lists->keep);
  if (code == 0) code = copy_list(arguments->dimensions, &lists->dimensions);
  if (code == 0) code = copy_list(arguments->column_names, &lists->columns);
  if (code == 0 && lists->keep)
    code = split_names(lists->keep, &lists->names, &reading->liveness.keep_count);
  if (code == 0 && lists->dimensions)
    code = split_items(lists->dimensions, sizeof(neap_dimension), split_dimension,
                       &lists->values, &reading->dimension_count);
  if (code == 0 && lists->columns)
    code = split_items(lists->columns, sizeof(neap_column), split_column, &lists->column_names,
                       &reading->column_count);
  reading->liveness.keep = lists->names;
  reading->dimensions = lists->values;
  reading->columns = lists->column_names;
  return code;
}

static void lists_clear(struct lists *lists) {
  free(lists->scratch);
  free(lists->keep);
  free(lists->dimensions);
  free(lists->columns);
  free(lists->names);
  free(lists->values);
  free(lists->column_names);
}

static void print_warning(const neap_error *warning, void *user) {
  (void)user;
  message_warning("%s:%zu:%zu: %s", warning->source, warning->line, warning->column,
                  warning->text);
}

/* The layout needs memory, too, when the search for an order has taken what it may. */
static int64_t order_memory(int64_t limit) { return limit - limit / 4; }

/* The limits of the planning options also hold for the search for an order. */
static int choose_scheduling(const struct arguments *arguments, double *shown,
                             neap_scheduling *scheduling) {
  int64_t microseconds = 0, ticks = 0;
  neap_options_number(arguments->planning, "time-limit", &microseconds);
  neap_options_number(arguments->planning, "max-ticks", &ticks);
  *scheduling = (neap_scheduling){.time_limit = (double)microseconds * 1e-6,
                                  .max_ticks = (uint64_t)ticks,
                                  .memory_limit = order_memory(arguments->memory_limit),
                                  .progress = run_watch_order,
                                  .user = shown};
  return choose_schedule(arguments->schedule, &scheduling->schedule);
}

/* Calls `use` with a reading built from the options. */
static int with_reading(const struct arguments *arguments,
                        int (*use)(const neap_reading *reading, void *made), void *made) {
  struct lists lists = {.names = NULL};
  neap_reading reading = {.struct_size = sizeof(neap_reading),
                          .replan = arguments->replan,
                          .alignment = arguments->align,
                          .liveness = {.in_place = arguments->in_place,
                                       .keep_all = arguments->keep_all,
                                       .no_inputs = arguments->no_inputs,
                                       .no_outputs = arguments->no_outputs,
                                       .list_runtime = has_target(arguments) ||
                                                       arguments->variables != NULL ||
                                                       arguments->scratch != NULL},
                          .target = arguments->target,
                          .place_all = arguments->buffer_plan && !arguments->tflite,
                          .scratch = arguments->scratch,
                          .overlap = arguments->overlap,
                          .dot_size = arguments->dot_size,
                          .dot_order = arguments->dot_order,
                          .inclusive = arguments->inclusive,
                          .conflicts = arguments->conflicts,
                          .warn = print_warning};
  double shown = 0;
  int code = choose_scheduling(arguments, &shown, &reading.scheduling);
  if (code == 0) code = choose_variables(arguments->variables, &reading.variables);
  if (code == 0) code = read_aliases(arguments->alias, &reading.liveness.aliases);
  if (code == 0) code = check_target(arguments->target);
  if (code == 0) code = check_profile(arguments->overlap);
  if (code == 0) code = read_lists(arguments, &lists, &reading);
  if (!reading.scratch) reading.scratch = lists.scratch = find_scratch(arguments);
  if (code == 0) code = use(&reading, made);
  lists_clear(&lists);
  return code;
}

/* What to read, and where to store the result. */
struct request {
  const char *path;
  neap_problem **problem;
  neap_plan **plan;
  neap_error *error;
};

static int read_problem(const neap_reading *reading, void *made) {
  const struct request *request = made;
  neap_error error;
  neap_status status = neap_problem_read(request->path, reading, request->problem, &error);
  message_status(""); /* a search for an order may have left one */
  if (status != NEAP_OK) return message_error(&error);
  if (run_interrupted()) message_warning("interrupted: this is the best order so far");
  message_detail("%s: read a problem of %zu buffers", request->path,
                 neap_problem_count(*request->problem));
  return 0;
}

/* "reuse,peak": the terms in their order, then the missing ones in that of the enum. */
static int read_objective(const char *list, neap_term order[NEAP_TERM_COUNT]) {
  const char *names[NEAP_TERM_COUNT];
  bool is_listed[NEAP_TERM_COUNT] = {false};
  size_t count = 0;
  for (int term = 0; term < NEAP_TERM_COUNT; term++)
    names[term] = neap_term_name((neap_term)term);
  for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
    char name[16];
    int term = 0;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
    while (term < NEAP_TERM_COUNT && strcmp(names[term], name) != 0)
      term++;
    if (term == NEAP_TERM_COUNT)
      return suggest_value("objective", name, names, NEAP_TERM_COUNT);
    if (is_listed[term]) return message_usage("--objective: '%s' is listed twice", name);
    is_listed[term] = true;
    order[count++] = (neap_term)term;
  }
  for (int term = 0; term < NEAP_TERM_COUNT; term++)
    if (!is_listed[term]) order[count++] = (neap_term)term;
  return 0;
}

int problems_read(const struct arguments *arguments, neap_problem **problem) {
  struct request request = {.path = arguments->operand, .problem = problem};
  neap_term order[NEAP_TERM_COUNT];
  neap_error error;
  run_limit_memory(arguments->memory_limit);
  int code = arguments->objective ? read_objective(arguments->objective, order) : 0;
  if (code == 0) code = with_reading(arguments, read_problem, &request);
  if (code != 0) return code;
  code = pools_apply(arguments, *problem);
  if (code == 0 && arguments->objective &&
      neap_problem_set_objective(*problem, order, &error) != NEAP_OK)
    code = message_error(&error);
  if (code != 0) neap_problem_free(*problem);
  return code;
}

struct description {
  const struct arguments *arguments;
  const neap_problem *problem;
  struct model_facts *model;
};

static int describe_graph(const neap_reading *reading, void *made) {
  struct description *description = made;
  const struct arguments *arguments = description->arguments;
  return model_facts_find(description->model, arguments->operand, description->problem, reading,
                          arguments->json);
}

int problems_describe_model(const struct arguments *arguments, const neap_problem *problem,
                            struct model_facts *model) {
  struct description description = {arguments, problem, model};
  return with_reading(arguments, describe_graph, &description);
}

static int read_plan(const neap_reading *reading, void *made) {
  const struct request *request = made;
  neap_error error;
  if (neap_plan_read(request->path, reading, request->plan, &error) != NEAP_OK)
    return message_error(&error);
  message_detail("%s: read a plan of %zu buffers", request->path,
                 neap_problem_count(neap_plan_problem(*request->plan)));
  return 0;
}

int problems_read_plan(const struct arguments *arguments, const char *path, neap_plan **plan) {
  struct request request = {.path = path, .plan = plan};
  return with_reading(arguments, read_plan, &request);
}

/* The runtime's own layout of a model without a plan is none of a user's making. */
static void drop_runtimes_own(struct request *request) {
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(*request->plan, &report);
  if (!report.is_runtimes_own) return;
  neap_plan_free(*request->plan);
  *request->plan = NULL;
  request->error->status = NEAP_ERROR_INPUT;
  snprintf(request->error->text, sizeof request->error->text, "the model holds no plan");
}

/* Warnings have been printed when the problem was read. */
static int try_plan(const neap_reading *reading, void *made) {
  struct request *request = made;
  neap_reading silent = *reading;
  silent.warn = NULL;
  request->error->status =
      neap_plan_read(request->path, &silent, request->plan, request->error);
  if (request->error->status == NEAP_OK) drop_runtimes_own(request);
  return 0;
}

int problems_try_plan(const struct arguments *arguments, neap_plan **plan, neap_error *error) {
  struct request request = {.path = arguments->operand, .plan = plan, .error = error};
  *plan = NULL;
  return with_reading(arguments, try_plan, &request);
}

/* ---------------------------------------------------------------- alignment */

int problems_align(neap_problem *problem, neap_size alignment, const char *path,
                   const char *hint) {
  neap_error error;
  if (neap_problem_align(problem, alignment, 1, &error) == NEAP_OK) return 0;
  size_t used = strlen(error.text);
  snprintf(error.text + used, sizeof error.text - used, "%s", hint);
  snprintf(error.source, sizeof error.source, "%s", path);
  return message_error(&error);
}

/* ---------------------------------------------------------------- the largest */

struct sized {
  neap_size size;
  size_t index;
};

static int larger_first(const void *a, const void *b) {
  const struct sized *one = a, *other = b;
  if (one->size != other->size) return one->size > other->size ? -1 : 1;
  return one->index < other->index ? -1 : one->index > other->index;
}

static bool is_alive(const neap_buffer *buffer, neap_time moment) {
  for (size_t i = 0; i < buffer->range_count; i++)
    if (buffer->ranges[i].start <= moment && moment < buffer->ranges[i].end) return true;
  return false;
}

static size_t select_alive(const neap_problem *problem, neap_time moment,
                           struct sized *selected) {
  size_t count = 0;
  for (size_t i = 0; i < neap_problem_count(problem); i++) {
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    neap_problem_buffer_at(problem, i, &buffer);
    if (moment == NEAP_UNPLACED || is_alive(&buffer, moment))
      selected[count++] = (struct sized){.size = buffer.size, .index = i};
  }
  return count;
}

size_t *problems_by_size(const neap_problem *problem, neap_time moment, size_t *count) {
  size_t room = neap_problem_count(problem) + 1;
  struct sized *selected = malloc(room * sizeof *selected);
  size_t *indices = malloc(room * sizeof *indices);
  if (selected && indices) {
    *count = select_alive(problem, moment, selected);
    qsort(selected, *count, sizeof *selected, larger_first);
    for (size_t i = 0; i < *count; i++)
      indices[i] = selected[i].index;
  } else {
    free(indices);
    indices = NULL;
  }
  free(selected);
  return indices;
}
