/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of operators that a problem shows to users.  Entries refer to runs of one array of
 * links, and to names in one array of texts.  A list may contain a buffer only once: each
 * buffer holds the stamp of the last list that contained it, which is compared with the stamp
 * of the present list.  So adding an operator takes amortised time linear in its lists and
 * texts.
 */
#include "model/problem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "core/text.h"

#define NO_NAME SIZE_MAX

void operator_table_free(struct operator_table *table) {
  if (!table) return;
  free(table->entries);
  names_clear(&table->types);
  free(table->texts);
  free(table->links);
  free(table->stamps);
  free(table);
}

/* ---------------------------------------------------------------- adding */

static neap_status check_text(const char *what, const char *text, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  size_t length = text ? strlen(text) : 0;
  if (length == 0 || text_utf8_prefix(text, length) == length) return NEAP_OK;
  return error_set(error, NEAP_ERROR_INPUT, "the %s %s of an operator is not valid UTF-8", what,
                   text_excerpt(excerpt, text, length));
}

neap_status operator_table_check(const neap_operator_info *info, neap_error *error) {
  neap_status status = check_text("type", info->type, error);
  return status == NEAP_OK ? check_text("name", info->name, error) : status;
}

static bool reserve(struct operator_table *table, const neap_operator_info *info,
                    size_t buffers) {
  size_t links = info->read_count + info->make_count;
  size_t name = info->name ? strlen(info->name) + 1 : 0;
  if (!memory_reserve(&table->entries, &table->capacity, table->count + 1,
                      sizeof *table->entries) ||
      !memory_reserve(&table->links, &table->link_capacity, table->link_count + links + 1,
                      sizeof *table->links) ||
      !memory_reserve(&table->texts, &table->text_capacity, table->text_size + name, 1) ||
      !memory_reserve(&table->stamps, &table->stamp_capacity, buffers, sizeof *table->stamps))
    return false;
  while (table->stamp_count < buffers)
    table->stamps[table->stamp_count++] = 0;
  return true;
}

/* Appends a list of buffers to the links that end at *end. */
static neap_status append(struct operator_table *table, const struct names *names,
                          const size_t *buffers, size_t count, size_t stamp,
                          enum operator_repeats repeats, size_t *end, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  for (size_t i = 0; i < count; i++) {
    size_t buffer = buffers[i];
    if (buffer >= names->count)
      return error_set(error, NEAP_ERROR_INPUT, "there is no buffer %zu", buffer);
    if (table->stamps[buffer] != stamp) {
      table->stamps[buffer] = stamp;
      table->links[(*end)++] = buffer;
    } else if (repeats == OPERATOR_REPEATS_REFUSED) {
      const char *name = names_text(names, buffer);
      return error_set(error, NEAP_ERROR_INPUT, "an operator lists buffer %s twice",
                       text_excerpt(excerpt, name, strlen(name)));
    }
  }
  return NEAP_OK;
}

/* Sets *number to that of a type; false if memory is short. */
static bool number_type(struct names *types, const char *type, size_t *number) {
  size_t length = strlen(type);
  *number = names_find(types, type, length);
  if (*number != NAMES_NONE) return true;
  *number = types->count;
  return names_add(types, type, length);
}

static size_t add_name(struct operator_table *table, const char *name) {
  size_t begin = table->text_size, size;
  if (!name || !name[0]) return NO_NAME;
  size = strlen(name) + 1;
  memcpy(table->texts + begin, name, size);
  table->text_size += size;
  return begin;
}

neap_status operator_table_add(struct operator_table *table, const struct names *names,
                               const neap_operator_info *info, enum operator_repeats repeats,
                               neap_error *error) {
  struct operator_entry entry = {0};
  if (!reserve(table, info, names->count)) return error_memory(error);
  entry.end = table->link_count;
  /* A list that was refused leaves its stamps behind, so each attempt uses new ones. */
  size_t stamp = table->stamp_next;
  table->stamp_next += 2;
  neap_status status = append(table, names, info->reads, info->read_count, stamp + 1, repeats,
                              &entry.end, error);
  entry.reads_end = entry.end;
  if (status == NEAP_OK)
    status = append(table, names, info->makes, info->make_count, stamp + 2, repeats, &entry.end,
                    error);
  if (status != NEAP_OK) return status;
  if (!number_type(&table->types, info->type ? info->type : "", &entry.type))
    return error_memory(error);
  entry.name = add_name(table, info->name);
  table->link_count = entry.end;
  table->entries[table->count++] = entry;
  return NEAP_OK;
}

/* ---------------------------------------------------------------- asking */

bool operator_table_at(const struct operator_table *table, size_t index,
                       neap_operator_info *info) {
  if (index >= table->count) return false;
  const struct operator_entry *entry = &table->entries[index];
  size_t begin = index > 0 ? table->entries[index - 1].end : 0;
  assert(begin <= entry->reads_end && entry->reads_end <= entry->end);
  const neap_operator_info own = {.struct_size = sizeof(neap_operator_info),
                                  .type = names_text(&table->types, entry->type),
                                  .name = entry->name == NO_NAME ? NULL
                                                                 : table->texts + entry->name,
                                  .reads = table->links + begin,
                                  .read_count = entry->reads_end - begin,
                                  .makes = table->links + entry->reads_end,
                                  .make_count = entry->end - entry->reads_end};
  return SIZED_FILL(info, own);
}
