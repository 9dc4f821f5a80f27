/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap info */
#include <inttypes.h>
#include <jansson.h>
#include <neap/neap.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/input/files.h"
#include "cli/input/problems.h"
#include "cli/output/json.h"
#include "cli/output/ladder.h"
#include "cli/output/messages.h"
#include "cli/output/number_text.h"
#include "cli/output/relation_facts.h"
#include "cli/output/results.h"
#include "cli/output/runtime_arena.h"
#include "cli/output/shared_arena.h"
#include "cli/output/summary.h"

/* The lengths of the lists of the largest buffers and of those at the bound. */
#define LARGEST 5
#define AT_BOUND 10

static const struct option_row options[] = {
    OPTION_JSON,
    {.name = "draw",
     .kind = OPTION_FLAG,
     .field = OPTION_FIELD(draw),
     .help = "also draw a plan in characters; on a terminal it is drawn anyway if it fits "
             "below the rest"},
    OPTION_REPLAN,
};

static const char *const brief[] = {"json",    "draw", "target", "overlap",
                                    "columns", "dim",  NULL};

static const struct example examples[] = {
    {"neap info transformer_encoder.csv",
     "Show what there is to plan and which buffers make the bound."},
    {"neap info bert_base.dot",
     "Show which tensors would have to shrink and what another order of operators would save."},
    {"neap info branches.tflite", "Show what each option would save."},
};

/* ---------------------------------------------------------------- lists of buffers */

/* Buffers to list, for people and as JSON: the largest, or those alive at the bound. */
struct buffer_table {
  const neap_problem *problem;
  const size_t *indices;
  size_t count; /* of the indices to list */
  neap_size bound;
  /*
   * The bound without each of them, in the table of those alive at the bound, which also lists
   * shares, operators and tensors; NULL for the largest ones.
   */
  const neap_size *without;
};

#define NAME_HEADING "buffer"

static int widest_name(const struct buffer_table *table) {
  int widest = (int)strlen(NAME_HEADING);
  for (size_t i = 0; i < table->count; i++) {
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    char name[FIGURE_NAME_SIZE];
    neap_problem_buffer_at(table->problem, table->indices[i], &buffer);
    int width = figure_width(figure_name(name, buffer.name));
    if (width > widest) widest = width;
  }
  return widest;
}

/*
 * The operator that makes a buffer, and what the buffer holds; columns that are empty are
 * omitted.
 */
struct columns {
  int alive, maker;
  bool has_tensor;
};

static const char *alive_text(const neap_buffer *buffer, char text[FIGURE_SIZE]) {
  return figure_range(text, buffer->ranges[0].start,
                      buffer->ranges[buffer->range_count - 1].end);
}

static int wider(int width, const char *text) {
  int other = figure_width(text);
  return other > width ? other : width;
}

static struct columns measure_columns(const struct buffer_table *table) {
  struct columns columns = {0};
  for (size_t i = 0; i < table->count; i++) {
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    char alive[FIGURE_SIZE], name[FIGURE_NAME_SIZE];
    neap_problem_buffer_at(table->problem, table->indices[i], &buffer);
    columns.alive = wider(columns.alive, alive_text(&buffer, alive));
    if (buffer.hint) columns.maker = wider(columns.maker, figure_name(name, buffer.hint));
    columns.has_tensor = columns.has_tensor || buffer.shape || buffer.dtype;
  }
  return columns;
}

/* Ends a line of the list; `alive` and the others are headings or a buffer's values. */
static void print_columns(FILE *stream, const struct columns *columns, const char *alive,
                          const char *maker, const char *tensor) {
  bool ends = !columns->has_tensor || !tensor[0];
  fputs(alive, stream);
  if (columns->maker > 0 && (maker[0] || !ends))
    fprintf(stream, "%*s  %s", columns->alive - figure_width(alive), "", maker);
  if (!ends)
    fprintf(stream, "%*s  %s",
            columns->maker > 0 ? columns->maker - figure_width(maker)
                               : columns->alive - figure_width(alive),
            "", tensor);
  fputc('\n', stream);
}

static double share_percent(const struct buffer_table *table, neap_size size) {
  return table->bound > 0 ? 100 * (double)size / (double)table->bound : 0;
}

