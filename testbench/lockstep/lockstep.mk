# SPDX-License-Identifier: Apache-2.0
# The table of docs/trace.md that says what to report, from the model.

WHAT_TO_REPORT := build/testbench/lockstep/doc/what_to_report
$(call programs,plain,testbench/lockstep/doc/what_to_report,testbench/lockstep/doc/what_to_report.c)

uses_test_wave_view := scratch.c
uses_test_stage_trace := fixture.c
uses_test_last_store := fixture.c
