# SPDX-License-Identifier: GPL-3.0-or-later
"""The former name of `neap.hosts.cadence`."""
from neap import _moved
from neap.hosts.cadence import *  # pylint: disable=wildcard-import,unused-wildcard-import

_moved.forward(__name__, "neap.hosts.cadence")
