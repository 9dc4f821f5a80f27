// A perceptron on tensors, for the whole way from bufferization to the arena.
func.func private @printMemrefF32(tensor<*xf32>)

func.func @layer(%x: tensor<1x32xf32>, %w: f32) -> tensor<1x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x32xf32>
  %weights = linalg.fill ins(%w : f32) outs(%empty : tensor<32x32xf32>) -> tensor<32x32xf32>
  %out = tensor.empty() : tensor<1x32xf32>
  %start = linalg.fill ins(%zero : f32) outs(%out : tensor<1x32xf32>) -> tensor<1x32xf32>
  %product = linalg.matmul ins(%x, %weights : tensor<1x32xf32>, tensor<32x32xf32>) outs(%start : tensor<1x32xf32>) -> tensor<1x32xf32>
  %sum = linalg.add ins(%product, %x : tensor<1x32xf32>, tensor<1x32xf32>) outs(%out : tensor<1x32xf32>) -> tensor<1x32xf32>
  return %sum : tensor<1x32xf32>
}

func.func @main() {
  %w = arith.constant 0.125 : f32
  %one = arith.constant 1.0 : f32
  %empty = tensor.empty() : tensor<1x32xf32>
  %x = linalg.fill ins(%one : f32) outs(%empty : tensor<1x32xf32>) -> tensor<1x32xf32>
  %a = call @layer(%x, %w) : (tensor<1x32xf32>, f32) -> tensor<1x32xf32>
  %b = call @layer(%a, %w) : (tensor<1x32xf32>, f32) -> tensor<1x32xf32>
  %c = call @layer(%b, %w) : (tensor<1x32xf32>, f32) -> tensor<1x32xf32>
  %any = tensor.cast %c : tensor<1x32xf32> to tensor<*xf32>
  call @printMemrefF32(%any) : (tensor<*xf32>) -> ()
  return
}
