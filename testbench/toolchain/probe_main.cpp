// SPDX-License-Identifier: Apache-2.0
// The twin of probe_tb.vhd for the Verilog of all probes side by side: one row of hex digits a step, two for each
// probe.
#include <cstdint>
#include <cstdio>

#include "Vprobes.h"
#include "verilated.h"

template <size_t WORDS> static void print_row(const VlWide<WORDS> &y, size_t bytes) {
    for (size_t i = bytes; i-- > 0;) std::printf("%02X", y[i / 4] >> i % 4 * 8 & 0xff);
    std::printf("\n");
}

static void print_row(uint64_t y, size_t bytes) {
    for (size_t i = bytes; i-- > 0;) std::printf("%02X", static_cast<unsigned>(y >> i * 8 & 0xff));
    std::printf("\n");
}

int main(int argc, char **argv) {
    const size_t probes = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 0;
    VerilatedContext context;
    Vprobes top(&context);
    uint32_t state = 0x2545f491;
    for (int i = 0; i < 4096; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        top.clk = 0;
        top.a = state & 0xff;
        top.b = state >> 8 & 0xff;
        top.eval();
        top.clk = 1;
        top.eval();
        print_row(top.y, probes);
    }
    return 0;
}
