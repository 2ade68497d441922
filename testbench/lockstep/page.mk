# SPDX-License-Identifier: Apache-2.0
# What testbench/lockstep/run_page.sh needs; it builds the examples themselves by the commands of their page.
needs_lockstep := $(TOOLS) $(LIB)
