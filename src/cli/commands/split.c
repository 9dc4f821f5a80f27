/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap split */
#include <jansson.h>

#include "cli/commands/commands.h"
#include "cli/input/bands.h"
#include "cli/input/files.h"
#include "cli/output/bands.h"
#include "cli/output/json.h"
#include "cli/output/messages.h"
#include "cli/output/results.h"

static const struct option_row options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_SPLIT_FILE,
     .field = OPTION_FIELD(tflite),
     .argument = "NEW",
     .help = "write the split model to NEW, in the format of MODEL, a TensorFlow Lite model "
             "with its plan; without it, only print the summary"},
    {.name = "capacity",
     .kind = OPTION_BYTES,
     .field = OPTION_FIELD(capacity),
     .argument = "BYTES",
     .help =
         "look for the least extra work with which the peak is at most BYTES, instead of the "
         "smallest arena"},
    OPTION_GOAL(NULL, ""),
    OPTION_MAX_WORK(NULL, ""),
    OPTION_SPLIT_TIME,
    {.name = "html",
     .kind = OPTION_PAGE_FILE,
     .field = OPTION_FIELD(html),
     .argument = "FILE",
     .help = "write an interactive page to FILE, with the plan and the graph of the split "
             "model and of the model as it is"},
    OPTION_HEADER,
    OPTION_JSON,
};

static const char *const brief[] = {"output",  "capacity",   "goal", "max-work",
                                    "overlap", "time-limit", "json",        NULL};

static const struct example examples[] = {
    {"neap split branches.tflite --overlap -o split.tflite",
     "Split for the smallest arena with the reference kernels."},
    {"neap split branches.tflite --max-work 1.1", "Allow a tenth more work at most."},
};

/* ---------------------------------------------------------------- results */

/* A page with both graphs: the split model and the model as it is. */
static int write_page(const struct arguments *arguments, const neap_bands *split) {
  neap_writing writing = results_writing(arguments, arguments->operand);
  writing.other = neap_bands_plan_before(split);
  writing.other_name = "before";
  writing.from_other = true;
  return results_write_plan(neap_bands_plan(split), arguments->html, NEAP_CONTENT_PAGE,
                            &writing);
}

static int print_json(const struct arguments *arguments, const neap_bands *split) {
  json_t *object = json_pack("{so}", "input", object_text(arguments->operand));
  return object_print(object_merge(
      object, bands_json(split, neap_plan_problem(neap_bands_plan_before(split)))));
}

static int write_results(const struct arguments *arguments, const neap_bands *split) {
  neap_error error;
  int code = 0;
  if (arguments->tflite)
    code = message_written(arguments->tflite,
                           neap_bands_write(split, NULL, arguments->tflite, &error), &error);
  if (code == 0 && arguments->html) code = write_page(arguments, split);
  if (code == 0) code = results_write_header(arguments, neap_bands_plan(split));
  if (code != 0) return code;
  if (arguments->json) return print_json(arguments, split);
  if (!arguments->quiet && !results_take_output(arguments)) bands_print(split);
  return 0;
}

/* ---------------------------------------------------------------- the command */

static int check_arguments(const struct arguments *arguments) {
  const char *outputs[] = {arguments->tflite, arguments->html, arguments->header};
  int code = splits_check(arguments, "split");
  if (code == 0) code = results_check_json(arguments);
  if (code != 0) return code;
  return files_check(arguments->operand, outputs, sizeof outputs / sizeof *outputs);
}

static int run_split(const struct arguments *arguments) {
  neap_bands *split;
  int code = check_arguments(arguments);
  if (code == 0) code = splits_find(arguments, arguments->capacity, &split);
  if (code != 0) return code;
  code = write_results(arguments, split);
  neap_bands_free(split);
  return code;
}

const struct command command_split = {
    .name = "split",
    .summary = "lower the memory of a model by computing stages in bands of rows",
    .operand = "MODEL",
    .input = INPUT_GRAPH,
    .rewrites_models = true,
    .usage = "MODEL [-o NEW] [OPTION...]",
    .description =
        "Rewrites MODEL so that segments of it are computed in bands of rows, one band after "
        "the other, or in groups of channels, where operators work channel by channel. Only a "
        "part of each feature map is then in memory. Bands and groups compute exactly what "
        "the whole would, with the same operators and weights; rows that two bands need are "
        "computed twice or kept, and a TensorFlow Lite model has copies of the weights of "
        "groups. Inputs and outputs stay as they are. A TensorFlow Lite model gets a plan for "
        "TensorFlow Lite Micro, which needs the operators SLICE and CONCATENATION. An ONNX "
        "model gets Slice and Concat, for a runtime that runs operators in the order of the "
        "file; --dim fixes free dimensions.\n\nA cut is a moment at which one tensor alone is "
        "in memory. Pieces between cuts run as they are or in 2 to 32 bands or groups. Bands "
        "have equal heights, or heights for which each needs as much memory. A shortest path "
        "finds the combination with the lowest peak. For TensorFlow Lite Micro, each operator "
        "makes the tail of the arena longer, so neap then looks for the smallest arena; "
        "--goal peak looks for the lowest peak alone. --alias concat,split lets slices and "
        "bands lie in the tensors that they belong to; --overlap lets outputs lie over "
        "inputs. Without --capacity and --max-work, the summary also lists how peak and work "
        "are traded off. The first Ctrl-C ends the search and writes the best split so far.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .brief = brief,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run_split,
};
