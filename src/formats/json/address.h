/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Addresses as JSON: strings such as "0x20000000", as numbers of 64 bits are not portable. */
#ifndef FORMATS_JSON_ADDRESS_H
#define FORMATS_JSON_ADDRESS_H

#include "formats/json/json.h"
#include "formats/row.h"

/* Reads "0x" and up to 16 digits. */
neap_status json_address_read(const struct json_at *at, uint64_t *address, neap_error *error);

void json_address_append(uint64_t address, struct row *row);

#endif
