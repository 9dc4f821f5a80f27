/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PPL.NN's buffer managers (doc/pplnn.md, sections 1 to 5). Those with slots keep idle slots on
 * a stack and take either the top one, O(1), or the one closest in size, O(idle slots). The
 * others keep free addresses (runtimes/pplnn_compact).
 */
#include "runtimes/pplnn.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"

/* ---------------------------------------------------------------- making */

static bool has_slots(const struct pplnn_manager *manager) {
  return manager->options.policy == PPLNN_MRU || manager->options.policy == PPLNN_BEST_FIT;
}

neap_status pplnn_manager_new(struct pplnn_manager **manager,
                              const struct pplnn_options *options, neap_error *error) {
  neap_size alignment = options->alignment;
  if (alignment < 1 || (alignment & (alignment - 1)) != 0 || options->granularity < 1 ||
      options->gap < 0 || options->capacity < 0)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "pplnn: expected an alignment of a power of two and a granularity of at "
                     "least 1, found %" PRId64 " and %" PRId64,
                     alignment, options->granularity);
  struct pplnn_manager *made = memory_array(1, sizeof *made);
  if (!made) return error_memory(error);
  made->options = *options;
  made->compact.options = *options;
  *manager = made;
  return NEAP_OK;
}

void pplnn_manager_free(struct pplnn_manager *manager) {
  if (!manager) return;
  compact_clear(&manager->compact);
  free(manager->slots);
  free(manager->stack);
  free(manager);
}

/* ---------------------------------------------------------------- slots */

static void count_buffered(struct pplnn_manager *manager, neap_size buffered) {
  assert(buffered >= 0);
  manager->figures.buffered = buffered;
  if (buffered > manager->figures.peak) manager->figures.peak = buffered;
}

static bool obtain_bytes(struct pplnn_manager *manager, neap_size bytes) {
  manager->figures.requests++;
  if (bytes > manager->options.capacity || bytes > NEAP_MAX - manager->figures.buffered)
    return false;
  count_buffered(manager, manager->figures.buffered + bytes);
  return true;
}

/*
 * The index of the slot closest in size; the top of the stack if none differs by less than
 * `bytes`.
 */
static size_t nearest_place(const struct pplnn_manager *manager, neap_size bytes) {
  neap_size least = bytes;
  assert(manager->stack_count > 0);
  size_t choice = manager->stack_count - 1;
  for (size_t place = 0; place < manager->stack_count; place++) {
    neap_size size = manager->slots[manager->stack[place]].size;
    neap_size distance = size > bytes ? size - bytes : bytes - size;
    if (distance >= least) continue;
    least = distance;
    choice = place;
  }
  return choice;
}

/* Takes an idle slot; the top slot moves to its position in the stack. */
static size_t take_slot(struct pplnn_manager *manager, neap_size bytes) {
  size_t top = manager->stack_count - 1;
  size_t place =
      manager->options.policy == PPLNN_BEST_FIT ? nearest_place(manager, bytes) : top;
  size_t slot = manager->stack[place];
  manager->stack[place] = manager->stack[top];
  manager->stack_count--;
  assert(slot < manager->slot_count && manager->slots[slot].is_idle);
  manager->slots[slot].is_idle = false;
  return slot;
}

/* The old memory is returned before the new is obtained; if that fails, the slot is lost. */
static bool grow_slot(struct pplnn_manager *manager, size_t slot, neap_size bytes) {
  struct pplnn_slot *grown = &manager->slots[slot];
  if (bytes <= grown->size) return true;
  manager->figures.buffered -= grown->size;
  manager->figures.returns++;
  grown->size = 0;
  if (!obtain_bytes(manager, bytes)) return false;
  grown->size = bytes;
  return true;
}

static neap_status add_slot(struct pplnn_manager *manager, neap_size bytes, size_t *slot,
                            neap_error *error) {
  if (!memory_reserve(&manager->slots, &manager->slot_capacity, manager->slot_count + 1,
                      sizeof *manager->slots))
    return error_memory(error);
  if (!obtain_bytes(manager, bytes)) return compact_refuse(bytes, error);
  *slot = manager->slot_count++;
  manager->slots[*slot] = (struct pplnn_slot){bytes, false};
  manager->figures.slot_count = manager->slot_count;
  return NEAP_OK;
}

