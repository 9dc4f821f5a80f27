/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/explain/explanation_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/output/number_text.h"
#include "neap-tool.h"

/* ---------------------------------------------------------------- changes */

#define QUOTED_SIZE (FIGURE_NAME_SIZE + 2)
#define MOMENT_SIZE 128

struct names {
  char buffer[QUOTED_SIZE], other[QUOTED_SIZE];
};

static void quote(char text[QUOTED_SIZE], const neap_problem *problem, size_t index) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  char name[FIGURE_NAME_SIZE];
  text[0] = '\0';
  if (index != NEAP_NO_BUFFER && neap_problem_buffer_at(problem, index, &buffer))
    snprintf(text, QUOTED_SIZE, "'%s'", figure_name(name, buffer.name));
}

/* "12", or "12 (after CONV_2D)" with an operator that runs then or ends then. */
static const char *describe_moment(char text[MOMENT_SIZE], const neap_problem *problem,
                                   neap_time moment, const char *word, neap_time operator) {
  const char *name = operator>= 0 ? neap_problem_operator_type(problem, operator) : "";
  if (*name) snprintf(text, MOMENT_SIZE, "%" PRId64 " (%s %.60s)", moment, word, name);
  else snprintf(text, MOMENT_SIZE, "%" PRId64, moment);
  return text;
}

static void describe_lifetime(char text[CHANGE_TEXT_SIZE], const neap_problem *problem,
                              const neap_change *change, const char *buffer) {
  char to[MOMENT_SIZE], from[MOMENT_SIZE];
  if (change->kind == NEAP_CHANGE_END)
    snprintf(text, CHANGE_TEXT_SIZE, "free %s at %s instead of at %s", buffer,
             describe_moment(to, problem, change->time, "after", change->time - 1),
             describe_moment(from, problem, change->was, "after", change->was - 1));
  else
    snprintf(text, CHANGE_TEXT_SIZE, "allocate %s at %s instead of at %s", buffer,
             describe_moment(to, problem, change->time, "for", change->time),
             describe_moment(from, problem, change->was, "for", change->was));
}

static void describe_size(char text[CHANGE_TEXT_SIZE], const neap_problem *problem,
                          const neap_change *change, const char *name) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  char less[FIGURE_SIZE];
  neap_problem_buffer_at(problem, change->buffer, &buffer);
  figure_count(less, (uint64_t)change->bytes, "byte");
  if (change->bytes == buffer.size)
    snprintf(text, CHANGE_TEXT_SIZE, "remove %s (%s)", name, less);
  else
    snprintf(text, CHANGE_TEXT_SIZE, "make %s %s smaller: %" PRId64 " instead of %" PRId64,
             name, less, buffer.size - change->bytes, buffer.size);
}

static void describe_relation(char text[CHANGE_TEXT_SIZE], const neap_problem *problem,
                              const neap_change *change, const struct names *names) {
  neap_relation relation = NEAP_INIT(neap_relation);
  char kind[64] = "relation";
  if (neap_problem_relation_at(problem, change->index, &relation))
    snprintf(kind, sizeof kind, "%s", neap_relation_kind_name(relation.kind));
  for (char *at = kind; (at = strchr(at, '_')) != NULL;)
    *at = ' ';
  snprintf(text, CHANGE_TEXT_SIZE, "drop the %s of %s and %s", kind, names->buffer,
           names->other);
}

static void describe_reserved(char text[CHANGE_TEXT_SIZE], const neap_problem *problem,
                              const neap_change *change) {
  neap_reserved reserved = {.struct_size = sizeof(neap_reserved), .pool = 0};
  neap_problem_reserved_at(problem, change->index, &reserved);
  snprintf(text, CHANGE_TEXT_SIZE, "free the reserved bytes %" PRId64 " to %" PRId64,
           reserved.low, reserved.high);
}

