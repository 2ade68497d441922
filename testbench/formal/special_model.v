// SPDX-License-Identifier: Apache-2.0
// The special functions, from docs/isa.md 8.6. `op` counts as special_t of rtl/control.def. The table is made of
// golden/float/sfu-tables.csv (special_table.awk). unit_bench holds this against the C model (float_model_run.cpp).
module special_model (
    input [2:0] op, input neg_a, input abs_a, input saturate, input [31:0] a,
    output [31:0] value, output [3:0] flags
);
    localparam RCP = 1, RSQ = 2, LG2 = 3, SIN = 4, COS = 5, EX2 = 6;
    localparam [31:0] NAN = 32'h7fffffff, INFINITY = 32'h7f800000, ONE = 32'h3f800000;
    `include "special_table.v"

    wire [31:0] x = {(a[31] && !abs_a) ^ neg_a, a[30:0]};
    wire negative = x[31];
    wire nan      = x[30:0] > INFINITY[30:0];
    wire infinite = x[30:0] == INFINITY[30:0];
    wire zero     = x[30:23] == 0;
    wire signed [11:0] exponent = {4'b0, x[30:23]};
    wire [22:0] fraction = x[22:0];

    // ---- the interval and the place in it, y in units of 2 ** -17 of it
    wire        odd     = !x[23];                  // RSQ: the exponent without its bias
    wire [1:0]  quarter = x[24:23] + (op == COS);
    wire        inverts = op == SIN || op == COS ? quarter[0] : op == EX2 && negative && fraction != 0;
    wire [22:0] f       = fraction ^ {23{inverts}};
    wire [6:0]  index   = op == RCP ? f[22:16] : op == RSQ ? {odd, f[22:17]} : {1'b0, f[22:17]};
    wire [16:0] y       = op == RCP ? {f[15:0], 1'b0} : f[16:0];
    wire [29:0] c0;
    wire [15:0] c1;
    wire [11:0] c2;
    assign {c0, c1, c2} = interval(op == COS ? SIN : op, index);

    // ---- y * y / 2 ** 19 without the columns below 2 ** 18
    function [14:0] cut_square(input [16:0] u);
        integer i, j;
        begin
            cut_square = 0;
            for (j = 16; j >= 10; j = j - 1) begin
                for (i = 18 - j; i < j; i = i + 1)
                    if (u[i] && u[j]) cut_square = cut_square + (15'd1 << (i + j - 18));
                if (u[j]) cut_square = cut_square + (15'd1 << (2 * j - 19));
            end
        end
    endfunction
    wire [14:0] square = cut_square(y);

    // ---- the sum of RCP is twice as large as in isa.md, as its y is
    wire [40:0] base = op == RCP ? (c0 << 14) + 41'h8fce : op == RSQ ? (c0 << 14) + 41'h7fff
                       : op == EX2 ? (c0 << 13) + 41'h77e2 : op == LG2 ? (c0 << 12) + 41'h3345 : c0 << 11;
    wire [11:0] square_factor = op == RCP || op == LG2 ? c2 << 1 : op == RSQ ? c2 << 2 : c2;
    wire [32:0] linear    = y * c1;
    wire [26:0] quadratic = square * square_factor;
    wire [40:0] sum = (op == RCP || op == RSQ ? base - linear : base + linear)
                      + (op == LG2 || op == SIN || op == COS ? -{14'b0, quadratic} : {14'b0, quadratic});

    // ---- (-1) ** s * n / 2 ** 23 * 2 ** (e - 127), n of 24 bits or 2 ** 24
    function [31:0] assemble(input s, input signed [11:0] e, input [24:0] n);
        reg signed [11:0] high;
        begin
            high = n[24] ? e + 1 : e;
            assemble = high < 1 ? {s, 31'b0} : high > 254 ? {s, INFINITY[30:0]} : {s, high[7:0], n[22:0]};
        end
    endfunction
    // bits / 2 ** 42 * 2 ** (e - 127), cut
    function [31:0] cut(input s, input signed [11:0] e, input [42:0] bits);
        reg [42:0] n;
        reg [5:0]  places;
        integer i;
        begin
            n = bits;
            places = 0;
            for (i = 5; i >= 0; i = i - 1)
                if (n >> (43 - (1 << i)) == 0) begin
                    n = n << (1 << i);
                    places = places + (1 << i);
                end
            cut = bits == 0 ? {s, 31'b0} : assemble(s, e - $signed({6'b0, places}), {1'b0, n[42:19]});
        end
    endfunction

    // ---- functions
    wire [31:0] rcp = nan ? NAN : infinite ? {negative, 31'b0} : zero ? {negative, INFINITY[30:0]}
                      : assemble(negative, 253 - exponent, sum[40:16]);
    wire signed [11:0] halved = odd ? (exponent - 128) >>> 1 : (exponent - 127) >>> 1;
    wire [31:0] rsq = nan || (negative && !zero) ? NAN : zero ? {negative, INFINITY[30:0]} : infinite ? 0
                      : !odd && fraction == 0 ? assemble(0, 127 - halved, 25'h800000)
                      : assemble(0, 126 - halved, sum[40:16]);
    wire signed [43:0] part      = x == ONE ? 0 : {8'b0, sum[37:2]};
    wire signed [43:0] logarithm = part + ((exponent - 44'sd127) <<< 36);
    wire [43:0] size = logarithm < 0 ? ~logarithm : logarithm;
    wire [31:0] lg2 = nan || (negative && !zero) ? NAN : zero ? {1'b1, INFINITY[30:0]} : infinite ? INFINITY
                      : cut(logarithm < 0, 127 + 6, size[42:0]);
    wire [31:0] wave = x[30] ? NAN : cut((op == SIN && negative) ^ quarter[1], 127, {sum[37:0], 5'b0});
    wire signed [11:0] n = !negative ? {5'b0, x[29:23]} : fraction == 0 ? -{5'b0, x[29:23]} : ~{5'b0, x[29:23]};
    wire [31:0] power    = x[30] ? (!x[23] ? NAN : negative ? 0 : INFINITY) : assemble(0, n + 127, sum[39:15]);
    wire [31:0] ex2      = saturate && power[30:0] <= INFINITY[30:0] && power > ONE ? ONE : power;

    assign value = op == RCP ? rcp : op == RSQ ? rsq : op == LG2 ? lg2 : op == EX2 ? ex2 : wave;
    wire is_nan = value[30:0] > INFINITY[30:0], is_zero = value[30:0] == 0;
    assign flags = {2'b0, is_nan || (value[31] && !is_zero), is_nan || is_zero};
endmodule