static neap_status free_slot(struct pplnn_manager *manager, struct pplnn_handle *handle,
                             neap_error *error) {
  if (handle->slot >= manager->slot_count || manager->slots[handle->slot].is_idle)
    return error_set(error, NEAP_ERROR_ARGUMENT, "pplnn: slot %zu is not in use", handle->slot);
  if (!memory_reserve(&manager->stack, &manager->stack_capacity, manager->stack_count + 1,
                      sizeof *manager->stack))
    return error_memory(error);
  manager->stack[manager->stack_count++] = handle->slot;
  assert(manager->stack_count <= manager->slot_count);
  manager->slots[handle->slot].is_idle = true;
  handle->has_buffer = false;
  return NEAP_OK;
}

static neap_status realloc_slot(struct pplnn_manager *manager, neap_size bytes,
                                struct pplnn_handle *handle, neap_error *error) {
  if (handle->has_buffer && handle->slot >= manager->slot_count)
    return error_set(error, NEAP_ERROR_ARGUMENT, "pplnn: there is no slot %zu", handle->slot);
  if (!handle->has_buffer && manager->stack_count == 0) {
    neap_status status = add_slot(manager, bytes, &handle->slot, error);
    if (status != NEAP_OK) return status;
  } else {
    if (!handle->has_buffer) handle->slot = take_slot(manager, bytes);
    handle->has_buffer = false;
    if (!grow_slot(manager, handle->slot, bytes)) return compact_refuse(bytes, error);
  }
  handle->has_buffer = true;
  handle->address = 0;
  handle->bytes = manager->slots[handle->slot].size;
  return NEAP_OK;
}

/* ---------------------------------------------------------------- addresses */

static neap_status free_address(struct pplnn_manager *manager, struct pplnn_handle *handle,
                                neap_error *error) {
  neap_status status =
      compact_release(&manager->compact, handle->address, handle->bytes, error);
  if (status != NEAP_OK) return status;
  if (manager->options.policy == PPLNN_PLAIN) {
    manager->figures.buffered -= handle->bytes;
    manager->figures.returns++;
  }
  handle->has_buffer = false;
  return NEAP_OK;
}

static neap_status alloc_address(struct pplnn_manager *manager, neap_size bytes,
                                 struct pplnn_handle *handle, neap_error *error) {
  neap_size rounded;
  if (!checked_round_up(bytes, manager->options.alignment, &rounded))
    return compact_refuse(bytes, error);
  neap_status status = compact_alloc(&manager->compact, rounded, &handle->address, error);
  if (status != NEAP_OK) return status;
  handle->has_buffer = true;
  handle->bytes = rounded;
  if (manager->options.policy == PPLNN_PLAIN) {
    manager->figures.requests++;
    count_buffered(manager, manager->figures.buffered + rounded);
  } else {
    count_buffered(manager, manager->compact.obtained);
  }
  return NEAP_OK;
}

/* ---------------------------------------------------------------- both */

neap_status pplnn_free(struct pplnn_manager *manager, struct pplnn_handle *handle,
                       neap_error *error) {
  if (!handle->has_buffer) return NEAP_OK;
  return has_slots(manager) ? free_slot(manager, handle, error)
                            : free_address(manager, handle, error);
}

neap_status pplnn_realloc(struct pplnn_manager *manager, neap_size bytes,
                          struct pplnn_handle *handle, neap_error *error) {
  if (bytes < 0)
    return error_set(error, NEAP_ERROR_ARGUMENT, "pplnn: expected bytes, found %" PRId64,
                     bytes);
  if (bytes == 0) return pplnn_free(manager, handle, error);
  if (has_slots(manager)) return realloc_slot(manager, bytes, handle, error);
  neap_status status = pplnn_free(manager, handle, error);
  return status == NEAP_OK ? alloc_address(manager, bytes, handle, error) : status;
}