static void describe_capacity(char text[CHANGE_TEXT_SIZE], const neap_problem *problem,
                              const neap_change *change) {
  neap_pool pool = NEAP_INIT(neap_pool);
  char name[FIGURE_NAME_SIZE], more[FIGURE_SIZE];
  figure_count(more, (uint64_t)change->bytes, "byte");
  if (neap_problem_pool_at(problem, change->index, &pool))
    snprintf(text, CHANGE_TEXT_SIZE, "make pool '%s' %s larger", figure_name(name, pool.name),
             more);
  else snprintf(text, CHANGE_TEXT_SIZE, "make the capacity %s larger", more);
}

static void describe_overlap(char text[CHANGE_TEXT_SIZE], const neap_problem *problem,
                             const neap_change *change, const struct names *names) {
  neap_buffer output = NEAP_INIT(neap_buffer);
  char shared[FIGURE_SIZE];
  figure_count(shared, (uint64_t)change->bytes, "byte");
  neap_problem_buffer_at(problem, change->buffer, &output);
  const char *operator= neap_problem_operator_type(problem, output.ranges[0].start);
  snprintf(text, CHANGE_TEXT_SIZE, "let %s overlap %s by %s%s%.60s", names->buffer,
           names->other, shared, *operator? " in " : "", operator);
}

/* "free 'x' at 12 (after CONV_2D) instead of at 15 (after ADD)"; returns `text`. */
static const char *change_text(char text[CHANGE_TEXT_SIZE], const neap_problem *problem,
                               const neap_change *change) {
  struct names names;
  neap_buffer buffer = NEAP_BUFFER_INIT;
  quote(names.buffer, problem, change->buffer);
  quote(names.other, problem, change->other);
  if (change->buffer != NEAP_NO_BUFFER)
    neap_problem_buffer_at(problem, change->buffer, &buffer);
  switch (change->kind) {
  case NEAP_CHANGE_ALIGNMENT:
    snprintf(text, CHANGE_TEXT_SIZE, "align %s to %" PRId64 " instead of %" PRId64,
             names.buffer, change->bytes, buffer.alignment);
    break;
  case NEAP_CHANGE_FIXED:
    snprintf(text, CHANGE_TEXT_SIZE, "let %s leave its fixed offset %" PRId64, names.buffer,
             buffer.fixed_offset);
    break;
  case NEAP_CHANGE_WINDOW:
    snprintf(text, CHANGE_TEXT_SIZE, "drop the window of %s", names.buffer);
    break;
  case NEAP_CHANGE_BANK:
    snprintf(text, CHANGE_TEXT_SIZE, "drop the bank of %s", names.buffer);
    break;
  case NEAP_CHANGE_RELATION:
    describe_relation(text, problem, change, &names);
    break;
  case NEAP_CHANGE_RESERVED:
    describe_reserved(text, problem, change);
    break;
  case NEAP_CHANGE_OVERLAP:
    describe_overlap(text, problem, change, &names);
    break;
  case NEAP_CHANGE_SIZE:
    describe_size(text, problem, change, names.buffer);
    break;
  case NEAP_CHANGE_END:
  case NEAP_CHANGE_START:
    describe_lifetime(text, problem, change, names.buffer);
    break;
  case NEAP_CHANGE_CAPACITY:
    describe_capacity(text, problem, change);
    break;
  }
  return text;
}

const char *change_text_fix(char text[CHANGE_TEXT_SIZE], const neap_problem *problem,
                            const neap_fix *fix) {
  change_text(text, problem, &fix->changes[0]);
  for (size_t c = 1; c < fix->change_count; c++) {
    char next[CHANGE_TEXT_SIZE];
    size_t used = strlen(text);
    change_text(next, problem, &fix->changes[c]);
    snprintf(text + used, CHANGE_TEXT_SIZE - used, " and %s", next);
  }
  return text;
}

bool change_needs_kernels(const neap_fix *fix) {
  return fix->changes[0].kind == NEAP_CHANGE_OVERLAP;
}

/*
 * The cost of changes, in a few words: "7 B", "5.00 KiB x steps", "a constraint" if they drop
 * one, "other kernels" if buffers overlap.
 */
