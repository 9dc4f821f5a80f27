/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/help/topics.h"

#include "neap-tool.h"
#include <neap/neap-io.h>
#include <neap/planner.h>
#include <stdio.h>
#include <string.h>

#include "cli/options/options.h"
#include "cli/output/messages.h"

static void set_term(struct topic_entry *entry, const char *term) {
  snprintf(entry->term, sizeof entry->term, "%s", term);
}

/* ---------------------------------------------------------------- the library's tables */

static bool engine_entry(size_t index, struct topic_entry *entry) {
  neap_engine_info info = NEAP_INIT(neap_engine_info), before = NEAP_INIT(neap_engine_info);
  if (!neap_engine_at(index, &info)) return false;
  bool is_first =
      index == 0 || !neap_engine_at(index - 1, &before) || before.is_runtime != info.is_runtime;
  *entry = (struct topic_entry){.text = info.summary};
  if (is_first)
    entry->heading = info.is_runtime ? "Planners of inference runtimes" : "neap's engines";
  set_term(entry, info.name);
  return true;
}

/* Entry `index` of an option's choices. */
static bool choice_entry(const char *option, size_t index, struct topic_entry *entry) {
  neap_option_info info = option_planning(option);
  if (index >= info.choice_count) return false;
  *entry = (struct topic_entry){.text = info.summaries[index]};
  set_term(entry, info.choices[index]);
  return true;
}

static bool place_entry(size_t index, struct topic_entry *entry) {
  return choice_entry("place", index, entry);
}

static bool rearranger_entry(size_t index, struct topic_entry *entry) {
  return choice_entry("rearrange", index, entry);
}

static bool method_entry(size_t index, struct topic_entry *entry) {
  return choice_entry("disable", index, entry);
}

static const char *format_use(const neap_format_info *info) {
  if (!info->reads) return info->writes & NEAP_CONTENT_PLAN ? "output of plans" : "output";
  if (info->writes & NEAP_CONTENT_PLAN) return "input and output";
  return info->writes & NEAP_CONTENT_PROBLEM ? "input and output of problems" : "input";
}

static bool format_entry(size_t index, struct topic_entry *entry) {
  neap_format_info info = NEAP_INIT(neap_format_info);
  if (!neap_format_at(index, &info)) return false;
  *entry = (struct topic_entry){
      .text = info.summary, .remark = format_use(&info), .examples = info.examples};
  snprintf(entry->term, sizeof entry->term, "%-8s %s", info.name, info.extensions[0]);
  return true;
}

static bool target_entry(size_t index, struct topic_entry *entry) {
  neap_target_info info = NEAP_INIT(neap_target_info);
  if (!neap_target_at(index, &info)) return false;
  *entry = (struct topic_entry){.text = info.summary};
  set_term(entry, info.name);
  return true;
}

static bool kernels_entry(size_t index, struct topic_entry *entry) {
  neap_kernels_info info = NEAP_INIT(neap_kernels_info);
  if (!neap_kernels_at(index, &info)) return false;
  *entry = (struct topic_entry){.text = info.summary};
  set_term(entry, info.name);
  return true;
}

static bool kind_entry(size_t index, struct topic_entry *entry) {
  neap_kind_info info;
  if (!neap_kind_at(index, &info)) return false;
  *entry = (struct topic_entry){.text = info.summary};
  set_term(entry, info.name);
  return true;
}

static bool network_entry(size_t index, struct topic_entry *entry) {
  neap_network_info info = NEAP_INIT(neap_network_info);
  if (!neap_network_at(index, &info)) return false;
  *entry = (struct topic_entry){.text = info.summary};
  set_term(entry, info.name);
  return true;
}

/* ---------------------------------------------------------------- lists of the program's own */

static bool exit_entry(size_t index, struct topic_entry *entry) {
  const struct exit_meaning *meaning = exit_meaning_at(index);
  if (!meaning) return false;
  *entry = (struct topic_entry){.text = meaning->meaning};
  snprintf(entry->term, sizeof entry->term, "%d", meaning->code);
  return true;
}

struct row {
  const char *term, *text, *heading;
};

static bool row_entry(const struct row *rows, size_t count, size_t index,
                      struct topic_entry *entry) {
  if (index >= count) return false;
  *entry = (struct topic_entry){.text = rows[index].text, .heading = rows[index].heading};
  set_term(entry, rows[index].term);
  return true;
}

static const struct row order_rows[] = {
    {.heading = "Metrics",
     .term = "duration",
     .text = "the time from the buffer's start to its end"},
    {.term = "size", .text = "the buffer's size in bytes"},
    {.term = "overlap",
     .text = "the time it is alive together with each other buffer, summed over all others"},
    {.heading = "Examples", .term = "size", .text = "largest buffers first"},
    {.term = "size*duration", .text = "largest product of size and duration first"},
    {.term = "overlap,-size/duration",
     .text = "longest overlap first; among equals, smallest ratio of size to duration first"},
};

