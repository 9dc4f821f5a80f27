/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The outputs of ONNX operators: shapes derived by hand from the operators' public
 * specifications.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/onnx/onnx.h"
#include "models/onnx/shapes.h"
#include "tests/support/onnx_maker.h"
#include "tests/support/sample.h"

/*
 * Inputs with braces are constants. `makes` lists the outputs or, after a !, words of the
 * error. Values computed from constants only may stay unknown, "?", until they are needed.
 */
struct row {
  int opset;
  const char *type, *attributes, *inputs, *makes;
};

static const struct row window_rows[] = {
    {17, "Conv", "", "float[1,3,8,9] float[4,3,3,3]", "float[1,4,6,7]"},
    {17, "Conv", "pads=[1,1,1,1] strides=[2,2]", "float[2,3,8,9] float[4,3,3,3] float[4]",
     "float[2,4,4,5]"},
    {17, "Conv", "dilations=[2,3] kernel_shape=[3,3]", "float[1,3,8,9] float[4,3,3,3]",
     "float[1,4,4,3]"},
    {17, "Conv", "auto_pad='SAME_UPPER' strides=[2,2]", "float[1,3,7,8] float[4,3,3,3]",
     "float[1,4,4,4]"},
    {17, "Conv", "auto_pad='SAME_LOWER' strides=[3,3]", "float[1,3,7,9] float[4,3,3,3]",
     "float[1,4,3,3]"},
    {17, "Conv", "auto_pad='VALID' strides=[2,2]", "float[1,3,7,8] float[4,3,3,3]",
     "float[1,4,3,3]"},
    {17, "Conv", "group=3 pads=[0,1,2,3]", "float[1,3,8,9] float[6,1,3,5]", "float[1,6,8,9]"},
    {17, "Conv", "", "float16[1,2,10] float16[5,2,4]", "float16[1,5,7]"},
    {17, "Conv", "", "float[1,2,5,6,7] float[8,2,2,2,2]", "float[1,8,4,5,6]"},
    {17, "Conv", "", "float[1,3,2,2] float[4,3,3,3]", "!larger"},
    {17, "Conv", "", "float[1,3,8,8] float[4,3,3]", "!dimensions"},
    {17, "Conv", "strides=[0,1]", "float[1,3,8,8] float[4,3,3,3]", "!strides"},
    {17, "Conv", "strides=[1]", "float[1,3,8,8] float[4,3,3,3]", "!strides"},
    {17, "Conv", "dilations=[2147483648,1]", "float[1,3,8,8] float[4,3,3,3]", "!large"},
    {17, "ConvInteger", "", "uint8[1,3,8,8] uint8[4,3,3,3]", "int32[1,4,6,6]"},
    {17, "QLinearConv", "", "uint8[1,3,8,8] float uint8 uint8[4,3,3,3] float uint8 float int8",
     "int8[1,4,6,6]"},
    {17, "ConvTranspose", "", "float[1,3,4,5] float[3,6,3,3]", "float[1,6,6,7]"},
    {17, "ConvTranspose", "strides=[2,2] pads=[1,1,1,1] output_padding=[1,0] group=2",
     "float[1,4,4,5] float[4,3,3,3]", "float[1,6,8,9]"},
    {17, "ConvTranspose", "strides=[2,2] output_shape=[9,11]", "float[1,3,4,5] float[3,6,3,3]",
     "float[1,6,9,11]"},
    {17, "ConvTranspose", "strides=[2,3] auto_pad='SAME_UPPER'",
     "float[1,3,4,5] float[3,6,3,3]", "float[1,6,8,15]"},
    {17, "MaxPool", "kernel_shape=[2,2] strides=[2,2]", "float[1,3,9,8]", "float[1,3,4,4]"},
    {17, "MaxPool", "kernel_shape=[2,2] strides=[2,2] ceil_mode=1", "float[1,3,9,8]",
     "float[1,3,5,4]"},
    /* A window that would start in the padding after the image is dropped. */
    {17, "MaxPool", "kernel_shape=[1] strides=[2] pads=[0,2] ceil_mode=1", "float[1,1,3]",
     "float[1,1,2]"},
    {17, "MaxPool", "kernel_shape=[3,3] strides=[2,2] pads=[1,1,1,1]", "float[1,3,9,8]",
     "float[1,3,5,4] int64[1,3,5,4]"},
    {17, "MaxPool", "kernel_shape=[2,2] dilations=[3,1]", "float[1,3,9,8]", "float[1,3,6,7]"},
    {17, "MaxPool", "", "float[1,3,9,8]", "!window"},
    {17, "AveragePool", "kernel_shape=[3,2] auto_pad='SAME_UPPER' strides=[2,2]",
     "float[1,3,9,8]", "float[1,3,5,4]"},
    {17, "LpPool", "kernel_shape=[3]", "double[1,3,9]", "double[1,3,7]"},
    {17, "GlobalAveragePool", "", "float[2,3,9,8]", "float[2,3,1,1]"},
    {17, "GlobalMaxPool", "", "float[2,3,9]", "float[2,3,1]"},
    {17, "GlobalLpPool", "", "float[2,3,4,5,6]", "float[2,3,1,1,1]"},
    {17, "MaxRoiPool", "pooled_shape=[6,7]", "float[1,3,9,8] float[5,5]", "float[5,3,6,7]"},
    {17, "RoiAlign", "output_height=2 output_width=4", "float[1,3,9,8] float[5,4] int64[5]",
     "float[5,3,2,4]"},
};

