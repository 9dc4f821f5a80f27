/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/bands/search.h"

#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"

/* The pieces of one family between two cuts, in `order`. */
struct band_run {
  size_t first, end; /* cuts */
  enum band_family family;
  struct band_piece **pieces;
  size_t count;
  neap_size lowest; /* a lower bound on their peaks */
};

/* The least work from the beginning to a cut, and the piece that ends there. */
struct band_node {
  int64_t macs;
  size_t operators;
  struct band_piece *by;
};

#define FAR INT64_MAX

enum band_family band_family_of(const struct band_piece *piece) {
  if (piece->segment.kept_row_max > 0) return SPLIT_ALL;
  if (piece->segment.network->axis == SPLIT_CHANNELS) return SPLIT_UNKEPT;
  return piece->segment.padding_max > 0 ? SPLIT_UNKEPT_ROWS : SPLIT_UNPADDED_ROWS;
}

/* ---------------------------------------------------------------- runs */

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static struct band_run run_of(const struct band_piece *piece) {
  return (struct band_run){.first = piece->segment.first,
                           .end = piece->segment.end,
                           .family = band_family_of(piece),
                           .lowest = NEAP_MAX};
}

static int compare_runs(const void *a, const void *b) {
  const struct band_run *one = a, *other = b;
  int sign = COMPARE(one->first, other->first);
  if (sign == 0) sign = COMPARE(one->end, other->end);
  return sign != 0 ? sign : COMPARE(one->family, other->family);
}

/* By work, within a run; pieces that are alike keep the order of the listing. */
static int compare_work(const struct band_piece *one, const struct band_piece *other) {
  int sign = COMPARE(one->macs, other->macs);
  if (sign == 0) sign = COMPARE(one->operators, other->operators);
  return sign != 0 ? sign : COMPARE(one, other);
}

static int compare_pieces(const void *a, const void *b) {
  const struct band_piece *one = *(struct band_piece *const *)a,
                          *other = *(struct band_piece *const *)b;
  const struct band_run first = run_of(one), second = run_of(other);
  int sign = compare_runs(&first, &second);
  return sign != 0 ? sign : compare_work(one, other);
}

static void add_to_runs(struct band_paths *paths, size_t index) {
  const struct band_run own = run_of(paths->order[index]);
  struct band_run *run = &paths->runs[paths->run_count];
  if (paths->run_count == 0 || compare_runs(run - 1, &own) != 0) {
    *run = own;
    run->pieces = &paths->order[index];
    paths->run_count++;
  } else run--;
  run->count++;
  run->lowest = smaller_of(run->lowest, paths->order[index]->peak);
}

neap_status band_paths_init(struct band_paths *paths, const struct band_listing *listing,
                            neap_error *error) {
  const size_t count = listing->count;
  *paths = (struct band_paths){.listing = listing};
  paths->order = memory_array(count + 1, sizeof *paths->order);
  paths->runs = memory_array(count + 1, sizeof *paths->runs);
  paths->nodes = memory_array(listing->network->operator_count + 1, sizeof *paths->nodes);
  if (!paths->order || !paths->runs || !paths->nodes) return error_memory(error);
  for (size_t p = 0; p < count; p++)
    paths->order[p] = &listing->pieces[p];
  qsort(paths->order, count, sizeof *paths->order, compare_pieces);
  for (size_t i = 0; i < count; i++)
    add_to_runs(paths, i);
  return NEAP_OK;
}

void band_paths_clear(struct band_paths *paths) {
  free(paths->order);
  free(paths->runs);
  free(paths->nodes);
}

void band_paths_settle(struct band_paths *paths, const struct band_piece *piece) {
  const struct band_run own = run_of(piece);
  const struct band_run *run =
      bsearch(&own, paths->runs, paths->run_count, sizeof own, compare_runs);
  qsort(run->pieces, run->count, sizeof *run->pieces, compare_pieces);
}

void band_paths_distrust(struct band_paths *paths) {
  for (size_t r = 0; r < paths->run_count; r++)
    paths->runs[r].lowest = 0;
}

/* The piece with the least work whose peak is at most `peak`; NULL if there is none. */
static struct band_piece *best_of(struct band_run *run, neap_size peak) {
  neap_size lowest = NEAP_MAX;
  if (run->lowest > peak) return NULL;
  for (size_t i = 0; i < run->count; i++) {
    if (run->pieces[i]->peak <= peak) return run->pieces[i];
    lowest = smaller_of(lowest, run->pieces[i]->peak);
  }
  run->lowest = lowest;
  return NULL;
}

/* ---------------------------------------------------------------- paths */

static bool is_nearer(const struct band_node *from, const struct band_piece *piece,
                      const struct band_node *to) {
  int64_t macs = from->macs + piece->macs;
  return macs < to->macs ||
         (macs == to->macs && from->operators + piece->operators < to->operators);
}

static void follow_run(struct band_paths *paths, struct band_run *run, neap_size peak) {
  const struct band_node *from = &paths->nodes[run->first];
  struct band_node *to = &paths->nodes[run->end];
  struct band_piece *piece = from->macs < FAR ? best_of(run, peak) : NULL;
  if (!piece || !is_nearer(from, piece, to)) return;
  *to = (struct band_node){from->macs + piece->macs, from->operators + piece->operators, piece};
}

/* Finds the path of least work with pieces up to `peak`; false if it exceeds `macs`. */
static bool find_nodes(struct band_paths *paths, enum band_family family, int64_t macs,
                       neap_size peak) {
  const size_t count = paths->listing->network->operator_count;
  for (size_t at = 0; at <= count; at++)
    paths->nodes[at] = (struct band_node){at == 0 ? 0 : FAR, 0, NULL};
  for (size_t r = 0; r < paths->run_count; r++)
    if (paths->runs[r].family <= family) follow_run(paths, &paths->runs[r], peak);
  return paths->nodes[count].macs < FAR && paths->nodes[count].macs <= macs;
}

static void follow_nodes(const struct band_paths *paths, struct band_path *path) {
  const struct band_node *nodes = paths->nodes;
  size_t at = paths->listing->network->operator_count;
  path->count = path->operators = 0;
  path->macs = path->peak = 0;
  for (size_t k = at; k > 0; k = nodes[k].by->segment.first)
    path->count++;
  for (size_t i = path->count; i-- > 0; at = nodes[at].by->segment.first) {
    struct band_piece *piece = nodes[at].by;
    path->pieces[i] = piece;
    path->macs += piece->macs;
    path->operators += piece->operators;
    if (piece->peak > path->peak) path->peak = piece->peak;
  }
}

bool band_paths_least(struct band_paths *paths, enum band_family family, int64_t macs,
                      neap_size peak, struct band_path *path) {
  if (!find_nodes(paths, family, macs, peak)) return false;
  follow_nodes(paths, path);
  return true;
}

bool band_paths_lowest(struct band_paths *paths, enum band_family family, int64_t macs,
                       neap_size floor, struct band_path *path) {
  if (band_paths_least(paths, family, macs, floor, path)) return true;
  if (!band_paths_least(paths, family, macs, NEAP_MAX, path)) return false;
  for (neap_size low = floor + 1; low < path->peak;) {
    const neap_size middle = low + (path->peak - low) / 2;
    if (!band_paths_least(paths, family, macs, middle, path)) low = middle + 1;
  }
  return true;
}
