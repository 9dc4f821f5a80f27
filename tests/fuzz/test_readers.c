/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every reader survives every seed, every seed truncated at every byte, a few thousand damaged
 * seeds, and truncated examples. NEAP_LONG in the environment does twenty times as much
 * damage; `make fuzz` continues with libFuzzer.
 *
 *     test_readers FOLDER      only reads the files in FOLDER/READER, for each reader, once
 */
#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/readers.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- seeds */

/* The seeds of the fuzzers: small files of each format, and the examples. */

struct seed {
  char name[256];
  char *bytes;
  size_t size;
};

struct corpus {
  struct seed *seeds; /* by name, one folder after another */
  size_t count;
};

/* ---------------------------------------------------------------- files */

static void load(struct seed *seed, const char *folder, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  snprintf(seed->name, sizeof seed->name, "%s", name);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  seed->size = (size_t)ftell(file);
  rewind(file);
  seed->bytes = malloc(seed->size + 1);
  assert_non_null(seed->bytes);
  assert_int_equal(fread(seed->bytes, 1, seed->size, file), seed->size);
  fclose(file);
}

static bool ends_with(const char *name, const char *ending) {
  size_t length = strlen(name), end = strlen(ending);
  return length >= end && strcmp(name + length - end, ending) == 0;
}

static int by_name(const void *left, const void *right) {
  return strcmp(((const struct seed *)left)->name, ((const struct seed *)right)->name);
}

static void find_folder(char path[3000], const char *folder) {
  const char *source = getenv("NEAP_SOURCE");
  snprintf(path, 3000, "%s/%s", source ? source : ".", folder);
}

/* The name of the next file with this ending; NULL after the last. */
static const char *next_name(DIR *entries, const char *ending) {
  for (const struct dirent *entry; (entry = readdir(entries));)
    if (entry->d_name[0] != '.' && ends_with(entry->d_name, ending)) return entry->d_name;
  return NULL;
}

static bool corpus_has(const char *folder, const char *ending) {
  char path[3000];
  find_folder(path, folder);
  DIR *entries = opendir(path);
  bool has = entries && next_name(entries, ending);
  if (entries) closedir(entries);
  return has;
}

/*
 * Adds the files of up to `most` bytes in `folder`, relative to the source, whose names have
 * this ending ("": all). Initialise with zeroes.
 */
static void corpus_load(struct corpus *corpus, const char *folder, const char *ending,
                        size_t most) {
  char path[3000];
  size_t before = corpus->count;
  find_folder(path, folder);
  DIR *entries = opendir(path);
  if (!entries) fail_msg("there is no folder %s", path);
  for (const char *name; (name = next_name(entries, ending));) {
    corpus->seeds = realloc(corpus->seeds, (corpus->count + 1) * sizeof *corpus->seeds);
    assert_non_null(corpus->seeds);
    struct seed *seed = &corpus->seeds[corpus->count];
    load(seed, path, name);
    if (seed->size > most) free(seed->bytes);
    else corpus->count++;
  }
  closedir(entries);
  qsort(corpus->seeds + before, corpus->count - before, sizeof *corpus->seeds, by_name);
}

static void corpus_clear(struct corpus *corpus) {
  for (size_t i = 0; i < corpus->count; i++)
    free(corpus->seeds[i].bytes);
  free(corpus->seeds);
  *corpus = (struct corpus){0};
}

/* ---------------------------------------------------------------- damage */

#define GROWTH 4096 /* the most bytes that all damage together may add */

struct work {
  const struct corpus *corpus;
  uint64_t random;
  char *bytes;
  size_t size, room;
};

/* xorshift64 (Marsaglia 2003); `below` >= 1. */
static size_t draw(struct work *work, size_t below) {
  work->random ^= work->random << 13;
  work->random ^= work->random >> 7;
  work->random ^= work->random << 17;
  return (size_t)(work->random >> 16) % below;
}

/* Replaces `old` bytes at `at` by `size` bytes. */
static void replace(struct work *work, size_t at, size_t old, const char *bytes, size_t size) {
  if (work->size - old + size > work->room) return;
  memmove(work->bytes + at + size, work->bytes + at + old, work->size - at - old);
  if (size > 0) memmove(work->bytes + at, bytes, size);
  work->size += size - old;
}

static void flip(struct work *work) {
  size_t at = draw(work, work->size);
  work->bytes[at] = (char)(work->bytes[at] ^ (1 << draw(work, 8)));
}

static void insert(struct work *work) {
  static const char likely[] = ",\"\n[]{}:0-.e\\\r \xff\xc3";
  char byte = draw(work, 2) ? likely[draw(work, sizeof likely)] : (char)draw(work, 256);
  replace(work, draw(work, work->size + 1), 0, &byte, 1);
}

static void cut_out(struct work *work) {
  size_t at = draw(work, work->size), most = work->size - at;
  replace(work, at, 1 + draw(work, most < 16 ? most : 16), NULL, 0);
}

