# SPDX-License-Identifier: Apache-2.0
# Pictures for the pages, drawn by our own tools from runs of the RTL.

# That of the machine is made of its sources.
docs/machine.svg: checker/view/machine.awk $(VHDL_TOOL) $(RTL) spec/retire.def \
		$(wildcard cmodel/core/*.c cmodel/run/*.c)
	$(Q)awk -f $< > $@.tmp && mv $@.tmp $@

PICTURES := docs/img/reduce.svg
.PHONY: pictures
pictures: $(TOOLS) build/sim/libsim-verilator-C8-S1.so docs/machine.svg
pictures: ## draw the pictures of docs/img again, and docs/machine.svg
	$(call say,DRAW)
	$(Q)mkdir -p docs/img build/pictures && for picture in $(PICTURES); do name=$$(basename $$picture .svg) && \
		build/bin/warp-lockstep kernels/apps/$$name.sass --trace build/pictures/$$name.txt > /dev/null && \
		build/bin/warp-view build/pictures/$$name.txt -o $$picture \
		--title "kernels/apps/$$name.sass on 8 cores" > /dev/null || exit 1; done

uses_test_warp_view := scratch.c
