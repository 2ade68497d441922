// SPDX-License-Identifier: Apache-2.0
// The slices of an ECP5 have multiplexers beside their LUTs, so that eight words need four LUT4 a bit instead of five.
// yosys' mapper uses these multiplexers only as part of LUTs of five and six inputs. fpga/timing/wide_mux.v
// instantiates them, and replaces rtl/common/mux_word.vhd with at least that many words.
#include <stdio.h>

#include "pass.h"

enum { FEWEST_WORDS = 8 };

bool pass_wide_mux(struct design *design, const char *argument, struct fault *fault) {
    (void)argument, (void)fault;
    for (struct module *module = design->modules; module; module = module->next) {
        unsigned words;
        if (sscanf(module->name, "mux_word_%u", &words) != 1 || words < FEWEST_WORDS) continue;
        module->items = item_text(design, pool_format(&design->pool,
                                                      "  wide_mux #(.WORDS(%u), .BITS(32)) u_mux (.words_i(words_i), "
                                                      ".index_i(index_i), .word_o(word_o));\n",
                                                      words));
    }
    return true;
}