static const char *change_text_cost(char text[CHANGE_TEXT_SIZE], const neap_fix *fix) {
  char bytes[FIGURE_SIZE];
  if (change_needs_kernels(fix)) snprintf(text, CHANGE_TEXT_SIZE, "other kernels");
  else if (fix->cost == 0) snprintf(text, CHANGE_TEXT_SIZE, "a constraint");
  else
    snprintf(text, CHANGE_TEXT_SIZE, "%s%s", figure_unit(bytes, fix->cost),
             fix->is_area ? " x steps" : "");
  return text;
}

/* How many buffers are listed. */
#define LISTED 12

struct sheet {
  const struct explained *explained;
  neap_explanation_report report;
};

/* ---------------------------------------------------------------- figures */

static const char *verdict_text(const struct sheet *sheet) {
  bool is_limited = sheet->report.available >= 0 || sheet->report.peak == NEAP_UNPLACED;
  switch (sheet->report.verdict) {
  case NEAP_VERDICT_FITS:
    return is_limited ? "it fits" : "no capacity is given; this is about the peak";
  case NEAP_VERDICT_DOES_NOT_FIT:
    return "it does not fit (proven)";
  case NEAP_VERDICT_UNKNOWN:
    break;
  }
  return "unknown: neither a plan nor a proof was found within the limits";
}

static void print_bytes(const char *label, neap_size bytes, const char *remark) {
  char text[FIGURE_SIZE];
  if (bytes >= 0) printf("%-10s %s%s\n", label, figure_bytes(text, bytes), remark);
}

/* Prints the number of other moments with as many bytes, if the sum at one is the reason. */
static void print_other_moments(const struct sheet *sheet) {
  neap_bound bound = NEAP_INIT(neap_bound);
  char count[FIGURE_SIZE];
  if (sheet->report.reason != NEAP_REASON_SUM ||
      neap_problem_bound(sheet->explained->problem, &bound, NULL) != NEAP_OK)
    return;
  if (bound.range_count > 1)
    printf(", and %s with as many bytes",
           figure_count(count, bound.range_count - 1, "other time"));
}

static void print_moment(const struct sheet *sheet) {
  const neap_explanation_report *report = &sheet->report;
  char text[FIGURE_SIZE];
  if (report->when.start >= report->when.end) return;
  const char *operator=
      neap_problem_operator_type(sheet->explained->problem, report->when.start);
  printf("moment     %s%s%.60s%s", figure_range(text, report->when.start, report->when.end),
         *operator? ", while " : "", operator, * operator? " runs" : "");
  print_other_moments(sheet);
  putchar('\n');
}

static void print_figures(const struct sheet *sheet) {
  const neap_explanation_report *report = &sheet->report;
  bool is_exact = report->peak >= 0 && report->peak == report->required;
  bool knows_both = report->available >= 0 && report->required >= 0;
  printf("verdict    %s\n", verdict_text(sheet));
  if (report->required < NEAP_MAX)
    print_bytes("required", report->required, is_exact ? ", and that suffices" : " at least");
  print_bytes("available", report->available, "");
  if (knows_both && report->required < NEAP_MAX && report->required > report->available)
    print_bytes("excess", report->required - report->available, is_exact ? "" : " at least");
  if (knows_both && report->verdict == NEAP_VERDICT_FITS)
    print_bytes("spare", report->available - report->peak, "");
  print_bytes("bound", report->bound, "");
  print_bytes("peak", report->peak,
              report->verdict == NEAP_VERDICT_FITS ? "" : ", of the best plan found");
  print_moment(sheet);
}

/* ---------------------------------------------------------------- why */

static void print_reason(const struct sheet *sheet) {
  const neap_explanation_report *report = &sheet->report;
  char set[FIGURE_SIZE], bytes[FIGURE_SIZE];
  if (report->reason == NEAP_REASON_NONE) return;
  figure_count(set, report->core_count, "buffer");
  if (report->refused >= 0) printf("\nWhy not %s: ", figure_bytes(bytes, report->refused));
  else printf("\nWhy not: ");
  switch (report->reason) {
  case NEAP_REASON_SUM:
    printf("the sizes alive at that moment exceed it; %s alone do.\n", set);
    break;
  case NEAP_REASON_COLUMN:
    printf("%s do, with their alignments, fixed offsets and relations.\n", set);
    break;
  case NEAP_REASON_POOLS:
    printf("%s alone exceed the pools that they can be in.\n", set);
    break;
  default:
    printf("no layout of %s has room, although no moment has too many bytes.\n", set);
    break;
  }
  if (report->reason == NEAP_REASON_COLUMN || report->reason == NEAP_REASON_SET)
    printf("%s\n", report->is_minimal ? "Without any one of them the others fit."
                                      : "The set may not be the smallest.");
}

