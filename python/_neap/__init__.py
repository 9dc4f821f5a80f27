# SPDX-License-Identifier: GPL-3.0-or-later
"""What the modules of neap share, which is not for programs."""
import neap  # first, because its modules and those here import each other
