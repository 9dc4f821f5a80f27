// A small network on buffers: two convolutions, a sum with what skips them, pooling, two layers of a perceptron.
func.func private @printMemrefF32(memref<*xf32>)

memref.global "private" constant @taps : memref<3x3xf32> = dense<[[0.5, -0.25, 0.125], [0.25, 0.5, -0.5], [-0.125, 0.75, 0.25]]>

// Fills an image with numbers that depend on the place.
func.func @fill(%image: memref<18x18xf32>, %scale: f32) {
  linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]
  } outs(%image : memref<18x18xf32>) {
  ^bb0(%old: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %seven = arith.constant 7 : index
    %a = arith.muli %i, %seven : index
    %b = arith.addi %a, %j : index
    %c = arith.constant 11 : index
    %d = arith.remui %b, %c : index
    %e = arith.index_cast %d : index to i32
    %f = arith.sitofp %e : i32 to f32
    %g = arith.mulf %f, %scale : f32
    linalg.yield %g : f32
  }
  return
}

func.func @network(%scale: f32, %out: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %step = arith.constant 0.01 : f32
  %taps = memref.get_global @taps : memref<3x3xf32>
  %image = memref.alloc() {alignment = 64 : i64} : memref<18x18xf32>
  func.call @fill(%image, %scale) : (memref<18x18xf32>, f32) -> ()
  %conv1 = memref.alloc() {alignment = 64 : i64} : memref<16x16xf32>
  linalg.fill ins(%zero : f32) outs(%conv1 : memref<16x16xf32>)
  linalg.conv_2d ins(%image, %taps : memref<18x18xf32>, memref<3x3xf32>) outs(%conv1 : memref<16x16xf32>)
  memref.dealloc %image : memref<18x18xf32>
  %conv2 = memref.alloc() {alignment = 64 : i64} : memref<14x14xf32>
  linalg.fill ins(%zero : f32) outs(%conv2 : memref<14x14xf32>)
  linalg.conv_2d ins(%conv1, %taps : memref<16x16xf32>, memref<3x3xf32>) outs(%conv2 : memref<14x14xf32>)
  // The part of the first convolution that is added is a view, which keeps its buffer alive.
  %part = memref.subview %conv1[1, 1] [14, 14] [1, 1] : memref<16x16xf32> to memref<14x14xf32, strided<[16, 1], offset: 17>>
  %sum = memref.alloc() {alignment = 64 : i64} : memref<14x14xf32>
  linalg.add ins(%part, %conv2 : memref<14x14xf32, strided<[16, 1], offset: 17>>, memref<14x14xf32>) outs(%sum : memref<14x14xf32>)
  memref.dealloc %conv2 : memref<14x14xf32>
  memref.dealloc %conv1 : memref<16x16xf32>
  %flat = memref.collapse_shape %sum [[0, 1]] : memref<14x14xf32> into memref<196xf32>
  %row = memref.expand_shape %flat [[0, 1]] output_shape [1, 196] : memref<196xf32> into memref<1x196xf32>
  %weights1 = memref.alloc() {alignment = 64 : i64} : memref<196x8xf32>
  linalg.fill ins(%step : f32) outs(%weights1 : memref<196x8xf32>)
  %hidden = memref.alloc() {alignment = 64 : i64} : memref<1x8xf32>
  linalg.fill ins(%zero : f32) outs(%hidden : memref<1x8xf32>)
  linalg.matmul ins(%row, %weights1 : memref<1x196xf32>, memref<196x8xf32>) outs(%hidden : memref<1x8xf32>)
  memref.dealloc %weights1 : memref<196x8xf32>
  memref.dealloc %sum : memref<14x14xf32>
  %weights2 = memref.alloc() {alignment = 64 : i64} : memref<8x4xf32>
  linalg.fill ins(%scale : f32) outs(%weights2 : memref<8x4xf32>)
  %scores = memref.expand_shape %out [[0, 1]] output_shape [1, 4] : memref<4xf32> into memref<1x4xf32>
  linalg.fill ins(%zero : f32) outs(%scores : memref<1x4xf32>)
  linalg.matmul ins(%hidden, %weights2 : memref<1x8xf32>, memref<8x4xf32>) outs(%scores : memref<1x4xf32>)
  memref.dealloc %weights2 : memref<8x4xf32>
  memref.dealloc %hidden : memref<1x8xf32>
  return
}

func.func @main() {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.5 : f32
  %out = memref.alloc() : memref<4xf32>
  %any = memref.cast %out : memref<4xf32> to memref<*xf32>
  call @network(%one, %out) : (f32, memref<4xf32>) -> ()
  call @printMemrefF32(%any) : (memref<*xf32>) -> ()
  call @network(%two, %out) : (f32, memref<4xf32>) -> ()
  call @printMemrefF32(%any) : (memref<*xf32>) -> ()
  memref.dealloc %out : memref<4xf32>
  return
}
