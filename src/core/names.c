/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A hash table with open addressing and linear probing (Knuth, volume 3, 6.4).  A name's slot is
 * the first one free, or with the name, from its hash on; at most half of the slots are taken, so
 * finding and adding take O(length) on average.  Names are never removed.
 */
#include "core/names.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"

/* The size of the first table. */
#define SLOTS_LEAST 16

/* FNV-1a, 64 bits (Fowler, Noll, Vo), with a final mix since the table uses the low bits. */
static uint64_t hash_name(const char *name, size_t length) {
  uint64_t value = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < length; i++)
    value = (value ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
  return value ^ (value >> 29);
}

static bool is_same_name(const struct names *names, size_t number, const char *name,
                         size_t length) {
  const char *text = names_text(names, number);
  return strncmp(text, name, length) == 0 && text[length] == '\0';
}

/* How many names the table has. */
static size_t slotted(const struct names *names) { return names->count - names->numbered; }

/* The slot of the name, or the free slot to put it in. */
static size_t find_slot(const struct names *names, const char *name, size_t length) {
  assert(names->slot_count > slotted(names));
  size_t mask = names->slot_count - 1; /* the count is a power of two */
  size_t at = (size_t)hash_name(name, length) & mask;
  while (names->slot[at] != 0 && !is_same_name(names, names->slot[at] - 1, name, length))
    at = (at + 1) & mask;
  return at;
}

static bool grow_slots(struct names *names, size_t slot_count) {
  uint32_t *slot = memory_array(slot_count, sizeof *slot);
  if (!slot) return false;
  free(names->slot);
  names->slot = slot;
  names->slot_count = slot_count;
  for (size_t i = names->numbered; i < names->count; i++) {
    const char *text = names_text(names, i);
    slot[find_slot(names, text, strlen(text))] = (uint32_t)(i + 1);
  }
  return true;
}

/* The number that is written like a name, if one of the first names is; otherwise NAMES_NONE. */
static size_t find_number(const struct names *names, const char *name, size_t length) {
  size_t number = 0;
  if (length == 0 || (name[0] == '0' && length > 1)) return NAMES_NONE;
  for (size_t i = 0; i < length; i++) {
    if (name[i] < '0' || name[i] > '9') return NAMES_NONE;
    number = 10 * number + (size_t)(name[i] - '0');
    if (number >= names->numbered) return NAMES_NONE;
  }
  return number;
}

size_t names_find(const struct names *names, const char *name, size_t length) {
  size_t number = find_number(names, name, length);
  if (number != NAMES_NONE) return number;
  if (names->slot_count == 0) return NAMES_NONE;
  uint32_t held = names->slot[find_slot(names, name, length)];
  return held == 0 ? NAMES_NONE : held - 1;
}

/* Of a usual name, with its NUL. */
#define USUAL_SIZE 4

bool names_reserve_numbers(struct names *names, size_t count) {
  return count <= UINT32_MAX &&
         memory_reserve(&names->start, &names->capacity, count, sizeof *names->start) &&
         memory_reserve(&names->text, &names->text_capacity, USUAL_SIZE * count, 1);
}

bool names_reserve(struct names *names, size_t count) {
  size_t slot_count = names->slot_count ? names->slot_count : SLOTS_LEAST;
  if (count > UINT32_MAX) return false;
  while (slot_count / 2 + names->numbered < count)
    slot_count *= 2;
  return (slot_count == names->slot_count || grow_slots(names, slot_count)) &&
         names_reserve_numbers(names, count);
}

/* ---------------------------------------------------------------- adding */

/* Makes room for the text of one more name. */
static bool reserve_text(struct names *names, size_t length) {
  return names->count < UINT32_MAX - 1 && length < SIZE_MAX - names->text_size - 1 &&
         memory_reserve(&names->start, &names->capacity, names->count + 1,
                        sizeof *names->start) &&
         memory_reserve(&names->text, &names->text_capacity, names->text_size + length + 1, 1);
}

/* Where the text of the next name goes. */
static char *next_text(const struct names *names) { return names->text + names->text_size; }

/* Appends a name whose text is there, without its NUL. */
static void append(struct names *names, size_t length) {
  names->start[names->count++] = names->text_size;
  names->text_size += length;
  names->text[names->text_size++] = '\0';
}

bool names_add(struct names *names, const char *name, size_t length) {
  if (!reserve_text(names, length)) return false;
  if (slotted(names) + 1 > names->slot_count / 2 &&
      !grow_slots(names, names->slot_count ? names->slot_count * 2 : SLOTS_LEAST))
    return false;
  size_t at = find_slot(names, name, length);
  assert(names->slot[at] == 0);
  names->slot[at] = (uint32_t)(names->count + 1);
  memcpy(next_text(names), name, length);
  append(names, length);
  return true;
}

bool names_include(struct names *names, const char *name, size_t length) {
  return names_find(names, name, length) != NAMES_NONE || names_add(names, name, length);
}

bool names_add_all(struct names *names, const struct names *others) {
  for (size_t i = 0; i < others->count; i++) {
    const char *name = names_text(others, i);
    if (!names_add(names, name, strlen(name))) return false;
  }
  return true;
}

bool names_add_number(struct names *names) {
  assert(names_are_numbers(names));
  if (!reserve_text(names, TEXT_DECIMAL)) return false;
  append(names, text_decimal(next_text(names), names->count));
  names->numbered++;
  return true;
}

void names_clear(struct names *names) {
  free(names->text);
  free(names->start);
  free(names->slot);
  *names = (struct names){0};
}
