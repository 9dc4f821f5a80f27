/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pools/assigner.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

bool no_goods_init(struct no_goods *no_goods, size_t units) {
  *no_goods = (struct no_goods){.first = memory_array(units, sizeof *no_goods->first)};
  for (size_t u = 0; no_goods->first && u < units; u++)
    no_goods->first[u] = NO_GOODS_END;
  return no_goods->first != NULL;
}

void no_goods_clear(struct no_goods *no_goods) {
  for (size_t i = 0; i < no_goods->count; i++)
    free(no_goods->items[i].units);
  free(no_goods->items);
  free(no_goods->links);
  free(no_goods->first);
  *no_goods = (struct no_goods){0};
}

/* Links a no-good to its units; there is room for the links. */
static void link_item(struct no_goods *no_goods, size_t item) {
  const struct no_good *no_good = &no_goods->items[item];
  for (size_t i = 0; i < no_good->count; i++) {
    size_t *first = &no_goods->first[no_good->units[i]];
    no_goods->links[no_goods->link_count] = (struct no_good_link){item, *first};
    *first = no_goods->link_count++;
  }
}

bool no_goods_add(struct no_goods *no_goods, size_t pool, const size_t *units, size_t count,
                  bool is_proven) {
  assert(count > 0);
  if (!memory_reserve(&no_goods->items, &no_goods->capacity, no_goods->count + 1,
                      sizeof *no_goods->items) ||
      !memory_reserve(&no_goods->links, &no_goods->link_capacity, no_goods->link_count + count,
                      sizeof *no_goods->links))
    return false;
  size_t *copy = memory_array(count, sizeof *copy);
  if (!copy) return false;
  memcpy(copy, units, count * sizeof *copy);
  no_goods->items[no_goods->count] = (struct no_good){pool, copy, count, count, is_proven};
  link_item(no_goods, no_goods->count++);
  return true;
}

void no_goods_forget_open(struct no_goods *no_goods, size_t units) {
  size_t kept = 0;
  for (size_t i = 0; i < no_goods->count; i++) {
    if (no_goods->items[i].is_proven) no_goods->items[kept++] = no_goods->items[i];
    else free(no_goods->items[i].units);
  }
  no_goods->count = kept;
  no_goods->link_count = 0;
  for (size_t u = 0; u < units; u++)
    no_goods->first[u] = NO_GOODS_END;
  for (size_t i = 0; i < kept; i++)
    link_item(no_goods, i);
}

static void change(struct no_goods *no_goods, size_t unit, size_t pool, bool enters) {
  for (size_t l = no_goods->first[unit]; l != NO_GOODS_END; l = no_goods->links[l].next) {
    struct no_good *no_good = &no_goods->items[no_goods->links[l].item];
    if (no_good->pool != pool) continue;
    assert(enters ? no_good->present < no_good->count : no_good->present > 0);
    no_good->present += enters ? 1 : (size_t)-1;
  }
}

void no_goods_enter(struct no_goods *no_goods, size_t unit, size_t pool) {
  change(no_goods, unit, pool, true);
}

void no_goods_leave(struct no_goods *no_goods, size_t unit, size_t pool) {
  change(no_goods, unit, pool, false);
}

bool no_goods_forbid(const struct no_goods *no_goods, size_t unit, size_t pool,
                     bool *is_proven) {
  bool found = false;
  *is_proven = false;
  for (size_t l = no_goods->first[unit]; l != NO_GOODS_END; l = no_goods->links[l].next) {
    const struct no_good *no_good = &no_goods->items[no_goods->links[l].item];
    if (no_good->pool != pool || no_good->present + 1 < no_good->count) continue;
    found = true;
    *is_proven = *is_proven || no_good->is_proven;
  }
  return found;
}
