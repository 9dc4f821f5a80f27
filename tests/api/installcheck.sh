#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What `make installcheck` runs: is the installation, staged under DESTDIR or not, of use to others?
# The Makefile passes the folders, the compiler and its flags, and the version.

here=$(dirname "$0")
. "$here/../tap.sh"
: "${DESTDIR=}" "${CC:=cc}" "${PKG_CONFIG:=pkg-config}" "${FLAGS=}" "${EXEEXT=}"
: "${bindir:?}" "${libdir:?}" "${mandir:?}" "${pkgconfigdir:?}" "${version:?}" "${NEAP_SOURCE:?}"

PKG_CONFIG_PATH=$DESTDIR$pkgconfigdir${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
LD_LIBRARY_PATH=$DESTDIR$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PKG_CONFIG_PATH LD_LIBRARY_PATH
if [ -n "$DESTDIR" ]; then
  PKG_CONFIG_SYSROOT_DIR=$DESTDIR
  export PKG_CONFIG_SYSROOT_DIR
fi
program=$DESTDIR$bindir/neap$EXEEXT
# A library that is only static asks its users for the libraries that it needs itself.
static=--static
for shared in "$DESTDIR$libdir"/libneap.*; do
  case $shared in
    *.a | *.la) ;;
    *) static= ;;
  esac
done
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# says TEXT COMMAND...: COMMAND succeeds, and what it prints holds TEXT.
says() {
  text=$1
  shift
  printed=$("$@" 2>&1) || {
    printf '%s\n' "$printed" "$1 failed"
    return 1
  }
  case $printed in
    *"$text"*) ;;
    *)
      printf '%s\n' "$printed" "expected: $text"
      return 1
      ;;
  esac
}

# Word splitting of flags is meant.
# shellcheck disable=SC2046,SC2086
compile() {
  $CC -std=c11 -Wall -Wextra -pedantic -Werror $FLAGS $($PKG_CONFIG --cflags neap) "$1" -o "$work/program" \
    $($PKG_CONFIG $static --libs neap)
}

runs() {
  (cd "$work" && "$@")
}

check "pkg-config knows neap $version" says "$version" "$PKG_CONFIG" --modversion neap
check "the program says $version" says "$version" "$program" --version
check "the program says what it can do" says plan "$program" --help
check "the manual page is there" says .TH cat "$DESTDIR$mandir/man1/neap.1"
check "embed.c compiles against header, library and pkg-config file" compile "$NEAP_SOURCE/examples/embed.c"
check "embed.c runs" runs "$work/program"
cat >"$work/version.c" <<'END'
#include <neap/neap.h>
#include <string.h>

int main(void) {
  return neap_version_number() != NEAP_VERSION_NUMBER || strcmp(neap_version(), NEAP_VERSION_STRING) != 0;
}
END
check "a program with two lines of neap compiles" compile "$work/version.c"
check "header and library are of one version" runs "$work/program"
tap_end
[ "$tap_failures" -eq 0 ]
