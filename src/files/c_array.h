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
 * Replaces a text that contains TensorFlow Lite models as byte arrays with the bytes of the first
 * such model; leaves any other text unchanged.  *text comes from malloc().
 */
neap_status c_array_unpack(char **text, size_t *size, neap_error *error);

/*
 * Reads a file like input_read, or copies reading->content if that is set (`reading` may be NULL);
 * then unpacks the text.
 */
neap_status c_array_read(const char *path, const neap_reading *reading, char **text,
                         size_t *size, neap_error *error);

#endif
