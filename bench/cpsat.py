# SPDX-License-Identifier: GPL-3.0-or-later
"""cpsat.py FILE SECONDS: prints the lowest peak that CP-SAT finds for a problem in JSON, and whether it is proven.

Needs OR-Tools.  The model is that of tests/property/oracle, so that it has all relations."""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "property" / "oracle"))

import meaning  # noqa: E402
import solver  # noqa: E402

peak, is_proven = solver.lowest_peak(meaning.read(json.loads(pathlib.Path(sys.argv[1]).read_text())), float(sys.argv[2]))
print(json.dumps({"peak": peak, "proven": is_proven}))
