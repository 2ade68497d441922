# SPDX-License-Identifier: Apache-2.0
# The playground: model, assembler, debugger and pictures as WebAssembly, in one page that needs nothing beside it.
# What reads ELF files stays out, as there is no libelf; no_elf.c stands for it.
WEB_ELF     := assembler/elf_load.c $(shell grep -lE '"(elf_reader|image_elf|cubin_elf)\.h"' assembler/image/*.c \
	assembler/cubin/*.c)
WEB_SRC     := $(filter-out $(WEB_ELF),$(filter assembler/% cmodel/% checker/view/%,$(LIB_SRC))) $(DERIVED) \
	web/playground.c web/no_elf.c
WEB_KERNELS := $(addprefix kernels/apps/,vecadd.sass collatz.sass reduce.sass scan.sass bitonic.sass histogram.sass \
	transpose.sass edge.sass life.sass mandelbrot-fixed.sass sha256.sass) web/kernels/divergence.sass
WEB_FILES   := $(WEB_KERNELS) $(wildcard kernels/apps/*.inc $(WEB_KERNELS:.sass=/*)) \
	$(addprefix docs/,assembly.md debug.md isa.md)
WEB_EXPORTS := $(subst $(space),$(comma),$(addprefix _,$(sort $(shell grep -o 'playground_[a-z]*' web/playground.h))))
WEB_LINK    := -O2 -sSINGLE_FILE=1 -sALLOW_MEMORY_GROWTH=1 -sENVIRONMENT=web -sMODULARIZE=1 -sEXPORT_NAME=Warpstep \
	-sEXPORTED_RUNTIME_METHODS=cwrap,FS -sEXPORTED_FUNCTIONS=$(WEB_EXPORTS)
build/web/playground.js: $(WEB_SRC:%.c=build/wasm/%.o) $(WEB_FILES) web/web.mk
	$(call step,EMCC,$(cc_wasm) $(WEB_LINK) $(filter %.o,$^) $(WEB_FILES:%=--embed-file %) -o $@)
build/web/index.html: web/page.html web/page.css build/web/playground.js web/page.js web/inline.awk
	$(call step,PAGE,awk -f web/inline.awk $(filter-out %.awk,$^) > $@)
web: build/web/index.html #+ the playground, one page: build/web/index.html
test-web: build/web/index.html build/bin/warp-run build/bin/warp-as #+ the playground in a headless Chromium
	$(Q)testbench/run_tests.sh web/test.sh
deps-web: #+ emscripten and Chromium, for web and test-web
	@.ci/deps emscripten chromium
