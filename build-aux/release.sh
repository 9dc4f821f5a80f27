#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build-aux/release.sh [--draft] [KIND...]: builds the files of a release from a copy of this source, in build/release/dist/,
# and writes their SHA-256 digests to SHA256SUMS there.  The kinds, all by default, are release (the archive of `make dist`),
# packages (Debian's), wheel (also the source distribution), static (the program as one file), image and page (which plans in
# a browser).  A kind whose tools are unavailable, such as emscripten, is left out with a note.
#
# Refuses if files of the source state different versions, or if the source is not ready for a release; with
# --draft, only notes the latter.  With --versions, only prints the versions, and exits with 1 if they differ.
set -u

root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
build=${NEAP_BUILD:-build}/release
. "$root/build-aux/setup.sh"

# versions: prints the version that each file states; configure.ac and python/setup.py read the numbers of neap.h
versions() {
  header=$root/include/neap/neap.h
  echo "$(sed -n '/^#define NEAP_VERSION_M[A-Z]* [0-9][0-9]*$/s/.* //p' "$header" | paste -s -d . -) include/neap/neap.h"
  echo "$(sed -n 's/^#define NEAP_VERSION_STRING "\(.*\)"$/\1/p' "$header") NEAP_VERSION_STRING"
  echo "$(sed -n '1s/^neap (\(.*\)).*/\1/p' "$root/debian/changelog") debian/changelog"
  echo "$(sed -n 's/^\([0-9][0-9.]*\) (.*)$/\1/p' "$root/NEWS" | head -n 1) NEWS"
}

# joined: prints the lines of its input as one
joined() {
  paste -s -d ';' - | sed 's/;/; /g'
}

versions_agree() {
  [ "$(versions | cut -d ' ' -f 1 | sort -u | wc -l)" -eq 1 ]
}

# unfinished: prints why the source is not ready for a release
unfinished() {
  ! grep '^After ' "$root/NEWS" >/dev/null || echo "NEWS has changes after the last version"
  ! head -n 1 "$root/debian/changelog" | grep UNRELEASED >/dev/null || echo "debian/changelog says UNRELEASED"
  [ -z "$(git -C "$root" status --porcelain 2>/dev/null)" ] || echo "changes are not committed"
}

# collect KIND: copies its files; their names must contain the version, which setuptools and configure wrote there
collect() {
  for file in $("files_$1"); do
    name=${file##*/}
    [ "$name" != neap.html ] || name=neap-$version.html
    case $name in
      *[-_]"$version"[-_.]*) cp "$file" "$build/dist/$name" || return ;;
      *) say "$file is not of version $version" && return 1 ;;
    esac
  done
}

# build_kind KIND: builds it, or notes why it is left out
build_kind() {
  say "Building: $1 ..."
  (build_copy "$1" "$build/source") >"$build/output" 2>&1 </dev/null
  status=$?
  cat "$build/output" >>"$setup_log"
  case $status in
    0) (cd "$build/source" && collect "$1") || die "$1: its files cannot be collected" ;;
    77) say "Left out: $1: $(tail -n 1 "$build/output")" ;;
    *) die "$1: the build failed (status $status); its output is in $setup_log" ;;
  esac
}

draft=
case ${1-} in
  --versions) versions && versions_agree && exit || exit 1 ;;
  --draft) draft=yes && shift ;;
esac
# shellcheck disable=SC2086 # names without spaces
[ $# -gt 0 ] || set -- $release_kinds
for kind in "$@"; do
  is_release_kind "$kind" || {
    say "usage: build-aux/release.sh [--draft | --versions] [release] [packages] [wheel] [static] [image] [page]"
    exit 2
  }
done
versions_agree || die "the versions differ: $(versions | joined)"
reasons=$(unfinished | joined)
[ -z "$reasons" ] || { say "No release: $reasons" && [ -n "$draft" ]; } || exit 1
setup_start
version=$(versions | sed 's/ .*//;q')
SOURCE_DATE_EPOCH=$("$root/build-aux/source-time.sh") || exit 1
export SOURCE_DATE_EPOCH
rm -rf "$build/dist" && mkdir "$build/dist" || exit 1
logged "Copying the source" copy_source "$build/source"
for kind in "$@"; do
  build_kind "$kind"
done
[ -n "$(ls "$build/dist")" ] || die "nothing has been built"
(cd "$build/dist" && sha256sum -- * >"$build/sums" && mv "$build/sums" SHA256SUMS && cat SHA256SUMS)
