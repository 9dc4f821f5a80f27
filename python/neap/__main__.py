# SPDX-License-Identifier: GPL-3.0-or-later
"""The program neap: `python3 -m neap plan model.tflite`."""
import os
import sys
from typing import NoReturn

from neap.process import program


def main() -> NoReturn:
    """Becomes the program, with the same arguments."""
    found = program()
    try:
        os.execvp(found, ["neap", *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"neap: cannot run {found}: {error.strerror}; set NEAP_PROGRAM to the program")


if __name__ == "__main__":
    main()