/* Prints the bytes of the peak that are not proven to be needed. */
static void print_gap(const struct sheet *sheet) {
  const neap_explanation_report *report = &sheet->report;
  char bytes[FIGURE_SIZE];
  if (report->verdict != NEAP_VERDICT_FITS || report->available >= 0) return;
  if (report->peak < 0 || report->peak <= report->required) return;
  printf(
      "\nThe peak is %s above what is proven to be needed; whether a lower one exists is not "
      "known.\n",
      figure_bytes(bytes, report->peak - report->required));
}

typedef bool list_function(const neap_explanation *explanation, size_t index, size_t *buffer);

static int widest_name(const struct sheet *sheet, list_function *at) {
  int widest = (int)strlen("buffer");
  size_t index;
  for (size_t i = 0; i < LISTED && at(sheet->explained->explanation, i, &index); i++) {
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    char name[FIGURE_NAME_SIZE];
    neap_problem_buffer_at(sheet->explained->problem, index, &buffer);
    int width = figure_width(figure_name(name, buffer.name));
    if (width > widest) widest = width;
  }
  return widest;
}

static void print_buffer(const neap_problem *problem, size_t index, int widest) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  char name[FIGURE_NAME_SIZE], unit[FIGURE_SIZE], range[FIGURE_SIZE];
  neap_problem_buffer_at(problem, index, &buffer);
  int padding = widest - figure_width(figure_name(name, buffer.name));
  printf(
      "  %s%*s  %12" PRId64 "  %10s  %5" PRId64 "  %s\n", name, padding, "", buffer.size,
      figure_unit(unit, buffer.size), buffer.alignment,
      figure_range(range, buffer.ranges[0].start, buffer.ranges[buffer.range_count - 1].end));
}

static void print_list(const struct sheet *sheet, list_function *at, size_t count) {
  int widest = widest_name(sheet, at);
  size_t index;
  printf("  %-*s  %12s  %10s  %5s  %s\n", widest, "buffer", "bytes", "size", "align", "alive");
  for (size_t i = 0; i < LISTED && at(sheet->explained->explanation, i, &index); i++)
    print_buffer(sheet->explained->problem, index, widest);
  if (count > LISTED) printf("  and %zu more; --json lists all\n", count - LISTED);
}

static void print_buffers(const struct sheet *sheet) {
  const neap_explanation_report *report = &sheet->report;
  char count[FIGURE_SIZE];
  if (report->core_count > 0) {
    puts("Cannot fit together:");
    print_list(sheet, neap_explanation_core_at, report->core_count);
  }
  bool repeats = report->reason == NEAP_REASON_SUM && report->core_count >= LISTED;
  if (report->alive_count <= report->core_count || repeats) return;
  printf("\nAlive at that moment, %s:\n", figure_count(count, report->alive_count, "buffer"));
  print_list(sheet, neap_explanation_alive_at, report->alive_count);
}

/* ---------------------------------------------------------------- what would help */

static void print_fix(const struct sheet *sheet, const neap_fix *fix) {
  char text[CHANGE_TEXT_SIZE], cost[CHANGE_TEXT_SIZE], peak[FIGURE_SIZE];
  printf("  %-20s  %10s  %s\n", change_text_cost(cost, fix), figure_unit(peak, fix->peak),
         change_text_fix(text, sheet->explained->problem, fix));
}

static void add_cost(char text[CHANGE_TEXT_SIZE], const char *cost) {
  size_t used = strlen(text);
  snprintf(text + used, CHANGE_TEXT_SIZE - used, "%s%s", used > 0 ? " + " : "", cost);
}

