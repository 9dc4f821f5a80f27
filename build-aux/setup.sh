# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Installs missing packages and builds neap and the files of a release, for the scripts in this folder,
# tests/run.sh and examples/quickstart.sh.  They set `root`, the source folder, and `build`, the build folder, and source
# this file.  Output of commands goes to $build/setup.log.

: "${root:?}" "${build:?}"

# say TEXT: prints a progress message
say() {
  printf '%s\n' "$*" >&2
}

die() {
  say "$(basename "$0"): $*"
  exit 1
}

# logged WHAT COMMAND...: runs COMMAND with its output in the log; if it fails, shows the end of the log and exits
logged() {
  what=$1
  shift
  say "$what ..."
  printf '\n--- %s: %s\n' "$what" "$*" >>"$setup_log"
  setup_from=$(wc -l <"$setup_log")
  "$@" >>"$setup_log" 2>&1 </dev/null || {
    setup_status=$?
    tail -n "+$((setup_from + 1))" "$setup_log" | tail -n 60 >&2
    die "$what failed (status $setup_status); its output is in $setup_log"
  }
}

# setup_start: makes the build folder, which is relative to the source folder, with an empty log
setup_start() {
  cd "$root" || exit 1
  mkdir -p "$build" || exit 1
  build=$(cd "$build" && pwd)
  setup_log=$build/setup.log
  : >"$setup_log" || exit 1
}

# has_headers: whether the C library's headers are installed, which a compiler does not imply
has_headers() {
  # shellcheck disable=SC2086
  printf '#include <stdio.h>\n' | ${CC:-cc} -E - >/dev/null 2>&1
}

has_module() {
  pkg-config --exists "$1" 2>/dev/null
}

# missing_packages [MODULE:PACKAGE...]: prints the Debian packages that are missing for a build and for these modules
missing_packages() {
  compiler=${CC:-cc}
  command -v "${compiler%% *}" >/dev/null || echo gcc
  has_headers || echo libc6-dev
  command -v make >/dev/null || echo make
  command -v pkg-config >/dev/null || echo pkg-config
  # A release comes with configure; a checkout has to make it.
  if [ ! -e "$root/configure" ]; then
    command -v autoconf >/dev/null || echo autoconf
    command -v automake >/dev/null || echo automake
    command -v libtoolize >/dev/null || echo libtool
  fi
  command -v "${PROTOC_C:-protoc-c}" >/dev/null || echo protobuf-c-compiler
  for pair in gsl:libgsl-dev libcgraph:libgraphviz-dev jansson:libjansson-dev \
    libprotobuf-c:libprotobuf-c-dev zlib:zlib1g-dev "$@"; do
    has_module "${pair%:*}" || echo "${pair#*:}"
  done
}

# becomes_root: whether as_root will work; sudo asks for a password only on a terminal
becomes_root() {
  [ "$(id -u)" -eq 0 ] && return 0
  command -v sudo >/dev/null || return 1
  sudo -n true 2>/dev/null && return 0
  [ -t 0 ] && [ -t 2 ] && sudo -v
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo -n "$@"
  fi
}

install_packages() {
  # An unreachable package source may not be needed: let the installation decide.
  as_root apt-get -q update || :
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends install "$@"
}

# setup_packages [MODULE:PACKAGE...]: installs missing packages, or names them and exits
setup_packages() {
  packages=$(missing_packages "$@" | tr '\n' ' ')
  packages=${packages% }
  [ -n "$packages" ] || return 0
  command -v apt-get >/dev/null ||
    die "missing packages (Debian's names), install them first: $packages"
  becomes_root || die "missing packages, and installing them requires root: apt-get install $packages"
  # shellcheck disable=SC2086
  logged "Installing $packages" install_packages $packages
  packages=$(missing_packages "$@" | tr '\n' ' ')
  [ -z "$packages" ] || die "not found even after the installation: $packages"
}

# missing_browser: prints the Debian packages that tests/page/run.sh needs and that are missing
missing_browser() {
  missing_commands node:nodejs npm:npm
  command -v chromium >/dev/null || command -v chromium-browser >/dev/null || echo chromium
}

# browser_modules: prints the npm packages that the tests in a browser need, with their versions
browser_modules() {
  sed -n 's/.*"devDependencies": {\(.*\)}.*/\1/p' "$root/tests/page/package.json" |
    tr -d '" ' | tr ':,' '@\n'
}

# install_browser: installs these Debian packages, and the npm packages in the build folder
install_browser() {
  packages=$(missing_browser | tr '\n' ' ')
  if [ -n "$packages" ]; then
    command -v apt-get >/dev/null && becomes_root || return
    # shellcheck disable=SC2086
    install_packages $packages || return
  fi
  mkdir -p "$build/tests/page" || return
  missing=
  for module in $(browser_modules); do
    [ -e "$build/tests/page/node_modules/${module%@*}/package.json" ] || missing=yes
  done
  [ -n "$missing" ] || return 0
  # npm installs in the folder of the nearest package.json.
  (cd "$build/tests/page" && echo '{"private": true}' >package.json &&
    browser_modules | xargs npm install --no-save --no-audit --no-fund)
}

# setup_browser: installs what the browser tests need; without it, they are skipped
setup_browser() {
  say "Looking for a browser ..."
  install_browser >>"$setup_log" 2>&1 </dev/null ||
    say "No browser available: its tests are skipped (see $setup_log)"
}