static const struct row element_rows[] = {
    {17, "Relu", "", "float[2,3]", "float[2,3]"},
    {17, "Sigmoid", "", "float16[]", "float16[]"},
    {17, "IsNaN", "", "float[2,3]", "bool[2,3]"},
    {17, "Not", "", "bool[7]", "bool[7]"},
    {17, "Clip", "", "float[2,3] float float", "float[2,3]"},
    {17, "PRelu", "", "float[2,3,4] float[3,1]", "float[2,3,4]"},
    {17, "Add", "", "float[2,1,4] float[3,1]", "float[2,3,4]"},
    {17, "Sub", "", "int32[5] int32", "int32[5]"},
    {17, "Mul", "", "float[1] float[2,3,0]", "float[2,3,0]"},
    {17, "Add", "", "float[2,3] float[2]", "!do not broadcast"},
    {6, "Add", "broadcast=1 axis=0", "float[2,3] float[2]", "float[2,3]"},
    {17, "Pow", "", "float[4] float[1]", "float[4]"},
    {17, "Equal", "", "int64[4,1] int64[3]", "bool[4,3]"},
    {17, "LessOrEqual", "", "float[4] float[4]", "bool[4]"},
    {17, "And", "", "bool[2,2] bool[2]", "bool[2,2]"},
    {17, "BitShift", "", "uint8[4] uint8[4]", "uint8[4]"},
    {17, "Sum", "", "float[4] float[3,1] float[2,1,1]", "float[2,3,4]"},
    {17, "Max", "", "float[4]", "float[4]"},
    {17, "Mean", "", "float[4] float[2,4]", "float[2,4]"},
    {17, "Where", "", "bool[3,1] float16[4] float16[]", "float16[3,4]"},
    {17, "Cast", "to=7", "float[2,3]", "int64[2,3]"},
    {17, "Cast", "", "float[2,3]", "!type"},
    {17, "CastLike", "", "float[2,3] float16[1]", "float16[2,3]"},
    {17, "Softmax", "axis=1", "float[2,3]", "float[2,3]"},
    {17, "LogSoftmax", "", "float[2,3]", "float[2,3]"},
    {17, "Hardmax", "", "float[2,3]", "float[2,3]"},
    {17, "LRN", "size=5", "float[1,8,2,2]", "float[1,8,2,2]"},
    {17, "CumSum", "", "float[2,3] int64[]", "float[2,3]"},
    {17, "Dropout", "", "float16[2,3]", "float16[2,3] bool[2,3]"},
    {9, "Dropout", "", "float16[2,3]", "float16[2,3] float16[2,3]"},
    {17, "BatchNormalization", "", "float[2,3,4] float[3] float[3] float[3] float[3]",
     "float[2,3,4]"},
    {17, "BatchNormalization", "training_mode=1",
     "float16[2,3,4] float16[3] float16[3] float[3] float[3]",
     "float16[2,3,4] float[3] float[3]"},
    {17, "InstanceNormalization", "", "float[2,3,4] float[3] float[3]", "float[2,3,4]"},
    {17, "LayerNormalization", "axis=-2", "float16[2,3,4] float16[3,4]",
     "float16[2,3,4] float[2,1,1] float[2,1,1]"},
    {17, "LayerNormalization", "axis=3", "float[2,3,4] float[4]", "!axis"},
    {17, "QuantizeLinear", "", "float[2,3] float", "uint8[2,3]"},
    {17, "QuantizeLinear", "", "float[2,3] float int8", "int8[2,3]"},
    {17, "DequantizeLinear", "", "int8[2,3] float int8", "float[2,3]"},
    {19, "DequantizeLinear", "", "int8[2,3] float16 int8", "float16[2,3]"},
    {17, "DynamicQuantizeLinear", "", "float[2,3]", "uint8[2,3] float[] uint8[]"},
    {17, "RandomNormalLike", "dtype=11", "float[2,3]", "double[2,3]"},
    {17, "EyeLike", "", "int32[3,3]", "int32[3,3]"},
    {17, "Trilu", "", "int4[3,3]", "int4[3,3]"},
};

