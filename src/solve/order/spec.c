/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recursive-descent parser for
 *
 *     order  = key { ',' key }
 *     key    = [ '-' ] metric { operator metric }     the operators of a key are the same
 *     metric = "duration" | "size" | "overlap"        each at most once in a key
 *     operator = '+' | '*' | '/'                      '/' only once
 */
#include "order/spec.h"

#include <string.h>

#include "core/error.h"
#include "core/text.h"

static const struct {
  char sign;
  enum combine combine;
} combinations[] = {{'+', COMBINE_SUM}, {'*', COMBINE_PRODUCT}, {'/', COMBINE_RATIO}};

static enum combine combination_of(char sign) {
  for (size_t i = 0; i < sizeof combinations / sizeof combinations[0]; i++)
    if (combinations[i].sign == sign) return combinations[i].combine;
  return COMBINE_SINGLE;
}

static neap_status refuse_text(const char *text, const char *at, const char *expected,
                               neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  return error_at(error, NEAP_ERROR_ARGUMENT, 0, (size_t)(at - text) + 1,
                  "expected %s, found %s", expected,
                  *at ? text_excerpt(excerpt, at, strlen(at)) : "the end");
}

/* Reads the name of a metric that the key does not contain yet. */
static bool read_metric(struct order_key *key, const char **at) {
  size_t length = strspn(*at, "abcdefghijklmnopqrstuvwxyz");
  for (unsigned m = 0; m < METRIC_COUNT; m++) {
    const char *name = metric_name((enum metric)m);
    if (strlen(name) != length || memcmp(name, *at, length) != 0) continue;
    for (size_t i = 0; i < key->metric_count; i++)
      if (key->metrics[i] == (enum metric)m) return false;
    key->metrics[key->metric_count++] = (enum metric)m;
    *at += length;
    return true;
  }
  return false;
}

static neap_status read_key(struct order_key *key, const char *text, const char **at,
                            neap_error *error) {
  *key = (struct order_key){.combine = COMBINE_SINGLE};
  key->ascending = **at == '-';
  if (key->ascending) ++*at;
  for (;;) {
    if (!read_metric(key, at))
      return refuse_text(text, *at,
                         key->metric_count ? "another metric (duration, size or overlap)"
                                           : "duration, size or overlap",
                         error);
    enum combine combine = combination_of(**at);
    if (combine == COMBINE_SINGLE) return NEAP_OK;
    if (key->combine != COMBINE_SINGLE && key->combine != combine)
      return refuse_text(text, *at, "',' or the same operator again", error);
    if (combine == COMBINE_RATIO && key->metric_count == 2)
      return refuse_text(text, *at, "',' after a ratio of two metrics", error);
    key->combine = combine;
    ++*at;
  }
}

neap_status order_spec_parse(struct order_spec *spec, const char *text, neap_error *error) {
  const char *at = text;
  spec->key_count = 0;
  for (;;) {
    if (spec->key_count == ORDER_KEYS) return refuse_text(text, at, "at most 8 keys", error);
    neap_status status = read_key(&spec->keys[spec->key_count++], text, &at, error);
    if (status != NEAP_OK) return status;
    if (*at == '\0') return NEAP_OK;
    if (*at != ',') return refuse_text(text, at, "'+', '*', '/', ',' or the end", error);
    at++;
  }
}

/* ---------------------------------------------------------------- presets */

static const char *const presets[] = {
    "size",         "size,duration",         "size*duration", "duration,size", "overlap,size",
    "overlap*size", "size*duration*overlap", "size/duration", "size/overlap",  "-duration,size",
};

const char *order_preset(size_t index) {
  return index < sizeof presets / sizeof presets[0] ? presets[index] : NULL;
}