# setup_proofs: installs the tools that check the proofs in proof/; without them, their tests are skipped
setup_proofs() {
  say "Looking for Rocq ..."
  packages=$(missing_commands coqc:coq ocamlopt:ocaml-nox | tr '\n' ' ')
  # shellcheck disable=SC2086
  if [ -n "$packages" ] && command -v apt-get >/dev/null && becomes_root; then
    install_packages $packages >>"$setup_log" 2>&1 </dev/null || :
  fi
  command -v coqc >/dev/null && command -v ocamlopt >/dev/null || say "No Rocq available: the proofs are not checked (see $setup_log)"
}

# missing_python MODULE:PACKAGE...: prints the Debian packages of the modules of Python that are missing
missing_python() {
  for pair in "$@"; do
    "$PYTHON" -c "import ${pair%:*}" >/dev/null 2>&1 || echo "${pair#*:}"
  done
}

# setup_python MODULE:PACKAGE...: chooses a PYTHON that has these modules, or else installs them.  Where that is not
# possible, the Python package or its tests are left out.
setup_python() {
  say "Looking for Python ..."
  for PYTHON in ${PYTHON-python3 /usr/bin/python3}; do
    [ -n "$(missing_python "$@")" ] || break
  done
  packages=$(missing_python "$@" | tr '\n' ' ')
  # shellcheck disable=SC2086
  if [ -n "$packages" ] && command -v apt-get >/dev/null && becomes_root; then
    install_packages $packages >>"$setup_log" 2>&1 </dev/null || :
  fi
  packages=$(missing_python "$@" | tr '\n' ' ')
  [ -z "$packages" ] || say "Missing: ${packages% }; what needs them in Python is left out (see $setup_log)"
  export PYTHON
}

# missing_commands COMMAND:PACKAGE...: prints the Debian packages of the commands that are missing
missing_commands() {
  for pair in "$@"; do
    command -v "${pair%:*}" >/dev/null || echo "${pair#*:}"
  done
}

# setup_commands COMMAND:PACKAGE...: installs the packages of commands that are missing; fails where that is not possible
setup_commands() {
  packages=$(missing_commands "$@" | tr '\n' ' ')
  [ -n "$packages" ] || return 0
  # shellcheck disable=SC2086
  { command -v apt-get >/dev/null && becomes_root && install_packages $packages; } >>"$setup_log" 2>&1 </dev/null
}

# setup_parallel: installs what a part of tests/hosts/fleet.sh needs; without it, that part is skipped
setup_parallel() {
  setup_commands parallel:parallel || say "No GNU parallel available: its tests are skipped (see $setup_log)"
}

# source_files: the files of this source, committed or not; in a release, or where git refuses, all files outside build/
source_files() {
  if [ -e "$root/.git" ] &&
    git -C "$root" ls-files -z --cached --others --exclude-standard --deduplicate 2>/dev/null; then
    return
  fi
  (cd "$root" && find . \( -path ./build -o -path ./.git \) -prune -o -type f -print0)
}

# copy_source FOLDER: copies these files to a new folder
copy_source() {
  rm -rf "$1" && mkdir -p "$1" && source_files >"$build/files" &&
    tar -C "$root" --null --ignore-failed-read -T "$build/files" -cf "$build/files.tar" &&
    tar -C "$1" -xf "$build/files.tar" && rm -f "$build/files" "$build/files.tar"
}

setup_jobs() {
  nproc 2>/dev/null || echo 1
}

# fingerprint ARGUMENT...: prints everything that the results of configure depend on
fingerprint() {
  echo "$PWD $* PYTHON=${PYTHON-} CC=${CC-} CFLAGS=${CFLAGS-} CPPFLAGS=${CPPFLAGS-} LDFLAGS=${LDFLAGS-}"
  for module in gsl libcgraph jansson libxml-2.0 libprotobuf-c zlib librsvg-2.0 cmocka; do
    echo "$module $(pkg-config --modversion "$module" 2>/dev/null)"
  done
}

# setup_build [ARGUMENT...]: configures with these arguments, unless that was done before, and builds; changes to the
# build folder
setup_build() {
  if [ ! -e "$root/configure" ]; then
    logged "Making configure" "$root/bootstrap"
  fi
  cd "$build" || exit 1
  if [ ! -e config.status ] || [ "$(fingerprint "$@")" != "$(cat setup.done 2>/dev/null)" ]; then
    rm -f setup.done
    logged "Configuring" "$root/configure" "$@"
    fingerprint "$@" >setup.done
  fi
  logged "Building" make -j "$(setup_jobs)"
}

# ---------------------------------------------------------------- files of a release

release_kinds="release packages wheel static image page"

# is_release_kind WORD
is_release_kind() {
  case " $release_kinds " in *" $1 "*) ;; *) return 1 ;; esac
}

# make_KIND builds a kind in the current folder, which is a copy of the source; files_KIND prints the files made.
make_release() {
  ./bootstrap && mkdir -p build && cd build && ../configure -q --disable-python && make dist
}
files_release() { echo build/*.tar.gz; }

make_packages() { build-aux/package.sh; }
files_packages() { echo build/debian/*.deb; }

make_wheel() { build-aux/wheel.sh; }
files_wheel() { echo build/wheel/dist/*.whl build/wheel/dist/*.tar.gz; }

make_static() { build-aux/wheel.sh --static; }
files_static() { echo build/wheel/dist/neap-*-linux-*; }

make_image() { build-aux/container.sh; }
files_image() { echo build/wheel/dist/*.oci.tar; }

make_page() { build-aux/wasm.sh; }
files_page() { echo build/wasm/neap.html; }

# build_copy KIND FOLDER: exits with the status of the build
build_copy() {
  cd "$2" && unset NEAP_BUILD MAKEFLAGS && "make_$1"
}
