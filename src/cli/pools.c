/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/pools.h"

#include <stdlib.h>
#include <string.h>

#include "cli/listing.h"
#include "cli/messages.h"

/* Splits NAME or NAME=SIZE; *name is released with free(). */
static int split_pool(const char *text, char **name, neap_size *capacity) {
  const char *equals = strrchr(text, '=');
  size_t length = equals ? (size_t)(equals - text) : strlen(text);
  *capacity = -1;
  if (length == 0 || (equals && !neap_size_read(equals + 1, capacity)))
    return message_usage("--pool: expected NAME or NAME=SIZE, such as sram=256K, found '%.40s'",
                         text);
  *name = strndup(text, length);
  return *name ? 0 : message_memory();
}

static int refuse_name(const char *name, const neap_problem *problem) {
  struct listing listing;
  neap_pool pool;
  listing_begin(&listing);
  for (size_t i = 0; neap_problem_pool_at(problem, i, &pool); i++)
    listing_add(&listing, i > 0 ? ", " : "", pool.name);
  char *list = listing_end(&listing);
  int code = list ? message_usage("--pool: INPUT has no pool '%.40s'; it has %s", name, list)
                  : message_memory();
  free(list);
  return code;
}

static int set_capacity(neap_problem *problem, const char *name, neap_size capacity) {
  neap_error error;
  size_t pool;
  if (!neap_problem_find_pool(problem, name, &pool)) return refuse_name(name, problem);
  if (neap_problem_set_pool_capacity(problem, pool, capacity, &error) == NEAP_OK) return 0;
  return message_error(&error);
}

static int add_pool(neap_problem *problem, const char *name, neap_size capacity) {
  neap_error error;
  neap_pool pool = NEAP_POOL_INIT;
  pool.name = name;
  pool.capacity = capacity;
  neap_status status = neap_problem_add_pool(problem, &pool, &error);
  if (status == NEAP_OK) return 0;
  return status == NEAP_ERROR_INPUT ? message_usage("--pool: %s", error.text)
                                    : message_error(&error);
}

int pools_apply(const struct arguments *arguments, neap_problem *problem) {
  neap_pool pool;
  bool has_pools = neap_problem_pool_at(problem, 0, &pool);
  int code = 0;
  for (size_t i = 0; i < arguments->pools.count && code == 0; i++) {
    char *name = NULL;
    neap_size capacity;
    code = split_pool(arguments->pools.items[i], &name, &capacity);
    if (code == 0 && has_pools) code = set_capacity(problem, name, capacity);
    else if (code == 0) code = add_pool(problem, name, capacity);
    free(name);
  }
  return code;
}
