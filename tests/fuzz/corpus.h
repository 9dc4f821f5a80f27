/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The seeds of fuzzers: small files of each format, and the examples. */
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
  struct seed *seeds; /* by name, a folder after the other */
  size_t count;
};

/*
 * Adds the files in `folder`, of the source folder, whose name ends so ("" is all) and that are of
 * up to `most` bytes; begin with a zeroed struct.
 */
void corpus_load(struct corpus *corpus, const char *folder, const char *ending, size_t most);
bool corpus_has(const char *folder, const char *ending);
void corpus_clear(struct corpus *corpus);

/*
 * A copy of a seed with some damage, in *bytes, released with free(); returns its size.  `number`
 * is all that it depends on.
 */
size_t corpus_damage(const struct corpus *corpus, size_t number, char **bytes);

#endif
