// SPDX-License-Identifier: GPL-3.0-or-later
// All operators that TensorFlow Lite Micro brings along.
#ifndef NEAP_TESTS_TFLM_OPERATORS_H
#define NEAP_TESTS_TFLM_OPERATORS_H

#include <algorithm>

#include "tensorflow/lite/micro/micro_mutable_op_resolver.h"

using Resolver = tflite::MicroMutableOpResolver<140>;

inline bool AddOperators(Resolver &ops) {
  const TfLiteStatus added[] = {
      ops.AddAbs(), ops.AddAdd(), ops.AddAddN(), ops.AddArgMax(), ops.AddArgMin(), ops.AddAssignVariable(),
      ops.AddAveragePool2D(), ops.AddBatchMatMul(), ops.AddBatchToSpaceNd(), ops.AddBroadcastArgs(),
      ops.AddBroadcastTo(), ops.AddCallOnce(), ops.AddCast(), ops.AddCeil(), ops.AddCircularBuffer(),
      ops.AddConcatenation(), ops.AddConv2D(), ops.AddCos(), ops.AddCumSum(), ops.AddDecode(), ops.AddDelay(),
      ops.AddDepthToSpace(), ops.AddDepthwiseConv2D(), ops.AddDequantize(), ops.AddDetectionPostprocess(),
      ops.AddDiv(), ops.AddDynamicUpdateSlice(), ops.AddElu(), ops.AddEmbeddingLookup(), ops.AddEnergy(),
      ops.AddEqual(), ops.AddEthosU(), ops.AddExp(), ops.AddExpandDims(), ops.AddFftAutoScale(), ops.AddFill(),
      ops.AddFilterBank(), ops.AddFilterBankLog(), ops.AddFilterBankSpectralSubtraction(),
      ops.AddFilterBankSquareRoot(), ops.AddFloor(), ops.AddFloorDiv(), ops.AddFloorMod(), ops.AddFramer(),
      ops.AddFullyConnected(), ops.AddGather(), ops.AddGatherNd(), ops.AddGreater(), ops.AddGreaterEqual(),
      ops.AddHardSwish(), ops.AddIf(), ops.AddIrfft(), ops.AddL2Normalization(), ops.AddL2Pool2D(),
      ops.AddLeakyRelu(), ops.AddLess(), ops.AddLessEqual(), ops.AddLog(), ops.AddLogSoftmax(), ops.AddLogicalAnd(),
      ops.AddLogicalNot(), ops.AddLogicalOr(), ops.AddLogistic(), ops.AddMaxPool2D(), ops.AddMaximum(), ops.AddMean(),
      ops.AddMinimum(), ops.AddMirrorPad(), ops.AddMul(), ops.AddNeg(), ops.AddNotEqual(), ops.AddOverlapAdd(),
      ops.AddPCAN(), ops.AddPack(), ops.AddPad(), ops.AddPadV2(), ops.AddPrelu(), ops.AddQuantize(),
      ops.AddReadVariable(), ops.AddReduceAll(), ops.AddReduceMax(), ops.AddReduceMin(), ops.AddRelu(),
      ops.AddRelu6(), ops.AddReshape(), ops.AddResizeBilinear(), ops.AddResizeNearestNeighbor(), ops.AddReverseV2(),
      ops.AddRfft(), ops.AddRound(), ops.AddRsqrt(), ops.AddSelectV2(), ops.AddShape(), ops.AddSin(), ops.AddSlice(),
      ops.AddSoftmax(), ops.AddSpaceToBatchNd(), ops.AddSpaceToDepth(), ops.AddSplit(), ops.AddSplitV(),
      ops.AddSqrt(), ops.AddSquare(), ops.AddSquaredDifference(), ops.AddSqueeze(), ops.AddStacker(),
      ops.AddStridedSlice(), ops.AddSub(), ops.AddSum(), ops.AddSvdf(), ops.AddTanh(), ops.AddTranspose(),
      ops.AddTransposeConv(), ops.AddUnidirectionalSequenceLSTM(), ops.AddUnpack(), ops.AddVarHandle(),
      ops.AddWhile(), ops.AddWindow(), ops.AddZerosLike()};
  return std::all_of(std::begin(added), std::end(added), [](TfLiteStatus status) { return status == kTfLiteOk; });
}

#endif
