/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The seeds of the fuzzers: small files of each format, and the examples. */
#ifndef FUZZ_CORPUS_H
#define FUZZ_CORPUS_H

#include <stdbool.h>
#include <stddef.h>

struct seed {
  char name[256];
  char *bytes;
  size_t size;
};

struct corpus {
  struct seed *seeds; /* by name, one folder after another */
  size_t count;
};

/*
 * Adds the files of up to `most` bytes in `folder`, relative to the source, whose names have
 * this ending ("": all). Initialise with zeroes.
 */
void corpus_load(struct corpus *corpus, const char *folder, const char *ending, size_t most);
bool corpus_has(const char *folder, const char *ending);
void corpus_clear(struct corpus *corpus);

/*
 * Copies a seed and damages the copy; returns its size. *bytes is released with free(). The
 * damage depends on `number` only.
 */
size_t corpus_damage(const struct corpus *corpus, size_t number, char **bytes);

#endif