static const struct row matrix_rows[] = {
    {17, "Gemm", "", "float[2,3] float[3,4]", "float[2,4]"},
    {17, "Gemm", "transA=1 transB=1", "float[3,2] float[4,3] float[4]", "float[2,4]"},
    {17, "Gemm", "", "float[2,3] float[4,3]", "!cannot be multiplied"},
    {17, "Gemm", "", "float[2,3,1] float[3]", "!dimensions"},
    {17, "MatMul", "", "float[2,3] float[3,4]", "float[2,4]"},
    {17, "MatMul", "", "float[5,1,2,3] float[6,3,4]", "float[5,6,2,4]"},
    {17, "MatMul", "", "float[3] float[6,3,4]", "float[6,4]"},
    {17, "MatMul", "", "float[6,2,3] float[3]", "float[6,2]"},
    {17, "MatMul", "", "float[3] float[3]", "float[]"},
    {17, "MatMul", "", "float[2,3] float[2,3]", "!cannot be multiplied"},
    {17, "MatMul", "", "float[] float[2,3]", "!dimensions"},
    {17, "MatMulInteger", "", "uint8[2,3] int8[3,4] uint8 int8", "int32[2,4]"},
    {17, "QLinearMatMul", "", "uint8[2,3] float uint8 uint8[3,4] float uint8 float int8",
     "int8[2,4]"},
    {17, "Einsum", "equation='bij,bjk->bik'", "float[5,2,3] float[5,3,4]", "float[5,2,4]"},
    {17, "Einsum", "equation='ij->ji'", "float[2,3]", "float[3,2]"},
    {17, "Einsum", "equation='kj,ji'", "float[2,3] float[3,4]", "float[4,2]"},
    {17, "Einsum", "equation='...ij,...jk->...ik'", "float[7,1,2,3] float[5,3,4]",
     "float[7,5,2,4]"},
    {17, "Einsum", "equation='i,i->'", "float[4] float[4]", "float[]"},
    {17, "Einsum", "equation='ij,jk->ix'", "float[2,3] float[3,4]", "!in no input"},
    {17, "Einsum", "equation='ij,jk->ik'", "float[2,3] float[4,4]", "!j is"},
    {17, "Einsum", "equation='ijk->i'", "float[2,3]", "!more letters"},
    {17, "Einsum", "equation='i->i'", "float[2,3]", "!fewer letters"},
    {17, "Einsum", "equation='ij->i7'", "float[2,3]", "!malformed"},
    {17, "Det", "", "float[5,3,3]", "float[5]"},
};

