/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "order/presets.h"

static const char *const presets[] = {
    "size",         "size,duration",         "size*duration", "duration,size", "overlap,size",
    "overlap*size", "size*duration*overlap", "size/duration", "size/overlap",  "-duration,size",
};

const char *order_preset(size_t index) {
  return index < sizeof presets / sizeof presets[0] ? presets[index] : NULL;
}
