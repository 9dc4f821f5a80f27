/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every reader survives every seed, every seed truncated at every byte, a few thousand damaged
 * seeds, and truncated examples. NEAP_LONG in the environment increases the damage by a factor
 * of 25; `make fuzz` continues with libFuzzer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/corpus.h"
#include "tests/fuzz/readers.h"
#include "tests/unit/sample.h"

#define READERS_MAX 16
#define SEED 3000       /* examples of up to this many bytes are seeds, too */
#define DAMAGED 1500    /* damaged seeds per reader */
#define EVERY_BYTE 4096 /* examples are truncated at each of their first bytes ... */
#define STRIDE 997      /* ... and in steps of this after that */

static void load_own_seeds(struct corpus *corpus, const struct reader *reader) {
  char folder[64];
  *corpus = (struct corpus){0};
  snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", reader->format);
  corpus_load(corpus, folder, "", SIZE_MAX);
}

static void load_seeds(struct corpus *corpus, const struct reader *reader) {
  char ending[16];
  load_own_seeds(corpus, reader);
  snprintf(ending, sizeof ending, ".%s", reader->format);
  corpus_load(corpus, "examples", ending, SEED);
}

/* Damage to rejected seeds would not get far. */
static void some_seeds_are_taken(void **state) {
  const struct reader *reader = *state;
  struct corpus corpus;
  neap_error error = {.text = "there are no seeds"};
  size_t taken = 0;
  load_seeds(&corpus, reader);
  for (size_t s = 0; s < corpus.count; s++) {
    const char *complaint =
        reader_taste(reader, corpus.seeds[s].bytes, corpus.seeds[s].size, &error);
    if (complaint) fail_msg("%s: %s", corpus.seeds[s].name, complaint);
    taken += error.status == NEAP_OK;
  }
  if (taken == 0) fail_msg("none is taken: %s", error.text);
  corpus_clear(&corpus);
}

static void the_seeds_cut_off(void **state) {
  const struct reader *reader = *state;
  struct corpus corpus;
  load_own_seeds(&corpus, reader);
  for (size_t s = 0; s < corpus.count; s++)
    for (size_t cut = 0; cut <= corpus.seeds[s].size; cut++) {
      const char *complaint = reader_feed(reader, corpus.seeds[s].bytes, cut);
      if (complaint) fail_msg("%s, %zu bytes: %s", corpus.seeds[s].name, cut, complaint);
    }
  corpus_clear(&corpus);
}

static void the_seeds_damaged(void **state) {
  const struct reader *reader = *state;
  struct corpus corpus;
  load_seeds(&corpus, reader);
  size_t count = getenv("NEAP_LONG") ? 25 * DAMAGED : DAMAGED;
  for (size_t number = 0; number < count; number++) {
    char *bytes;
    size_t size = corpus_damage(&corpus, number, &bytes);
    const char *complaint = reader_feed(reader, bytes, size);
    free(bytes);
    if (complaint)
      fail_msg("damage %zu to %s: %s", number, corpus.seeds[number % corpus.count].name,
               complaint);
  }
  corpus_clear(&corpus);
}

/* Each example, and each truncated example, is read or rejected with a proper error. */
static void the_examples_cut_off(void **state) {
  const struct reader *reader = *state;
  struct corpus corpus = {0};
  char ending[16];
  neap_error error;
  snprintf(ending, sizeof ending, ".%s", reader->format);
  corpus_load(&corpus, "examples", ending, SIZE_MAX);
  for (size_t e = 0; e < corpus.count; e++) {
    const struct seed *example = &corpus.seeds[e];
    for (size_t cut = 0; cut <= example->size; cut += cut < EVERY_BYTE ? 1 : STRIDE) {
      const char *complaint = reader_taste(reader, example->bytes, cut, &error);
      if (complaint) fail_msg("%s, %zu bytes: %s", example->name, cut, complaint);
    }
    const char *complaint = reader_feed(reader, example->bytes, example->size);
    if (complaint) fail_msg("%s: %s", example->name, complaint);
  }
  corpus_clear(&corpus);
}

/* Some formats have no examples. */
static bool has_examples(const struct reader *reader) {
  char ending[16];
  snprintf(ending, sizeof ending, ".%s", reader->format);
  return corpus_has("examples", ending);
}

static bool has_reader(const char *format, unsigned content) {
  const struct reader *reader;
  for (size_t r = 0; (reader = reader_at(r)); r++)
    if (strcmp(reader->format, format) == 0 &&
        (content == NEAP_CONTENT_PROBLEM ? reader->problem != NULL
         : content == NEAP_CONTENT_GRAPH ? reader->graph != NULL
                                         : reader->plan != NULL))
      return true;
  return false;
}

static void every_format_is_fuzzed(void **state) {
  (void)state;
  neap_format_info info = NEAP_INIT(neap_format_info);
  for (size_t i = 0; neap_format_at(i, &info); i++) {
    char folder[64];
    snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", info.name);
    for (unsigned content = 1; content <= info.reads; content <<= 1)
      if ((info.reads & content) && !has_reader(info.name, content))
        fail_msg("%s has no reader in readers.c for content %u", info.name, content);
    if (info.reads && !corpus_has(folder, "")) fail_msg("%s has no seeds", folder);
  }
}

int main(void) {
  static char names[4 * READERS_MAX][64];
  struct CMUnitTest tests[4 * READERS_MAX + 1];
  size_t count = 1;
  tests[0] = (struct CMUnitTest)cmocka_unit_test(every_format_is_fuzzed);
  for (size_t r = 0; reader_at(r) && r < READERS_MAX; r++) {
    struct reader *reader = (struct reader *)(uintptr_t)reader_at(r);
    static const struct {
      const char *name;
      CMUnitTestFunction function;
    } cases[] = {{"some seeds are taken", some_seeds_are_taken},
                 {"seeds cut off", the_seeds_cut_off},
                 {"seeds damaged", the_seeds_damaged},
                 {"examples cut off", the_examples_cut_off}};
    for (size_t c = 0; c < SAMPLE_COUNT(cases) - !has_examples(reader); c++) {
      snprintf(names[count], sizeof names[count], "%s: %s", reader->name, cases[c].name);
      tests[count] = (struct CMUnitTest){names[count], cases[c].function, NULL, NULL, reader};
      count++;
    }
  }
  return _cmocka_run_group_tests("readers", tests, count, NULL, NULL);
}
