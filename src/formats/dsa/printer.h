/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints documents as dsa-solver does, and computes their fingerprints: keys in byte order, indented
 * by two spaces.  The caller prints the members of an object in the order of their keys.
 *
 *     struct printer printer = {.stream = stream};
 *     printer_open(&printer, NULL, '{');
 *     printer_number(&printer, "answer", 42);
 *     printer_close(&printer, '}');
 *     status = printer_finish(&printer, error);
 *     printer_clear(&printer);
 */
#ifndef FORMATS_DSA_PRINTER_H
#define FORMATS_DSA_PRINTER_H

#include <jansson.h>
#include <stdbool.h>

#include "formats/row.h"

struct printer {
  FILE *stream; /* NULL: only the fingerprint is wanted */
  struct row row;
  size_t depth;
  bool has_any; /* in the innermost list */
  bool is_started;
  uint64_t hash;
};

void printer_clear(struct printer *printer);

/* `key` is NULL for elements of an array and for the root. */
void printer_open(struct printer *printer, const char *key, char bracket);
void printer_close(struct printer *printer, char bracket);
void printer_number(struct printer *printer, const char *key, int64_t number);
void printer_string(struct printer *printer, const char *key, const char *string);
void printer_word(struct printer *printer, const char *key, const char *word); /* null, true */

/* Any value, or nothing if it is NULL; it sorts the keys itself. */
void printer_value(struct printer *printer, const char *key, const json_t *value);

/* Writes what was printed, so that it need not be stored. */
neap_status printer_flush(struct printer *printer, neap_error *error);

/* Ends the document. */
neap_status printer_finish(struct printer *printer, neap_error *error);

/*
 * The fingerprint of a finished document: the 64-bit FNV-1a hash of its text as 16 hexadecimal
 * digits.
 */
#define PRINTER_FINGERPRINT 17
void printer_fingerprint(const struct printer *printer, char text[PRINTER_FINGERPRINT]);

#endif