/* "7 B + other kernels" */
static const char *remedy_cost(char text[CHANGE_TEXT_SIZE], const struct remedy *remedy) {
  neap_fix fix = NEAP_INIT(neap_fix);
  char work[FIGURE_SIZE];
  bool has_fix = remedy_fix(remedy, &fix);
  text[0] = '\0';
  if (has_fix) change_text_cost(text, &fix);
  snprintf(work, sizeof work, "%.1f %% work", remedy->extra_percent);
  if (remedy->extra_percent > 0) add_cost(text, work);
  if (remedy->needs_kernels && !(has_fix && change_needs_kernels(&fix)))
    add_cost(text, remedy->extra_percent > 0 ? "kernels" : "other kernels");
  if (!text[0]) add_cost(text, "nothing");
  return text;
}

static void print_remedies(const struct remedies *remedies) {
  for (size_t i = 0; i < remedies->count; i++) {
    const struct remedy *remedy = &remedies->items[i];
    char text[CHANGE_TEXT_SIZE], cost[CHANGE_TEXT_SIZE], peak[FIGURE_SIZE];
    neap_fix fix = NEAP_INIT(neap_fix);
    bool has_fix = remedy_fix(remedy, &fix);
    printf("  %-20s  %10s  plan with %s%s%s\n", remedy_cost(cost, remedy),
           figure_unit(peak, remedy->peak), remedy->options, has_fix ? " and " : "",
           has_fix ? change_text_fix(text, remedy->problem, &fix) : "");
  }
}

/* Whether a listed change lets buffers share bytes. */
static bool shares_bytes(const struct explained *explained) {
  neap_fix fix = NEAP_INIT(neap_fix);
  for (size_t i = 0; neap_explanation_fix_at(explained->explanation, i, &fix); i++)
    if (change_needs_kernels(&fix)) return true;
  for (size_t i = 0; i < explained->remedies.count; i++)
    if (explained->remedies.items[i].needs_kernels) return true;
  return false;
}

/* Whether a larger capacity is the only change listed. */
static bool is_capacity_all(const struct sheet *sheet) {
  neap_fix fix = NEAP_INIT(neap_fix);
  if (sheet->explained->remedies.count > 0 || sheet->report.fix_count > 1) return false;
  return !neap_explanation_fix_at(sheet->explained->explanation, 0, &fix) ||
         fix.changes[0].kind == NEAP_CHANGE_CAPACITY;
}

static void print_fixes(const struct sheet *sheet) {
  const neap_explanation_report *report = &sheet->report;
  bool is_peak = report->verdict == NEAP_VERDICT_FITS;
  neap_fix fix = NEAP_INIT(neap_fix);
  if (report->fix_count > 0 || sheet->explained->remedies.count > 0) {
    printf("\n%s (each verified by planning again):\n  %-20s  %10s  %s\n",
           is_peak ? "What would lower the peak" : "What would make it fit", "costs", "peak",
           "change");
    print_remedies(&sheet->explained->remedies);
    for (size_t i = 0; neap_explanation_fix_at(sheet->explained->explanation, i, &fix); i++)
      print_fix(sheet, &fix);
  }
  if (sheet->explained->has_looked && report->verdict == NEAP_VERDICT_DOES_NOT_FIT &&
      report->is_complete && is_capacity_all(sheet))
    puts("No change of one or two buffers was found that makes it fit.");
  if (shares_bytes(sheet->explained))
    puts("Let buffers share bytes only where the kernels that run them allow it.");
  if (!report->is_complete)
    puts("\nLimits were reached, so there may be more; --time-limit raises them.");
}

void explanation_print(const struct explained *explained) {
  struct sheet sheet = {.explained = explained};
  sheet.report = (neap_explanation_report)NEAP_INIT(neap_explanation_report);
  neap_explanation_get_report(explained->explanation, &sheet.report);
  print_figures(&sheet);
  if (sheet.report.verdict == NEAP_VERDICT_FITS && sheet.report.available >= 0) return;
  print_reason(&sheet);
  print_gap(&sheet);
  print_buffers(&sheet);
  print_fixes(&sheet);
}
