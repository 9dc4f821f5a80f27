# SPDX-License-Identifier: GPL-3.0-or-later
# Where the libraries were installed, and their version: a generated module.
LIBRARIES: str
PROGRAM: str
VERSION: str
