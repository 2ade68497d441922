# SPDX-License-Identifier: Apache-2.0
# Coverage, the third opinion, pictures.
# Runs in lockstep save what they cover to the directory that WARPSTEP_COVERAGE names.
COVERAGE_TEST  := build/coverage/test
COVERAGE_CHECK := build/checker/coverage/report/coverage_report $(COVERAGE_TEST) checker/coverage/unreachable.txt \
	check checker/coverage/floor-test.txt
# Lines, branches and toggles of the RTL are those of one SM of 8 cores.
coverage: all build/sim/libsim-verilator-C8-S1-coverage.so $(TESTED:%=build/gcov/%)
coverage: #+ what RTL, model and C side execute: build/coverage/index.html
	$(Q)checker/coverage/run.sh
# A simulation that lies, and a model that does: its step is replaced by one that changes the record it gives.
SHARED        += build/checker/opinion/liar.so
needs_opinion := build/checker/opinion/liar.so
build/checker/opinion/liar.so: build/checker/opinion/liar/liar.o build/checker/record/field.o
pictures: $(TOOLS) build/sim/libsim-verilator-C8-S1.so $(VHDL_TOOL) #+ draw those of docs/ again
	$(Q)awk -f checker/view/machine.awk > build/machine.svg && mv build/machine.svg docs/machine.svg
	$(Q)build/bin/warp-lockstep kernels/apps/reduce.sass --trace build/reduce.txt > /dev/null && \
		build/bin/warp-view build/reduce.txt -o docs/img/reduce.svg --title "kernels/apps/reduce.sass on 8 cores" > /dev/null
