/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PPL.NN's compact memory manager (doc/pplnn.md, section 5): best fit by size, with free blocks
 * that are merged with their neighbours. Two sorted lists of the same blocks answer the two
 * questions: which block fits best, and which blocks are adjacent. With PPLNN_PLAIN, it is the
 * first-fit heap that serves plain requests.
 */
#include "runtimes/pplnn.h"

#include <assert.h>
#include <inttypes.h>

#include "core/checked.h"
#include "core/error.h"

void compact_clear(struct compact *compact) {
  sorted_clear(&compact->by_address);
  sorted_clear(&compact->by_size);
}

static bool add_free(struct compact *compact, neap_offset address, neap_size size) {
  assert(address >= 0 && size >= 0 && size <= compact->end - address);
  if (size == 0) return true;
  return sorted_add(&compact->by_address, (struct sorted_entry){address, 0, (size_t)size}) &&
         sorted_add(&compact->by_size,
                    (struct sorted_entry){size, (uint64_t)address, (size_t)address});
}

/* Removes a block from both lists. */
static void take_free(struct compact *compact, neap_offset address, neap_size size) {
  struct sorted_entry at =
      sorted_take(&compact->by_address, sorted_find(&compact->by_address, address, 0));
  struct sorted_entry of =
      sorted_take(&compact->by_size, sorted_find(&compact->by_size, size, (uint64_t)address));
  assert(at.key == address && at.id == (size_t)size);
  assert(of.key == size && of.id == (size_t)address);
  (void)at;
  (void)of;
}

/* Finds a free block that is large enough. */
static bool find_free(const struct compact *compact, neap_size bytes, neap_offset *address,
                      neap_size *size) {
  if (compact->options.policy == PPLNN_PLAIN) {
    for (size_t i = 0; i < compact->by_address.count; i++) {
      const struct sorted_entry *entry = &compact->by_address.items[i];
      *address = entry->key;
      *size = (neap_size)entry->id;
      if (*size >= bytes) return true;
    }
    return false;
  }
  size_t place = sorted_find(&compact->by_size, bytes, 0);
  if (place == compact->by_size.count) return false;
  *size = compact->by_size.items[place].key;
  *address = (neap_offset)compact->by_size.items[place].id;
  return true;
}

/* Finds the free block with the highest address. */
static bool last_free(const struct compact *compact, neap_offset *address, neap_size *size) {
  size_t count = compact->by_address.count;
  if (count == 0) return false;
  *address = compact->by_address.items[count - 1].key;
  *size = (neap_size)compact->by_address.items[count - 1].id;
  return true;
}

neap_status compact_refuse(neap_size bytes, neap_error *error) {
  return error_set(error, NEAP_NO_PLAN, "pplnn: the provider has no %" PRId64 " more bytes",
                   bytes);
}

/* Requests bytes from the provider; *given is the size granted, from *address on. */
static bool request_from_provider(struct compact *compact, neap_size bytes,
                                  neap_offset *address, neap_size *given) {
  neap_size total;
  bool apart = compact->options.policy == PPLNN_COMPACT_BLOCK && compact->obtained > 0;
  *address = compact->end;
  if (apart && !checked_add(compact->end, compact->options.gap, address)) return false;
  if (!checked_round_up(bytes, compact->options.granularity, given) ||
      !checked_add(compact->obtained, *given, &total) || total > compact->options.capacity)
    return false;
  neap_offset end;
  if (!checked_add(*address, *given, &end)) return false;
  compact->obtained = total;
  compact->end = end;
  return true;
}

/*
 * Obtains new memory. A growing range only requests the bytes that its last free block lacks;
 * with separate blocks, a whole block is requested and merged with its neighbour if they happen
 * to be adjacent.
 */
static neap_status obtain_block(struct compact *compact, neap_size bytes, neap_offset *address,
                                neap_error *error) {
  neap_offset tail = 0, given_at;
  neap_size tail_size = 0, given;
  bool has_tail = last_free(compact, &tail, &tail_size);
  bool range = compact->options.policy != PPLNN_COMPACT_BLOCK;
  bool counts = range && has_tail && tail + tail_size == compact->end;
  if (!request_from_provider(compact, counts ? bytes - tail_size : bytes, &given_at, &given))
    return compact_refuse(bytes, error);
  assert(given >= 0 && given_at + given == compact->end);
  *address = given_at;
  neap_size whole = given;
  if (has_tail && tail + tail_size == given_at) {
    take_free(compact, tail, tail_size);
    *address = tail;
    whole += tail_size;
  }
  return add_free(compact, *address + bytes, whole - bytes) ? NEAP_OK : error_memory(error);
}

neap_status compact_alloc(struct compact *compact, neap_size bytes, neap_offset *address,
                          neap_error *error) {
  neap_size size;
  neap_status status = NEAP_OK;
  if (find_free(compact, bytes, address, &size)) {
    take_free(compact, *address, size);
    if (!add_free(compact, *address + bytes, size - bytes)) return error_memory(error);
  } else {
    status = obtain_block(compact, bytes, address, error);
  }
  if (status == NEAP_OK) compact->in_use += bytes;
  assert(compact->in_use <= compact->obtained && compact->obtained <= compact->end);
  return status;
}

neap_status compact_release(struct compact *compact, neap_offset address, neap_size bytes,
                            neap_error *error) {
  struct sorted *list = &compact->by_address;
  size_t place = sorted_find(list, address, 0);
  bool overlaps = place < list->count && list->items[place].key < address + bytes;
  if (place > 0 && list->items[place - 1].key + (neap_size)list->items[place - 1].id > address)
    overlaps = true;
  if (overlaps || bytes > compact->in_use)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "pplnn: [%" PRId64 ", %" PRId64 ") is not in use", address,
                     address + bytes);
  compact->in_use -= bytes;
  if (place < list->count && list->items[place].key == address + bytes) {
    neap_size after = (neap_size)list->items[place].id;
    take_free(compact, address + bytes, after);
    bytes += after;
  }
  if (place > 0 &&
      list->items[place - 1].key + (neap_size)list->items[place - 1].id == address) {
    neap_offset before = list->items[place - 1].key;
    take_free(compact, before, address - before);
    bytes += address - before;
    address = before;
  }
  return add_free(compact, address, bytes) ? NEAP_OK : error_memory(error);
}
