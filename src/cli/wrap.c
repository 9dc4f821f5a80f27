/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/wrap.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LAST_COLUMN 79

void wrap_pad(FILE *stream, int count) { fprintf(stream, "%*s", count > 0 ? count : 0, ""); }

void wrap(FILE *stream, const char *text, int column, int indent) {
  for (bool first = true;; first = false) {
    int length = (int)strcspn(text, " \n");
    bool paragraph = text[length] == '\n';
    if (!first && column + 1 + length > LAST_COLUMN) {
      fputc('\n', stream);
      wrap_pad(stream, indent);
      column = indent;
    } else if (!first && column > indent) {
      fputc(' ', stream);
      column++;
    }
    fprintf(stream, "%.*s", length, text);
    column += length;
    text += length;
    if (!*text) break;
    text += strspn(text, " \n");
    if (!paragraph) continue;
    fputs("\n\n", stream);
    wrap_pad(stream, indent);
    column = indent;
  }
  fputc('\n', stream);
}
