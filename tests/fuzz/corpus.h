/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The seeds of fuzzers: small files of each format, and the examples. */
#ifndef FUZZ_CORPUS_H
#define FUZZ_CORPUS_H

#include <stddef.h>

struct seed {
  char name[256];
  char *bytes;
  size_t size;
};

struct corpus {
  struct seed *seeds; /* by name */
  size_t count;
};

/*
 * The files in `folder`, of the source folder, whose name ends so ("" is all); the case fails when
 * there are none.
 */
void corpus_load(struct corpus *corpus, const char *folder, const char *ending);
void corpus_clear(struct corpus *corpus);

/*
 * A copy of a seed with some damage, in *bytes, released with free(); returns its size.  `number`
 * is all that it depends on.
 */
size_t corpus_damage(const struct corpus *corpus, size_t number, char **bytes);

#endif
