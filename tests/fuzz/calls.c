/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random sequences of calls of the API, after mobical, the fuzzer of CaDiCaL.  A trace has one call
 * a line (call_table.h).  Among them are failing allocations, cancelling threads and calls with
 * documented errors.  A build with --enable-checks records the planning of any program as a trace
 * (src/engine/planner.h).
 *
 *     calls draw SEED          prints the trace of a seed
 *     calls replay FILE...     makes the calls of traces
 *     calls show FILE          makes them once, and prints the offsets of the plans
 *     calls run FIRST COUNT    replays the traces of COUNT seeds; one that fails goes to
 *                              calls-SEED.trace, for tests/fuzz/reduce
 *
 * Exits with 1 if what the headers say does not hold, if memory is not given back, or if a trace
 * crashes or does not end.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fuzz/call_table.h"
#include "tests/fuzz/failing_memory.h"
#include "tests/support/random_problem.h"

#define LINES_MOST 60
#define SECONDS_MOST 120

struct trace {
  struct trace_line *lines;
  size_t count, capacity;
};

/* A new line without words; NULL if memory runs out. */
static struct trace_line *add_line(struct trace *trace) {
  if (trace->count == trace->capacity) {
    size_t capacity = 2 * trace->capacity + LINES_MOST;
    struct trace_line *grown = realloc(trace->lines, capacity * sizeof *grown);
    if (!grown) return NULL;
    trace->lines = grown;
    trace->capacity = capacity;
  }
  trace->lines[trace->count].count = 0;
  return &trace->lines[trace->count++];
}

/* ---------------------------------------------------------------- drawing */

static void add_number(struct trace_line *line, int64_t number) {
  struct trace_word *word = &line->words[line->count++];
  word->text[0] = '\0';
  word->number = number;
}

/* A trace that is read may have too many words. */
static void add_text(struct trace_line *line, const char *text) {
  if (line->count == CALL_WORDS) return;
  struct trace_word *word = &line->words[line->count++];
  snprintf(word->text, sizeof word->text, "%s", text);
  word->number = strtoll(text, NULL, 10);
}

static int64_t draw_size(struct dice *dice) {
  uint64_t way = dice_roll(dice, 40);
  if (way == 0) return NEAP_MAX - (int64_t)dice_roll(dice, 3);
  if (way == 1) return -(int64_t)dice_roll(dice, 4);
  if (way == 2) return INT64_C(1) << dice_roll(dice, 63);
  if (way < 6) return 0;
  return (int64_t)dice_roll(dice, way < 20 ? 8 : 100);
}

/* A value that the option accepts, most often. */
static void draw_value(struct dice *dice, const neap_option_info *info, char value[WORD_SIZE]) {
  uint64_t way = dice_roll(dice, 12);
  int64_t high = info->high - info->low > 40 ? info->low + 40 : info->high;
  if (way == 0) snprintf(value, WORD_SIZE, "%s", dice_chance(dice, 50) ? "-1" : "nonsense");
  else if (info->choice_count > 0)
    snprintf(value, WORD_SIZE, "%s", info->choices[dice_roll(dice, info->choice_count)]);
  else if (info->kind == NEAP_OPTION_SWITCH)
    snprintf(value, WORD_SIZE, "%s", dice_chance(dice, 50) ? "yes" : "no");
  else if (info->kind == NEAP_OPTION_SECONDS || info->kind == NEAP_OPTION_RATIO)
    snprintf(value, WORD_SIZE, "0.%02" PRIu64, dice_roll(dice, 20));
  else if (info->kind == NEAP_OPTION_ORDER)
    snprintf(value, WORD_SIZE, "%s", dice_chance(dice, 50) ? "size" : "overlap,-duration");
  else
    snprintf(value, WORD_SIZE, "%" PRId64,
             info->low + (int64_t)dice_roll(dice, (uint64_t)(high - info->low) + 1));
}

static void draw_option(struct dice *dice, struct trace_line *line) {
  neap_option_info info = NEAP_INIT(neap_option_info);
  static size_t count;
  char value[WORD_SIZE];
  while (count == 0 || neap_option_at(count, &info))
    count++;
  neap_option_at(dice_roll(dice, count), &info);
  if (dice_chance(dice, 30))
    for (size_t i = 0; neap_option_at(i, &info) && strcmp(info.name, "engine") != 0;)
      i++;
  add_text(line, info.name);
  draw_value(dice, &info, value);
  add_text(line, value);
}

