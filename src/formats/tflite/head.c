/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tflite/head.h"

#include <string.h>

void head_put(struct head *head, size_t at, uint64_t number, size_t width) {
  for (size_t i = 0; i < width && head->bytes; i++)
    head->bytes[at + i] = (unsigned char)(number >> (8 * i));
}

void head_copy(struct head *head, size_t at, const void *bytes, size_t size) {
  if (head->bytes) memcpy(head->bytes + at, bytes, size);
}

size_t head_take(struct head *head, size_t size, size_t alignment) {
  size_t at = (head->used + alignment - 1) / alignment * alignment;
  head->used = at + size;
  return at;
}

void head_lead(struct head *head, size_t at, size_t to) { head_put(head, at, to - at, 4); }

void head_lead_old(struct head *head, size_t at, size_t to) {
  head_lead(head, at, head->size + to);
}

size_t head_list(struct head *head, const struct flat_vector *old, size_t count) {
  size_t list = head_take(head, 4 + 4 * count, 4);
  head_put(head, list, count, 4);
  for (size_t i = 0; i < old->count && i < count; i++) {
    size_t to;
    if (flat_follow(old->file, old->at + 4 * i, &to)) head_lead_old(head, list + 4 + 4 * i, to);
  }
  return list;
}

/* The version is a number.  False if the field leads nowhere. */
static bool put_field(struct head *head, const struct flat_table *old, size_t field,
                      size_t old_at, size_t at) {
  size_t to;
  if (field == 0) head_put(head, at, flat_get32(old->file, old_at), 4);
  else if (!flat_follow(old->file, old_at, &to)) return false;
  else head_lead_old(head, at, to);
  return true;
}

void head_root(struct head *head, const struct flat_table *old, unsigned changed,
               size_t at[HEAD_ROOT_FIELDS]) {
  head->used = 8;
  if (head->bytes) memcpy(head->bytes + 4, "TFL3", 4);
  size_t vtable = head_take(head, 4 + 2 * HEAD_ROOT_FIELDS, 4);
  size_t root = head_take(head, 4 + 4 * HEAD_ROOT_FIELDS, 4);
  head_lead(head, 0, root);
  head_put(head, vtable, 4 + 2 * HEAD_ROOT_FIELDS, 2);
  head_put(head, vtable + 2, 4 + 4 * HEAD_ROOT_FIELDS, 2);
  head_put(head, root, root - vtable, 4);
  for (size_t field = 0; field < HEAD_ROOT_FIELDS; field++) {
    size_t old_at, own = 4 + 4 * field;
    bool is_changed = changed >> field & 1;
    if (!flat_field(old, field, 4, &old_at) || (!old_at && !is_changed)) continue;
    at[field] = root + own;
    if (is_changed || put_field(head, old, field, old_at, root + own))
      head_put(head, vtable + 4 + 2 * field, own, 2);
  }
}