static void print_buffer(FILE *stream, const struct buffer_table *table, size_t place,
                         int name_width, const struct columns *columns) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  char name[FIGURE_NAME_SIZE], unit[FIGURE_SIZE], range[FIGURE_SIZE];
  char maker[FIGURE_NAME_SIZE] = "", tensor[NEAP_SHAPE_TEXT], shown[FIGURE_NAME_SIZE];
  neap_problem_buffer_at(table->problem, table->indices[place], &buffer);
  int padding = name_width - figure_width(figure_name(name, buffer.name));
  fprintf(stream, "  %s%*s  %12" PRId64 "  %10s", name, padding, "", buffer.size,
          figure_unit(unit, buffer.size));
  if (table->without)
    fprintf(stream, "  %5.1f %%  %14s", share_percent(table, buffer.size),
            figure_unit(unit, table->bound - table->without[place]));
  if (buffer.hint) figure_name(maker, buffer.hint);
  fputs("  ", stream);
  print_columns(stream, columns, alive_text(&buffer, range), maker,
                figure_name(shown, neap_shape_text(&buffer, tensor)));
}

static void buffer_table_print(FILE *stream, const struct buffer_table *table) {
  int width = widest_name(table);
  struct columns columns = {0};
  if (table->without) columns = measure_columns(table);
  columns.alive = wider(columns.alive, "alive");
  if (columns.maker > 0) columns.maker = wider(columns.maker, "operator");
  fprintf(stream, "  %-*s  %12s  %10s  %s", width, NAME_HEADING, "bytes", "size",
          table->without ? "  share  bound drops by  " : "");
  print_columns(stream, &columns, "alive", columns.maker > 0 ? "operator" : "",
                columns.has_tensor ? "tensor" : "");
  for (size_t i = 0; i < table->count; i++)
    print_buffer(stream, table, i, width, &columns);
}

/* NULL if the shape is unknown. */
static json_t *shape_list(const neap_buffer *buffer) {
  if (!buffer->shape) return NULL;
  json_t *list = json_array();
  for (size_t d = 0; d < buffer->rank && list; d++)
    list = object_append(list, json_integer((json_int_t)buffer->shape[d]));
  return list;
}

static json_t *buffer_object(const struct buffer_table *table, size_t index) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  neap_problem_buffer_at(table->problem, index, &buffer);
  return json_pack("{ss sI sI sI so so* so* so*}", "name", buffer.name, "size",
                   (json_int_t)buffer.size, "start", (json_int_t)buffer.ranges[0].start, "end",
                   (json_int_t)buffer.ranges[buffer.range_count - 1].end, "share_percent",
                   object_real(share_percent(table, buffer.size)), "operator",
                   buffer.hint ? object_text(buffer.hint) : NULL, "shape", shape_list(&buffer),
                   "dtype", buffer.dtype ? object_text(buffer.dtype) : NULL);
}

