/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/checks.h"
#include "core/memory.h"
#include "core/text.h"

static uint64_t hash_name(const char *name, size_t length) {
  uint64_t hash = HASH_FIRST;
  for (size_t i = 0; i < length; i++)
    hash = hash_next(hash, (unsigned char)name[i]);
  return hash;
}

static bool is_same_name(const struct names *names, size_t number, const char *name,
                         size_t length) {
  const char *text = names_text(names, number);
  return strncmp(text, name, length) == 0 && text[length] == '\0';
}

/* The number that is written like a name, if one of the first names is; otherwise NAMES_NONE. */
static size_t find_number(const struct names *names, const char *name, size_t length) {
  int64_t number;
  bool is_usual = text_number(name, length, &number) == TEXT_NUMBER_OK &&
                  (name[0] != '0' || length == 1) && (uint64_t)number < names->numbered;
  return is_usual ? (size_t)number : NAMES_NONE;
}

size_t names_find(const struct names *names, const char *name, size_t length) {
  size_t number = find_number(names, name, length), probe = 0;
  if (number != NAMES_NONE) return number;
  uint64_t hash = hash_name(name, length);
  while ((number = hash_set_next(&names->set, hash, &probe)) != HASH_SET_NONE)
    if (is_same_name(names, number, name, length)) return number;
  return NAMES_NONE;
}

/* The bytes of a usual name, with its NUL. */
#define USUAL_SIZE 4

bool names_reserve_numbers(struct names *names, size_t count) {
  return count <= UINT32_MAX &&
         memory_reserve(&names->start, &names->capacity, count, sizeof *names->start) &&
         memory_reserve(&names->text, &names->text_capacity, USUAL_SIZE * count, 1);
}

bool names_reserve(struct names *names, size_t count) {
  size_t numbered = names->numbered;
  return names_reserve_numbers(names, count) &&
         hash_set_reserve(&names->set, count > numbered ? count - numbered : 0);
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
  assert_slowly(names_find(names, name, length) == NAMES_NONE);
  if (!reserve_text(names, length) || !hash_set_reserve(&names->set, names->set.count + 1))
    return false;
  hash_set_add(&names->set, hash_name(name, length), names->count);
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
  hash_set_clear(&names->set);
  *names = (struct names){0};
}
