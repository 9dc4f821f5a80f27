/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that move blocks of pixels into channels and back. */
#include <inttypes.h>

#include "core/checked.h"
#include "models/onnx/infer.h"
#include "models/onnx/rules/rules.h"

/* Blocks of pixels become channels, or with detail 1, the other way round. */
static bool move_blocks(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input_of_rank(infer, 0, 4);
  int64_t block = onnx_attribute_integer(infer, "blocksize", 0), area, rows, columns;
  if (!data) return false;
  if (block < 1 || !checked_mul(block, block, &area))
    return onnx_fail(infer, "expected a blocksize of at least 1, found %" PRId64, block);
  struct onnx_shape *output = onnx_output_like(infer, 0, data->type, data);
  const int64_t *dims = data->dims;
  if (infer->rule->detail) {
    if (dims[1] % area != 0 || !checked_mul(dims[2], block, &rows) ||
        !checked_mul(dims[3], block, &columns))
      return onnx_fail(infer, "the channels do not divide into blocks");
    output->dims[1] = dims[1] / area;
  } else {
    if (dims[2] % block != 0 || dims[3] % block != 0 ||
        !checked_mul(dims[1], area, &output->dims[1]))
      return onnx_fail(infer, "the image does not divide into blocks");
    rows = dims[2] / block;
    columns = dims[3] / block;
  }
  output->dims[2] = rows;
  output->dims[3] = columns;
  return true;
}

const struct onnx_rule onnx_rules_blocks[] = {
    {.name = "DepthToSpace", .shape = move_blocks, .detail = 1},
    {.name = "SpaceToDepth", .shape = move_blocks},
    {.name = NULL},
};
