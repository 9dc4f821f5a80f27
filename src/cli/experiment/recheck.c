/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Work is limited by ticks, not by time, so that everybody gets the same table.  Each instance is planned
 * with the limit that its row states, which suffices to find its peak.
 */
#include "cli/experiment/recheck.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/experiment/run.h"
#include "cli/experiment/table.h"
#include "cli/options/options.h"
#include "cli/output/figures.h"
#include "cli/output/messages.h"
#include "cli/output/object.h"
#include "cli/run.h"

#define TICKS 1000000      /* where a row states none */
#define PATIENCE 86400     /* seconds until a process is killed, without a time limit */

/* In the order of the summary. */
enum verdict { SAME, BETTER, CHANGED, WORSE, CONTRADICTION, MISSING, VERDICTS };

static const char *const verdict_names[VERDICTS] = {"same",  "better",        "changed",
                                                    "worse", "contradiction", "missing"};

/* A row of the library, and what is found now. */
struct checked {
  struct library_row stated;
  struct outcome now;
  enum verdict verdict;
  const char *kind, *word, *repository, *commit, *licence; /* of the same, for the table */
  char remark[256];                                        /* what is not the same */
};

struct recheck {
  const struct arguments *arguments;
  const char *folder;
  int64_t ticks; /* of the command line; 0: those of the rows */
  struct library library;
  struct checked *rows;
  size_t *present; /* the rows whose instance is at hand */
  size_t present_count;
  char path[PATH_MAX]; /* of the instance that is planned */
};

/* ---------------------------------------------------------------- verdicts */

__attribute__((format(printf, 3, 4))) static void judge(struct checked *row,
                                                        enum verdict verdict,
                                                        const char *format, ...) {
  va_list arguments;
  row->verdict = verdict;
  va_start(arguments, format);
  vsnprintf(row->remark, sizeof row->remark, format, arguments);
  va_end(arguments);
}

static int64_t size_of(const struct checked *row) {
  bool has_buffers = row->stated.kind == LIBRARY_LAYOUT || row->stated.kind == LIBRARY_OVERLAP;
  return has_buffers ? row->now.buffers : row->now.operators;
}

static void judge_certificate(struct checked *row) {
  const char *stated = row->stated.certificate, *now = row->now.certificate;
  if (strcmp(stated, now) == 0) return;
  if (strcmp(stated, "-") == 0) {
    if (*now) judge(row, BETTER, "has a certificate now, %s", now);
  } else if (*now) judge(row, CHANGED, "certificate %s", now);
  else judge(row, WORSE, "no certificate");
}

/* What is stated, and what is found now; "-" for what is not known. */
static void judge_numbers(struct checked *row, bool is_better, const char *what, int64_t stated,
                          int64_t now) {
  char before[FIGURE_SIZE] = "-";
  if (stated >= 0) snprintf(before, sizeof before, "%" PRId64, stated);
  judge(row, is_better ? BETTER : WORSE, "%s %s -> %" PRId64, what, before, now);
}

/*
 * What is not known counts as the highest of peaks and times, and as the lowest of bounds.  The
 * bound of a split is one of the choices that the program searched then; it may search more now.
 */
static void judge_figures(struct checked *row, const char *what, int64_t now, int64_t proven) {
  const struct library_row *stated = &row->stated;
  bool is_lasting = stated->kind != LIBRARY_SPLIT;
  if (is_lasting && now < stated->bound)
    judge(row, CONTRADICTION, "%s %" PRId64 ", below the bound of %" PRId64, what, now,
          stated->bound);
  else if (stated->best >= 0 && proven > stated->best)
    judge(row, CONTRADICTION, "bound %" PRId64 ", above the %s of %" PRId64, proven, what,
          stated->best);
  else if (now != stated->best)
    judge_numbers(row, stated->best < 0 || now < stated->best, what, stated->best, now);
  else if (proven != stated->bound)
    judge_numbers(row, proven > stated->bound, "bound", stated->bound, proven);
  else judge_certificate(row);
}

/* Where no plan is known, finding none is no change. */
static void judge_row(struct checked *row) {
  bool is_open = row->stated.best < 0 && strcmp(row->now.status, "unknown") == 0;
  if (is_open) return;
  if (!outcome_is_planned(&row->now))
    judge(row, WORSE, "%s%s%.180s", row->now.status, *row->now.error ? ": " : "",
          row->now.error);
  else if (row->stated.size >= 0 && size_of(row) != row->stated.size)
    judge(row, WORSE, "not the instance that is described: size %" PRId64 " -> %" PRId64,
          row->stated.size, size_of(row));
  else if (row->stated.kind == LIBRARY_RECOMPUTE)
    judge_figures(row, "time", row->now.time, row->now.least_time);
  else judge_figures(row, "peak", row->now.peak, row->now.lower_bound);
}

/* ---------------------------------------------------------------- planning */

