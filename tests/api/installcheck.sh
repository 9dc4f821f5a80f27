#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Run by `make installcheck`: can other programs use the installation, staged under DESTDIR or not?
# The Makefile passes the folders, the compiler and its flags, and the version.

. "$(dirname "$0")/../tap.sh"
: "${DESTDIR=}" "${CC:=cc}" "${CXX:=c++}" "${PKG_CONFIG:=pkg-config}" "${FLAGS=}" "${EXEEXT=}"
: "${bindir:?}" "${libdir:?}" "${includedir:?}" "${datadir:?}" "${mandir:?}" "${pkgconfigdir:?}"
: "${zshcompletiondir:?}" "${version:?}" "${NEAP_SOURCE:?}"

PKG_CONFIG_PATH=$DESTDIR$pkgconfigdir${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
LD_LIBRARY_PATH=$DESTDIR$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PKG_CONFIG_PATH LD_LIBRARY_PATH
if [ -n "$DESTDIR" ]; then
  PKG_CONFIG_SYSROOT_DIR=$DESTDIR
  export PKG_CONFIG_SYSROOT_DIR
fi
program=$DESTDIR$bindir/neap$EXEEXT
# Users of a static library must also link with the libraries that it needs.
static=--static
for shared in "$DESTDIR$libdir"/libneap.*; do
  case $shared in
    *.a | *.la) ;;
    *) static= ;;
  esac
done
make_work

# says TEXT COMMAND...: COMMAND succeeds, and its output contains TEXT.
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
  $CC -std=c11 -Wall -Wextra -pedantic -Werror $FLAGS $($PKG_CONFIG --cflags "$1") "$2" -o "$work/program" \
    $($PKG_CONFIG $static --libs "$1")
}

# shellcheck disable=SC2046,SC2086
compile_as_cxx() {
  $CXX -x c++ -std=c++11 -Wall -Wextra -pedantic -Werror $FLAGS $($PKG_CONFIG --cflags "$1") "$2" -x none \
    -o "$work/program" $($PKG_CONFIG $static --libs "$1")
}

# compiles NAME LIBRARY SOURCE: in C and, if there is a compiler for it, in C++; the programs run
compiles() {
  check "$1 compiles as C against $2" compile "$2" "$3"
  check "$1 runs" runs "$work/program"
  if command -v "${CXX%% *}" >/dev/null 2>&1; then
    check "$1 compiles as C++ against $2" compile_as_cxx "$2" "$3"
    check "$1 runs as C++" runs "$work/program"
  else
    skip "$1 compiles as C++ against $2" "there is no C++ compiler"
  fi
}

runs() {
  (cd "$work" && "$@")
}

# cmake_project: prints a CMake project that finds the package in the folder `root`, but not in a version that does not
# exist, and builds embed.c and read.c
cmake_project() {
  cat <<'END'
cmake_minimum_required(VERSION 3.10)
project(example C)
find_package(neap 99 QUIET CONFIG)
if(neap_FOUND)
  message(FATAL_ERROR "neap ${neap_VERSION} passes for version 99")
endif()
unset(neap_DIR CACHE)
set(neap_DIR "${folder}")
find_package(neap ${version} EXACT REQUIRED CONFIG COMPONENTS neap io OPTIONAL_COMPONENTS other)
if(neap_other_FOUND)
  message(FATAL_ERROR "neap has a component that it does not have")
endif()
foreach(name neap io)
  get_target_property(headers neap::${name} INTERFACE_INCLUDE_DIRECTORIES)
  get_target_property(library neap::${name} IMPORTED_LOCATION)
  foreach(file "${headers}/neap/neap.h" "${library}")
    string(FIND "${file}" "${root}/" start)
    if(NOT start EQUAL 0 OR NOT EXISTS "${file}")
      message(FATAL_ERROR "neap::${name} has ${file}, which is not in ${root}")
    endif()
  endforeach()
endforeach()
add_executable(embed "${embed}")
target_link_libraries(embed PRIVATE neap::neap)
add_executable(read ../read.c)
target_link_libraries(read PRIVATE neap::io)
find_package(neap QUIET CONFIG COMPONENTS models)
if(neap_FOUND)
  add_executable(fit ../fit.c)
  target_link_libraries(fit PRIVATE neap::models)
endif()
END
}

# with_cmake ROOT [ARGUMENT]: builds that project against the installation below ROOT; other packages are the system's
with_cmake() {
  rm -rf "$work/cmake" && mkdir "$work/cmake" && cmake_project >"$work/cmake/CMakeLists.txt" &&
    env -u LDFLAGS -u CFLAGS -u CPPFLAGS -u PKG_CONFIG_SYSROOT_DIR -u PKG_CONFIG_ALLOW_SYSTEM_CFLAGS \
      -u PKG_CONFIG_ALLOW_SYSTEM_LIBS CC="$CC" cmake -S "$work/cmake" -B "$work/cmake/build" -Wno-dev \
      -Droot="$1" -Dfolder="$1$libdir/cmake/neap" -Dversion="$version" -Dembed="$NEAP_SOURCE/examples/embed.c" \
      -Dneap_DIR="$1$libdir/cmake/neap" -DCMAKE_C_FLAGS="$FLAGS" ${2+"$2"} &&
    cmake --build "$work/cmake/build"
}

