// Buffers in loops, in branches and in several blocks; element types; names that the arena may not take.
!row = memref<5xf64>

module attributes {test.text = "} { %x = memref.alloc() : memref<9xf32>"} {
func.func private @printMemrefF64(memref<*xf64>)
func.func private @printMemrefF32(memref<*xf32>)

// A body of a loop has an arena of its own. What it uses of the buffers outside stays alive.
func.func @loops(%n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %start = arith.constant 1.0 : f64
  %neap_arena = memref.alloc() : !row
  %neap_offset = memref.alloc() : memref<5xf64>
  linalg.fill ins(%start : f64) outs(%neap_arena : !row)
  linalg.fill ins(%start : f64) outs(%neap_offset : memref<5xf64>)
  scf.for %i = %zero to %n step %one {
    %a = memref.alloc() : memref<5xf64>
    linalg.add ins(%neap_arena, %neap_offset : memref<5xf64>, memref<5xf64>) outs(%a : memref<5xf64>)
    %b = memref.alloc() : memref<5xf64>
    memref.copy %a, %b : memref<5xf64> to memref<5xf64>
    memref.dealloc %a : memref<5xf64>
    %c = memref.alloc() : memref<5xf64>
    linalg.mul ins(%b, %neap_offset : memref<5xf64>, memref<5xf64>) outs(%c : memref<5xf64>)
    memref.copy %c, %neap_arena : memref<5xf64> to memref<5xf64>
    memref.dealloc %b : memref<5xf64>
    memref.dealloc %c : memref<5xf64>
  }
  %any = memref.cast %neap_arena : !row to memref<*xf64>
  call @printMemrefF64(%any) : (memref<*xf64>) -> ()
  memref.dealloc %neap_offset : memref<5xf64>
  memref.dealloc %neap_arena : !row
  return
}

// Each block has its own buffers; that of the first is freed in another block, and stays.
func.func @branches(%flag: i1) {
  %half = arith.constant 0.5 : f32
  %far = memref.alloc() : memref<3xf32>
  linalg.fill ins(%half : f32) outs(%far : memref<3xf32>)
  cf.cond_br %flag, ^yes(%half : f32), ^no
^yes(%x: f32):
  %a = memref.alloc() : memref<3xf32>
  %b = memref.alloc() : memref<3xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<3xf32>)
  linalg.add ins(%a, %far : memref<3xf32>, memref<3xf32>) outs(%b : memref<3xf32>)
  memref.dealloc %a : memref<3xf32>
  memref.copy %b, %far : memref<3xf32> to memref<3xf32>
  memref.dealloc %b : memref<3xf32>
  cf.br ^end
^no:
  %c = memref.alloc() : memref<3xf32>
  memref.copy %far, %c : memref<3xf32> to memref<3xf32>
  %d = memref.alloc() : memref<3xf32>
  linalg.mul ins(%c, %far : memref<3xf32>, memref<3xf32>) outs(%d : memref<3xf32>)
  memref.dealloc %c : memref<3xf32>
  memref.copy %d, %far : memref<3xf32> to memref<3xf32>
  memref.dealloc %d : memref<3xf32>
  cf.br ^end
^end:
  %any = memref.cast %far : memref<3xf32> to memref<*xf32>
  call @printMemrefF32(%any) : (memref<*xf32>) -> ()
  memref.dealloc %far : memref<3xf32>
  return
}

// Bits, indices, halves, complex numbers and vectors: each keeps what was stored while the others are written.
func.func @types(%n: index) {
  %zero = arith.constant 0 : index
  %three = arith.constant 3 : index
  %true = arith.constant true
  %value = arith.constant 2.0 : f32
  %half = arith.constant 3.0 : f16
  %vector = arith.constant dense<[4.0, 5.0, 6.0]> : vector<3xf32>
  %wide = arith.constant 77 : i24
  %bits = memref.alloc() : memref<13xi1>
  %numbers = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xindex>
  %halves = memref.alloc() {alignment = 32 : i64} : memref<7xf16>
  %complexes = memref.alloc() : memref<4xcomplex<f32>>
  %vectors = memref.alloc() : memref<4xvector<3xf32>>
  %wides = memref.alloc() : memref<4xi24> loc("wides")
  %one = memref.alloc() : memref<f32>
  %none = memref.alloc() : memref<0x4xf32>
  %dynamic = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%true : i1) outs(%bits : memref<13xi1>)
  %complex = complex.create %value, %value : complex<f32>
  memref.store %n, %numbers[%three] : memref<4xindex>
  memref.store %half, %halves[%three] : memref<7xf16>
  memref.store %complex, %complexes[%three] : memref<4xcomplex<f32>>
  memref.store %vector, %vectors[%three] : memref<4xvector<3xf32>>
  memref.store %wide, %wides[%three] : memref<4xi24>
  memref.store %value, %one[] : memref<f32>
  memref.store %value, %dynamic[%zero] : memref<?xf32>
  %bit = memref.load %bits[%three] : memref<13xi1>
  vector.print %bit : i1
  %number = memref.load %numbers[%three] : memref<4xindex>
  vector.print %number : index
  %h = memref.load %halves[%three] : memref<7xf16>
  %h32 = arith.extf %h : f16 to f32
  vector.print %h32 : f32
  %z = memref.load %complexes[%three] : memref<4xcomplex<f32>>
  %re = complex.re %z : complex<f32>
  vector.print %re : f32
  %v = memref.load %vectors[%three] : memref<4xvector<3xf32>>
  vector.print %v : vector<3xf32>
  %w = memref.load %wides[%three] : memref<4xi24>
  %w64 = arith.extsi %w : i24 to i64
  vector.print %w64 : i64
  %o = memref.load %one[] : memref<f32>
  vector.print %o : f32
  memref.dealloc %bits : memref<13xi1> memref.dealloc %halves : memref<7xf16>
  "memref.dealloc"(%numbers) : (memref<4xindex>) -> ()
  memref.dealloc %complexes : memref<4xcomplex<f32>>
  memref.dealloc %vectors : memref<4xvector<3xf32>>
  memref.dealloc %wides : memref<4xi24>  // the last of its line
  memref.dealloc %one : memref<f32>
  memref.dealloc %none : memref<0x4xf32>
  memref.dealloc %dynamic : memref<?xf32>
  return
}

func.func @main() {
  %four = arith.constant 4 : index
  %true = arith.constant true
  %false = arith.constant false
  call @loops(%four) : (index) -> ()
  call @branches(%true) : (i1) -> ()
  call @branches(%false) : (i1) -> ()
  call @types(%four) : (index) -> ()
  return
}
}
