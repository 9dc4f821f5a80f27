# SPDX-License-Identifier: GPL-3.0-or-later
"""The former names of modules, for one release."""
from __future__ import annotations

import importlib
import sys
import warnings


def forward(name: str, target: str) -> None:
    """Makes the module `name` another name of `target`, or runs that, with a warning."""
    module = importlib.import_module(target)
    former = "neap." + target.rpartition(".")[2]
    if name == "__main__":
        print(f"{former}: this module is now {target}", file=sys.stderr)
        sys.exit(module.main(sys.argv[1:]))
    warnings.warn(f"{former} is now {target}", DeprecationWarning, stacklevel=3)
    sys.modules[name] = module
