# SPDX-License-Identifier: GPL-3.0-or-later
# Where the libraries were installed: a generated module.
LIBRARIES: str
PROGRAM: str
