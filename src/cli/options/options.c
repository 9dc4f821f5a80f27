/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options/options.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* -------------------------------------------------------------- the options that commands share */

/*
 * How to read tables and graphs.  Rows with .graphs are for commands that read problems and
 * graphs.
 */
static const struct option_row input_rows[] = {
    {.name = "columns",
     .member = "neap_reading.table.columns",
     .heading = "Input",
     .kind = OPTION_COLUMNS,
     .field = OPTION_FIELD(reading.table.columns),
     .argument = "ROLE=NAME",
     .help = "comma-separated names of a table's columns, such as id=buf,size=nbytes"},
    {.name = "inclusive",
     .member = "neap_reading.table.inclusive",
     .heading = "Input",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(reading.table.inclusive),
     .help = "a table's lifetimes include their end: upper is the last moment alive"},
    {.name = "conflicts",
     .member = "neap_reading.table.conflicts",
     .heading = "Input",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(reading.table.conflicts),
     .argument = "FILE",
     .graphs = true,
     .help = "table of conflicts, with columns first and second: these two buffers never share "
             "bytes; a table of buffers then needs no lifetimes"},
    {.name = "objective",
     .heading = "Constraints",
     .kind = OPTION_OBJECTIVE,
     .field = OPTION_FIELD(objective),
     .argument = "TERMS",
     .graphs = true,
     .help = "what to minimise first, second and so on: a comma-separated list of spill, peak, "
             "reuse and moved; missing terms follow in this order"},
    {.name = "schedule",
     .member = "neap_scheduling.schedule",
     .heading = "Graph",
     .kind = OPTION_SCHEDULE,
     .field = OPTION_FIELD(scheduling.schedule),
     .argument = "ORDER",
     .graphs = true,
     .help = "order operators: keep, depth-first, min-peak, optimal; keep, the graph's order, "
             "is the default. min-peak searches for a low bound; optimal finds and proves the "
             "lowest, for 5 seconds unless --time-limit or --max-ticks is given"},
    {.name = "memory-limit",
     .heading = "Limits",
     .kind = OPTION_BYTES,
     .field = OPTION_FIELD(memory_limit),
     .argument = "BYTES",
     .low = 1,
     .graphs = true,
     .help =
         "memory that neap may take for data; planning then ends with the best plan so far. "
         "--schedule optimal remembers at most three quarters of it (default 1 GiB)"},
    {.name = "target",
     .member = "neap_reading.graph.target",
     .heading = "Target",
     .kind = OPTION_TARGET,
     .field = OPTION_FIELD(reading.graph.target),
     .argument = "NAME",
     .graphs = true,
     .help =
         "runtime to plan for: none (the default), or tflm for TensorFlow Lite Micro, which "
         "rounds offsets and sizes up to multiples of 16 and allocates variables itself"},
    {.name = "variables",
     .member = "neap_reading.graph.variables",
     .heading = "Target",
     .kind = OPTION_VARIABLES,
     .field = OPTION_FIELD(reading.graph.variables),
     .argument = "WHO",
     .graphs = true,
     .help = "put a model's variables into the plan (plan, the default) or leave them to the "
             "runtime (runtime, the default with --target tflm)"},
    {.name = "pointer",
     .member = "neap_reading.model.pointer",
     .heading = "Target",
     .kind = OPTION_NUMBER,
     .field = OPTION_FIELD(reading.model.pointer),
     .argument = "BYTES",
     .low = 4,
     .help =
         "size of a pointer on the target in bytes, to predict the arena: 4, "
         "for Arm Cortex-M and other 32-bit processors, or 8 for an interpreter on a PC; the "
         "default is what the model was written for, or 4"},
    {.name = "kernels",
     .member = "neap_reading.graph.kernels",
     .heading = "Target",
     .kind = OPTION_KERNELS,
     .field = OPTION_FIELD(reading.graph.kernels),
     .argument = "KERNELS",
     .help = "kernels that run the graph, to predict scratch buffers and the arena, and for "
             "--overlap: tflm-reference, cmsis-nn, cmsis-nn-dsp, cmsis-nn-mve, tflm-python or "
             "elementwise, which 'neap help kernels' describes; the default is what the model "
             "was written for, or with --target tflm, tflm-reference"},
    {.name = "resource-variables",
     .member = "neap_reading.model.resource_variables",
     .heading = "Target",
     .kind = OPTION_NUMBER,
     .field = OPTION_FIELD(reading.model.resource_variables),
     .argument = "N",
     .low = 0,
     .help = "number passed to MicroResourceVariables::Create, for the size of the arena; by "
             "default, as many as the model has"},
    {.name = "scratch",
     .member = "neap_reading.model.scratch",
     .heading = "Target",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(reading.model.scratch),
     .argument = "FILE",
     .graphs = true,
     .help =
         "table of the scratch buffers that kernels request for a TensorFlow Lite model, with "
         "columns operator and bytes, or the runtime's requests as examples/tflm records "
         "them. It replaces what is known of --kernels; with --target tflm, the default is "
         "MODEL.scratch.csv next to MODEL.tflite, if it exists"},
    {.name = "in-place",
     .member = "neap_liveness.in_place",
     .heading = "Graph",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(reading.graph.liveness.in_place),
     .graphs = true,
     .help = "let a graph's outputs overwrite inputs where possible; the operator must allow "
             "it, and no later operator may read the input"},
    {.name = "overlap",
     .member = "neap_liveness.overlap",
     .heading = "Graph",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(reading.graph.liveness.overlap),
     .graphs = true,
     .help = "let a graph's outputs overlap their inputs as far as --kernels read before they "
             "write, or as the graph states; with other kernels, results are wrong"},
    {.name = "alias",
     .member = "neap_liveness.aliases",
     .heading = "Graph",
     .kind = OPTION_ALIASES,
     .field = OPTION_FIELD(reading.graph.liveness.aliases),
     .argument = "LIST",
     .graphs = true,
     .help =
         "let tensors of a graph lie in others, so that nothing is copied: a comma-separated "
         "list of views (outputs that are an input under another shape), concat (inputs in "
         "their concatenation) and split (outputs in what is split)"},
    {.name = "keep",
     .member = "neap_liveness.keep",
     .heading = "Graph",
     .kind = OPTION_NAMES,
     .field = OPTION_FIELD(reading.graph.liveness.keep),
     .argument = "NAMES",
     .graphs = true,
     .help = "comma-separated list of a graph's tensors that stay alive to the end"},
    {.name = "keep-all",
     .member = "neap_liveness.keep_all",
     .heading = "Graph",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(reading.graph.liveness.keep_all),
     .graphs = true,
     .help = "keep every tensor of a graph alive to the end"},
    {.name = "no-inputs",
     .member = "neap_liveness.no_inputs",
     .heading = "Graph",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(reading.graph.liveness.no_inputs),
     .graphs = true,
     .help = "do not plan a graph's inputs; they are stored elsewhere"},
    {.name = "no-outputs",
     .member = "neap_liveness.no_outputs",
     .heading = "Graph",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(reading.graph.liveness.no_outputs),
     .graphs = true,
     .help = "do not plan a graph's outputs; they are stored elsewhere"},
    {.name = "dim",
     .member = "neap_reading.model.dimensions",
     .heading = "Input",
     .kind = OPTION_DIMENSIONS,
     .field = OPTION_FIELD(reading.model.dimensions),
     .argument = "NAME=N",
     .graphs = true,
     .help = "comma-separated values for a model's free dimensions, such as batch=1"},
    {.name = "pool",
     .member = "neap_pool.capacity",
     .heading = "Pools",
     .kind = OPTION_POOLS,
     .field = OPTION_FIELD(pools),
     .argument = "NAME[=SIZE]",
     .graphs = true,
     .help = "add an arena of its own with this capacity, unlimited without SIZE; may be "
             "repeated, the preferred pool first. If INPUT has pools, set the capacity of the "
             "one with this name"},
    {.name = "dot-size",
     .member = "neap_reading.dot.size",
     .heading = "Input",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(reading.dot.size),
     .argument = "NAME",
     .graphs = true,
     .help = "attribute that holds a size or shape in a DOT file (default: the first of bytes, "
             "size, shape and label)"},
    {.name = "dot-order",
     .member = "neap_reading.dot.order",
     .heading = "Input",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(reading.dot.order),
     .argument = "NAME",
     .graphs = true,
     .help = "attribute that holds the execution order in a DOT file (default: topological)"},
};

