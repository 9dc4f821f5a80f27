// What is only verified: LLVM's lowering cannot free memory of other spaces, and not all types have one.
#space = 1 : i32
#transposed = affine_map<(i, j) -> (j, i)>

// Two memory spaces, two arenas.
func.func @spaces() {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32, #space>
  %c = memref.alloc() : memref<16xf32>
  %d = memref.alloc() : memref<16xf32, #space>
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %b : memref<16xf32, #space>
  memref.dealloc %c : memref<16xf32>
  memref.dealloc %d : memref<16xf32, #space>
  return
}

// Layouts stay, and what the ops of ownership may free.
func.func @layouts() {
  %a = memref.alloc() : memref<4x4xf32, #transposed>
  %b = memref.alloc() : memref<4x4xf32, affine_map<(i, j) -> (j, i)>>
  %c = memref.alloc() : memref<4x4xf32, strided<[4, 1]>>
  %d = memref.alloc() : memref<4x4xf8E4M3FN>
  %e = memref.alloc() : memref<4x4xf8E5M2>
  memref.assume_alignment %e, 256 : memref<4x4xf8E5M2>
  memref.dealloc %a : memref<4x4xf32, #transposed>
  memref.dealloc %b : memref<4x4xf32, affine_map<(i, j) -> (j, i)>>
  memref.dealloc %c : memref<4x4xf32, strided<[4, 1]>>
  memref.dealloc %d : memref<4x4xf8E4M3FN>
  memref.dealloc %e : memref<4x4xf8E5M2>
  return
}

func.func @ownership(%flag: i1) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %c = memref.alloc() : memref<4xf32>
  bufferization.dealloc (%c : memref<4xf32>) if (%flag)
  memref.dealloc %a : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return
}

// One way leaks, so the buffer stays.
func.func @leaks(%flag: i1) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  scf.if %flag {
    memref.dealloc %a : memref<4xf32>
  }
  memref.dealloc %b : memref<4xf32>
  return
}
