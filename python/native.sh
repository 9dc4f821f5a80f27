#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# native.sh TARGET...: builds targets of neap's Makefile, such as libneap.la, libneap-models.la and neap, in the current
# folder.  They contain what they need of other libraries.  Works beside source/ and third-party/, which
# build-aux/wheel.sh collects, and needs only a C compiler and make.  Reads CC, AR, CFLAGS, LDFLAGS and HOST.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
third=$PWD/third-party
: "${CC:=cc}" "${AR:=ar}" "${CFLAGS=-O2}" "${LDFLAGS=}" "${HOST=}"
# The linker drops what neap does not call.
CFLAGS="$CFLAGS -ffunction-sections -fdata-sections"
jobs=$(nproc 2>/dev/null || echo 1)

mkdir -p "$third" neap
make -C "$third" -f "$here/third-party/Makefile" "SOURCE=$here/third-party" "CC=$CC" "AR=$AR" "CFLAGS=$CFLAGS"

# have LIBRARY FOLDER: the headers of LIBRARY are in FOLDER
have() {
  eval "export $1_CFLAGS='-isystem $here/third-party/$2' $1_LIBS='-L$third -lthird-party -lm'"
}
have GSL gsl
have JANSSON jansson/src
have PROTOBUF protobuf-c
have ZLIB zlib

cd neap
# The decoder of ONNX has been generated, and pkg-config is not asked.
touch "$here/source/src/models/onnx/onnx.pb-c.c" "$here/source/src/models/onnx/onnx.pb-c.h"
export CC AR CFLAGS
"$here/source/configure" --quiet ${HOST:+--host="$HOST"} --prefix=/usr --libdir=/usr/lib --disable-python \
  --disable-static --disable-dependency-tracking --without-rsvg --without-graphviz --without-shared \
  PKG_CONFIG=true PROTOC_C=: LDFLAGS="-Wl,--gc-sections -Wl,-s $LDFLAGS"
make -j "$jobs" ACLOCAL=: AUTOCONF=: AUTOMAKE=: AUTOHEADER=: "$@"
