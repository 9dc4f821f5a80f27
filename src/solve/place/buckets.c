/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * In the lowest levels of a segment tree, most sets have one piece or none.  Each set takes
 * more memory than its piece, and costs a cache miss.  A list of all buffers that begin or end
 * in a bucket of up to 128 sections is smaller than the tree nodes above these sections, and is
 * read sequentially: a search reads all entries and skips those at other times.
 *
 *     sections   0 1 2 3 4 5 6 7
 *                    █████         an entry: during [2, 5) of this bucket
 *                ███         ██    two more, of spans that begin before or end after it
 *                ███████████████   not an entry: the tree has it
 *
 * If one bucket covers all sections, it holds every span, and no tree is built.
 *
 * The number of entries per bucket is known from the start, so all lists share one array.  A
 * bucket in which too many buffers begin or end would take long to read, so it is unusable and
 * the tree keeps its nodes there.
 */
#include "place/container.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/knobs.h"
#include "core/memory.h"

/* Problems of up to this many sections, and few spans, have one bucket for all of them. */
#define FEW_SECTIONS (1 << BUCKET_HEIGHT_MAX)

unsigned buckets_height(const struct sections *sections) {
  unsigned height = 0;
  if (sections->span_count <= BUCKETS_FEW_SPANS && sections->count <= FEW_SECTIONS) {
    while ((size_t)1 << height < sections->count)
      height++;
    return height;
  }
  if (sections->count < BUCKETS_LEAST_SECTIONS) return 0;
  while (height < BUCKET_HEIGHT_MAX &&
         ((uint64_t)sections->span_count << (height + 2)) / sections->count <=
             BUCKETS_USUAL_ENTRIES)
    height++;
  return height;
}

/* Counts the entries that each bucket will have, in used[bucket]. */
static void count_entries(struct buckets *buckets, const struct sections *sections) {
  struct cut cut;
  for (size_t b = 0; b <= buckets->count; b++)
    buckets->begin[b] = b; /* until then, all buckets count as usable */
  for (size_t s = 0; s < sections->span_count; s++) {
    buckets_cut(buckets, sections->spans[s], &cut);
    for (unsigned p = 0; p < cut.part_count; p++)
      buckets->used[cut.parts[p].bucket]++;
  }
}

bool buckets_init(struct buckets *buckets, const struct sections *sections, unsigned height,
                  uint32_t most) {
  assert(height <= BUCKET_HEIGHT_MAX);
  *buckets = (struct buckets){.height = height};
  if (height == 0) return true;
  buckets->count = (sections->count >> height) + 1;
  buckets->begin = memory_array(buckets->count + 1, sizeof *buckets->begin);
  buckets->used = memory_array(buckets->count, sizeof *buckets->used);
  if (!buckets->begin || !buckets->used) return false;
  buckets->is_whole = sections->count <= (size_t)1 << height;
  count_entries(buckets, sections);
  buckets->begin[0] = 0;
  for (size_t b = 0; b < buckets->count; b++) {
    uint32_t needed = buckets->used[b] > 0 ? buckets->used[b] : 1; /* empty ones are usable */
    buckets->begin[b + 1] = buckets->begin[b] + (needed <= most ? needed : 0);
    if (needed <= most && needed > buckets->largest) buckets->largest = needed;
    buckets->used[b] = 0;
  }
  buckets->is_whole = buckets->is_whole && buckets_usable(buckets, 0);
  buckets->entries = memory_array(buckets->begin[buckets->count], sizeof *buckets->entries);
  return buckets->entries != NULL;
}

void buckets_clear(struct buckets *buckets) {
  free(buckets->begin);
  free(buckets->used);
  free(buckets->entries);
  *buckets = (struct buckets){0};
}

void buckets_reset(struct buckets *buckets) {
  if (buckets->height > 0) memset(buckets->used, 0, buckets->count * sizeof *buckets->used);
}