static const struct row layout_rows[] = {
    {17, "Reshape", "", "float[2,3,4] int64[2]{6,-1}", "float[6,4]"},
    {17, "Reshape", "", "float[2,3,4] int64[3]{0,-1,2}", "float[2,6,2]"},
    {17, "Reshape", "allowzero=1", "float[2,0] int64[2]{0,7}", "float[0,7]"},
    {17, "Reshape", "", "float[2,0] int64[2]{0,0}", "float[2,0]"},
    {17, "Reshape", "", "float[1] int64[0]{}", "float[]"},
    {4, "Reshape", "shape=[4,-1]", "float[2,6]", "float[4,3]"},
    {17, "Reshape", "", "float[2,3] int64[1]{4}", "!do not fit"},
    {17, "Reshape", "", "float[2,3] int64[2]{-1,-1}", "!dimension 1"},
    {17, "Reshape", "", "float[2,3] int64[1]{-2}", "!dimension 0"},
    {17, "Reshape", "", "float[2,3] int64[3]{2,3,0}", "!copy"},
    {17, "Reshape", "", "float[2,3] int64[2]", "!unknown"},
    {17, "Reshape", "", "float[2,3] float[1]{6}", "!integers"},
    {17, "Reshape", "", "float[2,3] int64[3]{4294967296,4294967296,-1}", "!too many"},
    {17, "Flatten", "", "float[2,3,4]", "float[2,12]"},
    {17, "Flatten", "axis=0", "float[2,3,4]", "float[1,24]"},
    {17, "Flatten", "axis=-1", "float[2,3,4]", "float[6,4]"},
    {17, "Flatten", "axis=4", "float[2,3,4]", "!axis"},
    {17, "Squeeze", "", "float[1,3,1]", "float[3]"},
    {17, "Squeeze", "", "float[1,3,1] int64[1]{-1}", "float[1,3]"},
    {11, "Squeeze", "axes=[0]", "float[1,3,1]", "float[3,1]"},
    {17, "Squeeze", "", "float[1,3,1] int64[1]{1}", "!not 1"},
    {17, "Unsqueeze", "", "float[2,3] int64[2]{0,-1}", "float[1,2,3,1]"},
    {11, "Unsqueeze", "axes=[1]", "float[2,3]", "float[2,1,3]"},
    {17, "Unsqueeze", "", "float[2,3] int64[2]{0,0}", "!duplicate"},
    {17, "Identity", "", "float[2,3]", "float[2,3]"},
    {17, "Transpose", "", "float[2,3,4]", "float[4,3,2]"},
    {17, "Transpose", "perm=[1,2,0]", "float[2,3,4]", "float[3,4,2]"},
    {17, "Transpose", "perm=[1,1,0]", "float[2,3,4]", "!duplicate"},
    {17, "Transpose", "perm=[1,0]", "float[2,3,4]", "!perm"},
    {17, "Expand", "", "float[3,1] int64[3]{2,1,4}", "float[2,3,4]"},
    {17, "Expand", "", "float[3,1] int64[1]{-4}", "!negative"},
    {17, "Tile", "", "float[3,1] int64[2]{2,4}", "float[6,4]"},
    {17, "Tile", "", "float[3,1] int64[2]{2,-4}", "!would be"},
    {17, "Tile", "", "float[3,1] int64[1]{2}", "!repeats"},
    {17, "Concat", "axis=1", "float[2,3] float[2,4] float[2,0]", "float[2,7]"},
    {17, "Concat", "axis=-2", "float[2,3] float[5,3]", "float[7,3]"},
    {17, "Concat", "axis=1", "float[2,3] float[3,3]", "!dimension 0"},
    {17, "Concat", "axis=2", "float[2,3] float[2,3]", "!axis"},
    {17, "DepthToSpace", "blocksize=2", "float[1,8,3,4]", "float[1,2,6,8]"},
    {17, "SpaceToDepth", "blocksize=2", "float[1,2,6,8]", "float[1,8,3,4]"},
    {17, "DepthToSpace", "blocksize=3", "float[1,8,3,4]", "!blocks"},
};