static void draw_word(struct dice *dice, char kind, struct trace_line *line) {
  static const char *const formats[] = {"json", "json", "csv", "ops", "dot", "svg", "html"};
  switch (kind) {
  case 's':
    add_number(line, (int64_t)dice_roll(dice, dice_chance(dice, 70) ? 1 : SLOTS_DRAWN));
    break;
  case 'z':
    add_number(line, draw_size(dice));
    break;
  case 't':
    add_number(line, (int64_t)dice_roll(dice, 10));
    break;
  case 'a':
    add_number(line, dice_chance(dice, 3) ? draw_size(dice) : INT64_C(1) << dice_roll(dice, 5));
    break;
  case 'c':
    add_number(line, dice_chance(dice, 70) ? -1 : draw_size(dice));
    break;
  case 'i':
    add_number(line, (int64_t)dice_roll(dice, 9) - dice_chance(dice, 20));
    break;
  case 'n':
    add_number(line, (int64_t)dice_roll(dice, 4));
    break;
  case 'b':
    add_number(line, (int64_t)dice_roll(dice, 2));
    break;
  case 'k':
    add_number(line, (int64_t)dice_roll(dice, dice_chance(dice, 50) ? 12 : 600));
    break;
  case 'f':
    add_text(line, formats[dice_roll(dice, 7)]);
    break;
  default:
    draw_option(dice, line);
  }
}

#define TICKETS_MOST 256

/* Each call has as many tickets as it has weight. */
static const struct call *draw_call(struct dice *dice) {
  static const struct call *tickets[TICKETS_MOST];
  static unsigned count;
  if (count == 0)
    for (unsigned i = 0; call_at(i); i++)
      for (unsigned k = 0; k < call_at(i)->weight && count < TICKETS_MOST; k++)
        tickets[count++] = call_at(i);
  return tickets[dice_roll(dice, count)];
}

static bool draw_line(struct dice *dice, struct trace *trace) {
  struct trace_line *line = add_line(trace);
  if (!line) return false;
  line->call = draw_call(dice);
  add_text(line, line->call->name);
  for (const char *kind = line->call->words; *kind; kind++)
    draw_word(dice, *kind, line);
  return true;
}

static bool add_first(struct trace *trace, const char *name) {
  struct trace_line *line = add_line(trace);
  if (!line) return false;
  line->call = call_named(name);
  add_text(line, name);
  add_number(line, 0);
  return true;
}

/* Every trace begins with a problem and options, without which little can be called. */
static bool draw_trace(uint64_t seed, struct trace *trace) {
  struct dice dice = {seed};
  trace->count = 0;
  if (!add_first(trace, "problem") || !add_first(trace, "options")) return false;
  unsigned wanted = 4 + (unsigned)dice_roll(&dice, LINES_MOST - 4);
  while (trace->count < wanted)
    if (!draw_line(&dice, trace)) return false;
  return true;
}

/* ---------------------------------------------------------------- traces as text */

static void print_line(const struct trace_line *line, FILE *file) {
  for (unsigned w = 0; w < line->count; w++) {
    if (w > 0) fputc(' ', file);
    if (line->words[w].text[0] != '\0') fputs(line->words[w].text, file);
    else fprintf(file, "%" PRId64, line->words[w].number);
  }
  fputc('\n', file);
}

static void print_trace(const struct trace *trace, FILE *file) {
  for (size_t i = 0; i < trace->count; i++)
    print_line(&trace->lines[i], file);
}

/* Empty lines and those that begin with # are left out. */
static bool read_line(char *text, struct trace *trace) {
  char *rest = NULL, *word = strtok_r(text, " \n", &rest);
  if (!word || word[0] == '#') return true;
  struct trace_line *line = add_line(trace);
  if (line) line->call = call_named(word);
  for (; line && word; word = strtok_r(NULL, " \n", &rest))
    add_text(line, word);
  return line != NULL;
}

static bool read_trace(const char *path, struct trace *trace) {
  char text[CALL_WORDS * WORD_SIZE];
  FILE *file = fopen(path, "r");
  bool good = true;
  trace->count = 0;
  if (!file) return false;
  while (good && fgets(text, sizeof text, file))
    good = read_line(text, trace);
  return fclose(file) == 0 && good;
}

/* ---------------------------------------------------------------- running */

/* What a run has done so far, seen by the process that watches it. */
struct progress {
  uint64_t seed, calls, traces;
};

/* False after a complaint, which is printed. */
static bool make_calls(const struct trace *trace, const char *folder, FILE *results,
                       uint64_t *calls) {
  struct world world = {.folder = folder, .results = results};
  for (size_t i = 0; i < trace->count && world.complaint[0] == '\0'; i++) {
    const struct trace_line *line = &trace->lines[i];
    if (!line->call) {
      fprintf(stderr, "line %zu: there is no call %s\n", i + 1, line->words[0].text);
      return false;
    }
    line->call->make(&world, line);
  }
  failing_memory_disarm();
  world_clear(&world);
  *calls += world.calls;
  if (world.complaint[0] != '\0') fprintf(stderr, "%s\n", world.complaint);
  return world.complaint[0] == '\0';
}

