/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/option_tables.h"

static const struct option_row input_rows[] = {
    {.name = "columns",
     .member = "neap_reading.columns",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(column_names),
     .argument = "ROLE=NAME",
     .help = "comma-separated names of a table's columns, such as id=buf,size=nbytes"},
    {.name = "inclusive",
     .member = "neap_reading.inclusive",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(inclusive),
     .help = "a table's lifetimes include their end: upper is the last moment alive"},
    {.name = "conflicts",
     .member = "neap_reading.conflicts",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(conflicts),
     .argument = "FILE",
     .graphs = true,
     .help = "table of conflicts, with columns first and second: these two buffers never share "
             "bytes; a table of buffers then needs no lifetimes"},
    {.name = "objective",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(objective),
     .argument = "TERMS",
     .graphs = true,
     .help = "what to minimise first, second and so on: a comma-separated list of spill, peak, "
             "reuse and moved; missing terms follow in this order"},
    {.name = "schedule",
     .member = "neap_scheduling.schedule",
     .kind = OPTION_SCHEDULE,
     .field = OPTION_FIELD(schedule),
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
     .member = "neap_reading.target",
     .kind = OPTION_TARGET,
     .field = OPTION_FIELD(target),
     .argument = "NAME",
     .graphs = true,
     .help =
         "runtime to plan for: none (the default), or tflm for TensorFlow Lite Micro, which "
         "rounds offsets and sizes up to multiples of 16 and allocates variables itself"},
    {.name = "variables",
     .member = "neap_reading.variables",
     .kind = OPTION_VARIABLES,
     .field = OPTION_FIELD(variables),
     .argument = "WHO",
     .graphs = true,
     .help = "put a model's variables into the plan (plan, the default) or leave them to the "
             "runtime "
             "(runtime, the default with --target tflm)"},
    {.name = "scratch",
     .member = "neap_reading.scratch",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(scratch),
     .argument = "FILE",
     .graphs = true,
     .help =
         "table of the scratch buffers that kernels request for a TensorFlow Lite model, with "
         "columns operator and bytes, or the runtime's requests as examples/tflm records them; "
         "with --target tflm, the default is MODEL.scratch.csv "
         "next to MODEL.tflite, if it exists"},
    {.name = "in-place",
     .member = "neap_liveness.in_place",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(in_place),
     .graphs = true,
     .help = "let a graph's operators write outputs over their inputs where they can"},
    {.name = "overlap",
     .member = "neap_reading.overlap",
     .kind = OPTION_PROFILE,
     .field = OPTION_FIELD(overlap),
     .argument = "PROFILE",
     .graphs = true,
     .help =
         "let a graph's outputs overlap their inputs as far as these kernels read before they "
         "write: none (the default), elementwise, or tflite-reference for the reference "
         "kernels of TensorFlow Lite Micro; with other kernels, results are wrong"},
    {.name = "alias",
     .member = "neap_liveness.aliases",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(alias),
     .argument = "LIST",
     .graphs = true,
     .help =
         "let tensors of a graph lie in others, so that nothing is copied: a comma-separated "
         "list of views (outputs that are an input under another shape), concat (inputs in "
         "their concatenation) and split (outputs in what is split)"},
    {.name = "keep",
     .member = "neap_liveness.keep",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(keep),
     .argument = "NAMES",
     .graphs = true,
     .help = "comma-separated list of a graph's tensors that stay alive to the end"},
    {.name = "keep-all",
     .member = "neap_liveness.keep_all",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(keep_all),
     .graphs = true,
     .help = "keep every tensor of a graph alive to the end"},
    {.name = "no-inputs",
     .member = "neap_liveness.no_inputs",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(no_inputs),
     .graphs = true,
     .help = "do not plan a graph's inputs; they are stored elsewhere"},
    {.name = "no-outputs",
     .member = "neap_liveness.no_outputs",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(no_outputs),
     .graphs = true,
     .help = "do not plan a graph's outputs; they are stored elsewhere"},
    {.name = "dim",
     .member = "neap_reading.dimensions",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(dimensions),
     .argument = "NAME=N",
     .graphs = true,
     .help = "comma-separated values for a model's free dimensions, such as batch=1"},
    {.name = "pool",
     .member = "neap_pool.capacity",
     .kind = OPTION_POOLS,
     .field = OPTION_FIELD(pools),
     .argument = "NAME[=SIZE]",
     .graphs = true,
     .help = "add an arena of its own with this capacity, unlimited without SIZE; may be "
             "repeated, the preferred pool first. If INPUT has pools, set the capacity of the "
             "one with this name"},
    {.name = "dot-size",
     .member = "neap_reading.dot_size",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(dot_size),
     .argument = "NAME",
     .graphs = true,
     .help = "attribute that holds a size or shape in a DOT file (default: the first of bytes, "
             "size, shape and label)"},
    {.name = "dot-order",
     .member = "neap_reading.dot_order",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(dot_order),
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
