/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tflite_text LINE...: prints the model of these lines (tflite_maker.h), for scripts. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/tflite_maker.h"

int main(int count, char **arguments) {
  char text[1 << 14] = "";
  size_t size, used = 0;
  for (int i = 1; i < count && used + strlen(arguments[i]) + 2 <= sizeof text; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s\n", arguments[i]);
  unsigned char *model = tflite_make(text, &size);
  const bool is_written = fwrite(model, 1, size, stdout) == size && fflush(stdout) == 0;
  free(model);
  return is_written ? 0 : 1;
}
