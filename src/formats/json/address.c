/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/json/address.h"

#include <string.h>

#include "core/text.h"

static bool parse_address(const char *text, uint64_t *address) {
  static const char digits[] = "0123456789abcdef0123456789ABCDEF";
  size_t length = strlen(text);
  if (strncmp(text, "0x", 2) != 0 || length < 3 || length > 18) return false;
  *address = 0;
  for (const char *at = text + 2; *at; at++) {
    const char *digit = strchr(digits, *at);
    if (!digit) return false;
    *address = *address << 4 | (uint64_t)(digit - digits) % 16;
  }
  return true;
}

neap_status json_address_read(const struct json_at *at, uint64_t *address, neap_error *error) {
  const char *text;
  neap_status status = json_read_string(at, &text, error);
  if (status != NEAP_OK || parse_address(text, address)) return status;
  char excerpt[TEXT_EXCERPT];
  return json_blame(at, error, "expected an address such as \"0x20000000\", found %s",
                    text_excerpt(excerpt, text, strlen(text)));
}

void json_address_append(uint64_t address, struct row *row) {
  row_char(row, '"');
  row_hex(row, address);
  row_char(row, '"');
}
