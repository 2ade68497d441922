/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions from and to floating point: I2F, F2I, F2F. Source: docs/isa.md 8.5. */
#include "../exec.h"
#include "float.h"

static bool has(const struct isa_insn *insn, enum isa_attr attr) { return (insn->attr & attr) != 0; }

/* Rounded to 11 bits, or to a multiple of 2^-24 in the range of F16's denormals. With `drop` the remaining bits are
 * dropped, but the code still decides about an overflow. Source: docs/isa.md 8.5. */
static uint32_t f16_of_f32(uint32_t x, enum rounding code, bool drop) {
    const bool negative = f32_is_negative(x);
    const uint32_t sign = negative ? F16_SIGN : 0;
    const int exponent = (int)f32_exponent(x) - 127;
    if (f32_is_nan(x)) return F16_NAN;
    if (f32_is_infinite(x) || exponent < -33) return sign | (exponent < -33 ? 0 : F16_INFINITY);
    const unsigned excess = exponent >= -14 ? 13 : (unsigned)(13 - 14 - exponent);
    const uint32_t bits = (uint32_t)round_off(f32_fraction(x) | 0x800000, excess, negative, drop ? ROUND_ZERO : code);
    const uint32_t half = (exponent >= -14 ? (uint32_t)(exponent + 14) << 10 : 0) + bits; /* bit 10 adds 1 to the
                                                                                           * exponent in both cases */
    if (half < F16_INFINITY) return sign | half;
    return sign | (overflows_to_infinity(negative, code) ? F16_INFINITY : F16_LARGEST);
}

/* -------------------------------------------------------------------------------------------------- from integers */

/* Source and destination of an I2F, and its modifiers. */
struct from_integer {
    unsigned bits; /* width of the source: 8, 16, 32 */
    bool is_signed, absolute, negate;
    bool half; /* to F16 */
    bool saturate;
    enum rounding code;
};

static struct from_integer from_integer_of(const struct isa_insn *insn) {
    return (struct from_integer){
        .bits = has(insn, ISA_BYTE)    ? 8
                : has(insn, ISA_SRC16) ? 16
                                       : 32,
        .is_signed = has(insn, ISA_SIGN_A),
        .absolute = insn->src[0].absolute,
        .negate = insn->src[0].negate,
        .half = has(insn, ISA_W16),
        .saturate = has(insn, ISA_SAT),
        .code = (enum rounding)insn->rounding,
    };
}

/* Two faults of the chip's conversion to F16, which lose upper bits of large numbers. Returns the magnitude m with
 * which the chip continues. `negative` is the sign of the result, `was_negative` that of the source. Source:
 * docs/isa.md 8.5. */
static uint32_t lose_upper_bits(uint32_t m, bool negative, bool was_negative, enum rounding code) {
    const uint32_t run = 0x3fffffe0; /* bits 5 to 29 */
    if (overflows_to_infinity(negative, code) && (m & run) == run) m = 0;
    const uint32_t low = (was_negative ? m - 1 : m) & 0xffff;
    const unsigned zeros = low != 0 ? (unsigned)__builtin_clz(low) - 16 : 16;
    return m & UINT32_MAX >> (2 + (zeros < 5 ? zeros : 5));
}

static uint32_t convert_from_integer(uint32_t source, const struct from_integer *how) {
    const uint32_t low = source & width_mask(how->bits);
    const uint32_t v = how->is_signed ? isa_sext(low, how->bits) : low;
    const bool was_negative = how->is_signed && (v & 0x80000000u) != 0;
    const bool negative = (was_negative && !how->absolute) != how->negate;
    uint32_t m = was_negative ? 0u - v : v;
    if (how->half) m = lose_upper_bits(m, negative, was_negative, how->code);
    uint32_t x = negative ? F32_SIGN : 0;
    if (m != 0) x = f32_round(real_make(negative, m, 0), how->code);
    x = how->saturate ? f32_saturate(x) : x;
    return how->half ? f16_of_f32(x, how->code, false) : x;
}

EXEC(exec_i2f) {
    const struct from_integer how = from_integer_of(in->insn);
    for (unsigned i = 0; i < WARP_LANES; i++) out->value[i] = convert_from_integer(in->a[i], &how);
}

/* ------------------------------------------------------------------------------------------- from floating point */

/* The source of F2I and F2F: widened to F32 if it is an F16, modified; denormals become zero, NaNs the one NaN. */
static uint32_t read_float(const struct isa_insn *insn, uint32_t bits) {
    const uint32_t wide = has(insn, ISA_SRC16) ? f32_of_f16(bits) : bits;
    const uint32_t x = f32_modify(wide, insn->src[0].absolute, insn->src[0].negate);
    return f32_is_nan(x) ? F32_NAN : f32_flush(x);
}

/* |x| rounded to an integer; at least 2^62 if x is larger or infinite. */
static uint64_t round_to_integer(uint32_t x, enum rounding code) {
    const int scale = (int)f32_exponent(x) - 127 - 23; /* exponent of the lowest bit */
    if (f32_is_zero(x)) return 0;
    const uint64_t bits = f32_fraction(x) | 0x800000;
    if (scale >= 0) return bits << (scale < 39 ? scale : 39);
    return round_off(bits, scale > -63 ? (unsigned)-scale : 63, f32_is_negative(x), code);
}

/* x rounded to an integer of `bits` bits, and clamped to their range. A NaN gives 0. */
static uint32_t convert_to_integer(uint32_t x, unsigned bits, bool is_signed, enum rounding code) {
    if (f32_is_nan(x)) return 0;
    const int64_t magnitude = (int64_t)round_to_integer(x, code);
    const int64_t n = f32_is_negative(x) ? -magnitude : magnitude;
    const int64_t lowest = is_signed ? -((int64_t)1 << (bits - 1)) : 0;
    const int64_t highest = lowest + (((int64_t)1 << bits) - 1);
    return (uint32_t)(n < lowest ? lowest : n > highest ? highest : n) & width_mask(bits);
}

/* F2I always clamps: its saturation bit has no effect. */
EXEC(exec_f2i) {
    const enum rounding code = (enum rounding)in->insn->rounding;
    for (unsigned i = 0; i < WARP_LANES; i++) {
        out->value[i] =
            convert_to_integer(read_float(in->insn, in->a[i]), exec_width(in->insn), has(in->insn, ISA_SIGN_D), code);
    }
}

/* x rounded to an integral value, which keeps its sign even if it is zero. */
static uint32_t make_integral(uint32_t x, enum rounding code) {
    if (!f32_is_finite(x) || f32_exponent(x) >= 127 + 23) return x;
    const uint64_t n = round_to_integer(x, code);
    return n == 0 ? x & F32_SIGN : f32_round(real_make(f32_is_negative(x), n, 0), ROUND_NEAREST);
}

EXEC(exec_f2f) {
    const enum rounding code = (enum rounding)in->insn->rounding;
    for (unsigned i = 0; i < WARP_LANES; i++) {
        uint32_t x = read_float(in->insn, in->a[i]);
        x = has(in->insn, ISA_SAT) ? f32_saturate(x) : x;
        x = in->insn->integral ? make_integral(x, code) : x;
        out->value[i] = has(in->insn, ISA_W16) ? f16_of_f32(x, code, in->insn->integral) : x;
    }
}
