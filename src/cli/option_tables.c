/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/option_tables.h"

static const struct option_row input_rows[] = {
    {.name = "columns",
     .kind = OPTION_COLUMNS,
     .field = OPTION_FIELD(reading.columns),
     .argument = "ROLE=NAME",
     .help = "comma-separated names of a table's columns, such as id=buf,size=nbytes"},
    {.name = "inclusive",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(reading.inclusive),
     .help = "a table's lifetimes include their end: upper is the last moment alive"},
    {.name = "conflicts",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(reading.conflicts),
     .argument = "FILE",
     .graphs = true,
     .help = "table of conflicts, with columns first and second: these two buffers never share "
             "bytes; a table of buffers then needs no lifetimes"},
    {.name = "objective",
     .kind = OPTION_OBJECTIVE,
     .field = OPTION_FIELD(objective),
     .argument = "TERMS",
     .graphs = true,
     .help = "what to minimise first, second and so on: a comma-separated list of spill, peak, "
             "reuse and moved; missing terms follow in this order"},
    {.name = "schedule",
     .kind = OPTION_SCHEDULE,
     .field = OPTION_FIELD(reading.scheduling.schedule),
     .argument = "ORDER",
     .graphs = true,
     .help =
         "order of a graph's operators: keep (the default), depth-first, min-peak, which "
         "searches for a low bound, or optimal, which searches for the lowest bound and proves "
         "it, for 5 seconds unless --time-limit or --max-ticks is given"},
    {.name = "memory-limit",
     .kind = OPTION_BYTES,
     .field = OPTION_FIELD(memory_limit),
     .argument = "BYTES",
     .low = 1,
     .graphs = true,
     .help =
         "memory that neap may take for data; planning then ends with the best plan so far. "
         "--schedule optimal remembers at most three quarters of it (default 1 GiB)"},
    {.name = "target",
     .kind = OPTION_TARGET,
     .field = OPTION_FIELD(reading.target),
     .argument = "NAME",
     .graphs = true,
     .help =
         "runtime to plan for: none (the default), or tflm for TensorFlow Lite Micro, which "
         "rounds offsets and sizes up to multiples of 16 and allocates variables itself"},
    {.name = "variables",
     .kind = OPTION_VARIABLES,
     .field = OPTION_FIELD(reading.variables),
     .argument = "WHO",
     .graphs = true,
     .help = "put a model's variables into the plan (plan, the default) or leave them to the "
             "runtime "
             "(runtime, the default with --target tflm)"},
    {.name = "scratch",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(reading.scratch),
     .argument = "FILE",
     .graphs = true,
     .help =
         "table of the scratch buffers that kernels request for a TensorFlow Lite model, with "
         "columns operator and bytes, or the runtime's requests as examples/tflm records them; "
         "with --target tflm, the default is MODEL.scratch.csv "
         "next to MODEL.tflite, if it exists"},
    {.name = "in-place",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(reading.liveness.in_place),
     .graphs = true,
     .help = "let a graph's operators write outputs over their inputs where they can"},
    {.name = "overlap",
     .kind = OPTION_PROFILE,
     .field = OPTION_FIELD(reading.overlap),
     .argument = "PROFILE",
     .graphs = true,
     .help =
         "let a graph's outputs overlap their inputs as far as these kernels read before they "
         "write: none (the default), elementwise, or tflite-reference for the reference "
         "kernels of TensorFlow Lite Micro; with other kernels, results are wrong"},
    {.name = "alias",
     .kind = OPTION_ALIASES,
     .field = OPTION_FIELD(reading.liveness.aliases),
     .argument = "LIST",
     .graphs = true,
     .help =
         "let tensors of a graph lie in others, so that nothing is copied: a comma-separated "
         "list of views (outputs that are an input under another shape), concat (inputs in "
         "their concatenation) and split (outputs in what is split)"},
    {.name = "keep",
     .kind = OPTION_NAMES,
     .field = OPTION_FIELD(reading.liveness.keep),
     .argument = "NAMES",
     .graphs = true,
     .help = "comma-separated list of a graph's tensors that stay alive to the end"},
    {.name = "keep-all",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(reading.liveness.keep_all),
     .graphs = true,
     .help = "keep every tensor of a graph alive to the end"},
    {.name = "no-inputs",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(reading.liveness.no_inputs),
     .graphs = true,
     .help = "do not plan a graph's inputs; they are stored elsewhere"},
    {.name = "no-outputs",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(reading.liveness.no_outputs),
     .graphs = true,
     .help = "do not plan a graph's outputs; they are stored elsewhere"},
    {.name = "dim",
     .kind = OPTION_DIMENSIONS,
     .field = OPTION_FIELD(reading.dimensions),
     .argument = "NAME=N",
     .graphs = true,
     .help = "comma-separated values for a model's free dimensions, such as batch=1"},
    {.name = "pool",
     .kind = OPTION_POOLS,
     .field = OPTION_FIELD(pools),
     .argument = "NAME[=SIZE]",
     .graphs = true,
     .help = "add an arena of its own with this capacity, unlimited without SIZE; may be "
             "repeated, the preferred pool first. If INPUT has pools, set the capacity of the "
             "one with this name"},
    {.name = "dot-size",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(reading.dot_size),
     .argument = "NAME",
     .graphs = true,
     .help = "attribute that holds a size or shape in a DOT file (default: the first of bytes, "
             "size, shape and label)"},
    {.name = "dot-order",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(reading.dot_order),
     .argument = "NAME",
     .graphs = true,
     .help = "attribute that holds the execution order in a DOT file (default: topological)"},
};

const struct option_table option_input_table = {
    .rows = input_rows, .count = sizeof input_rows / sizeof *input_rows};

static const struct option_row common_rows[] = {
    {.name = "help",
     .letter = 'h',
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(help),
     .help = "show this help and exit"},
    {.name = "help-all",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(help_all),
     .help = "show all options, including those for research"},
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(quiet),
     .help = "print errors only: no warnings and no summary of a plan"},
    {.name = "verbose",
     .letter = 'v',
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(verbose),
     .help = "print more details"},
};

const struct option_table option_common_table = {
    .rows = common_rows, .count = sizeof common_rows / sizeof *common_rows};
