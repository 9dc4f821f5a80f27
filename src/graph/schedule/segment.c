/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A value matters to the order of a segment only if it can end there, which means that no
 * operator after the segment reads it.  All other values are alive throughout, in any order.
 * The segment numbers only values that can end, so the time of a search depends on the size of
 * the segment, not of the graph.
 */
#include "schedule/segment.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

#define NONE SIZE_MAX
#define NUMBERED (SIZE_MAX / 2) /* larger than any count */

struct filler {
  struct segment *segment;
  const struct costs *costs;
  const size_t *left;
  size_t
      *local; /* per value: its number of readers here, then NUMBERED + its number, or NONE */
  size_t *place; /* per operator: its number here; valid only for operators of the segment */
  size_t value_count, link_count;
};

static bool is_inside(const struct filler *filler, size_t k) {
  size_t place = filler->place[k];
  return place < filler->segment->count && filler->segment->order[place] == k;
}

/* Called for every value that an operator of the segment reads, once per operator. */
typedef void note_reader(struct filler *filler, size_t value);

static void for_inputs(struct filler *filler, note_reader *note) {
  const struct costs_lists *inputs = &filler->costs->inputs;
  for (size_t i = 0; i < filler->segment->count; i++) {
    size_t k = filler->segment->order[i];
    for (size_t l = costs_begin(inputs, k); l < inputs->ends[k]; l++)
      note(filler, inputs->items[l]);
  }
}

static void reset_count(struct filler *filler, size_t value) { filler->local[value] = 0; }

static void count_reader(struct filler *filler, size_t value) { filler->local[value]++; }

/* Numbers a value only if all its remaining readers are in this segment. */
static void number_value(struct filler *filler, size_t value) {
  size_t *local = &filler->local[value];
  assert(*local >= NUMBERED || *local <= filler->left[value]);
  if (*local < NUMBERED)
    *local = *local == filler->left[value] ? NUMBERED + filler->value_count++ : NONE;
  filler->link_count += *local != NONE;
}

static void list_inputs(struct filler *filler) {
  const struct costs *costs = filler->costs;
  struct segment *segment = filler->segment;
  size_t at = 0;
  for (size_t i = 0; i < segment->count; i++) {
    size_t k = segment->order[i];
    for (size_t l = costs_begin(&costs->inputs, k); l < costs->inputs.ends[k]; l++) {
      size_t value = costs->inputs.items[l], local = filler->local[value] - NUMBERED;
      if (filler->local[value] == NONE) continue;
      segment->inputs.items[at++] = local;
      size_t maker = costs->maker[value];
      segment->sizes[local] = costs->sizes[value];
      segment->makers[local] =
          maker != COSTS_NONE && is_inside(filler, maker) ? filler->place[maker] : COSTS_NONE;
      segment->readers.ends[local]++;
    }
    segment->inputs.ends[i] = at;
  }
  assert(at == filler->link_count);
}

/*
 * Derives readers from inputs.  Readers are already counted, so each run is filled from its
 * end.
 */
static void list_readers(struct filler *filler) {
  struct segment *segment = filler->segment;
  size_t links = segment->count > 0 ? segment->inputs.ends[segment->count - 1] : 0;
  for (size_t t = 1; t < filler->value_count; t++)
    segment->readers.ends[t] += segment->readers.ends[t - 1];
  for (size_t i = segment->count; i-- > 0;)
    for (size_t l = costs_begin(&segment->inputs, i); l < segment->inputs.ends[i]; l++)
      segment->readers.items[--segment->readers.ends[segment->inputs.items[l]]] = i;
  assert(filler->value_count == 0 || segment->readers.ends[0] == 0);
  for (size_t t = 0; t + 1 < filler->value_count; t++)
    segment->readers.ends[t] = segment->readers.ends[t + 1];
  if (filler->value_count > 0) segment->readers.ends[filler->value_count - 1] = links;
}

/* Copies the part of a list that is inside the segment. */
static void list_inside(struct filler *filler, const struct costs_lists *all,
                        struct costs_lists *inside) {
  size_t at = 0;
  for (size_t i = 0; i < filler->segment->count; i++) {
    size_t k = filler->segment->order[i];
    for (size_t l = costs_begin(all, k); l < all->ends[k]; l++)
      if (is_inside(filler, all->items[l])) inside->items[at++] = filler->place[all->items[l]];
    inside->ends[i] = at;
  }
}

/*
 * Copies the shares whose inputs can end here; other inputs never end with an operator of the
 * segment.
 */
