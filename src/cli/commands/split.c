/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap split */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands/commands.h"
#include "cli/input/files.h"
#include "cli/output/figures.h"
#include "cli/output/messages.h"
#include "cli/output/object.h"
#include "cli/run.h"
#include "neap-tool.h"

#define TAIL_BYTES \
  300 /* of an operator of TensorFlow Lite Micro, about, on a 32-bit processor */

static const struct option_row options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = OPTION_TFLITE_FILE,
     .field = OPTION_FIELD(tflite),
     .argument = "NEW",
     .help = "write the split model with its plan to NEW; without it, only print the summary"},
    {.name = "capacity",
     .kind = OPTION_BYTES,
     .field = OPTION_FIELD(capacity),
     .argument = "BYTES",
     .help =
         "look for the least extra work with which the peak is at most BYTES, instead of the "
         "lowest peak"},
    {.name = "max-macs",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(max_macs),
     .argument = "FACTOR",
     .help = "allow at most FACTOR times the multiply-accumulates of the model, 1 to 10; 2 by "
             "default"},
    OPTION_JSON,
};

static const char *const brief[] = {"output", "capacity", "max-macs", "overlap",
                                    "alias",  "json",     NULL};

static const struct example examples[] = {
    {"neap split branches.tflite --overlap tflite-reference -o split.tflite",
     "Split for the lowest peak with the reference kernels."},
    {"neap split branches.tflite --max-macs 1.1", "Allow a tenth more work at most."},
};

/* ---------------------------------------------------------------- watching */

static bool watch(const neap_split_progress *progress, void *user) {
  char text[256], peak[FIGURE_SIZE];
  if (run_wants_status(progress->seconds, user)) {
    snprintf(text, sizeof text, "split: peak %s, %zu pieces measured, %.1f s",
             figure_unit(peak, progress->peak), progress->measured, progress->seconds);
    message_status(text);
  }
  return !run_interrupted();
}

/* ---------------------------------------------------------------- results */

static double extra_percent(const neap_split_point *before, const neap_split_point *after) {
  if (before->macs == 0) return 0;
  return 100.0 * (double)(after->macs - before->macs) / (double)before->macs;
}

static void print_summary(const neap_split *split, bool fits) {
  char text[FIGURE_SIZE], other[FIGURE_SIZE];
  neap_split_report report;
  neap_split_segment segment;
  neap_split_point point;
  neap_split_get_report(split, &report);
  const neap_split_point *before = &report.before, *after = &report.after;
  printf("peak     %s, before %s\n", figure_bytes(text, after->peak),
         figure_bytes(other, before->peak));
  if (!report.is_split) {
    printf("split    nothing: %s\n",
           fits ? "the model fits as it is" : "no choice lowers the peak");
    return;
  }
  printf("proof    %s\n", report.is_proven ? "no choice is better: equal or balanced bands, "
                                             "segments of up to 64 operators"
                                           : "none that no other choice is better");
  printf("work     %.2f %% more multiply-accumulates\n", extra_percent(before, after));
  printf("model    %zu operators more (about %zu bytes of tail), %" PRId64
         " bytes of flash more\n",
         after->operators - before->operators,
         TAIL_BYTES * (after->operators - before->operators),
         after->file_bytes - before->file_bytes);
  for (size_t i = 0; neap_split_segment_at(split, i, &segment); i++) {
    char input[FIGURE_NAME_SIZE], output[FIGURE_NAME_SIZE];
    printf("segment  operators %zu to %zu in %zu bands, from %s to %s\n", segment.first,
           segment.end - 1, segment.bands, figure_name(input, segment.input),
           figure_name(output, segment.output));
  }
  for (size_t i = 0; neap_split_point_at(split, i, &point); i++)
    printf("curve    %10" PRId64 " bytes, %6.2f %% more work, %4zu operators\n", point.peak,
           extra_percent(before, &point), point.operators);
}

static json_t *point_object(const neap_split_point *point) {
  return json_pack("{sI sI sI sI}", "peak", (json_int_t)point->peak, "macs",
                   (json_int_t)point->macs, "operators", (json_int_t)point->operators,
                   "file_bytes", (json_int_t)point->file_bytes);
}

/* The heights of the bands. */
static json_t *height_list(const neap_split_segment *segment) {
  json_t *list = json_array();
  for (size_t b = 0; list && b < segment->bands; b++)
    list = object_append(list,
                         json_integer(segment->ends[b] - (b > 0 ? segment->ends[b - 1] : 0)));
  return list;
}

static json_t *segment_list(const neap_split *split) {
  json_t *list = json_array();
  neap_split_segment segment;
  for (size_t i = 0; list && neap_split_segment_at(split, i, &segment); i++)
    list = object_append(
        list, json_pack("{sI sI sI so so so}", "first", (json_int_t)segment.first, "end",
                        (json_int_t)segment.end, "bands", (json_int_t)segment.bands, "rows",
                        height_list(&segment), "input", object_text(segment.input), "output",
                        object_text(segment.output)));
  return list;
}

