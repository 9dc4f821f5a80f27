/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * No library that neap links computes it.  A new one (libmd, nettle) would have to be built into
 * wheels, the static program and WebAssembly as well, for the 60 lines below, which do not change
 * and which a test compares with sha256sum.
 */
#include "cli/experiment/outcome.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64, WORDS = 8 };

/* The first 32 bits of the fractions of the cube roots of the first 64 primes. */
static const uint32_t constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};

static uint32_t rotate(uint32_t word, int count) {
  return word >> count | word << (32 - count);
}

static void expand(const unsigned char *block, uint32_t schedule[ROUNDS]) {
  for (int i = 0; i < 16; i++, block += 4)
    schedule[i] = (uint32_t)block[0] << 24 | (uint32_t)block[1] << 16 |
                  (uint32_t)block[2] << 8 | block[3];
  for (int i = 16; i < ROUNDS; i++) {
    uint32_t early = schedule[i - 15], late = schedule[i - 2];
    schedule[i] = schedule[i - 16] + schedule[i - 7] +
                  (rotate(early, 7) ^ rotate(early, 18) ^ early >> 3) +
                  (rotate(late, 17) ^ rotate(late, 19) ^ late >> 10);
  }
}

static void add_block(uint32_t state[WORDS], const unsigned char *block) {
  uint32_t schedule[ROUNDS], s[WORDS];
  expand(block, schedule);
  memcpy(s, state, sizeof s);
  for (int i = 0; i < ROUNDS; i++) {
    uint32_t chosen = (s[4] & s[5]) ^ (~s[4] & s[6]);
    uint32_t most = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    uint32_t one = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) + chosen +
                   constants[i] + schedule[i];
    uint32_t other = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) + most;
    memmove(s + 1, s, (WORDS - 1) * sizeof *s);
    s[4] += one;
    s[0] = one + other;
  }
  for (int i = 0; i < WORDS; i++)
    state[i] += s[i];
}

const char *sha256_text(const char *data, size_t size, char text[SHA256_TEXT]) {
  uint32_t state[WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                           0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const unsigned char *bytes = (const unsigned char *)data;
  unsigned char last[2 * BLOCK] = {0};
  size_t rest = size % BLOCK, end = rest < BLOCK - 8 ? BLOCK : 2 * BLOCK;
  for (size_t at = 0; at + BLOCK <= size; at += BLOCK)
    add_block(state, bytes + at);
  if (rest > 0) memcpy(last, bytes + size - rest, rest);
  last[rest] = 0x80; /* then zeroes, and the number of bits in eight bytes */
  for (int i = 0; i < 8; i++)
    last[end - 1 - (size_t)i] = (unsigned char)((uint64_t)size * 8 >> 8 * i);
  for (size_t at = 0; at < end; at += BLOCK)
    add_block(state, last + at);
  for (int i = 0; i < WORDS; i++)
    snprintf(text + 8 * i, 9, "%08x", (unsigned)state[i]);
  return text;
}
