/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/output/bands.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/output/json.h"
#include "cli/output/number_text.h"
#include "cli/output/runtime_arena.h"

double bands_extra(const neap_model_need *before, const neap_model_need *after) {
  if (before->macs == 0) return 0;
  return 100.0 * (double)(after->macs - before->macs) / (double)before->macs;
}

/* ---------------------------------------------------------------- for people */

static void print_arena(const neap_bands_report *report) {
  char text[FIGURE_SIZE], other[FIGURE_SIZE];
  if (report->before.tail == 0) return;
  printf("arena    %s%s", report->after.is_partial ? "at least " : "",
         figure_bytes(text, report->after.arena));
  if (report->is_split)
    printf(", before %s; its tail has %" PRId64 " bytes more",
           figure_bytes(other, report->before.arena), report->after.tail - report->before.tail);
  putchar('\n');
}

static void print_segments(const neap_bands *split) {
  neap_bands_segment segment = NEAP_INIT(neap_bands_segment);
  for (size_t i = 0; neap_bands_segment_at(split, i, &segment); i++) {
    char input[FIGURE_NAME_SIZE], output[FIGURE_NAME_SIZE];
    printf("segment  operators %zu to %zu in %zu %s, from %s to %s%s\n", segment.first,
           segment.end - 1, segment.count,
           segment.is_by_channels ? "groups of channels" : "bands",
           figure_name(input, segment.input), figure_name(output, segment.output),
           segment.keeps_rows ? ", keeping rows" : "");
  }
}

static void print_costs(const neap_bands_report *report) {
  const neap_model_need *before = &report->before, *after = &report->after;
  printf("work     %.2f %% more multiply-accumulates\n", bands_extra(before, after));
  printf("model    %zu operators more, %" PRId64 " bytes of flash more\n",
         after->operators - before->operators, after->file_bytes - before->file_bytes);
}

static void print_curve(const neap_bands *split, const neap_model_need *before) {
  neap_model_need point;
  if (!neap_bands_choice_at(split, 1, &point)) return;
  for (size_t i = 0; neap_bands_choice_at(split, i, &point); i++) {
    printf("curve    %10" PRId64 " bytes, %6.2f %% more work, %4zu operators", point.peak,
           bands_extra(before, &point), point.operators);
    if (point.tail > 0) printf(", arena %10" PRId64, point.arena);
    putchar('\n');
  }
}

/* The goal's choice may need so many operators that another choice has a smaller arena. */
static void print_smallest(const neap_bands *split, const neap_bands_report *report) {
  char text[FIGURE_SIZE];
  neap_model_need point, best = report->after;
  for (size_t i = 0; neap_bands_choice_at(split, i, &point); i++)
    if (point.arena < best.arena) best = point;
  if (best.arena < report->after.arena)
    printf("smallest arena: %s, with %.2f %% more work, without --%s\n",
           figure_bytes(text, best.arena), bands_extra(&report->before, &best),
           report->goal == NEAP_BANDS_WORK ? "capacity" : "goal peak");
}

void bands_print_bands(const neap_bands *split) {
  neap_bands_report report = NEAP_INIT(neap_bands_report);
  neap_bands_get_report(split, &report);
  if (!report.is_split) return;
  print_costs(&report);
  print_segments(split);
}

static void print_proof(const neap_bands_report *report) {
  char text[FIGURE_SIZE];
  if (!report->is_proven && report->lower_bound == 0) {
    puts("proof    none that no other choice is better");
    return;
  }
  fputs("proof    searched, no certificate: no choice ", stdout);
  if (report->is_proven) fputs("is better", stdout);
  else printf("has a peak below %s", figure_bytes(text, report->lower_bound));
  printf(", of equal or balanced bands, segments of up to %zu operators, up to %g times the "
         "work\n",
         report->length_max, report->factor);
}

#define WHOLE_TYPES 3 /* that are named */

void bands_print_whole(const neap_bands *bands) {
  neap_arena_note note = NEAP_INIT(neap_arena_note);
  char text[ARENA_FACTS_WHICH];
  size_t i = 0;
  for (; i < WHOLE_TYPES && neap_bands_whole_at(bands, i, &note); i++)
    printf("%s%s", i > 0 ? ", " : "bands    none for ", arena_facts_which(text, &note));
  if (neap_bands_whole_at(bands, i, &note)) fputs(" and others", stdout);
  if (i > 0) putchar('\n');
}

