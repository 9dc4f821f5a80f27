/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runtimes/depth.h"

#include <stdlib.h>

#include "core/memory.h"

static int by_time(const void *left, const void *right) {
  neap_time a = *(const neap_time *)left, b = *(const neap_time *)right;
  return a < b ? -1 : a > b;
}

static void find_starts(struct depth *depth) {
  for (size_t i = 0; i < depth->records->count; i++)
    depth->starts[i] = depth->records->items[i].first;
  if (depth->records->count > 0)
    qsort(depth->starts, depth->records->count, sizeof *depth->starts, by_time);
  for (size_t i = 0; i < depth->records->count; i++)
    if (depth->count == 0 || depth->starts[i] != depth->starts[depth->count - 1])
      depth->starts[depth->count++] = depth->starts[i];
}

bool depth_init(struct depth *depth, const struct records *records) {
  *depth = (struct depth){.records = records};
  depth->starts = memory_array(records->count, sizeof *depth->starts);
  if (!depth->starts) return false;
  find_starts(depth);
  for (depth->leaves = 1; depth->leaves < depth->count;)
    depth->leaves *= 2;
  depth->most = memory_array(2 * depth->leaves, sizeof *depth->most);
  depth->added = memory_array(2 * depth->leaves, sizeof *depth->added);
  if (depth->most && depth->added) return true;
  depth_clear(depth);
  return false;
}

void depth_clear(struct depth *depth) {
  free(depth->starts);
  free(depth->most);
  free(depth->added);
  *depth = (struct depth){0};
}

/* The number of starts before `time`. */
static size_t starts_before(const struct depth *depth, neap_time time) {
  size_t low = 0, high = depth->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (depth->starts[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

static void raise(struct depth *depth, size_t node, neap_size weight) {
  depth->most[node] += weight;
  depth->added[node] += weight;
}

static void renew(struct depth *depth, size_t node) {
  for (node /= 2; node >= 1; node /= 2) {
    neap_size left = depth->most[2 * node], right = depth->most[2 * node + 1];
    depth->most[node] = depth->added[node] + (left > right ? left : right);
  }
}

void depth_add(struct depth *depth, size_t record, neap_size weight) {
  const struct record *item = &depth->records->items[record];
  size_t first = starts_before(depth, item->first) + depth->leaves;
  size_t end = (item->last == NEAP_MAX ? depth->count : starts_before(depth, item->last + 1)) +
               depth->leaves;
  for (size_t left = first, right = end; left < right; left /= 2, right /= 2) {
    if (left % 2 == 1) raise(depth, left++, weight);
    if (right % 2 == 1) raise(depth, --right, weight);
  }
  renew(depth, first);
  renew(depth, end - 1);
}

neap_size depth_most(const struct depth *depth) { return depth->most[1]; }

neap_size depth_at(const struct depth *depth, size_t start) {
  size_t node = start + depth->leaves;
  neap_size weight = depth->most[node];
  for (node /= 2; node >= 1; node /= 2)
    weight += depth->added[node];
  return weight;
}
