/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/tflite/head.h"

#include <string.h>

#include "core/error.h"
#include "models/tflite/model.h"

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

size_t head_vtable(struct head *head, const unsigned char *places, size_t count, size_t size) {
  size_t at = head_take(head, 4 + 2 * count, 4);
  head_put(head, at, 4 + 2 * count, 2);
  head_put(head, at + 2, size, 2);
  for (size_t i = 0; i < count; i++)
    head_put(head, at + 4 + 2 * i, places[i], 2);
  return at;
}

size_t head_fields(struct head *head, size_t vtable, size_t size) {
  size_t at = head_take(head, size, 4);
  head_put(head, at, at - vtable, 4);
  return at;
}

size_t head_text(struct head *head, const char *text) {
  size_t length = strlen(text), at = head_take(head, 4 + length + 1, 4);
  head_put(head, at, length, 4);
  head_copy(head, at + 4, text, length + 1);
  return at;
}

size_t head_numbers(struct head *head, const int32_t *numbers, size_t count) {
  size_t at = head_take(head, 4 + 4 * count, 4);
  head_put(head, at, count, 4);
  for (size_t i = 0; i < count; i++)
    head_put(head, at + 4 + 4 * i, (uint32_t)numbers[i], 4);
  return at;
}

size_t head_data(struct head *head, size_t bytes) {
  size_t at = head_take(head, 12, TFLITE_ALIGNMENT) + 12;
  head->used = at + 4 + bytes;
  head_put(head, at, bytes, 4);
  return at;
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

/* Puts a field into the head: a number or an offset.  False if the offset leads nowhere. */
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

static size_t get16(const struct flat *file, size_t at) {
  return (size_t)file->bytes[at] | (size_t)file->bytes[at + 1] << 8;
}

/* Copies a table, aligned like the old one. */
static size_t copy_table(struct head *head, const struct flat_table *old) {
  const struct flat *file = old->file;
  size_t skew = old->at % 8, size = get16(file, old->vtable + 2);
  size_t vtable_size = 4 + 2 * old->field_count;
  if (size < 4 || size > file->size - old->at) return 0;
  size_t vtable = head_take(head, vtable_size, 4);
  size_t table = head_take(head, skew + size, 8) + skew;
  head_copy(head, vtable, file->bytes + old->vtable, vtable_size);
  head_put(head, vtable, vtable_size, 2);
  head_copy(head, table, file->bytes + old->at, size);
  head_put(head, table, table - vtable, 4);
  return table;
}

size_t head_table(struct head *head, const struct flat_table *old, unsigned offsets,
                  unsigned changed, size_t *at) {
  size_t table = copy_table(head, old);
  for (size_t field = 0; table && offsets >> field; field++) {
    size_t old_at, to;
    if (!(offsets >> field & 1) || !flat_field(old, field, 4, &old_at)) continue;
    bool is_changed = changed >> field & 1;
    if (is_changed) at[field] = old_at ? table + (old_at - old->at) : 0;
    else if (old_at && !flat_follow(old->file, old_at, &to)) return 0;
    else if (old_at) head_lead_old(head, table + (old_at - old->at), to);
  }
  return table;
}

neap_status head_check(const struct flat_table *root, neap_error *error) {
  if (root->field_count <= HEAD_ROOT_FIELDS) return NEAP_OK;
  return error_set(error, NEAP_ERROR_FORMAT,
                   "the model has parts that this version of neap cannot copy");
}
