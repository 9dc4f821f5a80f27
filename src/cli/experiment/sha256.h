/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-256 (FIPS 180-4) of a text, which names a certificate. */
#ifndef CLI_EXPERIMENT_SHA256_H
#define CLI_EXPERIMENT_SHA256_H

#include <stddef.h>

#define SHA256_TEXT 65

/* Writes the digest in hexadecimal and returns it. */
const char *sha256_text(const char *data, size_t size, char text[SHA256_TEXT]);

#endif
