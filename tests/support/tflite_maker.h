/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TensorFlow Lite models for tests, encoded from lines of text:
 *
 *     tensor x float32[?1,8]        of the present subgraph; ?: its shape_signature has -1
 *     constant w int8[4]            its data are in the model
 *     constant axes int32[2] : 1 2  these data, which are of int32
 *     variable v int8[16]
 *     tensor q int8[4] scales 1 -128 256   quantised: how many scales, their zero point (0 without
 *                                          numbers), what each is one of (1), and their dimension
 *     inputs x -                    of the present subgraph; "-" for one that is not there
 *     outputs y
 *     ADD x w -> y                  an operator; "-" as above
 *     WHILE x -> y : 1 2            and the fields of its options: the subgraphs that it calls,
 *     CONV_2D x w -> y : 0 2 2      or padding, horizontal and vertical stride
 *     SQUEEZE x -> y : 0 2          or a list of them,
 *     VAR_HANDLE -> h : 0 1         or names, as numbers: its container and its own
 *     custom ethos-u x -> y         an operator of that name
 *     custom Filter x -> y : a 1 b 2   with options, in the order of their names
 *     subgraph                      begins the next subgraph
 *     plan 1 2 : 0 16 -1            an offline memory plan: two numbers, and the offsets
 *     note OTHER : 0 16             metadata of another name
 *
 * Types: float32 int32 uint8 string bool int16 int8 resource variant int4 int64 uint64 uint32.
 */
#ifndef SUPPORT_TFLITE_MAKER_H
#define SUPPORT_TFLITE_MAKER_H

#include <stddef.h>

/* The *size bytes are released with free(). */
unsigned char *tflite_make(const char *text, size_t *size);

/* Writes the model to a file. */
void tflite_make_file(const char *text, const char *path);

#endif
