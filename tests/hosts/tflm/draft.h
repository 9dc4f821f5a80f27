/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model's text while a program makes it up (tests/support/tflite_maker.h). */
#ifndef TESTS_TFLM_DRAFT_H
#define TESTS_TFLM_DRAFT_H

struct draft {
  char tensors[1 << 16], operators[1 << 14];
  unsigned state; /* of draft_roll */
};

/* Begins an empty draft. */
void draft_init(struct draft *draft, unsigned seed);

/* A random number below `count`, the same on every machine. */
unsigned draft_roll(struct draft *draft, unsigned count);

/* Append lines. */
__attribute__((format(printf, 2, 3))) void draft_tensor(struct draft *draft, const char *format,
                                                        ...);
__attribute__((format(printf, 2, 3))) void draft_operator(struct draft *draft,
                                                          const char *format, ...);

/* Writes the model. */
void draft_write(struct draft *draft, const char *path);

#endif
