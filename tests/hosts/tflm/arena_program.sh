# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# What arena.sh and grid.sh share: the program that measures arenas, arena.cc, with $library of the source tree $tflm.  The
# scripts set these, $here, $source_root and $work.

# The size of a pointer with the flags.
case ${NEAP_TFLM_FLAGS:-} in *-m32*) pointer=4 ;; *) pointer=8 ;; esac

# figures: reads JSON and prints its figures in the interpreter's format
figures() {
  sed -n 's/.*"arena": {.*"used": \([0-9]*\),.*"smallest": \([0-9]*\),.*/used \1 smallest \2/p'
}

# kernels_of_library: prints the kernels that the library can stand for
kernels_of_library() {
  case $library in *cmsis_nn*) echo cmsis-nn cmsis-nn-dsp cmsis-nn-mve ;; *) echo tflm-reference ;; esac
}

# compile KERNELS [NAME]: makes $work/arena, or $work/NAME from NAME.cc, with the kernels of the library; for kernels of
# a processor's extension, with the sizes of their buffers
compile() {
  downloads=$tflm/tensorflow/lite/micro/tools/make/downloads sizes='' wraps='' source=${2:-arena}
  case $1 in cmsis-nn-*)
    ${CC:-cc} ${NEAP_TFLM_FLAGS:-} -O1 -Wall -Wextra -Werror -DEXTENSION="${1#cmsis-nn-}" \
      -isystem "$downloads/cmsis_nn/Include" -isystem "$downloads/cmsis/CMSIS/Core/Include" -c "$here/sizes.c" \
      -o "$work/sizes.o" || return 1
    sizes=$work/sizes.o wraps=$(sed -n 's/^SIZE(\([a-z0-9_]*\),.*/-Wl,--wrap=\1_get_buffer_size/p' "$here/sizes.c")
    ;;
  esac
  # shellcheck disable=SC2086 # lists of options
  ${CXX:-c++} ${NEAP_TFLM_FLAGS:-} -std=c++17 -O1 -Wall -Wextra -Werror -fno-rtti -fno-exceptions -fno-threadsafe-statics \
    -DTF_LITE_STATIC_MEMORY -DTF_LITE_DISABLE_X86_NEON -DTF_LITE_USE_CTIME -I"$source_root" -isystem "$tflm" \
    -isystem "$downloads/gemmlowp" -isystem "$downloads/flatbuffers/include" -isystem "$downloads/kissfft" \
    -isystem "$downloads/ruy" "$here/$source.cc" $sizes $wraps "$library" -lm -o "$work/$source"
}

# measure FILE: prints the figures of the interpreter, and before them how many resource variables it needs; fails if it
# cannot run the model
measure() {
  for variables in 0 1 2 4 8 16; do
    figures=$("$work/arena" $prepare "$1" "$variables" 2>/dev/null) && echo "$variables $figures" && return
  done
  return 1
}