static const struct row slice_rows[] = {
    {17, "Slice", "", "float[10,9] int64[1]{2} int64[1]{7}", "float[5,9]"},
    {17, "Slice", "", "float[10,9] int64[1]{-3} int64[1]{100} int64[1]{-1}", "float[10,3]"},
    {17, "Slice", "", "float[10,9] int64[1]{1} int64[1]{9} int64[1]{0} int64[1]{3}",
     "float[3,9]"},
    {17, "Slice", "",
     "float[10] int64[1]{9} int64[1]{-9223372036854775808} int64[1]{0} int64[1]{-4}",
     "float[3]"},
    {17, "Slice", "", "float[10] int64[1]{5} int64[1]{2}", "float[0]"},
    {17, "Slice", "", "float[0] int64[1]{5} int64[1]{-7} int64[1]{0} int64[1]{-1}", "float[0]"},
    {17, "Slice", "", "float[9] int64[1]{0} int64[1]{9223372036854775807}", "float[9]"},
    {9, "Slice", "starts=[1,0] ends=[3,-1] axes=[1,0]", "float[10,9]", "float[9,2]"},
    {17, "Slice", "", "float[9] int64[1]{0} int64[1]{9} int64[1]{0} int64[1]{0}", "!step"},
    {17, "Slice", "", "float[9] int64[2]{0,1} int64[1]{9}", "!differ in length"},
    {17, "Slice", "", "float[9] int64[1] int64[1]{9}", "!unknown"},
    {11, "Split", "axis=1 split=[1,3]", "float[2,4]", "float[2,1] float[2,3]"},
    {17, "Split", "axis=-1", "float[2,4] int64[2]{3,1}", "float[2,3] float[2,1]"},
    {17, "Split", "", "float[7,2]", "float[3,2] float[3,2] float[1,2]"},
    {17, "Split", "", "float[7,2] int64[2]{3,3}", "!split lengths sum to"},
    {17, "Split", "", "float[7,2] int64[3]{3,3,1}", "!lengths"},
    {17, "Pad", "", "float[2,3] int64[4]{0,1,2,3}", "float[4,7]"},
    {10, "Pad", "pads=[0,1,2,-3]", "float[2,3]", "float[4,1]"},
    {18, "Pad", "", "float[2,3] int64[2]{1,1} float{0} int64[1]{-1}", "float[2,5]"},
    {17, "Pad", "", "float[2,3] int64[3]{0,1,2}", "!pads"},
    {17, "Pad", "", "float[2,3] int64[4]{-9,0,0,0}", "!would be"},
    {18, "CenterCropPad", "axes=[1]", "float[2,3] int64[1]{8}", "float[2,8]"},
    {17, "Resize", "", "float[1,3,4,5] - float[4]{1,1,2,2.5}", "float[1,3,8,12]"},
    {17, "Resize", "", "float[1,3,4,5] - - int64[4]{1,3,7,9}", "float[1,3,7,9]"},
    {17, "Resize", "", "float[1,3,4,5] float[0]{} float[0]{} int64[4]{1,3,7,9}",
     "float[1,3,7,9]"},
    {10, "Resize", "", "float[1,3,4,5] float[4]{1,1,0.5,2}", "float[1,3,2,10]"},
    /* With floats, 3.3333333 times 3 is 10. */
    {17, "Resize", "", "float[3] - float[1]{3.33333333}", "float[10]"},
    {18, "Resize", "axes=[2,3] keep_aspect_ratio_policy='not_larger'",
     "float[1,3,4,8] - - int64[2]{8,8}", "float[1,3,4,8]"},
    {18, "Resize", "axes=[2,3] keep_aspect_ratio_policy='not_smaller'",
     "float[1,3,4,8] - - int64[2]{8,8}", "float[1,3,8,16]"},
    {17, "Resize", "", "float[1,3,4,5] - float[3]{1,1,2}", "!scale"},
    {17, "Resize", "", "float[1,3,4,5] - float[4]{1,1,2,-1}", "!out of range"},
    {17, "Resize", "", "float[1,3,4,5] - float[4]", "!unknown"},
    {9, "Upsample", "", "float[1,3,4,5] float[4]{1,1,2,3}", "float[1,3,8,15]"},
    {7, "Upsample", "scales=[1.0f,1.0f,2.0f,2.0f]", "float[1,3,4,5]", "float[1,3,8,10]"},
    {1, "Upsample", "height_scale=2.0f width_scale=3.0f", "float[1,3,4,5]", "float[1,3,8,15]"},
    {17, "GridSample", "", "float[1,3,4,5] float[1,6,7,2]", "float[1,3,6,7]"},
};

static const struct row gather_rows[] = {
    {17, "Gather", "axis=1", "float[2,3,4] int64[5,6]", "float[2,5,6,4]"},
    {17, "Gather", "", "float[2,3] int64[]", "float[3]"},
    {17, "Gather", "axis=3", "float[2,3] int64[]", "!axis"},
    {17, "GatherElements", "axis=1", "float[2,3] int64[2,7]", "float[2,7]"},
    {17, "GatherND", "", "float[2,3,4] int64[5,2]", "float[5,4]"},
    {17, "GatherND", "batch_dims=1", "float[2,3,4] int64[2,1]", "float[2,4]"},
    {17, "GatherND", "", "float[2,3] int64[5,3]", "!do not fit"},
    {17, "ScatterND", "", "float[2,3] int64[5,2] float[5]", "float[2,3]"},
    {17, "ScatterElements", "", "float[2,3] int64[1,1] float[1,1]", "float[2,3]"},
    {17, "TopK", "axis=0", "float[5,3] int64[1]{2}", "float[2,3] int64[2,3]"},
    {9, "TopK", "k=4", "float[2,7]", "float[2,4] int64[2,4]"},
    {17, "TopK", "", "float[2,7] int64[1]{8}", "!up to 7"},
    {17, "OneHot", "", "int64[2,3] int64{10} float[2]", "float[2,3,10]"},
    {17, "OneHot", "axis=0", "int64[2,3] float[1]{4} int8[2]", "int8[4,2,3]"},
    {17, "OneHot", "", "int64[2,3] int64 int8[2]", "!unknown"},
    {17, "ReduceMean", "axes=[1]", "float[2,3,4]", "float[2,1,4]"},
    {17, "ReduceMax", "axes=[-1,0] keepdims=0", "float[2,3,4]", "float[3]"},
    {17, "ReduceL2", "", "float[2,3]", "float[1,1]"},
    {17, "ReduceSum", "keepdims=0", "float[2,3] int64[1]{0}", "float[3]"},
    {17, "NegativeLogLikelihoodLoss", "", "float[2,5,3] int64[2,3]", "float[]"},
    {17, "NegativeLogLikelihoodLoss", "reduction='none'", "float[2,5,3] int64[2,3] float[5]",
     "float[2,3]"},
    {17, "SoftmaxCrossEntropyLoss", "reduction='sum'", "float[2,5] int64[2]",
     "float[] float[2,5]"},
    {17, "ReduceSum", "noop_with_empty_axes=1", "float[2,3]", "float[2,3]"},
    {18, "ReduceProd", "", "float[2,3] int64[1]{2}", "!axis"},
    {17, "ArgMax", "axis=1", "float[2,3,4]", "int64[2,1,4]"},
    {17, "ArgMin", "keepdims=0", "float[2,3,4]", "int64[3,4]"},
    {17, "LSTM", "hidden_size=6", "float[7,2,3] float[1,24,3] float[1,24,6]",
     "float[7,1,2,6] float[1,2,6] float[1,2,6]"},
    {17, "GRU", "hidden_size=6 direction='bidirectional' layout=1",
     "float[2,7,3] float[2,18,3] float[2,18,6]", "float[2,7,2,6] float[2,2,6]"},
    {17, "RNN", "", "float[7,2,3] float[1,6,3] float[1,6,6]", "float[7,1,2,6] float[1,2,6]"},
    {17, "LSTM", "", "float[7,2] float[1,24,3] float[1,24,6]", "!dimensions"},
};