/* A list of objects; NULL if memory is short. */
static json_t *buffer_table_json(const struct buffer_table *table) {
  json_t *list = json_array();
  for (size_t i = 0; i < table->count && list; i++) {
    json_t *object = buffer_object(table, table->indices[i]);
    if (object && table->without)
      json_object_set_new(object, "bound_without", json_integer((json_int_t)table->without[i]));
    list = object_append(list, object);
  }
  return list;
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

/*
 * Lists the buffers alive at a moment, or all of them for moment NEAP_UNPLACED: largest first,
 * those of one size in the problem's order.  Returns *count indices, released with free(); NULL
 * if memory is short.
 */
static size_t *list_by_size(const neap_problem *problem, neap_time moment, size_t *count) {
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

/* ---------------------------------------------------------------- counting */

struct facts {
  const neap_problem *problem;
  size_t count, fixed, with_gaps;
  neap_size total;
  neap_size alignment_low, alignment_high;
  neap_bound bound;
  size_t *largest, *at_bound; /* buffers by size */
  size_t at_bound_count;
  neap_size without[AT_BOUND]; /* the bound without each of the first at the bound */
  bool is_model;
  struct model_facts model; /* if it is one */
  neap_plan *plan;          /* NULL if none was needed or found */
  neap_size peak;           /* of the plan, or NEAP_UNPLACED */
  bool has_arena;
  neap_arena arena;
  const char *head; /* the layout of the arena's head, in words */
};

/* Enough time for nearly every problem, and short enough to wait for. */
#define SECONDS "1"

static void count_buffer(struct facts *facts, const neap_buffer *buffer) {
  facts->total += buffer->size; /* a problem's sizes add up to NEAP_MAX at most */
  facts->fixed += buffer->fixed_offset != NEAP_UNPLACED;
  facts->with_gaps += buffer->range_count > 1;
}

static void count_all(struct facts *facts) {
  facts->count = neap_problem_count(facts->problem);
  neap_problem_alignment(facts->problem, &facts->alignment_low, &facts->alignment_high);
  for (size_t i = 0; i < facts->count; i++) {
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    neap_problem_buffer_at(facts->problem, i, &buffer);
    count_buffer(facts, &buffer);
  }
}

static size_t at_most(size_t count, size_t limit) { return count < limit ? count : limit; }

/* The largest buffers, `limit` at most. */
static struct buffer_table largest_table(const struct facts *facts, size_t limit) {
  return (struct buffer_table){.problem = facts->problem,
                               .indices = facts->largest,
                               .count = at_most(facts->count, limit),
                               .bound = facts->bound.bytes};
}

/* The buffers alive at the bound, `limit` at most. */
static struct buffer_table bound_table(const struct facts *facts, size_t limit) {
  return (struct buffer_table){.problem = facts->problem,
                               .indices = facts->at_bound,
                               .count = at_most(facts->at_bound_count, limit),
                               .bound = facts->bound.bytes,
                               .without = facts->without};
}

/* Finds a plan, unless there is one already. */
static int find_plan(struct facts *facts) {
  neap_error error;
  neap_report report = NEAP_INIT(neap_report);
  if (facts->plan) return 0;
  neap_options *planning = neap_options_new();
  if (!planning) return message_memory();
  neap_status status = neap_options_set(planning, "time-limit", SECONDS, &error);
  if (status == NEAP_OK) status = neap_solve(facts->problem, planning, &facts->plan, &error);
  neap_options_free(planning);
  if (status == NEAP_NO_PLAN) return 0;
  if (status != NEAP_OK) return message_error(&error);
  neap_plan_report(facts->plan, &report);
  facts->peak = report.peak;
  return 0;
}

/*
 * Finds the arena of the model's own layout, whether that is a plan or the runtime's.  Standard
 * input cannot be read again, so for it the arena is that of a plan of neap's.
 */
static int find_arena(struct facts *facts, const struct arguments *arguments) {
  neap_plan *plan = NULL;
  neap_report report = {.struct_size = sizeof report, .peak = facts->peak};
  const neap_problem *problem = facts->problem;
  facts->head = "a plan of neap's";
  facts->arena.struct_size = sizeof facts->arena;
  if (!neap_problem_arena(problem, 0, &facts->arena)) return 0;
  if (!files_is_standard(arguments->operand)) {
    int code = problems_read_plan(arguments, arguments->operand, &plan);
    if (code != 0) return code;
    neap_plan_report(plan, &report);
    problem = neap_plan_problem(plan);
    facts->head = report.is_runtimes_own ? "the runtime's own layout" : "the plan in the model";
  }
  facts->has_arena =
      report.peak != NEAP_UNPLACED && neap_problem_arena(problem, report.peak, &facts->arena);
  neap_plan_free(plan);
  return 0;
}

static int facts_find(struct facts *facts, const neap_problem *problem,
                      const struct arguments *arguments) {
  neap_error error;
  *facts = (struct facts){.problem = problem,
                          .is_model = neap_problem_graph(problem) != NULL,
                          .peak = NEAP_UNPLACED};
  facts->bound = (neap_bound)NEAP_INIT(neap_bound);
  if (neap_problem_bound(problem, &facts->bound, &error) != NEAP_OK)
    return message_error(&error);
  count_all(facts);
  facts->largest = list_by_size(problem, NEAP_UNPLACED, &facts->count);
  facts->at_bound = list_by_size(problem, facts->bound.start, &facts->at_bound_count);
  if (!facts->largest || !facts->at_bound) return message_memory();
  if (neap_problem_bounds_without(problem, facts->at_bound,
                                  at_most(facts->at_bound_count, AT_BOUND), facts->without,
                                  &error) != NEAP_OK)
    return message_error(&error);
  if (!facts->is_model) return 0;
  int code = find_plan(facts);
  if (code == 0) code = find_arena(facts, arguments);
  return code != 0 ? code : model_facts_find(&facts->model, arguments, problem);
}

static void facts_clear(struct facts *facts) {
  neap_plan_free(facts->plan);
  free(facts->largest);
  free(facts->at_bound);
}

/* ---------------------------------------------------------------- for people */

#define LABEL 11

/* Which facts to print, and where. */
struct sheet {
  const struct facts *facts;
  FILE *stream;
  size_t largest, at_bound; /* the lengths of the two lists */
};

__attribute__((format(printf, 3, 4))) static void print_fact(const struct sheet *sheet,
                                                             const char *label,
                                                             const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fprintf(sheet->stream, "%-*s", LABEL, label);
  vfprintf(sheet->stream, format, arguments);
  fputc('\n', sheet->stream);
  va_end(arguments);
}

#define RUNTIME_LABEL "runtime    " /* as wide as LABEL */

static void print_counts(const struct sheet *sheet) {
  const struct facts *facts = sheet->facts;
  char text[FIGURE_SIZE];
  neap_size low = facts->alignment_low, high = facts->alignment_high;
  print_fact(sheet, "buffers", "%zu, in total %s", facts->count,
             figure_bytes(text, facts->total));
  if (facts->is_model) model_facts_print(sheet->stream, &facts->model, facts->peak, LABEL);
  summary_runtime(sheet->stream, facts->problem, RUNTIME_LABEL);
  print_fact(sheet, "time", "%s", figure_range(text, 0, neap_problem_horizon(facts->problem)));
  summary_bound(sheet->stream, &facts->bound, LABEL);
  print_fact(sheet, "alignment", "%s", figure_alignment(text, low, high));
  if (facts->fixed > 0)
    print_fact(sheet, "fixed", "%s", figure_count(text, facts->fixed, "offset"));
  if (facts->with_gaps > 0)
    print_fact(sheet, "gaps", "in %s", figure_count(text, facts->with_gaps, "lifetime"));
  relation_facts_print(sheet->stream, facts->problem, LABEL);
}

/* The operator that runs at the bound, if operators are known. */
static void print_operator(const struct sheet *sheet) {
  const struct facts *facts = sheet->facts;
  char type[FIGURE_NAME_SIZE], name[FIGURE_NAME_SIZE];
  neap_operator_info info = NEAP_INIT(neap_operator_info);
  if (!neap_problem_operator_at(facts->problem, (size_t)facts->bound.start, &info) ||
      !(info.type[0] || info.name))
    return;
  const char *shown = info.type[0] ? info.type : "an operator";
  fprintf(sheet->stream, ", while %s", figure_name(type, shown));
  if (info.name) fprintf(sheet->stream, " %s", figure_name(name, info.name));
  fputs(" runs", sheet->stream);
}

static void print_lists(const struct sheet *sheet) {
  const struct facts *facts = sheet->facts;
  char range[FIGURE_SIZE];
  if (facts->count == 0) return;
  if (sheet->largest > 0) {
    fputs("\nLargest buffers:\n", sheet->stream);
    struct buffer_table largest = largest_table(facts, sheet->largest);
    buffer_table_print(sheet->stream, &largest);
  }
  if (facts->bound.range_count == 0) return;
  fprintf(sheet->stream, "\nAlive at the bound, at time %s",
          figure_range(range, facts->bound.start, facts->bound.end));
  print_operator(sheet);
  fputs(":\n", sheet->stream);
  struct buffer_table table = bound_table(facts, sheet->at_bound);
  buffer_table_print(sheet->stream, &table);
  if (facts->at_bound_count > table.count)
    fprintf(sheet->stream, "  and %zu more\n", facts->at_bound_count - table.count);
}

static void print_sheet(const struct sheet *sheet) {
  arena_facts_print_refused(sheet->stream, sheet->facts->problem, "refused    ");
  print_counts(sheet);
  print_lists(sheet);
  if (sheet->facts->has_arena)
    arena_facts_print(sheet->stream, sheet->facts->problem, &sheet->facts->arena,
                      sheet->facts->head);
  if (sheet->facts->is_model) ladder_print(sheet->stream, &sheet->facts->model.ladder);
}

/* ---------------------------------------------------------------- on a terminal */

/* The sheet as text, to be released with free(); NULL when memory is short. */
static char *write_sheet(struct sheet *sheet) {
  char *text = NULL;
  size_t size;
  sheet->stream = open_memstream(&text, &size);
  if (!sheet->stream) return NULL;
  print_sheet(sheet);
  bool failed = ferror(sheet->stream) != 0;
  if (fclose(sheet->stream) == 0 && !failed) return text;
  free(text);
  return NULL;
}

/* The number of lines on a terminal, which breaks those that are longer than `columns`. */
static size_t lines_of(const char *text, size_t columns) {
  size_t lines = 0, width = 0;
  for (; *text; text++) {
    bool ends = *text == '\n', continues = ((unsigned char)*text & 0xc0) == 0x80;
    if (ends || width == columns) lines++;
    if (ends || (width == columns && !continues)) width = 0;
    if (!ends && !continues) width++;
  }
  return lines;
}

/* Makes one of the lists shorter; false if both are as short as is useful. */
static bool shorten(struct sheet *sheet) {
  if (sheet->at_bound > 5) sheet->at_bound--;
  else if (sheet->largest > 2) sheet->largest--;
  else if (sheet->at_bound > 3) sheet->at_bound--;
  else if (sheet->largest > 0) sheet->largest = 0;
  else return false;
  return true;
}

/* The lists are shortened until the sheet fits the screen.  *left is how many lines remain. */
static int print_to_terminal(struct sheet *sheet, const neap_text_style *style, size_t *left) {
  char *text = write_sheet(sheet);
  while (text && lines_of(text, style->columns) > style->lines && shorten(sheet)) {
    free(text);
    text = write_sheet(sheet);
  }
  if (!text) return message_memory();
  size_t lines = lines_of(text, style->columns);
  *left = lines < style->lines ? style->lines - lines : 0;
  fputs(text, stdout);
  free(text);
  return 0;
}

static int draw_plan(struct facts *facts, const neap_text_style *style) {
  neap_error error;
  int code = find_plan(facts);
  if (code != 0 || !facts->plan) return code;
  puts("\nA plan found within " SECONDS " s:");
  if (neap_plan_draw_text(facts->plan, NULL, style, stdout, &error) == NEAP_OK) return 0;
  return message_error(&error);
}

#define HEADING_LINES 2 /* above the drawing */

/* On a terminal a plan is drawn if it fits below the sheet, so that nothing scrolls away. */
static int print_facts(struct facts *facts, const struct arguments *arguments) {
  struct sheet sheet = {facts, stdout, LARGEST, AT_BOUND};
  neap_text_style style = terminal_style(arguments);
  size_t left = 0;
  int code = 0;
  if (terminal_is_one()) code = print_to_terminal(&sheet, &style, &left);
  else print_sheet(&sheet);
  if (code != 0 || facts->count == 0) return code;
  if (arguments->draw) return draw_plan(facts, &style);
  if (left < HEADING_LINES + NEAP_TEXT_LINES_MIN || arguments->quiet) return 0;
  style.lines = left - HEADING_LINES;
  return draw_plan(facts, &style);
}

/* ---------------------------------------------------------------- for programs */

/* NULL if the problem is not a model, and when memory is short. */
static json_t *model_object(const struct facts *facts) {
  const struct model_facts *model = &facts->model;
  if (!facts->is_model) return NULL;
  return json_pack(
      "{sI sI sI sI sI sI sI so so*}", "operators", (json_int_t)model->operators, "tensors",
      (json_int_t)model->tensors, "constants", (json_int_t)model->left_out.constants,
      "constant_bytes", (json_int_t)model->left_out.constant_bytes, "elsewhere",
      (json_int_t)model->left_out.elsewhere, "min_peak_bound",
      (json_int_t)model->min_peak_bound, "peak", (json_int_t)(facts->plan ? facts->peak : 0),
      "ladder", ladder_json(&model->ladder), "no_bands",
      model->ladder.no_bands[0] ? object_text(model->ladder.no_bands) : NULL);
}

static int print_json(const char *input, const struct facts *facts) {
  const neap_bound *bound = &facts->bound;
  const struct buffer_table largest = largest_table(facts, LARGEST);
  const struct buffer_table at_bound = bound_table(facts, AT_BOUND);
  json_t *object = json_pack(
      "{so sI sI sI sI sI sI sI sI sI sI sI sI so sI so so*}", "input", object_text(input),
      "buffers", (json_int_t)facts->count, "total_bytes", (json_int_t)facts->total, "horizon",
      (json_int_t)neap_problem_horizon(facts->problem), "bound", (json_int_t)bound->bytes,
      "lower_bound", (json_int_t)bound->lower_bound, "bound_start", (json_int_t)bound->start,
      "bound_end", (json_int_t)bound->end, "bound_times", (json_int_t)bound->range_count,
      "alignment_low", (json_int_t)facts->alignment_low, "alignment_high",
      (json_int_t)facts->alignment_high, "fixed", (json_int_t)facts->fixed, "with_gaps",
      (json_int_t)facts->with_gaps, "largest", buffer_table_json(&largest), "at_bound_count",
      (json_int_t)facts->at_bound_count, "at_bound", buffer_table_json(&at_bound), "model",
      model_object(facts));
  if (facts->has_arena)
    object = object_add(object, "arena", arena_facts_json(facts->problem, &facts->arena));
  return object_print(relation_facts_add(object, facts->problem));
}

/* ---------------------------------------------------------------- several models */

static int print_shared(const struct arguments *arguments, neap_plan **plans) {
  const size_t count = arguments->operand_count;
  const neap_plan *const *all = (const neap_plan *const *)plans;
  int code = 0;
  for (size_t i = 0; i < count && code == 0; i++)
    code = problems_read_plan(arguments, arguments->operands[i], &plans[i]);
  if (code != 0) return code;
  return arguments->json ? shared_arena_print_json(arguments->operands, all, count)
                         : shared_arena_print(arguments->operands, all, count);
}

/* The arena that several models share. */
static int run_shared(const struct arguments *arguments) {
  if (!arguments->reading.graph.target || strcmp(arguments->reading.graph.target, "tflm") != 0)
    return message_usage("info: several models share an arena with --target tflm");
  if (arguments->draw) return message_usage("info: --draw is for one model");
  neap_plan **plans = calloc(arguments->operand_count, sizeof *plans);
  int code = plans ? print_shared(arguments, plans) : message_memory();
  for (size_t i = 0; plans && i < arguments->operand_count; i++)
    neap_plan_free(plans[i]);
  free(plans);
  return code;
}

static int run_info(const struct arguments *arguments) {
  struct facts facts = {0};
  neap_problem *problem;
  if (arguments->operand_count > 1) return run_shared(arguments);
  if (arguments->json && arguments->draw)
    return message_usage("--json and --draw cannot be combined");
  int code = problems_read(arguments, &problem);
  if (code != 0) return code;
  code = facts_find(&facts, problem, arguments);
  if (code == 0 && arguments->json) code = print_json(arguments->operand, &facts);
  else if (code == 0) code = print_facts(&facts, arguments);
  facts_clear(&facts);
  neap_problem_free(problem);
  return code;
}

const struct command command_info = {
    .name = "info",
    .summary = "show what there is to plan, the bound, and what is alive at it",
    .operand = "INPUT",
    .input = INPUT_GRAPH,
    .takes_many = true,
    .usage = "INPUT | MODEL MODEL... --target tflm [OPTION...]",
    .description =
        "Shows the number and sizes of the buffers in INPUT, and the bound: the largest sum of "
        "sizes alive at one moment. Also shows when the bound is reached, which buffers are "
        "alive then, and how far it would drop without each of them. On a terminal it also "
        "draws a plan if there is room.\n\nFor a graph of operators, also shows which tensors "
        "are not planned and the peak of a quick plan, and ends with a ladder: the memory "
        "without reuse, the bound in the given order, and how far --schedule optimal, "
        "--in-place, --overlap and --alias lower it, one after another.\n\nFor several models "
        "with --target tflm, shows the arena that their interpreters share if they run in turn "
        "and are made with one MicroAllocator, in this order: their tails add up, and their "
        "heads overlap.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .brief = brief,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run_info,
};
