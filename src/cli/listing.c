/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/listing.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

void listing_begin(struct listing *listing) {
  listing->text = NULL;
  listing->stream = open_memstream(&listing->text, &listing->size);
}

void listing_add(struct listing *listing, const char *before, const char *word) {
  if (!listing->stream) return;
  fputs(before, listing->stream);
  fputs(word, listing->stream);
}

char *listing_end(struct listing *listing) {
  if (!listing->stream) return NULL;
  bool failed = ferror(listing->stream) != 0;
  if (fclose(listing->stream) == 0 && !failed) return listing->text;
  free(listing->text);
  return NULL;
}

char *listing_join(const char *const *words, size_t count, const char *last) {
  struct listing listing;
  listing_begin(&listing);
  for (size_t i = 0; i < count; i++)
    listing_add(&listing, i == 0 ? "" : i + 1 == count ? last : ", ", words[i]);
  return listing_end(&listing);
}