/* Of all commands. */
static const struct option_row common_rows[] = {
    {.name = "help",
     .heading = "General",
     .letter = 'h',
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(help),
     .help =
         "show help and exit: -h shows the options that most users need, --help all of them"},
    {.name = "help-all",
     .heading = "General",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(help_all),
     .help = "like --help, and also show the options for research"},
    {.name = "quiet",
     .heading = "General",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(quiet),
     .help = "print errors only: no warnings and no summary of a plan"},
    {.name = "verbose",
     .heading = "General",
     .letter = 'v',
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(verbose),
     .help = "print more details"},
};

#define COUNT(rows) (sizeof(rows) / sizeof *(rows))

/* ---------------------------------------------------------------- the list */

static bool has_row(const struct command *command, const char *name) {
  for (size_t i = 0; i < command->option_count; i++)
    if (strcmp(command->options[i].name, name) == 0) return true;
  return false;
}

static void add_row(struct option_list *list, enum option_group group,
                    const struct option_row *row) {
  assert(list->count < OPTIONS_MAX);
  list->views[list->count++] = (struct option_view){.group = group,
                                                    .row = row,
                                                    .name = row->name,
                                                    .heading = row->heading,
                                                    .argument = row->argument,
                                                    .help = row->help,
                                                    .letter = row->letter};
}

