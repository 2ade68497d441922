// SPDX-License-Identifier: Apache-2.0
// Floating point of one lane, from docs/isa.md 2.8 and 8.1 to 8.6: an exact sum or product in a word that is wide
// enough, rounded once. `op` counts as float_t of spec/control.def. unit_bench holds this against the C model
// (float_model_run.cpp). Products are sums of four products of 16 bits, as in model.v.
//
// A number is (-1) ** negative * bits / 2 ** 63 * 2 ** (exponent - 127), bits of 64.
module float_model (
    input [3:0] op, input [1:0] rounding, input [3:0] compare, input neg_a, input neg_b, input abs_a, input abs_b,
    input saturate, input src16, input byte_, input to_half, input sign_a, input sign_d, input integral,
    input [31:0] a, input [31:0] b, input [31:0] c,
    output [31:0] value, output [3:0] flags
);
    localparam ADD = 1, MUL = 2, MAD = 3, COMPARE = 4, MAX = 5, MIN = 6, SELECT = 7, FROM_INTEGER = 8, TO_INTEGER = 9,
               CONVERT = 10, REDUCE_SIN = 11, REDUCE_EX2 = 12;
    localparam [1:0] NEAREST = 0, DOWN = 1, UP = 2, CHOP = 3;
    localparam [31:0] NAN = 32'h7fffffff, ONE = 32'h3f800000;

    // ---- numbers
    function is_nan(input [31:0] x); is_nan = x[30:0] > 31'h7f800000; endfunction
    function is_infinite(input [31:0] x); is_infinite = x[30:0] == 31'h7f800000; endfunction
    function is_zero(input [31:0] x); is_zero = x[30:23] == 0; endfunction
    function [23:0] significand(input [31:0] x); significand = {1'b1, x[22:0]}; endfunction
    function signed [11:0] exponent_of(input [31:0] x); exponent_of = {4'b0, x[30:23]}; endfunction
    function [31:0] flush(input [31:0] x); flush = is_zero(x) ? {x[31], 31'b0} : x; endfunction
    function [31:0] modify(input [31:0] x, input absolute, input negate);
        modify = {(x[31] && !absolute) ^ negate, x[30:0]};
    endfunction
    function [31:0] saturated(input [31:0] x);
        saturated = is_nan(x) ? NAN : x[31] ? 0 : x > ONE ? ONE : x;
    endfunction

    // ---- rounding: whether a number goes away from zero, its lowest bit being odd, the next one half, others rest
    function goes_up(input [1:0] code, input negative, input odd, input half, input rest);
        case (code)
        NEAREST: goes_up = half && (odd || rest);
        DOWN:    goes_up = negative && (half || rest);
        UP:      goes_up = !negative && (half || rest);
        default: goes_up = 0;
        endcase
    endfunction
    function to_infinity(input [1:0] code, input negative);
        to_infinity = code == NEAREST || code == (negative ? DOWN : UP);
    endfunction

    // The same number with its highest bit set, if it is not zero: {exponent, bits}.
    function [75:0] normal(input signed [11:0] exponent, input [63:0] bits);
        reg [63:0] x;
        reg [5:0]  places;
        begin
            x = bits;
            places = 0;
            if (x[63:32] == 0) begin x = x << 32; places = places + 32; end
            if (x[63:48] == 0) begin x = x << 16; places = places + 16; end
            if (x[63:56] == 0) begin x = x << 8;  places = places + 8; end
            if (x[63:60] == 0) begin x = x << 4;  places = places + 4; end
            if (x[63:62] == 0) begin x = x << 2;  places = places + 2; end
            if (x[63] == 0)    begin x = x << 1;  places = places + 1; end
            normal = {exponent - $signed({6'b0, places}), x};
        end
    endfunction

    // A normal number as F32: docs/isa.md 2.8.
    function [31:0] round_normal(input negative, input signed [11:0] exponent, input [63:0] x, input [1:0] code);
        reg [24:0] n;
        reg signed [11:0] e;
        begin
            n = {1'b0, x[63:40]} + goes_up(code, negative, x[40], x[39], x[38:0] != 0);
            e = n[24] ? exponent + 1 : exponent;
            round_normal = e < 1 ? {negative, 31'b0}
                           : e > 254 ? {negative, to_infinity(code, negative) ? 31'h7f800000 : 31'h7f7fffff}
                           : {negative, e[7:0], n[22:0]};
        end
    endfunction
    function [31:0] round(input negative, input signed [11:0] exponent, input [63:0] bits, input [1:0] code);
        reg signed [11:0] e;
        reg [63:0] x;
        begin
            {e, x} = normal(exponent, bits);
            round = round_normal(negative, e, x, code);
        end
    endfunction

    // ---- sums of two numbers with 24 bits, from bit 62 on: {is zero, negative, exponent, normal bits}
    function [77:0] sum(input negative_x, input signed [11:0] ex, input [23:0] x,
                        input negative_y, input signed [11:0] ey, input [23:0] y);
        reg x_larger, negative;
        reg signed [11:0] e, distance;
        reg [63:0] greater, lesser, moved, bits;
        begin
            x_larger = ex != ey ? ex > ey : x >= y;
            negative = x_larger ? negative_x : negative_y;
            e        = x_larger ? ex : ey;
            greater  = {1'b0, x_larger ? x : y, 39'b0};
            lesser   = {1'b0, x_larger ? y : x, 39'b0};
            distance = x_larger ? ex - ey : ey - ex;
            moved    = distance > 39 ? 64'b1 : lesser >> distance[5:0]; // beyond, any bit there gives the same
            bits     = negative_x == negative_y ? greater + moved : greater - moved;
            sum      = {bits == 0, negative, normal(e + 12'sd1, bits)};
        end
    endfunction

    // ---- F16
    function [31:0] widen(input [15:0] h);
        widen = h[14:10] == 31 ? (h[9:0] != 0 ? NAN : {h[15], 31'h7f800000})
                : h[14:10] != 0 ? {h[15], 8'd112 + h[14:10], h[9:0], 13'b0}
                : h[9:0] != 0 ? round(h[15], 127 - 15, {h[9:0], 54'b0}, CHOP)
                : {h[15], 31'b0};
    endfunction
    function [31:0] narrow(input [31:0] x, input [1:0] code, input drops);
        reg denormal, up;
        reg [5:0]  excess;
        reg [56:0] places;
        reg [15:0] half;
        begin
            denormal = x[30:23] < 127 - 14;
            excess   = denormal ? 8'd126 - x[30:23] : 13;
            places   = {significand(x), 33'b0} >> excess; // whole ones from bit 33 on
            up       = goes_up(drops ? CHOP : code, x[31], places[33], places[32], places[31:0] != 0);
            half     = {1'b0, denormal ? 5'b0 : x[27:23] - 5'd17, 10'b0} + places[48:33] + up;
            narrow   = is_nan(x) ? 32'h7fff
                       : is_infinite(x) || x[30:23] > 127 + 15 || (x[30:23] >= 127 - 33 && half >= 16'h7c00)
                         ? {16'b0, x[31], is_infinite(x) || to_infinity(code, x[31]) ? 15'h7c00 : 15'h7bff}
                       : x[30:23] < 127 - 33 ? {16'b0, x[31], 15'b0} : {16'b0, x[31], half[14:0]};
        end
    endfunction

    // |x| rounded to an integer, 2 ** 33 where it is that or more.
    function [33:0] integer_of(input [31:0] x, input [1:0] code);
        reg [57:0] places; // whole ones from bit 24 on
        begin
            places     = is_zero(x) ? 0 : x[30:23] < 126 ? 1 : {34'b0, significand(x)} << (x[30:23] - 8'd126);
            integer_of = x[30:23] > 127 + 32 ? 34'h200000000
                         : places[57:24] + goes_up(code, x[31], places[24], places[23], places[22:0] != 0);
        end
    endfunction

    // ---- sources
    wire [31:0] wide = src16 && (op == TO_INTEGER || op == CONVERT) ? widen(a[15:0]) : a;
    wire [31:0] x = modify(wide, abs_a, neg_a);
    wire [31:0] y = op == MAD || op == SELECT ? b : modify(b, abs_b, neg_b);
    wire [31:0] z = modify(c, 1'b0, neg_b);

    // ---- the product of two significands
    wire [31:0] fa = {9'b1, a[22:0]};
    wire [31:0] fb = op == REDUCE_SIN ? 32'ha2f983 : {9'b1, b[22:0]};
    wire [31:0] ll = fa[15:0] * fb[15:0];
    wire [31:0] hl = fa[31:16] * fb[15:0];
    wire [31:0] lh = fa[15:0] * fb[31:16];
    wire [31:0] hh = fa[31:16] * fb[31:16];
    wire [63:0] full = {hh, ll} + (({32'b0, hl} + {32'b0, lh}) << 16);
    wire [47:0] product = full[47:0];

    // ---- FADD
    wire [31:0] zero_sum = {rounding == DOWN ? x[31] || y[31] : x[31] && y[31], 31'b0};
    wire [31:0] sum_special = is_nan(x) || is_nan(y) || (is_infinite(x) && is_infinite(y) && x != y) ? NAN
                              : is_infinite(x) ? x : is_infinite(y) ? y
                              : is_zero(x) && is_zero(y) ? zero_sum : is_zero(x) ? y : x;
    wire has_sum = !is_zero(x) && !is_zero(y) && x[30:23] != 255 && y[30:23] != 255;
    wire sum_none, sum_negative;
    wire signed [11:0] sum_exponent;
    wire [63:0] sum_bits;
    assign {sum_none, sum_negative, sum_exponent, sum_bits} =
        sum(x[31], exponent_of(x), significand(x), y[31], exponent_of(y), significand(y));
    wire [31:0] added = !has_sum ? sum_special : sum_none ? zero_sum
                        : round_normal(sum_negative, sum_exponent, sum_bits, rounding);

    // ---- FMUL
    wire negative_product = x[31] ^ y[31];
    wire has_48 = product[47];
    wire signed [11:0] product_exponent = exponent_of(a) + exponent_of(b) - 12'sd127 + $signed({11'b0, has_48});
    wire [63:0] product_bits = has_48 ? {product, 16'b0} : {product[46:0], 17'b0};
    wire factor_zero = is_zero(a) || is_zero(b), factor_infinite = is_infinite(a) || is_infinite(b);
    wire [31:0] multiplied = is_nan(a) || is_nan(b) || (factor_zero && factor_infinite) ? NAN
                             : factor_infinite ? {negative_product, 31'h7f800000}
                             : factor_zero ? {negative_product, 31'b0}
                             : round_normal(negative_product, product_exponent, product_bits,
                                            op == MAD ? NEAREST : rounding);

    // ---- FMAD: docs/isa.md 8.3
    wire has_mad = !factor_zero && !is_zero(z) && a[30:23] != 255 && b[30:23] != 255 && z[30:23] != 255;
    wire mad_none, mad_negative;
    wire signed [11:0] mad_exponent;
    wire [63:0] mad_bits;
    assign {mad_none, mad_negative, mad_exponent, mad_bits} =
        sum(negative_product, product_exponent, product_bits[63:40], z[31], exponent_of(z), significand(z));
    wire [31:0] mad_sum = mad_none ? 0
                          : mad_exponent < 1 ? {mad_negative, 7'b0, mad_exponent == 0 && &mad_bits[63:40], 23'b0}
                          : round_normal(mad_negative, mad_exponent, mad_bits, NEAREST);
    // One of them is zero or none is finite: two operations; the sum of a number and a zero is the number.
    wire [31:0] p = multiplied;
    wire [31:0] mad_special = is_nan(p) || is_nan(z) || (is_infinite(z) && factor_infinite && p != z) ? NAN
                              : factor_infinite ? p : is_infinite(z) ? z
                              : is_zero(p) && is_zero(z) ? {p[31] && z[31], 31'b0} : is_zero(p) ? z : p;
    wire [31:0] mad = has_mad ? mad_sum : mad_special;

    // ---- comparison and selection: a number that is in the order of values, -0 just below +0
    function [31:0] order(input [31:0] u); order = u[31] ? ~flush(u) : flush(u) | 32'h80000000; endfunction
    wire unordered  = is_nan(x) || is_nan(y);
    wire equal      = flush(x) == flush(y) || (is_zero(x) && is_zero(y));
    wire less       = order(x) < order(y);
    wire accepted   = unordered ? compare[3] : equal ? compare[1] : less ? compare[0] : compare[2];
    wire takes_x    = is_nan(y) || (!is_nan(x) && (op == MAX) == !less);
    wire [31:0] extreme  = is_nan(x) && is_nan(y) ? NAN : flush(takes_x ? x : y);
    wire [31:0] selected = is_nan(z) || (z[31] && !is_zero(z)) ? b : a;

    // ---- I2F: docs/isa.md 8.5
    wire [31:0] v = byte_ ? {{24{sign_a & a[7]}}, a[7:0]} : src16 ? {{16{sign_a & a[15]}}, a[15:0]} : a;
    wire        v_negative = sign_a && v[31];
    wire        i_negative = (v_negative && !abs_a) ^ neg_a;
    wire [31:0] magnitude  = v_negative ? -v : v;
    wire [31:0] survived   = to_infinity(rounding, i_negative) && &magnitude[29:5] ? 0 : magnitude;
    wire [15:0] low        = v_negative ? survived[15:0] - 16'd1 : survived[15:0];
    wire [2:0]  zeros      = low[15] ? 0 : low[14] ? 1 : low[13] ? 2 : low[12] ? 3 : low[11] ? 4 : 5;
    wire [31:0] lost_upper = survived & (32'hffffffff >> (zeros + 4'd2));
    wire [31:0] m          = to_half ? lost_upper : magnitude;
    wire [31:0] float      = m == 0 ? {i_negative, 31'b0} : round(i_negative, 127 + 31, {m, 32'b0}, rounding);
    wire [31:0] limited    = saturate ? saturated(float) : float;
    wire [31:0] from_integer = to_half ? narrow(limited, rounding, 1'b0) : limited;

    // ---- F2I
    wire [31:0] u      = is_nan(x) ? NAN : flush(x);
    wire [33:0] whole  = integer_of(u, rounding);
    wire [33:0] most   = to_half ? (sign_d ? 34'h7fff : 34'hffff) : sign_d ? 34'h7fffffff : 34'hffffffff;
    wire [33:0] least  = !sign_d ? 0 : to_half ? 34'h8000 : 34'h80000000; // its magnitude
    wire [33:0] clamped = u[31] ? (whole > least ? least : whole) : whole > most ? most : whole;
    wire [31:0] n      = u[31] ? -clamped[31:0] : clamped[31:0];
    wire [31:0] to_integer = is_nan(u) ? 0 : to_half ? {16'b0, n[15:0]} : n;

    // ---- F2F
    wire [31:0] first    = saturate ? saturated(u) : u;
    wire [33:0] rounded  = integer_of(first, rounding);
    wire [31:0] made_integral = first[30:23] >= 127 + 23 ? first
                                : rounded == 0 ? {first[31], 31'b0}
                                : round(first[31], 127 + 31, {rounded[31:0], 32'b0}, CHOP);
    wire [31:0] second    = integral ? made_integral : first;
    wire [31:0] converted = to_half ? narrow(second, rounding, integral) : second;

    // ---- RRO: docs/isa.md 8.6
    wire [31:0] scaled  = x[30:23] >= 127 ? {8'b0, significand(x)} << (x[30:23] - 8'd127)
                          : {8'b0, significand(x)} >> (8'd127 - x[30:23]);
    wire [31:0] turns   = product[47:16];
    wire [31:0] reduced = x[30:23] >= 127 + 8 ? turns << (x[30:23] - 8'd135) : turns >> (8'd135 - x[30:23]);
    wire        special = is_nan(x) || is_infinite(x) || (op == REDUCE_EX2 && x[30:23] >= 127 + 7);
    wire [31:0] range   = special ? {x[31], 7'b1000000, !is_nan(x), 23'b0}
                          : is_zero(x) ? {x[31], 31'b0}
                          : op == REDUCE_EX2 ? {x[31], scaled[30:0]} : {x[31], 6'b0, reduced[24:0]};

    // ---- result and flags O C S Z
    wire [31:0] sums = op == ADD ? added : mad;
    assign value = op == ADD || op == MAD ? (saturate ? saturated(sums) : sums)
                   : op == MUL ? multiplied : op == COMPARE ? {32{accepted}} : op == MAX || op == MIN ? extreme
                   : op == SELECT ? selected : op == FROM_INTEGER ? from_integer : op == TO_INTEGER ? to_integer
                   : op == CONVERT ? converted : range;
    wire half_result = to_half && (op == FROM_INTEGER || op == CONVERT);
    wire number = op != COMPARE && op != TO_INTEGER && op != SELECT;
    wire none   = half_result ? value[14:0] == 0 : number || op == SELECT ? value[30:0] == 0 : value == 0;
    wire nan    = half_result ? value[14:0] > 15'h7c00 : number && is_nan(value);
    wire top    = to_half ? value[15] : value[31];
    assign flags = {2'b0, nan || (top && !none), nan || none};
endmodule
