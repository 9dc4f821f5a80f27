# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the package.

In a source distribution, which build-aux/wheel.sh makes, it builds the libraries and the program
and puts them into the package.  In a checkout, it builds the package for an installed libneap,
which pkg-config finds.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "source"
IS_SELF_CONTAINED = SOURCE.exists()

INSTALLED = '''"""Where neap was installed."""
LIBRARIES = {libraries!r}
PROGRAM = {program!r}
VERSION = {version!r}
'''
BUNDLED = '''"""Where neap was installed: in the package neap."""
import os

PACKAGES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIBRARIES = os.path.join(PACKAGES, "neap", "_native")
PROGRAM = os.path.join(LIBRARIES, "neap")
VERSION = {version!r}
'''


def pkg_config(*arguments: str) -> str:
    """The output of pkg-config for libneap, including the system's folders."""
    everything = {"PKG_CONFIG_ALLOW_SYSTEM_CFLAGS": "1", "PKG_CONFIG_ALLOW_SYSTEM_LIBS": "1"}
    command = [os.environ.get("PKG_CONFIG", "pkg-config"), *arguments, "neap"]
    try:
        found = subprocess.run(
            command, env={**os.environ, **everything}, check=True, capture_output=True, text=True
        )
    except (OSError, subprocess.CalledProcessError):
        sys.exit("pkg-config does not find neap: install it, or add its folder to PKG_CONFIG_PATH")
    return found.stdout.strip()


def folder_of(file: str, flag: str, option: str) -> Path:
    """The first folder with this file among those that an option of pkg-config prints after a flag."""
    for word in shlex.split(pkg_config(option)):
        folder = Path(word.removeprefix(flag))
        if (folder / file).exists():
            return folder
    sys.exit(f"no folder that pkg-config names for neap has {file}: install libneap with its headers")


def find_program() -> str:
    """The program of the same installation, or else the one in PATH."""
    program = Path(pkg_config("--variable=exec_prefix")) / "bin" / "neap"
    return str(program) if program.exists() else shutil.which("neap") or ""


def version() -> str:
    """The version of the library."""
    if not IS_SELF_CONTAINED:
        return pkg_config("--modversion")
    header = (SOURCE / "include/neap/neap.h").read_text(encoding="utf-8")
    return ".".join(re.findall(r"^#define NEAP_VERSION_M[A-Z]+ (\d+)$", header, re.MULTILINE))


def build_native(folder: Path, package: Path) -> None:
    """Builds the libraries and the program in a folder, and copies them into the package."""
    folder.mkdir(parents=True, exist_ok=True)
    # Only installed libraries are free of the path of the folder where they were built.
    installed = folder / "installed"
    targets = ["libneap.la", "libneap-io.la", "libneap-models.la", "neap", "install-libLTLIBRARIES", f"DESTDIR={installed}"]
    subprocess.run(["sh", str(HERE / "native.sh"), *targets], cwd=folder, check=True)
    native = package / "_native"
    native.mkdir(parents=True, exist_ok=True)
    for name in ("libneap.so.1", "libneap-io.so.1", "libneap-models.so.1"):
        shutil.copy(installed / "usr" / "lib" / name, native / name)
    shutil.copy(folder / "neap" / "neap", native / "neap")


class BuildWithLibrary(build_py):
    """Also makes the modules that depend on the library, and the library itself if it is bundled."""

    def run(self) -> None:
        super().run()
        package, parts = Path(self.build_lib) / "neap", Path(self.build_lib) / "_neap"
        if IS_SELF_CONTAINED:
            build_native(Path(self.get_finalized_command("build").build_temp).resolve(), package)
            headers, location = SOURCE / "include" / "neap", BUNDLED.format(version=version())
        else:
            headers = folder_of("neap/neap.h", "-I", "--cflags-only-I") / "neap"
            libraries = str(folder_of("libneap.so", "-L", "--libs-only-L"))
            program = find_program()
            location = INSTALLED.format(libraries=libraries, program=program, version=version())
        declarations = str(parts / "declarations.py")
        command = [sys.executable, str(HERE / "declarations.py"), str(headers), declarations]
        subprocess.run(command, check=True)
        (parts / "location.py").write_text(location, encoding="utf-8")


class PackageWithLibrary(Distribution):
    """A package for one kind of machine, if the libraries are in it."""

    def has_ext_modules(self) -> bool:
        return IS_SELF_CONTAINED


class WheelForAnyPython(bdist_wheel):
    """The libraries do not depend on the version of Python."""

    def get_tag(self) -> tuple[str, str, str]:
        _, _, platform = super().get_tag()
        return "py3", "none", platform

    def write_wheelfile(self, wheelfile_base: str, *arguments: str) -> None:
        """Also adds the bill of materials, in the place that PEP 770 prescribes."""
        super().write_wheelfile(wheelfile_base, *arguments)
        if IS_SELF_CONTAINED:
            bills = Path(wheelfile_base) / "sboms"
            bills.mkdir(exist_ok=True)
            shutil.copy(HERE / "neap.spdx.json", bills)


# Elsewhere, the program comes with the library.
PROGRAMS = {"console_scripts": ["neap = neap.__main__:main"]} if IS_SELF_CONTAINED else {}

setup(
    version=version(),
    entry_points=PROGRAMS,
    distclass=PackageWithLibrary,
    cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": WheelForAnyPython},
)