static const struct row make_rows[] = {
    {17, "Shape", "", "float[2,3,4]", "int64[3]{2,3,4}"},
    {17, "Shape", "start=1 end=-1", "float[2,3,4]", "int64[1]{3}"},
    {17, "Size", "", "float[2,3,4]", "int64[]{24}"},
    {17, "Constant", "value=float[2,2]{1,2,3,4}", "", "float[2,2]{1,2,3,4}"},
    {17, "Constant", "value_ints=[3,4,5]", "", "int64[3]{3,4,5}"},
    {17, "Constant", "value_float=2.5f", "", "float[]{2.5}"},
    {17, "Constant", "", "", "?"},
    {17, "ConstantOfShape", "", "int64[2]{2,3}", "float[2,3]{0,0,0,0,0,0}"},
    {17, "ConstantOfShape", "value=int32[1]{7}", "int64[1]{3}", "int32[3]{7,7,7}"},
    {17, "ConstantOfShape", "", "int64[2]{100000,100000}", "float[100000,100000]"},
    {17, "ConstantOfShape", "", "int64[1]{-1}", "?"},
    {17, "ConstantOfShape", "", "int64[2]{4294967296,4294967296}", "?"},
    {17, "Range", "", "int64{2} int64{11} int64{3}", "int64[3]{2,5,8}"},
    {17, "Range", "", "int64{0} int64{-3} int64{-1}", "int64[3]{0,-1,-2}"},
    {17, "Range", "", "float{0} float{1} float{0.25}", "float[4]"},
    {17, "Range", "", "int64{0} int64{1000000000000} int64{1}", "int64[1000000000000]"},
    {17, "Range", "", "int64{0} int64{5} int64{0}", "?"},
    {17, "Range", "", "int64{0} int64 int64{1}", "!unknown"},
    {17, "RandomNormal", "shape=[2,3]", "", "float[2,3]"},
    {17, "RandomUniform", "shape=[2,3] dtype=10", "", "float16[2,3]"},
    {17, "Multinomial", "sample_size=4", "float[2,3]", "int32[2,4]"},
    {17, "NonZero", "", "int64[4]{1,0,1,1}", "int64[1,3]{0,2,3}"},
    {17, "NonZero", "", "float[4]", "!unknown"},
    {17, "Nonsense", "", "float[4]", "!unknown"},
    {17, "NonMaxSuppression", "", "float[1,9,4] float[1,2,9]", "!unknown"},
    {17, "my.domain:Relu", "", "float[4]", "!unknown"},
    {17, "ai.onnx:Relu", "", "float[4]", "float[4]"},
};

