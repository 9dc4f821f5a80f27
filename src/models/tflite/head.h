/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A new head for a FlatBuffer.  Offsets are relative and point forwards only, so a root table and
 * the lists that change can lead into the old file, which follows byte for byte.
 */
#ifndef MODELS_TFLITE_HEAD_H
#define MODELS_TFLITE_HEAD_H

#include "models/tflite/flatbuffer.h"
#include "neap/neap.h"

struct head {
  unsigned char *bytes; /* zeroed; NULL: only measure the head */
  size_t size, used;
};

void head_put(struct head *head, size_t at, uint64_t number, size_t width);

void head_copy(struct head *head, size_t at, const void *bytes, size_t size);

/* Takes the next bytes of the head, aligned as specified. */
size_t head_take(struct head *head, size_t size, size_t alignment);

/* Write an offset at `at` that leads to `to`, or to a place in the old file after the head. */
void head_lead(struct head *head, size_t at, size_t to);
void head_lead_old(struct head *head, size_t at, size_t to);

/* Writes the vtable of a table: for each field in order, its place in the table; 0: absent. */
size_t head_vtable(struct head *head, const unsigned char *places, size_t count, size_t size);

/* Takes room for a table, filled with zeroes. */
size_t head_fields(struct head *head, size_t vtable, size_t size);

size_t head_text(struct head *head, const char *text);

size_t head_numbers(struct head *head, const int32_t *numbers, size_t count);

/* Takes aligned room for the data of a buffer; returns where their count is, before the data. */
size_t head_data(struct head *head, size_t bytes);

/* Writes a list of `count` tables, the first of them from the old list; returns where it is. */
size_t head_list(struct head *head, const struct flat_vector *old, size_t count);

/*
 * Copies an old table.  Fields with a bit in `offsets` are offsets, which then lead to the old
 * model; others are copied.  For each field with a bit in `changed`, at[field] becomes the place
 * for its offset; 0: the table has no such field.  Returns where the table is; 0 if it is broken.
 */
size_t head_table(struct head *head, const struct flat_table *old, unsigned offsets,
                  unsigned changed, size_t *at);

/*
 * Begins the head with the root: numbers are copied, offsets lead to the old model.  For each field
 * with a bit in `changed`, at[field] becomes the place for its offset.
 */
#define HEAD_ROOT_FIELDS 8
void head_root(struct head *head, const struct flat_table *old, unsigned changed,
               size_t at[HEAD_ROOT_FIELDS]);

/* NEAP_ERROR_FORMAT: the root has more fields than head_root copies. */
neap_status head_check(const struct flat_table *root, neap_error *error);

#endif
