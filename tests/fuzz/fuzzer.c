/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The entry points of libFuzzer, in a build with --enable-fuzzers. NEAP_FUZZ_READER names the
 * reader, or else the name of the program does; `make fuzz` runs all of them.  With
 * --enable-checks, each input draws its own knobs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/knobs.h"
#include "core/random.h"
#include "tests/fuzz/readers.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *program = "";

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  const char *slash = *argc > 0 ? strrchr((*argv)[0], '/') : NULL;
  program = slash ? slash + 1 : program;
  return 0;
}

static const struct reader *chosen(void) {
  const char *name = getenv("NEAP_FUZZ_READER");
  if (!name) name = program;
  for (size_t i = 0; reader_at(i); i++)
    if (strcmp(reader_at(i)->name, name) == 0) return reader_at(i);
  fprintf(stderr, "expected the name of a reader in NEAP_FUZZ_READER; there are:\n");
  for (size_t i = 0; reader_at(i); i++)
    fprintf(stderr, "%s %s\n", reader_at(i)->name, reader_at(i)->format);
  exit(2);
}

#ifdef NEAP_CHECKS

/*
 * The same input draws the same values.  A split plans some dozen times, and the invariants of a
 * search take long to check, so each plan is short.
 */
static void draw_knobs(const uint8_t *data, size_t size) {
  struct random random;
  uint64_t hash = size;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ data[i]) * UINT64_C(0x100000001b3);
  if (!random_init(&random, hash)) abort();
  knobs_draw(&random);
  SPLIT_PIECE_TICKS = SPLIT_WHOLE_TICKS = 1000;
  random_clear(&random);
}

#else

static void draw_knobs(const uint8_t *data, size_t size) { (void)data, (void)size; }

#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const struct reader *reader;
  if (!reader) reader = chosen();
  draw_knobs(data, size);
  const char *complaint = reader_feed(reader, (const char *)data, size);
  if (!complaint) return 0;
  fprintf(stderr, "%s: %s\n", reader->name, complaint);
  abort();
}