static bool order_entry(size_t index, struct topic_entry *entry) {
  return row_entry(order_rows, sizeof order_rows / sizeof *order_rows, index, entry);
}

static const struct row variable_rows[] = {
    {.term = "NO_COLOR",
     .text = "if set and not empty, neap uses no colours, not even on a terminal"},
    {.term = "TERM", .text = "if unset or 'dumb', neap shows neither colours nor progress"},
    {.term = "COLUMNS, LINES",
     .text = "size of drawings in the terminal, unless --columns or --lines is given"},
    {.term = "LC_ALL, LC_CTYPE, LANG",
     .text = "drawings in the terminal use box characters if the first of these that is set "
             "names a UTF-8 locale, and ASCII otherwise"},
};

static bool variable_entry(size_t index, struct topic_entry *entry) {
  return row_entry(variable_rows, sizeof variable_rows / sizeof *variable_rows, index, entry);
}

/* ---------------------------------------------------------------- the table */

static const struct topic topics[] = {
    {.name = "engines",
     .summary = "the planners that --engine selects",
     .option = "engine",
     .intro = "--engine NAME selects what plans: one of neap's engines, or the planner of an "
              "inference runtime, reproduced byte for byte for comparison.",
     .entry = engine_entry,
     .outro = "The planners of runtimes make one plan and stop. They ignore --order, --place "
              "and the options of the tuner."},
    {.name = "orders",
     .summary = "the orders that --order accepts",
     .option = "order",
     .intro = "--order SPEC sets the order in which buffers are placed. SPEC is a "
              "comma-separated list of keys. A key is a metric, two or three metrics combined "
              "by + or by *, or the ratio of two, written with /. Buffers with the largest key "
              "come first, or those with the smallest if the key has a leading -. Each further "
              "key orders buffers that are equal so far; finally the order of the input does.",
     .entry = order_entry},
    {.name = "places",
     .summary = "the placement rules that --place selects",
     .option = "place",
     .intro = "--place RULE sets the rule that chooses the offset of a buffer, given the "
              "buffers placed before it.",
     .entry = place_entry},
    {.name = "rearrangers",
     .summary = "the ways to lower the peak that --rearrange selects",
     .option = "rearrange",
     .intro = "--rearrange WAY sets how the tuner lowers the peak. repack changes the layout "
              "itself; every other way finds the next order of a group of buffers that are at "
              "risk of ending above the bound.",
     .entry = rearranger_entry},
    {.name = "methods",
     .summary = "what --disable turns off in the searches",
     .option = "disable",
     .intro = "--disable LIST makes the exact search do without some of its rules and methods, "
              "and the tuner without some of its neighbourhoods, which shows what each is "
              "worth. Without them planning takes longer, but the same plans remain possible.",
     .entry = method_entry},
    {.name = "formats",
     .summary = "the file formats",
     .intro =
         "The extension of a file selects its format, unless --format does. If the "
         "extension of an input file is unknown, neap looks at the content. A minimal file "
         "of each kind follows the list; 'man neap-formats' describes the formats in full.",
     .entry = format_entry},
    {.name = "kernels",
     .summary = "the kernels that --kernels names",
     .option = "kernels",
     .intro =
         "The kernels of a runtime determine what it allocates besides tensors, and with "
         "--overlap, how far an output may lie over an input that no later operator reads. "
         "Such a plan is for these kernels only; with others, results are wrong. With "
         "CMSIS-NN, only operators overlap that its library leaves to the reference kernels. "
         "The scratch buffers of other libraries, such as ESP-NN, are not known: --scratch "
         "states them.",
     .entry = kernels_entry},
    {.name = "targets",
     .summary = "the runtimes that --target plans for",
     .option = "target",
     .intro = "--target NAME plans a model by the rules of the runtime that will run it.",
     .entry = target_entry},
    {.name = "kinds",
     .summary = "the kinds of problems that 'neap gen' generates",
     .entry = kind_entry},
    {.name = "networks",
     .summary = "the published networks that 'neap gen' generates",
     .intro =
         "Each is a graph of operators with batch 1 and float32 tensors, channels first. "
         "Batch normalisation is part of the convolutions, and ReLU and additions may work "
         "in place. Each --seed gives another randwire; the other networks ignore it.",
     .entry = network_entry},
    {.name = "exit-codes", .summary = "the exit codes", .entry = exit_entry},
    {.name = "environment",
     .summary = "the environment variables that neap reads",
     .entry = variable_entry},
};

const struct topic *topic_at(size_t index) {
  return index < sizeof topics / sizeof *topics ? &topics[index] : NULL;
}

const struct topic *topic_find(const char *name) {
  const struct topic *topic;
  for (size_t i = 0; (topic = topic_at(i)) != NULL; i++)
    if (strcmp(topic->name, name) == 0) return topic;
  return NULL;
}

const struct topic *topic_of_option(const char *option) {
  const struct topic *topic;
  for (size_t i = 0; (topic = topic_at(i)) != NULL; i++)
    if (topic->option && strcmp(topic->option, option) == 0) return topic;
  return NULL;
}