static json_t *curve_list(const neap_split *split) {
  json_t *list = json_array();
  neap_split_point point;
  for (size_t i = 0; list && neap_split_point_at(split, i, &point); i++)
    list = object_append(list, point_object(&point));
  return list;
}

static int print_json(const struct arguments *arguments, const neap_split *split) {
  neap_split_report report;
  neap_split_get_report(split, &report);
  return object_print(json_pack(
      "{so so so sb sb so so so}", "input", object_text(arguments->operand), "before",
      point_object(&report.before), "after", point_object(&report.after), "split",
      (int)report.is_split, "proven", (int)report.is_proven, "segments", segment_list(split),
      "curve", curve_list(split), "seconds", object_real(report.seconds)));
}

static int write_results(const struct arguments *arguments, const neap_split *split) {
  neap_error error;
  int code = 0;
  if (run_interrupted()) message_warning("interrupted: this is the best split so far");
  if (arguments->tflite)
    code = message_written(arguments->tflite,
                           neap_split_write(split, arguments->tflite, &error), &error);
  if (code != 0) return code;
  if (arguments->json) return print_json(arguments, split);
  bool is_taken = arguments->tflite && files_is_standard(arguments->tflite);
  if (!arguments->quiet && !is_taken) print_summary(split, arguments->capacity >= 0);
  return 0;
}

/* ---------------------------------------------------------------- the command */

static int read_factor(const char *text, int64_t *millionths) {
  char *end;
  *millionths = 0;
  if (!text) return 0;
  double factor = strtod(text, &end);
  if (*end || end == text || !(factor >= 1 && factor <= 10))
    return message_usage("--max-macs: expected a factor from 1 to 10, found '%.70s'", text);
  *millionths = (int64_t)floor(factor * 1e6 + 0.5);
  return 0;
}

static int check_arguments(const struct arguments *arguments) {
  if (arguments->reading.liveness.in_place)
    return message_usage(
        "split and --in-place cannot be combined: a model cannot express which "
        "tensors are one buffer; --overlap can share bytes instead");
  if (arguments->scheduling.schedule != NEAP_SCHEDULE_KEEP)
    return message_usage("split and --schedule cannot be combined: the bands have an order of "
                         "their own; reorder the model first");
  if (arguments->pools.count > 0 || arguments->objective.given)
    return message_usage(
        "split plans one arena for its peak, so --pool and --objective cannot be "
        "used with it");
  if (files_is_standard(arguments->operand))
    return message_usage("split copies MODEL, so MODEL must be a file, not '-'");
  if (arguments->json && arguments->tflite && files_is_standard(arguments->tflite))
    return message_usage("--json prints to standard output, so '-' cannot be used for another "
                         "output");
  return files_check(arguments->operand, &arguments->tflite, 1);
}

static int run_split(const struct arguments *arguments) {
  neap_error error;
  neap_split *split;
  double shown = 0;
  neap_splitting splitting = {.capacity = arguments->capacity,
                              .keep_on = watch,
                              .user = &shown,
                              .keep_on_curve = !arguments->max_macs && arguments->capacity < 0};
  int code = check_arguments(arguments);
  if (code == 0) code = read_factor(arguments->max_macs, &splitting.most_millionths);
  if (code != 0) return code;
  run_catch_signals();
  neap_status status =
      neap_split_model(arguments->operand, &arguments->reading, &splitting, &split, &error);
  message_status("");
  if (status != NEAP_OK) return message_error(&error);
  code = write_results(arguments, split);
  neap_split_free(split);
  return code;
}

const struct command command_split = {
    .name = "split",
    .summary = "lower the peak of a model by computing stages in bands of rows",
    .operand = "MODEL",
    .input = INPUT_GRAPH,
    .usage = "MODEL [-o NEW] [OPTION...]",
    .description =
        "Rewrites MODEL so that segments of it are computed in bands of rows, one band after "
        "the "
        "other. Only a part of each feature map is then in memory. Bands compute exactly what "
        "the whole would, with the same operators and weights; rows that two bands need are "
        "computed twice. Inputs and outputs stay as they are. NEW has a plan for TensorFlow "
        "Lite "
        "Micro, which needs the operators SLICE and CONCATENATION.\n\nPieces between cuts, "
        "where "
        "one tensor alone is in memory, run as they are or in 2 to 10 bands, of equal height "
        "or "
        "balanced so that each needs as much memory. "
        "Their combination with the lowest peak is found by a shortest path, and planned. "
        "--alias concat,split lets slices and bands lie in the tensors that they belong to; "
        "--overlap lets outputs lie over inputs. Without --capacity and --max-macs, the "
        "summary "
        "also lists how peak and work are traded off. The first Ctrl-C ends the search and "
        "writes the best split so far.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .brief = brief,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run_split,
};
