/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/summary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/figures.h"
#include "cli/messages.h"

const char *summary_reason(neap_stop_reason reason) {
  switch (reason) {
  case NEAP_STOP_BOUND:
    return "the bound is reached";
  case NEAP_STOP_PROVEN:
    return "a proven lower bound is reached";
  case NEAP_STOP_FIXED_POINT:
    return "an earlier order came up again";
  case NEAP_STOP_ITERATION_CAP:
    return "the cap on rounds is met";
  case NEAP_STOP_TIME_LIMIT:
    return "the time limit is met";
  case NEAP_STOP_TICK_LIMIT:
    return "the limit on ticks is met";
  case NEAP_STOP_CANCELLED:
    return "it was interrupted";
  case NEAP_STOP_CAPACITY:
    return "the capacity is kept";
  case NEAP_STOP_COMPLETE:
    return "there is no more to try";
  }
  return "";
}

void summary_bound(const neap_bound *bound, int label_width) {
  char bytes[FIGURE_SIZE], range[FIGURE_SIZE];
  printf("%-*s%s", label_width, "bound", figure_bytes(bytes, bound->bytes));
  if (bound->range_count > 0)
    printf(", at time %s", figure_range(range, bound->start, bound->end));
  if (bound->range_count > 1) printf(", the first of %zu times", bound->range_count);
  putchar('\n');
  if (bound->lower_bound > bound->bytes)
    printf("%-*s%s, for fixed offsets and alignments\n", label_width, "at least",
           figure_bytes(bytes, bound->lower_bound));
}

/* What the order of a graph's operators has saved, and what the layout has added to that. */
static void print_order(const neap_report *report, const neap_plan *plan) {
  char given[FIGURE_SIZE], saved[FIGURE_SIZE], added[FIGURE_SIZE];
  size_t count;
  if (!neap_problem_schedule(neap_plan_problem(plan), &count)) return;
  printf("order    %s less than the %s of the order given; the layout adds %s\n",
         figure_bytes(saved, report->given_bound - report->bound),
         figure_bytes(given, report->given_bound),
         figure_bytes(added, report->peak - report->bound));
}

int summary_plan(const neap_plan *plan) {
  neap_error error;
  neap_report report;
  neap_bound bound;
  char bytes[FIGURE_SIZE], rounds[FIGURE_SIZE];
  if (neap_problem_bound(neap_plan_problem(plan), &bound, &error) != NEAP_OK)
    return message_error(&error);
  neap_plan_report(plan, &report);
  printf("buffers  %zu\n", report.buffers);
  summary_bound(&bound, 9);
  print_order(&report, plan);
  printf("peak     %s\n", figure_bytes(bytes, report.peak));
  printf("gap      %.2f %%\n", report.gap_percent);
  printf("status   %s: %s\n", neap_outcome_name(report.outcome),
         summary_reason(report.stop_reason));
  printf("effort   %s in %.3f s\n", figure_count(rounds, report.rounds, "round"),
         report.seconds);
  if (*report.engine) printf("engine   %s, seed %" PRIu64 "\n", report.engine, report.seed);
  return 0;
}

json_t *summary_text(const char *text) {
  json_t *string = json_string(text);
  if (string) return string;
  char *ascii = strdup(text);
  if (!ascii) return NULL;
  for (char *at = ascii; *at; at++)
    if ((unsigned char)*at >= 0x80) *at = '?';
  string = json_string(ascii);
  free(ascii);
  return string;
}

json_t *summary_real(double value) {
  char text[512];
  snprintf(text, sizeof text, "%.6f", value);
  return json_real(strtod(text, NULL));
}

json_t *summary_append(json_t *list, json_t *item) {
  if (json_array_append_new(list, item) == 0) return list;
  json_decref(list);
  return NULL;
}

int summary_json(json_t *object) {
  bool good = object && json_dumpf(object, stdout, JSON_REAL_PRECISION(15)) == 0;
  json_decref(object);
  if (good) putchar('\n');
  /* A failure to write shows at the program's end, as for all results. */
  return good || ferror(stdout) ? 0 : message_memory();
}