/* Elements that are computed because shapes depend on them. */
static const struct row fold_rows[] = {
    {17, "Reshape", "", "int64[4]{1,2,3,4} int64[2]{2,2}", "int64[2,2]{1,2,3,4}"},
    {17, "Transpose", "", "int64[2,3]{1,2,3,4,5,6}", "int64[3,2]{1,4,2,5,3,6}"},
    {17, "Expand", "", "int64[2,1]{1,2} int64[2]{2,3}", "int64[2,3]{1,1,1,2,2,2}"},
    {17, "Concat", "axis=0", "int64[1]{7} int64[0]{} int64[2]{8,9}", "int64[3]{7,8,9}"},
    {17, "Concat", "axis=1", "int64[2,1]{1,2} int64[2,2]{3,4,5,6}", "int64[2,3]{1,3,4,2,5,6}"},
    {17, "Slice", "", "int64[5]{1,2,3,4,5} int64[1]{-1} int64[1]{-6} int64[1]{0} int64[1]{-2}",
     "int64[3]{5,3,1}"},
    {17, "Slice", "", "int64[2,3]{1,2,3,4,5,6} int64[1]{1} int64[1]{3} int64[1]{1}",
     "int64[2,2]{2,3,5,6}"},
    {17, "Split", "", "int64[3]{7,8,9} int64[2]{1,2}", "int64[1]{7} int64[2]{8,9}"},
    {17, "Gather", "", "int64[3]{7,8,9} int64{-1}", "int64[]{9}"},
    {17, "Gather", "axis=1", "int64[2,3]{1,2,3,4,5,6} int64[2]{2,0}", "int64[2,2]{3,1,6,4}"},
    {17, "Gather", "", "int64[3]{7,8,9} int64{3}", "int64[]"},
    {17, "Squeeze", "", "int64[1]{5}", "int64[]{5}"},
    {17, "Add", "", "int64[2,1]{1,2} int64[2]{10,20}", "int64[2,2]{11,21,12,22}"},
    {17, "Add", "", "int64{9223372036854775807} int64{1}", "int64[]"},
    {17, "Sub", "", "int32{-2147483648} int32{1}", "int32[]"},
    {17, "Mul", "", "float[2]{1.5,2} float{2}", "float[2]{3,4}"},
    {17, "Div", "", "int64[2]{7,-7} int64{2}", "int64[2]{3,-3}"},
    {17, "Div", "", "int64{7} int64{0}", "int64[]"},
    {17, "Mod", "", "int64[2]{7,-7} int64{3}", "int64[2]{1,2}"},
    {17, "Max", "", "int64[3]{1,5,2} int64{3}", "int64[3]{3,5,3}"},
    {17, "Min", "", "float[2]{1,5} float{3}", "float[2]{1,3}"},
    {17, "Neg", "", "int64[2]{1,-5}", "int64[2]{-1,5}"},
    {17, "Floor", "", "float[2]{1.5,-1.5}", "float[2]{1,-2}"},
    {17, "Ceil", "", "float[2]{1.5,-1.5}", "float[2]{2,-1}"},
    {17, "Sqrt", "", "float{16}", "float[]{4}"},
    {17, "Sqrt", "", "float{-1}", "float[]"},
    {17, "Equal", "", "int64[2]{-1,3} int64{-1}", "bool[2]{1,0}"},
    {17, "Greater", "", "float[2]{1,3} float{2}", "bool[2]{0,1}"},
    {17, "And", "", "bool[2]{1,0} bool{1}", "bool[2]{1,0}"},
    {17, "Not", "", "bool[2]{1,0}", "bool[2]{0,1}"},
    {17, "Where", "", "bool[2]{1,0} int64[2]{7,8} int64{9}", "int64[2]{7,9}"},
    {17, "Cast", "to=7", "float[2]{2.75,-2.75}", "int64[2]{2,-2}"},
    {17, "Cast", "to=2", "int64{300}", "uint8[]"},
    {17, "Cast", "to=1", "int64{3}", "float[]{3}"},
    {17, "Cast", "to=9", "float{0.5}", "bool[]{1}"},
    {17, "ReduceProd", "keepdims=0", "int64[3]{2,3,4}", "int64[]{24}"},
    {17, "ReduceMax", "", "int64[3]{2,9,4}", "int64[1]{9}"},
};

/* ---------------------------------------------------------------- running them */

struct text {
  char bytes[4096];
  size_t size;
};

__attribute__((format(printf, 2, 3))) static void say(struct text *text, const char *format,
                                                      ...) {
  va_list arguments;
  va_start(arguments, format);
  int length =
      vsnprintf(text->bytes + text->size, sizeof text->bytes - text->size, format, arguments);
  va_end(arguments);
  text->size += (size_t)length;
  assert_true(text->size < sizeof text->bytes);
}

/* The number of words, which are separated by single spaces. */
static size_t count_words(const char *text) {
  size_t count = *text != '\0';
  for (; *text; text++)
    count += *text == ' ';
  return count;
}