/* Memory must not grow each time; what libraries allocate once and keep does not count. */
static bool run_trace(const struct trace *trace, const char *folder, uint64_t *calls) {
  long before = failing_memory_live(), kept = 0;
  if (!make_calls(trace, folder, NULL, calls)) return false;
  for (unsigned again = 0; again < 2 && failing_memory_live() > before; again++) {
    kept = failing_memory_live();
    if (!make_calls(trace, folder, NULL, calls)) return false;
    before = kept;
  }
  if (failing_memory_live() <= before) return true;
  fprintf(stderr, "%ld blocks are not given back\n", failing_memory_live() - before);
  return false;
}

static void clear_folder(const char *folder) {
  char path[300];
  static const char *const formats[] = {"json", "csv", "ops", "dot", "svg", "html"};
  for (unsigned i = 0; i < 12; i++) {
    snprintf(path, sizeof path, "%s/%s.%s", folder, i < 6 ? "plan" : "problem", formats[i % 6]);
    unlink(path);
  }
  rmdir(folder);
}

static int run_seeds(uint64_t first, uint64_t count, const char *folder,
                     struct progress *progress) {
  static struct trace trace;
  for (uint64_t seed = first; seed < first + count; seed++) {
    progress->seed = seed;
    alarm(SECONDS_MOST);
    if (!draw_trace(seed, &trace) || !run_trace(&trace, folder, &progress->calls)) return 1;
    progress->traces++;
  }
  return 0;
}

/* Keeps the trace of a seed that failed. */
static void keep(uint64_t seed) {
  static struct trace trace;
  char path[64];
  snprintf(path, sizeof path, "calls-%" PRIu64 ".trace", seed);
  FILE *file = draw_trace(seed, &trace) ? fopen(path, "w") : NULL;
  if (file) print_trace(&trace, file);
  if (file) fclose(file);
  fprintf(stderr, "seed %" PRIu64 " fails: %s\n", seed, path);
}

/* In a process of its own, so that a crash ends one seed alone. */
static int run(uint64_t first, uint64_t count, const char *folder) {
  struct progress *progress =
      mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (progress == MAP_FAILED) return 2;
  unsigned failed = 0;
  for (uint64_t next = first; next < first + count && failed < 10; next = progress->seed + 1) {
    int status = 0;
    pid_t child = fork();
    if (child == 0) exit(run_seeds(next, first + count - next, folder, progress));
    if (child < 0 || waitpid(child, &status, 0) < 0) return 2;
    if (status == 0) break;
    keep(progress->seed);
    failed++;
  }
  printf("%" PRIu64 " traces, %" PRIu64 " calls, %u failed\n", progress->traces,
         progress->calls, failed);
  return failed > 0;
}

static int replay(int count, char *const *paths, const char *folder) {
  static struct trace trace;
  int failed = 0;
  for (int i = 0; i < count; i++) {
    uint64_t calls = 0;
    alarm(SECONDS_MOST);
    if (!read_trace(paths[i], &trace)) {
      fprintf(stderr, "%s: %s\n", paths[i], strerror(errno));
      return 2;
    }
    bool passed = run_trace(&trace, folder, &calls);
    printf("%s: %" PRIu64 " calls, %s\n", paths[i], calls, passed ? "passed" : "FAILED");
    failed |= !passed;
  }
  return failed;
}

/* Prints the offsets of the plans that a trace takes. */
static int show(const char *path, const char *folder) {
  static struct trace trace;
  uint64_t calls = 0;
  if (read_trace(path, &trace)) return make_calls(&trace, folder, stdout, &calls) ? 0 : 1;
  fprintf(stderr, "%s: %s\n", path, strerror(errno));
  return 2;
}

int main(int count, char **words) {
  static struct trace trace;
  const char *parent = getenv("TMPDIR");
  char folder[200];
  int result = 2;
  if (count == 3 && strcmp(words[1], "draw") == 0) {
    if (!draw_trace(strtoull(words[2], NULL, 10), &trace)) return 2;
    print_trace(&trace, stdout);
    return 0;
  }
  if ((size_t)snprintf(folder, sizeof folder, "%s/neap-calls-XXXXXX",
                       parent ? parent : "/tmp") >= sizeof folder ||
      !mkdtemp(folder))
    return 2;
  if (count == 4 && strcmp(words[1], "run") == 0)
    result = run(strtoull(words[2], NULL, 10), strtoull(words[3], NULL, 10), folder);
  else if (count > 2 && strcmp(words[1], "replay") == 0)
    result = replay(count - 2, words + 2, folder);
  else if (count == 3 && strcmp(words[1], "show") == 0) result = show(words[2], folder);
  else
    fprintf(stderr, "usage: calls draw SEED | replay FILE... | show FILE | run FIRST COUNT\n");
  clear_folder(folder);
  return result;
}