void bands_print(const neap_bands *split) {
  static const char *const goals[] = {[NEAP_BANDS_ARENA] = "the smallest arena",
                                      [NEAP_BANDS_PEAK] = "the lowest peak",
                                      [NEAP_BANDS_WORK] = "the least extra work that fits"};
  static const char *const nothing[][2] = {
      [NEAP_BANDS_ARENA] = {"found no choice that makes it smaller",
                            "no choice makes it smaller"},
      [NEAP_BANDS_PEAK] = {"found no choice that lowers the peak", "no choice lowers the peak"},
      [NEAP_BANDS_WORK] = {"the model fits as it is", "the model fits as it is"}};
  char text[FIGURE_SIZE], other[FIGURE_SIZE];
  neap_bands_report report = NEAP_INIT(neap_bands_report);
  neap_bands_get_report(split, &report);
  printf("peak     %s, before %s\n", figure_bytes(text, report.after.peak),
         figure_bytes(other, report.before.peak));
  print_arena(&report);
  arena_facts_print_kernels(stdout, neap_plan_problem(neap_bands_plan_before(split)));
  printf("goal     %s\n", goals[report.goal]);
  if (!report.is_split) {
    printf("split    nothing: %s\n", nothing[report.goal][report.is_proven]);
    if (report.goal != NEAP_BANDS_WORK) bands_print_whole(split);
    print_curve(split, &report.before);
    return;
  }
  print_proof(&report);
  bands_print_bands(split);
  print_curve(split, &report.before);
  print_smallest(split, &report);
}

/* ---------------------------------------------------------------- for programs */

json_t *bands_point(const neap_model_need *point) {
  json_t *object = json_pack("{sI sI sI sI}", "peak", (json_int_t)point->peak, "macs",
                             (json_int_t)point->macs, "operators", (json_int_t)point->operators,
                             "file_bytes", (json_int_t)point->file_bytes);
  if (point->tail == 0) return object;
  object = object_add_number(object, "tail", (json_int_t)point->tail);
  object = object_add_number(object, "arena", (json_int_t)point->arena);
  return object_add(object, "is_lower_bound", json_boolean(point->is_partial));
}

/* The rows or channels of each band. */
static json_t *height_list(const neap_bands_segment *segment) {
  json_t *list = json_array();
  for (size_t b = 0; list && b < segment->count; b++)
    list = object_append(list,
                         json_integer(segment->ends[b] - (b > 0 ? segment->ends[b - 1] : 0)));
  return list;
}

static json_t *segment_list(const neap_bands *split) {
  json_t *list = json_array();
  neap_bands_segment segment = NEAP_INIT(neap_bands_segment);
  for (size_t i = 0; list && neap_bands_segment_at(split, i, &segment); i++)
    list = object_append(
        list, json_pack("{sI sI sI so sb so so}", "first", (json_int_t)segment.first, "end",
                        (json_int_t)segment.end, "bands", (json_int_t)segment.count,
                        segment.is_by_channels ? "channels" : "rows", height_list(&segment),
                        "keeps_rows", segment.keeps_rows, "input", object_text(segment.input),
                        "output", object_text(segment.output)));
  return list;
}

static json_t *curve_list(const neap_bands *split) {
  json_t *list = json_array();
  neap_model_need point;
  for (size_t i = 0; list && neap_bands_choice_at(split, i, &point); i++)
    list = object_append(list, bands_point(&point));
  return list;
}

json_t *bands_json(const neap_bands *split, const neap_problem *problem) {
  static const char *const goals[] = {
      [NEAP_BANDS_ARENA] = "arena", [NEAP_BANDS_PEAK] = "peak", [NEAP_BANDS_WORK] = "work"};
  neap_bands_report report = NEAP_INIT(neap_bands_report);
  neap_bands_get_report(split, &report);
  json_t *object =
      json_pack("{so so ss sb sb sI so so so}", "before", bands_point(&report.before), "after",
                bands_point(&report.after), "goal", goals[report.goal], "split",
                (int)report.is_split, "proven", (int)report.is_proven, "lower_bound",
                (json_int_t)report.lower_bound, "segments", segment_list(split), "curve",
                curve_list(split), "seconds", object_real(report.seconds));
  return arena_facts_add_kernels(object, problem);
}
