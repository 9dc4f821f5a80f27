// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a model.
#ifndef NEAP_TESTS_TFLM_MODEL_FILE_H
#define NEAP_TESTS_TFLM_MODEL_FILE_H

#include <cstdint>
#include <cstdio>
#include <vector>

// The file in words, which are aligned as the model's tables expect; none if it cannot be read.
inline std::vector<uint64_t> ReadFile(const char *path) {
  std::vector<uint64_t> words;
  FILE *file = fopen(path, "rb");
  if (!file) return words;
  for (uint64_t word = 0; fread(&word, 1, sizeof word, file) > 0; word = 0) words.push_back(word);
  fclose(file);
  return words;
}

#endif
