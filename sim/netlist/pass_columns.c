// SPDX-License-Identifier: Apache-2.0
// For a memory with several write enables ghdl makes one memory for each, and so at least a block RAM each. A block RAM
// has an enable for each of its bytes; fpga/timing/ram_columns.v uses them. It replaces those memories of ram_1r1w.vhd
// that do not guarantee new data. ghdl names a module after its generics and the digest of the last one.
#include <string.h>

#include "pass.h"

// SHA-1 of a byte 0, which is false.
#define NO_NEW_DATA "5ba93c9db0cff93f52b521d7420e43f6eda2784f"

struct generics {
    unsigned addr_bits, column_bits, columns, seed;
    char new_data[41];
};

static bool is_replaced(const char *name, struct generics *g) {
    return sscanf(name, "ram_1r1w_%u_%u_%u_%u_%40s", &g->addr_bits, &g->column_bits, &g->columns, &g->seed,
                  g->new_data) == 5 &&
           g->columns > 1 && strcmp(g->new_data, NO_NEW_DATA) == 0;
}

bool pass_columns(struct design *design, const char *argument, struct fault *fault) {
    (void)argument, (void)fault;
    for (struct module *module = design->modules; module; module = module->next) {
        struct generics g;
        if (!is_replaced(module->name, &g)) continue;
        module->items = item_text(
            design, pool_format(&design->pool,
                                "  ram_columns #(.ADDR_BITS(%u), .COLUMN_BITS(%u), .COLUMNS(%u)) u_columns (.clk(clk), "
                                ".re_i(re_i),\n    .raddr_i(raddr_i), .we_i(we_i), .waddr_i(waddr_i), "
                                ".wdata_i(wdata_i), .rdata_o(rdata_o));\n",
                                g.addr_bits, g.column_bits, g.columns));
    }
    return true;
}