static const char *path_of(struct recheck *recheck, size_t row) {
  snprintf(recheck->path, sizeof recheck->path, "%s/instances/%s", recheck->folder,
           recheck->library.rows[row].instance);
  return recheck->path;
}

/* The command line has precedence. */
static int set_limits(const struct recheck *recheck, const struct library_row *row,
                      struct trial *trial) {
  const struct arguments *arguments = recheck->arguments;
  int64_t ticks = recheck->ticks, limit = 0;
  char text[FIGURE_SIZE];
  if (ticks <= 0) ticks = row->ticks > 0 ? row->ticks : TICKS;
  snprintf(text, sizeof text, "%" PRId64, ticks);
  trial->scheduling.max_ticks = (uint64_t)ticks;
  if (neap_options_number(arguments->planning, "time-limit", &limit))
    trial->scheduling.time_limit = (double)limit * 0.5e-6; /* the layout gets the other half */
  return option_set_planning(arguments, "max-ticks", text);
}

/* The planner takes the highest number for none. */
static int set_capacity(const struct recheck *recheck, const struct library_row *row) {
  char text[FIGURE_SIZE];
  snprintf(text, sizeof text, "%" PRId64, row->capacity >= 0 ? row->capacity : INT64_MAX);
  return option_set_planning(recheck->arguments, "capacity", text);
}

static int prepare_run(void *user, size_t run, struct trial *trial) {
  struct recheck *recheck = user;
  size_t index = recheck->present[run];
  const struct library_row *row = &recheck->library.rows[index];
  trial->path = path_of(recheck, index);
  snprintf(trial->label, sizeof trial->label, "%zu of %zu: %s %.180s", run + 1,
           recheck->present_count, library_kind_name(row->kind), row->instance);
  if (row->kind == LIBRARY_ORDER) trial->scheduling.schedule = NEAP_SCHEDULE_OPTIMAL;
  if (row->kind == LIBRARY_RECOMPUTE) trial->scheduling.recompute = true;
  if (row->kind == LIBRARY_RECOMPUTE) trial->scheduling.capacity = row->capacity;
  if (row->kind == LIBRARY_OVERLAP || row->kind == LIBRARY_SPLIT) {
    trial->reading.graph.kernels = NEAP_KERNELS_REFERENCE;
    trial->reading.graph.liveness.overlap = true;
  }
  trial->splits = row->kind == LIBRARY_SPLIT;
  trial->certifies = row->kind != LIBRARY_RECOMPUTE;
  int code = set_limits(recheck, row, trial);
  return code == 0 ? set_capacity(recheck, row) : code;
}

static int keep_run(void *user, size_t run, const struct outcome *outcome, neap_plan *plan,
                    const neap_error *failure) {
  const struct recheck *recheck = user;
  struct checked *row = &recheck->rows[recheck->present[run]];
  (void)plan;
  (void)failure;
  row->now = *outcome;
  judge(row, SAME, "%s", "");
  judge_row(row);
  return 0;
}

static int plan_all(struct recheck *recheck) {
  const char *limit = recheck->arguments->time_limit;
  struct experiment experiment = {.arguments = recheck->arguments,
                                  .patience = limit ? 2 * strtod(limit, NULL) + 30 : PATIENCE,
                                  .count = recheck->present_count,
                                  .prepare = prepare_run,
                                  .keep = keep_run,
                                  .user = recheck};
  int code = limit ? option_set_planning(recheck->arguments, "time-limit", limit) : 0;
  if (code == 0) code = experiment_run(&experiment);
  if (code == 0 && experiment.done < experiment.count) {
    message_warning("interrupted: %zu of %zu instances are not checked",
                    experiment.count - experiment.done, experiment.count);
    run_note_missing();
  }
  return code;
}

/* ---------------------------------------------------------------- the rows */

/* The program itself makes instances whose source has no repository. */
static void note_missing(struct checked *row, const struct library_source *source) {
  if (strcmp(source->repository, "-") == 0) judge(row, MISSING, "bench/fetch.sh makes it");
  else
    judge(row, MISSING, "bench/fetch.sh gets it from github.com/%s at %.10s (%s)",
          source->repository, source->commit, source->licence);
}

/* All are missing at first, and those that were not reached stay so. */
static int begin_rows(struct recheck *recheck) {
  const struct library *library = &recheck->library;
  recheck->rows = calloc(library->row_count + 1, sizeof *recheck->rows);
  recheck->present = calloc(library->row_count + 1, sizeof *recheck->present);
  if (!recheck->rows || !recheck->present) return message_memory();
  for (size_t i = 0; i < library->row_count; i++) {
    const struct library_row *stated = &library->rows[i];
    recheck->rows[i] = (struct checked){.stated = *stated,
                                        .now = OUTCOME_INIT,
                                        .kind = library_kind_name(stated->kind),
                                        .repository = stated->from->repository,
                                        .commit = stated->from->commit,
                                        .licence = stated->from->licence};
    note_missing(&recheck->rows[i], stated->from);
    if (access(path_of(recheck, i), R_OK) == 0)
      recheck->present[recheck->present_count++] = i;
  }
  return 0;
}