static void add_input_options(struct option_list *list, enum command_input input) {
  for (size_t i = 0; i < COUNT(input_rows) && input >= INPUT_TABLE; i++)
    if (input >= INPUT_GRAPH || !input_rows[i].graphs)
      add_row(list, OPTION_INPUT, &input_rows[i]);
}

/* A command's own option replaces the library's option of the same name. */
static void add_planning_options(struct option_list *list, const struct command *command) {
  neap_option_info info = NEAP_INIT(neap_option_info);
  for (size_t i = 0; command->plans && neap_option_at(i, &info); i++) {
    if (has_row(command, info.name)) continue;
    assert(list->count < OPTIONS_MAX);
    bool is_engine = command->engine && strcmp(info.name, "engine") == 0;
    list->views[list->count++] =
        (struct option_view){.group = OPTION_PLANNING,
                             .name = info.name,
                             .heading = info.heading,
                             .argument = info.argument,
                             .help = info.help,
                             .initial = is_engine ? command->engine : info.initial,
                             .is_advanced = info.is_advanced};
  }
}

void options_list(const struct command *command, struct option_list *list) {
  list->count = 0;
  for (size_t i = 0; i < command->option_count; i++)
    add_row(list, OPTION_OWN, &command->options[i]);
  add_input_options(list, command->input);
  add_planning_options(list, command);
  for (size_t i = 0; i < COUNT(common_rows); i++)
    add_row(list, OPTION_COMMON, &common_rows[i]);
}

const struct option_view *option_find(const struct option_list *list, const char *name) {
  for (size_t i = 0; i < list->count; i++)
    if (strcmp(list->views[i].name, name) == 0) return &list->views[i];
  return NULL;
}

bool option_takes_format(const struct option_row *row, const neap_format_info *info) {
  if (row->kind == OPTION_PLAN_FORMAT) return info->writes & NEAP_CONTENT_PLAN;
  if (row->kind == OPTION_PROBLEM_FORMAT) return info->writes & NEAP_CONTENT_PROBLEM;
  return info->writes & (NEAP_CONTENT_PROBLEM | NEAP_CONTENT_PLAN);
}

neap_option_info option_planning(const char *name) {
  neap_option_info info = NEAP_INIT(neap_option_info);
  bool found = false;
  for (size_t i = 0; !found && neap_option_at(i, &info); i++)
    found = strcmp(info.name, name) == 0;
  assert(found);
  return info;
}

/* ------------------------------------------------------------- members of the library's structs */

/* The length of `name` if `text` begins with it as a whole word; 0 if it does not. */
static size_t match(const char *text, const char *name) {
  static const char word[] = "abcdefghijklmnopqrstuvwxyz_-";
  size_t length = strlen(name);
  if (strncmp(text, name, length) != 0) return 0;
  return text[length] != '\0' && strchr(word, text[length]) ? 0 : length;
}

/* Finds the row whose member `text` begins with, and the length of that with an index: "[2]". */
static const char *row_of_member(const char *text, const struct option_row *rows, size_t count,
                                 size_t *length) {
  for (size_t i = 0; i < count; i++) {
    if (!rows[i].member || (*length = match(text, rows[i].member)) == 0) continue;
    if (text[*length] == '[') *length += strcspn(text + *length, "]") + 1;
    return rows[i].name;
  }
  return NULL;
}

static const char *option_of_member(const char *text, command_lister *command_at,
                                    size_t *length) {
  const struct command *command;
  const char *name = row_of_member(text, input_rows, COUNT(input_rows), length);
  for (size_t i = 0; !name && command_at && (command = command_at(i)) != NULL; i++)
    name = row_of_member(text, command->options, command->option_count, length);
  return name;
}

/* The planning option of a text that begins with "option max-ticks". */
static const char *planning_option(const char *text, size_t *length) {
  static const char before[] = "option ";
  if (strncmp(text, before, strlen(before)) != 0) return NULL;
  neap_option_info info = NEAP_INIT(neap_option_info);
  for (size_t i = 0; neap_option_at(i, &info); i++)
    if ((*length = match(text + strlen(before), info.name)) > 0) {
      *length += strlen(before);
      return info.name;
    }
  return NULL;
}

void options_for_members(char *text, command_lister *command_at) {
  char *to = text;
  for (const char *from = text; *from;) {
    size_t length = 0;
    const char *name = strncmp(from, "neap_", 5) == 0
                           ? option_of_member(from, command_at, &length)
                           : planning_option(from, &length);
    if (name) {
      assert(length >= strlen("--") + strlen(name));
      to = stpcpy(stpcpy(to, "--"), name);
      from += length;
    } else *to++ = *from++;
  }
  *to = '\0';
}

const char *option_help(const struct option_view *view, char text[OPTION_HELP_SIZE]) {
  if (view->row) return view->help;
  assert(strlen(view->help) < OPTION_HELP_SIZE);
  snprintf(text, OPTION_HELP_SIZE, "%s", view->help);
  options_for_members(text, NULL);
  return text;
}
