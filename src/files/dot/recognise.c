/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>
#include <strings.h>

#include "files/dot/graph.h"

bool dot_graph_is(const char *text, size_t size, const neap_reading *reading) {
  (void)reading;
  static const char *const words[] = {"strict", "digraph", "graph"};
  size_t at = 0;
  for (;;) {
    while (at < size && text[at] && strchr(" \t\r\n", text[at]))
      at++;
    bool is_comment = at + 1 < size && text[at] == '/' && text[at + 1] == '/';
    if (!is_comment && !(at < size && text[at] == '#')) break;
    while (at < size && text[at] != '\n')
      at++;
  }
  if (at + 1 < size && text[at] == '/' && text[at + 1] == '*') return true;
  for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
    size_t length = strlen(words[w]);
    if (size - at > length && strncasecmp(text + at, words[w], length) == 0 &&
        strchr(" \t\r\n{\"/", text[at + length]))
      return true;
  }
  return false;
}