/* ---------------------------------------------------------------- results */

#define ROW(member) offsetof(struct checked, member)
#define TEXT(name, member) \
  { name, NULL, 0, 0, CELL_TEXT, 0, ROW(member) }
#define WHOLE(name, member) \
  { name, NULL, 0, 0, CELL_WHOLE, 0, ROW(member) }

static const struct column columns[] = {
    TEXT("instance", stated.instance),
    TEXT("kind", kind),
    TEXT("source", stated.source),
    TEXT("repository", repository),
    TEXT("commit", commit),
    TEXT("licence", licence),
    TEXT("derivation", stated.derivation),
    TEXT("path", stated.path),
    WHOLE("capacity", stated.capacity),
    WHOLE("ticks", stated.ticks),
    WHOLE("size", stated.size),
    WHOLE("best", stated.best),
    WHOLE("bound", stated.bound),
    TEXT("found", stated.found),
    TEXT("certificate", stated.certificate),
    TEXT("verdict", word),
    WHOLE("buffers", now.buffers),
    WHOLE("operators", now.operators),
    WHOLE("peak", now.peak),
    WHOLE("lower_bound", now.lower_bound),
    WHOLE("time", now.time),
    WHOLE("least_time", now.least_time),
    {"status", NULL, 0, 0, CELL_WORD, 0, ROW(now.status)},
    {"certificate_now", NULL, 0, 0, CELL_WORD, 0, ROW(now.certificate)},
    {"seconds", NULL, 0, 0, CELL_REAL, COLUMN_NO_CSV, ROW(now.seconds)},
};

static bool is_planned(const void *row) {
  return outcome_is_planned(&((const struct checked *)row)->now);
}

/* " within 4096", or "" without a capacity. */
static const char *within(const struct checked *row, char text[FIGURE_SIZE]) {
  *text = '\0';
  if (row->stated.capacity >= 0)
    snprintf(text, FIGURE_SIZE, " within %" PRId64, row->stated.capacity);
  return text;
}

static void print_rows(const struct recheck *recheck, const size_t counts[VERDICTS]) {
  char rows[FIGURE_SIZE], capacity[FIGURE_SIZE];
  for (size_t i = 0; i < recheck->library.row_count; i++) {
    const struct checked *row = &recheck->rows[i];
    if (row->verdict != SAME)
      printf("%-13s %s %s%s: %s\n", row->word, row->kind, row->stated.instance,
             within(row, capacity), row->remark);
  }
  printf("%s checked: %zu same, %zu better, %zu worse, %zu other certificates, "
         "%zu contradictions; %zu missing\n",
         figure_count(rows, recheck->library.row_count - counts[MISSING], "row"), counts[SAME],
         counts[BETTER], counts[WORSE], counts[CHANGED], counts[CONTRADICTION],
         counts[MISSING]);
}

static int print_json(const struct table *table, const size_t counts[VERDICTS]) {
  json_t *totals = json_object();
  for (int v = 0; v < VERDICTS; v++)
    totals = object_add_number(totals, verdict_names[v], (json_int_t)counts[v]);
  return object_print(json_pack("{so so}", "rows", table_json(table), "totals", totals));
}

static int show(const struct recheck *recheck) {
  const struct arguments *arguments = recheck->arguments;
  const struct table table = {.columns = columns,
                              .column_count = sizeof columns / sizeof *columns,
                              .rows = recheck->rows,
                              .row_size = sizeof *recheck->rows,
                              .row_count = recheck->library.row_count,
                              .is_planned = is_planned};
  size_t counts[VERDICTS] = {0};
  int code = 0;
  for (size_t i = 0; i < table.row_count; i++) {
    recheck->rows[i].word = verdict_names[recheck->rows[i].verdict];
    counts[recheck->rows[i].verdict]++;
  }
  if (arguments->json) code = print_json(&table, counts);
  else if (arguments->csv) table_print_csv(&table);
  else print_rows(recheck, counts);
  if (code == 0 && (counts[CONTRADICTION] > 0 || counts[WORSE] > 0)) {
    message_usage("%s: %zu rows worse than stated, %zu contradicted", recheck->folder,
                  counts[WORSE], counts[CONTRADICTION]);
    code = counts[CONTRADICTION] > 0 ? EXIT_UNSOUND : EXIT_NO_PLAN;
  }
  return code;
}

int recheck_library(const struct arguments *arguments, const char *folder) {
  struct recheck recheck = {.arguments = arguments, .folder = folder};
  neap_options_number(arguments->planning, "max-ticks", &recheck.ticks);
  int code = library_read(&recheck.library, folder);
  if (code == 0) code = begin_rows(&recheck);
  if (code == 0) code = plan_all(&recheck);
  if (code == 0) code = show(&recheck);
  free(recheck.rows);
  free(recheck.present);
  library_clear(&recheck.library);
  return code;
}