/* The model for a row: one operator with inputs i0, i1, ... and outputs o0, o1, ... */
static void write_model(struct text *text, const struct row *row) {
  struct text names = {.size = 0};
  char *copy = strdup(row->inputs), *rest = copy;
  say(text, "opset %d\n", row->opset);
  for (size_t i = 0; rest && *rest; i++) {
    const char *type = strsep(&rest, " ");
    if (strcmp(type, "-") == 0) {
      say(&names, " -");
      continue;
    }
    bool has_shape = strchr(type, '[') || strchr(type, '{');
    say(text, "%s i%zu %s%s\n", strchr(type, '{') ? "constant" : "input", i, type,
        has_shape ? "" : "[]");
    say(&names, " i%zu", i);
  }
  free(copy);
  say(text, "%s%s ->", row->type, names.size ? names.bytes : "");
  /* Provoking an error may need all outputs of the operator. */
  size_t outputs =
      row->makes[0] == '!' ? (strcmp(row->type, "Split") ? 1 : 2) : count_words(row->makes);
  for (size_t i = 0; i < outputs; i++)
    say(text, " o%zu", i);
  say(text, " %s\n", row->attributes);
}

static void say_values(struct text *text, const struct onnx_values *values) {
  say(text, "{");
  for (size_t i = 0; i < values->count; i++) {
    if (i > 0) say(text, ",");
    if (values->is_real) say(text, "%g", values->items[i].real);
    else say(text, "%" PRId64, values->items[i].integer);
  }
  say(text, "}");
}

static void say_tensor(struct text *text, const struct onnx_tensor *tensor) {
  if (!tensor->shape.is_known) {
    say(text, "?");
    return;
  }
  say(text, "%s%s[", text->size ? " " : "", onnx_type_name(tensor->shape.type));
  for (size_t d = 0; d < tensor->shape.rank; d++)
    say(text, "%s%" PRId64, d ? "," : "", tensor->shape.dims[d]);
  say(text, "]");
  if (tensor->values) say_values(text, tensor->values);
}

static void say_outputs(struct text *text, const struct onnx_model *model) {
  for (size_t i = 0;; i++) {
    char name[32];
    snprintf(name, sizeof name, "o%zu", i);
    size_t tensor = names_find(&model->names, name, strlen(name));
    if (tensor == NAMES_NONE) return;
    say_tensor(text, &model->tensors[tensor]);
  }
}

static void run_row(const struct row *row) {
  struct text text = {.size = 0}, found = {.size = 0};
  struct onnx_model model;
  static const neap_reading reading = NEAP_INIT(neap_reading);
  neap_error error = {.text = ""};
  size_t size;
  write_model(&text, row);
  char *bytes = onnx_make(text.bytes, NULL, &size);
  neap_status status = onnx_model_open(&model, bytes, size, &reading, &error);
  if (status == NEAP_OK) status = onnx_order_nodes(&model, &error);
  if (status == NEAP_OK) status = onnx_shapes_infer(&model, &error);
  if (status == NEAP_OK) say_outputs(&found, &model);
  onnx_model_close(&model);
  free(bytes);
  if (row->makes[0] == '!') {
    if (status != NEAP_ERROR_INPUT || !strstr(error.text, row->makes + 1))
      fail_msg("%s(%s): expected an error with \"%s\", found %s%s", row->type, row->inputs,
               row->makes + 1, found.bytes, error.text);
  } else if (status != NEAP_OK || strcmp(found.bytes, row->makes) != 0) {
    fail_msg("%s(%s) %s: expected %s, found %s%s", row->type, row->inputs, row->attributes,
             row->makes, found.bytes, error.text);
  }
}

#define TABLE_CASE(family)                                   \
  static void family##_operators(void **state) {             \
    (void)state;                                             \
    for (size_t i = 0; i < SAMPLE_COUNT(family##_rows); i++) \
      run_row(&family##_rows[i]);                            \
  }

TABLE_CASE(window)
TABLE_CASE(element)
TABLE_CASE(matrix)
TABLE_CASE(layout)
TABLE_CASE(slice)
TABLE_CASE(gather)
TABLE_CASE(make)
TABLE_CASE(fold)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(window_operators), cmocka_unit_test(element_operators),
      cmocka_unit_test(matrix_operators), cmocka_unit_test(layout_operators),
      cmocka_unit_test(slice_operators),  cmocka_unit_test(gather_operators),
      cmocka_unit_test(make_operators),   cmocka_unit_test(fold_operators),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
