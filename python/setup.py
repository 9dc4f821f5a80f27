# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the package for an installed libneap, which pkg-config finds."""
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent


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


class BuildWithLibrary(build_py):
    """Also makes the modules that depend on the library."""

    def run(self) -> None:
        super().run()
        package = Path(self.build_lib) / "neap"
        headers = folder_of("neap/neap.h", "-I", "--cflags-only-I") / "neap"
        libraries = str(folder_of("libneap.so", "-L", "--libs-only-L"))
        declarations = str(package / "_declarations.py")
        command = [sys.executable, str(HERE / "declarations.py"), str(headers), declarations]
        subprocess.run(command, check=True)
        (package / "_location.py").write_text(
            f'"""Where neap was installed."""\nLIBRARIES = {libraries!r}\nPROGRAM = {find_program()!r}\n',
            encoding="utf-8",
        )


setup(version=pkg_config("--modversion"), cmdclass={"build_py": BuildWithLibrary})
