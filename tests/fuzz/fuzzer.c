/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The entry point of libFuzzer, in a build with --enable-fuzzers. NEAP_FUZZ_READER names the
 * reader; `make fuzz` runs all of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/readers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct reader *chosen(void) {
  const char *name = getenv("NEAP_FUZZ_READER");
  for (size_t i = 0; name && reader_at(i); i++)
    if (strcmp(reader_at(i)->name, name) == 0) return reader_at(i);
  fprintf(stderr, "expected the name of a reader in NEAP_FUZZ_READER; there are:\n");
  for (size_t i = 0; reader_at(i); i++)
    fprintf(stderr, "%s %s\n", reader_at(i)->name, reader_at(i)->format);
  exit(2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const struct reader *reader;
  if (!reader) reader = chosen();
  const char *complaint = reader_feed(reader, (const char *)data, size);
  if (!complaint) return 0;
  fprintf(stderr, "%s: %s\n", reader->name, complaint);
  abort();
}
