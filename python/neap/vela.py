# SPDX-License-Identifier: GPL-3.0-or-later
"""The former name of `neap.hosts.vela`."""
from neap import _moved
from neap.hosts.vela import *  # pylint: disable=wildcard-import,unused-wildcard-import

_moved.forward(__name__, "neap.hosts.vela")