static bool list_shares(struct filler *filler) {
  const struct shares *all = &filler->costs->shares;
  struct shares *inside = &filler->segment->shares;
  size_t count = 0, at = 0;
  for (size_t i = 0; i < filler->segment->count; i++) {
    size_t k = filler->segment->order[i];
    count += all->ends[k] - shares_begin(all, k);
  }
  inside->ends = memory_array(filler->segment->count, sizeof *inside->ends);
  inside->items = memory_array(count, sizeof *inside->items);
  if (!inside->ends || !inside->items) return false;
  for (size_t i = 0; i < filler->segment->count; i++) {
    size_t k = filler->segment->order[i];
    for (size_t l = shares_begin(all, k); l < all->ends[k]; l++) {
      size_t local = filler->local[all->items[l].input];
      if (local == NONE) continue;
      inside->items[at] = all->items[l];
      inside->items[at++].input = local - NUMBERED;
    }
    inside->ends[i] = at;
  }
  return true;
}

static size_t count_all(const struct filler *filler, const struct costs_lists *lists) {
  size_t links = 0;
  for (size_t i = 0; i < filler->segment->count; i++) {
    size_t k = filler->segment->order[i];
    links += lists->ends[k] - costs_begin(lists, k);
  }
  return links;
}

static bool lists_init(struct costs_lists *lists, size_t owners, size_t items) {
  lists->ends = memory_array(owners, sizeof *lists->ends);
  lists->items = memory_array(items, sizeof *lists->items);
  return lists->ends && lists->items;
}

static bool make_room(struct filler *filler) {
  struct segment *segment = filler->segment;
  size_t count = segment->count, values = filler->value_count, links = filler->link_count;
  segment->sizes = memory_array(values, sizeof(neap_size));
  segment->makers = memory_array(values, sizeof(size_t));
  segment->made = memory_array(count, sizeof(neap_size));
  segment->dropped = memory_array(count, sizeof(neap_size));
  return segment->sizes && segment->makers && segment->made && segment->dropped &&
         lists_init(&segment->befores, count, count_all(filler, &filler->costs->befores)) &&
         lists_init(&segment->afters, count, count_all(filler, &filler->costs->afters)) &&
         lists_init(&segment->inputs, count, links) &&
         lists_init(&segment->readers, values, links);
}

bool segment_init(struct segment *segment, const struct costs *costs, const size_t *order,
                  size_t begin, size_t end, neap_size live, const size_t *left, size_t *local,
                  size_t *place) {
  *segment = (struct segment){.count = end - begin,
                              .order = order + begin,
                              .at_start = live,
                              .unread = begin == 0 ? costs->unread : 0};
  struct filler filler = {segment, costs, left, local, place, 0, 0};
  for (size_t i = 0; i < segment->count; i++)
    place[segment->order[i]] = i;
  for_inputs(&filler, reset_count);
  for_inputs(&filler, count_reader);
  for_inputs(&filler, number_value);
  if (!make_room(&filler)) return false;
  for (size_t i = 0; i < segment->count; i++) {
    segment->made[i] = costs->made[segment->order[i]];
    segment->dropped[i] = costs->dropped[segment->order[i]];
  }
  list_inputs(&filler);
  list_readers(&filler);
  list_inside(&filler, &costs->befores, &segment->befores);
  list_inside(&filler, &costs->afters, &segment->afters);
  segment->value_count = filler.value_count;
  segment->output_count = costs->output_count;
  segment->mixes_shares = costs->mixes_shares;
  return list_shares(&filler);
}

bool segment_init_whole(struct segment *segment, const struct costs *costs,
                        const size_t *order) {
  size_t *local = memory_array(costs->value_count, sizeof *local);
  size_t *place = memory_array(costs->count, sizeof *place);
  struct costs_walk walk;
  *segment = (struct segment){.count = 0};
  bool has_room =
      costs_walk_init(&walk, costs) && local && place &&
      segment_init(segment, costs, order, 0, costs->count, walk.live, walk.left, local, place);
  costs_walk_clear(&walk);
  free(local);
  free(place);
  return has_room;
}

void segment_clear(struct segment *segment) {
  costs_lists_clear(&segment->befores);
  costs_lists_clear(&segment->afters);
  costs_lists_clear(&segment->inputs);
  costs_lists_clear(&segment->readers);
  free(segment->shares.ends);
  free(segment->shares.items);
  free(segment->sizes);
  free(segment->makers);
  free(segment->made);
  free(segment->dropped);
}

void segment_reorder(size_t *order, size_t count, const size_t *local, size_t *scratch) {
  for (size_t i = 0; i < count; i++)
    scratch[i] = order[local[i]];
  memcpy(order, scratch, count * sizeof *order);
}
