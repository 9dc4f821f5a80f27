# SPDX-License-Identifier: GPL-3.0-or-later
"""Internal code that the modules of neap share."""
import neap  # first, because its modules and those here import each other
