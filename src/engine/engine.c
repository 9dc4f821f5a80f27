/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/engine.h"

static const struct engine *const engines[] = {&engine_auto, &engine_sort, &engine_tune,
                                               &engine_exact};

const struct engine *engine_at(size_t index) {
  return index < sizeof engines / sizeof engines[0] ? engines[index] : NULL;
}

const neap_engine_info *neap_engine_at(size_t index) {
  const struct engine *engine = engine_at(index);
  return engine ? &engine->info : NULL;
}
