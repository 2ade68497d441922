# SPDX-License-Identifier: Apache-2.0
# The table of docs/trace.md that says what to report, from the model.

WHAT_TO_REPORT := build/checker/record/doc/what_to_report
$(call programs,plain,checker/record/doc/what_to_report,checker/record/doc/what_to_report.c)

uses_test_wave_view := scratch.c
uses_test_stage_trace := fixture.c
uses_test_last_store := fixture.c

# What checker/tool/run_page.sh needs; it builds the examples themselves by the commands of their page.
needs_tool := $(TOOLS) $(LIB)
