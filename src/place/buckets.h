/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Short lists of the bytes taken during a few sections, which replace the lowest levels of a
 * tree.
 */
#ifndef PLACE_BUCKETS_H
#define PLACE_BUCKETS_H

#include "facts/sections.h"
#include "place/pieces.h"

/* Bytes that are taken during some sections of a bucket. */
struct bucket_entry {
  neap_offset low, high;
  uint8_t first, end; /* sections, counted from the first one of the bucket */
};

/* Bucket b has the sections from b << height on, 1 << height of them. */
struct buckets {
  unsigned height; /* 0: there are no buckets */
  bool is_whole;   /* bucket 0 covers all sections and is usable; it also holds whole spans */
  size_t count;
  uint32_t largest;             /* the most entries of a usable bucket */
  size_t *begin;                /* per bucket, and one more: the begin of its entries */
  uint32_t *used;               /* per bucket */
  struct bucket_entry *entries; /* per bucket, ascending by `low` */
};

#define BUCKET_HEIGHT_MAX 7

/*
 * The height that gives buckets few entries; 0 if there are few sections or many buffers in
 * each.
 */
unsigned buckets_height(const struct sections *sections);

/*
 * Makes room for all spans of the problem that cover a part of a bucket.  A bucket with more
 * than `most` such spans is unusable.
 */
bool buckets_init(struct buckets *buckets, const struct sections *sections, unsigned height,
                  uint32_t most);
void buckets_clear(struct buckets *buckets);

/* Removes all entries. */
void buckets_reset(struct buckets *buckets);

static inline bool buckets_usable(const struct buckets *buckets, size_t bucket) {
  return buckets->begin[bucket] < buckets->begin[bucket + 1];
}

/*
 * A span is cut into the parts that cover a usable bucket partly, and the rest.  If is_whole,
 * the only part may cover all of its bucket.
 */
struct cut {
  struct span rest; /* may be empty */
  struct bucket_part {
    size_t bucket;
    uint8_t first, end;
  } parts[2];
  unsigned part_count;
  bool at_first, at_end; /* whether the span's first and last section are in parts */
};

void buckets_cut(const struct buckets *buckets, struct span span, struct cut *cut);

void buckets_take(struct buckets *buckets, const struct bucket_part *part, struct piece taken);

/* Undoes buckets_take; other bytes may have been taken since. */
void buckets_untake(struct buckets *buckets, const struct bucket_part *part,
                    struct piece taken);

/*
 * Stores the bytes that are taken during a part as ascending pieces from pieces[1] on, and
 * returns their number.  The first element is scratch.
 */
uint32_t buckets_collect(const struct buckets *buckets, const struct bucket_part *part,
                         struct piece *pieces);

#endif
