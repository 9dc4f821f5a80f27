/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the example models: models NAME, to standard output; models --all DIR, those that are
 * examples; models --list.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/model.h"

enum { EXIT_SYSTEM = 1, EXIT_USAGE = 2 };

static const char usage[] = "usage: models NAME         write one model to standard output\n"
                            "       models --all DIR    write DIR/NAME.tflite of the examples\n"
                            "       models --list       name the models\n";

static int complain(const char *what) {
  fprintf(stderr, "models: ");
  perror(what);
  return EXIT_SYSTEM;
}

static int write_model(const struct model *model, FILE *stream, const char *path) {
  size_t size;
  unsigned char *bytes = model_make(model, &size);
  bool written = bytes && fwrite(bytes, 1, size, stream) == size && fflush(stream) == 0;
  free(bytes);
  return written ? EXIT_SUCCESS : complain(path);
}

static int write_file(const struct model *model, const char *folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.tflite", folder, model->name);
  FILE *stream = fopen(path, "wb");
  if (!stream) return complain(path);
  int result = write_model(model, stream, path);
  if (fclose(stream) != 0 && result == EXIT_SUCCESS) result = complain(path);
  return result;
}

/* Those after the examples are for tests. */
static int write_all(const char *folder) {
  int result = EXIT_SUCCESS;
  for (size_t i = 0; i < MODEL_EXAMPLES && result == EXIT_SUCCESS; i++)
    result = write_file(model_at(i), folder);
  return result;
}

static int list(void) {
  for (size_t i = 0; model_at(i); i++)
    printf("%-16s %s\n", model_at(i)->name, model_at(i)->summary);
  return fflush(stdout) == 0 ? EXIT_SUCCESS : complain("standard output");
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--list") == 0) return list();
  if (argc == 3 && strcmp(argv[1], "--all") == 0) return write_all(argv[2]);
  for (size_t i = 0; argc == 2 && model_at(i); i++)
    if (strcmp(model_at(i)->name, argv[1]) == 0)
      return write_model(model_at(i), stdout, "standard output");
  fputs(usage, stderr);
  return EXIT_USAGE;
}