# moved: copies the libraries and the headers to another place
moved() {
  mkdir -p "$work/moved$libdir/cmake" "$work/moved$includedir" &&
    cp -R -P "$DESTDIR$libdir"/libneap* "$work/moved$libdir" &&
    cp -R "$DESTDIR$libdir/cmake/neap" "$work/moved$libdir/cmake" &&
    cp -R "$DESTDIR$includedir/neap" "$work/moved$includedir"
}

check "pkg-config knows neap $version" says "$version" "$PKG_CONFIG" --modversion neap
check "the program says $version" says "$version" "$program" --version
check "the program says what it can do" says plan "$program" --help
for page in man1/neap.1 man5/neap-formats.5 man7/neap-planning.7; do
  check "the manual page $page is there" says .TH gzip -cdf "$DESTDIR$mandir/$page"*
done
check "completion in bash is there" says "complete -F _neap neap" cat "$DESTDIR$datadir/bash-completion/completions/neap"
check "completion in zsh is there" says "#compdef neap" cat "$DESTDIR$zshcompletiondir/_neap"
compiles embed.c neap "$NEAP_SOURCE/examples/embed.c"
compiles pack.c neap "$NEAP_SOURCE/examples/hosts/c/pack.c"
cat >"$work/version.c" <<'END'
#include <neap/neap-io.h>
#include <string.h>

int main(void) {
  return neap_version_number() != NEAP_VERSION_NUMBER || strcmp(neap_version(), NEAP_VERSION_STRING) != 0;
}
END
compiles "a comparison of the header's version with the library's" neap "$work/version.c"
cat >"$work/read.c" <<'END'
#include <neap/neap-io.h>

int main(void) {
  neap_problem *problem;
  neap_error error;
  neap_status status = neap_problem_read("two.csv", NULL, &problem, &error);
  if (status != NEAP_OK || neap_problem_count(problem) != 2) return 1;
  neap_problem_free(problem);
  return 0;
}
END
cat >"$work/fit.c" <<'END'
#include <neap/models.h>

int main(void) {
  neap_model *model;
  neap_error error;
  if (neap_model_open("model.tflite", NULL, &model, &error) != NEAP_OK) return 1;
  neap_model_free(model);
  return 0;
}
END
printf 'id,lower,upper,size\na,0,2,8\nb,1,3,8\n' >"$work/two.csv"
compiles "a program that reads a file" neap-io "$work/read.c"
if [ -e "$DESTDIR$includedir/neap/models.h" ]; then
  cp "$NEAP_SOURCE/examples/branches.tflite" "$work/model.tflite"
  compiles "a program that opens a model" neap-models "$work/fit.c"
  check "fit.c compiles against neap-models" compile neap-models "$NEAP_SOURCE/examples/fit.c"
  check "fit.c makes a model fit" says fits runs "$work/program" model.tflite 6144 fits.tflite
fi

# plans_in_python FOLDER: the package there, with the installed libraries, plans here and in a process
plans_in_python() {
  (
    PYTHONPATH=$1 PYTHONDONTWRITEBYTECODE=1 NEAP_LIBRARIES=$DESTDIR$libdir NEAP_PROGRAM=$program
    export PYTHONPATH PYTHONDONTWRITEBYTECODE NEAP_LIBRARIES NEAP_PROGRAM
    cd "$work" && says "8 8" "$PYTHON" -c '
import neap
problem = neap.Problem()
problem.add(8, 0, 1)
problem.add(8, 1, 2)
print(neap.plan(problem).peak, neap.plan(problem, process=True).peak)'
  )
}

# The source may be read-only, and pip builds there.
installs_with_pip() {
  cp -R "$NEAP_SOURCE/python" "$work/python" && chmod -R u+w "$work/python" &&
    PKG_CONFIG_SYSROOT_DIR=${DESTDIR:-} "$PYTHON" -m pip install -q --no-build-isolation --no-deps --no-index \
      --disable-pip-version-check --root-user-action ignore --target "$work/pip" "$work/python"
}

if [ -n "${PYTHON-}" ]; then
  # shellcheck disable=SC2154 # of the environment
  check "the Python package is there" plans_in_python "$DESTDIR$pythondir"
  if "$PYTHON" -c 'import setuptools, pip, wheel' 2>/dev/null; then
    check "pip installs the Python package" installs_with_pip
    check "what pip installed plans" plans_in_python "$work/pip"
  else
    skip "pip installs the Python package" "pip, setuptools or wheel is missing"
  fi
else
  skip "the Python package is there" "configure found no Python, or the build has sanitizers"
fi
if command -v cmake >/dev/null 2>&1; then
  check "CMake finds the package and builds with it" with_cmake "$DESTDIR"
  check "what CMake has built runs" runs "$work/cmake/build/embed"
  check "what CMake has built with neap::io runs" runs "$work/cmake/build/read"
  check "the installation can be copied" moved
  check "CMake finds the package in another place" with_cmake "$work/moved"
  if [ -e "$DESTDIR$libdir/libneap.a" ]; then
    check "CMake builds with the static libraries" with_cmake "$DESTDIR" -Dneap_USE_STATIC_LIBS=ON
    check "what CMake has linked statically runs" runs "$work/cmake/build/read"
  fi
else
  skip "CMake finds the package and builds with it" "there is no cmake"
fi
tap_end
[ "$tap_failures" -eq 0 ]