static struct bucket_part part_of(const struct buckets *buckets, size_t bucket,
                                  struct span span) {
  size_t start = bucket << buckets->height;
  return (struct bucket_part){bucket, (uint8_t)(span.first - start),
                              (uint8_t)(span.end - start)};
}

void buckets_cut(const struct buckets *buckets, struct span span, struct cut *cut) {
  *cut = (struct cut){.rest = span};
  if (buckets->is_whole) {
    const struct span nothing = {span.end, span.end};
    *cut = (struct cut){nothing, {part_of(buckets, 0, span)}, 1, true, true};
    return;
  }
  if (buckets->height == 0) return;
  const uint32_t length = (uint32_t)1 << buckets->height;
  const uint32_t first = span.first >> buckets->height,
                 last = (span.end - 1) >> buckets->height;
  const bool begins_inside = span.first % length != 0, ends_inside = span.end % length != 0;
  cut->at_first =
      (begins_inside || (first == last && ends_inside)) && buckets_usable(buckets, first);
  cut->at_end =
      (ends_inside || (first == last && begins_inside)) && buckets_usable(buckets, last);
  if (cut->at_first) {
    cut->rest.first = first == last ? span.end : (first + 1) * length;
    cut->parts[cut->part_count++] = part_of(
        buckets, first, (struct span){span.first, first == last ? span.end : cut->rest.first});
  }
  if (cut->at_end && first != last) {
    cut->rest.end = last * length;
    cut->parts[cut->part_count++] =
        part_of(buckets, last, (struct span){last * length, span.end});
  }
}

/* ---------------------------------------------------------------- entries */

static struct bucket_entry *entries_of(const struct buckets *buckets, size_t bucket) {
  return buckets->entries + buckets->begin[bucket];
}

/* The first entry that does not begin below `low`. */
static uint32_t find_entry(const struct bucket_entry *entries, uint32_t count,
                           neap_offset low) {
  uint32_t at = 0;
  while (at < count && entries[at].low < low)
    at++;
  return at;
}

void buckets_take(struct buckets *buckets, const struct bucket_part *part, struct piece taken) {
  struct bucket_entry *entries = entries_of(buckets, part->bucket);
  uint32_t count = buckets->used[part->bucket]++;
  uint32_t at = find_entry(entries, count, taken.low);
  assert(count < buckets->begin[part->bucket + 1] - buckets->begin[part->bucket]);
  memmove(entries + at + 1, entries + at, (count - at) * sizeof *entries);
  entries[at] = (struct bucket_entry){taken.low, taken.high, part->first, part->end};
}

void buckets_untake(struct buckets *buckets, const struct bucket_part *part,
                    struct piece taken) {
  struct bucket_entry *entries = entries_of(buckets, part->bucket);
  uint32_t count = buckets->used[part->bucket]--;
  uint32_t at = find_entry(entries, count, taken.low);
  while (at < count && entries[at].first != part->first)
    at++;
  assert(at < count && entries[at].low == taken.low && entries[at].high == taken.high);
  memmove(entries + at, entries + at + 1, (count - at - 1) * sizeof *entries);
}

/*
 * Many entries are at other times, in no pattern that a branch predictor could learn, so this
 * loop has no branches.  Each entry is written as a new piece after the last one; it becomes
 * the last piece if it is alive and does not touch the previous one.
 */
uint32_t buckets_collect(const struct buckets *buckets, const struct bucket_part *part,
                         struct piece *pieces) {
  const struct bucket_entry *entries = entries_of(buckets, part->bucket);
  const unsigned first = part->first, end = part->end;
  struct piece *last = pieces;
  neap_offset reached = -1; /* the end of the last piece */
  for (uint32_t i = 0; i < buckets->used[part->bucket]; i++) {
    const bool alive = (entries[i].end > first) & (end > entries[i].first);
    const neap_offset high = entries[i].high | ((neap_offset)alive - 1); /* or -1 */
    last[1].low = entries[i].low;
    last += alive & (entries[i].low > reached);
    reached = high > reached ? high : reached;
    last->high = reached;
  }
  return (uint32_t)(last - pieces);
}
