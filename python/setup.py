# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the package for an installed libneap, which pkg-config finds."""
import os
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


class BuildWithLibrary(build_py):
    """Also makes the modules that depend on the library."""

    def run(self) -> None:
        super().run()
        package = Path(self.build_lib) / "neap"
        headers = Path(pkg_config("--cflags-only-I").removeprefix("-I")) / "neap"
        libraries = pkg_config("--libs-only-L").removeprefix("-L")
        program = shutil.which("neap") or str(Path(libraries).parent / "bin" / "neap")
        declarations = package / "_declarations.py"
        command = [sys.executable, str(HERE / "declarations.py"), str(headers), str(declarations)]
        subprocess.run(command, check=True)
        (package / "_location.py").write_text(
            f'"""Where neap was installed."""\nLIBRARIES = {libraries!r}\nPROGRAM = {program!r}\n',
            encoding="utf-8",
        )


setup(version=pkg_config("--modversion"), cmdclass={"build_py": BuildWithLibrary})