/* Overwrites or inserts a piece of this seed or of another one. */
static void splice(struct work *work) {
  const struct seed *other = &work->corpus->seeds[draw(work, work->corpus->count)];
  if (other->size == 0) return;
  size_t from = draw(work, other->size), most = other->size - from;
  size_t size = 1 + draw(work, most < 64 ? most : 64), at = draw(work, work->size);
  size_t old = draw(work, 2) ? size : 0;
  replace(work, at, old < work->size - at ? old : work->size - at, other->bytes + from, size);
}

static size_t digits_at(const struct work *work, size_t at) {
  size_t count = 0;
  while (at + count < work->size && work->bytes[at + count] >= '0' &&
         work->bytes[at + count] <= '9')
    count++;
  return count;
}

/* Replaces the next decimal number by an edge case. */
static void replace_digits(struct work *work) {
  static const char *const edges[] = {"0",          "-1",         "1",
                                      "2147483647", "4294967295", "9223372036854775807",
                                      "",           "9e99",       "18446744073709551616"};
  const char *edge = edges[draw(work, SAMPLE_COUNT(edges))];
  size_t at = draw(work, work->size);
  while (at < work->size && digits_at(work, at) == 0)
    at++;
  if (at < work->size) replace(work, at, digits_at(work, at), edge, strlen(edge));
}

/* Replaces four bytes by an edge case; in FlatBuffers, numbers of four bytes are aligned. */
static void replace_word(struct work *work) {
  static const uint32_t edges[] = {0, 1, UINT32_MAX, INT32_MAX, 0x80000000, 4};
  uint32_t edge = edges[draw(work, SAMPLE_COUNT(edges))];
  size_t at = draw(work, work->size) / 4 * 4;
  for (size_t i = 0; i < 4 && at + i < work->size; i++)
    work->bytes[at + i] = (char)(edge >> (8 * i));
}

/*
 * Copies a seed and damages the copy; returns its size. *bytes is released with free(). The
 * damage depends on `number` only.
 */
static size_t corpus_damage(const struct corpus *corpus, size_t number, char **bytes) {
  static void (*const ways[])(struct work *) = {flip,   insert,         cut_out,
                                                splice, replace_digits, replace_word};
  const struct seed *seed = &corpus->seeds[number % corpus->count];
  struct work work = {corpus, (number + 1) * UINT64_C(0x9e3779b97f4a7c15), NULL, seed->size,
                      seed->size + GROWTH};
  work.bytes = malloc(work.room);
  assert_non_null(work.bytes);
  memcpy(work.bytes, seed->bytes, seed->size);
  for (size_t left = 1 + draw(&work, 4); left > 0 && work.size > 0; left--)
    ways[draw(&work, SAMPLE_COUNT(ways))](&work);
  *bytes = work.bytes;
  return work.size;
}

/* ---------------------------------------------------------------- reading */

#define READERS_MAX 16
#define SEED 3000              /* examples of up to this many bytes are also seeds */
#define DAMAGED 1500           /* damaged seeds per reader */
#define EVERY_BYTE 4096        /* examples are truncated at each of their first bytes ... */
#define STRIDE 997             /* ... and in steps of this after that */
#define EVERY_BYTE_OF_SEED 200 /* likewise seeds in short runs */
#define SEED_STRIDE 7

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
    for (size_t cut = 0; cut <= corpus.seeds[s].size;
         cut += cut < EVERY_BYTE_OF_SEED || sample_is_full() ? 1 : SEED_STRIDE) {
      const char *complaint = reader_feed(reader, corpus.seeds[s].bytes, cut);
      if (complaint) fail_msg("%s, %zu bytes: %s", corpus.seeds[s].name, cut, complaint);
    }
  corpus_clear(&corpus);
}

static void the_seeds_damaged(void **state) {
  const struct reader *reader = *state;
  struct corpus corpus;
  load_seeds(&corpus, reader);
  size_t count = sample_tries(DAMAGED);
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

TEST(every_format_is_fuzzed) {
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

/* The number of files, after a line on standard error for each fault; SIZE_MAX if there is one. */
static size_t read_once(const char *folder) {
  size_t count = 0;
  bool failed = false;
  for (size_t r = 0; reader_at(r); r++) {
    const struct reader *reader = reader_at(r);
    struct corpus corpus = {0};
    char inside[2000];
    snprintf(inside, sizeof inside, "%s/%s", folder, reader->name);
    if (corpus_has(inside, "")) corpus_load(&corpus, inside, "", SIZE_MAX);
    count += corpus.count;
    for (size_t i = 0; i < corpus.count; i++) {
      const struct seed *seed = &corpus.seeds[i];
      const char *complaint = reader_feed(reader, seed->bytes, seed->size);
      if (complaint) fprintf(stderr, "%s/%s: %s\n", inside, seed->name, complaint);
      failed |= complaint != NULL;
    }
    corpus_clear(&corpus);
  }
  return failed ? SIZE_MAX : count;
}

int main(int argc, char **argv) {
  if (argc > 1) {
    size_t count = read_once(argv[1]);
    if (count != SIZE_MAX) printf("%zu files\n", count);
    return count == SIZE_MAX || count == 0;
  }
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
