#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build-aux/reproducible.sh [release] [packages] [wheel] [static] [image] [page]: builds each of these (without arguments: the
# release) twice, in folders with other names, another time zone, language, umask and number of processors, and compares
# the results byte by byte.  Exits with 1 if they differ, and with 77 if something it needs is unavailable.
set -u

root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
build=${NEAP_BUILD:-build}/reproducible
. "$root/build-aux/setup.sh"

# sums KIND FOLDER: prints the checksums of the files built there
sums() {
  # shellcheck disable=SC2046 # names without spaces
  (cd "$2" && sha256sum $("files_$1"))
}

# elsewhere COMMAND...: runs it in a different environment
elsewhere() {
  (umask 077 && TZ=Pacific/Kiritimati LC_ALL=C.UTF-8 LANGUAGE=tr CCACHE_DISABLE=1 "$@")
}

# attempt COMMAND...: runs it with its output in the log; exits if it fails
attempt() {
  "$@" >>"$setup_log" 2>&1 </dev/null
  status=$?
  [ "$status" -ne 77 ] || exit 77
  [ "$status" -eq 0 ] || die "the build failed (status $status); its output is in $setup_log"
}

# compare KIND: builds it twice.  The source is copied first, since it may change while the first one is built.
compare() {
  say "Building twice: $1 ..."
  (attempt copy_source "$build/one") || exit
  (attempt elsewhere copy_source "$build/the-other") || exit
  (attempt build_copy "$1" "$build/one") || exit
  (attempt elsewhere build_copy "$1" "$build/the-other") || exit
  sums "$1" "$build/one" >"$build/one.sums" && sums "$1" "$build/the-other" >"$build/other.sums" || exit 1
  if cmp -s "$build/one.sums" "$build/other.sums"; then
    sed 's|  .*/|  |' "$build/one.sums"
  else
    diff "$build/one.sums" "$build/other.sums"
    differing="$differing $1"
  fi
}

for kind in "$@"; do
  is_release_kind "$kind" || {
    say "usage: build-aux/reproducible.sh [release] [packages] [wheel] [static] [image] [page]"
    exit 2
  }
done
setup_start
SOURCE_DATE_EPOCH=$("$root/build-aux/source-time.sh") || exit 1
export SOURCE_DATE_EPOCH
differing=
[ $# -gt 0 ] || set -- release
for kind in "$@"; do
  compare "$kind"
done
[ -z "$differing" ] || die "two builds differ:$differing"
