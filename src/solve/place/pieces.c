/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adding bytes replaces the run of pieces that the bytes overlap or touch by one piece:
 *
 *     pieces   ██   ███  ████     ██
 *     added      ░░░░░░░░
 *     result   ██████████████     ██
 *
 * The run is found in O(log n) steps, fewer if it is near.  The pieces above it move, O(n), but
 * sets stay short: a union over time of a good layout is nearly solid (place/container).
 *
 * The log keeps the pieces that each insertion replaced.  Undoing the newest insertion puts them
 * back in place of the one piece that they became.
 */
#include "place/container.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checks.h"
#include "core/memory.h"

/* One insertion: `replaced` pieces from `at` on became one. */
struct pieces_change {
  struct pieces *set;
  uint32_t at, replaced;
};

void pieces_clear(struct pieces *set) {
  free(set->items);
  *set = (struct pieces){0};
}

void pieces_log_clear(struct pieces_log *log) {
  free(log->changes);
  free(log->replaced);
  *log = (struct pieces_log){0};
}

static struct piece *items_of(struct pieces *set) {
  return set->items ? set->items : &set->only;
}

static bool make_room(struct pieces *set, uint32_t count) {
  uint32_t capacity = set->items ? set->capacity : 1;
  if (count <= capacity) return true;
  /* Many sets stop growing somewhere in between, so doubling would leave much memory unused. */
  uint32_t wanted = capacity < 4 ? 4 : capacity + capacity / 4 + 1;
  if (wanted < count) return false;
  struct piece *grown = realloc(set->items, wanted * sizeof *grown);
  if (!grown) return false;
  if (!set->items) grown[0] = set->only;
  set->items = grown;
  set->capacity = wanted;
  return true;
}

static bool log_change(struct pieces_log *log, struct pieces *set, uint32_t at,
                       uint32_t replaced) {
  if (!memory_reserve(&log->changes, &log->change_capacity, log->change_count + 1,
                      sizeof *log->changes) ||
      !memory_reserve(&log->replaced, &log->replaced_capacity, log->replaced_count + replaced,
                      sizeof *log->replaced))
    return false;
  log->changes[log->change_count++] = (struct pieces_change){set, at, replaced};
  if (replaced > 0) /* an empty log has no memory to copy to */
    memcpy(log->replaced + log->replaced_count, items_of(set) + at,
           replaced * sizeof *log->replaced);
  log->replaced_count += replaced;
  return true;
}

/* Whether the pieces ascend and do not touch. */
static bool is_sorted(const struct pieces *set) {
  const struct piece *items = pieces_items(set);
  for (uint32_t i = 0; i < set->count; i++)
    if (items[i].low >= items[i].high || (i > 0 && items[i - 1].high >= items[i].low))
      return false;
  return true;
}

/* Replaces `old` items at `at` by `new` ones, which the caller fills in; there must be room. */
static inline struct piece *replace_items(struct pieces *set, uint32_t at, uint32_t old,
                                          uint32_t new) {
  struct piece *items = items_of(set);
  assert(at + old <= set->count);
  assert_slowly(set->count - old + new <= (set->items ? set->capacity : 1));
  if (old != new && set->count > at + old)
    memmove(items + at + new, items + at + old, (set->count - at - old) * sizeof *items);
  set->count = set->count - old + new;
  return items + at;
}

enum pieces_result pieces_insert(struct pieces *set, struct piece added,
                                 struct pieces_log *log) {
  assert(0 <= added.low && added.low < added.high);
  const struct piece *items = pieces_items(set);
  /* The first piece that overlaps or touches `added`, and the first piece beyond it. */
  uint32_t at = added.low == 0 ? 0 : pieces_above(items, set->count, 0, added.low - 1);
  uint32_t end = at;
  while (end < set->count && items[end].low <= added.high)
    end++;
  if (end == at + 1 && items[at].low <= added.low && added.high <= items[at].high)
    return PIECES_THERE;
  uint32_t replaced = end - at;
  if (!make_room(set, set->count + 1 - replaced)) return PIECES_SHORT_OF_MEMORY;
  if (log && !log_change(log, set, at, replaced)) return PIECES_SHORT_OF_MEMORY;
  items = pieces_items(set);
  if (replaced > 0) {
    if (items[at].low < added.low) added.low = items[at].low;
    if (items[end - 1].high > added.high) added.high = items[end - 1].high;
  }
  *replace_items(set, at, replaced, 1) = added;
  assert_slowly(is_sorted(set));
  return PIECES_ADDED;
}

/* ---------------------------------------------------------------- undoing */

void pieces_undo(struct pieces_log *log, size_t change_count) {
  assert(change_count <= log->change_count);
  while (log->change_count > change_count) {
    struct pieces_change change = log->changes[--log->change_count];
    assert(change.replaced <= log->replaced_count && change.at < change.set->count);
    log->replaced_count -= change.replaced;
    /* The set held these pieces before, so there is room for them. */
    struct piece *to = replace_items(change.set, change.at, 1, change.replaced);
    if (change.replaced > 0)
      memcpy(to, log->replaced + log->replaced_count, change.replaced * sizeof *to);
    assert_slowly(is_sorted(change.set));
  }
}
