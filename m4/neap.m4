dnl SPDX-License-Identifier: GPL-3.0-or-later
dnl What configure.ac asks of the compiler and of the system.  Flags found here go into variables of our own;
dnl CFLAGS, CPPFLAGS, LDFLAGS and LIBS stay as the user gave them.

dnl ---------------------------------------------------------------- the compiler

AC_DEFUN([NEAP_C11],
[AS_IF([test "x$ac_cv_prog_cc_c11" = xno],
  [AC_MSG_ERROR([neap is written in C11, which $CC does not compile])])])

dnl Products of two 64-bit sizes are compared exactly, in 128 bits.
AC_DEFUN([NEAP_INT128],
[AC_CACHE_CHECK([for __int128], [neap_cv_int128],
  [AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <stdint.h>
extern int64_t volatile factor;
int64_t volatile factor = INT64_MAX;]],
    [[__int128 product = (__int128)factor * factor;
      return product / factor != factor;]])],
    [neap_cv_int128=yes], [neap_cv_int128=no])])
AS_IF([test $neap_cv_int128 = no],
  [AC_MSG_ERROR([$CC has no __int128, which neap computes with: take GCC or Clang on a 64-bit machine])])])

AC_DEFUN([NEAP_OVERFLOW_BUILTINS],
[AC_CACHE_CHECK([for __builtin_add_overflow and its kin], [neap_cv_overflow_builtins],
  [AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <stdint.h>]],
    [[int64_t r = 2;
      return __builtin_add_overflow(r, r, &r) || __builtin_sub_overflow(r, r, &r)
             || __builtin_mul_overflow(r, r, &r);]])],
    [neap_cv_overflow_builtins=yes], [neap_cv_overflow_builtins=no])])
AS_IF([test $neap_cv_overflow_builtins = no],
  [AC_MSG_ERROR([$CC has no __builtin_add_overflow, which checked arithmetic needs: take GCC >= 5 or Clang])])])

dnl NEAP_COMPILER_FLAG(VARIABLE, FLAG): appends FLAG to VARIABLE if the compiler takes it without a word.
dnl GCC stays silent about an unknown -Wno-..., and Clang only warns of an unknown -W..., hence -Werror.
AC_DEFUN([NEAP_COMPILER_FLAG],
[AS_VAR_PUSHDEF([cached], [neap_cv_flag_$2])
AC_CACHE_CHECK([whether $CC takes $2], [cached],
  [neap_saved_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS -Werror $2"
  AC_COMPILE_IFELSE([AC_LANG_SOURCE([[int neap_flag_is_known;]])],
    [AS_VAR_SET([cached], [yes])], [AS_VAR_SET([cached], [no])])
  CFLAGS=$neap_saved_CFLAGS])
AS_VAR_IF([cached], [yes], [AS_VAR_APPEND([$1], [" $2"])])
AS_VAR_POPDEF([cached])])

AC_DEFUN([NEAP_WARNINGS],
[NEAP_WARNING_CFLAGS=
m4_foreach_w([flag], [-Wall -Wextra -Wshadow -Wconversion -Wsign-conversion
    -Wstrict-prototypes -Wold-style-definition -Wmissing-prototypes -Wmissing-declarations
    -Wformat=2 -Wpointer-arith -Wwrite-strings -Wundef -Wvla -Wimplicit-fallthrough
    -Wduplicated-cond -Wduplicated-branches -Wlogical-op -Wdouble-promotion],
  [NEAP_COMPILER_FLAG([NEAP_WARNING_CFLAGS], flag)])
AC_SUBST([NEAP_WARNING_CFLAGS])])

AC_DEFUN([NEAP_VISIBILITY],
[NEAP_VISIBILITY_CFLAGS=
NEAP_COMPILER_FLAG([NEAP_VISIBILITY_CFLAGS], [-fvisibility=hidden])
AC_SUBST([NEAP_VISIBILITY_CFLAGS])])

