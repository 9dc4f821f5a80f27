/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Documents as dsa-solver prints them, which is what their fingerprints are made of. */
#ifndef FORMATS_DSA_CANONICAL_H
#define FORMATS_DSA_CANONICAL_H

#include <jansson.h>

#include "formats/row.h"

/*
 * Appends a document with its keys in byte order, indented by two spaces, ending in a newline.
 * Optional keys that are empty have to be removed, and missing ones added, before.
 */
void canonical_append(const json_t *root, struct row *row);

/* The fingerprint of a document as canonical_append writes it: 16 hexadecimal digits. */
#define CANONICAL_FINGERPRINT 17
const char *canonical_fingerprint(const char *text, size_t size,
                                  char fingerprint[CANONICAL_FINGERPRINT]);

#endif
