// SPDX-License-Identifier: Apache-2.0
// decode_flat.vhd in Verilator, see control.h: sets the words, lets the logic settle, takes the vector apart.
#include "Vdecode_flat.h"
#include "verilated.h"

extern "C" {
#include "control.h"
}

namespace {

constexpr unsigned BITS[CONTROL_COUNT] = {
    1,
#define CONTROL(name, type, bits, text) bits,
#include "../../spec/control.def"
};

} // namespace

struct decoder {
    VerilatedContext context;
    Vdecode_flat top{&context, "decode_flat"};
};

extern "C" struct decoder *decoder_create(void) { return new decoder; }

extern "C" void decoder_destroy(struct decoder *decoder) { delete decoder; }

extern "C" void decoder_run(struct decoder *decoder, uint32_t lo, uint32_t hi, uint32_t is[CONTROL_COUNT]) {
    decoder->top.lo_i = lo;
    decoder->top.hi_i = hi;
    decoder->top.eval();
    unsigned place = 0; // of the lowest bit not yet taken
    for (unsigned i = CONTROL_COUNT; i-- > 0; place += BITS[i]) {
        uint64_t word = decoder->top.control_o[place / 32];
        if (place % 32 + BITS[i] > 32) word |= static_cast<uint64_t>(decoder->top.control_o[place / 32 + 1]) << 32;
        is[i] = static_cast<uint32_t>(word >> place % 32 & ((uint64_t{1} << BITS[i]) - 1));
    }
}
