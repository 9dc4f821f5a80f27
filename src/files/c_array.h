/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Models as arrays of bytes in C source, as `xxd -i` and the tools of TensorFlow Lite Micro write
 * them:
 *
 *     alignas(16) const unsigned char g_model[] = {
 *         0x1c, 0x00, 0x00, 0x00, 0x54, 0x46, 0x4c, 0x33, ...};
 */
#ifndef FILES_C_ARRAY_H
#define FILES_C_ARRAY_H

#include "neap/neap-io.h"

/*
 * If the text has an array of bytes that is a TensorFlow Lite model, replaces it, which malloc()
 * made, by the bytes of the first; otherwise changes nothing.
 */
neap_status c_array_unpack(char **text, size_t *size, neap_error *error);

/*
 * Reads a file like input_read, or copies the content that a reading, which may be NULL, has of it;
 * and unpacks it.
 */
neap_status c_array_read(const char *path, const neap_reading *reading, char **text,
                         size_t *size, neap_error *error);

#endif
