# SPDX-License-Identifier: Apache-2.0
# An example includes headers from where they are installed.
s,#include "\.\./sim\.h",#include <warpstep/checker/port/sim.h>,
s,#include "\(\.\./\)*\([a-z]*/.*\)",#include <warpstep/\2>,
