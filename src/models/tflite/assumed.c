/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/tflite/assumed.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "files/kernels.h"
#include "files/target.h"
#include "models/tflite/kernel_shapes.h"

/* The values are in the file. */
struct value {
  const char *text;
  size_t length;
};

enum key { KERNELS, OVERLAP, POINTER, VERSION, KEYS };

static const char *const keys[KEYS] = {"kernels", "overlap", "pointer", "version"};
static const char *const labels[KEYS] = {"kernels", "overlap", "pointer size",
                                         "runtime version"};

struct assumed {
  bool is_found;
  struct value values[KEYS]; /* text NULL: not stated */
};

/* ---------------------------------------------------------------- the text */

static const char *overlap_text(bool has_overlap) { return has_overlap ? "yes" : "no"; }

size_t tflite_assumed_text(const neap_problem *problem, char text[TFLITE_ASSUMED_TEXT],
                           bool *is_default) {
  neap_arena arena = NEAP_INIT(neap_arena);
  bool is_known = neap_problem_arena(problem, 0, &arena);
  const char *reference = kernels_at(NEAP_KERNELS_REFERENCE)->name;
  int length = snprintf(text, TFLITE_ASSUMED_TEXT, "neap %s\n", neap_version());
  *is_default = !is_known || (strcmp(arena.kernels, reference) == 0 && !arena.has_overlap &&
                              arena.pointer == 4);
  if (is_known)
    length += snprintf(text + length, TFLITE_ASSUMED_TEXT - (size_t)length,
                       "kernels %s\noverlap %s\npointer %u\nversion %s\n", arena.kernels,
                       overlap_text(arena.has_overlap), arena.pointer, arena.version);
  assert(length < TFLITE_ASSUMED_TEXT);
  return (size_t)length;
}

static bool is_value(const struct value *value, const char *text) {
  return value->text && value->length == strlen(text) &&
         memcmp(value->text, text, value->length) == 0;
}

static void take_line(struct assumed *assumed, const char *line, size_t length) {
  for (int key = 0; key < KEYS; key++) {
    size_t skipped = strlen(keys[key]) + 1;
    if (length > skipped && memcmp(line, keys[key], skipped - 1) == 0 &&
        line[skipped - 1] == ' ')
      assumed->values[key] = (struct value){line + skipped, length - skipped};
  }
}

/* A text with only unknown keys, such as those of later versions, counts as none. */
static neap_status find_assumed(const struct flat_table *root, struct assumed *assumed,
                                neap_error *error) {
  struct tflite_entry entry;
  struct flat_vector data;
  *assumed = (struct assumed){.is_found = false};
  neap_status status = tflite_entry_find(root, TFLITE_ASSUMED, &entry, error);
  if (status != NEAP_OK || entry.index == TFLITE_NONE) return status;
  status = tflite_entry_data(root, &entry, &data, error);
  if (status != NEAP_OK) return status;
  const char *text = (const char *)root->file->bytes + data.at;
  for (size_t at = 0; at < data.count;) {
    const char *end = memchr(text + at, '\n', data.count - at);
    size_t length = end ? (size_t)(end - text) - at : data.count - at;
    take_line(assumed, text + at, length);
    at += length + 1;
  }
  for (int key = 0; key < KEYS; key++)
    assumed->is_found |= assumed->values[key].text != NULL;
  return NEAP_OK;
}

/* ---------------------------------------------------------------- the meaning of the text */

static neap_size pointer_of(const struct value *value) {
  return is_value(value, "4") ? 4 : is_value(value, "8") ? 8 : 0;
}

static neap_kernels kernels_named(const struct value *value) {
  neap_kernels kernels = NEAP_KERNELS_REFERENCE;
  while (kernels_at(kernels) && !is_value(value, kernels_at(kernels)->name))
    kernels++;
  return kernels_at(kernels) ? kernels : NEAP_KERNELS_DEFAULT;
}

void tflite_assumed_apply(const char *text, size_t size, neap_reading *reading) {
  const struct flat file = {(const unsigned char *)text, size};
  struct flat_table root;
  struct assumed assumed;
  if (!target_of(reading)->is_predicted || !flat_root(&file, &root) ||
      find_assumed(&root, &assumed, NULL) != NEAP_OK)
    return;
  neap_kernels kernels = kernels_named(&assumed.values[KERNELS]);
  if (reading->model.pointer == 0 && reading->graph.kernels != NEAP_KERNELS_PYTHON)
    reading->model.pointer = pointer_of(&assumed.values[POINTER]);
  if (reading->graph.kernels != NEAP_KERNELS_DEFAULT) return;
  reading->graph.kernels = kernels;
  if (kernels != NEAP_KERNELS_DEFAULT && is_value(&assumed.values[OVERLAP], overlap_text(true)))
    reading->graph.liveness.overlap = true;
}

/* ---------------------------------------------------------------- how an arena was predicted */

static void warn(const neap_reading *reading, const struct assumed *assumed, enum key key,
                 const char *now) {
  char excerpt[TEXT_EXCERPT];
  neap_error warning = {.status = NEAP_OK};
  const struct value *value = &assumed->values[key];
  if (!reading->warn || !value->text || is_value(value, now)) return;
  snprintf(warning.text, sizeof warning.text,
           "the model was written for %s %s, but is read for %s", labels[key],
           text_excerpt(excerpt, value->text, value->length), now);
  reading->warn(&warning, reading->warn_user);
}

static void warn_of_target(const neap_reading *reading) {
  neap_error warning = {.status = NEAP_OK,
                        .text = "the model was written for TensorFlow Lite Micro, for which "
                                "neap_reading.graph.target "
                                "tflm plans"};
  if (reading->warn) reading->warn(&warning, reading->warn_user);
}

static void compare(const neap_reading *reading, const struct assumed *assumed,
                    neap_arena *arena) {
  char pointer[TEXT_DECIMAL];
  text_decimal(pointer, arena->pointer);
  const char *const now[KEYS] = {arena->kernels, overlap_text(arena->has_overlap), pointer,
                                 arena->version};
  arena->is_as_written = true;
  const bool has_kernels = is_value(&assumed->values[KERNELS], now[KERNELS]);
  for (int key = 0; key < KEYS; key++) {
    arena->is_as_written &= is_value(&assumed->values[key], now[key]);
    /* Overlap and version only matter for the same kernels. */
    if (has_kernels || key == KERNELS || key == POINTER)
      warn(reading, assumed, (enum key)key, now[key]);
  }
}

neap_status tflite_assumed_note(const struct tflite_model *model, const neap_reading *reading,
                                neap_arena *arena, neap_error *error) {
  struct assumed assumed;
  if (arena) arena->has_overlap = reading->graph.liveness.overlap;
  neap_status status = find_assumed(&model->root, &assumed, error);
  if (status != NEAP_OK || !assumed.is_found) return status;
  if (arena) compare(reading, &assumed, arena);
  else if (!reading->graph.target) warn_of_target(reading);
  return NEAP_OK;
}
