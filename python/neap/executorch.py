# SPDX-License-Identifier: GPL-3.0-or-later
"""The former name of `neap.hosts.executorch`."""
from neap import _moved
from neap.hosts.executorch import *  # pylint: disable=wildcard-import,unused-wildcard-import

_moved.forward(__name__, "neap.hosts.executorch")
