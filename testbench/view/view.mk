# SPDX-License-Identifier: Apache-2.0
# Pictures for the pages, drawn by our own tools from runs of the RTL.

PICTURES := docs/img/reduce.svg
.PHONY: pictures
pictures: $(TOOLS) build/sim/libsim-verilator-C8-S1.so ## draw the pictures of docs/img again
	$(call say,DRAW)
	$(Q)mkdir -p docs/img build/pictures && for picture in $(PICTURES); do name=$$(basename $$picture .svg) && \
		build/bin/warp-lockstep kernels/apps/$$name.sass --trace build/pictures/$$name.txt > /dev/null && \
		build/bin/warp-view build/pictures/$$name.txt -o $$picture \
		--title "kernels/apps/$$name.sass on 8 cores" > /dev/null || exit 1; done

uses_test_warp_view := scratch.c