dnl Tests call the library from several threads; older C libraries keep those in a library of their own.
AC_DEFUN([NEAP_THREADS],
[neap_saved_LIBS=$LIBS
AC_SEARCH_LIBS([pthread_create], [pthread],
  [AS_CASE([$ac_cv_search_pthread_create], [none*], [THREAD_LIBS=], [THREAD_LIBS=$ac_cv_search_pthread_create])],
  [AC_MSG_ERROR([there is no pthread_create])])
LIBS=$neap_saved_LIBS
AC_SUBST([THREAD_LIBS])])

dnl ---------------------------------------------------------------- libraries

dnl NEAP_LIBRARY(PREFIX, MODULE, DEBIAN-PACKAGE): PREFIX_CFLAGS and PREFIX_LIBS by pkg-config.  What is missing is
dnl collected, so that NEAP_LIBRARIES_END can name all of it at once.
AC_DEFUN([NEAP_LIBRARY],
[PKG_CHECK_MODULES([$1], [$2], [],
  [AS_VAR_APPEND([neap_missing_modules], ["
    $2 (Debian: $3)"])
  AS_VAR_APPEND([neap_missing_packages], [" $3"])])])

dnl NEAP_PROGRAM(VARIABLE, PROGRAM, DEBIAN-PACKAGE): the same for a program that the build runs.
AC_DEFUN([NEAP_PROGRAM],
[AC_ARG_VAR([$1], [the program $2])
AC_CHECK_PROG([$1], [$2], [$2])
AS_IF([test -z "$$1"],
  [AS_VAR_APPEND([neap_missing_modules], ["
    the program $2 (Debian: $3)"])
  AS_VAR_APPEND([neap_missing_packages], [" $3"])])])

AC_DEFUN([NEAP_LIBRARIES_END],
[AS_IF([test -n "$neap_missing_packages"],
  [AC_MSG_ERROR([neap needs what neither pkg-config nor the search for programs finds:$neap_missing_modules
On Debian: apt-get install$neap_missing_packages])])])

dnl libneap-models, with the decoder of ONNX.  Before NEAP_LIBRARIES_END.
AC_DEFUN([NEAP_ENABLE_MODELS],
[AC_ARG_ENABLE([models],
  [AS_HELP_STRING([--disable-models], [no TensorFlow Lite and ONNX models, and no libneap-models])], [],
  [enable_models=yes])
AS_IF([test "$enable_models" != no],
  [enable_models=yes
  NEAP_LIBRARY([PROTOBUF], [libprotobuf-c >= 1.3], [libprotobuf-c-dev])
  NEAP_PROGRAM([PROTOC_C], [protoc-c], [protobuf-c-compiler])])
AM_CONDITIONAL([ENABLE_MODELS], [test "$enable_models" = yes])])

dnl For DOT.  Before NEAP_LIBRARIES_END.
AC_DEFUN([NEAP_WITH_GRAPHVIZ],
[AC_ARG_WITH([graphviz],
  [AS_HELP_STRING([--without-graphviz], [no DOT files, which Graphviz' cgraph reads and writes])], [],
  [with_graphviz=yes])
CGRAPH_MODULE=
AS_IF([test "$with_graphviz" != no],
  [CGRAPH_MODULE=libcgraph
  NEAP_LIBRARY([CGRAPH], [libcgraph >= 2.40], [libgraphviz-dev])])
AC_SUBST([CGRAPH_MODULE])
AM_CONDITIONAL([HAVE_GRAPHVIZ], [test "$with_graphviz" != no])])

dnl For pictures in PNG and PDF; without it there is SVG.
AC_DEFUN([NEAP_WITH_RSVG],
[AC_ARG_WITH([rsvg],
  [AS_HELP_STRING([--without-rsvg],
    [no pictures in PNG and PDF, which librsvg makes @<:@used where it is found@:>@])], [],
  [with_rsvg=check])
have_rsvg=no
AS_IF([test "$with_rsvg" != no],
  [PKG_CHECK_MODULES([RSVG], [librsvg-2.0 >= 2.52 cairo cairo-pdf cairo-png], [have_rsvg=yes],
    [AS_IF([test "$with_rsvg" != check],
      [AC_MSG_ERROR([--with-rsvg: pkg-config does not find librsvg (Debian: librsvg2-dev)])])])])
NEAP_RSVG_CPPFLAGS=
dnl The library is loaded when the first picture is rendered; only its headers are needed here.
AS_IF([test $have_rsvg = yes],
  [AC_SEARCH_LIBS([dlopen], [dl])
  NEAP_RSVG_CPPFLAGS=-DHAVE_RSVG])
AC_SUBST([NEAP_RSVG_CPPFLAGS])
AM_CONDITIONAL([HAVE_RSVG], [test $have_rsvg = yes])])

dnl ---------------------------------------------------------------- options

AC_DEFUN([NEAP_ENABLE_WERROR],
[AC_ARG_ENABLE([werror],
  [AS_HELP_STRING([--enable-werror], [stop at compiler warnings])], [], [enable_werror=no])
NEAP_WERROR_CFLAGS=
AS_IF([test "$enable_werror" != no], [NEAP_WERROR_CFLAGS=-Werror])
AC_SUBST([NEAP_WERROR_CFLAGS])])

AC_DEFUN([NEAP_ENABLE_SANITIZERS],
[AC_ARG_ENABLE([sanitizers],
  [AS_HELP_STRING([--enable-sanitizers@<:@=LIST@:>@],
    [build with sanitizers @<:@address,undefined@:>@, or with others such as thread])],
  [AS_IF([test "$enable_sanitizers" = yes], [enable_sanitizers=address,undefined])],
  [enable_sanitizers=no])
NEAP_SANITIZER_CFLAGS=
NEAP_SANITIZER_LDFLAGS=
AS_IF([test "$enable_sanitizers" != no],
  [NEAP_SANITIZER_LDFLAGS="-fsanitize=$enable_sanitizers"
  dnl Findings of UBSan end the program like those of the others, so that no test passes over them.
  NEAP_SANITIZER_CFLAGS="$NEAP_SANITIZER_LDFLAGS -fno-sanitize-recover=all -fno-omit-frame-pointer"
  AC_MSG_CHECKING([whether $CC links with -fsanitize=$enable_sanitizers])
  neap_saved_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS $NEAP_SANITIZER_CFLAGS"
  AC_LINK_IFELSE([AC_LANG_PROGRAM()], [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
    AC_MSG_ERROR([--enable-sanitizers=$enable_sanitizers: $CC cannot link with it (for Clang, Debian has the sanitizers in libclang-rt-dev)])])
  CFLAGS=$neap_saved_CFLAGS])
AC_SUBST([NEAP_SANITIZER_CFLAGS])
AC_SUBST([NEAP_SANITIZER_LDFLAGS])
AM_CONDITIONAL([SANITIZERS], [test "$enable_sanitizers" != no])])

AC_DEFUN([NEAP_ENABLE_CHECKS],
[AC_ARG_ENABLE([checks],
  [AS_HELP_STRING([--enable-checks],
    [assert all invariants of the search after every step, which is slow])], [],
  [enable_checks=no])
NEAP_CHECKS_CPPFLAGS=
AS_IF([test "$enable_checks" != no], [NEAP_CHECKS_CPPFLAGS=-DNEAP_CHECKS])
dnl Builds that look for mistakes can record what led to them.
AS_IF([test "$enable_checks$enable_sanitizers" != nono], [AS_VAR_APPEND([NEAP_CHECKS_CPPFLAGS], [" -DNEAP_TRACES"])])
AC_SUBST([NEAP_CHECKS_CPPFLAGS])])

dnl libFuzzer counts edges in everything it is to steer through, and brings a main() of its own.
AC_DEFUN([NEAP_ENABLE_FUZZERS],
[AC_ARG_ENABLE([fuzzers],
  [AS_HELP_STRING([--enable-fuzzers], [build for `make fuzz' with libFuzzer, which Clang has])], [],
  [enable_fuzzers=no])
NEAP_FUZZER_CFLAGS=
NEAP_FUZZER_LDFLAGS=
NEAP_LIBFUZZER_LDFLAGS=
AC_ARG_VAR([LIB_FUZZING_ENGINE], [what to link fuzzers with; CFLAGS then has its instrumentation (OSS-Fuzz)])
AS_IF([test "$enable_fuzzers" = no], [],
  [test -n "$LIB_FUZZING_ENGINE"], [NEAP_LIBFUZZER_LDFLAGS=$LIB_FUZZING_ENGINE],
  [NEAP_FUZZER_LDFLAGS="-fsanitize=fuzzer-no-link,address,undefined"
  NEAP_FUZZER_CFLAGS="$NEAP_FUZZER_LDFLAGS -fno-sanitize-recover=all -fno-omit-frame-pointer"
  NEAP_LIBFUZZER_LDFLAGS="-fsanitize=fuzzer,address,undefined"
  AC_MSG_CHECKING([whether $CC has libFuzzer])
  neap_saved_CFLAGS=$CFLAGS
  CFLAGS="$CFLAGS $NEAP_LIBFUZZER_LDFLAGS"
  AC_LINK_IFELSE([AC_LANG_SOURCE([[#include <stddef.h>
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) { return !data && size; }]])],
    [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
    AC_MSG_ERROR([--enable-fuzzers: $CC cannot link with libFuzzer: configure with CC=clang (Debian: clang and libclang-rt-dev)])])
  CFLAGS=$neap_saved_CFLAGS])
AC_SUBST([NEAP_FUZZER_CFLAGS])
AC_SUBST([NEAP_FUZZER_LDFLAGS])
AC_SUBST([NEAP_LIBFUZZER_LDFLAGS])
AM_CONDITIONAL([FUZZERS], [test "$enable_fuzzers" != no])])

AC_DEFUN([NEAP_ENABLE_COVERAGE],
[AC_ARG_ENABLE([coverage],
  [AS_HELP_STRING([--enable-coverage], [count executed lines; see `make coverage'])], [], [enable_coverage=no])
NEAP_COVERAGE_CFLAGS=
NEAP_COVERAGE_LDFLAGS=
AS_IF([test "$enable_coverage" != no],
  [AC_CHECK_TOOL([GCOV], [gcov], [no])
  AS_IF([test "$GCOV" = no], [AC_MSG_ERROR([--enable-coverage needs gcov (Debian: gcc)])])
  NEAP_COVERAGE_CFLAGS=--coverage
  NEAP_COVERAGE_LDFLAGS=--coverage])
AC_SUBST([NEAP_COVERAGE_CFLAGS])
AC_SUBST([NEAP_COVERAGE_LDFLAGS])
AM_CONDITIONAL([COVERAGE], [test "$enable_coverage" != no])])

AC_DEFUN([NEAP_WITH_SHARED],
[AC_ARG_WITH([shared],
  [AS_HELP_STRING([--with-shared=DIR], [a folder with public models and instances in data/; tests that need them
    are skipped without it @<:@../shared beside the source, else bench/, which bench/fetch.sh fills@:>@])],
  [], [with_shared=yes])
AS_CASE([$with_shared],
  [yes], [NEAP_SHARED=$(cd "$srcdir/.." && pwd)/shared
    AS_IF([test ! -d "$NEAP_SHARED"], [NEAP_SHARED=$(cd "$srcdir" && pwd)/bench])],
  [no], [NEAP_SHARED=],
  [/*], [NEAP_SHARED=$with_shared],
  [NEAP_SHARED=$(pwd)/$with_shared])
AC_SUBST([NEAP_SHARED])])

AC_DEFUN([NEAP_WITH_TFLM],
[AC_ARG_WITH([tflm],
  [AS_HELP_STRING([--with-tflm=DIR], [a source tree of tflite-micro in which microlite has been built; tests that run
    its interpreter are skipped without it @<:@no@:>@])],
  [], [with_tflm=no])
AS_CASE([$with_tflm],
  [no | ''], [NEAP_TFLM=],
  [/*], [NEAP_TFLM=$with_tflm],
  [NEAP_TFLM=$(pwd)/$with_tflm])
AS_IF([test -n "$NEAP_TFLM"],
  [AS_IF([ls "$NEAP_TFLM"/gen/*/lib/libtensorflow-microlite.a >/dev/null 2>&1], [],
    [AC_MSG_ERROR([--with-tflm: $NEAP_TFLM has no gen/*/lib/libtensorflow-microlite.a; run
    make -f tensorflow/lite/micro/tools/make/Makefile microlite there])])])
AC_SUBST([NEAP_TFLM])])

AC_DEFUN([NEAP_WITH_DSA],
[AC_ARG_WITH([dsa],
  [AS_HELP_STRING([--with-dsa=DIR], [a source tree of dsa-solver that has been built in its folder build; tests that
    validate solutions with it are skipped without it @<:@no@:>@])],
  [], [with_dsa=no])
AS_CASE([$with_dsa],
  [no | ''], [NEAP_DSA=],
  [/*], [NEAP_DSA=$with_dsa],
  [NEAP_DSA=$(pwd)/$with_dsa])
AS_IF([test -n "$NEAP_DSA"],
  [AS_IF([test -f "$NEAP_DSA/build/libdsa_solver.a"], [],
    [AC_MSG_ERROR([--with-dsa: $NEAP_DSA has no build/libdsa_solver.a; run
    cmake -B build && cmake --build build --target dsa_solver there])])])
AC_SUBST([NEAP_DSA])])

dnl NEAP_ENABLE_PYTHON: finds an interpreter with cffi, and the folder for packages.  PYTHON chooses another one.
AC_DEFUN([NEAP_ENABLE_PYTHON],
[AC_ARG_ENABLE([python],
  [AS_HELP_STRING([--enable-python], [build and install the Python package; needs Python 3.9 and cffi
    @<:@if they are installed@:>@])],
  [], [enable_python=auto])
AC_ARG_VAR([PYTHON], [the Python interpreter to use])
AC_ARG_VAR([pythondir], [where Python packages are installed])
AS_IF([test "$enable_python" != no],
  [AC_CACHE_CHECK([for Python 3.9 with cffi], [neap_cv_python],
    [neap_cv_python=no
    for neap_python in ${PYTHON-python3 /usr/bin/python3}; do
      AS_IF([$neap_python -c 'import sys, cffi; sys.exit(sys.version_info < (3, 9))' >/dev/null 2>&1],
        [neap_cv_python=$neap_python
        break])
    done])
  AS_IF([test "$enable_python$neap_cv_python" = yesno],
    [AC_MSG_ERROR([--enable-python needs Python 3.9 or later with cffi: install it (Debian: apt-get install
    python3-cffi), or choose an interpreter with PYTHON=...])])
  enable_python=$neap_cv_python], [])
AS_IF([test "$enable_python" != no],
  [PYTHON=$neap_cv_python
  AS_IF([test -z "$pythondir"],
    [neap_prefix=$prefix
    test "$neap_prefix" != NONE || neap_prefix=$ac_default_prefix
    pythondir=`$PYTHON "$srcdir/python/folder.py" "$neap_prefix"`])])
AM_CONDITIONAL([ENABLE_PYTHON], [test "$enable_python" != no])])

dnl NEAP_WITH_HOST(NAME, FILE, WHAT): --with-NAME=DIR, the source of a host that tests run, which has FILE
AC_DEFUN([NEAP_WITH_HOST],
[AC_ARG_WITH([$1],
  [AS_HELP_STRING([--with-$1=DIR], [$3; tests that run it are skipped without it @<:@no@:>@])],
  [], [with_$1=no])
AS_CASE([$with_$1],
  [no | ''], [AS_TR_SH([NEAP_]m4_toupper([$1]))=],
  [/*], [AS_TR_SH([NEAP_]m4_toupper([$1]))=$with_$1],
  [AS_TR_SH([NEAP_]m4_toupper([$1]))=$(pwd)/$with_$1])
AS_IF([test -n "$AS_TR_SH([NEAP_]m4_toupper([$1]))"],
  [AS_IF([test -f "$AS_TR_SH([NEAP_]m4_toupper([$1]))/$2"], [],
    [AC_MSG_ERROR([--with-$1: $AS_TR_SH([NEAP_]m4_toupper([$1])) has no $2])])])
AC_SUBST(AS_TR_SH([NEAP_]m4_toupper([$1])))])
