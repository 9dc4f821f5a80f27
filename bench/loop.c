/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long small problems take through the library: plans COUNT problems of BUFFERS buffers of
 * every kind without relations, each with one call of neap_pack, and prints microseconds per
 * problem as rows of Markdown.
 *
 *     bench/loop [COUNT [BUFFERS]]
 */
#include "neap-tool.h"
#include <inttypes.h>
#include <neap/relations.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* The arguments and results of neap_pack. */
struct arrays {
  size_t count;
  neap_time *start, *end;
  neap_size *size;
  neap_offset *offset;
};

static bool arrays_init(struct arrays *arrays, size_t count) {
  *arrays = (struct arrays){.count = count};
  arrays->start = calloc(count, sizeof *arrays->start);
  arrays->end = calloc(count, sizeof *arrays->end);
  arrays->size = calloc(count, sizeof *arrays->size);
  arrays->offset = calloc(count, sizeof *arrays->offset);
  return arrays->start && arrays->end && arrays->size && arrays->offset;
}

static void arrays_clear(struct arrays *arrays) {
  free(arrays->start);
  free(arrays->end);
  free(arrays->size);
  free(arrays->offset);
}

/* False if the problem is more than its arrays, or there is none. */
static bool arrays_fill(struct arrays *arrays, const char *kind, uint64_t seed) {
  neap_problem *problem = NULL;
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  if (neap_problem_generate(kind, arrays->count, seed, &problem, NULL) != NEAP_OK) return false;
  bool plain = neap_problem_relation_count(problem, NEAP_SEPARATION) == 0;
  for (size_t i = 0; i < arrays->count && neap_problem_buffer_at(problem, i, &buffer); i++) {
    arrays->start[i] = buffer.ranges[0].start;
    arrays->end[i] = buffer.ranges[buffer.range_count - 1].end;
    arrays->size[i] = buffer.size;
  }
  neap_problem_free(problem);
  return plain;
}

static double now(void) {
  struct timespec time;
  timespec_get(&time, TIME_UTC);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

/* Microseconds; negative if there is no plan. */
static double pack(const struct arrays *arrays) {
  double before = now();
  neap_status status = neap_pack(arrays->count, arrays->start, arrays->end, arrays->size, NULL,
                                 arrays->offset, NULL);
  return status == NEAP_OK ? now() - before : -1;
}

static int by_value(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static void print_row(const char *kind, double *times, size_t count) {
  double sum = 0;
  size_t worst = 0;
  for (size_t i = 0; i < count; i++) {
    sum += times[i];
    if (times[i] > times[worst]) worst = i;
  }
  qsort(times, count, sizeof *times, by_value);
  printf("| %s | %zu | %.1f | %.1f | %.1f | %zu |\n", kind, count, times[count / 2],
         sum / (double)count, times[count - 1], worst + 1);
}

/* False if a problem cannot be planned. */
static bool measure(const char *kind, struct arrays *arrays, double *times, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!arrays_fill(arrays, kind, i + 1)) return true;
    times[i] = pack(arrays);
    if (times[i] < 0) {
      fprintf(stderr, "loop: %s, seed %zu: no plan\n", kind, i + 1);
      return false;
    }
  }
  print_row(kind, times, count);
  return true;
}

int main(int argc, char **argv) {
  size_t count = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 10000;
  size_t buffers = argc > 2 ? (size_t)strtoul(argv[2], NULL, 10) : 30;
  struct arrays arrays = {0};
  double *times = calloc(count, sizeof *times);
  bool good = count > 0 && times && arrays_init(&arrays, buffers);
  neap_kind_info kind;
  printf("| kind | problems | median | mean | worst | its seed |\n| --- | ---: | ---: | ---: | "
         "---: | ---: |\n");
  for (size_t i = 0; good && neap_kind_at(i, &kind); i++)
    good = measure(kind.name, &arrays, times, count);
  arrays_clear(&arrays);
  free(times);
  return good ? 0 : 1;
}
