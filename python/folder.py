#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the folder of packages for this interpreter below a prefix, for a Makefile.

    folder.py PREFIX
"""
import sys
import sysconfig


def folder(prefix: str) -> str:
    """The folder, which begins with ${prefix}."""
    schemes = sysconfig.get_scheme_names()
    if prefix == sys.prefix and "deb_system" in schemes:
        found = sysconfig.get_path("purelib", "deb_system")
    elif prefix == f"{sys.prefix}/local" and "posix_local" in schemes:
        found = sysconfig.get_path("purelib", "posix_local")
    else:
        found = sysconfig.get_path("purelib", "posix_prefix", {"base": prefix})
    return found.replace(prefix, "${prefix}", 1)


if __name__ == "__main__":
    print(folder(sys.argv[1]))
